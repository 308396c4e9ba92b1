#ifndef TMK_BENCH_FIND_CONF_H
#define TMK_BENCH_FIND_CONF_H

#include <stddef.h>
#include <stdint.h>

#include "base/opt.h"
#include "base/opt_time.h"

/* Options beside the expression: one field each, in the order of the rows. */
struct tmk_find_conf {
    const char *json, *csv; /* files of results; NULL = none */
    const char *label;      /* of the run in them; NULL = none */
    unsigned stats;         /* say what was done, at the end */
    unsigned percentiles;
    unsigned count;          /* print no names */
    const char *results_dir; /* NULL = none */
    uint64_t stonewall_ns;   /* 0 = none */
    unsigned lazy_stat;
    struct tmk_opt_progress progress;
    uint64_t interval_ns; /* of --interval; 0 = none */
    int uring_depth;      /* stats at a time; 0 = one, -1 = as the file system
                             suggests */
};

enum { TMK_FIND_URING_MOST = 1024 };

/* The defaults. */
void tmk_find_conf_init(struct tmk_find_conf *conf);

/* One row per option. */
extern const struct tmk_opt tmk_find_opts[];
extern const size_t tmk_find_n_opts;

/*
 * The options at argv[0]: how many of the argc words they take, 0 if argv[0] is
 * none of the rows, or -EINVAL with the reason in `why`.
 */
int tmk_find_conf_take(struct tmk_find_conf *conf, int argc, char *const *argv,
                       char *why, size_t size);

#endif
