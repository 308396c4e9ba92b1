/*
 * find_output: whole records from many ranks.
 */
#include "bench/find_output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "run/write.h"

enum {
    FLUSH_BYTES = 65536,
    WAIT_NS = 500000000, /* for a record to be written */
    ERRORS_SAID = 20,    /* by each rank */
};

/* What a note begins with. */
enum note_kind {
    NOTE_DONE, /* count down a record of the walk */
    NOTE_TEXT, /* whole records, or the end of one */
    NOTE_PART, /* a part of a record that is too long for a note */
};

struct done_note {
    uint32_t kind;
    uint64_t record;
};

struct text_head {
    uint32_t kind;
    int32_t rank;
};

enum { PIECE = TMK_QUEUE_NOTE_MAX - sizeof(struct text_head) };

struct text_note {
    struct text_head head;
    char text[PIECE];
};

struct file {
    int fd; /* -1: sent to rank 0 */
    bool owned;
    struct tmk_match_text text;
};

struct tmk_find_output {
    struct tmk_job *job;
    struct file out;
    size_t whole; /* bytes of out.text that are whole records; on ranks that
                     send them */
    struct file *files; /* owned */
    size_t n;
    struct tmk_match_text *parts; /* owned; of each rank, on rank 0 */
    bool terminal;
    uint64_t looked_ns;
    int err;
};

static void note_error(struct tmk_find_output *o, int err)
{
    if (o->err == 0) {
        o->err = err;
    }
}

/* A piece of the text to rank 0. */
static void send(struct tmk_find_output *o, struct tmk_queue *queue,
                 enum note_kind kind, const char *text, size_t bytes)
{
    struct text_note note = {
        .head = {.kind = kind, .rank = o->job->rank},
    };
    int err;

    memcpy(note.text, text, bytes);
    err = tmk_queue_tell(queue, 0, &note,
                         offsetof(struct text_note, text) + bytes);
    if (err != 0) {
        note_error(o, err);
    }
}

/* The whole records that wait, to rank 0. */
static void send_whole(struct tmk_find_output *o, struct tmk_queue *queue)
{
    struct tmk_match_text *text = &o->out.text;
    size_t at = 0;

    if (o->whole == 0) {
        return;
    }
    while (o->whole - at > PIECE) {
        send(o, queue, NOTE_PART, text->bytes + at, PIECE);
        at += PIECE;
    }
    send(o, queue, NOTE_TEXT, text->bytes + at, o->whole - at);
    memmove(text->bytes, text->bytes + o->whole, text->length - o->whole);
    text->length -= o->whole;
    o->whole = 0;
}

/* What a file has to its descriptor. */
static void flush(struct tmk_find_output *o, struct file *f)
{
    int err;

    if (f->text.length == 0) {
        return;
    }
    err = tmk_write_all(f->fd, f->text.bytes, f->text.length);
    f->text.length = 0;
    if (err != 0) {
        note_error(o, err);
    }
}

static struct file *file_of(struct tmk_find_output *o, int index)
{
    return index < 0 ? &o->out : &o->files[index];
}

/*
 * Opening.
 */

/* The standard output and error have names, too. */
static bool is_standard(const char *name, int *fd)
{
    if (strcmp(name, "/dev/stdout") == 0) {
        *fd = STDOUT_FILENO;
    } else if (strcmp(name, "/dev/stderr") == 0) {
        *fd = STDERR_FILENO;
    } else {
        return false;
    }
    return true;
}

/* Rank 0 has emptied it before the others come. */
static int open_file(struct file *f, const char *name, bool first)
{
    if (is_standard(name, &f->fd)) {
        return 0;
    }
    f->fd = open(
        name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | (first ? O_TRUNC : 0),
        0666);
    f->owned = f->fd >= 0;
    return f->fd < 0 ? -errno : 0;
}

static int open_files_all(struct tmk_find_output *o, const char *const *names,
                          const char **which)
{
    const bool first = o->job->rank == 0;

    assert(o->files != NULL);
    for (size_t i = 0; i < o->n; i++) {
        int err = first ? open_file(&o->files[i], names[i], true) : 0;

        err = tmk_job_agree_all(o->job, err);
        if (err == 0) {
            err = first ? 0 : open_file(&o->files[i], names[i], false);
            err = tmk_job_agree_all(o->job, err);
        }
        if (err != 0) {
            *which = names[i];
            return err;
        }
    }
    return 0;
}

