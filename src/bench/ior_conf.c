/*
 * ior_conf: the options of ior(1), one row each.  The long name of a row is
 * that of its directive.
 */
#include "bench/ior_conf.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/opt_command.h"
#include "base/opt_set.h"
#include "base/pattern.h"
#include "base/quote.h"
#include "base/units.h"
#include "bench/ior_directives.h"

/* ---- sizes --------------------------------------------------------------- */

/* Was it given in powers of 1000: "10MB", but not "10mb" or "10MiB"? */
static bool is_decimal(const char *text)
{
    size_t n = strlen(text);

    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t')) {
        n--;
    }
    return n > 1 && text[n - 1] == 'B' &&
           strchr("kKmMgGtTpP", text[n - 2]) != NULL;
}

/* A size that only is no whole number of bytes, "1.3k": how many there are. */
static bool is_fraction(const char *text, double *bytes)
{
    size_t n = strspn(text, "0123456789.");
    uint64_t unit;
    char one[16];
    char *end;

    if (n == 0 || memchr(text, '.', n) == NULL) {
        return false;
    }
    *bytes = strtod(text, &end);
    if (end != text + n || snprintf(one, sizeof(one), "1%s", end) >= 16 ||
        tmk_units_parse_bytes(one, &unit) != 0) {
        return false;
    }
    *bytes *= (double)unit;
    return true;
}

static int parse_size(struct tmk_ior_conf *conf, uint64_t *bytes,
                      const char *text, const char **want)
{
    int err = tmk_units_parse_bytes(text, bytes);
    double fraction;

    *want = err == -ERANGE && strchr(text, '-') == NULL
                ? "a size below 2^64"
                : "a size (4096, 47k, 1.5m, 2GiB and 10MB are)";
    if (err == -EINVAL && is_fraction(text, &fraction)) {
        (void)snprintf(conf->why, sizeof(conf->why),
                       "a whole number of bytes: it is %.15g", fraction);
        *want = conf->why;
    }
    if (err != 0) {
        return -EINVAL;
    }
    conf->decimal_units = conf->decimal_units || is_decimal(text);
    return 0;
}

static void show_size(const void *field, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%" PRIu64, *(const uint64_t *)field);
}

/* The conf that a field is part of. */
#define CONF_OF(field, f)                                                      \
    ((struct tmk_ior_conf *)(void *)((char *)(field)-offsetof(                 \
        struct tmk_ior_conf, f)))

static int parse_block(void *field, const char *text, const char **want)
{
    return parse_size(CONF_OF(field, block_bytes), field, text, want);
}

static int parse_transfer(void *field, const char *text, const char **want)
{
    return parse_size(CONF_OF(field, transfer_bytes), field, text, want);
}

static int parse_prefill(void *field, const char *text, const char **want)
{
    return parse_size(CONF_OF(field, prefill_bytes), field, text, want);
}

static int parse_per_task(void *field, const char *text, const char **want)
{
    return parse_size(CONF_OF(field, per_task_bytes), field, text, want);
}

static int parse_server(void *field, const char *text, const char **want)
{
    return parse_size(CONF_OF(field, server_memory_bytes), field, text, want);
}

/* Digits and a point, then `end`: strtod would also take "nan" and "0x1p3". */
static int parse_decimal(const char *text, const char *end, double *value)
{
    size_t n = strspn(text, "0123456789.");
    char *rest;

    if (n == 0 || strcasecmp(text + n, end) != 0) {
        return -EINVAL;
    }
    *value = strtod(text, &rest);
    return rest == text + n ? 0 : -EINVAL;
}

static int parse_per_node(void *field, const char *text, const char **want)
{
    struct tmk_ior_conf *conf = CONF_OF(field, per_node);
    struct tmk_ior_memory new = {0};
    const char *why = NULL;
    int err;

    if (strchr(text, '%') != NULL) {
        err = parse_decimal(text, "%", &new.percent);
        err = new.percent > 100.0 ? -EINVAL : err;
    } else {
        err = parse_size(conf, &new.bytes, text, &why);
    }
    *want = why == conf->why
                ? why
                : "a size (2g is), or a share of the node's memory up to 100%";
    if (err == 0) {
        conf->per_node = new;
    }
    return err;
}

