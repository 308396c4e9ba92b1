/*
 * Small runs in which the n-th call of a rank fails, for every n.  What mdtest
 * then says is compared with what the calls of all ranks came to, which an
 * engine keeps (faulty.h): how many operations of each phase went well, how
 * many failed and why, how many were never tried; the exit status; what is
 * left on disk.
 *
 *     FAULTS=all   every n of every rank, with every errno
 *     FAULTS=each  every n, with a rank and an errno
 *     FAULTS=7     every seventh of all
 */
#include "mpi/ranks.h"

#include "mpi/tally.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/mdtest_main.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Runs that are tried, each with every fault. */
struct way {
    const char *options; /* without -d */
    /* Another launch, without faults, that works on what this one left; it
     * ends well, and leaves nothing.  NULL: none. */
    const char *then;
    int ranks; /* at least */
};

struct bench {
    struct tmk_job job;
    char base[2048];   /* empty, and what -d lies in */
    char status[2100]; /* -x */
    char *out, *err;   /* text; owned */
    uint64_t runs;
    bool by_dummy; /* the fault is DUMMY's own */
    int bad;
    char what[512]; /* is being tried */
};

static struct bench bench;

/*
 * Barriers are counted: between the ends of two phases the calls of all ranks
 * belong to the second one.
 */

int MPI_Barrier(MPI_Comm comm)
{
    faulty.barriers++;
    return PMPI_Barrier(comm);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    faulty.barriers++;
    return PMPI_Ibarrier(comm, request);
}

/*
 * What is told.
 */

static void note_begin(void *state, const struct tmk_report_run *run)
{
    (void)state;
    (void)run;
    told.begun = true;
}

static void note_phase(void *state, const struct tmk_result_test *test,
                       const struct tmk_result_row *row, int iteration,
                       const struct tmk_phase_result *phase)
{
    size_t which = (size_t)(row - test->rows);

    (void)state;
    (void)iteration;
    for (size_t i = 0; i < TMK_HIST_BUCKETS; i++) {
        told.latencies[which] += phase->latency.counts[i];
    }
    if (told.n_ends < COUNT(told.ends)) {
        told.ends[told.n_ends].which = (int)which;
        told.ends[told.n_ends++].barriers = faulty.barriers;
    }
}

static void note_test(void *state, const struct tmk_report_run *run,
                      const struct tmk_result_test *test)
{
    (void)state;
    (void)run;
    for (size_t i = 0; i < test->n_rows; i++) {
        const struct tmk_result_row *row = &test->rows[i];

        told.done[i] += row->operations;
        told.failed[i] += row->failed;
        told.missed[i] += row->missed;
        for (size_t e = 0; e < TMK_ERRNUM_SLOTS; e++) {
            told.failed_by[i][e] += row->failed_by[e];
        }
    }
}

static const struct tmk_writer_ops note_ops = {
    .begin = note_begin,
    .phase = note_phase,
    .test_end = note_test,
};

/*
 * Complaints.
 */

__attribute__((format(printf, 1, 2))) static void bad(const char *format, ...)
{
    va_list args;

    if (ranks_rank() != 0 || ++bench.bad > 20) {
        return;
    }
    printf("%s:\n    ", bench.what);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    if (bench.err != NULL && bench.err[0] != '\0') {
        printf("    said: %s", bench.err);
    }
    fflush(stdout);
}

static void too_long(int number)
{
    (void)number;
    (void)!write(STDOUT_FILENO, "hangs: ", 7);
    (void)!write(STDOUT_FILENO, bench.what, strlen(bench.what));
    (void)!write(STDOUT_FILENO, "\n", 1);
    _exit(124);
}

/*
 * Running.
 */

static size_t split(char *text, const char **words, size_t room)
{
    size_t n = 0;

    for (char *word = strtok(text, " "); word != NULL && n < room;
         word = strtok(NULL, " ")) {
        words[n++] = strcmp(word, "STATUS") == 0 ? bench.status : word;
    }
    return n;
}

