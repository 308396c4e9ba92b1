/*
 * trace: an engine that makes the calls of another one and writes them down.
 *
 * Files and directories that are open have slots, which hold their paths; the
 * number of the slot is what the caller gets for a file.
 */
#include "engine/trace.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/trace_lines.h"

/* An open file or directory of the engine inside. */
struct slot {
    intptr_t file;
    char *path; /* owned; NULL: the slot is free */
};

/* A transfer under way. */
struct pending {
    intptr_t file; /* its slot */
    bool writing;
    size_t bytes;
    uint64_t offset;
};

struct tmk_engine {
    struct tmk_engine_ops plain, relative, legacy; /* to call this one by */
    const struct tmk_engine_ops *ops;              /* of the engine inside */
    struct tmk_engine *inner;
    struct tmk_trace_lines lines;
    const char *direct; /* what each open of a file has as well */
    struct slot *slots; /* owned */
    size_t n_slots;
    const char *dir, *to_dir; /* in use; borrowed from slots, or "" */
    struct pending *pending;  /* owned; by the numbers of submit */
    unsigned n_pending;
};

/*
 * Slots.
 */

static struct slot *slot_of(struct tmk_engine *e, intptr_t file)
{
    assert(file >= 0 && (size_t)file < e->n_slots &&
           e->slots[file].path != NULL);
    return &e->slots[file];
}

/* A free slot that is to hold a path; its number, or -ENOMEM. */
static intptr_t take_slot(struct tmk_engine *e, const char *dir,
                          const char *name)
{
    size_t size = strlen(dir) + strlen(name) + 2;
    size_t at = 0;
    char *path = malloc(size);

    if (path == NULL) {
        return -ENOMEM;
    }
    (void)snprintf(path, size, "%s%s%s", dir,
                   tmk_trace_lines_slash(dir) ? "/" : "", name);
    while (at < e->n_slots && e->slots[at].path != NULL) {
        at++;
    }
    if (at == e->n_slots) {
        size_t n = e->n_slots != 0 ? 2 * e->n_slots : 16;
        struct slot *more = realloc(e->slots, n * sizeof(*more));

        if (more == NULL) {
            free(path);
            return -ENOMEM;
        }
        memset(more + e->n_slots, 0, (n - e->n_slots) * sizeof(*more));
        e->slots = more;
        e->n_slots = n;
    }
    e->slots[at].path = path;
    return (intptr_t)at;
}

static void free_slot(struct tmk_engine *e, intptr_t at)
{
    struct slot *slot = slot_of(e, at);

    if (e->dir == slot->path) {
        e->dir = "";
    }
    if (e->to_dir == slot->path) {
        e->to_dir = "";
    }
    free(slot->path);
    slot->path = NULL;
}

/* What came of an open: the caller gets the slot, or it is free again. */
static int keep(struct tmk_engine *e, intptr_t at, int err, intptr_t *file)
{
    if (err == 0) {
        *file = at;
    } else {
        free_slot(e, at);
    }
    return err;
}

/*
 * Calls that take a path, once for both tables: `by` is the one of the engine
 * inside, `dir` what the name is relative to.
 */

static const char *const flags_of[] = {
    [TMK_ENGINE_READ] = "O_RDONLY",
    [TMK_ENGINE_WRITE] = "O_WRONLY",
    [TMK_ENGINE_READ_WRITE] = "O_RDWR",
};

static int create_in(struct tmk_engine *e, const struct tmk_engine_ops *by,
                     const char *call, const char *dir, const char *name,
                     mode_t mode, intptr_t *file)
{
    intptr_t at = take_slot(e, dir, name);
    int err;

    if (at < 0) {
        return (int)at;
    }
    err = by->create(e->inner, name, mode, &e->slots[at].file);
    (void)tmk_trace_lines_open(&e->lines, call, "O_RDWR|O_CREAT", e->direct,
                               dir, name, err);
    return keep(e, at, err, file);
}

