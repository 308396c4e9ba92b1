#ifndef TMK_BENCH_IO500_LEFT_H
#define TMK_BENCH_IO500_LEFT_H

#include <stdbool.h>

#include "bench/io500_rules.h"

/* What has been seen of a run so far. */
struct tmk_io500_seen {
    const bool *wanted, *over; /* of each phase */
    const struct tmk_io500_done *done;
};

/*
 * About how many seconds the phases behind `phase` will take that are wanted
 * and not over: a write phase its time, others as long as that of what they
 * read or remove.
 */
double tmk_io500_left_s(const struct tmk_io500_conf *conf,
                        const struct tmk_io500_seen *seen,
                        enum tmk_io500_phase phase);

/* The number of `phase` among those that are wanted, from 1 on, and of all. */
unsigned tmk_io500_left_step(const bool *wanted, enum tmk_io500_phase phase);
unsigned tmk_io500_left_steps(const bool *wanted);

#endif
