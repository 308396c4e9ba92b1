/*
 * find_items: items of the queue, and the records that count them.
 */
#include "bench/find_items.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/find_output.h"

/* A path is in an item with its chain and entries. */
enum { PATH_MOST = 49152 };

struct tmk_find_record {
    struct tmk_find_head head;
    char *path;       /* owned; NULL: not in use */
    uint64_t pending; /* under way; if not in use, the next such */
};

bool tmk_find_items_begin(struct tmk_find_walk *w,
                          const struct tmk_find_head *head, const char *path,
                          size_t *which)
{
    char *copy = strdup(path);

    if (copy != NULL && w->n_free == 0) {
        size_t n = w->n_records != 0 ? 2 * w->n_records : 64;
        struct tmk_find_record *more = realloc(w->records, n * sizeof(*more));

        if (more == NULL) {
            free(copy);
            return false;
        }
        for (size_t i = w->n_records; i < n; i++) {
            more[i] = (struct tmk_find_record){.pending = w->first_free};
            w->first_free = i;
        }
        w->n_free = n - w->n_records;
        w->records = more;
        w->n_records = n;
    }
    if (copy == NULL) {
        return false;
    }
    *which = w->first_free;
    w->first_free = w->records[*which].pending;
    w->n_free--;
    w->records[*which] =
        (struct tmk_find_record){.head = *head, .path = copy, .pending = 1};
    return true;
}

static void record_free(struct tmk_find_walk *w, size_t which)
{
    free(w->records[which].path);
    w->records[which] = (struct tmk_find_record){.pending = w->first_free};
    w->first_free = which;
    w->n_free++;
}

/* An item of head, the chain at hand, a path and entries.  0 or -errno. */
int tmk_find_items_push(struct tmk_find_walk *w, struct tmk_find_head *head,
                        const char *path, const char *entries, size_t bytes)
{
    size_t length = strlen(path) + 1;
    size_t chain = w->n_chain * sizeof(*w->chain);
    char *at = w->item;

    if (length + chain > PATH_MOST) {
        return -ENAMETOOLONG;
    }
    head->path_bytes = (uint32_t)length;
    head->n_chain = (uint32_t)w->n_chain;
    memcpy(at, head, sizeof(*head));
    at += sizeof(*head);
    if (chain != 0) {
        memcpy(at, w->chain, chain);
        at += chain;
    }
    memcpy(at, path, length);
    at += length;
    if (bytes != 0) {
        memcpy(at, entries, bytes);
        at += bytes;
    }
    return tmk_queue_push(w->queue, w->item, (size_t)(at - w->item));
}

/* Something of a record that may be another rank's is done. */
void tmk_find_items_report(struct tmk_find_walk *w,
                           const struct tmk_find_head *head)
{
    if (head->owner == TMK_FIND_NOBODY) {
        return;
    }
    if (head->owner == w->job->rank) {
        tmk_find_items_done(w, head->above);
    } else {
        int err = tmk_find_output_tell(w->queue, head->owner, head->above);

        if (err != 0) {
            tmk_find_failed(w, err, "");
        }
    }
}

void tmk_find_items_done(struct tmk_find_walk *w, size_t which)
{
    struct tmk_find_record *record = &w->records[which];
    struct tmk_find_head head = record->head;
    int err;

    assert(which < w->n_records && record->path != NULL && record->pending > 0);
    if (--record->pending != 0) {
        return;
    }
    if (head.kind == TMK_FIND_PART) {
        record_free(w, which);
        tmk_find_items_report(w, &head);
        return;
    }
    head.kind = TMK_FIND_LAST;
    w->n_chain = 0;
    err = tmk_find_items_push(w, &head, record->path, NULL, 0);
    if (err != 0) {
        tmk_find_failed(w, err, record->path);
    }
    record_free(w, which);
}

void tmk_find_items_more(struct tmk_find_walk *w, size_t which)
{
    w->records[which].pending++;
}

void tmk_find_items_fini(struct tmk_find_walk *w)
{
    for (size_t i = 0; i < w->n_records; i++) {
        free(w->records[i].path);
    }
    free(w->records);
}
