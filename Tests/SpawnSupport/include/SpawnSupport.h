#ifndef SPAWN_SUPPORT_H
#define SPAWN_SUPPORT_H

/* No feature macros here: they would make a second, different Glibc for Swift. */
#include <sys/types.h>

/*
 * Starts `path` in `folder`, where that is not NULL, with these three as its standard input, output and error, and every
 * other descriptor closed. Returns 0 or an errno value, as posix_spawn(3) does.
 */
int spawn_child(
    const char *path, char *const argv[], char *const envp[], const char *folder, const int standard[3], pid_t *pid);

#endif
