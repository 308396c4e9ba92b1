#ifndef TMK_BASE_OPT_COMMAND_H
#define TMK_BASE_OPT_COMMAND_H

#include <stddef.h>

/*
 * --drop-caches, --drop-caches=COMMAND: `parse` and `show` of a row that says
 * value_optional.  The field is a const char *: NULL = not given, "" = without
 * a command.
 */
int tmk_opt_command_parse(void *field, const char *text, const char **want);
void tmk_opt_command_show(const void *field, char *buf, size_t size);

#endif
