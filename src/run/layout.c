/*
 * layout: the node map, found once at start.
 *
 *   every rank     node communicator (shared memory)
 *   one wait       on the node: its lowest rank, its cores;
 *                  from rank 0: what it calls its host and its kernel
 *   one wait       who shares that, whether ranks outnumber cores;
 *                  few ranks: the lowest ranks, on every rank
 *   many ranks     gather those on rank 0; the lowest rank of each node
 *                  spreads them into memory that the node shares
 *
 * What can be under way together is: where ranks share cores, every wait costs
 * a turn of all of them.
 */
#include "run/layout.h"

#include <assert.h>
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

/* How many cores that is, with the quota; 1 at least. */
static int usable_cores(const cpu_set_t *set)
{
    int cores = CPU_COUNT(set);
    int quota = quota_cores();

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

/* A small job: every rank has the map to itself.  The arrays are there. */
static int fill_map(struct tmk_layout *layout, const uint32_t *lowest, int size)
{
    uint32_t *node = layout->arrays;

    memcpy(node, lowest, (size_t)size * sizeof(*node));
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

/* What the ranks of a node put together, and what all do: by OR. */
struct of_node {
    cpu_set_t cores;
    uint32_t lowest; /* put in by that rank */
};

struct of_all {
    cpu_set_t cores;         /* of the kernel of rank 0 */
    unsigned char crowded;   /* ranks of a node outnumber its cores */
    unsigned char block;     /* rank 1 has the host name of rank 0 */
    unsigned char no_memory; /* for the map, on some rank */
};

/* What rank 0 says of itself. */
struct of_first {
    char host[TMK_LAYOUT_HOST_SIZE];
    char boot[TMK_LAYOUT_BOOT_SIZE];
};

/* The first wait: this rank's node, and rank 0. */
static void ask_node_all(struct tmk_layout *layout, MPI_Comm comm,
                         MPI_Comm node_comm, struct of_node *node,
                         struct of_first *first)
{
    struct tmk_wait everyone = yielding(comm);
    struct tmk_wait on_node = yielding(node_comm);
    MPI_Request requests[2];
    int rank;

    MPI_Comm_rank(comm, &rank);
    memcpy(first->host, layout->host, sizeof(first->host));
    memcpy(first->boot, layout->boot, sizeof(first->boot));
    memset(node, 0, sizeof(*node));
    get_affinity(&node->cores);
    if (layout->leads_node) {
        node->lowest = (uint32_t)rank;
    }
    tmk_wait_start_bcast_all(&everyone, first, (int)sizeof(*first), MPI_BYTE,
                             &requests[0]);
    tmk_wait_start_allreduce_all(&on_node, node, (int)sizeof(*node), MPI_BYTE,
                                 MPI_BOR, &requests[1]);
    tmk_wait_finish(2, requests);
    layout->cores = usable_cores(&node->cores);
}

/*
 * The second wait: `all` holds this rank's part and gets everybody's.  Nodes
 * that share the kernel of rank 0 share its cores as well: counts them and
 * their ranks.  `lowest` gets the lowest rank of each rank's node; NULL = is
 * not wanted.
 */
static void ask_everyone_all(struct tmk_layout *layout, MPI_Comm comm,
                             const struct of_first *first, struct of_all *all,
                             uint32_t own_lowest, uint32_t *lowest)
{
    enum { RANKS, NODES };
    struct tmk_wait everyone = yielding(comm);
    MPI_Request requests[3] = {[2] = MPI_REQUEST_NULL};
    int counts[2] = {0, 0};

    if (first->boot[0] != '\0' && strcmp(first->boot, layout->boot) == 0) {
        get_affinity(&all->cores);
        counts[RANKS] = 1;
        counts[NODES] = layout->leads_node;
    }
    all->crowded = layout->ranks_on_node > layout->cores;
    tmk_wait_start_allreduce_all(&everyone, all, (int)sizeof(*all), MPI_BYTE,
                                 MPI_BOR, &requests[0]);
    tmk_wait_start_allreduce_all(&everyone, counts, 2, MPI_INT, MPI_SUM,
                                 &requests[1]);
    if (lowest != NULL) {
        tmk_wait_start_allgather_all(&everyone, &own_lowest, lowest,
                                     (int)sizeof(*lowest), &requests[2]);
    }
    tmk_wait_finish(3, requests);
    layout->nodes_on_kernel = counts[NODES];
    layout->ranks_on_kernel = layout->ranks_on_node;
    layout->yields = all->crowded != 0;
    if (counts[NODES] >= 2) { /* a node by itself is judged as such */
        layout->cores = CPU_COUNT(&all->cores);
        layout->ranks_on_kernel = counts[RANKS];
        layout->yields = layout->yields || counts[RANKS] > layout->cores;
    }
}

int tmk_layout_init_all(struct tmk_layout *layout, MPI_Comm comm)
{
    return tmk_layout_init_limit_all(layout, comm, PRIVATE_RANKS);
}

/* What this rank knows without asking. */
static void look_at_oneself(struct tmk_layout *layout)
{
    *layout = (struct tmk_layout){.window = MPI_WIN_NULL};
    if (gethostname(layout->host, sizeof(layout->host) - 1) != 0) {
        (void)snprintf(layout->host, sizeof(layout->host), "unknown");
    }
    read_boot_id(layout->boot, sizeof(layout->boot));
}

int tmk_layout_init_limit_all(struct tmk_layout *layout, MPI_Comm comm,
                              int private_ranks)
{
    uint32_t lowest[PRIVATE_RANKS];
    struct of_first first;
    struct of_node node;
    struct of_all all;
    MPI_Comm node_comm;
    bool small;
    int rank;
    int size;
    int local;
    int err;

    assert(private_ranks <= PRIVATE_RANKS);
    look_at_oneself(layout);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    node_comm = tmk_wait_split_node_all(comm, rank);
    MPI_Comm_rank(node_comm, &local);
    MPI_Comm_size(node_comm, &layout->ranks_on_node);
    layout->leads_node = local == 0;
    ask_node_all(layout, comm, node_comm, &node, &first);

    memset(&all, 0, sizeof(all));
    all.block = rank == 1 && strcmp(first.host, layout->host) == 0;
    small = size <= private_ranks;
    if (small) {
        layout->arrays = calloc(3 * (size_t)size, sizeof(*layout->arrays));
        all.no_memory = layout->arrays == NULL;
    }
    ask_everyone_all(layout, comm, &first, &all, node.lowest,
                     small ? lowest : NULL);
    if (all.no_memory != 0 || (small && layout->arrays == NULL)) {
        err = -ENOMEM;
    } else {
        err = small ? fill_map(layout, lowest, size)
                    : share_map_all(layout, comm, node_comm, node.lowest);
    }
    if (err == 0) {
        layout->node = layout->map.node[rank];
        layout->map.block = all.block != 0;
    }
    MPI_Comm_free(&node_comm);
    return err;
}

/* The lowest rank on the node of each, all in numbers of the part. */
static void lowest_in_part(const struct tmk_owner_map *map, const int *ranks,
                           int n, uint32_t *lowest, uint32_t *of_node)
{
    for (int i = n; i-- > 0;) {
        of_node[map->node[ranks[i]]] = (uint32_t)i;
    }
    for (int i = 0; i < n; i++) {
        lowest[i] = of_node[map->node[ranks[i]]];
    }
}

/* What the numbers of the part tell of this rank. */
static void place_in_part(struct tmk_layout *layout,
                          const struct tmk_layout *whole,
                          const uint32_t *lowest, int rank, int n)
{
    memcpy(layout->host, whole->host, sizeof(layout->host));
    memcpy(layout->boot, whole->boot, sizeof(layout->boot));
    layout->leads_node = lowest[rank] == (uint32_t)rank;
    layout->ranks_on_node = 0;
    for (int i = 0; i < n; i++) {
        layout->ranks_on_node += lowest[i] == lowest[rank];
    }
    layout->cores = whole->cores;
}

int tmk_layout_part_all(struct tmk_layout *layout,
                        const struct tmk_layout *whole, MPI_Comm comm,
                        const int *ranks)
{
    const struct tmk_owner_map *map = &whole->map;
    const struct tmk_wait everyone = yielding(comm);
    uint32_t lowest[PRIVATE_RANKS];
    struct of_first first;
    struct of_all all;
    uint32_t *of_node;
    int rank;
    int size;
    int err = -ENOMEM;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (size > PRIVATE_RANKS) {
        err = tmk_layout_init_all(layout, comm);
        tmk_layout_borrow_hosts(layout, whole);
        return err;
    }
    *layout = (struct tmk_layout){.window = MPI_WIN_NULL};
    layout->arrays = calloc(3 * (size_t)size, sizeof(*layout->arrays));
    of_node = calloc(map->nodes, sizeof(*of_node));
    memset(&all, 0, sizeof(all));
    all.no_memory = layout->arrays == NULL || of_node == NULL;
    if (of_node != NULL) {
        lowest_in_part(map, ranks, size, lowest, of_node);
        place_in_part(layout, whole, lowest, rank, size);
    }
    memcpy(first.host, whole->host, sizeof(first.host));
    memcpy(first.boot, whole->boot, sizeof(first.boot));
    tmk_wait_bcast_all(&everyone, &first, (int)sizeof(first), MPI_BYTE);
    all.block = rank == 1 && strcmp(first.host, whole->host) == 0;
    ask_everyone_all(layout, comm, &first, &all, 0, NULL);
    if (all.no_memory == 0 && layout->arrays != NULL) {
        err = fill_map(layout, lowest, size);
    }
    if (err == 0) {
        layout->node = layout->map.node[rank];
        layout->map.block = all.block != 0;
    }
    tmk_layout_borrow_hosts(layout, whole);
    free(of_node);
    return err;
}

/* One message from the leader of each node; rank 0 knows who leads. */
static void gather_hosts(struct tmk_layout *layout, MPI_Comm comm)
{
    const struct tmk_owner_map *map = &layout->map;
    const int bytes = (int)sizeof(layout->host);
    enum { TAG_HOST = 3 };
    MPI_Request request;
    int rank;

    MPI_Comm_rank(comm, &rank);
    if (rank != 0 && layout->leads_node) {
        MPI_Isend(layout->host, bytes, MPI_BYTE, 0, TAG_HOST, comm, &request);
        tmk_wait_finish(1, &request);
    }
    if (layout->hosts != NULL) { /* rank 0 */
        uint32_t next = 1;

        memcpy(layout->hosts[0], layout->host, sizeof(layout->host));
        for (uint32_t r = 0; r < map->ranks; r++) {
            if (map->node[r] == next) { /* numbered by their lowest rank */
                MPI_Irecv(layout->hosts[next++], bytes, MPI_BYTE, (int)r,
                          TAG_HOST, comm, &request);
                tmk_wait_finish(1, &request);
            }
        }
    }
}

static void drop_hosts(struct tmk_layout *layout)
{
    if (!layout->hosts_borrowed) {
        free(layout->hosts);
    }
    layout->hosts = NULL;
    layout->hosts_borrowed = false;
}

int tmk_layout_hosts_all(struct tmk_layout *layout, MPI_Comm comm)
{
    struct tmk_wait everyone = {.comm = comm, .yields = layout->yields};
    int rank;
    int err = 0;

    MPI_Comm_rank(comm, &rank);
    drop_hosts(layout); /* of a launch before this one */
    if (rank == 0) {
        layout->hosts = calloc(layout->map.nodes, sizeof(*layout->hosts));
        err = layout->hosts != NULL ? 0 : -ENOMEM;
    }
    tmk_wait_allreduce_all(&everyone, &err, 1, MPI_INT, MPI_MIN);
    if (err == 0) {
        gather_hosts(layout, comm);
    }
    return err;
}

void tmk_layout_borrow_hosts(struct tmk_layout *layout,
                             const struct tmk_layout *whole)
{
    layout->hosts = whole->hosts;
    layout->hosts_borrowed = true;
}

const char *tmk_layout_host_of(const struct tmk_layout *layout, int rank)
{
    return layout->hosts != NULL ? layout->hosts[layout->map.node[rank]]
                                 : "unknown";
}

void tmk_layout_fini_all(struct tmk_layout *layout)
{
    drop_hosts(layout);
    free(layout->arrays);
    layout->arrays = NULL;
    if (layout->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(layout->window);
        MPI_Win_free(&layout->window);
    }
}
