#include "Internal.h"

#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

// Where the file system knows no owners, they stay what they are.
static void give(int item, const struct stat *above) {
    if (fchownat(item, "", above->st_uid, above->st_gid, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0) errno = 0;
}

// Whether this is root that has made something in a folder of somebody else.
static bool is_guest(int folder, struct stat *above) {
    return geteuid() == 0 && fstat(folder, above) == 0 && above->st_uid != 0;
}

static bool is_empty(int folder) {
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    if (!list) {
        if (copy >= 0) close(copy);
        return false;
    }
    int count = 0;
    while (count < 3 && readdir(list)) count++;
    closedir(list);
    return count < 3;
}

int dd_made_file(int folder, int number) {
    struct stat above;
    if (number >= 0 && is_guest(folder, &above)) give(number, &above);
    return number;
}

int dd_made_name(int folder, const char *name, int result) {
    struct stat above, facts;
    if (result < 0 || !is_guest(folder, &above)) return result;
    // By now the owner of the folder may have put something else under the name: what is root's, and not made just now, stays so.
    int item = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (item < 0) return result;
    if (fstat(item, &facts) == 0 && facts.st_uid == 0 &&
        (S_ISLNK(facts.st_mode) || (S_ISDIR(facts.st_mode) && is_empty(item))))
        give(item, &above);
    close(item);
    return result;
}

// With the folder that it lies in open; -1 where that is not there.
static int open_above(const char *path) {
    char copy[PATH_MAX];
    if (strlen(path) >= sizeof copy) return -1;
    strcpy(copy, path);
    return open(dirname(copy), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void dd_made_file_at(const char *path, int number) {
    int folder = geteuid() == 0 ? open_above(path) : -1;
    if (folder < 0) return;
    dd_made_file(folder, number);
    close(folder);
}

void dd_made_folder_at(const char *path) {
    char copy[PATH_MAX];
    int folder = geteuid() == 0 ? open_above(path) : -1;
    if (folder < 0) return;
    strcpy(copy, path);
    dd_made_name(folder, basename(copy), 0);
    close(folder);
}
