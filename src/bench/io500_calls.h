#ifndef TMK_BENCH_IO500_CALLS_H
#define TMK_BENCH_IO500_CALLS_H

#include <stdio.h>

#include "bench/io500_args.h"
#include "bench/io500_rules.h"
#include "engine/engine.h"
#include "run/job.h"
#include "run/result.h"

/* What the program around hands down.  All borrowed. */
struct tmk_io500_parts {
    const char *version;                         /* "0.1.0" */
    const char *version_git;                     /* "" = not known */
    const struct tmk_engine_ops *const *engines; /* NULL-terminated */
    const struct tmk_engine_ops *const *engines_mdtest;
};

/* What calls of one run have in common. */
struct tmk_io500_calls {
    struct tmk_job *job;
    const struct tmk_io500_parts *parts;
    const struct tmk_io500_site *site;
    /* Files that this rank made in mdtest-hard-write; UINT64_MAX = not known,
     * or it was not run. */
    uint64_t hard_files;
    uint64_t max_ns;                /* of a phase; 0 = no limit */
    uint64_t progress_ns;           /* between lines; 0 = none */
    struct tmk_job_course course;   /* of the phase */
    struct tmk_phase_result *phase; /* of the last call, as far as it was
                                       timed; borrowed */
    bool timed;                     /* it was */
    bool output_failed;             /* a file beside its text was not written;
                                       said */
};

/* What the suite wants of a job of one of its benchmarks. */
void tmk_io500_calls_ask(const struct tmk_io500_calls *calls,
                         struct tmk_job *sub);

/*
 * Run the benchmark of a phase with the words of its command.  Its output goes
 * to `out` of rank 0; *done is the same on every rank.  Collective over the
 * job.
 */
void tmk_io500_call_all(struct tmk_io500_calls *calls,
                        enum tmk_io500_phase phase,
                        const struct tmk_io500_args *args, FILE *out,
                        struct tmk_io500_done *done);

#endif
