#ifndef DD_CLINUX_WATCH_H
#define DD_CLINUX_WATCH_H

/* No feature macros here: they would make a second, different Glibc for Swift. */
#include <sys/types.h>

/* O_PATH, see open(2): enough to walk through a folder that may not be listed. */
extern const int dd_watch_o_path;

/*
 * Starts `path` with `channel` as its standard input and output, /dev/null as its standard error, every other
 * descriptor closed, default signal actions, no blocked signals, and a process group of its own (so that Ctrl-C reaches
 * the drive only, which then stops it). Returns 0 or an errno value, as posix_spawn(3) does.
 */
int dd_watch_spawn(const char *path, char *const argv[], int channel, pid_t *pid);

/* pidfd_open(2); -1 with errno where the kernel lacks it (before 5.3). */
int dd_watch_pidfd_open(pid_t pid);

#endif
