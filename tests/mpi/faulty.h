#ifndef TMK_TESTS_MPI_FAULTY_H
#define TMK_TESTS_MPI_FAULTY_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

/*
 * An engine that makes the calls of another one, keeps what came of each in
 * memory, and lets some fail that would have gone well.  A call that is made
 * to fail is not passed on, unless only the answer is to be lost; but a file
 * is closed in any case.
 */
enum faulty_call {
    FAULTY_MKDIR,
    FAULTY_RMDIR,
    FAULTY_UNLINK,
    FAULTY_RENAME,
    FAULTY_STAT,
    FAULTY_CREATE,
    FAULTY_MKNOD,
    FAULTY_OPEN,
    FAULTY_CLOSE,
    FAULTY_WRITE,
    FAULTY_READ,
    FAULTY_REWIND,
    FAULTY_FSYNC,
    FAULTY_SYNC,
    FAULTY_LIST,
    FAULTY_USAGE,
    FAULTY_OPENDIR,
};

/* One call and what came of it. */
struct faulty_event {
    enum faulty_call call;
    enum tmk_engine_access access; /* of OPEN */
    size_t path;                   /* begins here in faulty.text */
    int64_t result;                /* 0, bytes, or -errno */
    uint64_t bytes; /* of a transfer: asked for; of STAT: the size */
    bool odd;       /* of STAT: not of the type that the name says */
    int barriers;   /* that this rank had met by then */
};

/* Of this rank.  What is to fail, and what has been called since. */
struct faulty {
    uint64_t n;      /* the n-th call from now on fails; 0 = none */
    bool every;      /* so does every n-th */
    int err;         /* positive errno; FAULTY_SPOIL, FAULTY_SHORT */
    bool lost;       /* the call is made, and said to have failed */
    uint64_t called; /* calls so far */
    struct faulty_event *events; /* owned */
    size_t n_events, room;
    char *text; /* owned: paths, each NUL-terminated */
    size_t length, text_room;
    int barriers; /* counted by the test */
};

/* In place of an errno: a transfer succeeds, with a wrong byte, or half. */
enum { FAULTY_SPOIL = 1000, FAULTY_SHORT };

static struct faulty faulty;

/* An open file or directory of the engine inside. */
struct faulty_file {
    intptr_t inner;
    char *path; /* owned */
};

struct tmk_engine {
    const struct tmk_engine_ops *ops; /* of the engine inside */
    struct tmk_engine *inner;
    const char *dir, *to_dir; /* in use; borrowed */
};

/* Forget what was called; from now on the n-th (or every n-th) call fails. */
static inline void faulty_arm(uint64_t n, bool every, int err, bool lost)
{
    faulty.n = n;
    faulty.every = every;
    faulty.err = err;
    faulty.lost = lost;
    faulty.called = 0;
    faulty.n_events = 0;
    faulty.length = 0;
    faulty.barriers = 0;
}

static inline void faulty_fini(void)
{
    free(faulty.events);
    free(faulty.text);
    faulty = (struct faulty){0};
}

static inline const char *faulty_path(const struct faulty_event *event)
{
    return faulty.text + event->path;
}

static inline void *faulty_grow(void *array, size_t need, size_t *room,
                                size_t size)
{
    if (need <= *room) {
        return array;
    }
    *room = 2 * need;
    array = realloc(array, *room * size);
    if (array == NULL) {
        abort();
    }
    return array;
}

/* Slashes are folded, and none is at the end. */
static inline size_t faulty_keep(const char *dir, const char *name)
{
    size_t need = faulty.length + strlen(dir) + strlen(name) + 2;
    size_t begin = faulty.length;
    char *to;

    faulty.text = faulty_grow(faulty.text, need, &faulty.text_room, 1);
    to = faulty.text + begin;
    for (int part = 0; part < 2; part++) {
        for (const char *c = part == 0 ? dir : name; *c != '\0'; c++) {
            if (*c != '/' || to == faulty.text + begin || to[-1] != '/') {
                *to++ = *c;
            }
        }
        if (part == 0 && dir[0] != '\0' && to[-1] != '/') {
            *to++ = '/';
        }
    }
    if (to > faulty.text + begin + 1 && to[-1] == '/') {
        to--;
    }
    *to++ = '\0';
    faulty.length = (size_t)(to - faulty.text);
    return begin;
}

