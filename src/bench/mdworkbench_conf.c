/*
 * mdworkbench_conf: the options of mdworkbench(1), one row each.
 */
#include "bench/mdworkbench_conf.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt_time.h"
#include "base/pattern.h"

static int parse_waiting(void *field, const char *text, const char **want)
{
    double value;
    char *end;

    *want = "how many times as long as the operation to wait, 0 to 1000000 "
            "(0.5 and 2 are right)";
    /* strtod would also take "nan", "0x1p3" and signs. */
    if (text[0] == '\0' || strspn(text, "0123456789.eE-+") != strlen(text) ||
        text[0] == '-') {
        return -EINVAL;
    }
    value = strtod(text, &end);
    if (*end != '\0' || !(value <= 1e6)) {
        return -EINVAL;
    }
    *(double *)field = value;
    return 0;
}

static void show_waiting(const void *field, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%g", *(const double *)field);
}

static int parse_pattern(void *field, const char *text, const char **want)
{
    int kind = tmk_pattern_find(text);

    *want = "timestamp, offset, incompressible, random, unique or noise, or "
            "the beginning of one";
    /* A place is one in a file of many transfers. */
    if (kind < 0 || kind == TMK_PATTERN_PLACE) {
        return -EINVAL;
    }
    *(int *)field = kind;
    return 0;
}

static void show_pattern(const void *field, char *buf, size_t size)
{
    (void)snprintf(
        buf, size, "%s",
        tmk_pattern_name((enum tmk_pattern_kind) * (const int *)field));
}

/* Shorter rows: the struct is always the same. */
#define FLAG(k, n, f, h) TMK_OPT_FLAG(k, n, struct tmk_mdworkbench_conf, f, h)
#define INT(k, n, f, a, lo, h)                                                 \
    TMK_OPT_INT(k, n, struct tmk_mdworkbench_conf, f, a, lo, 0, h)
#define U64(k, n, f, a, lo, h)                                                 \
    TMK_OPT_U64(k, n, struct tmk_mdworkbench_conf, f, a, lo, MOST, h)
#define STR(k, n, f, a, h)                                                     \
    TMK_OPT_STR(k, n, struct tmk_mdworkbench_conf, f, a, h)
/* A flag that old command lines give a number of its own: "-v 1". */
#define COUNT(k, n, f, h)                                                      \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_FLAG,                    \
        .offset = TMK_OPT_FIELD(struct tmk_mdworkbench_conf, f, unsigned),     \
        .number_may_follow = true, .help = (h)                                 \
    }

/* Counts above this are no plan but a slip of the keyboard. */
#define MOST (UINT64_C(1) << 62)

