/*
 * The calls that IO500 makes of the library, in its order, with its words, and
 * what it does with the results.  Uses installed headers alone.
 *
 *     link_suite DATADIR RESULTDIR STONEWALL N [extended]
 *
 * N: how much there is to do before the stonewall; 0 = more than can be.
 */
#include <pfind-options.h>

#include <mdtest.h>

#include <ior.h>

#include <md-workbench.h>

#include <aiori.h>

#include <inttypes.h>

#include "host.h"

extern int rank; /* IO500 declares both by itself */
double GetTimeStamp(void);

struct suite {
    struct host host;
    const char *data, *results;
    int n, stonewall;
    bool extended;
    const ior_aiori_t *backend;
    aiori_mod_opt_t *options;
    double kiops; /* of mdtest-easy-write */
};

static const int seed = -1571736178;

/* What the runner prints of a rate must be a number. */
static bool is_score(double x)
{
    return x > 0.0 && x < 1e12;
}

/*
 * Back ends.
 */

/* Directory by directory, as the runner makes them. */
static void make_dirs(struct suite *s, const char *path)
{
    char part[4096];
    struct stat st;

    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        (void)snprintf(part, sizeof(part), "%.*s/", (int)i, path);
        if (s->backend->stat(part, &st, s->options) != 0) {
            host_check(&s->host,
                       s->backend->mkdir(part, S_IRWXU, s->options) == 0,
                       "%s is made", part);
        }
    }
}

static void begin_backend(struct suite *s)
{
    option_help options[] = {LAST_OPTION};
    options_all_t *all = airoi_create_all_module_options(options);
    char word[] = "--posix.odirect=0";
    char wrong[] = "--posix.nonsense";
    static aiori_xfer_hint_t hints;

    memset(&hints, 0, sizeof(hints));
    host_check(&s->host, all != NULL && out_logfile != NULL,
               "there are options, and a log file");
    host_check(&s->host, option_parse_str(word, all) == 0, "%s is taken", word);
    out_logfile = fopen("/dev/null", "w");
    host_check(&s->host, option_parse_str(wrong, all) != 0, "%s is refused",
               wrong);
    fclose(out_logfile);
    out_logfile = stdout;
    host_check(&s->host, aiori_select("NONE") == NULL, "NONE is no back end");
    host_check(&s->host, airoi_update_module_options(NULL, all) == NULL,
               "which has no options");
    s->backend = aiori_select("POSIX");
    host_check(&s->host,
               s->backend != NULL && s->backend == aiori_select("posix"),
               "POSIX is there");
    s->options = airoi_update_module_options(s->backend, all);
    if (s->backend->xfer_hints != NULL) {
        s->backend->xfer_hints(&hints);
    }
    if (s->backend->check_params != NULL) {
        (void)s->backend->check_params(s->options);
    }
    if (s->backend->initialize != NULL) {
        s->backend->initialize(s->options);
    }
}

/* What the runner removes at the end: all of it is gone. */
static void clean_up(struct suite *s)
{
    static const char *const dirs[] = {"ior-easy/", "mdtest-easy/", "ior-hard/",
                                       "mdtest-hard/", ""};
    char path[4096];
    struct stat st;

    (void)snprintf(path, sizeof(path), "%s/ior-easy/ior_file_easy.%08d",
                   s->data, s->host.rank);
    host_check(&s->host, s->backend->stat(path, &st, s->options) == 0,
               "%s is there", path);
    s->backend->remove(path, s->options);
    MPI_Barrier(s->host.comm);
    if (s->host.rank == 0) {
        (void)snprintf(path, sizeof(path), "%s/ior-hard/file", s->data);
        s->backend->remove(path, s->options);
        s->backend->remove(path, s->options); /* no more */
        for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
            (void)snprintf(path, sizeof(path), "%s/%s", s->data, dirs[i]);
            (void)s->backend->rmdir(path, s->options);
        }
        host_check(&s->host, s->backend->stat(s->data, &st, s->options) != 0,
                   "nothing is left in %s", s->data);
    }
    if (s->backend->finalize != NULL) {
        s->backend->finalize(s->options);
    }
    free(s->options);
}

