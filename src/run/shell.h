#ifndef TMK_RUN_SHELL_H
#define TMK_RUN_SHELL_H

#include <spawn.h>

/*
 * Run a command by /bin/sh -c, with no input, and wait for it.  Returns its
 * exit status, 128 + n if it died of signal n, or -errno if it could not be
 * started.  Not collective.
 */
int tmk_shell_run(const char *command);

/*
 * As any shell starts a command: signals that we ignore are its own again; and
 * with no input.  Both are initialised and stay the caller's.  0 or -errno.
 */
int tmk_shell_prepare(posix_spawnattr_t *attr,
                      posix_spawn_file_actions_t *actions);

#endif
