#ifndef TMK_ENGINE_ENGINE_H
#define TMK_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/opt.h"

/*
 * One storage API behind one const table.  An engine knows no ranks, no
 * barriers and no output: its calls are what is being measured.
 *
 * All calls: 0 (or a count) or -errno; no printing, no exit, no MPI.  A NULL
 * slot is unsupported, asked before the clock starts.  Paths are whole and
 * NUL-terminated.  An instance is used by one thread.
 */
struct tmk_engine; /* one instance; each engine has its own */

/* Space of the file system that a path lies on. */
struct tmk_engine_usage {
    uint64_t size_bytes, free_bytes; /* free to this user */
    uint64_t used_bytes;
    uint64_t inodes, free_inodes; /* 0 and 0: the file system reports none */
};

/* What a file is opened for. */
enum tmk_engine_access {
    TMK_ENGINE_READ,
    TMK_ENGINE_WRITE,
    TMK_ENGINE_READ_WRITE,
};

/*
 * What transfers there will be, told before a file is opened: an engine may
 * map, lay out or share a file by it.
 */
struct tmk_engine_transfers {
    bool shared;     /* one file for all ranks; else one for each */
    bool writes;     /* the file will be written */
    bool collective; /* every rank makes each call at the same time */
    bool random;     /* in no order */
    bool single;     /* a transfer that comes short is not gone on with */
    bool may_stop;   /* before the file is whole: a deadline was set */
    uint64_t ranks;  /* that take part */
    uint64_t rank;   /* whose data is touched: 0 ... ranks - 1 */
    uint64_t segments;
    uint64_t block_bytes, transfer_bytes;
    uint64_t file_bytes; /* of this file when it is whole */
    const void *comm;    /* MPI_Comm * of those ranks; for MPIIO alone */
};

struct tmk_engine_ops {
    const char *name;   /* as given to -a, in capitals */
    const char *prefix; /* of its options: "posix." */
    const struct tmk_opt *opts;
    size_t n_opts;
    size_t conf_size; /* bytes of the struct that opts fill; may be 0 */
    void (*conf_init)(void *conf); /* the defaults; NULL = all zero bytes */

    /*
     * A new instance, or NULL with *err = -errno.  `index` tells instances of
     * one run apart (0 is the first); conf is borrowed for its whole life.
     */
    struct tmk_engine *(*open_instance)(const void *conf, unsigned index,
                                        int *err);
    /* Release it; NULL is allowed. */
    void (*close_instance)(struct tmk_engine *e);

    /* The measured calls. */
    int (*mkdir)(struct tmk_engine *e, const char *path, mode_t mode);
    int (*rmdir)(struct tmk_engine *e, const char *path);
    int (*unlink)(struct tmk_engine *e, const char *path);
    int (*rename)(struct tmk_engine *e, const char *from, const char *to);
    /* An engine that does not store knows no types: its st_mode is 0. */
    int (*stat)(struct tmk_engine *e, const char *path, struct stat *st);
    /* Open for reading and writing, made with `mode` if it is not there. */
    int (*create)(struct tmk_engine *e, const char *path, mode_t mode,
                  intptr_t *file);
    /* Make an empty regular file and open nothing; -EEXIST if it is there. */
    int (*mknod)(struct tmk_engine *e, const char *path, mode_t mode);
    /* Open what is there. */
    int (*open)(struct tmk_engine *e, const char *path,
                enum tmk_engine_access access, intptr_t *file);
    int (*close)(struct tmk_engine *e, intptr_t file);
    /*
     * Move up to `bytes` at the current offset, going on after short
     * transfers.  Returns the bytes moved (fewer only at end of file), or
     * -errno, also where a part was moved before.
     */
    int64_t (*write)(struct tmk_engine *e, intptr_t file, const void *buf,
                     size_t bytes);
    int64_t (*read)(struct tmk_engine *e, intptr_t file, void *buf,
                    size_t bytes);
    /*
     * The same at a place in the file.  NULL: the engine has none, and cannot
     * be used for the bandwidth mode.  After expect() told of `single`, what
     * came short is returned as it is.
     */
    int64_t (*pwrite)(struct tmk_engine *e, intptr_t file, const void *buf,
                      size_t bytes, uint64_t offset);
    int64_t (*pread)(struct tmk_engine *e, intptr_t file, void *buf,
                     size_t bytes, uint64_t offset);
    /*
     * The same as one system call with no function of the engine's around it,
     * which would take 10 ns more to return: all bytes, or something that is
     * for rest() to understand.  With all that the transfer was begun with,
     * this goes on with it, and returns what pwrite or pread would have.  NULL,
     * all three: there is no such call.
     */
    int64_t (*pwrite_once)(struct tmk_engine *e, intptr_t file, const void *buf,
                           size_t bytes, uint64_t offset);
    int64_t (*pread_once)(struct tmk_engine *e, intptr_t file, void *buf,
                          size_t bytes, uint64_t offset);
    int64_t (*rest)(struct tmk_engine *e, intptr_t file, bool writing,
                    void *buf, size_t bytes, uint64_t offset, int64_t once);
    /*
     * Several transfers under way (NULL: one at a time).  depth is how many, 0
     * = one at a time after all.  Slots are numbered 0 ... depth - 1; the
     * buffer of each is the caller's, `bytes` at most, and announced by
     * buffers() once a file is open (0 or -errno).  submit begins a transfer
     * in a slot that is free: 0 or -errno; writes if `writing`.  reap waits
     * for one and says whose it was and what came of it (bytes or -errno): 0,
     * or -errno if the queue itself failed.  A transfer that came short is
     * ended by the caller through pread and pwrite.
     *
     * A transfer may be held back until the next reap.  The buffers stay where
     * they are until other ones are announced, none (n = 0) or the instance is
     * closed; and until all that is under way was reaped, a file stays open.
     */
    unsigned (*depth)(const struct tmk_engine *e);
    int (*buffers)(struct tmk_engine *e, void *const *bufs, unsigned n,
                   size_t bytes);
    int (*submit)(struct tmk_engine *e, intptr_t file, bool writing,
                  unsigned slot, void *buf, size_t bytes, uint64_t offset);
    int (*reap)(struct tmk_engine *e, unsigned *slot, int64_t *result);
    /*
     * Tell what comes, before create and open and outside of clocks; holds
     * until the next time.  Collective over `comm` where it is given.  0, or
     * -errno, alike on all of them, if it cannot be: then describe() says why,
     * and nothing may be opened.  A write beyond file_bytes may be -EFBIG.
     * NULL: no need.
     */
    int (*expect)(struct tmk_engine *e,
                  const struct tmk_engine_transfers *transfers);
    /* Back to offset 0. */
    int (*rewind)(struct tmk_engine *e, intptr_t file);
    int (*fsync)(struct tmk_engine *e, intptr_t file);
    /* Everything of this client to stable storage: sync(2). */
    int (*sync)(struct tmk_engine *e);