/* Keep a call; the event, whose result is still to come. */
static inline struct faulty_event *
faulty_note(enum faulty_call call, const char *dir, const char *name)
{
    struct faulty_event *event;

    faulty.events = faulty_grow(faulty.events, faulty.n_events + 1,
                                &faulty.room, sizeof(*event));
    event = &faulty.events[faulty.n_events++];
    *event = (struct faulty_event){.call = call, .barriers = faulty.barriers};
    event->path = faulty_keep(dir, name);
    return event;
}

/* Whether the call that is about to be made is one that is to fail. */
static inline bool faulty_turn(void)
{
    faulty.called++;
    return faulty.n != 0 && (faulty.called == faulty.n ||
                             (faulty.every && faulty.called % faulty.n == 0));
}

/* Transfers that are wrong are no failure of other calls. */
static inline bool faulty_fails(void)
{
    return faulty_turn() && faulty.err < FAULTY_SPOIL;
}

static inline int faulty_done(struct faulty_event *event, int result)
{
    event->result = result;
    return result;
}

static inline struct tmk_engine *
faulty_open_with(const struct tmk_engine_ops *ops, const void *conf,
                 unsigned index, int *err)
{
    struct tmk_engine *e = calloc(1, sizeof(*e));

    if (e == NULL) {
        *err = -ENOMEM;
        return NULL;
    }
    e->ops = ops;
    e->inner = ops->open_instance(conf, index, err);
    e->dir = "";
    e->to_dir = "";
    if (e->inner == NULL) {
        free(e);
        return NULL;
    }
    return e;
}

static struct tmk_engine *faulty_open_posix(const void *conf, unsigned index,
                                            int *err)
{
    return faulty_open_with(&tmk_engine_posix, conf, index, err);
}

static struct tmk_engine *faulty_open_dummy(const void *conf, unsigned index,
                                            int *err)
{
    return faulty_open_with(&tmk_engine_dummy, conf, index, err);
}

static void faulty_close_instance(struct tmk_engine *e)
{
    if (e != NULL) {
        e->ops->close_instance(e->inner);
        free(e);
    }
}

/* By the table of the engine inside that takes such a name. */
#define FAULTY_BY(at)  ((at) ? e->ops->relative : e->ops)
#define FAULTY_DIR(at) ((at) ? e->dir : "")

/* A call of a name, by either table. */
#define FAULTY_CALL(slot, number, parameters, arguments)                       \
    static inline int faulty_##slot##_in parameters                            \
    {                                                                          \
        struct faulty_event *event =                                           \
            faulty_note(number, FAULTY_DIR(at), name);                         \
        const bool fails = faulty_fails();                                     \
        int err = 0;                                                           \
                                                                               \
        if (!fails || faulty.lost) {                                           \
            err = FAULTY_BY(at)->slot arguments;                               \
        }                                                                      \
        return faulty_done(event, fails ? -faulty.err : err);                  \
    }

FAULTY_CALL(mkdir, FAULTY_MKDIR,
            (struct tmk_engine * e, bool at, const char *name, mode_t mode),
            (e->inner, name, mode))
FAULTY_CALL(rename, FAULTY_RENAME,
            (struct tmk_engine * e, bool at, const char *name, const char *to),
            (e->inner, name, to))
FAULTY_CALL(mknod, FAULTY_MKNOD,
            (struct tmk_engine * e, bool at, const char *name, mode_t mode),
            (e->inner, name, mode))

FAULTY_CALL(rmdir, FAULTY_RMDIR,
            (struct tmk_engine * e, bool at, const char *name),
            (e->inner, name))
FAULTY_CALL(unlink, FAULTY_UNLINK,
            (struct tmk_engine * e, bool at, const char *name),
            (e->inner, name))

static inline bool faulty_is_file(const char *name)
{
    return strstr(name, "file.mdtest.") != NULL;
}

static inline int faulty_stat_in(struct tmk_engine *e, bool at,
                                 const char *name, struct stat *st)
{
    struct faulty_event *event = faulty_note(FAULTY_STAT, FAULTY_DIR(at), name);
    int err =
        faulty_fails() ? -faulty.err : FAULTY_BY(at)->stat(e->inner, name, st);

    if (err == 0 && e->ops->stores) {
        event->bytes = (uint64_t)st->st_size;
        event->odd = faulty_is_file(name) ? !S_ISREG(st->st_mode)
                                          : !S_ISDIR(st->st_mode);
    }
    return faulty_done(event, err);
}

/* What an open came to: a file of ours around that of the engine inside. */
static inline int faulty_opened(struct faulty_event *event, int err,
                                intptr_t inner, intptr_t *file)
{
    struct faulty_file *f = err == 0 ? malloc(sizeof(*f)) : NULL;

    if (f != NULL) {
        f->inner = inner;
        f->path = strdup(faulty_path(event));
        *file = (intptr_t)f;
    }
    return faulty_done(event, err);
}