/* <dir>/<rank>.txt */
static int open_own_all(struct tmk_find_output *o, const char *dir,
                        const char **which)
{
    char *path = NULL;
    int err = 0;

    *which = dir;
    if (o->job->rank == 0 && mkdir(dir, 0777) != 0 && errno != EEXIST) {
        err = -errno;
    }
    err = tmk_job_agree_all(o->job, err);
    if (err != 0) {
        return err;
    }
    if (asprintf(&path, "%s/%d.txt", dir, o->job->rank) < 0) {
        err = -ENOMEM;
    } else {
        err = open_file(&o->out, path, true);
        free(path);
    }
    return tmk_job_agree_all(o->job, err);
}

int tmk_find_output_new_all(struct tmk_find_output **output,
                            struct tmk_job *job, const char *const *names,
                            size_t n, const char *dir, const char **which)
{
    struct tmk_find_output *o = calloc(1, sizeof(*o));
    int err = 0;

    *which = "";
    if (o != NULL) {
        *o = (struct tmk_find_output){.job = job, .n = n};
        o->out.fd = job->rank == 0 ? fileno(job->out) : -1;
        if (job->rank == 0 && o->out.fd < 0) { /* of memory */
            o->out.fd = STDOUT_FILENO;
        }
        o->terminal = job->rank == 0 && isatty(o->out.fd) == 1;
        o->files = calloc(n != 0 ? n : 1, sizeof(*o->files));
        o->parts =
            calloc(job->rank == 0 ? (size_t)job->size : 1, sizeof(*o->parts));
    }
    err = o != NULL && o->files != NULL && o->parts != NULL ? 0 : -ENOMEM;
    err = tmk_job_agree_all(job, err);
    if (err == 0 && o != NULL) {
        err = open_files_all(o, names, which);
    }
    if (err == 0 && o != NULL && dir != NULL) {
        err = open_own_all(o, dir, which);
    }
    if (err != 0) {
        tmk_find_output_free(o);
        o = NULL;
    }
    *output = o;
    return err;
}

static void close_file(struct tmk_find_output *o, struct file *f)
{
    if (f->owned && close(f->fd) != 0) {
        note_error(o, -errno);
    }
    f->owned = false;
    tmk_match_text_fini(&f->text);
}

void tmk_find_output_free(struct tmk_find_output *o)
{
    if (o == NULL) {
        return;
    }
    close_file(o, &o->out);
    for (size_t i = 0; i < o->n && o->files != NULL; i++) {
        close_file(o, &o->files[i]);
    }
    for (int r = 0; o->parts != NULL && o->job->rank == 0 && r < o->job->size;
         r++) {
        tmk_match_text_fini(&o->parts[r]);
    }
    free(o->parts);
    free(o->files);
    free(o);
}

/*
 * Records.
 */

struct tmk_match_text *tmk_find_output_text(struct tmk_find_output *o,
                                            int index)
{
    return &file_of(o, index)->text;
}

void tmk_find_output_end(struct tmk_find_output *o, struct tmk_queue *queue,
                         int index)
{
    struct file *f = file_of(o, index);

    if (f->fd < 0) {
        if (f->text.length > PIECE) {
            send_whole(o, queue); /* those before this one */
        }
        o->whole = f->text.length;
        if (o->whole > PIECE) {
            send_whole(o, queue);
        }
    } else if (f->text.length >= FLUSH_BYTES || (index < 0 && o->terminal)) {
        flush(o, f);
    }
}

void tmk_find_output_flush(struct tmk_find_output *o, struct tmk_queue *queue)
{
    if (o->out.fd < 0) {
        send_whole(o, queue);
    } else {
        flush(o, &o->out);
    }
    for (size_t i = 0; i < o->n; i++) {
        flush(o, &o->files[i]);
    }
}

void tmk_find_output_look(struct tmk_find_output *o, struct tmk_queue *queue,
                          uint64_t now_ns)
{
    if (now_ns - o->looked_ns < WAIT_NS) {
        return;
    }
    o->looked_ns = now_ns;
    tmk_find_output_flush(o, queue);
}

