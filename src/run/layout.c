/*
 * layout: the node map, found once at start.
 *
 *   every rank     node communicator (shared memory), its lowest rank
 *   few ranks      gather that on every rank
 *   many ranks     gather it on rank 0; the lowest rank of each node spreads
 *                  it into memory that the node shares
 */
#include "run/layout.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Up to so many ranks each has the map to itself: 12 KiB at most. */
enum { PRIVATE_RANKS = 1024 };

/* Whether cores are short is not known yet: wait as if they were. */
static struct tmk_wait yielding(MPI_Comm comm)
{
    return (struct tmk_wait){.comm = comm, .yields = true};
}

/* Ranks of `comm` with the same host name as rank 0: is rank 1 one of them? */
static bool block_mapping_all(MPI_Comm comm, const char *host)
{
    struct tmk_wait wait = yielding(comm);
    char first[TMK_LAYOUT_HOST_SIZE] = {0};
    int rank;
    int same = 0;

    MPI_Comm_rank(comm, &rank);
    memcpy(first, host, sizeof(first));
    tmk_wait_bcast_all(&wait, first, (int)sizeof(first), MPI_CHAR);
    if (rank == 1) {
        same = strcmp(first, host) == 0;
    }
    tmk_wait_allreduce_all(&wait, &same, 1, MPI_INT, MPI_MAX);
    return same != 0;
}

/* The first words of a control file, as numbers; -1 where there is none. */
static void read_numbers(const char *path, long long *numbers, int n)
{
    char text[128] = "";
    char *at = text;
    FILE *f = fopen(path, "r");

    if (f != NULL) {
        if (fgets(text, (int)sizeof(text), f) == NULL) {
            text[0] = '\0';
        }
        fclose(f);
    }
    for (int i = 0; i < n; i++) {
        char *end;

        numbers[i] = strtoll(at, &end, 10);
        if (end == at) {
            numbers[i] = -1;
        }
        at = end;
    }
}

/*
 * Cores that the cgroup's CPU quota allows, rounded up; 0 = no quota.  Reads
 * the control files of cgroup v2 and v1 where they are usually mounted.
 */
static int quota_cores(void)
{
    enum { QUOTA, PERIOD };
    long long numbers[2];

    read_numbers("/sys/fs/cgroup/cpu.max", numbers, 2);
    if (numbers[QUOTA] < 0) {
        read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", &numbers[QUOTA], 1);
        read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_period_us", &numbers[PERIOD],
                     1);
    }
    if (numbers[QUOTA] <= 0 || numbers[PERIOD] <= 0) {
        return 0;
    }
    return (int)((numbers[QUOTA] + numbers[PERIOD] - 1) / numbers[PERIOD]);
}

/* Cores that this process may use. */
static void get_affinity(cpu_set_t *set)
{
    CPU_ZERO(set);
    if (sched_getaffinity(0, sizeof(*set), set) != 0) {
        long n = sysconf(_SC_NPROCESSORS_ONLN);

        for (long i = 0; i < n && i < CPU_SETSIZE; i++) {
            CPU_SET((size_t)i, set);
        }
    }
}

/* Cores that the ranks of a node may use together. */
static int usable_cores_all(MPI_Comm node_comm)
{
    struct tmk_wait wait = yielding(node_comm);
    cpu_set_t set;
    int cores;
    int quota = quota_cores();

    get_affinity(&set);
    tmk_wait_allreduce_all(&wait, &set, (int)sizeof(set), MPI_BYTE, MPI_BOR);
    cores = CPU_COUNT(&set);
    if (quota > 0 && quota < cores) {
        cores = quota;
    }
    return cores > 0 ? cores : 1;
}

/* What this boot of the kernel calls itself; "" where it does not say. */
static void read_boot_id(char *buf, size_t size)
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");

    buf[0] = '\0';
    if (f != NULL) {
        if (fgets(buf, (int)size, f) == NULL) {
            buf[0] = '\0';
        }
        fclose(f);
    }
    buf[strcspn(buf, "\n")] = '\0';
}

/*
 * Nodes that share the kernel of rank 0 share its cores as well.  Counts them
 * and says whether their ranks outnumber the cores.
 */
static bool kernel_crowded_all(struct tmk_layout *layout, MPI_Comm comm)
{
    enum { RANKS, NODES };
    struct tmk_wait wait = yielding(comm);
    char first[TMK_LAYOUT_BOOT_SIZE];
    int counts[2] = {0, 0};
    cpu_set_t set;

    memcpy(first, layout->boot, sizeof(first));
    tmk_wait_bcast_all(&wait, first, (int)sizeof(first), MPI_CHAR);
    CPU_ZERO(&set);
    if (first[0] != '\0' && strcmp(first, layout->boot) == 0) {
        get_affinity(&set);
        counts[RANKS] = 1;
        counts[NODES] = layout->leads_node;
    }
    tmk_wait_allreduce_all(&wait, &set, (int)sizeof(set), MPI_BYTE, MPI_BOR);
    tmk_wait_allreduce_all(&wait, counts, 2, MPI_INT, MPI_SUM);
    layout->nodes_on_kernel = counts[NODES];
    if (counts[NODES] < 2) {
        return false; /* a node by itself is judged as such */
    }
    layout->cores = CPU_COUNT(&set);
    layout->ranks_on_kernel = counts[RANKS];
    return counts[RANKS] > layout->cores;
}

/*
 * From the lowest rank on each rank's node to the node's number, in place.
 * The lowest rank comes first, so that its number is known to the others.
 */
static void number_nodes(uint32_t *node, uint32_t ranks)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < ranks; i++) {
        node[i] = node[i] == i ? next++ : node[node[i]];
    }
}

