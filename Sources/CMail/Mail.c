#include "CMail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gmime/gmime.h>

// Messages in messages, and parts in parts; what lies deeper is left out.
enum { MOST_DEPTH = 32 };

typedef struct {
    const dd_mail_reader *reader;
    size_t limit;
} walk;

static bool goes_on(const walk *walk) { return walk->reader->goes_on(walk->reader->context); }

static void give(const walk *walk, dd_mail_field field, const char *text, const char *address) {
    if (text && *text) walk->reader->field(walk->reader->context, field, text, address);
}

static void give_people(const walk *walk, dd_mail_field field, InternetAddressList *list, int depth) {
    if (!list || depth > MOST_DEPTH) return;
    for (int place = 0; place < internet_address_list_length(list) && goes_on(walk); place++) {
        InternetAddress *who = internet_address_list_get_address(list, place);
        if (INTERNET_ADDRESS_IS_GROUP(who)) {
            give_people(walk, field, internet_address_group_get_members(INTERNET_ADDRESS_GROUP(who)), depth + 1);
        } else if (INTERNET_ADDRESS_IS_MAILBOX(who)) {
            const char *address = internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(who));
            const char *name = internet_address_get_name(who);
            give(walk, field, name && *name ? name : address, address);
        }
    }
}

// Returns the bytes that were read. A part of a damaged message may have no content.
static size_t decode(GMimePart *part, uint8_t *bytes, size_t limit) {
    GMimeDataWrapper *content = g_mime_part_get_content(part);
    GMimeStream *raw = content ? g_mime_data_wrapper_get_stream(content) : NULL;
    if (!raw) return 0;
    g_mime_stream_reset(raw);
    GMimeStream *stream = g_mime_stream_filter_new(raw);
    GMimeFilter *filter = g_mime_filter_basic_new(g_mime_data_wrapper_get_encoding(content), FALSE);
    g_mime_stream_filter_add(GMIME_STREAM_FILTER(stream), filter);
    size_t filled = 0;
    while (filled < limit) {
        ssize_t got = g_mime_stream_read(stream, (char *)bytes + filled, limit - filled);
        if (got <= 0) break;
        filled += (size_t)got;
    }
    g_object_unref(filter);
    g_object_unref(stream);
    return filled;
}

static int give_text(const walk *walk, GMimePart *part, const char *subtype) {
    // One more tells that there is more.
    uint8_t *bytes = malloc(walk->limit + 1);
    if (!bytes) return -ENOMEM;
    size_t length = decode(part, bytes, walk->limit + 1);
    const char *charset = g_mime_object_get_content_type_parameter(GMIME_OBJECT(part), "charset");
    GMimeContentEncoding encoding = g_mime_part_get_content_encoding(part);
    bool has_own_lines = encoding == GMIME_CONTENT_ENCODING_BASE64 || encoding == GMIME_CONTENT_ENCODING_UUENCODE;
    if (length) walk->reader->text(walk->reader->context, subtype, charset, bytes, length, has_own_lines);
    free(bytes);
    return 0;
}

static int walk_message(const walk *walk, GMimeMessage *message, int depth);

static int walk_part(const walk *walk, GMimeObject *object, int depth) {
    int result = 0;
    if (!object || depth > MOST_DEPTH || !goes_on(walk)) return 0;
    if (GMIME_IS_MULTIPART(object)) {
        GMimeMultipart *parts = GMIME_MULTIPART(object);
        for (int place = 0; place < g_mime_multipart_get_count(parts) && !result; place++)
            result = walk_part(walk, g_mime_multipart_get_part(parts, place), depth + 1);
    } else if (GMIME_IS_MESSAGE_PART(object)) {
        result = walk_message(walk, g_mime_message_part_get_message(GMIME_MESSAGE_PART(object)), depth + 1);
    } else if (GMIME_IS_PART(object)) {
        give(walk, DD_MAIL_ATTACHMENT, g_mime_part_get_filename(GMIME_PART(object)), NULL);
        GMimeContentType *type = g_mime_object_get_content_type(object);
        // A type that cannot be read is text (RFC 2045, 5.2).
        if (!type || g_mime_content_type_is_type(type, "text", "*"))
            result = give_text(
                walk, GMIME_PART(object), type ? g_mime_content_type_get_media_subtype(type) : "plain");
    }
    return result;
}

static int walk_message(const walk *walk, GMimeMessage *message, int depth) {
    if (!message || depth > MOST_DEPTH || !goes_on(walk)) return 0;
    walk->reader->message(walk->reader->context, depth);
    give(walk, DD_MAIL_SUBJECT, g_mime_message_get_subject(message), NULL);
    give_people(walk, DD_MAIL_FROM, g_mime_message_get_from(message), 0);
    give_people(walk, DD_MAIL_TO, g_mime_message_get_to(message), 0);
    give_people(walk, DD_MAIL_TO, g_mime_message_get_cc(message), 0);
    give_people(walk, DD_MAIL_TO, g_mime_message_get_bcc(message), 0);
    GDateTime *date = g_mime_message_get_date(message);
    if (date) walk->reader->date(walk->reader->context, g_date_time_to_unix(date));
    return walk_part(walk, g_mime_message_get_mime_part(message), depth);
}

static int read_all(const walk *walk, GMimeStream *stream, bool is_mbox) {
    GMimeParser *parser = g_mime_parser_new_with_stream(stream);
    // Parts stay in the file until they are asked for.
    g_mime_parser_set_persist_stream(parser, TRUE);
    g_mime_parser_set_format(parser, is_mbox ? GMIME_FORMAT_MBOX : GMIME_FORMAT_MESSAGE);
    int result = -EINVAL;
    do {
        GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
        if (!message) break;
        result = walk_message(walk, message, 0);
        g_object_unref(message);
    } while (is_mbox && !result && goes_on(walk) && !g_mime_parser_eos(parser));
    g_object_unref(parser);
    return result;
}

int dd_mail_read(int descriptor, bool is_mbox, size_t limit, const dd_mail_reader *reader) {
    static gsize is_ready = 0;
    if (g_once_init_enter(&is_ready)) {
        g_mime_init();
        g_once_init_leave(&is_ready, 1);
    }
    // The stream closes what it gets.
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) return -errno;
    if (lseek(copy, 0, SEEK_SET) < 0) {
        int code = errno;
        close(copy);
        return -code;
    }
    GMimeStream *stream = g_mime_stream_fs_new(copy);
    walk walk = {reader, limit};
    int result = read_all(&walk, stream, is_mbox);
    g_object_unref(stream);
    return result;
}
