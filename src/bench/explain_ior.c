/*
 * explain_ior: files, the layout of data, and who does what in each phase.
 */
#include "bench/explain_ior.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "bench/explain_launch.h"
#include "bench/explain_text.h"

enum { PHASE_INDENT = 4 };

#define S tmk_explain_s

struct bytes {
    char text[32];
};

static struct bytes show(uint64_t n)
{
    struct bytes b = {0};

    (void)tmk_units_format_bytes(n, b.text, sizeof(b.text));
    return b;
}

static bool stalled(const struct tmk_ior_conf *conf)
{
    return conf->deadline_ns != 0;
}

/* Whether the data of a rank lies anywhere in the file. */
static bool is_scattered(const struct tmk_ior_plan *plan)
{
    return plan->shared && plan->conf->random_offset != 0;
}

struct tmk_ior_tasks
tmk_explain_ior_checking(const struct tmk_explain_ior *test)
{
    struct tmk_ior_tasks tasks = test->tasks;

    tasks.nodes_on++;
    return tasks;
}

/* ---- files --------------------------------------------------------------- */

static void say_names(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    char path[TMK_IOR_PATH_SIZE];

    if (tmk_ior_plan_path(plan, 0, 0, path, sizeof(path)) < 0) {
        return;
    }
    if (plan->shared) {
        tmk_explain_say(
            to, 2, "All %d ranks share one file%s (no -F): %s", plan->tasks,
            plan->conf->multi_file ? " in each repetition (-m)" : "", path);
    } else {
        tmk_explain_say(to, 2,
                        "Every rank has a file of its own (-F)%s; that of rank "
                        "0 is %s",
                        plan->conf->multi_file ? ", another in each repetition "
                                                 "(-m)"
                                               : "",
                        path);
    }
}

static void say_sizes(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;

    tmk_explain_say(
        to, 2,
        "A rank has %" PRIu64 " block%s (-s) of %s (-b) and moves "
        "each in %" PRIu64 " transfer%s of %s (-t): %s.  All %d "
        "ranks together: %s.",
        plan->segments, S(plan->segments), show(plan->block_bytes).text,
        plan->per_block, S(plan->per_block), show(plan->transfer_bytes).text,
        show(plan->rank_bytes).text, plan->tasks, show(plan->total_bytes).text);
    if (stalled(conf)) {
        tmk_explain_say(to, 2,
                        "-D: a phase stops after %g s, so that this is the "
                        "most there can be.  %s",
                        tmk_units_seconds(conf->deadline_ns),
                        conf->wear_out
                            ? "Then those that are behind go on until all "
                              "ranks have made as many transfers as the "
                              "quickest (stoneWallingWearOut)."
                            : "Each rank stops where it is, so that ranks "
                              "move different amounts.");
    }
}

/* Where block i of rank r begins. */
static void say_layout(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;

    if (plan->shared && plan->tasks > 1) {
        tmk_explain_say(to, 2,
                        "Block number s of rank r begins at byte (s * %d + r) "
                        "* %" PRIu64 " of the file, s and r counted from 0: "
                        "%s.",
                        plan->tasks, plan->block_bytes,
                        plan->segments > 1
                            ? "within a segment the ranks follow each other, "
                              "segment after segment"
                            : "the ranks follow each other");
    } else if (plan->segments > 1) {
        tmk_explain_say(to, 2,
                        "The blocks of a rank follow each other in its file.");
    }
    if (conf->random_offset == 1) {
        tmk_explain_say(to, 2,
                        "-z: transfers are in random order, each once%s.",
                        plan->shared && plan->tasks > 1 &&
                                conf->semantics == TMK_IOR_AS_TREEMARK
                            ? "; those of all ranks are shuffled over the "
                              "file, and each rank has an equal share, not "
                              "blocks of its own"
                            : "");
    } else if (conf->random_offset > 1) {
        tmk_explain_say(to, 2,
                        "-z -z: for each segment a block is drawn anywhere in "
                        "the file and moved in order; blocks repeat, and some "
                        "are never met.");
    }
}

void tmk_explain_ior_files(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;

    say_names(to, test);
    say_sizes(to, test);
    say_layout(to, test);
    tmk_explain_say(to, 2, "There %s %d repetition%s (-i).",
                    plan->conf->repetitions == 1 ? "is" : "are",
                    plan->conf->repetitions,
                    S((uint64_t)plan->conf->repetitions));
    if (strcasecmp(plan->conf->api, "DUMMY") == 0) {
        tmk_explain_say(to, 2, "-a DUMMY: no file system is touched.");
    }
}

/* ---- phases -------------------------------------------------------------- */

