#include "mpi/ranks.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/opt.h"
#include "engine/engine.h"
#include "mpi/place.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { PATH_SIZE = PLACE_SIZE + 64 };

/* Odd sizes: blocks of three transfers, two segments. */
enum {
    TRANSFER = 1001,
    TWO_TRANSFERS = 2 * TRANSFER,
    BLOCK = 3 * TRANSFER,
    SEGMENTS = 2,
    RANK_BYTES = SEGMENTS * BLOCK,
};

static const struct tmk_engine_ops *const ops = &tmk_engine_mpiio;

/* An instance of an engine that was given options. */
struct made {
    void *conf;
    struct tmk_engine *e;
};

static struct made make(const char *const *options)
{
    const char *argv[8] = {"test"};
    struct made m = {.conf = calloc(1, ops->conf_size)};
    const struct tmk_opt_table table = {.title = "MPIIO",
                                        .prefix = ops->prefix,
                                        .rows = ops->opts,
                                        .n_rows = ops->n_opts,
                                        .conf = m.conf};
    char why[256];
    int argc = 1;
    int err = -1;

    assert_non_null(m.conf);
    while (options[argc - 1] != NULL) {
        argv[argc] = options[argc - 1];
        argc++;
    }
    assert_int_equal(
        tmk_opt_parse(&table, 1, argc, (char *const *)argv, why, sizeof(why)),
        0);
    m.e = ops->open_instance(m.conf, (unsigned)ranks_rank(), &err);
    assert_int_equal(err, 0);
    return m;
}

static void unmake(struct made m)
{
    ops->close_instance(m.e);
    free(m.conf);
}

static const char *const none[] = {NULL};

/* The path of a file in the place of rank 0, for all. */
static void shared_path(void **state, const char *name, char *path)
{
    char dir[PLACE_SIZE];

    memcpy(dir, *state, sizeof(dir));
    MPI_Bcast(dir, PLACE_SIZE, MPI_CHAR, 0, MPI_COMM_WORLD);
    (void)snprintf(path, PATH_SIZE, "%s/%s", dir, name);
}

static const MPI_Comm world = MPI_COMM_WORLD;

/* What is told of a file, shared or not. */
static struct tmk_engine_transfers transfers_of(bool shared, bool collective)
{
    uint64_t ranks = (uint64_t)ranks_size();

    return (struct tmk_engine_transfers){
        .shared = shared,
        .writes = true,
        .collective = collective,
        .ranks = ranks,
        .rank = (uint64_t)ranks_rank(),
        .segments = SEGMENTS,
        .block_bytes = BLOCK,
        .transfer_bytes = TRANSFER,
        .file_bytes = (shared ? ranks : 1) * RANK_BYTES,
        .comm = &world,
    };
}

/* The k-th transfer of a rank, and what it holds. */
static uint64_t offset_of(const struct tmk_engine_transfers *t, uint64_t k)
{
    uint64_t segment = k / 3;
    uint64_t in_block = k % 3 * TRANSFER;

    return t->shared ? (segment * t->ranks + t->rank) * BLOCK + in_block
                     : segment * BLOCK + in_block;
}

static void fill(char *buf, const struct tmk_engine_transfers *t, uint64_t k)
{
    memset(buf, (int)('a' + (t->rank * 7 + k) % 26), TRANSFER);
}

enum { TRANSFERS = SEGMENTS * 3 };

static void write_all(struct made m, const struct tmk_engine_transfers *t,
                      const char *path)
{
    intptr_t f = -1;

    assert_int_equal(ops->expect(m.e, t), 0);
    assert_int_equal(ops->create(m.e, path, 0600, &f), 0);
    for (uint64_t k = 0; k < TRANSFERS; k++) {
        char buf[TRANSFER];

        fill(buf, t, k);
        assert_int_equal(ops->pwrite(m.e, f, buf, TRANSFER, offset_of(t, k)),
                         TRANSFER);
    }
    assert_int_equal(ops->fsync(m.e, f), 0);
    assert_int_equal(ops->close(m.e, f), 0);
}

