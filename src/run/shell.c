/*
 * shell: commands of the user's.
 */
#include "run/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

int tmk_shell_prepare(posix_spawnattr_t *attr,
                      posix_spawn_file_actions_t *actions)
{
    sigset_t own;
    int err;

    sigemptyset(&own);
    sigaddset(&own, SIGPIPE);
    sigaddset(&own, SIGXFSZ);
    sigaddset(&own, SIGUSR1);
    err = posix_spawnattr_setsigdefault(attr, &own);
    if (err == 0) {
        err = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGDEF);
    }
    if (err == 0) {
        err = posix_spawn_file_actions_addopen(actions, STDIN_FILENO,
                                               "/dev/null", O_RDONLY, 0);
    }
    return -err;
}

static int start(const char *command, pid_t *pid)
{
    char *const argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char *)command,
                          NULL};
    posix_spawnattr_t attr;
    posix_spawn_file_actions_t actions;
    int err = -posix_spawnattr_init(&attr);

    if (err != 0) {
        return err;
    }
    err = -posix_spawn_file_actions_init(&actions);
    if (err == 0) {
        err = tmk_shell_prepare(&attr, &actions);
        if (err == 0) {
            err = -posix_spawn(pid, "/bin/sh", &actions, &attr, argv, environ);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attr);
    return err;
}

int tmk_shell_run(const char *command)
{
    pid_t pid = 0;
    int status = 0;
    int err = start(command, &pid);

    if (err != 0) {
        return err;
    }
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return -errno;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