/* What becomes of a file that is there. */
static const char *old_file(const struct tmk_ior_conf *conf)
{
    if (conf->use_existing || conf->leftovers == TMK_LEFTOVERS_REUSE) {
        return "A file that is there is written over in place.";
    }
    return conf->leftovers == TMK_LEFTOVERS_CLEAN
               ? "Before the clock runs, a file that an earlier benchmark left "
                 "is removed; one that holds anything else is refused."
               : "Before the clock runs, a file that an earlier benchmark left "
                 "is emptied; one that holds anything else is refused (-E "
                 "writes into it).";
}

static void explain_write(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;

    fprintf(to, "  write: %" PRIu64 " transfers of each rank\n",
            plan->per_rank);
    tmk_explain_say(to, PHASE_INDENT, "%s", old_file(conf));
    tmk_explain_say(to, PHASE_INDENT,
                    "Every rank opens %s, writes its blocks%s%s, and closes.",
                    plan->shared ? "the file" : "its file",
                    conf->fsync_per_write
                        ? ", calling fsync after every transfer (-Y)"
                        : "",
                    conf->fsync ? ", calls fsync once at the end (-e)" : "");
    if (conf->collective) {
        tmk_explain_say(to, PHASE_INDENT, "%s",
                        strcasecmp(conf->api, "MPIIO") == 0
                            ? "-c: all ranks make each transfer together."
                            : "-c: ranks stop at the same transfer; only "
                              "MPIIO makes transfers together.");
    }
}

/* Whose data a phase reads. */
static void say_source(FILE *to, const struct tmk_explain_ior *test,
                       const struct tmk_ior_tasks *tasks, const char *does)
{
    const struct tmk_ior_plan *plan = test->plan;
    double foreign;

    if (is_scattered(plan)) {
        tmk_explain_say(to, PHASE_INDENT,
                        plan->conf->random_offset > 1
                            ? "Every rank %s blocks from anywhere in the file, "
                              "whoever wrote them."
                            : "Every rank %s transfers from all over the file "
                              "(-z).",
                        does);
        return;
    }
    if (tasks->kind == TMK_IOR_TASKS_OWN) {
        tmk_explain_say(to, PHASE_INDENT, "Every rank %s what it wrote itself.",
                        does);
        return;
    }
    if (tasks->kind == TMK_IOR_TASKS_CONSTANT &&
        tmk_ior_tasks_source(tasks, 0, 0) == 0) {
        tmk_explain_say(to, PHASE_INDENT,
                        "Every rank %s what it wrote itself: -C leads back to "
                        "it.",
                        does);
        return;
    }
    foreign = tmk_ior_tasks_foreign_share(tasks, 0);
    tmk_explain_say(to, PHASE_INDENT,
                    "Every rank %s what %s wrote: rank 0 that of rank "
                    "%" PRIu32 ".  %.0f%% of the ranks meet data of another "
                    "node.",
                    does,
                    tasks->kind == TMK_IOR_TASKS_CONSTANT
                        ? "another rank (-C)"
                        : "a random rank (-Z)",
                    tmk_ior_tasks_source(tasks, 0, 0), 100.0 * foreign);
}

static void explain_check(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_tasks tasks = tmk_explain_ior_checking(test);

    fputs("  write check (-W): outside of all rates\n", to);
    say_source(to, test, &tasks, "reads and compares");
    if (tasks.kind == TMK_IOR_TASKS_CONSTANT && !is_scattered(test->plan)) {
        tmk_explain_say(to, PHASE_INDENT,
                        "That is one node further on than in reading.");
    }
}

static void explain_read(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_conf *conf = plan->conf;

    fprintf(to, "  read: %" PRIu64 " transfers of each rank\n", plan->per_rank);
    say_source(to, test, &test->tasks, "reads");
    if (plan->checks_read) {
        tmk_explain_say(to, PHASE_INDENT,
                        "-R: every transfer is compared with what should be "
                        "there, within the time.");
    }
    if (!plan->writes) {
        tmk_explain_say(to, PHASE_INDENT,
                        "Nothing is written before: an earlier launch must "
                        "have left the file%s%s.",
                        plan->shared ? "" : "s",
                        conf->status_file != NULL
                            ? ", and how much of it counts is in the status "
                              "file"
                            : "");
    }
    if (conf->read_passes > 1) {
        tmk_explain_say(to, PHASE_INDENT,
                        "--read-passes: %d times; all but the first find in "
                        "memory what the pass before has read.",
                        conf->read_passes);
    }
}

