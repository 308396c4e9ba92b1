/*
 * ior_transfer: the measured loops.
 *
 * plain() is the whole of it where nothing but the transfer is to be done;
 * watched() is the same where something goes beside it; queued() keeps several
 * under way; tmk_ior_transfer_all() goes in step with all other ranks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/ior_run.h"
#include "run/clock.h"

/* Ranks that make transfers together agree after so many, or after each if that
 * takes longer. */
enum { AGREE_MOST = 64, AGREE_NS = 50000000 };

/* What came of a transfer: 0 or -errno; the detail of a failure is set. */
static int judge(struct tmk_ior_run *run, bool writing, uint64_t at, int64_t n)
{
    struct tmk_ior_data *data = &run->data;

    if (n == (int64_t)data->bytes) {
        return 0;
    }
    if (n < 0) {
        (void)snprintf(data->detail, sizeof(data->detail),
                       "transfer at offset %" PRIu64, at);
        return (int)n;
    }
    (void)snprintf(data->detail, sizeof(data->detail),
                   "transfer at offset %" PRIu64 " ended after %" PRId64
                   " of %zu bytes",
                   at, n, data->bytes);
    return writing ? -ENOSPC : -ENODATA;
}

/* The end of a transfer that one call did not bring about. */
static int finish(struct tmk_ior_run *run, bool writing, uint64_t at, int64_t n)
{
    if (run->ops->rest != NULL) {
        n = run->ops->rest(run->engine, run->file, writing, run->data.bufs[0],
                           run->data.bytes, at, n);
    }
    return judge(run, writing, at, n);
}

static inline uint64_t plain(struct tmk_ior_run *run, bool writing, uint64_t i,
                             uint64_t end)
{
    const struct tmk_engine_ops *ops = run->ops;
    int64_t (*write)(struct tmk_engine *, intptr_t, const void *, size_t,
                     uint64_t) =
        ops->rest != NULL ? ops->pwrite_once : ops->pwrite;
    int64_t (*read)(struct tmk_engine *, intptr_t, void *, size_t, uint64_t) =
        ops->rest != NULL ? ops->pread_once : ops->pread;
    struct tmk_phase *p = &run->phase;
    const size_t bytes = run->data.bytes;
    unsigned char *buf = run->data.bufs[0];

    do {
        uint64_t at = tmk_ior_cursor_next(&run->cursor);
        int64_t n = writing ? write(run->engine, run->file, buf, bytes, at)
                            : read(run->engine, run->file, buf, bytes, at);
        int err = 0;

        if (n != (int64_t)bytes) {
            err = finish(run, writing, at, n);
        }
        if (err == 0) {
            p->bytes += bytes;
        }
        tmk_phase_did(p, err);
        i++;
    } while (!tmk_phase_over(p) && i < end);
    return i;
}

/* The rank whose contents are at this place. */
static uint64_t owner_at(const struct tmk_ior_run *run, uint64_t at)
{
    return run->offsets.how.order == TMK_IOR_SEQUENTIAL ||
                   run->offsets.how.order == TMK_IOR_LEGACY
               ? run->source
               : tmk_ior_offsets_writer(&run->offsets, at);
}

/* Whether this is not the same rank everywhere. */
static bool many_owners(const struct tmk_ior_run *run)
{
    const struct tmk_ior_offsets_how *how = &run->offsets.how;

    return how->shared && how->ranks > 1 &&
           (how->order == TMK_IOR_BLOCKS || how->order == TMK_IOR_SHUFFLED);
}

/* Whether transfer number i of a mixed phase is a read: P of every 100, spread
 * evenly. */
static bool mix_reads(const struct tmk_ior_run *run, uint64_t i)
{
    const uint64_t percent = (uint64_t)run->plan->conf->rwmix;
    const uint64_t k = i % 100;

    return (k + 1) * percent / 100 != k * percent / 100;
}

static bool is_write(const struct tmk_ior_run *run,
                     const struct tmk_ior_how *how, uint64_t i)
{
    return how->access == TMK_IOR_MIX ? !mix_reads(run, i)
                                      : how->access == TMK_IOR_WRITE;
}

/* Make a buffer ready. */
static void prepare(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                    bool writing, unsigned slot, uint64_t at)
{
    if (writing) {
        tmk_ior_data_fill(&run->data, slot, owner_at(run, at), at);
    } else if (how->checks) {
        tmk_ior_data_spoil(&run->data, slot, owner_at(run, at), at);
    } else {
        run->data.owners[slot] = TMK_IOR_DATA_NOBODY;
    }
}

/* One more transfer with wrong data, of which data.detail tells. */
static void note_wrong(struct tmk_ior_run *run)
{
    run->phase.wrong++;
    if (run->n_wrong < TMK_IOR_WRONG_MAX) {
        memcpy(run->wrong[run->n_wrong++], run->data.detail,
               sizeof(run->data.detail));
    }
}

/*
 * The end of a transfer: its sync (-Y), which is a part of it, and the check,
 * which is not.  *end_ns is its end.
 */
