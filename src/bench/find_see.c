/*
 * find_see: entries, from the kernel's buffer to the actions.
 */
#include "bench/find_see.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "bench/find_items.h"
#include "bench/find_output.h"
#include "engine/statx_ring.h"
#include "run/clock.h"

enum { UNITS = 64 }; /* of work between two polls */

/*
 * Polling.
 */

bool tmk_find_see_breathe(struct tmk_find_walk *w)
{
    uint64_t now_ns;

    if (w->units < UNITS) {
        return !w->expired;
    }
    w->units = 0;
    now_ns = tmk_clock_coarse_ns();
    w->slow = now_ns != w->tick_ns;
    w->tick_ns = now_ns;
    if (now_ns >= w->deadline_ns) {
        w->expired = true;
        tmk_queue_stop(w->queue);
    }
    tmk_find_output_look(w->output, w->queue, now_ns);
    tmk_find_walk_look(w);
    if (!tmk_queue_poll(w->queue)) {
        w->expired = true;
    }
    return !w->expired;
}

/*
 * Entries.
 */

const char *tmk_find_path(struct tmk_find_walk *w,
                          struct tmk_match_entry *entry)
{
    if (entry->path == NULL) {
        memcpy(w->path + w->prefix, entry->name, entry->name_length + 1);
        entry->path = w->path;
        entry->path_length = w->prefix + entry->name_length;
    }
    return entry->path;
}

void tmk_find_failed(struct tmk_find_walk *w, int err, const char *path)
{
    int number = err < 0 && -err < TMK_ERRNUM_SLOTS ? -err : 0;

    w->sums[TMK_FIND_FAILED]++;
    w->sums[TMK_FIND_ERRNO + number]++;
    tmk_find_output_say(w->output, strerror(-err), path, w->said++);
}

/* An entry that could not be looked at. */
static void miss(struct tmk_find_walk *w, struct tmk_match_entry *e, int err)
{
    if (err != -ENOENT || !w->match->ignore_race || e->depth == 0) {
        tmk_find_failed(w, err, tmk_find_path(w, e));
    }
}

/* Bits of enum tmk_match_outcome; 0 also where the entry is gone. */
unsigned tmk_find_see_last(struct tmk_find_walk *w, struct tmk_match_entry *e)
{
    const struct tmk_match *match = w->match;
    enum tmk_match_answer answer;
    uint32_t missing;
    unsigned outcome;

    if (match->path_in_tests) {
        (void)tmk_find_path(w, e);
    }
    answer = tmk_match_ahead(match, e, &missing);
    while (answer == TMK_MATCH_NEEDS && (missing & TMK_MATCH_STATX) != 0) {
        int err =
            tmk_find_stat(w, e, missing | (match->needs & TMK_MATCH_STATX));

        if (err != 0) {
            miss(w, e, err);
            return TMK_MATCH_PRUNE;
        }
        answer = tmk_match_ahead(match, e, &missing);
    }
    if (answer == TMK_MATCH_NO) {
        return 0;
    }
    (void)tmk_find_path(w, e);
    outcome = tmk_match_run(match, e, w->calls, w);
    w->sums[TMK_FIND_MATCHES] += (outcome & TMK_MATCH_ACTED) != 0;
    if ((outcome & TMK_MATCH_QUIT) != 0) {
        w->expired = true;
        tmk_queue_stop(w->queue);
    }
    return outcome;
}

/* The directory of an entry is to be read. */
static void enter(struct tmk_find_walk *w, struct tmk_match_entry *e)
{
    struct tmk_find_head head = {
        .start = w->start,
        .depth = e->depth,
        .owner = TMK_FIND_NOBODY,
        .kind = TMK_FIND_DIR,
    };
    int err;

    if (w->match->contents_first && e->depth > 0) {
        head.owner = w->job->rank;
        head.above = w->record;
    }
    err = tmk_find_items_push(w, &head, tmk_find_path(w, e), NULL, 0);
    if (err != 0) {
        tmk_find_failed(w, err, e->path);
    } else if (head.owner != TMK_FIND_NOBODY) {
        tmk_find_items_more(w, w->record);
    }
}

/* With -L: whether an entry is one of the directories that it is in. */
static bool is_loop(const struct tmk_find_walk *w,
                    const struct tmk_match_entry *e)
{
    uint64_t dev = e->dev;

    if (w->n_chain == 0) {
        return false;
    }
    if ((e->have & TMK_MATCH_STATX) == 0) { /* on the device it is in */
        dev = w->chain[w->n_chain - 2];
    }
    for (size_t i = 0; i + 1 < w->n_chain; i += 2) {
        if (w->chain[i] == dev && w->chain[i + 1] == e->inode) {
            return true;
        }
    }
    return false;
}

/* Look at an entry whose type is known, and see to what is below it. */
static void see_known(struct tmk_find_walk *w, struct tmk_match_entry *e)
{
    const struct tmk_match *match = w->match;
    unsigned outcome = 0;
    bool enters = e->type == TMK_MATCH_DIR && e->depth < match->depth_most;

    if (e->type == TMK_MATCH_DIR && is_loop(w, e)) {
        tmk_find_failed(w, -ELOOP, tmk_find_path(w, e));
        return;
    }
    w->sums[TMK_FIND_FILES] += e->type != TMK_MATCH_DIR;
    if (e->depth >= match->depth_least && !(match->contents_first && enters)) {
        outcome = tmk_find_see_last(w, e);
    }
    if (enters && !w->expired &&
        (match->contents_first || (outcome & TMK_MATCH_PRUNE) == 0)) {
        enter(w, e);
    }
}

/* What a stat under way is of. */
struct tmk_find_deferred {
    struct tmk_match_entry entry;
    uint32_t mask;
    struct tmk_find_deferred *next; /* if it waits for nothing */
    char name[256];
};

