#ifndef TMK_RUN_PEROP_H
#define TMK_RUN_PEROP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The time of every operation of this rank, a file of comma-separated values
 * for each phase:
 *
 *     tmk_perop_open(po, &how, names, n)        before the first phase
 *     on = tmk_perop_begin(po, name, tasks, iteration, &phase.t0_ns, planned)
 *     tmk_phase_begin_all(&phase, ...)
 *         operation, tmk_perop_record(po, start_ns, end_ns, bytes), ...
 *     tmk_phase_end_all(&phase, ...)
 *     tmk_perop_end(po)
 *     tmk_perop_close(po)                       after the last phase
 *
 * Operations are kept in memory during the phase and written after it, but
 * for every full buffer of TMK_PEROP_ROWS_MAX.
 *
 * The business of one rank; nothing here is collective.
 */
enum {
    TMK_PEROP_ROWS_MAX = 1048576,
    TMK_PEROP_PHASES_MAX = 16,
    TMK_PEROP_PATH_SIZE = 4096
};

struct tmk_perop_how {
    const char *prefix; /* borrowed */
    int rank;
    /* The form of mdtest 4.1: blanks in names of files, three columns, and
     * only the last time that a phase was run. */
    bool original;
};

struct tmk_perop_row {
    uint64_t start_ns; /* tmk_clock_ns() */
    uint64_t took_ns;
    uint64_t bytes;
};

/* A phase, and its file. */
struct tmk_perop_file {
    const char *name;    /* static: "File creation" */
    bool created;        /* by tmk_perop_open() */
    bool begun;          /* something was written to it */
    uint64_t flushed_ns; /* see tmk_perop_flushed() */
};

/* All zero: not open; every function is fine with that. */
struct tmk_perop {
    /* what every operation touches */
    struct tmk_perop_row *rows; /* owned */
    size_t n, capacity;         /* capacity 0: nothing is recorded */
    /* the rest */
    size_t allocated;
    struct tmk_perop_how how;
    struct tmk_perop_file files[TMK_PEROP_PHASES_MAX];
    size_t n_files;
    struct tmk_perop_file *at; /* the phase that is recorded; or NULL */
    FILE *to;
    const uint64_t *t0_ns;
    int tasks, iteration;
    uint64_t flushing_ns; /* spent on writing, so far in this phase */
    int err;              /* the first; 0 = none */
};

/*
 * See that the files of these `n` phases can be written; what is in them is
 * not touched yet.  `names` are static.  0 or -errno.
 */
int tmk_perop_open(struct tmk_perop *po, const struct tmk_perop_how *how,
                   const char *const *names, size_t n);

/*
 * Before a phase that has about `planned` operations on this rank: allocate,
 * open.  `*t0_ns` is the begin of the phase, read when something is written,
 * which is in the phase at the earliest.  Returns whether anything will be
 * recorded: not if the phase was not among `names`, or on an error, which is
 * kept for tmk_perop_close().
 */
bool tmk_perop_begin(struct tmk_perop *po, const char *name, int tasks,
                     int iteration, const uint64_t *t0_ns, uint64_t planned);

/* The slow half of tmk_perop_record(): make room.  False: there is none. */
bool tmk_perop_flush(struct tmk_perop *po);

/*
 * An operation, by tmk_clock_ns(), and the bytes that it transferred.  Returns
 * whether that took long: the buffer was full and was written, and the caller
 * should read the clock again before it times another operation.
 */
static inline bool tmk_perop_record(struct tmk_perop *po, uint64_t start_ns,
                                    uint64_t end_ns, uint64_t bytes)
{
    bool full = po->n == po->capacity;

    if (full && !tmk_perop_flush(po)) {
        return false;
    }
    po->rows[po->n++] =
        (struct tmk_perop_row){start_ns, end_ns - start_ns, bytes};
    return full;
}

/* After the phase: write. */
void tmk_perop_end(struct tmk_perop *po);

/*
 * The longest time, in one run of phase number `i` (as in `names`) since this
 * was last asked, that was spent on writing inside of the phase.
 */
uint64_t tmk_perop_flushed(struct tmk_perop *po, size_t i);

/*
 * Release.  If no phase was recorded, the files are again as they were;
 * otherwise those of phases that were never begun are removed.  Returns the
 * first error since tmk_perop_open(), 0 or -errno.
 */
int tmk_perop_close(struct tmk_perop *po);

#endif
