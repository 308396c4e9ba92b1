/*
 * opt_leftovers: the choices of --leftovers.
 */
#include "base/opt_leftovers.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

const char *const tmk_opt_leftovers_choices[] = {
    [TMK_LEFTOVERS_REFUSE] = "refuse",
    [TMK_LEFTOVERS_CLEAN] = "clean",
    [TMK_LEFTOVERS_REUSE] = "reuse",
    NULL,
};

int tmk_opt_leftovers_find(const char *name)
{
    for (int i = 0; tmk_opt_leftovers_choices[i] != NULL; i++) {
        if (strcmp(tmk_opt_leftovers_choices[i], name) == 0) {
            return i;
        }
    }
    return -EINVAL;
}
