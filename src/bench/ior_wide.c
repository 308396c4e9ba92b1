/*
 * ior_wide: the table at the end (spec/ior.md 5.4).
 */
#include "bench/ior_wide.h"

#include <inttypes.h>
#include <math.h>

static const double mib = 1024.0 * 1024.0;

static struct tmk_ior_wide line_of(const char *operation,
                                   const struct tmk_ior_test *test,
                                   enum tmk_ior_access access)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;

    return (struct tmk_ior_wide){
        .operation = operation,
        .sum = test->sums[access],
        .test = test->id,
        .tasks = plan->tasks,
        .ranks_per_node = test->ranks_per_node,
        .repetitions = conf->repetitions,
        .file_per_proc = !plan->shared,
        .reorder = conf->reorder,
        .reorder_random = conf->reorder_random,
        .reorder_offset = conf->node_offset,
        .reorder_seed = conf->reorder_seed,
        .segments = plan->segments,
        .block_bytes = plan->block_bytes,
        .transfer_bytes = plan->transfer_bytes,
        .api = test->ops->name,
        .ref_num = conf->ref_num,
    };
}

size_t tmk_ior_wide_make(struct tmk_ior_wide lines[TMK_IOR_WIDE_MAX],
                         const struct tmk_ior_test *test)
{
    size_t n = 0;

    if (test->plan->writes || test->plan->mixes) {
        lines[n++] = line_of("write", test, TMK_IOR_WRITE);
    }
    if (test->plan->reads || test->plan->mixes) {
        lines[n++] = line_of("read", test, TMK_IOR_READ);
    }
    if (test->plan->mixes) {
        lines[n++] = line_of("mixed", test, TMK_IOR_MIX);
    }
    return n;
}

double tmk_ior_wide_stddev(const struct tmk_stats *stats)
{
    return stats->n != 0 ? sqrt(stats->m2 / (double)stats->n) : 0.0;
}

bool tmk_ior_wide_wall(const struct tmk_ior_sum *sum, double *time_s,
                       double *mib_per_s)
{
    if (sum->walls == 0 || sum->wall_s <= 0.0) {
        return false;
    }
    *time_s = sum->wall_s / (double)sum->walls;
    *mib_per_s = sum->wall_bytes / mib / sum->wall_s;
    return true;
}

/* Four numbers; "NA" where there was no repetition. */
static void print_stats(FILE *to, const struct tmk_stats *stats, double unit)
{
    if (stats->n == 0) {
        fprintf(to, "%10s %10s %10s %10s ", "NA", "NA", "NA", "NA");
        return;
    }
    fprintf(to, "%10.2f %10.2f %10.2f %10.2f ", stats->max / unit,
            stats->min / unit, stats->mean / unit,
            tmk_ior_wide_stddev(stats) / unit);
}

static void print_times(FILE *to, const struct tmk_ior_sum *sum)
{
    double time_s;
    double mib_per_s;

    if (sum->total_s.n == 0) {
        fprintf(to, "%10s ", "NA");
    } else {
        fprintf(to, "%10.5f ", sum->total_s.mean);
    }
    if (tmk_ior_wide_wall(sum, &time_s, &mib_per_s)) {
        fprintf(to, "%10.2f %13.2f ", time_s, mib_per_s);
    } else {
        fprintf(to, "%10s %13s ", "NA", "NA");
    }
}

static void print_line(const struct tmk_ior_wide *w, FILE *to)
{
    fprintf(to, "%-9s ", w->operation);
    print_stats(to, &w->sum.bytes_per_s, mib);
    print_stats(to, &w->sum.ops_per_s, 1.0);
    print_times(to, &w->sum);
    fprintf(to, "%5d %6d %3d %4d %3u %5u %8" PRIu64 " %9u %4d ", w->test,
            w->tasks, w->ranks_per_node, w->repetitions, w->file_per_proc,
            w->reorder, w->reorder_offset, w->reorder_random, w->reorder_seed);
    fprintf(to, "%6" PRIu64 " %8" PRIu64 " %8" PRIu64 " %9.1f %3s %6d\n",
            w->segments, w->block_bytes, w->transfer_bytes,
            (double)w->sum.first_bytes / mib, w->api, w->ref_num);
}

void tmk_ior_wide_print(const struct tmk_ior_wide *lines, size_t n, FILE *to)
{
    fputs("Summary of all tests:\n"
          "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   "
          "Min(OPs)  Mean(OPs)     StdDev    Mean(s) Stonewall(s) "
          "Stonewall(MiB) Test# #Tasks tPN reps fPP reord reordoff reordrand "
          "seed segcnt   blksiz    xsize aggs(MiB)   API RefNum\n",
          to);
    for (size_t i = 0; i < n; i++) {
        print_line(&lines[i], to);
    }
}
