#define _GNU_SOURCE
#include "SpawnSupport.h"

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
    if (!error) error = posix_spawn(pid, path, &actions, NULL, argv, envp);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}