static int complete(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                    bool writing, unsigned slot, uint64_t at, int64_t n,
                    uint64_t *end_ns)
{
    int err = judge(run, writing, at, n);

    if (writing && run->plan->conf->fsync_per_write != 0 &&
        (err == 0 || run->in_step)) {
        int synced = run->ops->fsync(run->engine, run->file);

        if (err == 0 && synced != 0) {
            (void)snprintf(run->data.detail, sizeof(run->data.detail),
                           "fsync after the transfer at offset %" PRIu64, at);
        }
        err = err != 0 ? err : synced;
    }
    *end_ns = tmk_clock_ns();
    if (err == 0 && !writing && how->checks) {
        err = tmk_ior_data_check(&run->data, slot, owner_at(run, at), at);
        if (err != 0) {
            note_wrong(run);
        }
    }
    return err;
}

static void count(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                  bool writing, int err, uint64_t start_ns, uint64_t end_ns)
{
    struct tmk_phase *p = &run->phase;

    if (err == 0) {
        p->bytes += run->data.bytes;
    }
    if (how->access == TMK_IOR_MIX) {
        tmk_ior_mix_count(run->mix, writing, err, run->data.bytes,
                          end_ns - start_ns);
    }
    tmk_phase_did_since(p, err, start_ns, end_ns);
    if (run->perop != NULL &&
        tmk_perop_record(run->perop, start_ns, end_ns, run->data.bytes)) {
        tmk_phase_skip(p);
    }
    if (err == -EBADMSG && run->plan->conf->quit_on_error) {
        p->over = true;
        p->ended = true;
    }
}

/* interIODelay: after each transfer that counts. */
static void pause_after(struct tmk_ior_run *run, const struct tmk_ior_how *how)
{
    const uint64_t ns = run->plan->conf->io_delay_ns;

    if (ns != 0 && how->timed) {
        tmk_job_sleep(ns);
        tmk_phase_skip(&run->phase);
    }
}

static uint64_t watched(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                        uint64_t i, uint64_t end)
{
    const struct tmk_engine_ops *ops = run->ops;
    const size_t bytes = run->data.bytes;

    do {
        const bool writing = is_write(run, how, i);
        uint64_t at = tmk_ior_cursor_next(&run->cursor);
        unsigned char *buf = run->data.bufs[0];
        uint64_t start_ns;
        uint64_t end_ns;
        int64_t n;
        int err;

        prepare(run, how, writing, 0, at);
        tmk_phase_resume(&run->phase);
        start_ns = run->phase.last_ns;
        n = writing ? ops->pwrite(run->engine, run->file, buf, bytes, at)
                    : ops->pread(run->engine, run->file, buf, bytes, at);
        err = complete(run, how, writing, 0, at, n, &end_ns);
        count(run, how, writing, err, start_ns, end_ns);
        pause_after(run, how);
        i++;
    } while (!tmk_phase_over(&run->phase) && i < end);
    return i;
}

/*
 * Several under way.
 */

/* Whether to try for the rest after a part, which with O_DIRECT must be of
 * whole blocks: it is short, where the system would call it invalid. */
static bool goes_on(const struct tmk_ior_run *run, size_t done)
{
    enum { LEAST_BLOCK = 512 };
    const struct tmk_engine_ops *ops = run->ops;

    return run->plan->conf->single_attempt == 0 &&
           (done % LEAST_BLOCK == 0 || ops->direct == NULL ||
            !ops->direct(run->engine));
}

/* The rest of a transfer that came short, one by one. */
static int64_t finish_short(struct tmk_ior_run *run, unsigned slot, int64_t n)
{
    const struct tmk_ior_slot *s = &run->slots[slot];
    const struct tmk_engine_ops *ops = run->ops;
    unsigned char *buf = run->data.bufs[slot];
    size_t done = n > 0 ? (size_t)n : 0;
    int64_t more = 0;

    if (n <= 0 || done == run->data.bytes || !goes_on(run, done)) {
        return n;
    }
    if (s->writing) {
        more = ops->pwrite(run->engine, run->file, buf + done,
                           run->data.bytes - done, s->at + done);
    } else {
        more = ops->pread(run->engine, run->file, buf + done,
                          run->data.bytes - done, s->at + done);
    }
    return more < 0 ? more : n + more;
}

static void end_slot(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                     unsigned slot, int64_t n)
{
    const struct tmk_ior_slot *s = &run->slots[slot];
    uint64_t end_ns;
    int err;

    n = finish_short(run, slot, n);
    err = complete(run, how, s->writing, slot, s->at, n, &end_ns);
    count(run, how, s->writing, err, s->start_ns, end_ns);
}

/* The queue is broken, and what was under way is lost. */
static void lose(struct tmk_ior_run *run, int err, unsigned n)
{
    struct tmk_phase *p = &run->phase;

    (void)snprintf(run->data.detail, sizeof(run->data.detail),
                   "%u transfers were under way", n);
    for (unsigned i = 0; i < n; i++) {
        tmk_phase_fail(p, err);
    }
    p->over = true;
    p->ended = true;
}

