#ifndef DD_MAIL_H
#define DD_MAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { DD_MAIL_SUBJECT, DD_MAIL_FROM, DD_MAIL_TO, DD_MAIL_ATTACHMENT } dd_mail_field;

/* What a message says, in the order in which it stands there; nothing that is given lives longer than the call. */
typedef struct {
    void *context;
    /* A message begins; `depth` is 0 for those that lie in no other one. */
    void (*message)(void *context, int depth);
    /* Decoded, in UTF-8 as far as the message lets it be. `address` is null but for people. */
    void (*field)(void *context, dd_mail_field field, const char *text, const char *address);
    /* Seconds since 1970. */
    void (*date)(void *context, int64_t seconds);
    /*
     * A part that is text, without its transfer encoding; `subtype` as "html", `charset` null where none is declared. With
     * `has_own_lines` they are not those of the file, as of base64.
     */
    void (*text)(
        void *context, const char *subtype, const char *charset, const uint8_t *bytes, size_t length, bool has_own_lines);
    /* False where no more is needed. */
    bool (*goes_on)(void *context);
} dd_mail_reader;

/*
 * Reads the message in an open file, or all those of an mbox, with GMime. At most `limit` bytes are given of a part. Returns
 * 0, or a negative errno value: -EINVAL where no message begins, -ENOMEM without memory.
 */
int dd_mail_read(int descriptor, bool is_mbox, size_t limit, const dd_mail_reader *reader);

#endif
