#include "Internal.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

// The calls that take a descriptor want one that was opened for reading or writing, and say EBADF of one that only pins an item
// (O_PATH). Such a one goes by its link in /proc, which costs three times as much.

int dd_set_mode(int descriptor, uint32_t mode) {
    int result = (int)DD_CALL(fchmod(descriptor, mode));
    if (result != -EBADF) return result;
    char path[DD_LINK_SIZE];
    dd_descriptor_path(path, descriptor);
    return (int)DD_CALL(chmod(path, mode));
}

int dd_set_owner(int descriptor, uint32_t owner, uint32_t group) {
    return (int)DD_CALL(fchownat(descriptor, "", owner, group, AT_EMPTY_PATH));
}

int dd_set_modified(int descriptor, int64_t seconds, uint32_t nanoseconds) {
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = seconds, .tv_nsec = nanoseconds}};
    // An empty path also does for a link that is pinned; kernels before 5.8 want the way round by /proc.
    int result = (int)DD_CALL(utimensat(descriptor, "", times, AT_EMPTY_PATH));
    if (result != -EINVAL) return result;
    char path[DD_LINK_SIZE];
    dd_descriptor_path(path, descriptor);
    return (int)DD_CALL(utimensat(AT_FDCWD, path, times, 0));
}

long dd_list_attributes(int descriptor, char *buffer, size_t size) {
    long result = DD_CALL(flistxattr(descriptor, buffer, size));
    if (result != -EBADF) return result;
    char path[DD_LINK_SIZE];
    dd_descriptor_path(path, descriptor);
    return DD_CALL(listxattr(path, buffer, size));
}

long dd_get_attribute(int descriptor, const char *key, void *buffer, size_t size) {
    long result = DD_CALL(fgetxattr(descriptor, key, buffer, size));
    if (result != -EBADF) return result;
    char path[DD_LINK_SIZE];
    dd_descriptor_path(path, descriptor);
    return DD_CALL(getxattr(path, key, buffer, size));
}

int dd_set_attribute(int descriptor, const char *key, const void *bytes, size_t count) {
    int result = (int)DD_CALL(fsetxattr(descriptor, key, bytes, count, 0));
    if (result != -EBADF) return result;
    char path[DD_LINK_SIZE];
    dd_descriptor_path(path, descriptor);
    return (int)DD_CALL(setxattr(path, key, bytes, count, 0));
}

int dd_remove_attribute(int descriptor, const char *key) {
    int result = (int)DD_CALL(fremovexattr(descriptor, key));
    if (result != -EBADF) return result;
    char path[DD_LINK_SIZE];
    dd_descriptor_path(path, descriptor);
    return (int)DD_CALL(removexattr(path, key));
}

// "/proc/self/fd/FOLDER/NAME": relative to the open folder, and the l-calls do not follow the last component.
#define DD_PATH_IN(variable, folder, bytes, count)                        \
    DD_NAME(variable##_name, bytes, count);                               \
    char variable[DD_LINK_SIZE + 1 + DD_NAME_MAX + 1];                    \
    snprintf(variable, sizeof variable, "/proc/self/fd/%d/%s", folder, variable##_name)

// listxattrat of Linux 6.13, which spares the way through /proc; the C library has no name for it yet.
enum { DD_LISTXATTRAT = 465 };

long dd_list_attributes_of(int folder, const uint8_t *name, size_t length, char *buffer, size_t size) {
    DD_NAME(direct, name, length);
    long result = DD_CALL(syscall(DD_LISTXATTRAT, folder, direct, AT_SYMLINK_NOFOLLOW, buffer, size));
    if (result != -ENOSYS && result != -EPERM) return result;
    DD_PATH_IN(path, folder, name, length);
    return DD_CALL(llistxattr(path, buffer, size));
}

long dd_get_attribute_of(
    int folder, const uint8_t *name, size_t length, const char *key, void *buffer, size_t size) {
    DD_PATH_IN(path, folder, name, length);
    return DD_CALL(lgetxattr(path, key, buffer, size));
}