/* Finish stats until so many can be begun. */
static void make_room(struct tmk_find_walk *w, unsigned room)
{
    while (tmk_statx_ring_room(w->ring) < room) {
        struct tmk_statx_result result;
        struct tmk_find_deferred *d;
        int err = tmk_statx_ring_reap(w->ring, &result);

        if (err != 0) { /* those under way are lost */
            tmk_find_failed(w, err, "io_uring");
            w->ring = NULL;
            return;
        }
        d = result.user;
        err = tmk_find_stat_end(w, &d->entry, d->mask, result.err, result.st);
        if (err != 0) {
            miss(w, &d->entry, err);
        } else {
            see_known(w, &d->entry);
        }
        d->next = w->idle;
        w->idle = d;
    }
}

/* All that are under way, before the directory at hand is another. */
void tmk_find_see_finish(struct tmk_find_walk *w)
{
    if (w->ring != NULL) {
        make_room(w, w->uring_depth);
    }
}

/* Ask about an entry, and look at it when the answer comes. */
static void defer(struct tmk_find_walk *w, const struct tmk_match_entry *e,
                  uint32_t mask)
{
    struct tmk_find_deferred *d;

    if (tmk_statx_ring_room(w->ring) == 0) {
        make_room(w, (w->uring_depth + 1) / 2);
        if (w->ring == NULL) {
            return;
        }
    }
    d = w->idle;
    w->idle = d->next;
    d->entry = *e;
    d->mask = mask;
    memcpy(d->name, e->name, e->name_length + 1);
    d->entry.name = d->name;
    d->entry.path = NULL;
    tmk_find_stat_begin(w, &d->entry, mask, d);
}

/* What a stat has to tell before an entry can be evaluated; 0: nothing. */
static uint32_t missing_of(struct tmk_find_walk *w, struct tmk_match_entry *e)
{
    uint32_t missing = 0;

    if (e->depth < w->match->depth_least ||
        (w->match->contents_first && e->type == TMK_MATCH_DIR)) {
        return 0;
    }
    if (w->match->path_in_tests) {
        (void)tmk_find_path(w, e);
    }
    if (tmk_match_ahead(w->match, e, &missing) != TMK_MATCH_NEEDS) {
        return 0;
    }
    return missing & TMK_MATCH_STATX;
}

/* Look at an entry, as it was read. */
void tmk_find_see(struct tmk_find_walk *w, struct tmk_match_entry *e)
{
    const struct tmk_match *match = w->match;
    const bool follows = match->follow == TMK_MATCH_FOLLOW_ALL;
    const bool rings = w->ring != NULL && w->fd != AT_FDCWD;
    uint32_t mask = 0;

    w->sums[TMK_FIND_ENTRIES]++;
    w->units++;
    if (e->type == TMK_MATCH_UNKNOWN ||
        (follows && e->type == TMK_MATCH_LINK)) {
        w->sums[TMK_FIND_UNKNOWN] += e->type == TMK_MATCH_UNKNOWN;
        if (follows) {
            e->type = TMK_MATCH_UNKNOWN;
            e->inode = 0;
        }
        mask = TMK_MATCH_TYPE;
    } else if (rings) {
        mask = missing_of(w, e);
    }
    if (mask != 0) {
        int err;

        mask |= match->needs & TMK_MATCH_STATX;
        if (rings) {
            defer(w, e, mask);
            return;
        }
        err = tmk_find_stat(w, e, mask);
        if (err != 0) {
            miss(w, e, err);
            return;
        }
    }
    see_known(w, e);
}

/* Most names of most searches: no directory, and not what is looked for. */
static bool is_nothing(const struct tmk_find_walk *w,
                       const struct tmk_dent *dent)
{
    const struct tmk_match *match = w->match;

    return dent->type != DT_DIR && dent->type != DT_UNKNOWN &&
           (dent->type != DT_LNK || match->follow != TMK_MATCH_FOLLOW_ALL) &&
           tmk_match_name_fails(match, dent->name);
}

/* The entries of the buffer. */
bool tmk_find_see_buffer(struct tmk_find_walk *w)
{
    /* The fields of stat are worth nothing without `have`. */
    struct tmk_match_entry e = {
        .start_length = strlen(w->match->starts[w->start]),
        .depth = w->depth + 1,
    };
    struct tmk_dent dent;

    while (tmk_dents_next(&w->dents, &dent)) {
        if (is_nothing(w, &dent)) {
            w->sums[TMK_FIND_ENTRIES]++;
            w->sums[TMK_FIND_FILES]++;
            if (++w->units >= UNITS && !tmk_find_see_breathe(w)) {
                return false;
            }
            continue;
        }
        e.name = dent.name;
        e.name_length = strlen(dent.name);
        e.path = NULL;
        e.path_length = 0;
        e.type = tmk_find_type(dent.type);
        e.inode = dent.inode;
        e.have = 0;
        tmk_find_see(w, &e);
        if (w->expired || (w->units >= UNITS && !tmk_find_see_breathe(w))) {
            return false;
        }
    }
    return true;
}

int tmk_find_see_init(struct tmk_find_walk *w)
{
    w->deferred =
        calloc(w->uring_depth != 0 ? w->uring_depth : 1, sizeof(*w->deferred));
    for (unsigned i = 0; w->deferred != NULL && i < w->uring_depth; i++) {
        w->deferred[i].next = w->idle;
        w->idle = &w->deferred[i];
    }
    return w->deferred != NULL ? 0 : -ENOMEM;
}

void tmk_find_see_fini(struct tmk_find_walk *w)
{
    free(w->deferred);
    w->deferred = NULL;
}
