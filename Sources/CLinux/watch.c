#define _GNU_SOURCE
#include "CLinuxWatch.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

const int dd_watch_o_path = O_PATH;

static int prepare(posix_spawnattr_t *attributes, posix_spawn_file_actions_t *actions, int channel) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error)
        error = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, channel, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, channel, 1);
    if (!error) error = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    return error;
}

int dd_watch_spawn(const char *path, char *const argv[], int channel, pid_t *pid) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int error = posix_spawnattr_init(&attributes);
    if (error) return error;
    error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = prepare(&attributes, &actions, channel);
        if (!error) error = posix_spawn(pid, path, &actions, &attributes, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return error;
}

int dd_watch_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