    /* Never inside a clock. */

    /* Bytes of the file; 0 where nothing is stored.  NULL: stat() tells. */
    int (*size)(struct tmk_engine *e, const char *path, uint64_t *bytes);
    /* The version of the interface ("(4.0)"), static; NULL: it has none. */
    const char *(*version)(void);
    /*
     * What there is to tell, as lines that end in a newline: what the user
     * asked for (--mpiio.showHints), of the file that was opened last, and what
     * is not as it was asked for.  After expect() failed: why, in one line
     * without a newline.  Borrowed until the next call of anything; NULL:
     * nothing.  The slot may be NULL, too.
     */
    const char *(*describe)(struct tmk_engine *e);

    /*
     * Call visit for every entry but "." and ".." until it returns false.
     * is_dir is false where the type is not known to be a directory.
     */
    int (*list)(struct tmk_engine *e, const char *path,
                bool (*visit)(void *arg, const char *name, bool is_dir),
                void *arg);
    int (*usage)(struct tmk_engine *e, const char *path,
                 struct tmk_engine_usage *usage);
    /* A path as libc knows it, a part of the given one.  NULL: all of it. */
    const char *(*plain_path)(const char *path);

    /*
     * The same engine and instance by another table, whose mkdir, rmdir,
     * unlink, rename, stat, create, mknod and open take names relative to a
     * directory that is in use.  All other calls are the same: list, usage and
     * open_dir take whole paths.  NULL: unsupported.
     */
    const struct tmk_engine_ops *relative;
    /* A directory to be used, by its whole path. */
    int (*open_dir)(struct tmk_engine *e, const char *path, intptr_t *dir);
    int (*close_dir)(struct tmk_engine *e, intptr_t dir);
    /*
     * Use `dir`, and `to_dir` for the second name of rename, until the next
     * call; both stay open and the caller's.  Before the first call it is the
     * current directory.
     */
    void (*use_dirs)(struct tmk_engine *e, intptr_t dir, intptr_t to_dir);

    /*
     * The same engine and instance by another table, whose create, pwrite and
     * pread are what ior 4.1 does: POSIX makes lseek and then write or read in
     * place of pwrite and pread; MPIIO opens for writing alone and cuts the
     * file to nothing.  All other calls are the same.  NULL: no difference.
     */
    const struct tmk_engine_ops *legacy;

    /*
     * Whether transfers were asked to bypass the page cache: then buffers must
     * be aligned and sizes multiples of a block, which the file system sets,
     * and a transfer that came short is not gone on with unless the part was a
     * multiple of 512.  NULL: never.
     */
    bool (*direct)(const struct tmk_engine *e);

    bool stores; /* false: nothing is kept (DUMMY); no probe, no marker */
};

extern const struct tmk_engine_ops tmk_engine_posix;
extern const struct tmk_engine_ops tmk_engine_dummy;
extern const struct tmk_engine_ops tmk_engine_mmap;
extern const struct tmk_engine_ops tmk_engine_mpiio; /* with MPI alone */
extern const struct tmk_engine_ops tmk_engine_uring; /* with liburing alone */

/*
 * The entry of a NULL-terminated table of engines with this name, whatever
 * its case; NULL if there is none.
 */
const struct tmk_engine_ops *
tmk_engine_find(const struct tmk_engine_ops *const *engines, const char *name);

/* Whether a conf of an engine, allocated as zero bytes, is other than the
 * defaults. */
bool tmk_engine_is_set(const struct tmk_engine_ops *ops, const void *conf);

#endif
