#ifndef TMK_RUN_LAYOUT_H
#define TMK_RUN_LAYOUT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/owner.h"
#include "run/wait.h"

enum { TMK_LAYOUT_HOST_SIZE = 65, TMK_LAYOUT_BOOT_SIZE = 64 };

/*
 * Which rank sits where.  A node is a shared-memory communicator; nodes are
 * numbered by their lowest rank.  The arrays of the map take 4 bytes per rank
 * each.  Large jobs keep them in memory that the ranks of a node share; for
 * small ones that would cost more than it saves.
 */
struct tmk_layout {
    struct tmk_owner_map map;
    uint32_t node;       /* of this rank */
    bool leads_node;     /* this rank is the lowest of its node */
    int ranks_on_node;   /* of this rank */
    int ranks_on_kernel; /* of this node, or of all nodes of its kernel */
    int cores;           /* usable by those together */
    bool yields;         /* somewhere ranks outnumber usable cores */
    int nodes_on_kernel; /* nodes that share the kernel of rank 0: 1, but for
                            simulated nodes and containers */
    char host[TMK_LAYOUT_HOST_SIZE]; /* of this rank */
    char boot[TMK_LAYOUT_BOOT_SIZE]; /* id of its kernel's boot; "" = none */
    uint32_t *arrays;                /* owned; NULL = they are in the window */
    MPI_Win window;
    char (*hosts)[TMK_LAYOUT_HOST_SIZE]; /* of each node; rank 0, after
                                            tmk_layout_hosts_all() */
    bool hosts_borrowed;
};

/* Find out.  Collective over comm; returns 0 or -errno, alike on all ranks. */
int tmk_layout_init_all(struct tmk_layout *layout, MPI_Comm comm);

/* The same with another bound for what is a small job; for tests. */
int tmk_layout_init_limit_all(struct tmk_layout *layout, MPI_Comm comm,
                              int private_ranks);

/*
 * The layout of some ranks of another one, `ranks`, which are on its first
 * nodes: found with
 * less asking, as nodes are known.  The
 * names of hosts are lent by `whole`, as long as it lives.  0 or -errno.
 * Collective over comm, that of those ranks in this order.
 */
int tmk_layout_part_all(struct tmk_layout *layout,
                        const struct tmk_layout *whole, MPI_Comm comm,
                        const int *ranks);

/*
 * The host name of each node to rank 0, from the lowest rank of each: once a
 * launch.  0 or -ENOMEM, alike on all ranks.  Collective over comm, that of
 * init.
 */
int tmk_layout_hosts_all(struct tmk_layout *layout, MPI_Comm comm);

/*
 * The same for a layout of the first ranks of another, whose names it lends,
 * as long as it lives.
 */
void tmk_layout_borrow_hosts(struct tmk_layout *layout,
                             const struct tmk_layout *whole);

/* The host of a rank, on rank 0 and after one of the two; borrowed.
 * "unknown" on other ranks. */
const char *tmk_layout_host_of(const struct tmk_layout *layout, int rank);

/* Collective; also after a failed init. */
void tmk_layout_fini_all(struct tmk_layout *layout);

#endif