static void check_all(struct made m, const struct tmk_engine_transfers *t,
                      const char *path)
{
    uint64_t size = 0;
    intptr_t f = -1;

    assert_int_equal(ops->expect(m.e, t), 0);
    assert_int_equal(ops->size(m.e, path, &size), 0);
    assert_int_equal(size, t->file_bytes);
    assert_int_equal(ops->open(m.e, path, TMK_ENGINE_READ, &f), 0);
    for (uint64_t k = 0; k < TRANSFERS; k++) {
        char want[TRANSFER];
        char buf[TRANSFER] = "";

        fill(want, t, k);
        assert_int_equal(ops->pread(m.e, f, buf, TRANSFER, offset_of(t, k)),
                         TRANSFER);
        assert_memory_equal(buf, want, TRANSFER);
    }
    assert_int_equal(ops->close(m.e, f), 0);
}

/* Everybody checks what the next rank wrote, once by MPI-IO and once by read.
 */
static void what_was_written_is_read(void **state)
{
    static const struct {
        const char *options[3];
        bool shared, collective;
    } rows[] = {
        {{NULL}, true, false},
        {{NULL}, true, true},
        {{NULL}, false, false},
        {{NULL}, false, true},
        {{"--mpiio.useFileView", NULL}, true, false},
        {{"--mpiio.useFileView", NULL}, true, true},
        {{"--mpiio.useFileView", NULL}, false, false},
        {{"--mpiio.preallocate", "--mpiio.showHints", NULL}, true, true},
        {{"--mpiio.preallocate", NULL}, false, false},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made m = make(rows[i].options);
        struct made plain = make(none);
        struct tmk_engine_transfers t =
            transfers_of(rows[i].shared, rows[i].collective);
        char path[PATH_SIZE] = "own";

        if (rows[i].shared) {
            shared_path(state, "shared", path);
        }
        write_all(m, &t, path);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rows[i].shared) {
            t.rank = (t.rank + 1) % t.ranks;
        }
        check_all(m, &t, path);
        t.collective = false;
        check_all(plain, &t, path);
        MPI_Barrier(MPI_COMM_WORLD);
        if (!rows[i].shared || ranks_rank() == 0) {
            assert_int_equal(ops->unlink(m.e, path), 0);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        unmake(m);
        unmake(plain);
    }
}

static void the_end_of_the_file_ends_a_transfer(void **state)
{
    for (int collective = 0; collective < 2; collective++) {
        struct made m = make(none);
        struct tmk_engine_transfers t = transfers_of(true, collective != 0);
        char path[PATH_SIZE];
        char buf[TWO_TRANSFERS];
        intptr_t f = -1;
        int64_t n;

        shared_path(state, "shared", path);
        write_all(m, &t, path);
        assert_int_equal(ops->open(m.e, path, TMK_ENGINE_READ, &f), 0);
        /* The last rank from the last byte on, the one before it behind it. */
        n = ops->pread(m.e, f, buf, TWO_TRANSFERS,
                       t.file_bytes - t.rank % 2 * TRANSFER);
        assert_int_equal(n, t.rank % 2 * TRANSFER);
        assert_int_equal(ops->pread(m.e, f, buf, 10, t.file_bytes - 5), 5);
        assert_int_equal(ops->pread(m.e, f, buf, 10, t.file_bytes + 5), 0);
        assert_int_equal(ops->pread(m.e, f, buf, 0, 0), 0);
        assert_int_equal(ops->close(m.e, f), 0);
        unmake(m);
    }
}

