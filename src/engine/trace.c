/*
 * trace: an engine that makes the calls of another one and writes them down.
 *
 * Files and directories that are open have slots, which hold their paths; the
 * number of the slot is what the caller gets for a file.
 */
#include "engine/trace.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/errnum.h"

/* An open file or directory of the engine inside. */
struct slot {
    intptr_t file;
    char *path; /* owned; NULL: the slot is free */
};

struct tmk_engine {
    struct tmk_engine_ops plain, relative; /* to call this one by */
    const struct tmk_engine_ops *ops;      /* of the engine inside */
    struct tmk_engine *inner;
    FILE *to;
    int err;            /* of the first line that could not be written */
    const char *direct; /* what each open of a file has as well */
    struct slot *slots; /* owned */
    size_t n_slots;
    const char *dir, *to_dir; /* in use; borrowed from slots, or "" */
};

/*
 * Lines.
 */

/* Control characters, and what would make them ambiguous. */
static const char special[] =
    "\\\001\002\003\004\005\006\007\010\t\n\013\014\r\016\017\020\021\022\023"
    "\024\025\026\027\030\031\032\033\034\035\036\037\177";

static void put_text(struct tmk_engine *e, const char *text)
{
    size_t n = strcspn(text, special);

    while (text[n] != '\0') {
        unsigned char c = (unsigned char)text[n];

        (void)fwrite(text, 1, n, e->to);
        if (c == '\\') {
            (void)fputs("\\\\", e->to);
        } else if (c == '\n') {
            (void)fputs("\\n", e->to);
        } else {
            (void)fprintf(e->to, "\\%03o", c);
        }
        text += n + 1;
        n = strcspn(text, special);
    }
    (void)fputs(text, e->to);
}

/* Does a name in a directory need a slash before it? */
static bool needs_slash(const char *dir)
{
    size_t n = strlen(dir);

    return n != 0 && dir[n - 1] != '/';
}

/* A name in a directory, which is "" for a whole path. */
static void put_path(struct tmk_engine *e, const char *dir, const char *name)
{
    put_text(e, dir);
    if (needs_slash(dir)) {
        (void)fputc('/', e->to);
    }
    put_text(e, name);
}

/* The result where there is more to say than that it went well. */
static void put_result(struct tmk_engine *e, int64_t result)
{
    char name[32];

    if (result < 0) {
        (void)fprintf(e->to, " -> %s",
                      tmk_errnum_name((int)-result, name, sizeof(name)));
    } else if (result > 0) {
        (void)fprintf(e->to, " -> %" PRId64, result);
    }
    (void)fputc('\n', e->to);
    if (ferror(e->to) != 0) {
        e->err = errno != 0 ? -errno : -EIO;
    }
}

/* "<call> <path>" and what came of it; returns that. */
static int note(struct tmk_engine *e, const char *call, const char *dir,
                const char *name, int err)
{
    if (e->err == 0) {
        (void)fprintf(e->to, "%s ", call);
        put_path(e, dir, name);
        put_result(e, err);
    }
    return err;
}

/* The same for a transfer. */
static int64_t note_bytes(struct tmk_engine *e, const char *call, size_t bytes,
                          const char *path, int64_t result)
{
    if (e->err == 0) {
        (void)fprintf(e->to, "%s %zu ", call, bytes);
        put_text(e, path);
        put_result(e, result);
    }
    return result;
}

static int note_rename(struct tmk_engine *e, const char *call,
                       const char *from_dir, const char *from,
                       const char *to_dir, const char *to, int err)
{
    if (e->err == 0) {
        (void)fprintf(e->to, "%s ", call);
        put_path(e, from_dir, from);
        (void)fputs(" -> ", e->to);
        put_path(e, to_dir, to);
        put_result(e, err);
    }
    return err;
}

static int note_open(struct tmk_engine *e, const char *call, const char *flags,
                     const char *dir, const char *name, int err)
{
    if (e->err == 0) {
        (void)fprintf(e->to, "%s %s%s ", call, flags, e->direct);
        put_path(e, dir, name);
        put_result(e, err);
    }
    return err;
}

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
    (void)snprintf(path, size, "%s%s%s", dir, needs_slash(dir) ? "/" : "",
                   name);
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
    (void)note_open(e, call, "O_RDWR|O_CREAT", dir, name, err);
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
    (void)note_open(e, call, flags_of[access], dir, name, err);
    return keep(e, at, err, file);
}

static int trace_mkdir(struct tmk_engine *e, const char *path, mode_t mode)
{
    return note(e, "mkdir", "", path, e->ops->mkdir(e->inner, path, mode));
}

static int trace_rmdir(struct tmk_engine *e, const char *path)
{
    return note(e, "rmdir", "", path, e->ops->rmdir(e->inner, path));
}

static int trace_unlink(struct tmk_engine *e, const char *path)
{
    return note(e, "unlink", "", path, e->ops->unlink(e->inner, path));
}