static int open_in(struct tmk_engine *e, const struct tmk_engine_ops *by,
                   const char *call, const char *dir, const char *name,
                   enum tmk_engine_access access, intptr_t *file)
{
    intptr_t at = take_slot(e, dir, name);
    int err;

    if (at < 0) {
        return (int)at;
    }
    err = by->open(e->inner, name, access, &e->slots[at].file);
    (void)tmk_trace_lines_open(&e->lines, call, flags_of[access], e->direct,
                               dir, name, err);
    return keep(e, at, err, file);
}

static int trace_mkdir(struct tmk_engine *e, const char *path, mode_t mode)
{
    return tmk_trace_lines_call(&e->lines, "mkdir", "", path,
                                e->ops->mkdir(e->inner, path, mode));
}

static int trace_rmdir(struct tmk_engine *e, const char *path)
{
    return tmk_trace_lines_call(&e->lines, "rmdir", "", path,
                                e->ops->rmdir(e->inner, path));
}

static int trace_unlink(struct tmk_engine *e, const char *path)
{
    return tmk_trace_lines_call(&e->lines, "unlink", "", path,
                                e->ops->unlink(e->inner, path));
}

static int trace_rename(struct tmk_engine *e, const char *from, const char *to)
{
    return tmk_trace_lines_rename(&e->lines, "rename", "", from, "", to,
                                  e->ops->rename(e->inner, from, to));
}

static int trace_stat(struct tmk_engine *e, const char *path, struct stat *st)
{
    return tmk_trace_lines_call(&e->lines, "stat", "", path,
                                e->ops->stat(e->inner, path, st));
}

static int trace_create(struct tmk_engine *e, const char *path, mode_t mode,
                        intptr_t *file)
{
    return create_in(e, e->ops, "open", "", path, mode, file);
}

static int trace_mknod(struct tmk_engine *e, const char *path, mode_t mode)
{
    return tmk_trace_lines_call(&e->lines, "mknod", "", path,
                                e->ops->mknod(e->inner, path, mode));
}

static int trace_open(struct tmk_engine *e, const char *path,
                      enum tmk_engine_access access, intptr_t *file)
{
    return open_in(e, e->ops, "open", "", path, access, file);
}

/*
 * The same relative to a directory.
 */

static int at_mkdir(struct tmk_engine *e, const char *name, mode_t mode)
{
    return tmk_trace_lines_call(&e->lines, "mkdirat", e->dir, name,
                                e->ops->relative->mkdir(e->inner, name, mode));
}

static int at_rmdir(struct tmk_engine *e, const char *name)
{
    return tmk_trace_lines_call(&e->lines, "unlinkat AT_REMOVEDIR", e->dir,
                                name, e->ops->relative->rmdir(e->inner, name));
}

static int at_unlink(struct tmk_engine *e, const char *name)
{
    return tmk_trace_lines_call(&e->lines, "unlinkat", e->dir, name,
                                e->ops->relative->unlink(e->inner, name));
}

static int at_rename(struct tmk_engine *e, const char *from, const char *to)
{
    return tmk_trace_lines_rename(&e->lines, "renameat", e->dir, from,
                                  e->to_dir, to,
                                  e->ops->relative->rename(e->inner, from, to));
}

static int at_stat(struct tmk_engine *e, const char *name, struct stat *st)
{
    return tmk_trace_lines_call(&e->lines, "fstatat", e->dir, name,
                                e->ops->relative->stat(e->inner, name, st));
}

static int at_create(struct tmk_engine *e, const char *name, mode_t mode,
                     intptr_t *file)
{
    return create_in(e, e->ops->relative, "openat", e->dir, name, mode, file);
}

static int at_mknod(struct tmk_engine *e, const char *name, mode_t mode)
{
    return tmk_trace_lines_call(&e->lines, "mknodat", e->dir, name,
                                e->ops->relative->mknod(e->inner, name, mode));
}

