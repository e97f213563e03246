#include "Internal.h"

#include <linux/openat2.h>
#include <sys/syscall.h>

enum { FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC, FILE_ = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

int dd_open_root(const char *path) { return (int)DD_CALL(open(path, FOLDER)); }

int dd_open_folder(int folder, const uint8_t *name, size_t length) {
    DD_NAME(path, name, length);
    return (int)DD_CALL(openat(folder, path, FOLDER | O_NOFOLLOW));
}

int dd_reopen_folder(int folder) { return (int)DD_CALL(openat(folder, ".", FOLDER)); }

int dd_open_parent(int folder) { return (int)DD_CALL(openat(folder, "..", FOLDER)); }

int dd_open_file(int folder, const uint8_t *name, size_t length) {
    DD_NAME(path, name, length);
    int result = (int)DD_CALL(openat(folder, path, FILE_ | O_NOFOLLOW | O_NOATIME));
    // Only the owner may leave the access time alone (open(2)).
    if (result == -EPERM) result = (int)DD_CALL(openat(folder, path, FILE_ | O_NOFOLLOW));
    return result;
}

int dd_pin(int folder, const uint8_t *name, size_t length) {
    DD_NAME(path, name, length);
    return (int)DD_CALL(openat(folder, path, O_PATH | O_NOFOLLOW | O_CLOEXEC));
}

int dd_open_unnamed(int folder) { return (int)DD_CALL(openat(folder, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600)); }

int dd_create_file(int folder, const uint8_t *name, size_t length, uint32_t mode) {
    DD_NAME(path, name, length);
    int number = (int)DD_CALL(openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    return dd_made_file(folder, number);
}

int dd_open_own_file(int folder, const uint8_t *name, size_t length, uint32_t mode) {
    DD_NAME(path, name, length);
    const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int number = (int)DD_CALL(openat(folder, path, flags | O_EXCL, mode));
    // What was there before keeps its owner: it may be another name of somebody else's file.
    if (number == -EEXIST) return (int)DD_CALL(openat(folder, path, flags, mode));
    return dd_made_file(folder, number);
}

// Opens each component in the one before, none of them through a link.
int dd_open_beneath_stepwise(int folder, const char *path, bool wants_folder) {
    int flags = wants_folder ? FOLDER : FILE_;
    int current = folder;
    for (;;) {
        size_t length = strcspn(path, "/");
        bool is_last = path[length] == 0;
        char name[DD_NAME_MAX + 1];
        int next = dd_copy_name(name, (const uint8_t *)path, length)
            ? (int)DD_CALL(openat(current, name, (is_last ? flags : FOLDER) | O_NOFOLLOW))
            : -DD_BAD_NAME;
        if (current != folder) close(current);
        if (next < 0 || is_last) return next;
        current = next;
        path += length + 1;
    }
}

int dd_open_beneath(int folder, const char *path, bool wants_folder) {
    struct open_how how = {
        .flags = wants_folder ? FOLDER : FILE_,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    // EAGAIN: a rename elsewhere made the kernel unsure (openat2(2)).
    long result = -EAGAIN;
    for (int attempt = 0; attempt < 8 && result == -EAGAIN; attempt++)
        result = DD_CALL(syscall(SYS_openat2, folder, path, &how, sizeof how));
    if (result == -ENOSYS || result == -EPERM || result == -EAGAIN)
        return dd_open_beneath_stepwise(folder, path, wants_folder);
    return (int)result;
}

// Not repeated: Linux has closed the descriptor even where it says EINTR (close(2)).
int dd_close(int descriptor) { return close(descriptor) < 0 && errno != EINTR ? -errno : 0; }
