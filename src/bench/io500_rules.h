#ifndef TMK_BENCH_IO500_RULES_H
#define TMK_BENCH_IO500_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "bench/io500_plan.h"

/* What a phase came to: numbers alone, the same on all ranks. */
struct tmk_io500_done {
    int status;      /* of the benchmark: 0, 1 failures, 2 refused, 128 + n
                        interrupted; negative errno: not even begun */
    double score;    /* GiB/s or kIOPS; 0 = none */
    double engine_s; /* the benchmark's own time of the phase */
    double wall_s;   /* of the whole call, on rank 0 */
    time_t started, ended;
    uint64_t operations, bytes;
    uint64_t failed;       /* operations */
    uint64_t wrong;        /* among these: data that was not what was written */
    bool limited;          /* it had a limit of time, */
    bool limit_hit;        /* and not all ranks had done all by then */
    bool full;             /* given up: the file system took no more */
    bool cut;              /* by --wearout-limit */
    double stonewall_s;    /* until ranks were stopped */
    double stonewall_rate; /* GiB/s or kIOPS when time was up */
    uint64_t pairs;        /* ior: transfers of a rank, after wearing out */
    double own_share;      /* of what was read or looked at: what the same node
                              wrote */
    bool caches_kept;      /* dropping caches before it failed */
    /* find */
    uint64_t found, total, nproc;
    uint64_t expected;     /* to be found; UINT64_MAX = not known */
    bool external;         /* a script of the user's */
    char last_output[256]; /* its last line */
    int script_status;
    /* mdworkbench */
    uint64_t per_set, per_round; /* objects of a process */
    uint64_t counts;             /* results it gave */
    double max_op_s;             /* the longest operation */
    double score_0, max_op_0_s;  /* of the first round of two */
};

/* Why a result is not what it looks like. */
struct tmk_io500_reason {
    const char *code; /* static: "TOO_SHORT" */
    char text[256];
    bool invalidates; /* the phase or run; otherwise it is only told */
};

enum { TMK_IO500_REASONS_MAX = 8 };

struct tmk_io500_reasons {
    struct tmk_io500_reason list[TMK_IO500_REASONS_MAX];
    size_t n;
};

/* Whether one of them invalidates. */
bool tmk_io500_reasons_invalidate(const struct tmk_io500_reasons *reasons);

/* Judge a phase that was run. */
void tmk_io500_rules_phase(const struct tmk_io500_conf *conf,
                           enum tmk_io500_phase phase,
                           const struct tmk_io500_done *done,
                           struct tmk_io500_reasons *reasons);

/* How a run was asked for. */
struct tmk_io500_run_rules {
    bool extended;
    bool resumed;       /* in more than one launch */
    bool wearout_limit; /* a limit of its own was asked for */
    const bool *wants;  /* of each phase, by the command line */
};

/* Judge what is asked for, whatever comes of it. */
void tmk_io500_rules_run(const struct tmk_io500_conf *conf,
                         const struct tmk_io500_run_rules *run,
                         struct tmk_io500_reasons *reasons);

#endif