static uint64_t queued(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                       uint64_t i, uint64_t end)
{
    const struct tmk_engine_ops *ops = run->ops;
    struct tmk_phase *p = &run->phase;
    unsigned n_idle = run->depth;

    for (unsigned k = 0; k < run->depth; k++) {
        run->idle[k] = k;
    }
    do {
        unsigned slot;
        int64_t n;
        int broken;

        while (n_idle != 0 && i < end && !tmk_phase_over(p)) {
            struct tmk_ior_slot *s;
            int err;

            slot = run->idle[--n_idle];
            s = &run->slots[slot];
            s->at = tmk_ior_cursor_next(&run->cursor);
            s->writing = is_write(run, how, i++);
            prepare(run, how, s->writing, slot, s->at);
            s->start_ns = tmk_clock_ns();
            err = ops->submit(run->engine, run->file, s->writing, slot,
                              run->data.bufs[slot], run->data.bytes, s->at);
            if (err != 0) {
                end_slot(run, how, slot, err);
                run->idle[n_idle++] = slot;
            }
        }
        if (n_idle == run->depth) {
            continue;
        }
        broken = ops->reap(run->engine, &slot, &n);
        if (broken != 0) {
            lose(run, broken, run->depth - n_idle);
            break;
        }
        end_slot(run, how, slot, n);
        run->idle[n_idle++] = slot;
        pause_after(run, how);
    } while (n_idle != run->depth || (i < end && !tmk_phase_over(p)));
    return i;
}

uint64_t tmk_ior_transfer(struct tmk_ior_run *run,
                          const struct tmk_ior_how *how, uint64_t from,
                          uint64_t end)
{
    const struct tmk_ior_conf *conf = run->plan->conf;
    const bool writing = how->access == TMK_IOR_WRITE;
    const bool data_changes = writing && (run->data.fills || many_owners(run) ||
                                          owner_at(run, 0) != run->source);

    if (from >= end) {
        return from;
    }
    if (run->depth != 0) {
        return queued(run, how, from, end);
    }
    if (how->access == TMK_IOR_MIX || how->checks || data_changes ||
        run->perop != NULL || conf->io_delay_ns != 0 ||
        (writing && conf->fsync_per_write != 0)) {
        return watched(run, how, from, end);
    }
    if (writing) {
        tmk_ior_data_fill(&run->data, 0, run->source, 0);
        tmk_phase_skip(&run->phase);
        return plain(run, true, from, end);
    }
    run->data.owners[0] = TMK_IOR_DATA_NOBODY;
    return plain(run, false, from, end);
}

/*
 * Whether all go on: not if rank 0 has come to the stonewall, or any rank to
 * its end.  They ask again after `*every` more transfers: soon if a rank was
 * slow, or met an error, of which the next may be the last; else the less often
 * the longer it goes, not to slow down what is quick.  Collective.
 */
static bool agree_all(struct tmk_ior_run *run, uint64_t took_ns,
                      uint64_t *every)
{
    enum { OVER, ENDED, SOON, WORDS };
    struct tmk_phase *p = &run->phase;
    uint64_t any[WORDS] = {
        [OVER] = run->job->rank == 0 ? tmk_phase_over(p) : p->ended,
        [ENDED] = p->ended,
        [SOON] = run->plan->conf->deadline_ns != 0 || took_ns > AGREE_NS ||
                 p->failed != 0,
    };

    tmk_phase_max_all(p, any, WORDS);
    if (any[SOON] != 0) {
        *every = 1;
    } else if (*every < AGREE_MOST) {
        *every *= 2;
    }
    p->over = p->over || any[OVER] != 0;
    p->ended = p->ended || any[ENDED] != 0;
    return any[OVER] == 0;
}

uint64_t tmk_ior_transfer_all(struct tmk_ior_run *run,
                              const struct tmk_ior_how *how, uint64_t from,
                              uint64_t end)
{
    const uint64_t own = end > from ? end - from : 0;
    uint64_t most = own; /* shares of ranks may differ, under LEGACY */
    uint64_t agree_at = 1;
    uint64_t every = 1;
    uint64_t agreed_ns;

    tmk_wait_max_poll_all(&run->job->wait, &most, 1, NULL, NULL);
    tmk_phase_skip(&run->phase);
    agreed_ns = run->phase.last_ns;
    for (uint64_t i = 0; i < most; i++) {
        /* A rank that is over, or through, goes along until all know. */
        if (i < own) {
            (void)watched(run, how, from + i, from + i + 1);
        }
        if (i + 1 == agree_at) {
            bool goes_on =
                agree_all(run, run->phase.last_ns - agreed_ns, &every);

            agreed_ns = run->phase.last_ns;
            if (!goes_on) {
                return from + (i < own ? i + 1 : own);
            }
            agree_at += every;
        }
    }
    return from + own;
}
