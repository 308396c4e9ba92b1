/*
 * layout: the node map, found once at start.
 *
 *   every rank     node communicator (shared memory)
 *   node leaders   number the nodes; spread the map into shared windows
 */
#include "run/layout.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* This node's number, known to the leader, told to its ranks. */
static uint32_t number_nodes_all(MPI_Comm node_comm, MPI_Comm leaders)
{
    struct tmk_wait wait = yielding(node_comm);
    int node = 0;

    if (leaders != MPI_COMM_NULL) {
        MPI_Comm_rank(leaders, &node);
    }
    tmk_wait_bcast_all(&wait, &node, 1, MPI_INT);
    return (uint32_t)node;
}

/* Fill the shared arrays of every node with the whole map. */
static int spread_map_all(struct tmk_layout *layout, MPI_Comm comm,
                          MPI_Comm node_comm, MPI_Comm leaders, uint32_t *base)
{
    struct tmk_wait everyone = yielding(comm);
    struct tmk_wait on_node = yielding(node_comm);
    struct tmk_wait among_leaders = yielding(leaders);
    uint32_t *node = base;
    int size;
    int rank;
    int err = 0;

    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    tmk_wait_gather_all(&everyone, &layout->node, rank == 0 ? node : NULL,
                        (int)sizeof(*node));
    if (leaders != MPI_COMM_NULL) {
        /* Rank 0 of comm leads node 0 and so is rank 0 of the leaders. */
        tmk_wait_bcast_all(&among_leaders, node, size, MPI_UINT32_T);
        err = tmk_owner_map_init(&layout->map, (uint32_t)size, node,
                                 node + size, node + 2 * (size_t)size);
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

int tmk_layout_init_all(struct tmk_layout *layout, MPI_Comm comm)
{
    struct tmk_wait everyone = yielding(comm);
    MPI_Comm node_comm;
    MPI_Comm leaders;
    MPI_Aint bytes = 0;
    MPI_Aint ignored_size;
    int ignored_unit;
    uint32_t *base = NULL;
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
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                        &node_comm);
    MPI_Comm_rank(node_comm, &local);
    MPI_Comm_size(node_comm, &layout->ranks_on_node);
    layout->leads_node = local == 0;
    MPI_Comm_split(comm, local == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
    layout->node = number_nodes_all(node_comm, leaders);
    layout->cores = usable_cores_all(node_comm);
    layout->ranks_on_kernel = layout->ranks_on_node;
    crowded = layout->ranks_on_node > layout->cores;
    crowded |= kernel_crowded_all(layout, comm);
    tmk_wait_allreduce_all(&everyone, &crowded, 1, MPI_INT, MPI_MAX);
    layout->yields = crowded != 0;
    if (local == 0) {
        bytes = (MPI_Aint)(3 * sizeof(uint32_t) * (size_t)size);
    }
    MPI_Win_allocate_shared(bytes, (int)sizeof(uint32_t), MPI_INFO_NULL,
                            node_comm, &base, &layout->window);
    MPI_Win_shared_query(layout->window, 0, &ignored_size, &ignored_unit,
                         &base);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, layout->window);
    err = spread_map_all(layout, comm, node_comm, leaders, base);
    layout->map.block = block_mapping_all(comm, layout->host);
    if (leaders != MPI_COMM_NULL) {
        MPI_Comm_free(&leaders);
    }
    MPI_Comm_free(&node_comm);
    return err;
}

void tmk_layout_fini_all(struct tmk_layout *layout)
{
    if (layout->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(layout->window);
        MPI_Win_free(&layout->window);
    }
}
