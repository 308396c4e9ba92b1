/*
 * What a host of the library must be able to rely on when things go wrong, and
 * when it calls often or from several communicators.  Uses installed headers
 * alone.
 *
 *     link_cases DIR RESULTDIR [FULL]
 *
 * DIR: an empty directory; FULL: one on a file system with room for 1 MiB.
 */
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>

#include <aiori.h>
#include <ior.h>
#include <md-workbench.h>
#include <mdtest.h>
#include <pfind-options.h>

#include "host.h"

struct cases {
    struct host host;
    const char *dir;
    const char *full; /* NULL = there is none */
    const char *name; /* of the case at work */
};

static mdtest_results_t *mdtest(struct cases *c, const char *name,
                                const char *words)
{
    struct host_words w = {0};
    FILE *out = host_open(&c->host, name);
    mdtest_results_t *r;

    host_words(&w, "mdtest %s", words);
    r = mdtest_run(w.n, host_give(&w), c->host.comm, out);
    host_close(&c->host, out, name);
    host_take(&c->host, &w);
    return r;
}

static IOR_test_t *ior(struct cases *c, const char *name, const char *words)
{
    struct host_words w = {0};
    FILE *out = host_open(&c->host, name);
    IOR_test_t *r;

    host_words(&w, "ior %s", words);
    r = ior_run(w.n, host_give(&w), c->host.comm, out);
    host_close(&c->host, out, name);
    host_take(&c->host, &w);
    return r;
}

static mdworkbench_results_t *workbench(struct cases *c, const char *name,
                                        const char *words)
{
    struct host_words w = {0};
    FILE *out = host_open(&c->host, name);
    mdworkbench_results_t *r;

    host_words(&w, "md-workbench %s", words);
    r = md_workbench_run(w.n, host_give(&w), c->host.comm, out);
    host_close(&c->host, out, name);
    host_take(&c->host, &w);
    return r;
}

/* On rank 0, whose reports of failures are a file. */
static pfind_find_results_t *pfind(struct cases *c, const char *name,
                                   const char *words)
{
    struct host_words w = {0};
    FILE *out = host_open(&c->host, name);
    pfind_options_t *options;
    pfind_find_results_t *r;

    host_words(&w, "pfind %s", words);
    options = pfind_parse_args(w.n, host_give(&w), 0, c->host.comm);
    host_take(&c->host, &w);
    out_logfile = out;
    r = pfind_find(options);
    out_logfile = NULL;
    if (c->host.rank == 0) {
        fclose(out);
    }
    free(options);
    return r;
}

static char *text_of(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
static char *text_of(const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = host_text(format, args);
    va_end(args);
    return text;
}

/* A phase that a host must not take for a result. */
static void is_invalid(struct cases *c, mdtest_results_t *r,
                       mdtest_test_num_t t, bool all)
{
    struct host *host = &c->host;

    if (!host_check(host, r != NULL, "%s: there are results", c->name)) {
        return;
    }
    host_check(host, r->rate[t] == 0.0 && r->items[t] == 0,
               "%s: no rate (%g), no items", c->name, r->rate[t]);
    host_check(host, r->total_errors != 0, "%s: errors", c->name);
    host_check(host,
               (double)r->stonewall_item_sum[t] / r->stonewall_time[t] == 0.0,
               "%s: 0 at the stonewall, too", c->name);
    for (int i = 0; all && i < MDTEST_LAST_NUM; i++) {
        host_check(host, r->rate[i] == 0.0 && r->items[i] == 0,
                   "%s: nor of phase %d", c->name, i);
    }
    free(r);
}

static void is_bad(struct cases *c, IOR_test_t *test, bool writes)
{
    struct host *host = &c->host;
    IOR_point_t *point;

    if (!host_check(host, test != NULL && test->results != NULL,
                    "%s: there are results", c->name)) {
        return;
    }
    point = writes ? &test->results->write : &test->results->read;
    host_check(host, test->results->errors != 0, "%s: errors", c->name);
    host_check(host, (double)point->aggFileSizeForBW / point->time == 0.0,
               "%s: a bandwidth of 0, which is a number", c->name);
    free(test);
}

/*
 * Requests.
 */

static void wrong_requests_return_on_every_rank(struct cases *c)
{
    static const char *const wrong[] = {"--nonsense", "-n abc", "-t", "-h",
                                        "-a NONE"};
    mdworkbench_results_t *r;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        is_invalid(c, mdtest(c, "wrong", wrong[i]), MDTEST_FILE_CREATE_NUM,
                   true);
        is_bad(c, ior(c, "wrong", wrong[i]), true);
    }
    host_check(&c->host, host_said(&c->host, "wrong", "NONE"),
               "%s: rank 0 says why", c->name);
    host_check(&c->host, pfind(c, "wrong", "-name") == NULL,
               "%s: pfind returns nothing", c->name);
    host_check(&c->host, host_said(&c->host, "wrong", "pfind: "),
               "%s: and says why", c->name);
    host_check(&c->host, pfind_find(NULL) == NULL, "%s: nothing asked",
               c->name);
    host_check(&c->host, pfind_aggregrate_results(NULL) == NULL,
               "%s: nothing to add up", c->name);
    r = workbench(c, "wrong", "--nonsense");
    host_check(&c->host,
               r != NULL && r->errors != 0 && r->result[1].rate == 0.0,
               "%s: md-workbench has errors, and two results", c->name);
    free(r);
}