/* Number of open descriptors. */
static uint64_t count_fds(void)
{
    DIR *dir = opendir("/proc/self/fd");
    uint64_t n = 0;

    while (dir != NULL && readdir(dir) != NULL) {
        n++;
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return n;
}

static int count_lines(const char *text)
{
    int n = 0;

    for (; *text != '\0'; text++) {
        n += *text == '\n';
    }
    return n;
}

/* Whether the text has a line of what failed, or was not tried. */
static bool has_line(const char *text, const char *label, uint64_t part,
                     uint64_t all, const char *end)
{
    char line[128];

    snprintf(line, sizeof(line), "%-18s %ju of %ju%s", label, (uintmax_t)part,
             (uintmax_t)all, end);
    return part == 0 || strstr(text, line) != NULL;
}

static bool mentions_all_of(const char *text)
{
    bool all = true;

    for (int i = 0; i < PHASES; i++) {
        uint64_t tried = told.done[i] + told.failed[i];

        all = all && has_line(text, "failed", told.failed[i], tried, " (") &&
              has_line(text, "not tried", told.missed[i],
                       tried + told.missed[i], "\n");
    }
    return all;
}

/* One launch; told and the calls in `faulty` say what came of it. */
static void launch_all(const char *options)
{
    const struct tmk_engine_ops posix_at =
        faulty_around(&tmk_engine_posix, true, faulty_open_posix);
    const struct tmk_engine_ops dummy_at =
        faulty_around(&tmk_engine_dummy, true, faulty_open_dummy);
    struct tmk_engine_ops posix =
        faulty_around(&tmk_engine_posix, false, faulty_open_posix);
    struct tmk_engine_ops dummy =
        faulty_around(&tmk_engine_dummy, false, faulty_open_dummy);
    const struct tmk_engine_ops *const engines[] = {&posix, &dummy, NULL};
    struct tmk_writer writers[3] = {{
        .ops = &note_ops,
    }};
    const struct tmk_mdtest_parts parts = {
        .version = "test", .engines = engines, .writers = writers};
    struct tmk_job *job = &bench.job;
    struct tmk_result result;
    const char *argv[64] = {"mdtest", "-d", told.root};
    char words[512];
    size_t length;
    int argc;

    posix.relative = &posix_at;
    dummy.relative = &dummy_at;
    snprintf(words, sizeof(words), "%s", options);
    argc = 3 + (int)split(words, argv + 3, COUNT(argv) - 4);
    tally_forget();
    free(bench.out);
    free(bench.err);
    bench.out = bench.err = NULL;
    job->out = open_memstream(&bench.out, &length);
    job->err = open_memstream(&bench.err, &length);
    writers[1] =
        (struct tmk_writer){.ops = &tmk_report_text, .state = job->out};
    job->own_warnings.n = 0;
    job->interrupted = 0;
    alarm(60);
    told.status =
        tmk_mdtest_main_all(job, argc, (char **)argv, &parts, &result);
    alarm(0);
    fclose(job->out);
    fclose(job->err);
    job->out = job->err = NULL;
    bench.runs++;
    told.lines = count_lines(bench.err);
    told.mentioned = mentions_all_of(bench.out);
    tmk_wait_bcast_all(&job->wait, &told, sizeof(told), MPI_BYTE);
}

/*
 * What is left.
 */

/* Whether some rank can explain that a path is there.  Collective. */
static void explain_all(struct tally *t, const char *path, bool keeps)
{
    const bool others = tally_made_by_others(path);
    int any[2] = {keeps || others || tally_could_not_remove(path), others};

    tmk_wait_allreduce_all(&bench.job.wait, any, 2, MPI_INT, MPI_LOR);
    if (!any[0]) {
        bad("%s is left", path);
    }
    t->kept += !any[1];
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Go through what is left, alike on every rank.  Collective. */
static void walk_all(struct tally *t, const char *dir, bool keeps)
{
    struct dirent **list = NULL;
    int n = scandir(dir, &list, NULL, by_name);

    for (int i = 0; i < n; i++) {
        const char *name = list[i]->d_name;
        char path[4096];
        struct stat st;

        snprintf(path, sizeof(path), "%s/%s", dir, name);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            explain_all(t, path, keeps);
            if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
                walk_all(t, path, keeps);
            }
        }
        free(list[i]);
    }
    free(list);
}

