/*
 * ior_asked: options and parameters of a test (spec/ior.md 5.1, 5.5).
 */
#include "bench/ior_asked.h"

#include <stdio.h>

#include "base/pattern.h"

static void put_text(const struct tmk_ior_asked *to, const char *key,
                     const char *value)
{
    to->text(to->state, key, value);
}

static void put_count(const struct tmk_ior_asked *to, const char *key,
                      uint64_t value)
{
    to->integer(to->state, key, value < INT64_MAX ? (int64_t)value : INT64_MAX);
}

static void put_int(const struct tmk_ior_asked *to, const char *key,
                    int64_t value)
{
    to->integer(to->state, key, value);
}

static void put_size(const struct tmk_ior_asked *to, const char *key,
                     uint64_t bytes)
{
    char buf[32];

    put_text(to, key, tmk_ior_text_size(bytes, buf, sizeof(buf)));
}

/* A time that the original has in whole units of `unit_ns`. */
static void put_time(const struct tmk_ior_asked *to, const char *key,
                     uint64_t time_ns, uint64_t unit_ns)
{
    if (time_ns % unit_ns == 0) {
        put_count(to, key, time_ns / unit_ns);
    } else {
        to->real(to->state, key, (double)time_ns / (double)unit_ns);
    }
}

static const uint64_t second_ns = 1000000000;

/*
 * Options.
 */

static void put_order(const struct tmk_ior_asked *to,
                      const struct tmk_ior_conf *conf)
{
    put_text(to, "ordering in a file",
             conf->random_offset ? "random" : "sequential");
    if (!conf->reorder && !conf->reorder_random) {
        put_text(to, "ordering inter file", "no tasks offsets");
        return;
    }
    put_text(to, "ordering inter file",
             conf->reorder_random ? "random task offset"
                                  : "constant task offset");
    put_count(to, "task offset", conf->node_offset);
    if (conf->reorder_random) {
        put_int(to, "reorder random seed", conf->reorder_seed);
    }
}

static void put_memory(const struct tmk_ior_asked *to,
                       const struct tmk_ior_conf *conf)
{
    char buf[32];

    if (conf->per_task_bytes != 0) {
        put_size(to, "memoryPerTask", conf->per_task_bytes);
    }
    if (conf->per_node.percent > 0.0) {
        (void)snprintf(buf, sizeof(buf), "%g%%", conf->per_node.percent);
        put_text(to, "memoryPerNode", buf);
    } else if (conf->per_node.bytes != 0) {
        put_size(to, "memoryPerNode", conf->per_node.bytes);
    }
    put_text(to, "memoryBuffer", "CPU");
    put_text(to, "dataAccess", "CPU");
    put_int(to, "GPUDirect", 0);
}

/* Lines that are there only where something was asked for. */
static void put_rest(const struct tmk_ior_asked *to,
                     const struct tmk_ior_conf *conf)
{
    if (conf->dry_run) {
        put_count(to, "dryRun", conf->dry_run);
    }
    if (conf->verbose) {
        put_count(to, "verbose", conf->verbose);
    }
    if (conf->deadline_ns != 0) {
        put_time(to, "stonewallingTime", conf->deadline_ns, second_ns);
        put_count(to, "stoneWallingWearOut", conf->wear_out);
    }
    if (conf->rwmix >= 0) {
        put_int(to, "reads in the mix (%)", conf->rwmix);
    }
    if (conf->read_passes > 1) {
        put_int(to, "read passes", conf->read_passes);
    }
}

