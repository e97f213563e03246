#include "Internal.h"

#include <signal.h>
#include <sys/file.h>

int dd_lock(int descriptor) { return (int)DD_CALL(flock(descriptor, LOCK_EX | LOCK_NB)); }

int dd_write_back(int descriptor) {
    const unsigned flags = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    return (int)DD_CALL(sync_file_range(descriptor, 0, 0, flags));
}

int dd_is_open_for_writing(int descriptor) {
    // A writer who comes while the lease is held makes the kernel signal us; SIGIO, the default, would end the process,
    // SIGURG is ignored unless somebody wants it (signal(7)).
    int result = (int)DD_CALL(fcntl(descriptor, F_SETSIG, SIGURG));
    if (result < 0) return result;
    result = (int)DD_CALL(fcntl(descriptor, F_SETLEASE, F_RDLCK));
    if (result == -EAGAIN) return 1;
    if (result < 0) return result;
    DD_CALL(fcntl(descriptor, F_SETLEASE, F_UNLCK));
    return 0;
}