static void explain_removal(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const bool made = plan->writes || plan->mixes;

    if (!made || plan->conf->keep != 0) {
        return;
    }
    fputs("  remove: at the end of each repetition\n", to);
    tmk_explain_say(to, PHASE_INDENT, "%s",
                    plan->shared ? "Rank 0 removes the file (no -k)."
                                 : "Every rank removes the file that it wrote "
                                   "(no -k).");
}

void tmk_explain_ior_phases(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;

    if (plan->mixes) {
        fputs("  mixed: reads and writes in one phase (--rwmix)\n", to);
        tmk_explain_say(to, PHASE_INDENT,
                        "Of 100 transfers of a rank %d are reads, spread "
                        "evenly.",
                        plan->conf->rwmix);
    }
    if (plan->writes) {
        explain_write(to, test);
    }
    if (plan->checks_write) {
        explain_check(to, test);
    }
    if (plan->reads) {
        explain_read(to, test);
    }
    explain_removal(to, test);
    tmk_explain_say(to, 2,
                    "A rate is the bytes of all ranks by the time from the "
                    "first open to the last close.");
}

/* ---- whose data ---------------------------------------------------------- */

static void say_table(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const struct tmk_ior_tasks check = tmk_explain_ior_checking(test);
    const struct tmk_owner_map *map = test->map;
    bool all = true;

    tmk_explain_say(to, 2,
                    "Who visits what which rank wrote (nodes in "
                    "brackets):");
    tmk_explain_cell(to, "rank");
    if (plan->reads) {
        tmk_explain_cell(to, "reads");
    }
    if (plan->checks_write) {
        tmk_explain_cell(to, "checks (-W)");
    }
    fputc('\n', to);
    for (uint32_t r = 0; r < map->ranks; r++) {
        if (!tmk_explain_place_shows(map, r)) {
            all = false;
            continue;
        }
        tmk_explain_cell_rank(to, r, map->node);
        if (plan->reads) {
            tmk_explain_cell_rank(to, tmk_ior_tasks_source(&test->tasks, r, 0),
                                  map->node);
        }
        if (plan->checks_write) {
            tmk_explain_cell_rank(to, tmk_ior_tasks_source(&check, r, 0),
                                  map->node);
        }
        fputc('\n', to);
    }
    if (!all) {
        tmk_explain_cell(to, "...");
        fputc('\n', to);
    }
}

static void say_constant(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_conf *conf = test->plan->conf;
    const struct tmk_owner_map *map = test->map;

    if (map->nodes == 1) {
        tmk_explain_say(to, 2,
                        "-C asks for data of another node, and there is one "
                        "node: every rank reads what it wrote itself.  Runs "
                        "say so (ROTATION_SELF); ior 4.1 does not.");
        return;
    }
    tmk_explain_say(to, 2, "-C goes %" PRIu64 " node%s on (-Q).",
                    conf->node_offset, S(conf->node_offset));
    if (tmk_ior_tasks_foreign_share(&test->tasks, 0) == 0.0) {
        tmk_explain_say(to, 2,
                        "Of %" PRIu32 " nodes that leads back to the node "
                        "itself: every rank reads what its own node wrote.",
                        map->nodes);
    }
}

void tmk_explain_ior_order(FILE *to, const struct tmk_explain_ior *test)
{
    const struct tmk_ior_plan *plan = test->plan;
    const enum tmk_ior_tasks_kind kind = test->tasks.kind;

    if (!plan->reads && !plan->checks_write) {
        tmk_explain_say(to, 2, "%s",
                        plan->mixes ? "--rwmix: every rank reads and writes in "
                                      "its own blocks."
                                    : "Nothing is read.");
        return;
    }
    if (is_scattered(plan)) {
        tmk_explain_say(to, 2,
                        "-z in a shared file: each rank meets data of all "
                        "ranks and nodes.%s",
                        kind != TMK_IOR_TASKS_OWN &&
                                plan->conf->random_offset > 1
                            ? "  -C and -Z change nothing."
                            : "");
        return;
    }
    switch (kind) {
    case TMK_IOR_TASKS_OWN:
        tmk_explain_say(to, 2,
                        "There is neither -C nor -Z: every rank reads what it "
                        "wrote itself, on the node that wrote it.");
        return;
    case TMK_IOR_TASKS_CONSTANT: say_constant(to, test); break;
    case TMK_IOR_TASKS_SHUFFLE:
        tmk_explain_say(to, 2,
                        "-Z -Z: the ranks are shuffled, whatever their nodes.");
        break;
    default:
        tmk_explain_say(to, 2,
                        "-Z: the ranks are shuffled so that each reads what "
                        "another node wrote, %" PRIu64 " or more further on "
                        "(-Q) where that is possible.",
                        plan->conf->node_offset);
        break;
    }
    if (test->map->nodes > 1) {
        say_table(to, test);
    }
}
