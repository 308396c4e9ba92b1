/*
 * explain_mdtest: what is made, and who does what in each phase.
 */
#include "bench/explain_mdtest.h"

#include <inttypes.h>
#include <string.h>

#include "base/item.h"
#include "base/units.h"
#include "bench/explain_text.h"

enum { PHASE_INDENT = 4 };

#define S tmk_explain_s

/* So many of each kind that is tested. */
struct counted {
    char text[96];
};

/* "80 directories and then 80 files" */
static struct counted count(const struct tmk_mdtest_plan *plan, uint64_t n)
{
    const bool dirs = tmk_mdtest_tests(plan->conf, TMK_MDTEST_DIRS);
    const bool files = tmk_mdtest_tests(plan->conf, TMK_MDTEST_FILES);
    struct counted c = {0};
    char of_dirs[48] = "";
    char of_files[48] = "";

    if (dirs) {
        (void)snprintf(of_dirs, sizeof(of_dirs), "%" PRIu64 " director%s", n,
                       n == 1 ? "y" : "ies");
    }
    if (files) {
        (void)snprintf(of_files, sizeof(of_files), "%" PRIu64 " file%s", n,
                       S(n));
    }
    (void)snprintf(c.text, sizeof(c.text), "%s%s%s", of_dirs,
                   dirs && files ? ", and then " : "", of_files);
    return c;
}

/* ---- what is made -------------------------------------------------------- */

static void say_trees(FILE *to, const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const struct tmk_tree *tree = &plan->tree;

    if (conf->unique) {
        tmk_explain_say(to, 2,
                        "-u: each of the %" PRIu32 " ranks has a tree of its "
                        "own, of %" PRIu64 " director%s.",
                        plan->tasks, tree->dirs, tree->dirs == 1 ? "y" : "ies");
    } else if (tree->dirs == 1) {
        tmk_explain_say(to, 2,
                        "All ranks work in one directory (no -u, no -z).");
    } else {
        tmk_explain_say(to, 2,
                        "All ranks work in one tree (no -u) of %" PRIu64
                        " directories, %" PRIu64 " of them leaves.",
                        tree->dirs, tree->leaves);
    }
    if (plan->roots > 1) {
        tmk_explain_say(to, 2,
                        "-d names %" PRIu64 " directories: rank r works in "
                        "number r modulo %" PRIu64 ".",
                        plan->roots, plan->roots);
    }
}

static void say_items(FILE *to, const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const uint64_t rounded = tmk_mdtest_plan_rounded(plan);

    if (conf->min_time_s != 0) {
        tmk_explain_say(to, 2,
                        "--min-time: -n is raised until every phase takes %d "
                        "s; what follows is where it begins.",
                        conf->min_time_s);
    }
    if (plan->tree.dirs == 1 && plan->loops == 1) {
        tmk_explain_say(to, 2, "Each rank has %s.",
                        count(plan, plan->items).text);
    } else {
        tmk_explain_say(to, 2, "Each rank has %s: %" PRIu64 " in each %s%s.",
                        count(plan, plan->items).text, plan->per_dir,
                        conf->leaf_only ? "leaf" : "directory",
                        plan->loops > 1 ? " of each test directory" : "");
    }
    if (rounded != 0) {
        tmk_explain_say(to, 2,
                        "-n %" PRIu64
                        " does not divide by the tree: each rank leaves "
                        "%" PRIu64 " out.",
                        conf->items, rounded);
    }
    if (plan->loops > 1) {
        tmk_explain_say(to, 2,
                        "-n with -I: there are %" PRIu64
                        " test directories (-n / -I) in each iteration, each "
                        "with a tree.",
                        plan->loops);
    }
    tmk_explain_say(to, 2,
                    "All ranks together%s: %s in each iteration.  There %s %d "
                    "iteration%s (-i).",
                    conf->shared ? ", using the same ones (-S)" : "",
                    count(plan, plan->distinct).text,
                    conf->iterations == 1 ? "is" : "are", conf->iterations,
                    S((uint64_t)conf->iterations));
}

void tmk_explain_mdtest_makes(FILE *to, const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    char bytes[32];

    say_trees(to, plan);
    say_items(to, plan);
    if (plan->bytes != 0) {
        tmk_explain_say(
            to, 2,
            "-w: each file holds %" PRIu64 " bytes; at most %s exist at once.",
            conf->write_bytes,
            tmk_units_format_bytes(plan->bytes, bytes, sizeof(bytes)));
    }
    if (conf->stonewall_s != 0 && plan->creates) {
        tmk_explain_say(to, 2,
                        "-W %d: creation stops after %d s; then every rank "
                        "goes on until it has made as many as the quickest, "
                        "and later phases visit so many.  The numbers here "
                        "are the most there can be.",
                        conf->stonewall_s, conf->stonewall_s);
    }
    if (strcmp(conf->api, "DUMMY") == 0) {
        tmk_explain_say(to, 2, "-a DUMMY: no file system is touched.");
    }
}