static void show_per_node(const void *field, char *buf, size_t size)
{
    const struct tmk_ior_memory *memory = field;

    if (memory->percent > 0.0) {
        (void)snprintf(buf, size, "%g%%", memory->percent);
    } else {
        (void)snprintf(buf, size, "%" PRIu64, memory->bytes);
    }
}

static int parse_total(void *field, const char *text, const char **want)
{
    struct tmk_ior_conf *conf = CONF_OF(field, total);
    struct tmk_ior_total new = {0};
    const char *why = NULL;
    int err = parse_decimal(text, "xRAM", &new.times_memory);

    if (err != 0) {
        new = (struct tmk_ior_total){0};
        err = parse_size(conf, &new.bytes, text, &why);
    }
    *want = why == conf->why ? why
                             : "a size above 0 (2t is), or a multiple of the "
                               "nodes' memory (2xRAM is)";
    if (err == 0 && new.bytes == 0 && new.times_memory <= 0.0) {
        err = -EINVAL; /* not the same as no --total */
    }
    if (err == 0) {
        conf->total = new;
    }
    return err;
}

static void show_total(const void *field, char *buf, size_t size)
{
    const struct tmk_ior_total *total = field;

    if (total->times_memory > 0.0) {
        (void)snprintf(buf, size, "%gxRAM", total->times_memory);
    } else {
        (void)snprintf(buf, size, "%" PRIu64, total->bytes);
    }
}

/* ---- words --------------------------------------------------------------- */

