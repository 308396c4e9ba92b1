/*
 * mdtest_conf: the options of mdtest(1), one row each.
 */
#include "bench/mdtest_conf.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/opt_command.h"
#include "base/opt_time.h"
#include "base/pattern.h"
#include "base/units.h"

static int parse_stride(void *field, const char *text, const char **want)
{
    struct tmk_mdtest_stride *stride = field;
    uint64_t n;

    *want = "a number of nodes or ranks, 0 to 4294967295, or 'node'";
    if (strcasecmp(text, "node") == 0) {
        *stride = (struct tmk_mdtest_stride){.n = 1, .by_node = true};
        return 0;
    }
    if (tmk_units_parse_u64(text, &n) != 0 || n > UINT32_MAX) {
        return -EINVAL;
    }
    *stride = (struct tmk_mdtest_stride){.n = n};
    return 0;
}

static void show_stride(const void *field, char *buf, size_t size)
{
    const struct tmk_mdtest_stride *stride = field;

    if (stride->by_node) {
        (void)snprintf(buf, size, "node");
    } else {
        (void)snprintf(buf, size, "%" PRIu64, stride->n);
    }
}

static int parse_random(void *field, const char *text, const char **want)
{
    struct tmk_mdtest_random *random = field;
    struct tmk_mdtest_random new = {.on = true, .seeded = text != NULL};

    *want = "a seed (-R, -R5 and -R=5 are right)";
    if (text != NULL && tmk_units_parse_i64(text, &new.seed) != 0) {
        return -EINVAL;
    }
    *random = new;
    return 0;
}

static void show_random(const void *field, char *buf, size_t size)
{
    const struct tmk_mdtest_random *random = field;

    if (random->seeded) {
        (void)snprintf(buf, size, "%" PRId64, random->seed);
    } else {
        (void)snprintf(buf, size, "%s", random->on ? "on" : "off");
    }
}

static int parse_tolerance(void *field, const char *text, const char **want)
{
    struct tmk_mdtest_tolerance *tolerate = field;
    struct tmk_mdtest_tolerance new = {0};
    char *end;

    *want = "a number of failures, or a share of the operations such as 0.5%";
    if (strchr(text, '%') == NULL) {
        if (tmk_units_parse_u64(text, &new.failures) != 0) {
            return -EINVAL;
        }
    } else {
        /* strtod would also take "nan", "0x1p3" and signs. */
        if (strspn(text, "0123456789.") + 1 != strlen(text)) {
            return -EINVAL;
        }
        new.percent = strtod(text, &end);
        if (end == text || strcmp(end, "%") != 0 || new.percent > 100.0) {
            return -EINVAL;
        }
    }
    *tolerate = new;
    return 0;
}

static void show_tolerance(const void *field, char *buf, size_t size)
{
    const struct tmk_mdtest_tolerance *tolerate = field;

    if (tolerate->percent > 0.0) {
        (void)snprintf(buf, size, "%g%%", tolerate->percent);
    } else {
        (void)snprintf(buf, size, "%" PRIu64, tolerate->failures);
    }
}

