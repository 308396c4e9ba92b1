/*
 * Engine MPIIO: MPI-IO with explicit offsets, independent or collective.
 *
 * A shared file is opened by all ranks of the communicator that expect() was
 * given, so that its create, open, close and fsync are collective; any other
 * file is opened by one rank alone.  Calls on paths are those of POSIX.
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "engine/mpiio_hints.h"
#include "engine/mpiio_paths.h"
#include "engine/mpiio_view.h"
#include "engine/posix_calls.h"

struct conf {
    const char *hints_file;
    unsigned show_hints, preallocate, file_view, strided;
};

static const struct tmk_opt opts[] = {
    TMK_OPT_STR('\0', "hintsFileName", struct conf, hints_file, "FILE",
                "give MPI-IO the hints in this file"),
    TMK_OPT_FLAG('\0', "showHints", struct conf, show_hints,
                 "print the hints given and those in use"),
    TMK_OPT_FLAG('\0', "preallocate", struct conf, preallocate,
                 "reserve space for the whole file when it is created"),
    TMK_OPT_FLAG('\0', "useFileView", struct conf, file_view,
                 "see of a shared file only the blocks of one's own"),
    TMK_OPT_FLAG('\0', "useStridedDatatype", struct conf, strided,
                 "not available here (--mpiio.useFileView is)"),
};

enum {
    FILES = 8,             /* that may be open at a time */
    PIECE_BYTES = 1 << 30, /* of a count, which is an int */
    WHY_SIZE = 512,
};

/* An open file. */
struct file {
    bool open; /* else there is none */
    MPI_File handle;
    bool collective; /* its transfers */
    bool view;       /* of the blocks of one rank */
    bool single;     /* what came short is not gone on with */
    uint64_t bytes;  /* where it ends, if it does not grow */
};

struct tmk_engine {
    const struct conf *conf;
    struct tmk_engine_transfers transfers;
    MPI_Comm comm; /* borrowed */
    MPI_Info info; /* the hints given; owned */
    MPI_Info used; /* those in use, of the file opened last; owned */
    struct file files[FILES];
    char *text; /* owned; what describe() gave */
    char why[WHY_SIZE];
};

/*
 * Errors.
 */

/* MPICH calls most errors one of I/O, and puts into words which. */
static int error_in_words(int code)
{
    static const int errs[] = {ENOSPC, EDQUOT, EFBIG,  EROFS, ESTALE, ENOTCONN,
                               EACCES, EPERM,  EISDIR, EBADF, EINVAL, ENOMEM};
    char words[MPI_MAX_ERROR_STRING + 1] = "";
    int length;

    (void)MPI_Error_string(code, words, &length);
    for (size_t i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
        if (strstr(words, strerror(errs[i])) != NULL) {
            return -errs[i];
        }
    }
    return -EIO;
}

/* Its -errno; 0 for success. */
static int error_of(int code)
{
    static const struct {
        int mpi, err;
    } rows[] = {{MPI_ERR_NO_SPACE, -ENOSPC},
                {MPI_ERR_QUOTA, -EDQUOT},
                {MPI_ERR_NO_SUCH_FILE, -ENOENT},
                {MPI_ERR_FILE_EXISTS, -EEXIST},
                {MPI_ERR_ACCESS, -EACCES},
                {MPI_ERR_READ_ONLY, -EROFS},
                {MPI_ERR_NO_MEM, -ENOMEM},
                {MPI_ERR_FILE, -EBADF},
                {MPI_ERR_BAD_FILE, -EINVAL},
                {MPI_ERR_UNSUPPORTED_OPERATION, -EOPNOTSUPP}};
    int class = MPI_ERR_IO;

    if (code == MPI_SUCCESS) {
        return 0;
    }
    (void)MPI_Error_class(code, &class);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].mpi == class) {
            return rows[i].err;
        }
    }
    return error_in_words(code);
}

/*
 * Instances, and what they are told.
 */

static void free_info(MPI_Info *info)
{
    if (*info != MPI_INFO_NULL) {
        MPI_Info_free(info);
    }
}

