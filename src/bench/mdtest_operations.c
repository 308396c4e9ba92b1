/*
 * mdtest_operations: what is done to one item.
 */
#include "bench/mdtest_operations.h"

#include <errno.h>

enum { DIR_MODE = 0775, FILE_MODE = 0664, NODE_MODE = 0400 };

/* This rank's item could not be made: those who come later skip it. */
static void miss(struct tmk_mdtest_run *run, enum tmk_mdtest_target target)
{
    tmk_mdtest_made_miss(&run->made[target],
                         run->first_position + run->item.position);
}

static int make_dir(struct tmk_mdtest_run *run, const char *name)
{
    int err = run->calls->mkdir(run->engine, name, DIR_MODE);

    if (err != 0) {
        if (err == -EEXIST &&
            run->plan->conf->leftovers == TMK_LEFTOVERS_REUSE) {
            return 0;
        }
        miss(run, TMK_MDTEST_DIRS);
    }
    return err;
}

static int remove_dir(struct tmk_mdtest_run *run, const char *name)
{
    return run->calls->rmdir(run->engine, name);
}

static int remove_file(struct tmk_mdtest_run *run, const char *name)
{
    return run->calls->unlink(run->engine, name);
}

/*
 * Stat, and a look at what it found: a file that is not one, or that has
 * another length than was written, is no success.
 */

static int stat_item(struct tmk_mdtest_run *run, const char *name)
{
    struct stat st;

    return run->calls->stat(run->engine, name, &st);
}

static int stat_dir(struct tmk_mdtest_run *run, const char *name)
{
    struct stat st;
    int err = run->calls->stat(run->engine, name, &st);

    return err != 0 || S_ISDIR(st.st_mode) ? err : -EBADMSG;
}

static int stat_file(struct tmk_mdtest_run *run, const char *name)
{
    struct stat st;
    int err = run->calls->stat(run->engine, name, &st);

    return err != 0 || S_ISREG(st.st_mode) ? err : -EBADMSG;
}

static int stat_sized_file(struct tmk_mdtest_run *run, const char *name)
{
    struct stat st;
    uint64_t bytes;
    int err = run->calls->stat(run->engine, name, &st);

    if (err != 0) {
        return err;
    }
    if (!S_ISREG(st.st_mode)) {
        return -EBADMSG;
    }
    bytes = (uint64_t)st.st_size;
    if (bytes == run->data.write_bytes) {
        return 0;
    }
    return bytes < run->data.write_bytes ? -ENODATA : -EFBIG;
}

/*
 * Creation of files.
 */

/* The first failure of a sequence is the operation's. */
static inline int first_of(int a, int b)
{
    return a != 0 ? a : b;
}

static inline int close_file(struct tmk_mdtest_run *run, intptr_t file)
{
    return run->calls->close(run->engine, file);
}

/* Make the file and leave it open. */
static inline int create_file(struct tmk_mdtest_run *run, const char *name,
                              intptr_t *file)
{
    int err = run->calls->create(run->engine, name, FILE_MODE, file);

    if (err != 0) {
        miss(run, TMK_MDTEST_FILES);
    }
    return err;
}

static int make_node(struct tmk_mdtest_run *run, const char *name)
{
    int err = run->calls->mknod(run->engine, name, NODE_MODE);

    if (err != 0) {
        miss(run, TMK_MDTEST_FILES);
    }
    return err;
}

static int make_file(struct tmk_mdtest_run *run, const char *name)
{
    intptr_t file;
    int err = create_file(run, name, &file);

    return err != 0 ? err : close_file(run, file);
}

/* With -c: others fill it, unless it could not even be closed. */
static int make_for_other(struct tmk_mdtest_run *run, const char *name)
{
    intptr_t file;
    int err = create_file(run, name, &file);

    if (err != 0) {
        return err;
    }
    err = close_file(run, file);
    if (err != 0) {
        miss(run, TMK_MDTEST_FILES);
    }
    return err;
}

