#ifndef TMK_RUN_SHELL_H
#define TMK_RUN_SHELL_H

/*
 * Run a command by /bin/sh -c, with no input, and wait for it.  Returns its
 * exit status, 128 + n if it died of signal n, or -errno if it could not be
 * started.  Not collective.
 */
int tmk_shell_run(const char *command);

#endif
