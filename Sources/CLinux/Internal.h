#ifndef DD_INTERNAL_H
#define DD_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// Calls until a signal does not interrupt, and turns errno into the result.
#define DD_CALL(expression)                                   \
    ({                                                        \
        long dd_result;                                       \
        do dd_result = (long)(expression);                    \
        while (dd_result < 0 && errno == EINTR);              \
        dd_result < 0 ? -(long)errno : dd_result;             \
    })

// Declares `variable` as the name with its NUL, or returns -DD_BAD_NAME.
#define DD_NAME(variable, bytes, count)                       \
    char variable[DD_NAME_MAX + 1];                           \
    if (!dd_copy_name(variable, bytes, count)) return -DD_BAD_NAME

static inline bool dd_copy_name(char *copy, const uint8_t *name, size_t length) {
    if (length == 0 || length > DD_NAME_MAX) return false;
    if (name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'))) return false;
    if (memchr(name, '/', length) || memchr(name, 0, length)) return false;
    memcpy(copy, name, length);
    copy[length] = 0;
    return true;
}

// "/proc/self/fd/N", which leads to the very item that N has open.
enum { DD_LINK_SIZE = 32 };
void dd_descriptor_path(char path[DD_LINK_SIZE], int descriptor);

// What root has made in the folder goes to its owner. Of a file that this process has made and has open, and of a folder or link:
// each returns what it is given as the result of making it.
int dd_made_file(int folder, int number);
int dd_made_name(int folder, const char *name, int result);

#endif
