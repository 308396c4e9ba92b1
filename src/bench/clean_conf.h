#ifndef TMK_BENCH_CLEAN_CONF_H
#define TMK_BENCH_CLEAN_CONF_H

#include <stddef.h>

#include "base/opt.h"

/* What was asked for: one field per option, in the order of the rows. */
struct tmk_clean_conf {
    unsigned dry_run;
    unsigned force;
};

/* One row per option; none takes a value, so that words are directories. */
extern const struct tmk_opt tmk_clean_opts[];
extern const size_t tmk_clean_n_opts;

#endif