/* rm -r; rank 0's. */
static void clear(const char *dir)
{
    struct dirent **list = NULL;
    int n = scandir(dir, &list, NULL, NULL);

    for (int i = 0; i < n; i++) {
        const char *name = list[i]->d_name;
        char path[4096];

        snprintf(path, sizeof(path), "%s/%s", dir, name);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
            unlink(path) != 0) {
            clear(path);
            (void)rmdir(path);
        }
        free(list[i]);
    }
    free(list);
}

static void clear_all(void)
{
    tmk_wait_barrier_all(&bench.job.wait);
    if (ranks_rank() == 0) {
        clear(bench.base);
    }
    tmk_wait_barrier_all(&bench.job.wait);
}

/*
 * Judging.
 */

static void sum_all(struct tally *t)
{
    tmk_wait_allreduce_all(&bench.job.wait, t, sizeof(*t) / sizeof(uint64_t),
                           MPI_UINT64_T, MPI_SUM);
}

static const char *name_of(int which)
{
    return tmk_mdtest_phase_rows[which].name;
}

/* Counts of one phase; `planned`: those of a run without faults. */
static void judge_phase(const struct tally *t, int which, uint64_t planned)
{

    uint64_t all = told.done[which] + told.failed[which];

    if ((int64_t)told.done[which] != t->done[which] ||
        told.failed[which] != t->failed[which]) {
        bad("%s: told are %ju done, %ju failed; there were %jd, %ju",
            name_of(which), (uintmax_t)told.done[which],
            (uintmax_t)told.failed[which], (intmax_t)t->done[which],
            (uintmax_t)t->failed[which]);
    }
    for (int e = 0; e < TMK_ERRNUM_SLOTS; e++) {
        if (told.failed_by[which][e] != t->failed_by[which][e]) {
            bad("%s: told are %ju of errno %d, there were %ju", name_of(which),
                (uintmax_t)told.failed_by[which][e], e,
                (uintmax_t)t->failed_by[which][e]);
        }
    }
    if (planned != UINT64_MAX && all + told.missed[which] != planned) {
        bad("%s: %ju done, %ju failed and %ju not tried are not %ju",
            name_of(which), (uintmax_t)told.done[which],
            (uintmax_t)told.failed[which], (uintmax_t)told.missed[which],
            (uintmax_t)planned);
    }
}

static void judge_counts(struct tally *t, const char *options,
                         const uint64_t *planned)
{
    if (tally_has_word(options, "-c") && !tally_has_word(options, "-k") &&
        !tally_has_word(options, "-D")) {
        /* Files that nobody came to fill are not done; those that somebody
         * came to in vain are taken off already. */
        int64_t *files = &t->done[TMK_MDTEST_FILE_CREATE];

        *files = (int64_t)t->second - (int64_t)t->spoiled;
    }
    for (int i = 0; i < PHASES; i++) {
        /* An iteration that could not begin is none. */
        judge_phase(
            t, i, planned != NULL && t->no_dir == 0 ? planned[i] : UINT64_MAX);
    }
}

static uint64_t sum_of(const uint64_t *of_phases)
{
    uint64_t sum = 0;

    for (int i = 0; i < PHASES; i++) {
        sum += of_phases[i];
    }
    return sum;
}

