#ifndef TMK_BENCH_IO500_PLAN_H
#define TMK_BENCH_IO500_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/io500_conf.h"

/* The phases in the order in which they are run. */
enum tmk_io500_phase {
    TMK_IO500_P_IOR_EASY_WRITE,
    TMK_IO500_P_MDTEST_EASY_WRITE,
    TMK_IO500_P_MDWORKBENCH_CREATE,
    TMK_IO500_P_TIMESTAMP,
    TMK_IO500_P_FIND_EASY,
    TMK_IO500_P_IOR_HARD_WRITE,
    TMK_IO500_P_MDTEST_HARD_WRITE,
    TMK_IO500_P_FIND,
    TMK_IO500_P_FIND_HARD,
    TMK_IO500_P_MDWORKBENCH_BENCH,
    TMK_IO500_P_IOR_EASY_READ,
    TMK_IO500_P_MDTEST_EASY_STAT,
    TMK_IO500_P_IOR_HARD_READ,
    TMK_IO500_P_MDTEST_HARD_STAT,
    TMK_IO500_P_MDWORKBENCH_DELETE,
    TMK_IO500_P_MDTEST_EASY_DELETE,
    TMK_IO500_P_MDTEST_HARD_READ,
    TMK_IO500_P_MDTEST_HARD_DELETE,
    TMK_IO500_P_IOR_RND4K_EASY_READ,
    TMK_IO500_PHASES,
};

enum tmk_io500_benchmark {
    TMK_IO500_IOR,
    TMK_IO500_MDTEST,
    TMK_IO500_MDWB,
    TMK_IO500_PFIND,
    TMK_IO500_STAMP, /* a file, and its time */
};

/* The means of a run. */
enum tmk_io500_group {
    TMK_IO500_UNSCORED,
    TMK_IO500_BW,
    TMK_IO500_MD,
};

struct tmk_io500_phase_row {
    enum tmk_io500_section section; /* its own, which also names it */
    enum tmk_io500_section family;  /* whose keys it shares */
    enum tmk_io500_benchmark benchmark;
    enum tmk_io500_group group;
    bool writes; /* it must take the least time of a write phase */
    bool removes;
};

extern const struct tmk_io500_phase_row tmk_io500_phase_rows[TMK_IO500_PHASES];

/* "ior-easy-write"; borrowed. */
const char *tmk_io500_phase_name(enum tmk_io500_phase phase);

/* Whether only the extended mode has it. */
bool tmk_io500_phase_is_optional(enum tmk_io500_phase phase);

/* "GiB/s" or "kIOPS". */
const char *tmk_io500_phase_unit(enum tmk_io500_phase phase);

/* By its name, of any case; TMK_IO500_PHASES if there is none. */
enum tmk_io500_phase tmk_io500_phase_find(const char *name, size_t length);

/* Whether the configuration and the mode want the phase. */
bool tmk_io500_phase_runs(const struct tmk_io500_conf *conf,
                          enum tmk_io500_phase phase, bool extended);

/* The API and its options, "POSIX --posix.odirect": the phase's, the family's
 * or that of all; borrowed. */
const char *tmk_io500_phase_api(const struct tmk_io500_conf *conf,
                                enum tmk_io500_phase phase);

/* Of ior-hard: collective calls; the phase's word or the family's. */
bool tmk_io500_phase_is_collective(const struct tmk_io500_conf *conf,
                                   enum tmk_io500_phase phase);

/* Seconds that a write phase of a valid run takes: 300, or 30 by the rules of
 * the Student Cluster Competition. */
unsigned tmk_io500_least_s(const struct tmk_io500_conf *conf);

/* Seconds of a write phase of this one. */
int64_t tmk_io500_stonewall_s(const struct tmk_io500_conf *conf);

#endif