void tmk_ior_asked_options(const struct tmk_ior_asked *to,
                           const struct tmk_ior_test *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;

    put_text(to, "api", test->ops->name);
    put_text(to, "apiVersion",
             test->ops->version != NULL ? test->ops->version() : "");
    put_text(to, "test filename", conf->path);
    put_text(to, "access",
             plan->shared ? "single-shared-file" : "file-per-process");
    put_text(to, "type", conf->collective ? "collective" : "independent");
    put_count(to, "segments", plan->segments);
    put_order(to, conf);
    put_int(to, "nodes", test->nodes);
    put_int(to, "tasks", plan->tasks);
    put_int(to, "clients per node", test->ranks_per_node);
    put_memory(to, conf);
    put_int(to, "repetitions", conf->repetitions);
    put_size(to, "xfersize", plan->transfer_bytes);
    put_size(to, "blocksize", plan->block_bytes);
    put_size(to, "aggregate filesize", plan->total_bytes);
    put_rest(to, conf);
}

/*
 * Parameters.
 */

static void put_test(const struct tmk_ior_asked *to,
                     const struct tmk_ior_test *test)
{
    const struct tmk_ior_conf *conf = test->plan->conf;

    put_int(to, "testID", test->id);
    put_int(to, "refnum", conf->ref_num);
    put_text(to, "api", test->ops->name);
    put_text(to, "platform", conf->platform != NULL ? conf->platform : "");
    put_text(to, "testFileName", conf->path);
    put_time(to, "deadlineForStonewall", conf->deadline_ns, second_ns);
    put_count(to, "stoneWallingWearOut", conf->wear_out);
    put_time(to, "maxTimeDuration", conf->max_time_ns, 60 * second_ns);
    put_time(to, "outlierThreshold", conf->outlier_ns, second_ns);
    put_text(to, "options", NULL); /* the original has none here, ever */
    put_count(to, "dryRun", conf->dry_run);
    put_int(to, "nodes", test->nodes);
    put_count(to, "memoryPerTask", conf->per_task_bytes);
    put_count(to, "memoryPerNode", conf->per_node.bytes);
    put_int(to, "tasksPerNode", test->ranks_per_node);
    put_int(to, "repetitions", conf->repetitions);
    put_count(to, "multiFile", conf->multi_file);
    put_time(to, "interTestDelay", conf->delay_ns, second_ns);
}

static void put_flags(const struct tmk_ior_asked *to,
                      const struct tmk_ior_plan *plan)
{
    const struct tmk_ior_conf *conf = plan->conf;
    const struct {
        const char *key;
        unsigned value;
    } flags[] = {
        {"fsync", conf->fsync},
        {"fsyncperwrite", conf->fsync_per_write},
        {"useExistingTestFile", conf->use_existing},
        {"uniqueDir", conf->unique_dir},
        {"singleXferAttempt", conf->single_attempt},
        {"readFile", plan->reads},
        {"writeFile", plan->writes},
        {"filePerProc", !plan->shared},
        {"reorderTasks", conf->reorder},
        {"reorderTasksRandom", conf->reorder_random},
    };

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        put_count(to, flags[i].key, flags[i].value);
    }
}

void tmk_ior_asked_parameters(const struct tmk_ior_asked *to,
                              const struct tmk_ior_test *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;
    const char packet[2] = {
        tmk_pattern_name((enum tmk_pattern_kind)conf->pattern_kind)[0]};

    put_test(to, test);
    put_flags(to, plan);
    put_int(to, "reorderTasksRandomSeed", conf->reorder_seed);
    put_count(to, "randomOffset", conf->random_offset);
    put_count(to, "checkWrite", conf->check_write);
    put_count(to, "checkRead", conf->check_read);
    put_int(to, "dataPacketType", conf->pattern_kind);
    put_count(to, "keepFile", conf->keep);
    put_count(to, "keepFileWithError", conf->keep_with_error);
    put_count(to, "warningAsErrors", conf->warning_as_errors);
    put_count(to, "verbose", conf->verbose);
    put_text(to, "data packet type", packet);
    put_int(to, "setTimeStampSignature/incompressibleSeed", conf->seed);
    put_count(to, "collective", conf->collective);
    put_count(to, "segmentCount", plan->segments);
    put_count(to, "transferSize", plan->transfer_bytes);
    put_count(to, "blockSize", plan->block_bytes);
}