/*
 * ior.
 */

static IOR_point_t run_ior(struct suite *s, struct host_words *words,
                           const char *name, bool writes)
{
    struct host *host = &s->host;
    FILE *out = host_open(host, name);
    const double start = GetTimeStamp();
    IOR_test_t *test = ior_run(words->n, host_give(words), host->comm, out);
    const double took = GetTimeStamp() - start;
    IOR_point_t point = {0};

    host_close(host, out, name);
    host_take(host, words);
    if (!host_check(host, test != NULL && test->results != NULL,
                    "%s: there are results", name)) {
        return point;
    }
    host_check(host, test->next == NULL, "%s: of one test", name);
    host_check(host, test->results->errors == 0, "%s: no errors (%d)", name,
               test->results->errors);
    point = writes ? test->results->write : test->results->read;
    free(test);
    host_check(host, point.time > 0.0 && point.time <= took,
               "%s: a time (%g of %g s)", name, point.time, took);
    host_check(host,
               is_score((double)point.aggFileSizeForBW / point.time / GIBIBYTE),
               "%s: a bandwidth", name);
    host_check(host,
               is_score((double)point.stonewall_avg_data_accessed * host->size /
                        point.stonewall_time / GIBIBYTE),
               "%s: a bandwidth at the stonewall", name);
    host_check(host, point.pairs_accessed != 0, "%s: pairs", name);
    if (writes && s->n == 0) {
        host_check(host, point.time >= s->stonewall,
                   "%s: not over before the stonewall (%g s)", name,
                   point.time);
    }
    return point;
}

static void easy_words(struct suite *s, struct host_words *w, bool standard)
{
    host_words(w, "./ior --dataPacketType=timestamp -v -g -G %d -k -e", seed);
    host_words(w, "-o %s/ior-easy/ior_file_easy", s->data);
    if (standard) {
        host_words(w, "-C -Q 1 -O stoneWallingStatusFile=%s/ior-easy.stonewall",
                   s->results);
        host_words(w, "-t 256k -b %dm", s->n == 0 ? 9920000 : s->n / 10);
    }
    host_words(w, "-F");
}

static void hard_words(struct suite *s, struct host_words *w)
{
    host_words(w, "./ior --dataPacketType=timestamp -v -v -C -Q 1 -g -G=%d",
               seed + 1);
    host_words(w, "-k -e -o %s/ior-hard/file", s->data);
    host_words(w, "-O stoneWallingStatusFile=%s/ior-hard.stonewall",
               s->results);
    host_words(w, "-t 47008 -b 47008 -s %d", s->n == 0 ? 10000000 : s->n);
}

static void details(struct suite *s, struct host_words *w, const char *name)
{
    host_words(w,
               "-a POSIX --posix.odirect=0 -O "
               "saveRankPerformanceDetailsCSV=%s/%s.csv",
               s->results, name);
}

static void ior_easy_write(struct suite *s)
{
    struct host_words w = {0};

    easy_words(s, &w, true);
    host_words(&w, "-w -D %d -O stoneWallingWearOut=1", s->stonewall);
    details(s, &w, "ior-easy-write");
    (void)run_ior(s, &w, "ior-easy-write", true);
}

static void ior_easy_read(struct suite *s)
{
    struct host_words w = {0};

    easy_words(s, &w, true);
    host_words(&w, "-r -R");
    details(s, &w, "ior-easy-read");
    (void)run_ior(s, &w, "ior-easy-read", false);
}