static void judge_status(const struct tally *t, const char *options,
                         bool faults)
{

    const bool keeps = tally_has_word(options, "-C");
    int want = 0;
    int most = 3;

    if (!told.begun) {
        if (told.status != 2 || told.lines != 1 || !faults) {
            bad("refused with status %d and %d lines", told.status, told.lines);
        }
        return;
    }
    if (sum_of(t->failed) != 0 || (t->kept != 0 && !keeps) || t->no_dir != 0 ||
        t->stays != 0) {
        want = 1;
    }
    if (told.status != want) {
        bad("status %d, not %d (%ju failed, %ju left)", told.status, want,
            (uintmax_t)sum_of(t->failed), (uintmax_t)t->kept);
    }
    /* One for each errno of a phase, and what is left. */
    for (size_t i = 0; i < (size_t)PHASES * TMK_ERRNUM_SLOTS; i++) {
        most += t->failed_by[i / TMK_ERRNUM_SLOTS][i % TMK_ERRNUM_SLOTS] != 0;
    }
    if ((told.lines != 0) != (want != 0) || told.lines > most) {
        bad("%d lines of errors with status %d", told.lines, want);
    }
    if (!told.mentioned) {
        bad("not all that failed or was not tried is told:\n%s", bench.out);
    }
}

/* One launch with the fault that `faulty` is armed with; what it came to. */
static struct tally try_all(const char *options, const uint64_t *planned)
{
    const bool keeps = tally_has_word(options, "-C");
    const bool faults = faulty.n != 0 || bench.by_dummy;
    struct tally t = {0};
    uint64_t fds = count_fds();
    uint64_t full;

    launch_all(options);
    t.fds = count_fds() - fds;
    tally_count(&t, options);
    full = t.full;
    full = tmk_job_max_all(&bench.job, full);
    walk_all(&t, bench.base,
             keeps && told.begun &&
                 (full == 0 || tally_has_word(options, "--keep")));
    sum_all(&t);
    t.kept /= (uint64_t)ranks_size();
    if (t.fds != 0) {
        bad("%jd files are open behind it", (intmax_t)t.fds);
    }
    if (told.begun) {
        judge_counts(&t, options, planned);
    }
    judge_status(&t, options, faults);
    return t;
}

/* How often something is called without faults; `planned` is filled. */
static uint64_t try_well_all(const struct way *way, uint64_t *planned)
{
    uint64_t called;

    snprintf(bench.what, sizeof(bench.what), "%s, %d ranks, no fault",
             way->options, ranks_size());
    clear_all();
    faulty_arm(0, false, 0, false);
    (void)try_all(way->options, NULL);
    if (told.status != 0) {
        bad("status %d", told.status);
    }
    for (int i = 0; i < PHASES; i++) {
        planned[i] = told.done[i];
    }
    called = faulty.called;
    called = tmk_job_max_all(&bench.job, called);
    return called;
}

/* The later launch of a way: it works on what there is, and nothing else. */
static void follow_all(const struct way *way, const struct tally *first)
{
    char what[sizeof(bench.what)];

    if (way->then == NULL || !told.begun || first->full != 0 ||
        first->no_tree != 0 || first->stays != 0 || first->no_dir != 0) {
        return;
    }
    snprintf(what, sizeof(what), "%.200s; then %.200s", bench.what, way->then);
    memcpy(bench.what, what, sizeof(what));
    faulty_arm(0, false, 0, false);
    told.follows = true;
    (void)try_all(way->then, NULL);
    told.follows = false;
    if (told.status != 0) {
        bad("status %d", told.status);
    }
}

/* Of so many for each n, every thin-th.  The numbers are primes. */
static uint64_t thin(uint64_t per_n)
{
    const char *faults = getenv("FAULTS");

    if (faults != NULL && strcmp(faults, "each") == 0) {
        return per_n > 2 ? per_n - 1 : 1; /* another one each time */
    }
    if (faults != NULL && faults[0] != '\0') {
        uint64_t n = strtoull(faults, NULL, 10);

        return n != 0 ? n : 1; /* "all" */
    }
    switch (ranks_size()) {
    case 1: return 11;
    case 2: return 401;
    default: return 4001;
    }
}

