#include "Internal.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/statfs.h>

static const char *bus_error_text;
static size_t bus_error_length;
static int bus_error_status, full_disk_status;
static _Atomic(const char *) mapped_place;

// With less no page of a file can be counted on.
enum { ALMOST_FULL = 1 << 20 };

// statfs(2) is in no list of signal-safety(7), and nothing but a system call.
static bool is_disk_full(void) {
    const char *place = atomic_load(&mapped_place);
    struct statfs facts;
    if (!place || statfs(place, &facts) < 0 || facts.f_blocks == 0) return false;
    return (uint64_t)facts.f_bavail < ALMOST_FULL / (uint64_t)facts.f_bsize;
}

// Only calls that signal-safety(7) lists, but for that one.
static void end_at_bus_error(int number) {
    (void)number;
    ssize_t written = write(STDERR_FILENO, bus_error_text, bus_error_length);
    (void)written;
    _exit(is_disk_full() ? full_disk_status : bus_error_status);
}

void dd_note_mapped_place(const char *path) {
    const char *known = atomic_load(&mapped_place);
    if (!bus_error_text || (known && strcmp(known, path) == 0)) return;
    // The one before is never freed: the signal may come at any time.
    const char *copy = strdup(path);
    if (copy) atomic_store(&mapped_place, copy);
}

int dd_answer_bus_errors(const char *text, size_t length, int status, int full_status) {
    bus_error_text = text;
    bus_error_length = length;
    bus_error_status = status;
    full_disk_status = full_status;
    struct sigaction action = {.sa_handler = end_at_bus_error};
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, NULL) < 0 ? -errno : 0;
}