static void ior_rnd4k(struct suite *s)
{
    struct host_words w = {0};

    easy_words(s, &w, false);
    host_words(&w, "-r -D %d -z -z", s->stonewall);
    details(s, &w, "ior-rnd4K-easy-read");
    host_words(&w, "-t=4096 -b=4096 -s=%d -O stoneWallingWearOut=1 -C -Q 2",
               s->n == 0 ? 10000000 : 100);
    (void)run_ior(s, &w, "ior-rnd4K-easy-read", false);
}

static void ior_hard_write(struct suite *s)
{
    struct host_words w = {0};

    hard_words(s, &w);
    host_words(&w, "-w -D %d", s->stonewall);
    details(s, &w, "ior-hard-write");
    host_words(&w, "-O stoneWallingWearOut=1");
    (void)run_ior(s, &w, "ior-hard-write", true);
}

static void ior_hard_read(struct suite *s)
{
    struct host_words w = {0};

    hard_words(s, &w);
    host_words(&w, "-r -R");
    details(s, &w, "ior-hard-read");
    (void)run_ior(s, &w, "ior-hard-read", false);
}

/*
 * mdtest.
 */

static uint64_t run_mdtest(struct suite *s, const char *name,
                           mdtest_test_num_t number, const char *action)
{
    const bool easy = strncmp(name, "mdtest-easy", 11) == 0;
    const bool writes = strstr(name, "write") != NULL;
    struct host *host = &s->host;
    struct host_words w = {0};
    FILE *out = host_open(host, name);
    mdtest_results_t *r;
    uint64_t items;
    double rates[2];

    host_words(&w, "./mdtest --dataPacketType=timestamp -n %d",
               s->n == 0 ? 1000000 : s->n);
    if (easy) {
        host_words(&w, "-u -L -F -P -G %d -N 1", seed);
    } else {
        host_words(&w, "-t -w 3901 -e 3901 -P -G=%d -N 1 -F", seed);
    }
    host_words(&w, "-d %s/mdtest-%s -x %s/mdtest-%s.stonewall", s->data,
               easy ? "easy" : "hard", s->results, easy ? "easy" : "hard");
    host_words(&w, "%s", action);
    if (writes) {
        host_words(&w, "-Y -W %d", s->stonewall);
    }
    host_words(&w, "--saveRankPerformanceDetails=%s/%s.csv -a POSIX",
               s->results, name);
    r = mdtest_run(w.n, host_give(&w), host->comm, out);
    host_close(host, out, name);
    host_take(host, &w);
    if (!host_check(host, r != NULL, "%s: there are results", name)) {
        return 0;
    }
    items = r->items[number];
    rates[0] = rates[1] = r->rate[number];
    MPI_Bcast(&rates[1], 1, MPI_DOUBLE, 0, host->comm);
    host_check(host, rates[0] == rates[1], "%s: one rate on all ranks", name);
    host_check(host, r->total_errors == 0, "%s: no errors", name);
    host_check(host, is_score(r->rate[number] / 1000.0), "%s: a rate", name);
    host_check(host, items != 0 && r->time[number] > 0.0, "%s: items", name);
    host_check(host,
               is_score((double)r->stonewall_item_sum[number] /
                        r->stonewall_time[number] / 1000.0) &&
                   r->stonewall_item_sum[number] <= items,
               "%s: a rate at the stonewall", name);
    if (writes && s->n == 0) {
        host_check(host, r->time[number] >= s->stonewall,
                   "%s: not over before the stonewall", name);
    } else if (s->n != 0) {
        host_check(host, items == (uint64_t)s->n * (uint64_t)host->size,
                   "%s: all items (%" PRIu64 ")", name, items);
    }
    if (easy && writes) {
        s->kiops = r->rate[number] / 1000.0;
    }
    free(r);
    return items;
}

/*
 * find.
 */