/* Each n, each rank, some errnos. */
static void sweep_all(const struct way *way, bool every)
{
    static const struct {
        int err;
        bool lost;
    } faults[] = {
        {EIO, false},          {EACCES, false},       {ENOENT, true},
        {ENOSPC, false},       {EEXIST, true},        {ETIMEDOUT, true},
        {FAULTY_SHORT, false}, {FAULTY_SPOIL, false}, {ESTALE, true},
    };
    const uint64_t step = thin(COUNT(faults) * (uint64_t)ranks_size());
    uint64_t planned[PHASES];
    uint64_t called;
    uint64_t serial = 0;

    if (ranks_size() < way->ranks) {
        return;
    }
    called = try_well_all(way, planned);
    for (uint64_t n = 1 + every; n <= called; n++) {
        for (int rank = 0; rank < ranks_size(); rank++) {
            for (size_t e = 0; e < COUNT(faults); e++) {
                struct tally t;
                char name[16];

                if ((serial++ + step / 2) % step != 0) {
                    continue;
                }
                snprintf(bench.what, sizeof(bench.what),
                         "%s, %d ranks, %s %ju %s with %s on rank %d",
                         way->options, ranks_size(),
                         every ? "every call of" : "call", (uintmax_t)n,
                         faults[e].lost ? "is done, and fails" : "fails",
                         tmk_errnum_name(faults[e].err, name, sizeof(name)),
                         rank);
                clear_all();
                faulty_arm(rank == ranks_rank() ? n : 0, every, faults[e].err,
                           faults[e].lost);
                t = try_all(way->options, planned);
                follow_all(way, &t);
            }
        }
    }
}

/* The same by the engine that can fail by itself. */
static void sweep_dummy_all(const struct way *way)
{
    static const char *const errs[] = {"", ":EACCES", ":ENOSPC"};
    uint64_t step = thin(3 * (uint64_t)ranks_size());
    uint64_t planned[PHASES];
    uint64_t called = try_well_all(way, planned);
    uint64_t serial = 0;

    step = step > 10 ? step / 5 : step;
    for (uint64_t n = 1; n <= called; n++) {
        for (int i = 0; i < 3 * ranks_size(); i++) {
            char options[256];

            if ((serial++ + step / 2) % step != 0) {
                continue;
            }
            snprintf(options, sizeof(options),
                     "%s --dummy.fail=any:%ju%s --dummy.fail-only-rank=%d",
                     way->options, (uintmax_t)n, errs[i % 3], i / 3);
            snprintf(bench.what, sizeof(bench.what), "%s, %d ranks", options,
                     ranks_size());
            faulty_arm(0, false, 0, false);
            bench.by_dummy = true;
            (void)try_all(options, planned);
            bench.by_dummy = false;
        }
    }
}

static const struct way dummy_ways[] = {
    {"-a DUMMY -n 3", NULL, 1},
    {"-a DUMMY -n 3 -u -c -b 2 -z 1", NULL, 1},
    {"-a DUMMY -n 3 -S -w 16 -e 16", NULL, 1},
    {"-a DUMMY -n 3 -k -B", NULL, 1},
    {"-a DUMMY -n 3 -N 1 --access=dirfd -y -w 16", NULL, 1},
    {"-a DUMMY -n 4 -I 2 -i 2 --tree=parallel -z 1", NULL, 1},
};

static void every_call_of_dummy_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(dummy_ways); i++) {
        sweep_dummy_all(&dummy_ways[i]);
    }
    assert_int_equal(bench.bad, 0);
}

