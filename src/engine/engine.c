/*
 * Finding an engine by the name that -a gave.
 */
#include "engine/engine.h"

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