/* Rows of ranks, as the runner gathers them: of adjacent numbers. */
static void gather(struct host *host, const char *name,
                   pfind_find_results_t *all, pfind_find_results_t *local)
{
    pfind_find_results_t theirs;
    uint64_t found = local->found_files;
    uint64_t total = local->total_files;
    int pending = 0;

    if (host->rank != 0) {
        MPI_Send(&local->errors, 5, MPI_LONG_LONG_INT, 0, 4712, host->comm);
        MPI_Send(&local->monitor, 6, MPI_LONG_LONG_INT, 0, 4713, host->comm);
        return;
    }
    for (int i = 1; i < host->size; i++) {
        MPI_Recv(&theirs.errors, 5, MPI_LONG_LONG_INT, i, 4712, host->comm,
                 MPI_STATUS_IGNORE);
        MPI_Recv(&theirs.monitor, 6, MPI_LONG_LONG_INT, i, 4713, host->comm,
                 MPI_STATUS_IGNORE);
        found += theirs.found_files;
        total += theirs.total_files;
    }
    host_check(host, found == all->found_files && total == all->total_files,
               "%s: sums are those of ranks", name);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, host->comm, &pending,
               MPI_STATUS_IGNORE);
    host_check(host, !pending, "%s: no message is left", name);
}

static pfind_options_t *find_options(struct suite *s, const char *below,
                                     bool full)
{
    struct host_words w = {0};
    pfind_options_t *options;

    host_words(&w, "./pfind %s%s", s->data, below);
    if (full) {
        host_words(&w, "-newer %s/timestampfile -size 3901c", s->results);
    }
    host_words(&w, "-name *01* -C -N -H 1 -q 10000");
    options = pfind_parse_args(w.n, host_give(&w), 0, s->host.comm);
    host_take(&s->host, &w);
    return options;
}

static void run_find(struct suite *s, pfind_options_t *options,
                     const char *name, uint64_t total)
{
    struct host *host = &s->host;
    pfind_find_results_t *local = pfind_find(options);
    pfind_find_results_t *all;

    if (!host_check(host, local != NULL, "%s: something was found", name)) {
        return;
    }
    all = pfind_aggregrate_results(local);
    host_check(host, all != local, "%s: sums are a new object", name);
    gather(host, name, all, local);
    free(local);
    if (host->rank == 0) {
        host_check(host, all->errors == 0, "%s: no errors", name);
        host_check(host, all->found_files != 0, "%s: files were found", name);
        host_check(host, total == 0 || all->total_files == total,
                   "%s: %" PRIu64 " of %" PRIu64 " files were seen", name,
                   all->total_files, total);
        host_check(host, all->checked_dirents >= all->total_files,
                   "%s: entries", name);
        host_check(host,
                   all->runtime > 0.0 &&
                       is_score((double)all->total_files / all->runtime),
                   "%s: a rate", name);
    }
    free(all);
    free(options);
}

/*
 * md-workbench.
 */

static void run_workbench(struct suite *s, const char *name, const char *action,
                          int count)
{
    struct host *host = &s->host;
    struct host_words w = {0};
    FILE *out = host_open(host, name);
    const int objects =
        (int)(s->kiops * s->stonewall * 1000.0 / host->size) / 10 % 100;
    mdworkbench_results_t *r;

    host_words(&w, "./md-workbench --dataPacketType=timestamp -v");
    host_words(&w, "--process-reports -a POSIX -o=%s/mdworkbench -t=%f -O=1",
               s->data, 0.0);
    host_words(&w, "--run-info-file=%s/mdworkbench.status -D=10 -G=%d -P=%d",
               s->results, seed, objects);
    host_words(&w, "-I=%d %s", objects, action);
    r = md_workbench_run(w.n, host_give(&w), host->comm, out);
    host_close(host, out, name);
    host_take(host, &w);
    if (!host_check(host, r != NULL, "%s: there are results", name)) {
        return;
    }
    if (r->errors != 0 && host_said(host, name, "not available")) {
        free(r); /* then it says so, and is invalid */
        return;
    }
    host_check(host, r->errors == 0, "%s: no errors (%d)", name, r->errors);
    host_check(host, r->count == count, "%s: %d results", name, r->count);
    if (host->rank == 0) {
        host_check(host, is_score(r->result[count - 1].rate / 1000.0),
                   "%s: a rate", name);
        host_check(host, r->result[0].max_op_time > 0.0, "%s: a longest time",
                   name);
    }
    free(r);
}