static int parse_pattern(void *field, const char *text, const char **want)
{
    int kind = tmk_pattern_find(text);

    *want = "timestamp, offset, incompressible, random, unique, noise or "
            "place, or the beginning of one";
    if (kind < 0) {
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

static const char *const formats[] = {
    [TMK_IOR_FORMAT_TEXT] = "default",
    [TMK_IOR_FORMAT_JSON] = "JSON",
    [TMK_IOR_FORMAT_CSV] = "CSV",
};

static int parse_format(void *field, const char *text, const char **want)
{
    *want = "default, JSON or CSV";
    for (int i = 0; i < (int)(sizeof(formats) / sizeof(formats[0])); i++) {
        if (strcasecmp(formats[i], text) == 0) {
            *(int *)field = i;
            return 0;
        }
    }
    return -EINVAL;
}

static void show_format(const void *field, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%s", formats[*(const int *)field]);
}

static const char *const semantics_choices[] = {
    [TMK_IOR_AS_TREEMARK] = "treemark",
    [TMK_IOR_AS_IOR_4_1] = "ior-4.1",
    NULL,
};

static int parse_fadvise(void *field, const char *text, const char **want)
{
    const char **advice = field;

    *want = "dontneed or none";
    if (strcasecmp(text, "dontneed") == 0) {
        *advice = "dontneed";
        return 0;
    }
    if (strcasecmp(text, "none") == 0) {
        *advice = "";
        return 0;
    }
    return -EINVAL;
}

static void show_text(const void *field, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%s", *(const char *const *)field);
}

static int parse_ratio(void *field, const char *text, const char **want)
{
    double ratio;

    *want = "a ratio from 1 to 1000 (2 and 1.5 are)";
    if (parse_decimal(text, "", &ratio) != 0 || ratio < 1.0 || ratio > 1000.0) {
        return -EINVAL;
    }
    *(double *)field = ratio;
    return 0;
}

static void show_ratio(const void *field, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%g", *(const double *)field);
}

/* ---- rows that reach further than a field -------------------------------- */

/* What they set is shown elsewhere. */
static void show_nothing(const void *field, char *buf, size_t size)
{
    (void)field;
    if (size > 0) {
        buf[0] = '\0';
    }
}

static int parse_directives(void *field, const char *text, const char **want)
{
    struct tmk_ior_conf *conf = field;
    const struct tmk_ior_reach *reach = conf->reach;
    char why[sizeof(conf->why)]; /* conf->why may be quoted in it */

    assert(reach != NULL);
    if (tmk_ior_directives(reach->tables, reach->n_tables, text, reach->keep,
                           reach->arg, why, sizeof(why)) == 0) {
        return 0;
    }
    memcpy(conf->why, why, sizeof(why));
    *want = conf->why;
    return -EBADMSG;
}

/* Set an option of an engine; a NULL text switches it on. */
static int set_other(struct tmk_ior_conf *conf, const char *prefix,
                     const char *name, const char *text, const char **want)
{
    const struct tmk_ior_reach *reach = conf->reach;
    char option[64];

    assert(reach != NULL);
    (void)snprintf(option, sizeof(option), "--%s%s", prefix, name);
    *want = conf->why;
    for (size_t t = 1; t < reach->n_tables; t++) {
        const struct tmk_opt_table *table = &reach->tables[t];

        if (table->prefix == NULL || strcmp(table->prefix, prefix) != 0) {
            continue;
        }
        for (size_t i = 0; i < table->n_rows; i++) {
            if (table->rows[i].name != NULL &&
                strcmp(table->rows[i].name, name) == 0) {
                return tmk_opt_set(table, &table->rows[i], option,
                                   text != NULL ? text : "1", conf->why,
                                   sizeof(conf->why)) == 0
                           ? 0
                           : -EBADMSG;
            }
        }
    }
    (void)snprintf(conf->why, sizeof(conf->why),
                   "%s is not available here: not built in", option);
    return -EBADMSG;
}

/* One of the engines that are here: tables of options have their names. */
static int parse_api(void *field, const char *text, const char **want)
{
    struct tmk_ior_conf *conf = CONF_OF(field, api);
    const struct tmk_ior_reach *reach = conf->reach;
    char names[128] = "";
    char quoted[64];

    for (size_t t = 1; reach != NULL && t < reach->n_tables; t++) {
        const size_t used = strlen(names);

        if (strcasecmp(reach->tables[t].title, text) == 0) {
            conf->api = reach->tables[t].title;
            return 0;
        }
        (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                       used != 0 ? ", " : "", reach->tables[t].title);
    }
    if (reach == NULL || reach->n_tables < 2) { /* nobody knows */
        conf->api = text;
        return 0;
    }
    tmk_quote(quoted, sizeof(quoted), text, strlen(text));
    (void)snprintf(conf->why, sizeof(conf->why),
                   "'%s' is not available here (%s are)", quoted, names);
    *want = conf->why;
    return -EBADMSG;
}

static int parse_odirect(void *field, const char *text, const char **want)
{
    return set_other(field, "posix.", "odirect", text, want);
}

static int parse_hints_file(void *field, const char *text, const char **want)
{
    return set_other(field, "mpiio.", "hintsFileName", text, want);
}

static int parse_show_hints(void *field, const char *text, const char **want)
{
    return set_other(field, "mpiio.", "showHints", text, want);
}

static int parse_preallocate(void *field, const char *text, const char **want)
{
    return set_other(field, "mpiio.", "preallocate", text, want);
}

static int parse_file_view(void *field, const char *text, const char **want)
{
    return set_other(field, "mpiio.", "useFileView", text, want);
}

/* Buffers of GPUs: old command lines say that they want none. */
static int parse_gpu(void *field, const char *text, const char **want)
{
    int64_t n;

    (void)field;
    *want = "there are no buffers on GPUs here: only 0 is right";
    if (text != NULL && tmk_units_parse_i64(text, &n) == 0 && n <= 0) {
        return 0;
    }
    return -EBADMSG;
}

/* ---- the rows ------------------------------------------------------------ */

/* Shorter rows: the struct is always the same. */
#define FLAG(k, n, f, h) TMK_OPT_FLAG(k, n, struct tmk_ior_conf, f, h)
#define INT(k, n, f, a, lo, hi, h)                                             \
    TMK_OPT_INT(k, n, struct tmk_ior_conf, f, a, lo, hi, h)
#define U64(k, n, f, a, hi, h)                                                 \
    TMK_OPT_U64(k, n, struct tmk_ior_conf, f, a, 0, hi, h)
#define STR(k, n, f, a, h) TMK_OPT_STR(k, n, struct tmk_ior_conf, f, a, h)
#define NUMBER(k, n, f, t, a, p, s, h)                                         \
    TMK_OPT_NUMBER(k, n, struct tmk_ior_conf, f, t, a, p, s, h)
#define SIZE(k, n, f, p, h) NUMBER(k, n, f, uint64_t, "SIZE", p, show_size, h)
#define CALL(k, n, f, t, a, p, s, h)                                           \
    TMK_OPT_CALL(k, n, struct tmk_ior_conf, f, t, a, p, s, h)
#define SECONDS(k, n, f, h)                                                    \
    NUMBER(k, n, f, uint64_t, "SECONDS", tmk_opt_time_parse_seconds,           \
           tmk_opt_time_show_seconds, h)
#define CHOICE(k, n, f, a, c, h)                                               \
    TMK_OPT_CHOICE(k, n, struct tmk_ior_conf, f, a, c, h)
/* A row whose field is the conf itself. */
#define WHOLE(k, n, a, p, optional, h)                                         \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_CALL, .offset = 0,       \
        .arg = (a), .parse = (p), .show = show_nothing,                        \
        .value_optional = (optional), .help = (h)                              \
    }

/* Counts above this are no plan but a slip of the keyboard. */
#define MOST (UINT64_C(1) << 62)

const struct tmk_opt tmk_ior_opts[] = {
    CALL('a', "api", api, const char *, "NAME", parse_api, show_text,
         "storage API, such as POSIX or DUMMY"),
    INT('A', "refNum", ref_num, "N", INT_MIN, 0, "a number for the tables"),
    SIZE('b', "blockSize", block_bytes, parse_block,
         "contiguous bytes of a task in each segment"),
    WHOLE('B', "useO_DIRECT", "N", parse_odirect, true,
          "the same as --posix.odirect"),
    FLAG('c', "collective", collective, "collective transfers"),
    {
        .key = 'C',
        .name = "reorderTasks",
        .also = "reorderTasksConstant",
        .kind = TMK_OPT_KIND_FLAG,
        .offset = TMK_OPT_FIELD(struct tmk_ior_conf, reorder, unsigned),
        .help = "read what a task on another node wrote",
    },
    SECONDS('d', "interTestDelay", delay_ns,
            "pause before each write and each read phase"),
    SECONDS('D', "deadlineForStonewalling", deadline_ns,
            "stop each phase after this time; 0 = do not"),
    FLAG('e', "fsync", fsync, "fsync at the end of each write phase"),
    FLAG('E', "useExistingTestFile", use_existing,
         "write into a file that is there, not remove it before"),
    STR('f', NULL, script, "FILE", "tests from a script"),
    {
        .key = 'F',
        .name = "filePerProc",
        .also = "filePerProcess",
        .kind = TMK_OPT_KIND_FLAG,
        .offset = TMK_OPT_FIELD(struct tmk_ior_conf, file_per_proc, unsigned),
        .help = "a file for each task",
    },
    FLAG('g', "intraTestBarriers", barriers,
         "barriers between open, transfers and close"),
    INT('G', "setTimeStampSignature", seed, "SEED", INT_MIN, 0,
        "seed of the data; 0 = the time of day"),
    WHOLE('H', "showHints", "N", parse_show_hints, true,
          "the same as --mpiio.showHints"),
    INT('i', "repetitions", repetitions, "N", 1, 0,
        "repetitions of the whole test"),
    SECONDS('j', "outlierThreshold", outlier_ns,
            "warn of ranks so far from the others; 0 = do not"),
    FLAG('k', "keepFile", keep, "leave the files at the end"),
    FLAG('K', "keepFileWithError", keep_with_error,
         "leave files in which wrong data was found"),
    CALL('l', "dataPacketType", pattern_kind, int, "TYPE", parse_pattern,
         show_pattern,
         "timestamp, offset, incompressible, random, unique, noise or place"),
    FLAG('m', "multiFile", multi_file, "a file for each repetition"),
    NUMBER('M', "memoryPerNode", per_node, struct tmk_ior_memory, "SIZE|P%",
           parse_per_node, show_per_node,
           "occupy so much memory of each node meanwhile"),
    INT('N', "numTasks", tasks, "N", -1, 0,
        "tasks that take part; 0, -1 = all"),
    STR('o', "testFile", path, "PATH", "the file; several for -F: a@b@c"),
    WHOLE('O', NULL, "KEY=VALUE,...", parse_directives, false,
          "directives, as in a script"),
    WHOLE('p', "preallocate", "N", parse_preallocate, true,
          "the same as --mpiio.preallocate"),
    FLAG('q', "quitOnError", quit_on_error, "stop at the first wrong data"),
    U64('Q', "taskPerNodeOffset", node_offset, "N", UINT32_MAX,
        "how many nodes further on -C and -Z read"),
    FLAG('r', "readFile", read, "read"),
    FLAG('R', "checkRead", check_read, "check what is read"),
    U64('s', "segmentCount", segments, "N", MOST, "blocks of each task"),
    SIZE('t', "transferSize", transfer_bytes, parse_transfer,
         "bytes of each transfer"),
    NUMBER('T', "maxTimeDuration", max_time_ns, uint64_t, "MINUTES",
           tmk_opt_time_parse_minutes, tmk_opt_time_show_minutes,
           "begin no phase after this time; 0 = no limit"),
    FLAG('u', "uniqueDir", unique_dir, "with -F: a directory for each file"),
    WHOLE('U', "hintsFileName", "FILE", parse_hints_file, false,
          "the same as --mpiio.hintsFileName"),
    {
        .key = 'v',
        .name = "verbose",
        .kind = TMK_OPT_KIND_FLAG,
        .offset = TMK_OPT_FIELD(struct tmk_ior_conf, verbose, unsigned),
        .number_may_follow = true,
        .help = "say more; may be repeated",
    },
    WHOLE('V', "useFileView", "N", parse_file_view, true,
          "the same as --mpiio.useFileView"),
    FLAG('w', "writeFile", write, "write"),
    FLAG('W', "checkWrite", check_write, "read and check after writing"),
    FLAG('x', "singleXferAttempt", single_attempt,
         "a transfer that comes short has failed"),
    INT('X', "reorderTasksRandomSeed", reorder_seed, "SEED", INT_MIN, 0,
        "seed of -Z; a negative one changes with the repetition"),
    FLAG('Y', "fsyncPerWrite", fsync_per_write, "fsync after each write"),
    FLAG('z', "randomOffset", random_offset,
         "transfers in random order; -z -z: random blocks"),
    TMK_OPT_I64(0, "random-offset-seed", struct tmk_ior_conf, random_seed,
                "SEED", -1, 0, "seed of -z; -1 = the time of day"),
    SIZE(0, "randomPrefill", prefill_bytes, parse_prefill,
         "with -z: first write all in order, so much at a time"),
    FLAG('Z', "reorderTasksRandom", reorder_random,
         "read what random tasks wrote; -Z -Z: as the original"),
    FLAG(0, "warningAsErrors", warning_as_errors,
         "a warning makes the exit status 1"),
    {
        .name = "dryRun",
        .also = "dry-run",
        .kind = TMK_OPT_KIND_FLAG,
        .offset = TMK_OPT_FIELD(struct tmk_ior_conf, dry_run, unsigned),
        .help = "print the plan and touch nothing",
    },
    /* directives of the original */
    CALL(0, "summaryFormat", format, int, "FORMAT", parse_format, show_format,
         "results as default, JSON or CSV"),
    STR(0, "summaryFile", summary_file, "FILE", "results to this file"),
    STR(0, "saveRankPerformanceDetailsCSV", rank_details, "FILE",
        "results of each rank to this file"),
    STR(0, "savePerOpDataCSV", per_op, "PREFIX",
        "the time of every transfer to PREFIX-..."),
    FLAG(0, "stoneWallingWearOut", wear_out,
         "after -D, go on until all tasks are even"),
    U64(0, "stoneWallingWearOutIterations", wear_out_iterations, "N", MOST,
        "stop each phase after so many transfers of a task; 0 = do not"),
    STR(0, "stoneWallingStatusFile", status_file, "FILE",
        "transfers that were written, for a later launch that reads"),
    SECONDS(0, "minTimeDuration", min_time_ns,
            "begin again from the start until this time has passed"),
    NUMBER(0, "interIODelay", io_delay_ns, uint64_t, "USEC",
           tmk_opt_time_parse_us, tmk_opt_time_show_us,
           "pause after each transfer"),
    SIZE(0, "memoryPerTask", per_task_bytes, parse_per_task,
         "occupy so much memory for each task meanwhile"),
    FLAG(0, "summaryAlways", summary_always,
         "the wide table after each test, too"),
    INT(0, "numNodes", num_nodes, "N", 0, 0,
        "nodes that -C and -Z take for granted; 0 = those there are"),
    INT(0, "numTasksOnNode0", tasks_on_node_0, "N", 0, 0,
        "tasks of each of them, likewise"),
    STR(0, "debug", debug, "TEXT", "only printed"),
    STR(0, "platform", platform, "TEXT", "only printed"),
    WHOLE(0, "allocateBufferOnGPU", "N", parse_gpu, true, "only 0"),
    WHOLE(0, "GPUid", "N", parse_gpu, true, "only 0"),
    WHOLE(0, "GPUDirect", "N", parse_gpu, true, "only 0"),
    /* not in the original */
    NUMBER(0, "total", total, struct tmk_ior_total, "SIZE|NxRAM", parse_total,
           show_total, "as many segments as make so much data in all"),
    SIZE(0, "server-memory", server_memory_bytes, parse_server,
         "memory of the servers, for --total=NxRAM"),
    INT(0, "rwmix", rwmix, "PERCENT", 0, 100,
        "one phase that reads so many percent and writes the rest"),
    NUMBER(0, "compress", compress, double, "RATIO", parse_ratio, show_ratio,
           "how far -l noise can be compressed; 1 = not at all"),
    CALL(0, "posix.fadvise", fadvise, const char *, "ADVICE", parse_fadvise,
         show_text, "dontneed: drop what is cached before reading"),
    SECONDS(0, "drop-wait", drop_wait_ns,
            "wait until what is dropped is gone, so long at most"),
    {
        .name = "drop-caches",
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct tmk_ior_conf, drop_caches, const char *),
        .arg = "COMMAND",
        .parse = tmk_opt_command_parse,
        .show = tmk_opt_command_show,
        .value_optional = true,
        .help = "before each read, empty the kernel's caches on every node",
    },
    INT(0, "read-passes", read_passes, "N", 1, 9,
        "read so many times, a row for each"),
    CHOICE(0, "leftovers", leftovers, "HOW", tmk_opt_leftovers_choices,
           "a file that is there: refuse, clean or reuse"),
    CHOICE(0, "as", semantics, "WHOSE", semantics_choices,
           "whose calls and orders: treemark, or ior-4.1"),
    U64(0, "max-errors", max_errors, "N", MOST,
        "a rank gives up a phase after so many; 0 = never"),
    FLAG(0, "keep", keep_interrupted, "leave the files after an interrupt"),
    INT(0, "grace", grace_s, "SECONDS", 0, 0,
        "longest time for removing files after an interrupt"),
    FLAG(0, "percentiles", percentiles,
         "a table of the times of single transfers"),
    NUMBER(0, "interval", interval_ns, uint64_t, "SECONDS",
           tmk_opt_time_parse_interval, tmk_opt_time_show_interval,
           "count transfers in such steps of time"),
    {
        .name = "progress",
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct tmk_ior_conf, progress,
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
};
const size_t tmk_ior_n_opts = sizeof(tmk_ior_opts) / sizeof(tmk_ior_opts[0]);

void tmk_ior_conf_init(struct tmk_ior_conf *conf)
{
    *conf = (struct tmk_ior_conf){
        .api = "POSIX",
        .block_bytes = 1 << 20,
        .repetitions = 1,
        .pattern_kind = TMK_PATTERN_TIMESTAMP,
        .tasks = -1,
        .path = "testFile",
        .node_offset = 1,
        .segments = 1,
        .transfer_bytes = 1 << 18,
        .random_seed = -1,
        .fadvise = "",
        .read_passes = 1,
        .rwmix = -1,
        .compress = 1.0,
        .max_errors = 1000,
        .grace_s = 20,
    };
}