/* A small job: every rank has the map to itself. */
static int get_map_all(struct tmk_layout *layout, MPI_Comm comm, uint32_t lead)
{
    struct tmk_wait wait = yielding(comm);
    uint32_t *node;
    int size;
    int err;

    MPI_Comm_size(comm, &size);
    layout->arrays = calloc(3 * (size_t)size, sizeof(*layout->arrays));
    err = layout->arrays != NULL ? 0 : -ENOMEM;
    tmk_wait_allreduce_all(&wait, &err, 1, MPI_INT, MPI_MIN);
    node = layout->arrays;
    if (err != 0 || node == NULL) {
        return err;
    }
    tmk_wait_allgather_all(&wait, &lead, node, (int)sizeof(*node));
    number_nodes(node, (uint32_t)size);
    return tmk_owner_map_init(&layout->map, (uint32_t)size, node, node + size,
                              node + 2 * (size_t)size);
}

/* Fill the shared arrays of every node with the whole map. */
static int spread_map_all(struct tmk_layout *layout, MPI_Comm comm,
                          MPI_Comm node_comm, uint32_t lead, uint32_t *node)
{
    struct tmk_wait everyone = yielding(comm);
    struct tmk_wait on_node = yielding(node_comm);
    MPI_Comm leaders;
    int size;
    int rank;
    int err = 0;

    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    leaders =
        tmk_wait_split_all(comm, layout->leads_node ? 0 : MPI_UNDEFINED, rank);
    tmk_wait_gather_all(&everyone, &lead, rank == 0 ? node : NULL,
                        (int)sizeof(*node));
    if (rank == 0) {
        number_nodes(node, (uint32_t)size);
    }
    if (leaders != MPI_COMM_NULL) {
        struct tmk_wait among_leaders = yielding(leaders);

        /* Rank 0 of comm leads node 0 and so is rank 0 of the leaders. */
        tmk_wait_bcast_all(&among_leaders, node, size, MPI_UINT32_T);
        err = tmk_owner_map_init(&layout->map, (uint32_t)size, node,
                                 node + size, node + 2 * (size_t)size);
        MPI_Comm_free(&leaders);
    }
    MPI_Win_sync(layout->window);
    tmk_wait_barrier_all(&on_node);
    MPI_Win_sync(layout->window);
    /* The counts are the leader's; the pointers are each rank's own. */
    tmk_wait_bcast_all(&on_node, &layout->map, (int)sizeof(layout->map),
                       MPI_BYTE);
    layout->map.node = node;
    layout->map.at = node + size;
    layout->map.place = node + 2 * (size_t)size;
    tmk_wait_allreduce_all(&everyone, &err, 1, MPI_INT, MPI_MIN);
    return err;
}

/* A large job: one map per node, in shared memory. */
static int share_map_all(struct tmk_layout *layout, MPI_Comm comm,
                         MPI_Comm node_comm, uint32_t lead)
{
    MPI_Aint bytes = 0;
    MPI_Aint ignored_size;
    int ignored_unit;
    uint32_t *base = NULL;
    int size;

    MPI_Comm_size(comm, &size);
    if (layout->leads_node) {
        bytes = (MPI_Aint)(3 * sizeof(uint32_t) * (size_t)size);
    }
    MPI_Win_allocate_shared(bytes, (int)sizeof(uint32_t), MPI_INFO_NULL,
                            node_comm, &base, &layout->window);
    MPI_Win_shared_query(layout->window, 0, &ignored_size, &ignored_unit,
                         &base);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, layout->window);
    return spread_map_all(layout, comm, node_comm, lead, base);
}

int tmk_layout_init_all(struct tmk_layout *layout, MPI_Comm comm)
{
    return tmk_layout_init_limit_all(layout, comm, PRIVATE_RANKS);
}

int tmk_layout_init_limit_all(struct tmk_layout *layout, MPI_Comm comm,
                              int private_ranks)
{
    struct tmk_wait everyone = yielding(comm);
    struct tmk_wait on_node;
    MPI_Comm node_comm;
    uint32_t lead;
    int rank;
    int size;
    int local;
    int crowded;
    int err;

    *layout = (struct tmk_layout){.window = MPI_WIN_NULL};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (gethostname(layout->host, sizeof(layout->host) - 1) != 0) {
        (void)snprintf(layout->host, sizeof(layout->host), "unknown");
    }
    read_boot_id(layout->boot, sizeof(layout->boot));
    node_comm = tmk_wait_split_node_all(comm, rank);
    MPI_Comm_rank(node_comm, &local);
    MPI_Comm_size(node_comm, &layout->ranks_on_node);
    on_node = yielding(node_comm);
    layout->leads_node = local == 0;
    lead = (uint32_t)rank;
    tmk_wait_bcast_all(&on_node, &lead, 1, MPI_UINT32_T);
    layout->cores = usable_cores_all(node_comm);
    layout->ranks_on_kernel = layout->ranks_on_node;
    crowded = layout->ranks_on_node > layout->cores;
    crowded |= kernel_crowded_all(layout, comm);
    tmk_wait_allreduce_all(&everyone, &crowded, 1, MPI_INT, MPI_MAX);
    layout->yields = crowded != 0;
    err = size <= private_ranks ? get_map_all(layout, comm, lead)
                                : share_map_all(layout, comm, node_comm, lead);
    if (err == 0) {
        layout->node = layout->map.node[rank];
        layout->map.block = block_mapping_all(comm, layout->host);
    }
    MPI_Comm_free(&node_comm);
    return err;
}

void tmk_layout_fini_all(struct tmk_layout *layout)
{
    free(layout->arrays);
    layout->arrays = NULL;
    if (layout->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(layout->window);
        MPI_Win_free(&layout->window);
    }
}