static void only_the_original_empties_what_it_creates(void **state)
{
    for (int shared = 0; shared < 2; shared++) {
        struct made m = make(none);
        struct tmk_engine_transfers t = transfers_of(shared != 0, false);
        uint64_t size = 7;
        char path[PATH_SIZE] = "own";
        char buf[4] = "";
        intptr_t f = -1;

        if (shared != 0) {
            shared_path(state, "shared", path);
        }
        write_all(m, &t, path);
        assert_int_equal(ops->create(m.e, path, 0600, &f), 0);
        assert_int_equal(ops->pread(m.e, f, buf, 4, 0), 4);
        assert_int_equal(ops->close(m.e, f), 0);
        assert_int_equal(ops->size(m.e, path, &size), 0);
        assert_int_equal(size, t.file_bytes);
        MPI_Barrier(MPI_COMM_WORLD);

        assert_int_equal(ops->legacy->create(m.e, path, 0600, &f), 0);
        assert_int_equal(ops->legacy->size(m.e, path, &size), 0);
        assert_int_equal(size, 0);
        assert_true(ops->legacy->pread(m.e, f, buf, 4, 0) < 0);
        assert_int_equal(ops->legacy->close(m.e, f), 0);
        unmake(m);
    }
}

static void what_cannot_be_opened_says_why(void **state)
{
    static const struct {
        const char *path;
        int create, open;
    } rows[] = {
        {"no/file", -ENOENT, -ENOENT},
        {"file", 0, -ENOENT},
        {".", -EISDIR, 0},
        {"file/in", -ENOTDIR, -ENOTDIR},
    };

    for (int shared = 0; shared < 2; shared++) {
        struct made m = make(none);
        struct tmk_engine_transfers t = transfers_of(shared != 0, false);

        assert_int_equal(ops->expect(m.e, &t), 0);
        for (size_t i = 0; i < COUNT(rows); i++) {
            char path[PATH_SIZE];
            intptr_t f = -1;

            (void)snprintf(path, sizeof(path), "%s", rows[i].path);
            if (shared != 0) {
                shared_path(state, rows[i].path, path);
            }
            if (rows[i].open != 0) {
                assert_int_equal(ops->open(m.e, path, TMK_ENGINE_READ, &f),
                                 rows[i].open);
            }
            assert_int_equal(ops->create(m.e, path, 0600, &f), rows[i].create);
            if (rows[i].create == 0) {
                assert_int_equal(ops->close(m.e, f), 0);
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
        (void)unlink("file");
        MPI_Barrier(MPI_COMM_WORLD);
        unmake(m);
    }
}

static void a_file_opened_for_one_thing_is_not_for_another(void **state)
{
    struct made m = make(none);
    struct tmk_engine_transfers t = transfers_of(false, false);
    char buf[4] = "";
    intptr_t f = -1;

    (void)state;
    write_all(m, &t, "own");
    assert_int_equal(ops->open(m.e, "own", TMK_ENGINE_READ, &f), 0);
    assert_true(ops->pwrite(m.e, f, buf, 4, 0) < 0);
    assert_int_equal(ops->close(m.e, f), 0);
    assert_int_equal(ops->open(m.e, "own", TMK_ENGINE_WRITE, &f), 0);
    assert_true(ops->pread(m.e, f, buf, 4, 0) < 0);
    assert_int_equal(ops->pwrite(m.e, f, buf, 4, 0), 4);
    assert_int_equal(ops->close(m.e, f), 0);
    assert_int_equal(ops->open(m.e, "own", TMK_ENGINE_READ_WRITE, &f), 0);
    assert_int_equal(ops->pread(m.e, f, buf, 4, 0), 4);
    assert_int_equal(ops->close(m.e, f), 0);
    unmake(m);
}

/* Written until it is full; *err is what came of it.  Whether it could be
 * tried: each rank mounts a place that only it sees. */
static bool fill_small_place(struct made m, const char *dir, int *err)
{
    enum { LIMIT = 4 << 20 };
    char *buf = calloc(1, 65536);
    intptr_t f = -1;
    int64_t n = 0;

    assert_non_null(buf);
    if (mkdir(dir, 0700) != 0 ||
        mount("tmpfs", dir, "tmpfs", 0, "size=1m") != 0 || chdir(dir) != 0) {
        free(buf);
        return false;
    }
    *err = ops->create(m.e, "file", 0600, &f);
    for (uint64_t at = 0; *err == 0 && at < LIMIT; at += 65536) {
        n = ops->pwrite(m.e, f, buf, 65536, at);
        if (n != 65536) {
            *err = n < 0 ? (int)n : -EAGAIN;
        }
    }
    if (f >= 0) {
        (void)ops->close(m.e, f);
    }
    free(buf);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(umount2(dir, MNT_DETACH), 0);
    return true;
}

static void a_full_file_system_is_enospc(void **state)
{
    static const char *const preallocated[] = {"--mpiio.preallocate", NULL};
    bool can = unshare(CLONE_NEWNS) == 0 &&
               mount("none", "/", "none", MS_PRIVATE | MS_REC, NULL) == 0;

    (void)state;
    for (int i = 0; can && i < 2; i++) {
        struct made m = make(i == 0 ? none : preallocated);
        struct tmk_engine_transfers t = transfers_of(false, false);
        int err = 0;

        t.file_bytes = (uint64_t)4 << 20;
        assert_int_equal(ops->expect(m.e, &t), 0);
        can = fill_small_place(m, i == 0 ? "a" : "b", &err);
        assert_int_equal(err, can ? -ENOSPC : 0);
        unmake(m);
    }
    if (!can) {
        skip();
    }
}

/* Rank 0's variables and file, to all. */
static void hints_are_those_of_rank_0(void **state)
{
    char path[PATH_SIZE];
    char option[PATH_SIZE + 32];
    const char *const options[] = {option, "--mpiio.showHints", NULL};
    struct tmk_engine_transfers t = transfers_of(false, false);
    const char *text;
    struct made m;
    intptr_t f = -1;

    (void)state;
    (void)snprintf(path, sizeof(path), "hints");
    (void)snprintf(option, sizeof(option), "--mpiio.hintsFileName=%s", path);
    if (ranks_rank() == 0) {
        FILE *to = fopen(path, "w");

        assert_non_null(to);
        for (int i = 0; i < 20; i++) { /* more than the original takes */
            assert_true(fprintf(to, "x%d = %d\n", i, i) > 0);
        }
        assert_true(fprintf(to, "cb_nodes=1\n") > 0);
        assert_int_equal(fclose(to), 0);
        assert_int_equal(setenv("IOR_HINT__MPI__from_env", "yes", 1), 0);
    } else {
        assert_int_equal(setenv("IOR_HINT__MPI__from_rank_1", "no", 1), 0);
    }
    m = make(options);
    assert_int_equal(ops->expect(m.e, &t), 0);
    text = ops->describe(m.e);
    assert_non_null(text);
    assert_memory_equal(text, "hints given to MPI_File_open:\n", 30);
    assert_non_null(strstr(text, "\n  x0 = 0\n"));
    assert_non_null(strstr(text, "\n  x19 = 19\n"));
    assert_non_null(strstr(text, "\n  cb_nodes = 1\n"));
    assert_non_null(strstr(text, "\n  from_env = yes\n"));
    assert_null(strstr(text, "from_rank_1"));
    assert_null(strstr(text, "in use"));
    assert_int_equal(ops->create(m.e, "own", 0600, &f), 0);
    assert_int_equal(ops->close(m.e, f), 0);
    text = ops->describe(m.e);
    assert_non_null(text);
    assert_non_null(strstr(text, "\nhints in use:\n"));
    unmake(m);
    assert_int_equal(unsetenv("IOR_HINT__MPI__from_env"), 0);
    assert_int_equal(unsetenv("IOR_HINT__MPI__from_rank_1"), 0);
}

/* On every rank, whoever met it. */
static void what_cannot_be_said_to_mpi_is_refused(void **state)
{
    static const struct {
        const char *options[2];
        bool random;
        int want;
        const char *why;
    } rows[] = {
        {{"--mpiio.useStridedDatatype"},
         false,
         -EOPNOTSUPP,
         "--mpiio.useStridedDatatype: not available here "
         "(--mpiio.useFileView is)"},
        {{"--mpiio.useFileView"},
         true,
         -EINVAL,
         "--mpiio.useFileView: a view has no random order (-z)"},
        {{"--mpiio.hintsFileName=no"},
         false,
         -ENOENT,
         "hints file no: No such file or directory"},
        {{"--mpiio.hintsFileName=bad"},
         false,
         -EINVAL,
         "hints file bad, line 2: no NAME = VALUE"},
    };

    (void)state;
    if (ranks_rank() == 0) {
        FILE *to = fopen("bad", "w");

        assert_non_null(to);
        assert_true(fputs("# nothing\nnonsense\n", to) >= 0);
        assert_int_equal(fclose(to), 0);
    }
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made m = make(rows[i].options);
        struct tmk_engine_transfers t = transfers_of(true, false);

        t.random = rows[i].random;
        assert_int_equal(ops->expect(m.e, &t), rows[i].want);
        assert_string_equal(ops->describe(m.e), rows[i].why);
        unmake(m);
    }
}

static void a_view_shows_the_blocks_of_one_rank_alone(void **state)
{
    static const char *const view[] = {"--mpiio.useFileView", NULL};
    struct made m = make(view);
    struct tmk_engine_transfers t = transfers_of(true, false);
    char path[PATH_SIZE];
    char buf[16] = "";
    intptr_t f = -1;

    shared_path(state, "shared", path);
    assert_int_equal(ops->expect(m.e, &t), 0);
    assert_int_equal(ops->create(m.e, path, 0600, &f), 0);
    for (uint64_t other = 0; other < t.ranks; other++) {
        const int64_t want = other == t.rank ? 16 : -EINVAL;

        assert_int_equal(ops->pwrite(m.e, f, buf, 16, other * BLOCK), want);
        assert_int_equal(
            ops->pwrite(m.e, f, buf, 16, (t.ranks + other + 1) * BLOCK - 16),
            want);
    }
    if (t.ranks > 1) {
        assert_int_equal(ops->pwrite(m.e, f, buf, 16, (t.rank + 1) * BLOCK - 1),
                         -EINVAL);
    }
    assert_int_equal(ops->close(m.e, f), 0);
    unmake(m);
}

static void a_view_is_of_blocks_of_any_size(void **state)
{
    static const char *const view[] = {"--mpiio.useFileView", NULL};
    static const uint64_t sizes[] = {
        1, ((uint64_t)1 << 30) - 1, (uint64_t)1 << 30, ((uint64_t)5 << 30) + 7};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct made m = make(view);
        struct made plain = make(none);
        struct tmk_engine_transfers t = transfers_of(true, false);
        uint64_t at;
        char path[PATH_SIZE];
        char c = (char)('a' + ranks_rank());
        intptr_t f = -1;

        t.block_bytes = sizes[i];
        t.file_bytes = SEGMENTS * t.ranks * t.block_bytes;
        at = (t.ranks + t.rank + 1) * t.block_bytes - 1;
        shared_path(state, "shared", path);
        assert_int_equal(ops->expect(m.e, &t), 0);
        assert_int_equal(ops->create(m.e, path, 0600, &f), 0);
        assert_int_equal(ops->pwrite(m.e, f, &c, 1, at), 1);
        assert_int_equal(ops->close(m.e, f), 0);
        assert_int_equal(ops->expect(plain.e, &t), 0);
        assert_int_equal(ops->open(plain.e, path, TMK_ENGINE_READ, &f), 0);
        c = '\0';
        assert_int_equal(ops->pread(plain.e, f, &c, 1, at), 1);
        assert_int_equal(c, 'a' + ranks_rank());
        assert_int_equal(ops->close(plain.e, f), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        if (ranks_rank() == 0) {
            assert_int_equal(ops->unlink(m.e, path), 0);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        unmake(m);
        unmake(plain);
    }
}

static void a_path_may_name_the_kind_of_file_system(void **state)
{
    struct made m = make(none);
    struct tmk_engine_transfers t = transfers_of(false, false);
    struct tmk_engine_usage usage;
    uint64_t size = 7;
    struct stat st;
    intptr_t f = -1;

    (void)state;
    assert_int_equal(ops->expect(m.e, &t), 0);
    assert_int_equal(ops->mkdir(m.e, "ufs:d", 0700), 0);
    assert_int_equal(ops->create(m.e, "ufs:d/f", 0600, &f), 0);
    assert_int_equal(ops->pwrite(m.e, f, "hello", 5, 0), 5);
    assert_int_equal(ops->close(m.e, f), 0);
    assert_int_equal(ops->size(m.e, "ufs:d/f", &size), 0);
    assert_int_equal(size, 5);
    assert_int_equal(ops->stat(m.e, "d/f", &st), 0);
    assert_int_equal(ops->rename(m.e, "ufs:d/f", "ufs:d/g"), 0);
    assert_int_equal(ops->usage(m.e, "ufs:d", &usage), 0);
    assert_int_equal(ops->list(m.e, "ufs:no", NULL, NULL), -ENOENT);
    assert_int_equal(ops->unlink(m.e, "ufs:d/g"), 0);
    assert_int_equal(ops->mknod(m.e, "ufs:d/n", 0600), 0);
    assert_int_equal(ops->unlink(m.e, "d/n"), 0);
    assert_int_equal(ops->rmdir(m.e, "ufs:d"), 0);
    unmake(m);
}

/* To where it is not looked at. */
static void a_transfer_may_be_larger_than_an_int_counts(void **state)
{
    const size_t bytes = ((size_t)5 << 30) + 7;
    void *buf = mmap(NULL, bytes, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    (void)state;
    if (buf == MAP_FAILED) {
        skip(); /* the address space is limited */
    }
    for (int collective = 0; collective < 2; collective++) {
        struct made m = make(none);
        struct tmk_engine_transfers t = transfers_of(false, collective != 0);
        intptr_t f = -1;

        assert_int_equal(ops->expect(m.e, &t), 0);
        assert_int_equal(ops->open(m.e, "/dev/null", TMK_ENGINE_WRITE, &f), 0);
        assert_int_equal(ops->pwrite(m.e, f, buf, bytes, 1), bytes);
        assert_int_equal(ops->close(m.e, f), 0);
        unmake(m);
    }
    assert_int_equal(munmap(buf, bytes), 0);
}

static void files_are_open_at_once_up_to_a_limit(void **state)
{
    enum { MOST = 8 };
    struct made m = make(none);
    struct tmk_engine_transfers t = transfers_of(false, false);
    intptr_t files[MOST];
    intptr_t f = -1;

    (void)state;
    write_all(m, &t, "own");
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(ops->open(m.e, "own", TMK_ENGINE_READ, &files[i]), 0);
    }
    assert_int_equal(ops->open(m.e, "own", TMK_ENGINE_READ, &f), -EMFILE);
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(ops->close(m.e, files[i]), 0);
    }
    unmake(m);
}

static void the_version_is_that_of_mpi(void **state)
{
    int version;
    int subversion;
    char want[32];

    (void)state;
    MPI_Get_version(&version, &subversion);
    (void)snprintf(want, sizeof(want), "(%d.%d)", version, subversion);
    assert_string_equal(ops->version(), want);
    assert_null(ops->write);
    assert_null(ops->read);
    ops->close_instance(NULL);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, place_enter, place_leave)
    const struct CMUnitTest tests[] = {
        CASE(what_was_written_is_read),
        CASE(the_end_of_the_file_ends_a_transfer),
        CASE(only_the_original_empties_what_it_creates),
        CASE(what_cannot_be_opened_says_why),
        CASE(a_file_opened_for_one_thing_is_not_for_another),
        CASE(hints_are_those_of_rank_0),
        CASE(what_cannot_be_said_to_mpi_is_refused),
        CASE(a_view_shows_the_blocks_of_one_rank_alone),
        CASE(a_view_is_of_blocks_of_any_size),
        CASE(a_path_may_name_the_kind_of_file_system),
        CASE(a_transfer_may_be_larger_than_an_int_counts),
        CASE(files_are_open_at_once_up_to_a_limit),
        cmocka_unit_test(the_version_is_that_of_mpi),
        CASE(a_full_file_system_is_enospc), /* last: hides the places */
    };
    int failed;

    ranks_begin();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    return ranks_end(failed);
}
