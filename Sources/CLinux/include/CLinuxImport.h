#ifndef DD_CLINUX_IMPORT_H
#define DD_CLINUX_IMPORT_H

/* No feature macros here: they would make a second, different Glibc for Swift. */
#include <stdint.h>
#include <sys/types.h>

/* What dd_import_open answers, negated, for what is no regular file. */
enum { DD_IMPORT_NOT_A_FILE = 5000 };

/*
 * Opens a regular file to read. Links are not followed, and anything else is looked at only: opening a FIFO or a device
 * can block or act. A negative errno value where it fails.
 */
int dd_import_open(const char *path);

/*
 * Takes from this process what reading a file does not need: core dumps, new privileges, writing to files, TCP (the
 * last two where the kernel has Landlock), more memory than so many bytes; and puts it behind everybody else for
 * processor and disk.
 */
void dd_import_confine(uint64_t memory);

/* From now on this process may use so many seconds of processor time, then SIGXCPU ends it. */
void dd_import_limit_cpu(unsigned seconds);

/*
 * Starts a program that reads `input` and writes `output`, with nothing else open, a small environment, and a process
 * group of its own. It dies with the calling thread. Returns 0 or an errno value.
 */
int dd_import_start(
    const char *path, char *const argv[], int input, int output, unsigned cpu_seconds, pid_t *pid);

/* Waits for a child; its wait status, and its largest resident size in bytes. A negative errno value where it fails. */
int dd_import_wait(pid_t pid, int *status, uint64_t *peak);

/* A file without a name that holds these bytes. */
int dd_import_memory_file(const void *bytes, size_t count);

#endif
