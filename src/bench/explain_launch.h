#ifndef TMK_BENCH_EXPLAIN_LAUNCH_H
#define TMK_BENCH_EXPLAIN_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/owner.h"

/*
 * What mpirun, mpiexec, srun, aprun and their like say about where ranks run.
 * Pure: hostfiles are not read.
 */
enum { TMK_EXPLAIN_HOSTS_MAX = 1024, TMK_EXPLAIN_RANKS_MAX = 1 << 20 };

struct tmk_explain_launch {
    uint32_t ranks, nodes, ppn; /* 0 = not said */
    bool cyclic;                /* ranks are dealt out to the nodes in turn */
    uint32_t n_hosts;           /* of a list of hosts; 0 = none */
    uint32_t slots[TMK_EXPLAIN_HOSTS_MAX]; /* of each; "b:2" has 2, "b" 1 */
};

/*
 * Read the words before the program's name.  Returns 0, or -EINVAL with one
 * line in `why` that names the word.
 */
int tmk_explain_launch_read(int argc, char *const argv[],
                            struct tmk_explain_launch *launch, char *why,
                            size_t why_size);

/* Ranks on nodes, worked out. */
struct tmk_explain_place {
    struct tmk_owner_map map;
    uint32_t *arrays;    /* owned */
    bool ranks_are_said; /* else one is taken */
    bool nodes_are_said; /* else one is taken */
};

/*
 * Place the ranks; numbers of options have been put into *launch.  Where ranks
 * do not divide by nodes, the first ones have one more.  0, -ENOMEM, or
 * -EINVAL with `why`.  Release *place whatever comes.
 */
int tmk_explain_place_make(const struct tmk_explain_launch *launch,
                           struct tmk_explain_place *place, char *why,
                           size_t why_size);

/* The same for the first ranks only. */
int tmk_explain_place_first(const struct tmk_explain_place *whole,
                            uint32_t ranks, struct tmk_explain_place *place);

/*
 * Whether a table of ranks has a row for this one: all of a few ranks, else the
 * first and last of each of the first nodes.
 */
bool tmk_explain_place_shows(const struct tmk_owner_map *map, uint32_t rank);

void tmk_explain_place_fini(struct tmk_explain_place *place);

#endif