/* Write the buffer; a short write is a full disk. */
static inline int put_data(struct tmk_mdtest_run *run, intptr_t file)
{
    uint64_t bytes = run->data.write_bytes;
    int64_t n = run->calls->write(run->engine, file, run->data.write, bytes);

    if (n > 0) {
        run->phase.bytes += (uint64_t)n;
    }
    if (n < 0) {
        return (int)n;
    }
    return (uint64_t)n == bytes ? 0 : -ENOSPC;
}

/* Read into the buffer; a file that is shorter is a failure. */
static inline int get_data(struct tmk_mdtest_run *run, intptr_t file,
                           uint64_t bytes)
{
    int64_t n = run->calls->read(run->engine, file, run->data.read, bytes);

    if (n < 0) {
        return (int)n;
    }
    return (uint64_t)n == bytes ? 0 : -ENODATA;
}

static inline int rewind_file(struct tmk_mdtest_run *run, intptr_t file)
{
    return run->calls->rewind(run->engine, file);
}

/* What a file gets after it was opened. */
struct content {
    bool rewinds; /* before a transfer, as in the original */
    bool writes, syncs, verifies;
};

/* Constants where it is called, so that no test of an option is left. */
static inline int fill_file(struct tmk_mdtest_run *run, intptr_t file,
                            struct content content)
{
    int err = 0;

    if (content.writes && content.rewinds) {
        err = rewind_file(run, file);
    }
    if (content.writes && err == 0) {
        err = put_data(run, file);
    }
    if (content.syncs) {
        err = first_of(err, run->calls->fsync(run->engine, file));
    }
    if (content.verifies && err == 0) {
        err = rewind_file(run, file);
    }
    if (content.verifies && err == 0) {
        err = get_data(run, file, run->data.write_bytes);
    }
    return first_of(err, close_file(run, file));
}

static inline int create_and_fill(struct tmk_mdtest_run *run, const char *name,
                                  struct content content)
{
    intptr_t file;
    int err = create_file(run, name, &file);

    return err != 0 ? err : fill_file(run, file, content);
}

static int write_file(struct tmk_mdtest_run *run, const char *name)
{
    return create_and_fill(run, name, (struct content){.writes = true});
}

static int write_file_fsync(struct tmk_mdtest_run *run, const char *name)
{
    return create_and_fill(run, name,
                           (struct content){.writes = true, .syncs = true});
}

/* The rarer ones: read back, rewound, or both. */
static int write_file_with(struct tmk_mdtest_run *run, const char *name)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;

    return create_and_fill(run, name,
                           (struct content){
                               .rewinds = run->as_original,
                               .writes = true,
                               .syncs = conf->fsync != 0,
                               .verifies = conf->verify_write != 0,
                           });
}

/* The second step of -c: a file that rank 0 made gets its data. */
static int fill_made(struct tmk_mdtest_run *run, const char *name)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    bool writes = run->data.write_bytes != 0;
    bool verifies = writes && conf->verify_write;
    intptr_t file;
    int err = run->calls->open(
        run->engine, name, verifies ? TMK_ENGINE_READ_WRITE : TMK_ENGINE_WRITE,
        &file);

    return err != 0 ? err
                    : fill_file(run, file,
                                (struct content){
                                    .rewinds = run->as_original,
                                    .writes = writes,
                                    .syncs = writes && conf->fsync,
                                    .verifies = verifies,
                                });
}

/*
 * Reading.
 */

static int open_file(struct tmk_mdtest_run *run, const char *name)
{
    intptr_t file;
    int err = run->calls->open(run->engine, name, run->read_access, &file);

    return err != 0 ? err : close_file(run, file);
}

static inline int read_file_with(struct tmk_mdtest_run *run, const char *name,
                                 bool rewinds)
{
    uint64_t bytes = run->data.read_bytes;
    intptr_t file;
    int err = run->calls->open(run->engine, name, run->read_access, &file);

    if (err != 0) {
        return err;
    }
    if (rewinds) {
        err = rewind_file(run, file);
    }
    if (err == 0) {
        err = get_data(run, file, bytes);
        run->phase.bytes += err == 0 ? bytes : 0;
    }
    return first_of(err, close_file(run, file));
}

static int read_file(struct tmk_mdtest_run *run, const char *name)
{
    return read_file_with(run, name, false);
}

static int read_file_rewound(struct tmk_mdtest_run *run, const char *name)
{
    return read_file_with(run, name, true);
}