static void ranks_without_a_part_return(struct cases *c)
{
    is_invalid(c, mdtest_run(0, NULL, MPI_COMM_NULL, NULL),
               MDTEST_FILE_STAT_NUM, true);
    is_bad(c, ior_run(0, NULL, MPI_COMM_NULL, NULL), false);
}

/*
 * Data.
 */

/* Another byte in a file, of rank 0's; or the file is gone. */
static void spoil(struct cases *c, const char *path, bool remove)
{
    int fd;

    MPI_Barrier(c->host.comm);
    if (c->host.rank == 0 && remove) {
        host_check(&c->host, unlink(path) == 0, "%s is removed", path);
    } else if (c->host.rank == 0) {
        fd = open(path, O_WRONLY);
        host_check(&c->host, fd >= 0 && pwrite(fd, "\377", 1, 1000) == 1,
                   "%s is spoilt", path);
        close(fd);
    }
    MPI_Barrier(c->host.comm);
}

static void data_that_was_altered_is_an_error(struct cases *c)
{
    char *where = text_of("-G 5 -F -n 10 -d %s/altered", c->dir);
    char *words = text_of("%s -w 3901 -C", where);
    char *file = text_of("%s/altered/test-dir.0-0/mdtest_tree.0/"
                         "file.mdtest.0.3",
                         c->dir);

    free(mdtest(c, "altered", words));
    free(words);
    spoil(c, file, false);
    words = text_of("%s -e 3901 -E -X --tolerate=100%%", where);
    is_invalid(c, mdtest(c, "altered", words), MDTEST_FILE_READ_NUM, false);
    free(words);
    spoil(c, file, true);
    words = text_of("%s -T -r --tolerate=100%%", where);
    is_invalid(c, mdtest(c, "altered", words), MDTEST_FILE_STAT_NUM, false);
    free(words);
    free(file);
    free(where);
}

static void ior_sees_altered_data(struct cases *c)
{
    char *file = text_of("%s/data", c->dir);
    char *words = text_of("-w -k -G -7 -g -t 4k -b 64k -o %s", file);
    IOR_test_t *test = ior(c, "data", words);

    host_check(&c->host, test->results->errors == 0, "%s: it is written",
               c->name);
    free(test);
    free(words);
    spoil(c, file, false);
    words = text_of("-r -R -G=-7 -t 4k -b 64k -o %s", file);
    is_bad(c, ior(c, "data", words), false);
    host_check(&c->host, host_said(&c->host, "data", "1000"),
               "%s: rank 0 says where", c->name);
    free(words);
    free(file);
}

/*
 * Room.
 */

static void a_full_file_system_is_an_error(struct cases *c)
{
    static const char *const full[] = {
        "-F -C -n 100 -a DUMMY --dummy.fail=create:20:ENOSPC --tolerate=100%",
        "-F -C -n 100 -w 100 -a DUMMY --dummy.fail-after-bytes=500",
        "-F -C -n 100 -w 100 -a DUMMY --dummy.fail=close:7 "
        "--dummy.fail-only-rank=0",
    };
    char *words;

    for (size_t i = 0; i < sizeof(full) / sizeof(full[0]); i++) {
        is_invalid(c, mdtest(c, "full", full[i]), MDTEST_FILE_CREATE_NUM,
                   false);
    }
    is_bad(c,
           ior(c, "full",
               "-w -t 4k -b 1m -a DUMMY "
               "--dummy.fail-after-bytes=70000"),
           true);
    if (c->full == NULL) {
        return;
    }
    words = text_of("-F -C -n 1000 -w 3901 -W 60 -d %s/md", c->full);
    is_invalid(c, mdtest(c, "full", words), MDTEST_FILE_CREATE_NUM, false);
    host_check(&c->host, host_said(&c->host, "full", "ENOSPC"),
               "%s: rank 0 says why", c->name);
    free(words);
    words = text_of("-w -k -t 64k -b 8m -D 60 -O stoneWallingWearOut=1 "
                    "-o %s/data -F",
                    c->full);
    is_bad(c, ior(c, "full", words), true);
    free(words);
}

