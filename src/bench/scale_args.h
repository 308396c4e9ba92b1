#ifndef TMK_BENCH_SCALE_ARGS_H
#define TMK_BENCH_SCALE_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

enum tmk_scale_benchmark {
    TMK_SCALE_MDTEST,
    TMK_SCALE_IOR,
    TMK_SCALE_FIND,
    TMK_SCALE_BENCHMARKS
};

/* The benchmark of a study: the words behind "--". */
struct tmk_scale_args {
    enum tmk_scale_benchmark benchmark;
    int argc;
    char *const *argv; /* borrowed; [0] is the benchmark's name */
    char path[1024];   /* where it works, cut if longer: the first of several */
    const char *engine;
    /* What --strong divides; 0 = not given. */
    uint64_t items, items_per_dir;        /* mdtest: -n, -I */
    uint64_t block_bytes, transfer_bytes; /* ior: -b, -t */
    int min_time_s;                       /* mdtest, which raises -n then */
    bool leaves; /* mdtest: items, which the next run would refuse to meet */
};

/* "mdtest" */
const char *tmk_scale_benchmark_name(enum tmk_scale_benchmark benchmark);

/*
 * Read the words.  0, -ENOMEM, or -EINVAL with one line in `why`: the benchmark
 * is not known, it refuses a word, or has an option that a study has itself
 * (-f of mdtest, --json, ...).
 */
int tmk_scale_args_read(struct tmk_scale_args *args, int argc,
                        char *const argv[],
                        const struct tmk_engine_ops *const *engines_mdtest,
                        const struct tmk_engine_ops *const *engines_ior,
                        char *why, size_t why_size);

/* The words of one point. */
struct tmk_scale_words {
    int argc;
    char **argv;    /* owned, with its strings; ended by NULL */
    char note[160]; /* how a total was rounded: "-n 100 over 3 ranks: 33 each,
                       1 less"; "" = it was not */
};

/*
 * Those of `args`, `vary` behind them (NULL = none), and, with `strong`, what a
 * rank has of the totals.  0 or -ENOMEM.  Release *words whatever comes.
 */
int tmk_scale_words_make(struct tmk_scale_words *words,
                         const struct tmk_scale_args *args, const char *vary,
                         bool strong, uint32_t ranks);

void tmk_scale_words_fini(struct tmk_scale_words *words);

#endif