static struct tmk_engine *mpiio_open_instance(const void *conf, unsigned index,
                                              int *err)
{
    struct tmk_engine *e = calloc(1, sizeof(*e));

    (void)index;
    *err = e != NULL ? 0 : -ENOMEM;
    if (e != NULL) {
        e->conf = conf;
        e->comm = MPI_COMM_SELF;
        e->info = MPI_INFO_NULL;
        e->used = MPI_INFO_NULL;
    }
    return e;
}

static void mpiio_close_instance(struct tmk_engine *e)
{
    if (e != NULL) {
        free_info(&e->info);
        free_info(&e->used);
        free(e->text);
    }
    free(e);
}

static int refuse(struct tmk_engine *e, int err, const char *why)
{
    (void)snprintf(e->why, sizeof(e->why), "%s", why);
    return err;
}

/* What cannot be, whatever the rank. */
static int check_conf(struct tmk_engine *e)
{
    if (e->conf->strided != 0) {
        return refuse(e, -EOPNOTSUPP,
                      "--mpiio.useStridedDatatype: not available here "
                      "(--mpiio.useFileView is)");
    }
    if (e->conf->file_view != 0 && e->transfers.shared && e->transfers.random) {
        return refuse(e, -EINVAL,
                      "--mpiio.useFileView: a view has no random order (-z)");
    }
    return 0;
}

/* Those of rank 0 to all others.  Collective.  0 or -ENOMEM, alike. */
static int share_hints(MPI_Comm comm, struct tmk_mpiio_hints *hints)
{
    int length = (int)hints->length; /* TMK_MPIIO_HINTS_MOST at most */
    int err = 0;

    MPI_Bcast(&length, 1, MPI_INT, 0, comm);
    if (hints->text == NULL && length != 0) {
        hints->text = malloc((size_t)length);
        hints->length = (size_t)length;
        err = hints->text != NULL ? 0 : -ENOMEM;
    }
    MPI_Allreduce(MPI_IN_PLACE, &err, 1, MPI_INT, MPI_MIN, comm);
    if (err == 0) {
        MPI_Bcast(hints->text, length, MPI_BYTE, 0, comm);
    }
    return err;
}

/* A fresh e->info of those hints. */
static void take_hints(struct tmk_engine *e,
                       const struct tmk_mpiio_hints *hints)
{
    const char *value = NULL;
    const char *name = tmk_mpiio_hints_next(hints, NULL, &value);

    free_info(&e->info);
    if (name != NULL) {
        MPI_Info_create(&e->info);
    }
    while (name != NULL) {
        MPI_Info_set(e->info, name, value);
        name = tmk_mpiio_hints_next(hints, name, &value);
    }
}

static int mpiio_expect(struct tmk_engine *e,
                        const struct tmk_engine_transfers *transfers)
{
    struct tmk_mpiio_hints hints = {0};
    int rank;
    int err;

    e->transfers = *transfers;
    e->comm = transfers->comm != NULL ? *(const MPI_Comm *)transfers->comm
                                      : MPI_COMM_SELF;
    e->why[0] = '\0';
    free_info(&e->used);
    err = check_conf(e);
    if (err != 0) {
        return err;
    }
    MPI_Comm_rank(e->comm, &rank);
    if (rank == 0) {
        err = tmk_mpiio_hints_read(&hints, environ, e->conf->hints_file,
                                   MPI_MAX_INFO_KEY, MPI_MAX_INFO_VAL, e->why,
                                   sizeof(e->why));
    }
    MPI_Bcast(&err, 1, MPI_INT, 0, e->comm);
    if (err != 0) {
        MPI_Bcast(e->why, WHY_SIZE, MPI_CHAR, 0, e->comm);
    } else {
        err = share_hints(e->comm, &hints);
    }
    if (err == 0) {
        take_hints(e, &hints);
    } else if (err == -ENOMEM) {
        (void)refuse(e, err, "hints: out of memory");
    }
    tmk_mpiio_hints_fini(&hints);
    return err;
}

/*
 * What there is to tell.
 */