/*
 * Beside the operations.
 */

static int fill(struct tmk_mdtest_run *run)
{
    tmk_mdtest_data_fill(&run->data, tmk_item_id(&run->item));
    return 0;
}

/* Data is read back into a buffer that does not hold it already. */
static int fill_and_spoil(struct tmk_mdtest_run *run)
{
    tmk_mdtest_data_fill(&run->data, tmk_item_id(&run->item));
    tmk_mdtest_data_spoil_written(&run->data);
    return 0;
}

static int spoil(struct tmk_mdtest_run *run)
{
    tmk_mdtest_data_spoil_read(&run->data, tmk_item_id(&run->item));
    return 0;
}

static int check_written(struct tmk_mdtest_run *run)
{
    int err =
        tmk_mdtest_data_check_written(&run->data, tmk_item_id(&run->item));

    run->phase.wrong += err != 0;
    return err;
}

static int check_read(struct tmk_mdtest_run *run)
{
    int err = tmk_mdtest_data_check_read(&run->data, tmk_item_id(&run->item));

    run->phase.wrong += err != 0;
    return err;
}

/*
 * Choosing.
 */

static struct tmk_mdtest_steps with_data(const struct tmk_mdtest_run *run,
                                         tmk_mdtest_operation *op)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    struct tmk_mdtest_steps steps = {.op = op};

    if (run->data.write_bytes != 0) {
        steps.fill = run->data.fills ? fill : NULL;
        if (conf->verify_write) {
            steps.fill = fill_and_spoil;
            steps.check = check_written;
        }
    }
    return steps;
}

static struct tmk_mdtest_steps choose_create(const struct tmk_mdtest_run *run)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;

    if (conf->mknod) {
        return (struct tmk_mdtest_steps){.op = make_node};
    }
    if (conf->collective) {
        return (struct tmk_mdtest_steps){.op = make_for_other};
    }
    if (run->data.write_bytes == 0) {
        return (struct tmk_mdtest_steps){.op = make_file};
    }
    if (run->as_original || conf->verify_write) {
        return with_data(run, write_file_with);
    }
    return with_data(run, conf->fsync ? write_file_fsync : write_file);
}

static struct tmk_mdtest_steps choose_read(const struct tmk_mdtest_run *run)
{
    struct tmk_mdtest_steps steps = {.op = open_file};

    if (run->data.read_bytes != 0) {
        steps.op = run->as_original ? read_file_rewound : read_file;
    }
    if (run->plan->conf->verify_read) {
        steps.fill = spoil;
        steps.check = check_read;
    }
    return steps;
}

static tmk_mdtest_operation *choose_stat(const struct tmk_mdtest_run *run,
                                         enum tmk_mdtest_phase which)
{
    if (run->as_original || !run->ops->stores) {
        return stat_item;
    }
    if (which == TMK_MDTEST_DIR_STAT) {
        return stat_dir;
    }
    return run->data.write_bytes != 0 && !run->site->root->reuses
               ? stat_sized_file
               : stat_file;
}

struct tmk_mdtest_steps
tmk_mdtest_operations_choose(const struct tmk_mdtest_run *run,
                             enum tmk_mdtest_phase which)
{
    switch (which) {
    case TMK_MDTEST_DIR_CREATE:
        return (struct tmk_mdtest_steps){.op = make_dir};
    case TMK_MDTEST_DIR_REMOVE:
        return (struct tmk_mdtest_steps){.op = remove_dir};
    case TMK_MDTEST_FILE_CREATE: return choose_create(run);
    case TMK_MDTEST_FILE_READ: return choose_read(run);
    case TMK_MDTEST_FILE_REMOVE:
        return (struct tmk_mdtest_steps){.op = remove_file};
    case TMK_MDTEST_DIR_STAT:
    case TMK_MDTEST_FILE_STAT:
        return (struct tmk_mdtest_steps){.op = choose_stat(run, which)};
    default: return (struct tmk_mdtest_steps){.op = NULL};
    }
}

struct tmk_mdtest_steps
tmk_mdtest_operations_second(const struct tmk_mdtest_run *run)
{
    return with_data(run, fill_made);
}
