#include "Internal.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

long dd_read(int descriptor, void *buffer, size_t count) { return DD_CALL(read(descriptor, buffer, count)); }

long dd_read_at(int descriptor, void *buffer, size_t count, uint64_t offset) {
    return DD_CALL(pread(descriptor, buffer, count, (off_t)offset));
}

long dd_write(int descriptor, const void *buffer, size_t count) {
    return DD_CALL(write(descriptor, buffer, count));
}

void dd_advise_sequential(int descriptor) { posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL); }

int dd_set_direct(int descriptor, bool is_direct) {
    int flags = (int)DD_CALL(fcntl(descriptor, F_GETFL));
    if (flags < 0) return flags;
    return (int)DD_CALL(fcntl(descriptor, F_SETFL, is_direct ? flags | O_DIRECT : flags & ~O_DIRECT));
}

bool dd_is_mostly_cached(int descriptor, uint64_t offset, size_t count) {
    enum { MAXIMUM = 1024 };
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    offset -= offset % size;
    if (count > MAXIMUM * size) count = MAXIMUM * size;
    size_t pages = (count + size - 1) / size;
    // Nothing is read through it, so a file that is cut meanwhile does no harm.
    void *place = mmap(NULL, count, PROT_READ, MAP_SHARED, descriptor, (off_t)offset);
    if (place == MAP_FAILED) return true;
    unsigned char present[MAXIMUM];
    size_t found = 0;
    bool is_known = mincore(place, count, present) == 0;
    for (size_t page = 0; is_known && page < pages; page++) found += present[page] & 1;
    munmap(place, count);
    return !is_known || found * 2 > pages;
}

int dd_reserve(int descriptor, uint64_t size) {
    return (int)DD_CALL(fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, (off_t)size));
}

int dd_truncate(int descriptor, uint64_t size) { return (int)DD_CALL(ftruncate(descriptor, (off_t)size)); }

int dd_clone(int from, int to) { return (int)DD_CALL(ioctl(to, FICLONE, from)); }

int dd_clone_range(int from, uint64_t offset, uint64_t count, int to, uint64_t to_offset) {
    struct file_clone_range range = {
        .src_fd = from, .src_offset = offset, .src_length = count, .dest_offset = to_offset};
    return (int)DD_CALL(ioctl(to, FICLONERANGE, &range));
}

uint64_t dd_block_size(int descriptor) {
    struct statvfs facts;
    return fstatvfs(descriptor, &facts) == 0 ? facts.f_bsize : 0;
}

int dd_seek(int descriptor, uint64_t offset) {
    return lseek(descriptor, (off_t)offset, SEEK_SET) < 0 ? -errno : 0;
}

int dd_sync(int descriptor) { return (int)DD_CALL(fsync(descriptor)); }

int dd_sync_file_system(int descriptor) { return (int)DD_CALL(syncfs(descriptor)); }