static void print_hints(FILE *to, const char *title, MPI_Info info)
{
    int n = 0;

    if (info != MPI_INFO_NULL) {
        MPI_Info_get_nkeys(info, &n);
    }
    (void)fprintf(to, "%s%s\n", title, n == 0 ? " none" : "");
    for (int i = 0; i < n; i++) {
        char name[MPI_MAX_INFO_KEY + 1];
        char value[MPI_MAX_INFO_VAL + 1] = "";
        int is_there = 0;

        MPI_Info_get_nthkey(info, i, name);
        MPI_Info_get(info, name, MPI_MAX_INFO_VAL, value, &is_there);
        if (is_there != 0) {
            (void)fprintf(to, "  %s = %s\n", name, value);
        }
    }
}

static const char *mpiio_describe(struct tmk_engine *e)
{
    size_t size = 0;
    FILE *to;

    if (e->why[0] != '\0') {
        return e->why;
    }
    if (e->conf->show_hints == 0) {
        return NULL;
    }
    free(e->text);
    e->text = NULL;
    to = open_memstream(&e->text, &size);
    if (to == NULL) {
        return NULL;
    }
    print_hints(to, "hints given to MPI_File_open:", e->info);
    if (e->used != MPI_INFO_NULL) {
        print_hints(to, "hints in use:", e->used);
    }
    return fclose(to) == 0 ? e->text : NULL;
}

/* That of MPI. */
static const char *mpiio_version(void)
{
#define TEXT_OF(n)    #n
#define PAIR_OF(a, b) "(" TEXT_OF(a) "." TEXT_OF(b) ")"
    return PAIR_OF(MPI_VERSION, MPI_SUBVERSION);
}

/*
 * Opening.
 */

static struct file *file_of(struct tmk_engine *e, intptr_t file)
{
    assert(file >= 0 && file < FILES && e->files[file].open);
    return &e->files[file];
}

/* So many bytes, which may be more than an int counts. */
static MPI_Datatype type_of(uint64_t bytes)
{
    uint64_t whole = bytes / PIECE_BYTES;
    uint64_t rest = bytes % PIECE_BYTES;
    MPI_Datatype parts[2] = {MPI_DATATYPE_NULL, MPI_BYTE};
    const int counts[2] = {(int)whole, (int)rest};
    const MPI_Aint at[2] = {0, (MPI_Aint)(whole * PIECE_BYTES)};
    MPI_Datatype type;

    if (whole == 0) {
        MPI_Type_contiguous((int)rest, MPI_BYTE, &type);
        return type;
    }
    MPI_Type_contiguous(PIECE_BYTES, MPI_BYTE, &parts[0]);
    MPI_Type_create_struct(rest != 0 ? 2 : 1, counts, at, parts, &type);
    MPI_Type_free(&parts[0]);
    return type;
}

/* One block of the rank in each segment:
 *
 *     rank 1 of 3:  .B.  .B.  .B.
 */
static int set_view(const struct tmk_engine *e, MPI_File handle)
{
    const struct tmk_engine_transfers *t = &e->transfers;
    MPI_Datatype block = type_of(t->block_bytes);
    MPI_Datatype segment;
    int err;

    MPI_Type_create_resized(block, 0, (MPI_Aint)(t->ranks * t->block_bytes),
                            &segment);
    MPI_Type_commit(&segment);
    err = error_of(MPI_File_set_view(handle,
                                     (MPI_Offset)(t->rank * t->block_bytes),
                                     MPI_BYTE, segment, "native", e->info));
    MPI_Type_free(&segment);
    MPI_Type_free(&block);
    return err;
}

/* What MPI says of many errors is not what a user wants to know. */
static int open_error(int code, const char *path)
{
    int err = error_of(code);
    struct stat st;

    if (err != -EINVAL && err != -EIO && err != -ENOENT) {
        return err;
    }
    if (stat(tmk_mpiio_paths_plain(path), &st) != 0) {
        return errno != ENOENT || err == -EIO ? -errno : err;
    }
    return S_ISDIR(st.st_mode) ? -EISDIR : err;
}

/* What follows MPI_File_open, on all ranks whatever comes of it.  0 or -errno,
 * not alike. */