static int parse_pattern(void *field, const char *text, const char **want)
{
    int kind = tmk_pattern_find(text);

    *want = "timestamp, offset, incompressible, random, unique or noise, or "
            "the beginning of one";
    /* A place is one in a file of many transfers; unique says as much here. */
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

static const char *const stride_unit_choices[] = {
    [TMK_MDTEST_STRIDE_AUTO] = "auto",
    [TMK_MDTEST_STRIDE_RANK] = "rank",
    NULL,
};

static const char *const tree_choices[] = {
    [TMK_MDTEST_TREE_SERIAL] = "serial",
    [TMK_MDTEST_TREE_PARALLEL] = "parallel",
    NULL,
};

static const char *const access_choices[] = {
    [TMK_MDTEST_ACCESS_PATH] = "path",
    [TMK_MDTEST_ACCESS_DIRFD] = "dirfd",
    NULL,
};

static const char *const table_choices[] = {
    [TMK_MDTEST_TABLE_4] = "4",
    [TMK_MDTEST_TABLE_1_9] = "1.9",
    NULL,
};

static const char *const semantics_choices[] = {
    [TMK_MDTEST_AS_TREEMARK] = "treemark",
    [TMK_MDTEST_AS_MDTEST_4_1] = "mdtest-4.1",
    NULL,
};

/* Shorter rows: the struct is always the same. */
#define FLAG(k, n, f, h) TMK_OPT_FLAG(k, n, struct tmk_mdtest_conf, f, h)
/* A flag that old command lines give a number of its own: "-v 1". */
#define COUNT(k, n, f, h)                                                      \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_FLAG,                    \
        .offset = TMK_OPT_FIELD(struct tmk_mdtest_conf, f, unsigned),          \
        .number_may_follow = true, .help = (h)                                 \
    }
#define INT(k, n, f, a, lo, h)                                                 \
    TMK_OPT_INT(k, n, struct tmk_mdtest_conf, f, a, lo, 0, h)
#define U64(k, n, f, a, lo, h)                                                 \
    TMK_OPT_U64(k, n, struct tmk_mdtest_conf, f, a, lo, MOST, h)
#define STR(k, n, f, a, h) TMK_OPT_STR(k, n, struct tmk_mdtest_conf, f, a, h)
#define CHOICE(k, n, f, a, c, h)                                               \
    TMK_OPT_CHOICE(k, n, struct tmk_mdtest_conf, f, a, c, h)

/* Counts above this are no plan but a slip of the keyboard. */
#define MOST (UINT64_C(1) << 62)