/*
 * The whole.
 */

static void timestamp(struct suite *s)
{
    char path[4096];
    FILE *out;

    MPI_Barrier(s->host.comm);
    if (s->host.rank == 0) {
        (void)snprintf(path, sizeof(path), "%s/timestampfile", s->results);
        out = fopen(path, "w");
        host_check(&s->host, out != NULL && fclose(out) == 0, "%s", path);
    }
    MPI_Barrier(s->host.comm);
}

static void run_suite(struct suite *s)
{
    pfind_options_t *find;
    pfind_options_t *find_easy;
    pfind_options_t *find_hard;
    uint64_t easy;
    uint64_t hard;

    find_easy = find_options(s, "/mdtest-easy/", false);
    find = find_options(s, "", true);
    find_hard = find_options(s, "/mdtest-hard/", true);
    ior_easy_write(s);
    easy = run_mdtest(s, "mdtest-easy-write", MDTEST_FILE_CREATE_NUM, "-C");
    if (s->extended) {
        run_workbench(s, "mdworkbench-create", "-1", 1);
    }
    timestamp(s);
    if (s->extended) {
        run_find(s, find_easy, "find-easy", easy);
        find_easy = NULL;
    }
    ior_hard_write(s);
    hard = run_mdtest(s, "mdtest-hard-write", MDTEST_FILE_CREATE_NUM, "-C");
    run_find(s, find, "find",
             s->extended ? 0 : easy + hard + (uint64_t)s->host.size + 1);
    if (s->extended) {
        run_find(s, find_hard, "find-hard", hard);
        find_hard = NULL;
        run_workbench(s, "mdworkbench-bench", "-2 -R=2 -X", 2);
    }
    ior_easy_read(s);
    (void)run_mdtest(s, "mdtest-easy-stat", MDTEST_FILE_STAT_NUM, "-T");
    ior_hard_read(s);
    (void)run_mdtest(s, "mdtest-hard-stat", MDTEST_FILE_STAT_NUM, "-T");
    if (s->extended) {
        run_workbench(s, "mdworkbench-delete", "-3", 1);
    }
    (void)run_mdtest(s, "mdtest-easy-delete", MDTEST_FILE_REMOVE_NUM, "-r");
    (void)run_mdtest(s, "mdtest-hard-read", MDTEST_FILE_READ_NUM, "-E -X");
    (void)run_mdtest(s, "mdtest-hard-delete", MDTEST_FILE_REMOVE_NUM, "-r");
    ior_rnd4k(s);
    free(find_easy);
    free(find_hard);
}

int main(int argc, char **argv)
{
    struct suite s = {.kiops = 0.0};
    char path[4096];

    MPI_Init(&argc, &argv);
    if (argc < 5) {
        return 2;
    }
    host_begin(&s.host, MPI_COMM_WORLD, argv[2]);
    rank = s.host.rank;
    s.data = argv[1];
    s.results = argv[2];
    s.stonewall = (int)strtol(argv[3], NULL, 10);
    s.n = (int)strtol(argv[4], NULL, 10);
    s.extended = argc > 5;
    begin_backend(&s);
    if (rank == 0) {
        make_dirs(&s, s.results);
        (void)snprintf(path, sizeof(path), "%s/ior-easy", s.data);
        make_dirs(&s, path);
        (void)snprintf(path, sizeof(path), "%s/ior-hard", s.data);
        make_dirs(&s, path);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    run_suite(&s);
    clean_up(&s);
    return host_end(&s.host);
}