static int set_up(struct tmk_engine *e, struct file *f, bool creates,
                  bool empties)
{
    MPI_Offset bytes = (MPI_Offset)e->transfers.file_bytes;
    int err = 0;
    int next = 0;

    MPI_File_set_errhandler(f->handle, MPI_ERRORS_RETURN);
    if (empties) {
        err = error_of(MPI_File_set_size(f->handle, 0));
    }
    if (creates && e->conf->preallocate != 0) {
        next = error_of(MPI_File_preallocate(f->handle, bytes));
        err = err != 0 ? err : next;
    }
    if (f->view) {
        next = set_view(e, f->handle);
        err = err != 0 ? err : next;
    }
    return err;
}

static int close_file(struct file *f)
{
    f->open = false; /* also after an error */
    return error_of(MPI_File_close(&f->handle));
}

/* One that is not used, or NULL. */
static struct file *free_file(struct tmk_engine *e)
{
    for (size_t i = 0; i < FILES; i++) {
        if (!e->files[i].open) {
            return &e->files[i];
        }
    }
    return NULL;
}

static int open_file(struct tmk_engine *e, const char *path, int mode,
                     bool empties, intptr_t *file)
{
    const struct tmk_engine_transfers *t = &e->transfers;
    MPI_Comm comm = t->shared ? e->comm : MPI_COMM_SELF;
    bool creates = (mode & MPI_MODE_CREATE) != 0;
    struct file *f = free_file(e);
    char buf[PATH_MAX + sizeof("ufs:")];
    const char *named;
    MPI_Offset size = 0;
    int code;
    int err;

    if (f == NULL) {
        return -EMFILE;
    }
#ifdef OPEN_MPI /* which takes it for a part of the name */
    named = tmk_mpiio_paths_plain(path);
#else
    named = tmk_mpiio_paths_named(path, buf, sizeof(buf));
#endif
    if (named == NULL) {
        return -ENAMETOOLONG;
    }
    code = MPI_File_open(comm, named, mode | MPI_MODE_UNIQUE_OPEN, e->info,
                         &f->handle);
    if (code != MPI_SUCCESS) {
        return open_error(code, path);
    }
    f->open = true;
    f->collective = t->collective;
    f->view = e->conf->file_view != 0 && t->shared;
    f->single = t->single;
    f->bytes = UINT64_MAX;
    err = set_up(e, f, creates, empties);
    if (err == 0 && (mode & MPI_MODE_RDONLY) != 0) {
        err = error_of(MPI_File_get_size(f->handle, &size));
        f->bytes = (uint64_t)size;
    }
    if (empties || f->view || e->conf->preallocate != 0) {
        MPI_Allreduce(MPI_IN_PLACE, &err, 1, MPI_INT, MPI_MIN, comm);
    }
    if (err != 0) {
        (void)close_file(f);
        return err;
    }
    if (e->conf->show_hints != 0) {
        free_info(&e->used);
        MPI_File_get_info(f->handle, &e->used);
    }
    *file = f - e->files;
    return 0;
}

/* The permissions are MPI's. */
static int mpiio_create(struct tmk_engine *e, const char *path, mode_t mode,
                        intptr_t *file)
{
    (void)mode;
    return open_file(e, path, MPI_MODE_CREATE | MPI_MODE_RDWR, false, file);
}

static int legacy_create(struct tmk_engine *e, const char *path, mode_t mode,
                         intptr_t *file)
{
    (void)mode;
    return open_file(e, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, true, file);
}

static int mpiio_open(struct tmk_engine *e, const char *path,
                      enum tmk_engine_access access, intptr_t *file)
{
    static const int modes[] = {
        [TMK_ENGINE_READ] = MPI_MODE_RDONLY,
        [TMK_ENGINE_WRITE] = MPI_MODE_WRONLY,
        [TMK_ENGINE_READ_WRITE] = MPI_MODE_RDWR,
    };

    return open_file(e, path, modes[access], false, file);
}

static int mpiio_close(struct tmk_engine *e, intptr_t file)
{
    return close_file(file_of(e, file));
}

static int mpiio_fsync(struct tmk_engine *e, intptr_t file)
{
    return error_of(MPI_File_sync(file_of(e, file)->handle));
}

/*
 * Transfers.
 */