const struct tmk_opt tmk_mdtest_opts[] = {
    STR('a', NULL, api, "NAME", "storage API: POSIX or DUMMY"),
    U64('b', NULL, branch, "N", 0, "branching factor of the directory tree"),
    COUNT('B', NULL, no_barriers, "no barriers between phases"),
    COUNT('c', NULL, collective,
          "rank 0 creates and removes the items of all tasks"),
    FLAG('C', NULL, create, "only create, with the other phases asked for"),
    STR('d', NULL, dir, "DIR", "directory to work in, made if missing"),
    FLAG('D', NULL, dirs_only, "test directories only"),
    U64('e', NULL, read_bytes, "BYTES", 0, "bytes to read from each file"),
    FLAG('E', NULL, read, "only read files, with the others asked for"),
    INT('f', NULL, first, "N", 1, "first number of tasks of a scan"),
    FLAG('F', NULL, files_only, "test files only"),
    TMK_OPT_INT('G', NULL, struct tmk_mdtest_conf, pattern_seed, "SEED",
                INT_MIN, 0, "seed of the data; -1 = the time of day"),
    INT('i', NULL, iterations, "N", 1, "iterations of the whole test"),
    U64('I', NULL, items_per_dir, "N", 0, "items per directory and task"),
    FLAG('k', NULL, mknod, "create files by mknod"),
    INT('l', NULL, last, "N", 0, "last number of tasks of a scan; 0 = all"),
    FLAG('L', NULL, leaf_only, "items only in the leaves of the tree"),
    U64('n', NULL, items, "N", 0, "items per task: files and directories"),
    TMK_OPT_CALL('N', NULL, struct tmk_mdtest_conf, stride,
                 struct tmk_mdtest_stride, "N|node", parse_stride, show_stride,
                 "each phase works on the items of a rank so much further on"),
    INT('p', NULL, delay_s, "SECONDS", 0,
        "pause before the directory tests and before the file tests"),
    FLAG('P', NULL, print_both, "print the rate table and the time table"),
    FLAG('r', NULL, remove, "only remove, with the other phases asked for"),
    {
        .key = 'R',
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct tmk_mdtest_conf, random,
                                struct tmk_mdtest_random),
        .arg = "SEED",
        .parse = parse_random,
        .show = show_random,
        .value_optional = true,
        .help = "stat and read in random order",
    },
    INT('s', NULL, step, "N", 1, "step between numbers of tasks of a scan"),
    FLAG('S', NULL, shared, "all tasks use the same files"),
    FLAG('t', NULL, time_unique, "accepted; time is never restarted here"),
    FLAG('T', NULL, stat, "only stat, with the other phases asked for"),
    FLAG('u', NULL, unique, "a directory tree of its own for each task"),
    FLAG('U', NULL, rename, "only rename directories, with the others"),
    COUNT('v', NULL, verbose, "say more; may be repeated"),
    INT('V', NULL, verbosity, "N", 0, "verbosity level"),
    U64('w', NULL, write_bytes, "BYTES", 0,
        "bytes to write to each file when it is created"),
    INT('W', NULL, stonewall_s, "SECONDS", 0,
        "stop creating after this time, then make all tasks even"),
    STR('x', NULL, status_file, "FILE", "items made by -C, for later launches"),
    FLAG('X', "verify-read", verify_read, "check what is read"),
    FLAG('y', NULL, fsync, "fsync each file after writing"),
    FLAG('Y', NULL, sync, "sync(2) on every rank at the end of each phase"),
    U64('z', NULL, depth, "N", 0, "depth of the directory tree"),
    FLAG('Z', NULL, print_time, "print the time table in place of rates"),
    FLAG(0, "verify-write", verify_write, "read back and check after writing"),
    TMK_OPT_CALL(0, "dataPacketType", struct tmk_mdtest_conf, pattern_kind, int,
                 "TYPE", parse_pattern, show_pattern,
                 "timestamp, offset, incompressible, random, unique or noise"),
    STR(0, "run-cmd-before-phase", cmd_before, "COMMAND",
        "run by every rank before each phase"),
    STR(0, "run-cmd-after-phase", cmd_after, "COMMAND",
        "run by every rank at the end of each phase"),
    FLAG(0, "warningAsErrors", warning_as_errors,
         "a warning makes the exit status 1"),
    FLAG(0, "print-all-procs", print_all_procs, "print every rank's results"),
    FLAG(0, "showRankStatistics", rank_statistics,
         "tables with statistics over ranks, too"),
    STR(0, "saveRankPerformanceDetails", rank_details, "FILE",
        "every rank's results as CSV"),
    STR(0, "savePerOpDataCSV", per_op, "PREFIX",
        "every operation's time as CSV, a file per rank and phase"),
    TMK_OPT_I64(0, "random-seed", struct tmk_mdtest_conf, random_seed, "SEED",
                INT64_MIN, INT64_MAX,
                "seed of -R; without -R, one random order for all tasks"),
    TMK_OPT_CHOICE(0, "stride-unit", struct tmk_mdtest_conf, stride_unit,
                   "UNIT", stride_unit_choices,
                   "what -N counts: auto = nodes if placed in blocks, rank"),
    U64(0, "max-errors", max_errors, "N", 0,
        "failures that stop a task's part of a phase; 0 = no limit"),
    TMK_OPT_CALL(0, "tolerate", struct tmk_mdtest_conf, tolerate,
                 struct tmk_mdtest_tolerance, "N|P%", parse_tolerance,
                 show_tolerance,
                 "failures that still leave the exit status at 0"),
    FLAG(0, "keep", keep, "after an interrupt, leave what was created"),
    TMK_OPT_CHOICE(0, "leftovers", struct tmk_mdtest_conf, leftovers, "HOW",
                   tmk_opt_leftovers_choices,
                   "items of an earlier run: refuse to start, clean, or reuse"),
    INT(0, "grace", grace_s, "SECONDS", 0,
        "longest time for removing things after an interrupt"),
    FLAG(0, "dry-run", dry_run, "print the plan and touch nothing"),
    TMK_OPT_CHOICE(0, "tree", struct tmk_mdtest_conf, tree_mode, "HOW",
                   tree_choices,
                   "a tree is made by one rank (serial), or by all (parallel)"),
    TMK_OPT_CHOICE(
        0, "access", struct tmk_mdtest_conf, access, "HOW", access_choices,
        "items by whole path, or relative to an open directory (dirfd)"),
    FLAG(0, "random-remove", random_remove, "remove items in random order"),
    INT(0, "stonewall-read", stonewall_read_s, "SECONDS", 0,
        "stop stat and read after this time, then make all tasks even"),
    INT(0, "warmup", warmup, "N", 0, "iterations before those that count"),
    INT(0, "min-time", min_time_s, "SECONDS", 0,
        "raise -n until each phase takes so long"),
    TMK_OPT_CHOICE(0, "table", struct tmk_mdtest_conf, table, "VERSION",
                   table_choices, "layout of the tables: 4 or 1.9"),
    FLAG(0, "percentiles", percentiles,
         "a table of the times of single operations"),
    TMK_OPT_NUMBER(0, "interval", struct tmk_mdtest_conf, interval_ns, uint64_t,
                   "SECONDS", tmk_opt_time_parse_interval,
                   tmk_opt_time_show_interval,
                   "count operations in such steps of time"),
    {
        .name = "progress",
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct tmk_mdtest_conf, progress,
                                struct tmk_opt_progress),
        .arg = "SECONDS",
        .parse = tmk_opt_time_parse_progress,
        .show = tmk_opt_time_show_progress,
        .number = true,
        .value_optional = true,
        .help = "say how far a phase is every second, or so many; 0 = never",
    },
    STR(0, "trace", trace, "PREFIX",
        "every call of rank R on the file system to PREFIX.R"),
    STR(0, "json", json, "FILE", "results as JSON; - = standard output"),
    STR(0, "csv", csv, "FILE", "results as CSV, appended; - = standard output"),
    STR(0, "label", label, "TEXT", "a name for the run in JSON and CSV"),
    {
        .name = "drop-caches",
        .kind = TMK_OPT_KIND_CALL,
        .offset =
            TMK_OPT_FIELD(struct tmk_mdtest_conf, drop_caches, const char *),
        .arg = "COMMAND",
        .parse = tmk_opt_command_parse,
        .show = tmk_opt_command_show,
        .value_optional = true,
        .help = "before each phase, empty the kernel's caches on every node",
    },
    STR(0, "remount", remount, "COMMAND",
        "before each phase, run this once on every node"),
    FLAG(0, "sync", sync_fs,
         "before each phase, write out the file system on every node"),
    FLAG(0, "check", check, "count on disk what was created and removed"),
    TMK_OPT_CHOICE(0, "as", struct tmk_mdtest_conf, semantics, "WHOSE",
                   semantics_choices,
                   "whose calls and orders: treemark, or mdtest-4.1"),
    INT(0, "nodes", nodes, "N", 1, "with --dry-run: plan for so many nodes"),
    INT(0, "ppn", ppn, "N", 1, "with --dry-run: plan for so many per node"),
};
const size_t tmk_mdtest_n_opts =
    sizeof(tmk_mdtest_opts) / sizeof(tmk_mdtest_opts[0]);

static const char not_here[] = "not available here: not built in";
static const char for_ior[] = "not available here: an engine of ior alone";

const struct tmk_opt_gone tmk_mdtest_gone[] = {
    {"-g", not_here},
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
const size_t tmk_mdtest_n_gone =
    sizeof(tmk_mdtest_gone) / sizeof(tmk_mdtest_gone[0]);

void tmk_mdtest_conf_init(struct tmk_mdtest_conf *conf)
{
    *conf = (struct tmk_mdtest_conf){
        .api = "POSIX",
        .branch = 1,
        .dir = "./out",
        .first = 1,
        .step = 1,
        .iterations = 1,
        .max_errors = 1000,
        .grace_s = 20,
        .pattern_seed = -1,
    };
}
