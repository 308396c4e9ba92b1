/*
 * explain_ior_doubt: what a rate of ior may be the rate of.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "bench/explain_ior.h"
#include "bench/explain_text.h"

static bool is_mmap(const struct tmk_ior_conf *conf)
{
    return strcasecmp(conf->api, "MMAP") == 0;
}

static void doubt_writing(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_conf *conf = test->plan->conf;

    if (!test->plan->writes && !test->plan->mixes) {
        return;
    }
    if (test->direct) {
        tmk_explain_point(to, "write: transfers go around the node's page "
                              "cache (O_DIRECT); a server or a disk may "
                              "still hold them in memory.");
    } else if (conf->fsync_per_write || conf->fsync) {
        tmk_explain_point(to,
                          "write: the time includes fsync (%s), so that the "
                          "data has gone to the server or the disk; a server "
                          "may hold it in its own memory.",
                          conf->fsync_per_write ? "-Y" : "-e");
    } else {
        tmk_explain_point(to, "write: the data need not have left the node's "
                              "memory when the clock stops: as long as that "
                              "takes it, this is the rate of memory.  -e makes "
                              "fsync part of the time.");
    }
}

/* What keeps a node from answering a read from its memory; NULL: nothing. */
static const char *emptied_by(const struct tmk_explain_ior *test)
{
    const struct tmk_ior_conf *conf = test->plan->conf;

    if (conf->drop_caches != NULL) {
        return "--drop-caches";
    }
    return conf->fadvise[0] != '\0' ? "--posix.fadvise=dontneed" : NULL;
}

/* What one node writes, which its page cache may hold. */
static uint64_t node_bytes(const struct tmk_explain_ior *test)
{
    return test->plan->rank_bytes * test->map->most_ranks;
}

/* Reading what this launch wrote before. */
static void doubt_own_data(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const bool scattered = plan->shared && plan->conf->random_offset != 0;
    const double foreign =
        scattered ? 0.0 : tmk_ior_tasks_foreign_share(&test->tasks, 0);
    char bytes[32];

    (void)tmk_units_format_bytes(node_bytes(test), bytes, sizeof(bytes));
    if (scattered && test->map->nodes > 1) {
        tmk_explain_point(to,
                          "read: each node has 1 of %" PRIu32
                          " parts of the data in its memory, if that holds %s.",
                          test->map->nodes, bytes);
    } else if (foreign == 0.0) {
        tmk_explain_point(to,
                          "read: all data is read on the node that wrote it.  "
                          "A node writes %s: if its memory holds that, this is "
                          "the rate of memory.%s",
                          bytes,
                          test->map->nodes > 1 ? "  -C would read data of "
                                                 "another node."
                                               : "");
    } else if (foreign < 1.0) {
        tmk_explain_point(to,
                          "read: %.0f%% of the ranks read what their own node "
                          "wrote, %s a node, and its memory may answer.",
                          100.0 * (1.0 - foreign), bytes);
    } else {
        tmk_explain_point(to, "read: all data was written on another node, so "
                              "that the node's own page cache has not got it; "
                              "a server may have.");
    }
}

/* Reading what another launch wrote. */
static void doubt_old_data(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;

    tmk_explain_point(to, "read: the data is that of an earlier launch.  "
                          "Whether a node still holds it depends on where it "
                          "was written and on what was done in between; the "
                          "row says how much was in memory.");
    if (test->map->nodes > 1 && !(plan->shared && plan->conf->random_offset)) {
        tmk_explain_point(
            to,
            "read: if that launch had the same ranks on the same nodes, %.0f%% "
            "of the ranks read data of another node.",
            100.0 * tmk_ior_tasks_foreign_share(&test->tasks, 0));
    }
}

static void doubt_reading(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;
    const char *emptied = emptied_by(test);

    if (plan->mixes && !test->direct) {
        tmk_explain_point(to, "mixed: what was written is read on the same "
                              "node, whose memory may hold it.");
    }
    if (!plan->reads) {
        return;
    }
    if (test->direct) {
        tmk_explain_point(to, "read: transfers go around the node's page cache "
                              "(O_DIRECT); a server may still hold the "
                              "data in memory.");
    } else if (emptied != NULL) {
        tmk_explain_point(to,
                          "read: %s lets the node forget the data before; the "
                          "row says how much was in memory all the same.",
                          emptied);
    } else if (!plan->writes) {
        doubt_old_data(to, test);
    } else {
        doubt_own_data(to, test);
    }
    if (plan->checks_write && !test->direct && emptied == NULL &&
        test->tasks.kind != TMK_IOR_TASKS_CONSTANT &&
        test->tasks.kind != TMK_IOR_TASKS_OWN) {
        tmk_explain_point(to, "read: the check before (-W) may have brought "
                              "the data into the node's memory.");
    }
    if (conf->repetitions > 1 && !plan->writes && !test->direct &&
        emptied == NULL) {
        tmk_explain_point(to, "-i: repetitions after the first read what the "
                              "one before has brought into memory.");
    }
    if (conf->random_offset > 1 && !test->direct) {
        tmk_explain_point(to, "-z -z: a block that is drawn again may be in "
                              "memory.");
    }
}

void tmk_explain_ior_caches(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;

    if (strcasecmp(conf->api, "DUMMY") == 0) {
        tmk_explain_point(to, "-a DUMMY: all rates are those of the program.");
        return;
    }
    doubt_writing(to, test);
    doubt_reading(to, test);
    if (is_mmap(conf)) {
        tmk_explain_point(to, "-a MMAP: a transfer is a copy to or from the "
                              "page cache.");
    }
    if (conf->repetitions == 1) {
        tmk_explain_point(to, "One repetition (-i 1): there is no standard "
                              "deviation that would say how sure a rate is.");
    }
}

size_t tmk_explain_ior_flags(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;
    const struct tmk_explain_if rows[] = {
        {conf->write > 1 || conf->read > 1 || conf->check_write > 1 ||
             conf->check_read > 1,
         "-w, -r, -W or -R given twice counts once, as in 2.10.  4.1 wants at "
         "least one of them given exactly once."},
        {conf->keep == 0 && !plan->writes && !plan->mixes,
         "No -k: the file is left, because this launch did not write it.  4.1 "
         "removes it after reading."},
        {conf->quit_on_error != 0,
         "-q stops at the first wrong data, as it did before 4; 4.1 refuses "
         "it."},
        {conf->per_node.bytes != 0,
         "-M with a size is a size.  4.1 takes its number for a percentage of "
         "the memory."},
        {conf->tasks == 0,
         "-N 0 means all ranks, as its manual says; 4.1 refuses it."},
        {conf->random_offset > 1 && plan->writes,
         "-z -z with -w: 4.1 crashes."},
        {conf->reorder_random == 1,
         "-Z: here each file or block is read exactly once.  4.1 draws for "
         "each rank by itself: some are read twice, others never."},
        {conf->reorder != 0 && test->map->most_ranks != test->map->fewest_ranks,
         "-C on nodes of different sizes: 4.1 shifts by the ranks of rank 0's "
         "node, which may stay on a node; here it does not where that is "
         "possible."},
        {conf->format != TMK_IOR_FORMAT_TEXT && conf->verbose != 0,
         "summaryFormat with -v: 4.1 prints JSON that cannot be read."},
    };

    return tmk_explain_points(to, rows, sizeof(rows) / sizeof(rows[0]));
}