/* ---- phases -------------------------------------------------------------- */

/* Whether each rank visits what it made itself. */
static bool stays(const struct tmk_mdtest_plan *plan, unsigned hops)
{
    return plan->owner.stride % plan->tasks * hops % plan->tasks == 0;
}

double tmk_explain_mdtest_from_elsewhere(const struct tmk_mdtest_plan *plan,
                                         enum tmk_mdtest_phase phase)
{
    const unsigned creator = 0;

    if (plan->foreign_share[phase] < 0.0) {
        return -1.0;
    }
    return tmk_owner_foreign_share(
        &plan->owner, tmk_mdtest_phase_rows[phase].hops, &creator, 1);
}

/* Which node had the items before. */
static void say_nodes(FILE *to, const struct tmk_mdtest_plan *plan,
                      enum tmk_mdtest_phase phase)
{
    const double elsewhere = tmk_explain_mdtest_from_elsewhere(plan, phase);
    const double foreign = plan->foreign_share[phase];

    if (plan->nodes == 1 || elsewhere < 0.0) {
        return;
    }
    if (elsewhere == 0.0) {
        tmk_explain_say(to, PHASE_INDENT,
                        "All of them were made on the node that visits them.");
        return;
    }
    if (elsewhere == 1.0) {
        tmk_explain_say(to, PHASE_INDENT,
                        "All of them were made on another node.");
    } else {
        tmk_explain_say(to, PHASE_INDENT,
                        "%.0f%% of them were made on another node.",
                        100.0 * elsewhere);
    }
    if (foreign < elsewhere) {
        tmk_explain_say(to, PHASE_INDENT,
                        "But of these %.0f%% were visited by this node in an "
                        "earlier phase.",
                        100.0 * (elsewhere - foreign) / elsewhere);
    }
}

/* The path that rank 0 begins with. */
static void say_first(FILE *to, const struct tmk_mdtest_plan *plan,
                      enum tmk_mdtest_phase phase)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[phase];
    const bool random = row->shuffles && plan->shuffled;
    const struct tmk_item_set set =
        tmk_mdtest_plan_set(plan, phase, 0, 0, plan->items);
    struct tmk_item item;

    if (tmk_item_init(&item, &set, row->order, 0) == 0) {
        tmk_explain_say(to, PHASE_INDENT, "%s %s",
                        random ? "One of rank 0's is" : "Rank 0 begins with",
                        item.path);
    }
}

static const char *strides(unsigned hops)
{
    static const char *const names[] = {"no stride", "one stride",
                                        "two strides", "three strides"};

    return names[hops < 3 ? hops : 3];
}

/* "every rank", and whose items. */
static void say_whose(FILE *to, const struct tmk_mdtest_plan *plan,
                      enum tmk_mdtest_phase phase, const char *does)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[phase];
    const struct tmk_mdtest_conf *conf = plan->conf;
    const char *order = row->shuffles && plan->shuffled
                            ? ", in random order (-R, --random-seed)"
                            : "";

    if (conf->shared) {
        tmk_explain_say(to, PHASE_INDENT,
                        "Every rank %s the same %" PRIu64 " files%s.", does,
                        plan->items, order);
    } else if (stays(plan, row->hops)) {
        tmk_explain_say(to, PHASE_INDENT, "Every rank %s those %s%s.", does,
                        conf->collective ? "that bear its number"
                                         : "that it made itself",
                        order);
    } else if (plan->owner.by_node) {
        tmk_explain_say(to, PHASE_INDENT,
                        "Every rank %s those of the rank %s further on%s.",
                        does, strides(row->hops), order);
    } else {
        tmk_explain_say(
            to, PHASE_INDENT,
            "Rank r %s those of rank r + %" PRIu64 " (modulo %" PRIu32
            "), %s on%s.",
            does, plan->owner.stride % plan->tasks * row->hops % plan->tasks,
            plan->tasks, strides(row->hops), order);
    }
    say_nodes(to, plan, phase);
}

/* What makes a file. */
static void say_making_files(FILE *to, const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;

    if (conf->mknod) {
        tmk_explain_say(
            to, PHASE_INDENT,
            "-k: a file is made by mknod(2), without being opened.");
    } else if (conf->write_bytes == 0) {
        tmk_explain_say(to, PHASE_INDENT,
                        "A file is opened for creation and closed; it stays "
                        "empty (no -w).");
    } else {
        tmk_explain_say(
            to, PHASE_INDENT,
            "A file is opened for creation, %" PRIu64
            " bytes are written, %s%sit is closed: that is one "
            "operation.",
            conf->write_bytes, conf->fsync ? "fsync(2) is called (-y), " : "",
            conf->verify_write ? "they are read back and compared, " : "");
    }
}

