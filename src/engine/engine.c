/*
 * Finding an engine by the name that -a gave.
 */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct tmk_engine_ops *
tmk_engine_find(const struct tmk_engine_ops *const *engines, const char *name)
{
    for (size_t i = 0; engines[i] != NULL; i++) {
        if (strcasecmp(engines[i]->name, name) == 0) {
            return engines[i];
        }
    }
    return NULL;
}

bool tmk_engine_is_set(const struct tmk_engine_ops *ops, const void *conf)
{
    /* Numbers and borrowed texts, alike at every start. */
    void *fresh = ops->conf_size != 0 ? calloc(1, ops->conf_size) : NULL;
    bool is_set;

    if (fresh == NULL) {
        return false;
    }
    if (ops->conf_init != NULL) {
        ops->conf_init(fresh);
    }
    is_set = memcmp(fresh, conf, ops->conf_size) != 0;
    free(fresh);
    return is_set;
}
