#include "Internal.h"

#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Where the file system knows no owners, they stay what they are.
static void give(int folder, const char *name, const struct stat *above) {
    if (above->st_uid != 0 && fchownat(folder, name, above->st_uid, above->st_gid, AT_SYMLINK_NOFOLLOW) != 0) errno = 0;
}

int dd_given_to_owner(int folder, const char *name, int result) {
    struct stat above;
    if (result >= 0 && geteuid() == 0 && fstat(folder, &above) == 0) give(folder, name, &above);
    return result;
}

void dd_give_to_owner(const char *path) {
    char folder[PATH_MAX];
    struct stat above;
    if (geteuid() != 0 || strlen(path) >= sizeof folder) return;
    strcpy(folder, path);
    if (stat(dirname(folder), &above) == 0) give(AT_FDCWD, path, &above);
}