const struct tmk_opt tmk_mdworkbench_opts[] = {
    INT('O', "offset", offset, "N", INT_MIN,
        "ranks between who makes, who owns and who takes an object"),
    STR('a', "api", api, "NAME", "storage API: POSIX or DUMMY"),
    U64('I', "obj-per-proc", steps, "N", 0,
        "objects of each set that a rank works on in an iteration"),
    U64('P', "precreate-per-set", per_set, "N", 0,
        "objects in each set, which stay as many"),
    U64('D', "data-sets", sets, "N", 1, "sets of each rank"),
    U64('S', "object-size", bytes, "BYTES", 0, "bytes of each object"),
    INT('R', "iterations", iterations, "N", 0, "iterations of the benchmark"),
    TMK_OPT_INT('G', NULL, struct tmk_mdworkbench_conf, seed, "SEED", INT_MIN,
                0, "seed of the data; -1 = as they were made, or the time"),
    TMK_OPT_CALL(0, "dataPacketType", struct tmk_mdworkbench_conf, pattern_kind,
                 int, "TYPE", parse_pattern, show_pattern,
                 "timestamp, offset, incompressible, random, unique or noise"),
    FLAG('X', "verify-read", verify, "check what is read"),
    STR('o', NULL, dir, "DIR", "directory to work in, made if missing"),
    TMK_OPT_CALL('t', "waiting-time", struct tmk_mdworkbench_conf, waiting,
                 double, "FACTOR", parse_waiting, show_waiting,
                 "after each operation, wait so many times as long"),
    FLAG('T', "adaptive-waiting", adaptive,
         "each iteration with waiting times of 0 and 1/16 to 4"),
    INT('w', "stonewall-timer", stonewall_s, "SECONDS", 0,
        "stop an iteration after this time, then make all ranks even"),
    FLAG('W', "stonewall-wear-out", wear_out,
         "accepted; ranks are always made even"),
    FLAG('1', "run-precreate", precreate,
         "make the sets; all of -1, -2, -3 if none is given"),
    FLAG('2', "run-benchmark", benchmark, "measure what there is"),
    FLAG('3', "run-cleanup", cleanup, "remove the sets"),
    STR(0, "run-info-file", status_file, "FILE",
        "what later launches need to know of the sets"),
    U64(0, "start-item", start_item, "N", 0,
        "number of the oldest object; 0 = as the file says"),
    FLAG(0, "read-only", read_only, "stat and read alone; nothing is changed"),
    FLAG(0, "ignore-precreate-errors", ignore_precreate_errors,
         "measure although some of the objects could not be made"),
    STR('L', "latency", latency, "PREFIX",
        "the time of each operation of rank 0 as CSV, a file per kind"),
    FLAG(0, "latency-all", latency_all, "with -L, of all ranks"),
    COUNT('v', "verbose", verbose, "say more; may be repeated"),
    FLAG('q', "quiet", quiet, "say less"),
    FLAG(0, "process-reports", process_reports, "a line for each rank, too"),
    FLAG(0, "print-detailed-stats", detailed_stats,
         "counts in columns, in place of a line and a table"),
    U64(0, "max-errors", max_errors, "N", 0,
        "failures that stop a rank's part of a phase; 0 = no limit"),
    FLAG(0, "keep", keep, "after an interrupt, leave what was created"),
    TMK_OPT_CHOICE(0, "leftovers", struct tmk_mdworkbench_conf, leftovers,
                   "HOW", tmk_opt_leftovers_choices,
                   "objects in the way: refuse to start, clean, or reuse"),
    INT(0, "grace", grace_s, "SECONDS", 0,
        "longest time for removing things after an interrupt"),
    FLAG(0, "dry-run", dry_run, "print the plan and touch nothing"),
    FLAG(0, "warningAsErrors", warning_as_errors,
         "a warning makes the exit status 1"),
    FLAG(0, "percentiles", percentiles,
         "at the end, a table of the times of single operations"),
    TMK_OPT_CALL(0, "interval", struct tmk_mdworkbench_conf, interval_ns,
                 uint64_t, "SECONDS", tmk_opt_time_parse_interval,
                 tmk_opt_time_show_interval,
                 "count operations in such steps of time"),
    {
        .name = "progress",
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct tmk_mdworkbench_conf, progress,
                                struct tmk_opt_progress),
        .arg = "SECONDS",
        .parse = tmk_opt_time_parse_progress,
        .show = tmk_opt_time_show_progress,
        .value_optional = true,
        .help = "say how far a phase is every second, or so many; 0 = never",
    },
    STR(0, "trace", trace, "PREFIX",
        "every call of rank R on the file system to PREFIX.R"),
    STR(0, "json", json, "FILE", "results as JSON; - = standard output"),
    STR(0, "csv", csv, "FILE", "results as CSV, appended; - = standard output"),
    STR(0, "label", label, "TEXT", "a name for the run in JSON and CSV"),
};
const size_t tmk_mdworkbench_n_opts =
    sizeof(tmk_mdworkbench_opts) / sizeof(tmk_mdworkbench_opts[0]);

static const char not_here[] = "not available here: not built in";
static const char for_ior[] = "not available here: an engine of ior alone";

const struct tmk_opt_gone tmk_mdworkbench_gone[] = {
    {"--allocateBufferOnGPU", not_here},
    {"--GPUid", not_here},
    {"--gpuDirect", not_here},
    {"--posix.", not_here},
    {"--mpiio.", for_ior},
    {"--mmap.", for_ior},
    {"--uring.", for_ior},
    {"--hdf5.", not_here},
    {"--ncmpi.", not_here},
    {"--ime.", not_here},
    {"--hdfs.", not_here},
    {"--dfs.", not_here},
    {"--daos.", not_here},
    {"--ceph.", not_here},
    {"--cephfs.", not_here},
    {"--rados.", not_here},
    {"--gfarm.", not_here},
    {"--chfs.", not_here},
    {"--finchfs.", not_here},
    {"--libnfs.", not_here},
    {"--pmdk.", not_here},
    {"--aio.", not_here},
    {"--S3-", not_here},
    {"--version", "only by itself"},
    {"--help", "takes no value"},
};
const size_t tmk_mdworkbench_n_gone =
    sizeof(tmk_mdworkbench_gone) / sizeof(tmk_mdworkbench_gone[0]);

void tmk_mdworkbench_conf_init(struct tmk_mdworkbench_conf *conf)
{
    *conf = (struct tmk_mdworkbench_conf){
        .offset = 1,
        .api = "POSIX",
        .steps = 1000,
        .per_set = 3000,
        .sets = 10,
        .bytes = 3901,
        .iterations = 3,
        .seed = -1,
        .dir = "./out",
        .status_file = "md-workbench.status",
        .max_errors = 1000,
        .grace_s = 20,
    };
}