static inline int faulty_create_in(struct tmk_engine *e, bool at,
                                   const char *name, mode_t mode,
                                   intptr_t *file)
{
    struct faulty_event *event =
        faulty_note(FAULTY_CREATE, FAULTY_DIR(at), name);
    const bool fails = faulty_fails();
    intptr_t inner = 0;
    int err = 0;

    if (!fails || faulty.lost) {
        err = FAULTY_BY(at)->create(e->inner, name, mode, &inner);
    }
    if (fails && faulty.lost && err == 0) {
        (void)e->ops->close(e->inner, inner);
    }
    return faulty_opened(event, fails ? -faulty.err : err, inner, file);
}

static inline int faulty_open_in(struct tmk_engine *e, bool at,
                                 const char *name,
                                 enum tmk_engine_access access, intptr_t *file)
{
    struct faulty_event *event = faulty_note(FAULTY_OPEN, FAULTY_DIR(at), name);
    intptr_t inner = 0;
    int err;

    event->access = access;
    err = faulty_fails() ? -faulty.err
                         : FAULTY_BY(at)->open(e->inner, name, access, &inner);
    return faulty_opened(event, err, inner, file);
}

/* The same by whole paths and relative to a directory. */
#define FAULTY_BOTH(slot, parameters, ...)                                     \
    static int faulty_##slot parameters                                        \
    {                                                                          \
        return faulty_##slot##_in(e, false, __VA_ARGS__);                      \
    }                                                                          \
    static int faulty_at_##slot parameters                                     \
    {                                                                          \
        return faulty_##slot##_in(e, true, __VA_ARGS__);                       \
    }

FAULTY_BOTH(mkdir, (struct tmk_engine * e, const char *name, mode_t mode), name,
            mode)
FAULTY_BOTH(rmdir, (struct tmk_engine * e, const char *name), name)
FAULTY_BOTH(unlink, (struct tmk_engine * e, const char *name), name)
FAULTY_BOTH(rename, (struct tmk_engine * e, const char *name, const char *to),
            name, to)
FAULTY_BOTH(mknod, (struct tmk_engine * e, const char *name, mode_t mode), name,
            mode)
FAULTY_BOTH(stat, (struct tmk_engine * e, const char *name, struct stat *st),
            name, st)
FAULTY_BOTH(create,
            (struct tmk_engine * e, const char *name, mode_t mode,
             intptr_t *file),
            name, mode, file)
FAULTY_BOTH(open,
            (struct tmk_engine * e, const char *name,
             enum tmk_engine_access access, intptr_t *file),
            name, access, file)

static int faulty_close(struct tmk_engine *e, intptr_t file)
{
    struct faulty_file *f = (struct faulty_file *)file;
    struct faulty_event *event = faulty_note(FAULTY_CLOSE, "", f->path);
    bool fails = faulty_fails();
    int err = e->ops->close(e->inner, f->inner);

    free(f->path);
    free(f);
    return faulty_done(event, fails ? -faulty.err : err);
}

/* How many of the bytes are moved; 0: the call fails. */
static inline size_t faulty_part(size_t bytes)
{
    if (!faulty_turn()) {
        return bytes;
    }
    switch (faulty.err) {
    case FAULTY_SHORT: return bytes / 2;
    case FAULTY_SPOIL: return bytes;
    default: return 0;
    }
}

static int64_t faulty_write(struct tmk_engine *e, intptr_t file,
                            const void *buf, size_t bytes)
{
    const struct faulty_file *f = (const struct faulty_file *)file;
    struct faulty_event *event = faulty_note(FAULTY_WRITE, "", f->path);
    size_t part = faulty_part(bytes);

    event->bytes = bytes;
    event->result = part == 0 && bytes != 0
                        ? -faulty.err
                        : e->ops->write(e->inner, f->inner, buf, part);
    return event->result;
}

static int64_t faulty_read(struct tmk_engine *e, intptr_t file, void *buf,
                           size_t bytes)
{
    const struct faulty_file *f = (const struct faulty_file *)file;
    struct faulty_event *event = faulty_note(FAULTY_READ, "", f->path);
    size_t part = faulty_part(bytes);

    event->bytes = bytes;
    event->result = part == 0 && bytes != 0
                        ? -faulty.err
                        : e->ops->read(e->inner, f->inner, buf, part);
    if (faulty.err == FAULTY_SPOIL && event->result > 0 &&
        faulty.called == faulty.n) {
        ((unsigned char *)buf)[event->result / 2] ^= 0x55;
        event->odd = true;
    }
    return event->result;
}

