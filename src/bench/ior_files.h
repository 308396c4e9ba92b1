#ifndef TMK_BENCH_IOR_FILES_H
#define TMK_BENCH_IOR_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/ior_plan.h"
#include "engine/engine.h"
#include "run/job.h"

/*
 * The files of a test, outside of every clock: what is there before, what of it
 * may be written, sizes, removal.  The rule (DESIGN.md 5.5): what a benchmark
 * did not leave is not touched unless -E says so, and what was there before the
 * launch is never removed.
 *
 * A shared file is the business of rank 0, a file of a rank's own that rank's.
 */
struct tmk_ior_files {
    struct tmk_job *job;
    const struct tmk_ior_plan *plan;
    const struct tmk_engine_ops *ops;
    struct tmk_engine *engine;
    uint8_t *existed; /* owned; bits, for each name: it was there before */
    bool cares;       /* this rank looks after a file */
    bool wrote;       /* it may have been made or changed */
    bool there;       /* that of the repetition before has the same name */
    bool made_dir;    /* -u: this rank made its directory */
    uint64_t emptied; /* files of a benchmark that were cut to nothing */
};

/* 0 or -ENOMEM, on this rank. */
int tmk_ior_files_init(struct tmk_ior_files *files);
void tmk_ior_files_fini(struct tmk_ior_files *files);

/*
 * Before anything is opened: may the files be written, are those there that
 * will only be read, does the plan fit?  0, or -errno, said.  What is left of
 * an earlier run and will be emptied is warned of.  Collective.
 */
int tmk_ior_files_check_all(struct tmk_ior_files *files);

/*
 * Several nodes: whether all of them see what one makes.  Warned of, and an
 * error (said) where ranks touch files of another node.  Collective.
 */
int tmk_ior_files_probe_all(struct tmk_ior_files *files, const char **shared);

/* Before a repetition writes: directories of -u, the file of the repetition
 * before.  0, or -errno, said.  Collective. */
int tmk_ior_files_begin_all(struct tmk_ior_files *files, int repetition);

/* Bytes by stat() of all files together; false: nobody knows.  Collective. */
bool tmk_ior_files_size_all(struct tmk_ior_files *files, int repetition,
                            uint64_t *bytes);

/* The size of one file, that of `rank`; 0 if it cannot be told. */
uint64_t tmk_ior_files_size_of(struct tmk_ior_files *files, uint64_t rank,
                               int repetition);

/*
 * Remove what this launch made in a repetition, and empty again what was there.
 * *time_ns: on rank 0, between two barriers; *any: there was something to
 * remove.  0, or -errno of the first that failed on any rank.  Collective.
 */
int tmk_ior_files_remove_all(struct tmk_ior_files *files, int repetition,
                             uint64_t *time_ns, bool *any);

#endif
