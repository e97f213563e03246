#define _GNU_SOURCE
#include "SpawnSupport.h"

#include <signal.h>
#include <spawn.h>

int spawn_child(
    const char *path, char *const argv[], char *const envp[], const char *folder, const int standard[3], pid_t *pid) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    for (int number = 0; number < 3 && !error; number++)
        error = posix_spawn_file_actions_adddup2(&actions, standard[number], number);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!error && folder) error = posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawnattr_t attributes;
    if (!error) error = posix_spawnattr_init(&attributes);
    if (!error) {
        /* What runs the tests may ignore some, and a child would as well. */
        sigset_t signals;
        sigfillset(&signals);
        error = posix_spawnattr_setsigdefault(&attributes, &signals);
        if (!error) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        if (!error) error = posix_spawn(pid, path, &actions, &attributes, argv, envp);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}