static void what_cannot_be_made_is_an_error(struct cases *c)
{
    char *words = text_of("-F -C -n 5 -d /dev/null/x");
    pfind_find_results_t *local;
    pfind_find_results_t *all;

    is_invalid(c, mdtest(c, "no-dir", words), MDTEST_FILE_CREATE_NUM, true);
    free(words);
    words = text_of("-F -C -n 5 -d %s/x -x %s/none/x", c->dir, c->dir);
    is_invalid(c, mdtest(c, "no-dir", words), MDTEST_FILE_CREATE_NUM, true);
    free(words);
    words = text_of("-w -o %s/none/x", c->dir);
    is_bad(c, ior(c, "no-dir", words), true);
    free(words);
    words = text_of("-r -o %s/none", c->dir);
    is_bad(c, ior(c, "no-dir", words), false);
    free(words);
    words = text_of("%s/none -name x -C", c->dir);
    local = pfind(c, "no-dir", words);
    all = pfind_aggregrate_results(local);
    host_check(&c->host,
               all == NULL || (all->errors != 0 && all->total_files == 0 &&
                               all->found_files == 0 && all->rate == 0.0),
               "%s: nothing is found where nothing is", c->name);
    host_check(&c->host, host_said(&c->host, "no-dir", "No such file"),
               "%s: rank 0 says why", c->name);
    free(all);
    free(local);
    free(words);
}

/*
 * MPI.
 */

/* Reductions of the library until one fails; 0 = none does.  The failure comes
 * to the handler of the communicator, as MPI would do it. */
static int until_failure;

static void fail_now_and_then(MPI_Comm comm)
{
    if (until_failure > 0 && --until_failure == 0) {
        MPI_Comm_call_errhandler(comm, MPI_ERR_INTERN);
    }
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type,
                  MPI_Op op, MPI_Comm comm)
{
    fail_now_and_then(comm);
    return PMPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    fail_now_and_then(comm);
    return PMPI_Iallreduce(from, to, count, type, op, comm, request);
}

static void errors_of_mpi_spoil_results_alone(struct cases *c)
{
    const char *words = "-F -C -T -r -n 10 -a DUMMY";
    mdtest_results_t *r;

    for (int n = 1; n <= 12; n += 5) {
        until_failure = c->host.rank == c->host.size - 1 ? n : 0;
        is_invalid(c, mdtest(c, "mpi", words), MDTEST_FILE_CREATE_NUM, true);
        host_check(&c->host, until_failure == 0, "%s: there was one", c->name);
        host_check(&c->host, host_said(&c->host, "mpi", "errors of MPI"),
                   "%s: rank 0 says so", c->name);
        until_failure = c->host.rank == 0 ? n : 0;
        is_bad(c, ior(c, "mpi", "-w -t 1k -b 4k -a DUMMY"), true);
    }
    r = mdtest(c, "mpi", words);
    host_check(&c->host, r->total_errors == 0, "%s: later calls are well",
               c->name);
    free(r);
}

/*
 * Several at once.
 */

static void two_communicators_work_at_once(struct cases *c)
{
    struct cases half = *c;
    MPI_Comm comm;
    char *words;
    const int color = c->host.rank % 2;

    MPI_Comm_split(c->host.comm, color, -c->host.rank, &comm);
    half.host.comm = comm;
    MPI_Comm_rank(comm, &half.host.rank);
    MPI_Comm_size(comm, &half.host.size);
    words = text_of("-F -n 200 -d %s/half%d", c->dir, color);
    for (int i = 0; i < 3; i++) {
        if (color == 0) {
            mdtest_results_t *r = mdtest(&half, "half0", words);

            host_check(&half.host,
                       r->items[MDTEST_FILE_STAT_NUM] ==
                               200u * (unsigned)half.host.size &&
                           r->total_errors == 0,
                       "%s: all items of one half", c->name);
            free(r);
        } else {
            IOR_test_t *t = ior(&half, "half1", "-w -a DUMMY -t 1k -b 64k");

            host_check(&half.host,
                       t->results->errors == 0 &&
                           t->results->write.aggFileSizeForBW ==
                               65536 * half.host.size,
                       "%s: all bytes of the other", c->name);
            free(t);
        }
    }
    c->host.failed = half.host.failed;
    free(words);
    MPI_Comm_free(&comm);
}

/* Bytes of memory in use. */
static size_t in_use(void)
{
    return mallinfo2().uordblks;
}

static void one_round(struct cases *c)
{
    char *words = text_of("%s -name *x* -C", c->dir);
    pfind_find_results_t *local;

    free(mdtest(c, "round", "-F -n 20 -i 2 -w 10 -e 10 -a DUMMY"));
    free(mdtest(c, "round", "--nonsense"));
    free(ior(c, "round", "-w -r -i 2 -t 1k -b 4k -a DUMMY"));
    free(ior(c, "round", "--nonsense"));
    local = pfind(c, "round", words);
    free(pfind_aggregrate_results(local));
    free(local);
    free(workbench(c, "round", "--nonsense"));
    free(airoi_create_all_module_options(NULL));
    free(words);
}

