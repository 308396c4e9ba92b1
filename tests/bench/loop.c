/*
 * loop: what the parts of the measured loop cost, in ns, the best of some
 * tries: a read of the clock, tmk_phase_did() with it, the next name, and a
 * poll, which happens once in 10 ms, without and with progress.
 */
#include <mpi.h>
#include <stdio.h>

#include "base/item.h"
#include "run/clock.h"
#include "run/job.h"
#include "run/phase.h"
#include "run/progress.h"

enum { TRIES = 7, OPS = 1000000, POLLS = 100000 };

struct bench {
    struct tmk_job job;
    struct tmk_phase phase;
    struct tmk_item_set set;
    struct tmk_item item;
    struct tmk_progress progress;
    uint64_t sink;
};

static void read_clock(struct bench *b)
{
    for (int i = 0; i < OPS; i++) {
        b->sink += tmk_clock_ns();
    }
}

static void account(struct bench *b)
{
    for (int i = 0; i < OPS; i++) {
        tmk_phase_did(&b->phase, 0);
    }
}

static void walk(struct bench *b)
{
    (void)tmk_item_init(&b->item, &b->set, TMK_ITEM_CREATION, 0);
    while (tmk_item_next(&b->item)) {
        b->sink += (unsigned char)*b->item.last_digit;
    }
}

static void shuffle(struct bench *b)
{
    (void)tmk_item_init(&b->item, &b->set, TMK_ITEM_SHUFFLED, 1);
    while (tmk_item_next(&b->item)) {
        b->sink += (unsigned char)*b->item.last_digit;
    }
}

static void poll_others(struct bench *b)
{
    uint64_t now = tmk_clock_ns();

    for (int i = 0; i < POLLS; i++) {
        tmk_phase_poll(&b->phase, now, 1);
    }
}

/* The clock goes on, so that a line may be due; the best try has none. */
static void poll_with_progress(struct bench *b)
{
    for (int i = 0; i < POLLS; i++) {
        tmk_phase_poll(&b->phase, tmk_clock_ns(), 1);
    }
}

static double best_ns(struct bench *b, void (*part)(struct bench *b), int times)
{
    uint64_t best = UINT64_MAX;

    for (int i = 0; i < TRIES; i++) {
        uint64_t start = tmk_clock_ns();
        uint64_t took;

        part(b);
        took = tmk_clock_ns() - start;
        best = took < best ? took : best;
    }
    return (double)best / times;
}

int main(int argc, char **argv)
{
    struct bench bench = {.sink = 0};
    struct tmk_phase_how how = {.path = bench.item.path};
    const struct tmk_progress_round round = {.name = "loop", .iterations = 1};
    struct tmk_phase_result result;
    struct tmk_tree tree;
    double clock_ns;
    double did_ns;
    double walk_ns;
    double shuffle_ns;
    double poll_ns;
    double progress_ns;

    MPI_Init(&argc, &argv);
    if (tmk_job_init_all(&bench.job, MPI_COMM_WORLD, "loop", stdout, stderr) !=
            0 ||
        tmk_phase_init(&bench.phase) != 0 || tmk_tree_init(&tree, 1, 0) != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    bench.set = (struct tmk_item_set){
        .root = "/somewhere",
        .loops = 1,
        .tree = &tree,
        .kind = TMK_NAMES_FILE,
        .per_dir = OPS,
        .made = OPS,
    };
    tmk_phase_begin_all(&bench.phase, &bench.job, &how);
    clock_ns = best_ns(&bench, read_clock, OPS);
    did_ns = best_ns(&bench, account, OPS);
    walk_ns = best_ns(&bench, walk, OPS);
    shuffle_ns = best_ns(&bench, shuffle, OPS);
    poll_ns = best_ns(&bench, poll_others, POLLS);
    tmk_phase_close(&bench.phase);
    tmk_phase_end_all(&bench.phase, &result);
    tmk_progress_init_all(&bench.progress, &bench.job, 100000000);
    bench.job.progress = &bench.progress;
    tmk_progress_begin(&bench.progress, &bench.job, &round);
    tmk_phase_begin_all(&bench.phase, &bench.job, &how);
    progress_ns = best_ns(&bench, poll_with_progress, POLLS);
    tmk_phase_close(&bench.phase);
    tmk_phase_end_all(&bench.phase, &result);
    tmk_progress_end(&bench.progress);
    bench.job.progress = NULL;
    tmk_progress_fini_all(&bench.progress, &bench.job);
    if (bench.job.rank == 0) {
        printf("%.1f %.1f %.1f %.1f %.1f %.1f\n", clock_ns, did_ns, walk_ns,
               shuffle_ns, poll_ns, progress_ns);
    }
    tmk_phase_fini(&bench.phase);
    tmk_job_fini_all(&bench.job);
    MPI_Finalize();
    return bench.sink == 0;
}
