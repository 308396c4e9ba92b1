/*
 * ior_log: lines of the log (spec/ior.md 5.3, 8).
 */
#include "bench/ior_log.h"

#include <inttypes.h>
#include <string.h>

#include "base/quote.h"
#include "base/units.h"

/* Whether lines of this level are wanted. */
static bool wants(const struct tmk_ior_test *test, unsigned level)
{
    return test->plan->conf->verbose >= level;
}

enum tmk_ior_log_mapping tmk_ior_log_mapping_of(const struct tmk_owner_map *map)
{
    bool block = true;
    bool cyclic = true;

    for (uint32_t i = 1; i < map->ranks; i++) {
        block = block && map->node[i] >= map->node[i - 1];
        cyclic = cyclic && map->node[i] == i % map->nodes;
    }
    if (block) {
        return TMK_IOR_LOG_BLOCK;
    }
    return cyclic ? TMK_IOR_LOG_CYCLIC : TMK_IOR_LOG_OTHER;
}

void tmk_ior_log_skew(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                      double skew_s)
{
    if (wants(test, 2)) {
        fprintf(t->log, "Start time skew across all tasks: %.2f sec\n", skew_s);
        fflush(t->log);
    }
}

/* 2.10.3 warned of a mapping; we know it. */
static void print_mapping(FILE *to, const struct tmk_ior_conf *conf,
                          enum tmk_ior_log_mapping mapping)
{
    static const char *const names[] = {
        [TMK_IOR_LOG_BLOCK] = "block, not cyclic,",
        [TMK_IOR_LOG_CYCLIC] = "cyclic, not block,",
        [TMK_IOR_LOG_OTHER] = "neither block nor cyclic",
    };

    if (conf->reorder) {
        fprintf(to, "Using reorderTasks '-C' (%s task assignment)\n",
                names[mapping]);
    }
}

void tmk_ior_log_tasks(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                       enum tmk_ior_log_mapping mapping,
                       const char *(*host)(void *state, int task), void *state)
{
    if (!wants(test, 2)) {
        return;
    }
    fprintf(t->log, "Participating tasks: %d\n", test->plan->tasks);
    print_mapping(t->log, test->plan->conf, mapping);
    for (int i = 0; i < test->plan->tasks; i++) {
        fprintf(t->log, "task %d on %s\n", i, host(state, i));
    }
    fflush(t->log);
}

void tmk_ior_log_hits(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                      const uint64_t *files, size_t n)
{
    if (!wants(test, 2)) {
        return;
    }
    fputs("#File Hits Dist:", t->log);
    for (size_t i = 0; i < n; i++) {
        fprintf(t->log, " %" PRIu64, files[i]);
    }
    fputc('\n', t->log);
    fflush(t->log);
}

static void print_time_stamp(FILE *to, const char *verb, int32_t seed)
{
    fprintf(to,
            "%s Time Stamp %" PRIu32 " (0x%" PRIx32 ") for Data Signature\n",
            verb, (uint32_t)seed, (uint32_t)seed);
    fflush(to);
}

void tmk_ior_log_time_stamp(struct tmk_ior_text *t,
                            const struct tmk_ior_test *test, int32_t seed)
{
    if (wants(test, 2)) {
        print_time_stamp(t->log, "Using", seed);
    }
}

void tmk_ior_log_commencing(struct tmk_ior_text *t,
                            const struct tmk_ior_test *test,
                            enum tmk_ior_access access, time_t now)
{
    static const char *const names[] = {
        [TMK_IOR_WRITE] = "write",
        [TMK_IOR_READ] = "read",
        [TMK_IOR_MIX] = "mixed",
        [TMK_IOR_REMOVE] = "remove",
    };
    char text[64];

    if (wants(test, 3)) {
        fprintf(t->log, "Commencing %s performance test: %s\n", names[access],
                tmk_ior_text_time(now, text, sizeof(text)));
        fflush(t->log);
    }
}

void tmk_ior_log_verifying(struct tmk_ior_text *t,
                           const struct tmk_ior_test *test, time_t now)
{
    char text[64];

    if (wants(test, 1)) {
        fprintf(t->log,
                "Verifying contents of the file(s) just written.\n%s\n\n",
                tmk_ior_text_time(now, text, sizeof(text)));
        fflush(t->log);
    }
}

void tmk_ior_log_delay(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                       uint64_t delay_ns)
{
    if (wants(test, 1)) {
        fprintf(t->log, "delaying %g seconds . . .\n",
                tmk_units_seconds(delay_ns));
        fflush(t->log);
    }
}

void tmk_ior_log_pairs(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                       const uint64_t *pairs, int tasks)
{
    for (int i = 0; wants(test, 1) && i < tasks; i++) {
        fprintf(t->log, "%d: stonewalling pairs accessed: %" PRIu64 "\n", i,
                pairs[i]);
    }
    fflush(t->log);
}

void tmk_ior_log_wrong(struct tmk_ior_text *t, const char *access,
                       uint64_t errors, int32_t seed)
{
    if (errors != 0) {
        fprintf(t->log,
                "WARNING: Incorrect data on %s (%" PRIu64 " errors found).\n\n",
                access, errors);
        print_time_stamp(t->log, "Used", seed);
    }
}

void tmk_ior_log_environment(struct tmk_ior_text *t,
                             const struct tmk_ior_test *test,
                             char *const *names)
{
    if (!wants(test, 3)) {
        return;
    }
    fputs("-- environment --\n", t->log);
    for (; *names != NULL; names++) {
        char text[1024];

        tmk_quote(text, sizeof(text), *names, strlen(*names));
        fprintf(t->log, "   %s\n", text);
    }
    fputs("-- end of environment --\n", t->log);
    fflush(t->log);
}
