#ifndef TMK_BENCH_IO500_ARGS_H
#define TMK_BENCH_IO500_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/io500_plan.h"

/* A run: where it works, and what its phases tell each other. */
struct tmk_io500_site {
    const struct tmk_io500_conf *conf;
    const char *datadir, *resultdir; /* with the timestamp, if it is wanted */
    const char *timestamp;
    uint64_t objects; /* of a process in mdworkbench, per set and per round */
};

/* The words of a command line: owned, NULL behind the last. */
struct tmk_io500_args {
    char **words;
    size_t n, space;
    bool failed; /* out of memory */
};

/*
 * The command of a phase, word by word as the suite's own (spec/io500.md B5),
 * into *args, which is released whatever the result.  None for the timestamp.
 * 0 or -ENOMEM.
 */
int tmk_io500_args_of(const struct tmk_io500_site *site,
                      enum tmk_io500_phase phase, struct tmk_io500_args *args);

void tmk_io500_args_fini(struct tmk_io500_args *args);

/* The words with a blank between them, as result.txt has them; NULL is out of
 * memory; the caller frees. */
char *tmk_io500_args_line(const struct tmk_io500_args *args);

/*
 * The objects of a process in mdworkbench: those of the configuration, or a
 * tenth of what the mdtest-easy of this run (kiops; 0 = not known, 10 is taken)
 * creates in the time of a write phase, a minute at most.
 */
uint64_t tmk_io500_objects(const struct tmk_io500_conf *conf, double kiops,
                           unsigned procs);

#endif