static int trace_rename(struct tmk_engine *e, const char *from, const char *to)
{
    return note_rename(e, "rename", "", from, "", to,
                       e->ops->rename(e->inner, from, to));
}

static int trace_stat(struct tmk_engine *e, const char *path, struct stat *st)
{
    return note(e, "stat", "", path, e->ops->stat(e->inner, path, st));
}

static int trace_create(struct tmk_engine *e, const char *path, mode_t mode,
                        intptr_t *file)
{
    return create_in(e, e->ops, "open", "", path, mode, file);
}

static int trace_mknod(struct tmk_engine *e, const char *path, mode_t mode)
{
    return note(e, "mknod", "", path, e->ops->mknod(e->inner, path, mode));
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
    return note(e, "mkdirat", e->dir, name,
                e->ops->relative->mkdir(e->inner, name, mode));
}

static int at_rmdir(struct tmk_engine *e, const char *name)
{
    return note(e, "unlinkat AT_REMOVEDIR", e->dir, name,
                e->ops->relative->rmdir(e->inner, name));
}

static int at_unlink(struct tmk_engine *e, const char *name)
{
    return note(e, "unlinkat", e->dir, name,
                e->ops->relative->unlink(e->inner, name));
}

static int at_rename(struct tmk_engine *e, const char *from, const char *to)
{
    return note_rename(e, "renameat", e->dir, from, e->to_dir, to,
                       e->ops->relative->rename(e->inner, from, to));
}

static int at_stat(struct tmk_engine *e, const char *name, struct stat *st)
{
    return note(e, "fstatat", e->dir, name,
                e->ops->relative->stat(e->inner, name, st));
}

static int at_create(struct tmk_engine *e, const char *name, mode_t mode,
                     intptr_t *file)
{
    return create_in(e, e->ops->relative, "openat", e->dir, name, mode, file);
}

static int at_mknod(struct tmk_engine *e, const char *name, mode_t mode)
{
    return note(e, "mknodat", e->dir, name,
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

    (void)note(e, "close", "", slot->path, err);
    free_slot(e, file);
    return err;
}

static int64_t trace_write(struct tmk_engine *e, intptr_t file, const void *buf,
                           size_t bytes)
{
    const struct slot *slot = slot_of(e, file);

    return note_bytes(e, "write", bytes, slot->path,
                      e->ops->write(e->inner, slot->file, buf, bytes));
}

static int64_t trace_read(struct tmk_engine *e, intptr_t file, void *buf,
                          size_t bytes)
{
    const struct slot *slot = slot_of(e, file);

    return note_bytes(e, "read", bytes, slot->path,
                      e->ops->read(e->inner, slot->file, buf, bytes));
}

static int trace_rewind(struct tmk_engine *e, intptr_t file)
{
    const struct slot *slot = slot_of(e, file);

    return note(e, "lseek 0", "", slot->path,
                e->ops->rewind(e->inner, slot->file));
}

static int trace_fsync(struct tmk_engine *e, intptr_t file)
{
    const struct slot *slot = slot_of(e, file);

    return note(e, "fsync", "", slot->path,
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
    (void)note(e, "open O_RDONLY|O_DIRECTORY", "", path, err);
    return keep(e, at, err, dir);
}

static int trace_close_dir(struct tmk_engine *e, intptr_t dir)
{
    const struct slot *slot = slot_of(e, dir);
    int err = e->ops->close_dir(e->inner, slot->file);

    (void)note(e, "close", "", slot->path, err);
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
    int err = e->ops->sync(e->inner);

    if (e->err == 0) {
        (void)fputs("sync", e->to);
        put_result(e, err);
    }
    return err;
}

static int trace_list(struct tmk_engine *e, const char *path,
                      bool (*visit)(void *arg, const char *name, bool is_dir),
                      void *arg)
{
    return note(e, "opendir", "", path,
                e->ops->list(e->inner, path, visit, arg));
}

static int trace_usage(struct tmk_engine *e, const char *path,
                       struct tmk_engine_usage *usage)
{
    return note(e, "statvfs", "", path, e->ops->usage(e->inner, path, usage));
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
        CALL(by, rewind, trace_rewind),
        CALL(by, fsync, trace_fsync),
        CALL(by, sync, trace_sync),
        CALL(by, list, trace_list),
        CALL(by, usage, trace_usage),
        CALL(by, open_dir, trace_open_dir),
        CALL(by, close_dir, trace_close_dir),
        CALL(by, use_dirs, trace_use_dirs),
        CALL(by, direct, trace_direct),
        .stores = by->stores,
    };
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
    e->to = to;
    e->direct = ops->direct != NULL && ops->direct(engine) ? "|O_DIRECT" : "";
    e->dir = "";
    e->to_dir = "";
    e->plain = table_of(ops, false);
    if (ops->relative != NULL) {
        e->relative = table_of(ops->relative, true);
        e->plain.relative = &e->relative;
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
    err = e->err;
    free(e->slots);
    free(e);
    return err;
}