static int at_open(struct tmk_engine *e, const char *name,
                   enum tmk_engine_access access, intptr_t *file)
{
    return open_in(e, e->ops->relative, "openat", e->dir, name, access, file);
}

/*
 * Calls on what is open.
 */

static int trace_close(struct tmk_engine *e, intptr_t file)
{
    const struct slot *slot = slot_of(e, file);
    int err = e->ops->close(e->inner, slot->file);

    (void)tmk_trace_lines_call(&e->lines, "close", "", slot->path, err);
    free_slot(e, file);
    return err;
}

static int64_t trace_write(struct tmk_engine *e, intptr_t file, const void *buf,
                           size_t bytes)
{
    const struct slot *slot = slot_of(e, file);

    return tmk_trace_lines_number(
        &e->lines, "write", bytes, slot->path,
        e->ops->write(e->inner, slot->file, buf, bytes));
}

static int64_t trace_read(struct tmk_engine *e, intptr_t file, void *buf,
                          size_t bytes)
{
    const struct slot *slot = slot_of(e, file);

    return tmk_trace_lines_number(
        &e->lines, "read", bytes, slot->path,
        e->ops->read(e->inner, slot->file, buf, bytes));
}

static int64_t trace_pwrite(struct tmk_engine *e, intptr_t file,
                            const void *buf, size_t bytes, uint64_t offset)
{
    const struct slot *slot = slot_of(e, file);

    return tmk_trace_lines_place(
        &e->lines, "pwrite", bytes, offset, slot->path,
        e->ops->pwrite(e->inner, slot->file, buf, bytes, offset));
}

static int64_t trace_pread(struct tmk_engine *e, intptr_t file, void *buf,
                           size_t bytes, uint64_t offset)
{
    const struct slot *slot = slot_of(e, file);

    return tmk_trace_lines_place(
        &e->lines, "pread", bytes, offset, slot->path,
        e->ops->pread(e->inner, slot->file, buf, bytes, offset));
}

/*
 * Transfers of which several are under way: a line each when it is over.
 */

static unsigned trace_depth(const struct tmk_engine *e)
{
    return e->n_pending;
}

static int trace_buffers(struct tmk_engine *e, void *const *bufs, unsigned n,
                         size_t bytes)
{
    return e->ops->buffers(e->inner, bufs, n, bytes);
}

static void note_pending(struct tmk_engine *e, const struct pending *p,
                         int64_t result)
{
    (void)tmk_trace_lines_place(&e->lines, p->writing ? "pwrite" : "pread",
                                p->bytes, p->offset, slot_of(e, p->file)->path,
                                result);
}

static int trace_submit(struct tmk_engine *e, intptr_t file, bool writing,
                        unsigned slot, void *buf, size_t bytes, uint64_t offset)
{
    struct pending *p = &e->pending[slot];
    int err;

    assert(slot < e->n_pending);
    *p = (struct pending){
        .file = file, .writing = writing, .bytes = bytes, .offset = offset};
    err = e->ops->submit(e->inner, slot_of(e, file)->file, writing, slot, buf,
                         bytes, offset);
    if (err != 0) {
        note_pending(e, p, err);
    }
    return err;
}

static int trace_reap(struct tmk_engine *e, unsigned *slot, int64_t *result)
{
    int err = e->ops->reap(e->inner, slot, result);

    if (err == 0) {
        note_pending(e, &e->pending[*slot], *result);
    }
    return err;
}

/*
 * Calls as ior 4.1 has them.
 */

static int64_t seek_pwrite(struct tmk_engine *e, intptr_t file, const void *buf,
                           size_t bytes, uint64_t offset)
{
    const struct slot *slot = slot_of(e, file);
    int64_t n =
        e->ops->legacy->pwrite(e->inner, slot->file, buf, bytes, offset);

    (void)tmk_trace_lines_number(&e->lines, "lseek", offset, slot->path, 0);
    return tmk_trace_lines_number(&e->lines, "write", bytes, slot->path, n);
}

