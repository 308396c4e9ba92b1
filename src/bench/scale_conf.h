#ifndef TMK_BENCH_SCALE_CONF_H
#define TMK_BENCH_SCALE_CONF_H

#include <stddef.h>
#include <stdint.h>

#include "base/opt.h"
#include "bench/scale_plan.h"

enum { TMK_SCALE_VALUES_MAX = 64 };

/* --vary OPTION=a,b,c: borrowed from the command line. */
struct tmk_scale_vary {
    const char *option; /* "w" or "-w": as it was given, up to the '=' */
    size_t option_length;
    unsigned n; /* 0 = not given */
    const char *values[TMK_SCALE_VALUES_MAX];
    size_t lengths[TMK_SCALE_VALUES_MAX];
};

/* What was asked for: one field per option, in the order of the rows. */
struct tmk_scale_conf {
    struct tmk_scale_list nodes, ppn, ranks; /* n = 0: not given */
    int map;                                 /* enum tmk_scale_map */
    struct tmk_scale_vary vary;
    unsigned strong, weak;
    int repeat;
    double until_ci; /* 0.05 = 5 %; 0 = not given */
    int max_repeat;
    unsigned shuffle;
    int64_t shuffle_seed; /* 0 = not given */
    unsigned warmup;
    unsigned peak;
    uint64_t timeout_ns;            /* of a point; 0 = none */
    const char *resume;             /* NULL = not */
    const char *show;               /* files, with commas; NULL = not */
    const char *json, *csv, *label; /* NULL = none */
    unsigned dry_run, verbose;
};

/* The defaults. */
void tmk_scale_conf_init(struct tmk_scale_conf *conf);

/* One row per option. */
extern const struct tmk_opt tmk_scale_opts[];
extern const size_t tmk_scale_n_opts;

/* The value of --vary as an option of the benchmark: "-w=4096",
 * "--posix.odirect=1"; the caller's to free.  NULL: out of memory. */
char *tmk_scale_vary_word(const struct tmk_scale_vary *vary, unsigned nth);

/*
 * What goes together.  0, or -EINVAL with one line in `why`: "--strong, --weak:
 * one of the two".
 */
int tmk_scale_conf_check(const struct tmk_scale_conf *conf, char *why,
                         size_t why_size);

#endif