int tmk_find_output_tell(struct tmk_queue *queue, int rank, uint64_t record)
{
    const struct done_note note = {.kind = NOTE_DONE, .record = record};

    return tmk_queue_tell(queue, rank, &note, sizeof(note));
}

/* Rank 0: text of another rank, after what it has itself. */
static void take_text(struct tmk_find_output *o, const struct text_head *head,
                      const char *text, size_t bytes)
{
    struct tmk_match_text *part = &o->parts[head->rank];
    int err;

    if (head->kind == NOTE_PART || part->length != 0) {
        err = tmk_match_text_add(part, text, bytes);
    } else {
        err = tmk_match_text_add(&o->out.text, text, bytes);
    }
    if (err == 0 && head->kind == NOTE_TEXT && part->length != 0) {
        err = tmk_match_text_add(&o->out.text, part->bytes, part->length);
        part->length = 0;
    }
    if (err != 0) {
        note_error(o, err);
    }
    if (o->out.text.length >= FLUSH_BYTES || o->terminal) {
        flush(o, &o->out);
    }
}

bool tmk_find_output_told(struct tmk_find_output *o, const void *note,
                          size_t bytes, uint64_t *record)
{
    struct done_note done;
    struct text_head head;
    uint32_t kind;

    memcpy(&kind, note, sizeof(kind));
    if (kind == NOTE_DONE) {
        memcpy(&done, note, sizeof(done));
        *record = done.record;
        return true;
    }
    memcpy(&head, note, sizeof(head));
    take_text(o, &head, (const char *)note + sizeof(head),
              bytes - sizeof(head));
    return false;
}

void tmk_find_output_say(struct tmk_find_output *o, const char *why,
                         const char *path, uint64_t said_before)
{
    char text[4096];
    char quoted[3072];
    int n;

    if (said_before >= ERRORS_SAID || (o->job->embedded && o->job->rank != 0)) {
        return;
    }
    tmk_quote(quoted, sizeof(quoted), path, strlen(path));
    n = snprintf(
        text, sizeof(text), "%s: '%s': %s%s\n", o->job->program, quoted, why,
        said_before + 1 == ERRORS_SAID ? " (this rank says no more of these)"
                                       : "");
    if (n > 0 && o->job->embedded) {
        fputs(text, o->job->err);
    } else if (n > 0) {
        (void)tmk_write_all(STDERR_FILENO, text, (size_t)n);
    }
}

/* What other ranks have not sent is less than a note.  Collective. */
static void gather_rest_all(struct tmk_find_output *o)
{
    const struct tmk_job *job = o->job;
    struct text_note own = {.head = {.rank = job->rank}};
    struct text_note *all =
        job->rank == 0 ? calloc((size_t)job->size, sizeof(*all)) : NULL;
    uint64_t rest = o->out.fd < 0 ? o->out.text.length : 0;

    if (tmk_job_max_all(job, rest) == 0 ||
        tmk_job_agree_all(job, job->rank != 0 || all != NULL ? 0 : -ENOMEM) !=
            0) {
        if (rest != 0) {
            note_error(o, -ENOMEM);
        }
        free(all);
        return;
    }
    own.head.kind = (uint32_t)rest;
    memcpy(own.text, o->out.text.bytes != NULL ? o->out.text.bytes : "", rest);
    if (rest != 0) {
        o->out.text.length = 0;
        o->whole = 0;
    }
    tmk_wait_gather_all(&job->wait, &own, all, (int)sizeof(own));
    for (int r = 1; all != NULL && r < job->size; r++) {
        if (tmk_match_text_add(&o->out.text, all[r].text, all[r].head.kind) !=
            0) {
            note_error(o, -ENOMEM);
        }
    }
    free(all);
}

void tmk_find_output_finish_all(struct tmk_find_output *o)
{
    gather_rest_all(o);
    if (o->out.fd >= 0) {
        flush(o, &o->out);
    }
    for (size_t i = 0; i < o->n; i++) {
        flush(o, &o->files[i]);
    }
}

int tmk_find_output_failed(const struct tmk_find_output *o)
{
    return o->err;
}