static int faulty_rewind(struct tmk_engine *e, intptr_t file)
{
    const struct faulty_file *f = (const struct faulty_file *)file;
    struct faulty_event *event = faulty_note(FAULTY_REWIND, "", f->path);

    return faulty_done(event, faulty_fails()
                                  ? -faulty.err
                                  : e->ops->rewind(e->inner, f->inner));
}

static int faulty_fsync(struct tmk_engine *e, intptr_t file)
{
    const struct faulty_file *f = (const struct faulty_file *)file;
    struct faulty_event *event = faulty_note(FAULTY_FSYNC, "", f->path);

    return faulty_done(event, faulty_fails()
                                  ? -faulty.err
                                  : e->ops->fsync(e->inner, f->inner));
}

/* Not passed on: it would take its time on a machine at work. */
static int faulty_sync(struct tmk_engine *e)
{
    struct faulty_event *event = faulty_note(FAULTY_SYNC, "", "");

    (void)e;
    return faulty_done(event, faulty_fails() ? -faulty.err : 0);
}

static int faulty_list(struct tmk_engine *e, const char *path,
                       bool (*visit)(void *arg, const char *name, bool is_dir),
                       void *arg)
{
    struct faulty_event *event = faulty_note(FAULTY_LIST, "", path);

    return faulty_done(event, faulty_fails()
                                  ? -faulty.err
                                  : e->ops->list(e->inner, path, visit, arg));
}

static int faulty_usage(struct tmk_engine *e, const char *path,
                        struct tmk_engine_usage *usage)
{
    struct faulty_event *event = faulty_note(FAULTY_USAGE, "", path);

    return faulty_done(event, faulty_fails()
                                  ? -faulty.err
                                  : e->ops->usage(e->inner, path, usage));
}

static int faulty_open_dir(struct tmk_engine *e, const char *path,
                           intptr_t *dir)
{
    struct faulty_event *event = faulty_note(FAULTY_OPENDIR, "", path);
    intptr_t inner = 0;
    int err =
        faulty_fails() ? -faulty.err : e->ops->open_dir(e->inner, path, &inner);

    return faulty_opened(event, err, inner, dir);
}

static int faulty_close_dir(struct tmk_engine *e, intptr_t dir)
{
    struct faulty_file *f = (struct faulty_file *)dir;
    int err = e->ops->close_dir(e->inner, f->inner);

    free(f->path);
    free(f);
    return err;
}

static void faulty_use_dirs(struct tmk_engine *e, intptr_t dir, intptr_t to_dir)
{
    const struct faulty_file *from = (const struct faulty_file *)dir;
    const struct faulty_file *to = (const struct faulty_file *)to_dir;

    e->dir = from->path;
    e->to_dir = to->path;
    e->ops->use_dirs(e->inner, from->inner, to->inner);
}

/* Around an engine, by one of its tables. */
static inline struct tmk_engine_ops faulty_around(
    const struct tmk_engine_ops *inner, bool at,
    struct tmk_engine *(*open_instance)(const void *, unsigned, int *))
{
    return (struct tmk_engine_ops){
        .name = inner->name,
        .prefix = inner->prefix,
        .opts = inner->opts,
        .n_opts = inner->n_opts,
        .conf_size = inner->conf_size,
        .conf_init = inner->conf_init,
        .open_instance = open_instance,
        .close_instance = faulty_close_instance,
        .mkdir = at ? faulty_at_mkdir : faulty_mkdir,
        .rmdir = at ? faulty_at_rmdir : faulty_rmdir,
        .unlink = at ? faulty_at_unlink : faulty_unlink,
        .rename = at ? faulty_at_rename : faulty_rename,
        .stat = at ? faulty_at_stat : faulty_stat,
        .create = at ? faulty_at_create : faulty_create,
        .mknod = at ? faulty_at_mknod : faulty_mknod,
        .open = at ? faulty_at_open : faulty_open,
        .close = faulty_close,
        .write = faulty_write,
        .read = faulty_read,
        .rewind = faulty_rewind,
        .fsync = faulty_fsync,
        .sync = faulty_sync,
        .list = faulty_list,
        .usage = faulty_usage,
        .open_dir = faulty_open_dir,
        .close_dir = faulty_close_dir,
        .use_dirs = faulty_use_dirs,
        .stores = inner->stores,
    };
}

#endif