static int64_t seek_pread(struct tmk_engine *e, intptr_t file, void *buf,
                          size_t bytes, uint64_t offset)
{
    const struct slot *slot = slot_of(e, file);
    int64_t n = e->ops->legacy->pread(e->inner, slot->file, buf, bytes, offset);

    (void)tmk_trace_lines_number(&e->lines, "lseek", offset, slot->path, 0);
    return tmk_trace_lines_number(&e->lines, "read", bytes, slot->path, n);
}

static int legacy_create(struct tmk_engine *e, const char *path, mode_t mode,
                         intptr_t *file)
{
    return create_in(e, e->ops->legacy, "open", "", path, mode, file);
}

static int trace_rewind(struct tmk_engine *e, intptr_t file)
{
    const struct slot *slot = slot_of(e, file);

    return tmk_trace_lines_call(&e->lines, "lseek 0", "", slot->path,
                                e->ops->rewind(e->inner, slot->file));
}

static int trace_fsync(struct tmk_engine *e, intptr_t file)
{
    const struct slot *slot = slot_of(e, file);

    return tmk_trace_lines_call(&e->lines, "fsync", "", slot->path,
                                e->ops->fsync(e->inner, slot->file));
}

static int trace_open_dir(struct tmk_engine *e, const char *path, intptr_t *dir)
{
    intptr_t at = take_slot(e, "", path);
    int err;

    if (at < 0) {
        return (int)at;
    }
    err = e->ops->open_dir(e->inner, path, &e->slots[at].file);
    (void)tmk_trace_lines_call(&e->lines, "open O_RDONLY|O_DIRECTORY", "", path,
                               err);
    return keep(e, at, err, dir);
}

static int trace_close_dir(struct tmk_engine *e, intptr_t dir)
{
    const struct slot *slot = slot_of(e, dir);
    int err = e->ops->close_dir(e->inner, slot->file);

    (void)tmk_trace_lines_call(&e->lines, "close", "", slot->path, err);
    free_slot(e, dir);
    return err;
}

/* No call of the system, so no line. */
static void trace_use_dirs(struct tmk_engine *e, intptr_t dir, intptr_t to_dir)
{
    e->dir = slot_of(e, dir)->path;
    e->to_dir = slot_of(e, to_dir)->path;
    e->ops->use_dirs(e->inner, e->slots[dir].file, e->slots[to_dir].file);
}

/*
 * Calls on the whole.
 */

static int trace_sync(struct tmk_engine *e)
{
    return tmk_trace_lines_plain(&e->lines, "sync", e->ops->sync(e->inner));
}

static int trace_size(struct tmk_engine *e, const char *path, uint64_t *bytes)
{
    return tmk_trace_lines_call(&e->lines, "stat", "", path,
                                e->ops->size(e->inner, path, bytes));
}

/* No call of the system, so no line; nor the next. */
static int trace_expect(struct tmk_engine *e,
                        const struct tmk_engine_transfers *transfers)
{
    return e->ops->expect(e->inner, transfers);
}

static const char *trace_describe(struct tmk_engine *e)
{
    return e->ops->describe(e->inner);
}

static int trace_list(struct tmk_engine *e, const char *path,
                      bool (*visit)(void *arg, const char *name, bool is_dir),
                      void *arg)
{
    return tmk_trace_lines_call(&e->lines, "opendir", "", path,
                                e->ops->list(e->inner, path, visit, arg));
}

static int trace_usage(struct tmk_engine *e, const char *path,
                       struct tmk_engine_usage *usage)
{
    return tmk_trace_lines_call(&e->lines, "statvfs", "", path,
                                e->ops->usage(e->inner, path, usage));
}

static bool trace_direct(const struct tmk_engine *e)
{
    return e->ops->direct(e->inner);
}

