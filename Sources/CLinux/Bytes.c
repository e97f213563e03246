#include "Internal.h"

#include <linux/fs.h>
#include <sys/ioctl.h>

long dd_read(int descriptor, void *buffer, size_t count) { return DD_CALL(read(descriptor, buffer, count)); }

long dd_read_at(int descriptor, void *buffer, size_t count, uint64_t offset) {
    return DD_CALL(pread(descriptor, buffer, count, (off_t)offset));
}

long dd_write(int descriptor, const void *buffer, size_t count) {
    return DD_CALL(write(descriptor, buffer, count));
}

void dd_advise_sequential(int descriptor) { posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL); }

int dd_reserve(int descriptor, uint64_t size) {
    return (int)DD_CALL(fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, (off_t)size));
}

int dd_truncate(int descriptor, uint64_t size) { return (int)DD_CALL(ftruncate(descriptor, (off_t)size)); }

long dd_copy_range(int from, int to, size_t count) {
    return DD_CALL(copy_file_range(from, NULL, to, NULL, count, 0));
}

int dd_clone(int from, int to) { return (int)DD_CALL(ioctl(to, FICLONE, from)); }

int dd_sync(int descriptor) { return (int)DD_CALL(fsync(descriptor)); }

int dd_sync_file_system(int descriptor) { return (int)DD_CALL(syncfs(descriptor)); }