/*
 * MPI takes a pool of something now and then, and keeps it: a leak would show
 * in each window of time.  Ranks that share cores take long, and have fewer.
 */
static void memory_does_not_grow(struct cases *c)
{
    enum { WINDOWS = 5, LITTLE = 4096 };
    const char *asked = getenv("HOST_ROUNDS");
    const int rounds = asked != NULL      ? (int)strtol(asked, NULL, 10)
                       : c->host.size > 2 ? 10
                                          : 50;
    size_t least = SIZE_MAX;
    bool flat = false;

    one_round(c);
    for (int i = 0; i < WINDOWS && !flat; i++) {
        const size_t before = in_use();
        size_t after;

        for (int k = 0; k < rounds; k++) {
            one_round(c);
        }
        after = in_use();
        after = after > before ? after - before : 0;
        least = after < least ? after : least;
        flat = least <= LITTLE;
        MPI_Allreduce(MPI_IN_PLACE, &flat, 1, MPI_C_BOOL, MPI_LAND,
                      c->host.comm);
    }
    host_check(&c->host, least <= LITTLE, "%s: %zu bytes more after %d rounds",
               c->name, least, rounds);
}

/*
 * The host.
 */

static int count_fds(void)
{
    int n = 0;

    for (int fd = 0; fd < 1024; fd++) {
        n += fcntl(fd, F_GETFD) >= 0;
    }
    return n;
}

static void theirs(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void the_host_is_as_it_was(struct cases *c)
{
    struct sigaction before[SIGRTMAX + 1];
    struct sigaction after;
    MPI_Errhandler own;
    MPI_Errhandler now;
    sigset_t masks[2];
    const int fds = count_fds();
    int pending;

    MPI_Comm_create_errhandler(theirs, &own);
    MPI_Comm_set_errhandler(c->host.comm, own);
    for (int i = 1; i <= SIGRTMAX; i++) {
        memset(&before[i], 0, sizeof(before[i]));
        (void)sigaction(i, NULL, &before[i]);
    }
    sigprocmask(SIG_BLOCK, NULL, &masks[0]);
    one_round(c);
    free(ior(c, "round", "-w -a MMAP -t 4k -b 4k -o /dev/null/x"));
    sigprocmask(SIG_BLOCK, NULL, &masks[1]);
    for (int i = 1; i <= SIGRTMAX; i++) {
        memset(&after, 0, sizeof(after));
        (void)sigaction(i, NULL, &after);
        host_check(&c->host, before[i].sa_handler == after.sa_handler,
                   "%s: the handler of signal %d", c->name, i);
        host_check(&c->host,
                   sigismember(&masks[0], i) == sigismember(&masks[1], i),
                   "%s: the mask of signal %d", c->name, i);
    }
    MPI_Comm_get_errhandler(c->host.comm, &now);
    host_check(&c->host, now == own, "%s: the handler of errors", c->name);
    MPI_Comm_set_errhandler(c->host.comm, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&now);
    MPI_Errhandler_free(&own);
    host_check(&c->host, count_fds() == fds, "%s: the open files", c->name);
    MPI_Barrier(c->host.comm);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c->host.comm, &pending,
               MPI_STATUS_IGNORE);
    host_check(&c->host, !pending, "%s: no message is left", c->name);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(struct cases *c);
    } all[] = {
        {"wrong requests", wrong_requests_return_on_every_rank},
        {"no part", ranks_without_a_part_return},
        {"altered", data_that_was_altered_is_an_error},
        {"altered for ior", ior_sees_altered_data},
        {"full", a_full_file_system_is_an_error},
        {"no directory", what_cannot_be_made_is_an_error},
        {"errors of MPI", errors_of_mpi_spoil_results_alone},
        {"two communicators", two_communicators_work_at_once},
        {"the host", the_host_is_as_it_was},
        {"memory", memory_does_not_grow},
    };
    struct cases c = {.dir = argc > 1 ? argv[1] : ".",
                      .full = argc > 3 ? argv[3] : NULL};
    char program[] = "ior";
    char *words[] = {program};
    IOR_test_t *early = ior_run(1, words, MPI_COMM_WORLD, NULL);

    MPI_Init(&argc, &argv);
    if (argc < 3) {
        return 2;
    }
    host_begin(&c.host, MPI_COMM_WORLD, argv[2]);
    c.name = "before MPI";
    is_bad(&c, early, true);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        c.name = all[i].name;
        all[i].run(&c);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return host_end(&c.host);
}
