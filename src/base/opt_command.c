/*
 * opt_command: something that is done, by a command if there is one.
 */
#include "base/opt_command.h"

#include <stdio.h>

int tmk_opt_command_parse(void *field, const char *text, const char **want)
{
    *want = "a command, or nothing";
    *(const char **)field = text != NULL ? text : "";
    return 0;
}

void tmk_opt_command_show(const void *field, char *buf, size_t size)
{
    const char *command = *(const char *const *)field;

    (void)snprintf(buf, size, "%s",
                   command == NULL      ? "off"
                   : command[0] == '\0' ? "on"
                                        : command);
}
