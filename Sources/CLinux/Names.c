#include "Internal.h"

#include <stdio.h>
#include <sys/stat.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1 << 0)
#define RENAME_EXCHANGE (1 << 1)
#endif

static int rename_with(
    int folder, const uint8_t *name, size_t length, int to_folder, const uint8_t *to, size_t to_length,
    unsigned flags) {
    DD_NAME(from_path, name, length);
    DD_NAME(to_path, to, to_length);
    return (int)DD_CALL(renameat2(folder, from_path, to_folder, to_path, flags));
}

int dd_move(int folder, const uint8_t *name, size_t length, int to_folder, const uint8_t *to, size_t to_length) {
    return rename_with(folder, name, length, to_folder, to, to_length, RENAME_NOREPLACE);
}

int dd_exchange(int folder, const uint8_t *name, size_t length, int to_folder, const uint8_t *to, size_t to_length) {
    return rename_with(folder, name, length, to_folder, to, to_length, RENAME_EXCHANGE);
}

int dd_replace(int folder, const uint8_t *name, size_t length, int to_folder, const uint8_t *to, size_t to_length) {
    return rename_with(folder, name, length, to_folder, to, to_length, 0);
}

int dd_link(int folder, const uint8_t *name, size_t length, int to_folder, const uint8_t *to, size_t to_length) {
    DD_NAME(from_path, name, length);
    DD_NAME(to_path, to, to_length);
    return (int)DD_CALL(linkat(folder, from_path, to_folder, to_path, 0));
}

int dd_make_folder(int folder, const uint8_t *name, size_t length, uint32_t mode) {
    DD_NAME(path, name, length);
    return dd_made_name(folder, path, (int)DD_CALL(mkdirat(folder, path, mode)));
}

int dd_make_folder_at(const char *path, uint32_t mode) {
    int made = (int)DD_CALL(mkdir(path, mode));
    if (made == 0) dd_made_folder_at(path);
    return made;
}

int dd_make_link(int folder, const uint8_t *name, size_t length, const char *target) {
    DD_NAME(path, name, length);
    return dd_made_name(folder, path, (int)DD_CALL(symlinkat(target, folder, path)));
}

int dd_remove_file(int folder, const uint8_t *name, size_t length) {
    DD_NAME(path, name, length);
    return (int)DD_CALL(unlinkat(folder, path, 0));
}

int dd_remove_folder(int folder, const uint8_t *name, size_t length) {
    DD_NAME(path, name, length);
    return (int)DD_CALL(unlinkat(folder, path, AT_REMOVEDIR));
}

long dd_read_link(int folder, const uint8_t *name, size_t length, void *buffer, size_t size) {
    DD_NAME(path, name, length);
    return DD_CALL(readlinkat(folder, path, buffer, size));
}