static const struct way ways[] = {
    {"-n 3", NULL, 1},
    {"-n 3 -u", NULL, 1},
    {"-n 3 -u -b 2 -z 1", NULL, 1},
    {"-n 7 -z 2 -b 2", NULL, 1},
    {"-n 3 -c -w 16", NULL, 1},
    {"-n 3 -c -u -y -w 16 --verify-write", NULL, 1},
    {"-n 4 -I 2 -c -F", NULL, 1},
    {"-D -n 2 -c -z 1", NULL, 1},
    {"-n 3 -S -w 16 -e 16", NULL, 1},
    {"-n 3 -k", NULL, 1},
    {"-n 2 -k -c -F", NULL, 1},
    {"-n 3 -B", NULL, 1},
    {"-n 2 -B -u -z 1 -w 16", NULL, 1},
    {"-n 4 -I 2", NULL, 1},
    {"-n 3 -Y", NULL, 1},
    {"-n 3 --access=dirfd", NULL, 1},
    {"-n 6 -b 2 -z 1 -L --access=dirfd -w 16 -e 16", NULL, 1},
    {"-n 3 -k --access=dirfd", NULL, 1},
    {"-n 3 -c --access=dirfd", NULL, 1},
    {"-n 3 -b 2 -z 1 --tree=parallel", NULL, 1},
    {"-n 3 -u -b 2 -z 1 --tree=parallel -c", NULL, 1},
    {"-n 3 -F -w 16 -y --verify-write", NULL, 1},
    {"-n 3 -F -w 16 -e 16 -X -G 7", NULL, 1},
    {"-n 2 -i 2", NULL, 1},
    {"-n 3 -N 1", NULL, 2},
    {"-n 3 -u -N 1 -b 2 -z 1", NULL, 2},
    {"-n 2 -c -N 1", NULL, 2},
    {"-n 3 -R5 --random-remove", NULL, 1},
    {"-n 3 --as=mdtest-4.1 -w 16 -e 16", NULL, 1},
    {"-n 3 -C --keep", NULL, 1},
    {"-n 3 -C -x STATUS", "-n 3 -T -U -E -r -x STATUS", 1},
    {"-n 2 -z 1 -C -c -x STATUS", "-n 2 -z 1 -c -T -U -E -r -x STATUS", 1},
    {"-n 3 -C -S -x STATUS", "-n 3 -S -T -E -r -x STATUS", 1},
    {"-n 4 -I 2 -C -x STATUS", "-n 4 -I 2 -T -U -E -r -x STATUS", 1},
    {"-n 3 -u -N 1 -C -x STATUS", "-n 3 -u -N 1 -T -U -E -r -x STATUS", 2},
    {"-n 2 -i 2 -C -x STATUS", "-n 2 -i 2 -T -U -E -r -x STATUS", 1},
};

static void every_call_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ways); i++) {
        sweep_all(&ways[i], false);
    }
    assert_int_equal(bench.bad, 0);
}

static void many_calls_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ways); i++) {
        sweep_all(&ways[i], true);
    }
    assert_int_equal(bench.bad, 0);
}

/* One directory for all ranks, which nobody else has. */
static void make_base(void)
{
    const char *below = getenv("TEST_DIR");
    char *name = bench.base;

    snprintf(name, sizeof(bench.base), "%s/faults.XXXXXX",
             below != NULL ? below : "/tmp");
    if (ranks_rank() == 0) {
        assert_non_null(mkdtemp(name));
    }
    MPI_Bcast(name, sizeof(bench.base), MPI_CHAR, 0, MPI_COMM_WORLD);
    snprintf(told.root, sizeof(told.root), "%s/D", name);
    snprintf(bench.status, sizeof(bench.status), "%s.status", name);
}

static int enter(void **state)
{
    (void)state;
    make_base();
    (void)signal(SIGALRM, too_long);
    assert_int_equal(
        tmk_job_init_all(&bench.job, MPI_COMM_WORLD, "mdtest", stdout, stderr),
        0);
    /* Thousands of barriers, maybe beside other work. */
    bench.job.layout.yields = true;
    bench.job.wait.yields = true;
    return 0;
}

static int leave(void **state)
{
    (void)state;
    clear_all();
    if (ranks_rank() == 0) {
        (void)rmdir(bench.base);
        (void)unlink(bench.status);
        printf("%ju runs\n", (uintmax_t)bench.runs);
    }
    tmk_job_fini_all(&bench.job);
    faulty_fini();
    free(bench.out);
    free(bench.err);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_may_fail),
        cmocka_unit_test(many_calls_may_fail),
        cmocka_unit_test(every_call_of_dummy_may_fail),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, enter, leave));
}
