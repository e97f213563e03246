#include "Internal.h"

#include <dirent.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000U
#endif

static uint8_t kind_of(uint32_t mode) {
    if (S_ISREG(mode)) return DD_KIND_FILE;
    if (S_ISDIR(mode)) return DD_KIND_FOLDER;
    return S_ISLNK(mode) ? DD_KIND_LINK : DD_KIND_OTHER;
}

static int look(int folder, const char *name, int flags, dd_facts *facts) {
    struct statx s;
    unsigned mask = STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID;
    int result = (int)DD_CALL(statx(folder, name, flags | AT_NO_AUTOMOUNT, mask, &s));
    if (result < 0) return result;
    *facts = (dd_facts){
        .inode = s.stx_ino,
        .size = s.stx_size,
        .device = (uint64_t)s.stx_dev_major << 32 | s.stx_dev_minor,
        .modified_seconds = s.stx_mtime.tv_sec,
        .changed_seconds = s.stx_ctime.tv_sec,
        .birth_seconds = s.stx_btime.tv_sec,
        .modified_nanoseconds = s.stx_mtime.tv_nsec,
        .changed_nanoseconds = s.stx_ctime.tv_nsec,
        .birth_nanoseconds = s.stx_btime.tv_nsec,
        .mode = s.stx_mode,
        .owner = s.stx_uid,
        .group = s.stx_gid,
        .links = s.stx_nlink,
        .kind = kind_of(s.stx_mode),
        .has_birth = (s.stx_mask & STATX_BTIME) != 0,
    };
    if (s.stx_mask & STATX_MNT_ID) facts->mount = s.stx_mnt_id;
    return 0;
}

int dd_look(int folder, const uint8_t *name, size_t length, dd_facts *facts) {
    DD_NAME(path, name, length);
    return look(folder, path, AT_SYMLINK_NOFOLLOW, facts);
}

int dd_look_at(int descriptor, dd_facts *facts) { return look(descriptor, "", AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, facts); }

int dd_look_at_path(const char *path, dd_facts *facts) { return look(AT_FDCWD, path, 0, facts); }

static bool is_unchanging(int folder, const char *path) {
    struct statx s;
    if (statx(folder, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_TYPE, &s) != 0) return false;
    return (s.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) != 0;
}

bool dd_is_unchanging(const char *path) { return is_unchanging(AT_FDCWD, path); }

// capabilities(7), CAP_FOWNER.
static bool acts_as_every_owner(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & (1u << CAP_FOWNER)) != 0;
}

// In a sticky folder only its owner and those of what is in it take something out (inode(7)), and who may act as they.
static bool belongs_to_others(int folder, const struct statx *s) {
    struct stat above;
    if (s->stx_uid == geteuid() || fstat(folder, &above) != 0) return false;
    return (above.st_mode & S_ISVTX) != 0 && above.st_uid != geteuid() && !acts_as_every_owner();
}

int dd_obstruction(int folder, const uint8_t *name, size_t length, bool is_leaving) {
    DD_NAME(path, name, length);
    int result = (int)DD_CALL(faccessat(folder, ".", W_OK | X_OK, 0));
    if (result < 0) return result;
    struct statx s;
    if (statx(folder, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_UID, &s) != 0) return 0;
    if ((s.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) != 0 || belongs_to_others(folder, &s)) return -EPERM;
    // Its entry ".." is written: rename(2), EACCES.
    if (is_leaving && S_ISDIR(s.stx_mode)) return (int)DD_CALL(faccessat(folder, path, W_OK, 0));
    return 0;
}

bool dd_folds_case(int folder) {
    int flags = 0;
    return ioctl(folder, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_CASEFOLD_FL) != 0;
}

bool dd_is_on_fat(int descriptor) {
    struct statfs s;
    if (DD_CALL(fstatfs(descriptor, &s)) < 0) return false;
    return s.f_type == MSDOS_SUPER_MAGIC || s.f_type == EXFAT_SUPER_MAGIC;
}

// struct linux_dirent64 of getdents64(2).
struct record {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    uint8_t name[];
};

long dd_list(int folder, void *buffer, size_t size) {
    return DD_CALL(syscall(SYS_getdents64, folder, buffer, size));
}

size_t dd_entry_at(const void *buffer, size_t offset, dd_entry *entry) {
    const struct record *record = (const struct record *)((const char *)buffer + offset);
    entry->inode = record->inode;
    entry->name = record->name;
    entry->length = strlen((const char *)record->name);
    entry->knows_kind = record->type != DT_UNKNOWN;
    entry->kind = kind_of(DTTOIF(record->type));
    return offset + record->length;
}

bool dd_counts_subfolders(int descriptor) {
    struct statfs s;
    if (DD_CALL(fstatfs(descriptor, &s)) < 0) return false;
    // The first is that of ext2 and ext3 too.
    return s.f_type == EXT4_SUPER_MAGIC || s.f_type == XFS_SUPER_MAGIC || s.f_type == TMPFS_MAGIC;
}

int dd_free_space(int descriptor, uint64_t *available, uint64_t *total, uint64_t *longest_name) {
    struct statvfs s;
    int result = (int)DD_CALL(fstatvfs(descriptor, &s));
    if (result < 0) return result;
    *available = (uint64_t)s.f_bavail * s.f_frsize;
    *total = (uint64_t)s.f_blocks * s.f_frsize;
    *longest_name = s.f_namemax;
    return 0;
}

void dd_descriptor_path(char path[DD_LINK_SIZE], int descriptor) {
    snprintf(path, DD_LINK_SIZE, "/proc/self/fd/%d", descriptor);
}

long dd_path_of(int descriptor, char *buffer, size_t size) {
    char path[DD_LINK_SIZE];
    dd_descriptor_path(path, descriptor);
    return DD_CALL(readlink(path, buffer, size));
}
