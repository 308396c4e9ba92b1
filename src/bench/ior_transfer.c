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

#include "bench/ior_run.h"
#include "run/clock.h"

enum { AGREE_EVERY = 64 }; /* collective transfers */

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
        tmk_ior_data_spoil(&run->data, slot);
    } else {
        run->data.owners[slot] = TMK_IOR_DATA_NOBODY;
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
        (err == 0 || run->plan->conf->collective != 0)) {
        int synced = run->ops->fsync(run->engine, run->file);

        err = err != 0 ? err : synced;
    }
    *end_ns = tmk_clock_ns();
    if (err == 0 && !writing && how->checks) {
        err = tmk_ior_data_check(&run->data, slot, owner_at(run, at), at);
        run->phase.wrong += err != 0;
    }
    return err;
}

/* Count it where it belongs. */
static void count(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                  bool writing, int err, uint64_t start_ns, uint64_t end_ns)
{
    struct tmk_phase *p =
        how->access == TMK_IOR_MIX && !writing ? &run->mixed : &run->phase;

    if (err == 0) {
        p->bytes += run->data.bytes;
    }
    if (p == &run->mixed) { /* not polled: the writes' phase is */
        p->poll_ns = UINT64_MAX;
    }
    tmk_phase_did_since(p, err, start_ns, end_ns);
    if (run->perop != NULL &&
        tmk_perop_record(run->perop, start_ns, end_ns, run->data.bytes)) {
        tmk_phase_skip(&run->phase);
    }
    if (p == &run->mixed) {
        tmk_phase_look(&run->phase);
        run->phase.over = run->phase.over || p->over;
    }
    if (err == -EBADMSG && run->plan->conf->quit_on_error) {
        run->phase.over = true;
        run->phase.ended = true;
    }
}

static void pause_ns(struct tmk_ior_run *run, uint64_t ns)
{
    if (ns != 0) {
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
        pause_ns(run, run->plan->conf->io_delay_ns);
        i++;
    } while (!tmk_phase_over(&run->phase) && i < end);
    return i;
}

/*
 * Several under way.
 */

/* The rest of a transfer that came short, one by one. */
static int64_t finish_short(struct tmk_ior_run *run, unsigned slot, int64_t n)
{
    const struct tmk_ior_slot *s = &run->slots[slot];
    const struct tmk_engine_ops *ops = run->ops;
    unsigned char *buf = run->data.bufs[slot];
    size_t done = n > 0 ? (size_t)n : 0;
    int64_t more = 0;

    if (n <= 0 || done == run->data.bytes ||
        run->plan->conf->single_attempt != 0) {
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

static uint64_t queued(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                       uint64_t i, uint64_t end)
{
    const struct tmk_engine_ops *ops = run->ops;
    struct tmk_phase *p = &run->phase;
    unsigned n_idle = run->depth;
    bool broken = false;

    for (unsigned k = 0; k < run->depth; k++) {
        run->idle[k] = k;
    }
    do {
        unsigned slot;
        int64_t n;

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
        if (ops->reap(run->engine, &slot, &n) != 0) {
            broken = true;
            break;
        }
        end_slot(run, how, slot, n);
        run->idle[n_idle++] = slot;
    } while (n_idle != run->depth || (i < end && !tmk_phase_over(p)));
    if (broken) { /* what was under way is lost */
        tmk_phase_fail(p, -EIO);
        p->over = true;
        p->ended = true;
    }
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

uint64_t tmk_ior_transfer_all(struct tmk_ior_run *run,
                              const struct tmk_ior_how *how, uint64_t from,
                              uint64_t end)
{
    struct tmk_phase *p = &run->phase;
    const uint64_t every =
        run->plan->conf->deadline_ns != 0 ? 1 : (uint64_t)AGREE_EVERY;

    for (uint64_t i = from; i < end; i++) {
        /* A rank that is over goes along until rank 0 is. */
        bool over;

        (void)watched(run, how, i, i + 1);
        if ((i + 1 - from) % every == 0) {
            over = tmk_phase_over(p);
            tmk_phase_bcast_all(p, &over, sizeof(over));
            if (over) {
                p->over = true;
                return i + 1;
            }
        }
    }
    return end;
}