static void explain_creation(FILE *to, const struct tmk_mdtest_plan *plan,
                             enum tmk_mdtest_phase phase)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const bool files = tmk_mdtest_phase_rows[phase].target == TMK_MDTEST_FILES;

    if (conf->collective) {
        tmk_explain_say(to, PHASE_INDENT,
                        "-c: rank 0 makes those of all ranks, one rank's "
                        "after the other; the others wait.%s",
                        files && !conf->mknod
                            ? "  Then every rank opens its own again, to "
                              "write."
                            : "");
    } else if (conf->shared) {
        tmk_explain_say(to, PHASE_INDENT,
                        "Every rank opens all of the same %" PRIu64
                        " files (-S); the first to come makes a file, the "
                        "others only open it.",
                        plan->items);
    } else {
        tmk_explain_say(to, PHASE_INDENT, "Every rank makes its own.");
    }
    if (files) {
        say_making_files(to, plan);
    }
    if (conf->unique && !stays(plan, 1)) {
        tmk_explain_say(to, PHASE_INDENT,
                        "-u with -N: it makes them in the tree of the rank one "
                        "stride further on, not in its own.");
    }
    say_first(to, plan, phase);
}

static void explain_read(FILE *to, const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;

    say_whose(to, plan, TMK_MDTEST_FILE_READ, "opens");
    if (conf->read_bytes == 0) {
        tmk_explain_say(to, PHASE_INDENT,
                        "No byte is read (no -e): this is open and close, and "
                        "says nothing about reading.");
    } else {
        tmk_explain_say(to, PHASE_INDENT,
                        "A file is opened, %" PRIu64 " bytes are read, %sit is "
                        "closed: that is one operation.",
                        conf->read_bytes,
                        conf->verify_read ? "they are compared (-X), " : "");
    }
    say_first(to, plan, TMK_MDTEST_FILE_READ);
}

static void explain_rename(FILE *to, const struct tmk_mdtest_plan *plan)
{
    say_whose(to, plan, TMK_MDTEST_DIR_RENAME, "renames");
    tmk_explain_say(to, PHASE_INDENT,
                    "The first is put aside, each of the next takes the name "
                    "before it, and the first comes back as the last but one; "
                    "the last is left alone.  The names are the same "
                    "afterwards.");
}

static void explain_removal(FILE *to, const struct tmk_mdtest_plan *plan,
                            enum tmk_mdtest_phase phase)
{
    const struct tmk_mdtest_conf *conf = plan->conf;

    if (conf->shared || conf->collective) {
        tmk_explain_say(to, PHASE_INDENT,
                        "Rank 0 removes all of them alone (%s); the others "
                        "wait.",
                        conf->shared ? "-S" : "-c");
    } else {
        say_whose(to, plan, phase, "removes");
        say_first(to, plan, phase);
    }
}

static void explain_tree(FILE *to, const struct tmk_mdtest_plan *plan,
                         enum tmk_mdtest_phase phase)
{
    const bool creation = phase == TMK_MDTEST_TREE_CREATE;
    const char *does = creation ? "makes" : "removes";
    char path[TMK_ITEM_PATH_SIZE];
    const struct tmk_item_set set =
        tmk_mdtest_plan_set(plan, TMK_MDTEST_TREE_CREATE, 0, 0, 0);

    if (plan->makers == 0) {
        tmk_explain_say(to, PHASE_INDENT,
                        "--tree=parallel: all ranks share the directories.");
    } else if (plan->makers == 1) {
        tmk_explain_say(to, PHASE_INDENT,
                        "Rank 0 %s %s alone; the others "
                        "wait, so that more ranks make this no faster.",
                        does,
                        plan->operations[phase] == 1 ? "it" : "all of them");
    } else {
        tmk_explain_say(to, PHASE_INDENT, "Every rank %s its own tree.", does);
    }
    if (creation && tmk_item_tree_path(&set, 0, 0, path, sizeof(path)) > 0) {
        tmk_explain_say(to, PHASE_INDENT, "Rank 0 begins with %s", path);
    }
}

static void explain_phase(FILE *to, const struct tmk_mdtest_plan *plan,
                          enum tmk_mdtest_phase phase)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[phase];

    fprintf(to, "  %s: %" PRIu64 " operation%s\n", row->name,
            plan->operations[phase], S(plan->operations[phase]));
    if (row->target == TMK_MDTEST_TREE) {
        explain_tree(to, plan, phase);
        return;
    }
    switch (row->action) {
    case TMK_MDTEST_CREATE: explain_creation(to, plan, phase); break;
    case TMK_MDTEST_STAT:
        say_whose(to, plan, phase, "stats");
        say_first(to, plan, phase);
        break;
    case TMK_MDTEST_READ: explain_read(to, plan); break;
    case TMK_MDTEST_RENAME: explain_rename(to, plan); break;
    case TMK_MDTEST_REMOVE: explain_removal(to, plan, phase); break;
    default: break;
    }
}

void tmk_explain_mdtest_phases(FILE *to, const struct tmk_mdtest_plan *plan)
{
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        if (plan->on[i]) {
            explain_phase(to, plan, (enum tmk_mdtest_phase)i);
        }
    }
}