/* Of a write that moves nothing more Open MPI says that it went well. */
static int64_t piece(const struct file *f, bool writing, char *buf, int bytes,
                     uint64_t offset)
{
    MPI_Offset at = (MPI_Offset)offset;
    MPI_Status status;
    int done = 0;
    int code;

    errno = 0;
    if (writing && f->collective) {
        code =
            MPI_File_write_at_all(f->handle, at, buf, bytes, MPI_BYTE, &status);
    } else if (writing) {
        code = MPI_File_write_at(f->handle, at, buf, bytes, MPI_BYTE, &status);
    } else if (f->collective) {
        code =
            MPI_File_read_at_all(f->handle, at, buf, bytes, MPI_BYTE, &status);
    } else {
        code = MPI_File_read_at(f->handle, at, buf, bytes, MPI_BYTE, &status);
    }
    if (code != MPI_SUCCESS) {
        return error_of(code);
    }
    MPI_Get_count(&status, MPI_BYTE, &done);
    if (writing && done < bytes && (done == 0 || f->collective)) {
        return errno != 0 ? -errno : -EIO;
    }
    return done;
}

/* Collective calls are as many on each rank, whatever comes of them. */
static int64_t transfer(const struct file *f, bool writing, char *buf,
                        size_t bytes, uint64_t offset)
{
    size_t at = 0;    /* what was asked for */
    int64_t done = 0; /* up to where it came short, or the first error */
    bool over = false;

    do {
        size_t want = bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES;
        int64_t n = piece(f, writing, buf + at, (int)want, offset + at);

        if (!over) {
            done = n < 0 ? n : done + n;
            over = n < 0 ||
                   ((size_t)n < want && (n == 0 || f->single || f->collective));
        }
        at += f->collective || n < 0 ? want : (size_t)n;
    } while (at < bytes && (!over || f->collective));
    return done;
}

static int64_t mpiio_pwrite(struct tmk_engine *e, intptr_t file,
                            const void *buf, size_t bytes, uint64_t offset)
{
    const struct file *f = file_of(e, file);
    int err =
        f->view ? tmk_mpiio_view_offset(&e->transfers, &offset, bytes) : 0;

    /* The cast: one loop for both directions; this one leaves it alone. */
    return err != 0 ? err : transfer(f, true, (char *)buf, bytes, offset);
}

/* Behind the end a collective read gives nothing, and counts it. */
static int64_t mpiio_pread(struct tmk_engine *e, intptr_t file, void *buf,
                           size_t bytes, uint64_t offset)
{
    const struct file *f = file_of(e, file);
    uint64_t left = offset < f->bytes ? f->bytes - offset : 0;
    int err =
        f->view ? tmk_mpiio_view_offset(&e->transfers, &offset, bytes) : 0;
    int64_t n = err != 0 ? err : transfer(f, false, buf, bytes, offset);

    return n > 0 && (uint64_t)n > left ? (int64_t)left : n;
}

/* No current offset, and so neither read nor write, nor mdtest. */
#define CALLS                                                                  \
    .name = "MPIIO", .prefix = "mpiio.", .opts = opts,                         \
    .n_opts = sizeof(opts) / sizeof(opts[0]),                                  \
    .conf_size = sizeof(struct conf), .open_instance = mpiio_open_instance,    \
    .close_instance = mpiio_close_instance, .mkdir = tmk_mpiio_paths_mkdir,    \
    .rmdir = tmk_mpiio_paths_rmdir, .unlink = tmk_mpiio_paths_unlink,          \
    .rename = tmk_mpiio_paths_rename, .stat = tmk_mpiio_paths_stat,            \
    .mknod = tmk_mpiio_paths_mknod, .open = mpiio_open, .close = mpiio_close,  \
    .pwrite = mpiio_pwrite, .pread = mpiio_pread, .expect = mpiio_expect,      \
    .fsync = mpiio_fsync, .sync = tmk_posix_calls_sync,                        \
    .size = tmk_mpiio_paths_size, .version = mpiio_version,                    \
    .describe = mpiio_describe, .list = tmk_mpiio_paths_list,                  \
    .usage = tmk_mpiio_paths_usage, .plain_path = tmk_mpiio_paths_plain,       \
    .stores = true

static const struct tmk_engine_ops legacy = {
    CALLS,
    .create = legacy_create,
};

const struct tmk_engine_ops tmk_engine_mpiio = {
    CALLS,
    .create = mpiio_create,
    .legacy = &legacy,
};
