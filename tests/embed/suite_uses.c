/*
 * What IO500's sources take from the headers, and have beside them: compiled
 * behind each header in turn, by api-headers.sh.
 */
#include <aiori.h>
#include <ior.h>
#include <md-workbench.h>
#include <mdtest.h>
#include <pfind-options.h>

#include <stddef.h>

/* The suite's own. */
#define FATAL(...)             printf(__VA_ARGS__)
#define ERROR(...)             printf(__VA_ARGS__)
#define WARNING(...)           printf(__VA_ARGS__)
#define INVALID(...)           printf(__VA_ARGS__)
#define DEBUG_ALL              1
#define DEBUG_INFO             2
#define PRINT_PAIR(...)        printf(__VA_ARGS__)
#define PRINT_PAIR_HEADER(...) printf(__VA_ARGS__)
#define INFO_PAIR(...)         printf(__VA_ARGS__)
#define UMPI_CHECK(x)          (x)
#define INVALID_RUN(...)       printf(__VA_ARGS__)
#define RUN_PHASE              1
#define INI_STRING             1
#define DEBUG_OPTION           1
#define IO500_PHASES           1
#define r0printf(...)          printf(__VA_ARGS__)

typedef struct {
    int type;
} option;
typedef struct {
    aiori_xfer_hint_t hints;
    ior_aiori_t const *aiori;
    aiori_mod_opt_t *backend_opt;
} suite_options;

suite_options opt;
option phases[2];
int run, validate, cleanup, o, of, res_data, rotladd;
extern int rank;
double GetTimeStamp(void);

char path[PATH_MAX];

int use_back_ends(mode_t mode);
int use_back_ends(mode_t mode)
{
    option_help list[] = {LAST_OPTION};
    options_all_t *all = airoi_create_all_module_options(list);
    struct stat st;
    int sum = option_parse_str(path, all) + TRUE;

    memset(&opt, 0, sizeof(opt));
    opt.aiori = aiori_select(path);
    opt.backend_opt = airoi_update_module_options(opt.aiori, all);
    opt.aiori->xfer_hints(&opt.hints);
    sum += opt.aiori->check_params(opt.backend_opt);
    opt.aiori->initialize(opt.backend_opt);
    sum += opt.aiori->stat(path, &st, opt.backend_opt);
    sum += stat(path, &st);
    sum += opt.aiori->mkdir(path, mode, opt.backend_opt);
    sum += opt.aiori->rmdir(path, opt.backend_opt);
    opt.aiori->remove(path, opt.backend_opt);
    opt.aiori->finalize(opt.backend_opt);
    out_logfile = stdout;
    if (strcmp(path, "x") != 0) {
        exit(rank + (int)GetTimeStamp());
    }
    return sum;
}

double use_ior(int argc, char **argv, FILE *out);
double use_ior(int argc, char **argv, FILE *out)
{
    IOR_test_t *test = ior_run(argc, argv, MPI_COMM_WORLD, out);
    IOR_results_t *results = test->results;
    IOR_point_t *p = &results->write;

    printf("%d %zu\n", results->errors, p->pairs_accessed);
    p = p->time > 0 ? p : &results->read;
    return (double)p->aggFileSizeForBW / p->time / GIBIBYTE +
           (double)p->stonewall_avg_data_accessed / p->stonewall_time;
}

double use_mdtest(int argc, char **argv, FILE *out, mdtest_test_num_t test);
double use_mdtest(int argc, char **argv, FILE *out, mdtest_test_num_t test)
{
    mdtest_results_t *r = mdtest_run(argc, argv, MPI_COMM_WORLD, out);
    const mdtest_test_num_t all[] = {MDTEST_FILE_CREATE_NUM,
                                     MDTEST_FILE_STAT_NUM, MDTEST_FILE_READ_NUM,
                                     MDTEST_FILE_REMOVE_NUM};
    double rate = r->rate[test] + r->time[test] + r->stonewall_time[all[0]] +
                  (double)(r->items[test] + r->stonewall_item_sum[test] +
                           r->total_errors);

    free(r);
    return rate;
}

double use_workbench(int argc, char **argv, FILE *out);
double use_workbench(int argc, char **argv, FILE *out)
{
    mdworkbench_results_t *r =
        md_workbench_run(argc, argv, MPI_COMM_WORLD, out);
    const mdworkbench_result_t *second = &r->result[1];

    printf("%d %d\n", r->count, r->errors);
    return r->result[0].rate + second->rate + second->max_op_time;
}

double use_pfind(int argc, char **argv);
double use_pfind(int argc, char **argv)
{
    pfind_options_t *options = pfind_parse_args(argc, argv, 0, MPI_COMM_WORLD);
    pfind_find_results_t *local = pfind_find(options);
    pfind_find_results_t *all = pfind_aggregrate_results(local);
    pfind_monitoring_t *m = &all->monitor;
    uint64_t counts[] = {all->errors,
                         all->unknown_file,
                         all->found_files,
                         all->total_files,
                         all->checked_dirents,
                         m->job_steal_inbound,
                         m->work_send,
                         m->job_steal_tries,
                         m->work_stolen,
                         m->job_steal_mpitime_us,
                         m->completion_tokens_send};
    const size_t at_errors = offsetof(pfind_find_results_t, errors);
    const size_t at_checked = offsetof(pfind_find_results_t, checked_dirents);
    const size_t at_first = offsetof(pfind_monitoring_t, job_steal_inbound);
    const size_t at_last = offsetof(pfind_monitoring_t, completion_tokens_send);

    MPI_Send(&local->errors, 5, MPI_LONG_LONG_INT, 0, 4712, MPI_COMM_WORLD);
    MPI_Send(&local->monitor, 6, MPI_LONG_LONG_INT, 0, 4713, MPI_COMM_WORLD);
    if (at_checked - at_errors != 4 * sizeof(uint64_t) ||
        at_last - at_first != 5 * sizeof(uint64_t)) {
        return -1.0;
    }
    free(local);
    return all->rate + all->runtime + (double)counts[0];
}