/* Ours where the engine inside has one. */
#define CALL(by, slot, call) .slot = (by)->slot != NULL ? (call) : NULL

static struct tmk_engine_ops table_of(const struct tmk_engine_ops *by, bool at)
{
    return (struct tmk_engine_ops){
        .name = by->name,
        .prefix = by->prefix,
        CALL(by, mkdir, at ? at_mkdir : trace_mkdir),
        CALL(by, rmdir, at ? at_rmdir : trace_rmdir),
        CALL(by, unlink, at ? at_unlink : trace_unlink),
        CALL(by, rename, at ? at_rename : trace_rename),
        CALL(by, stat, at ? at_stat : trace_stat),
        CALL(by, create, at ? at_create : trace_create),
        CALL(by, mknod, at ? at_mknod : trace_mknod),
        CALL(by, open, at ? at_open : trace_open),
        CALL(by, close, trace_close),
        CALL(by, write, trace_write),
        CALL(by, read, trace_read),
        CALL(by, pwrite, trace_pwrite),
        CALL(by, pread, trace_pread),
        CALL(by, depth, trace_depth),
        CALL(by, buffers, trace_buffers),
        CALL(by, submit, trace_submit),
        CALL(by, reap, trace_reap),
        CALL(by, expect, trace_expect),
        CALL(by, rewind, trace_rewind),
        CALL(by, fsync, trace_fsync),
        CALL(by, sync, trace_sync),
        CALL(by, size, trace_size),
        .version = by->version,
        .plain_path = by->plain_path,
        CALL(by, describe, trace_describe),
        CALL(by, list, trace_list),
        CALL(by, usage, trace_usage),
        CALL(by, open_dir, trace_open_dir),
        CALL(by, close_dir, trace_close_dir),
        CALL(by, use_dirs, trace_use_dirs),
        CALL(by, direct, trace_direct),
        .stores = by->stores,
    };
}

/* Transfers of their own are those that seek first. */
static struct tmk_engine_ops legacy_of(const struct tmk_engine_ops *ops)
{
    struct tmk_engine_ops legacy = table_of(ops->legacy, false);

    legacy.create = legacy_create;
    if (ops->legacy->pwrite != ops->pwrite) {
        legacy.pwrite = seek_pwrite;
        legacy.pread = seek_pread;
    }
    return legacy;
}

struct tmk_engine *tmk_engine_trace_new(const struct tmk_engine_ops *ops,
                                        struct tmk_engine *engine, FILE *to,
                                        const struct tmk_engine_ops **traced)
{
    struct tmk_engine *e = calloc(1, sizeof(*e));

    if (e == NULL) {
        return NULL;
    }
    e->ops = ops;
    e->inner = engine;
    e->lines.to = to;
    e->direct = ops->direct != NULL && ops->direct(engine) ? "|O_DIRECT" : "";
    e->dir = "";
    e->to_dir = "";
    e->plain = table_of(ops, false);
    if (ops->relative != NULL) {
        e->relative = table_of(ops->relative, true);
        e->plain.relative = &e->relative;
    }
    if (ops->legacy != NULL) {
        e->legacy = legacy_of(ops);
        e->plain.legacy = &e->legacy;
    }
    if (ops->depth != NULL && ops->depth(engine) != 0) {
        e->n_pending = ops->depth(engine);
        e->pending = calloc(e->n_pending, sizeof(*e->pending));
        if (e->pending == NULL) {
            free(e);
            return NULL;
        }
    }
    *traced = &e->plain;
    return e;
}

int tmk_engine_trace_free(struct tmk_engine *e)
{
    int err;

    if (e == NULL) {
        return 0;
    }
    for (size_t i = 0; i < e->n_slots; i++) {
        free(e->slots[i].path);
    }
    err = e->lines.err;
    free(e->slots);
    free(e->pending);
    free(e);
    return err;
}
