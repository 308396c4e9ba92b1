#ifndef TMK_TESTS_MPI_MADE_H
#define TMK_TESTS_MPI_MADE_H

#include "mpi/ranks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/engine.h"

/*
 * Two engines that keep what they are asked for, and fail on demand: one moves
 * data at once, the other has three transfers under way, which end in another
 * order than they began.
 */

enum call { OPEN, CLOSE, MOVE, FSYNC, EXPECT, BUFFERS, SUBMIT, REAP, CALLS };

enum { DEPTH = 3, MOVES_MAX = 100000, SHORT = 1 };

/* The n-th call of a kind (0: none; from then on if `on`) comes to `err`, which
 * may be SHORT: half of the bytes are moved. */
struct fault {
    enum call call;
    uint64_t n;
    bool on;
    int err;
};

struct move {
    uint64_t offset;
    size_t bytes;
    bool writing;
};

struct under_way {
    bool used;
    struct move move;
    unsigned char *buf;
};

struct tmk_engine {
    struct fault fault;
    uint64_t nap_us[CALLS]; /* each call takes so long */
    bool direct;            /* transfers are of whole blocks */
    bool *set_over;         /* is set when a file is opened; NULL = nothing */
    unsigned char *content; /* owned: what this rank has written */
    uint64_t file_bytes;
    struct move *moves; /* owned */
    size_t n_moves;
    uint64_t called[CALLS];
    int open_files;
    struct under_way under_way[DEPTH];
    unsigned n_under_way;
};

static inline void nap_us(uint64_t us)
{
    if (us != 0) {
        nanosleep(&(struct timespec){.tv_nsec = (long)us * 1000}, NULL);
    }
}

/* What the call comes to that is made now. */
static inline int turn(struct tmk_engine *e, enum call call)
{
    uint64_t n = ++e->called[call];

    nap_us(e->nap_us[call]);
    return call == e->fault.call && e->fault.n != 0 &&
                   (n == e->fault.n || (e->fault.on && n > e->fault.n))
               ? e->fault.err
               : 0;
}

static inline int made_open(struct tmk_engine *e, intptr_t *file)
{
    int err = turn(e, OPEN);

    if (e->set_over != NULL) {
        *e->set_over = true;
    }
    if (err == 0) {
        e->open_files++;
        *file = 17;
    }
    return err;
}

static inline int made_create(struct tmk_engine *e, const char *path,
                              mode_t mode, intptr_t *file)
{
    (void)path;
    (void)mode;
    return made_open(e, file);
}

static inline int made_open_there(struct tmk_engine *e, const char *path,
                                  enum tmk_engine_access access, intptr_t *file)
{
    (void)path;
    (void)access;
    return made_open(e, file);
}

static inline int made_close(struct tmk_engine *e, intptr_t file)
{
    assert_int_equal(file, 17);
    assert_int_equal(e->n_under_way, 0);
    e->open_files--;
    return turn(e, CLOSE);
}

static inline int64_t move(struct tmk_engine *e, bool writing,
                           unsigned char *buf, size_t bytes, uint64_t offset)
{
    int err = turn(e, MOVE);
    size_t part = err == SHORT ? bytes / 2 : bytes;

    assert_true(e->open_files == 1);
    assert_true(e->n_moves < MOVES_MAX);
    assert_true(offset < e->file_bytes && bytes <= e->file_bytes - offset);
    e->moves[e->n_moves++] = (struct move){offset, bytes, writing};
    if (err < 0) {
        return err;
    }
    if (writing) {
        memcpy(e->content + offset, buf, part);
    } else {
        memcpy(buf, e->content + offset, part);
    }
    return (int64_t)part;
}

static inline int64_t made_pwrite(struct tmk_engine *e, intptr_t file,
                                  const void *buf, size_t bytes,
                                  uint64_t offset)
{
    (void)file;
    return move(e, true, (unsigned char *)(uintptr_t)buf, bytes, offset);
}

static inline int64_t made_pread(struct tmk_engine *e, intptr_t file, void *buf,
                                 size_t bytes, uint64_t offset)
{
    (void)file;
    return move(e, false, buf, bytes, offset);
}

static inline int made_fsync(struct tmk_engine *e, intptr_t file)
{
    (void)file;
    return turn(e, FSYNC);
}

static inline int made_expect(struct tmk_engine *e,
                              const struct tmk_engine_transfers *transfers)
{
    (void)transfers;
    return turn(e, EXPECT);
}

static inline bool made_direct(const struct tmk_engine *e)
{
    return e->direct;
}

static inline unsigned made_depth(const struct tmk_engine *e)
{
    (void)e;
    return DEPTH;
}

static inline int made_buffers(struct tmk_engine *e, void *const *bufs,
                               unsigned n, size_t bytes)
{
    (void)bufs;
    (void)bytes;
    assert_int_equal(n, DEPTH);
    return turn(e, BUFFERS);
}

static inline int made_submit(struct tmk_engine *e, intptr_t file, bool writing,
                              unsigned slot, void *buf, size_t bytes,
                              uint64_t offset)
{
    int err = turn(e, SUBMIT);

    (void)file;
    assert_true(slot < DEPTH);
    assert_false(e->under_way[slot].used);
    if (err != 0) {
        return err;
    }
    e->under_way[slot] =
        (struct under_way){true, {offset, bytes, writing}, buf};
    e->n_under_way++;
    return 0;
}

/* In the middle, at the end, at the beginning of what is under way. */
static inline int made_reap(struct tmk_engine *e, unsigned *slot,
                            int64_t *result)
{
    int err = turn(e, REAP);
    unsigned at = (unsigned)(e->called[REAP] * 5 % DEPTH);
    struct under_way *u;

    assert_true(e->n_under_way > 0);
    if (err != 0) {
        e->n_under_way = 0; /* lost */
        return err;
    }
    while (!e->under_way[at].used) {
        at = (at + 1) % DEPTH;
    }
    u = &e->under_way[at];
    u->used = false;
    e->n_under_way--;
    *slot = at;
    *result = move(e, u->move.writing, u->buf, u->move.bytes, u->move.offset);
    return 0;
}

static const struct tmk_engine_ops made = {
    .name = "MADE",
    .create = made_create,
    .open = made_open_there,
    .close = made_close,
    .pwrite = made_pwrite,
    .pread = made_pread,
    .fsync = made_fsync,
    .expect = made_expect,
    .stores = true,
};

static const struct tmk_engine_ops made_queue = {
    .name = "QUEUE",
    .create = made_create,
    .open = made_open_there,
    .close = made_close,
    .pwrite = made_pwrite,
    .pread = made_pread,
    .depth = made_depth,
    .buffers = made_buffers,
    .submit = made_submit,
    .reap = made_reap,
    .fsync = made_fsync,
    .expect = made_expect,
    .direct = made_direct,
    .stores = true,
};

#endif
