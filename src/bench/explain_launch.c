/*
 * explain_launch: how many ranks a launcher starts, and where.
 */
#include "bench/explain_launch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/units.h"

/* What an option of a launcher says. */
enum says { RANKS, NODES, PPN, HOSTS, MAPPING, CYCLIC };

struct row {
    const char *name;
    enum says says;
    bool takes_value;
};

static const struct row mpi_rows[] = {
    {"-n", RANKS, true},         {"-np", RANKS, true},
    {"--n", RANKS, true},        {"--np", RANKS, true},
    {"-ppn", PPN, true},         {"--ppn", PPN, true},
    {"-perhost", PPN, true},     {"-npernode", PPN, true},
    {"--npernode", PPN, true},   {"-N", PPN, true},
    {"-hosts", HOSTS, true},     {"-host", HOSTS, true},
    {"--host", HOSTS, true},     {"-H", HOSTS, true},
    {"--hosts", HOSTS, true},    {"--map-by", MAPPING, true},
    {"-map-by", MAPPING, true},  {"-bynode", CYCLIC, false},
    {"--bynode", CYCLIC, false},
};

static const struct row srun_rows[] = {
    {"-n", RANKS, true},
    {"--ntasks", RANKS, true},
    {"-N", NODES, true},
    {"--nodes", NODES, true},
    {"--ntasks-per-node", PPN, true},
    {"-m", MAPPING, true},
    {"--distribution", MAPPING, true},
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Where to look and where to complain. */
struct reader {
    const struct row *rows;
    size_t n_rows;
    struct tmk_explain_launch *launch;
    char *why;
    size_t why_size;
};

static int refuse(const struct reader *r, const char *option, const char *text,
                  const char *want)
{
    char quoted[64];

    tmk_quote(quoted, sizeof(quoted), text, strlen(text));
    (void)snprintf(r->why, r->why_size, "%s: '%s' is no %s", option, quoted,
                   want);
    return -EINVAL;
}

static bool read_number(const char *text, uint32_t *value)
{
    uint64_t n;

    if (text[0] < '0' || text[0] > '9' || tmk_units_parse_u64(text, &n) != 0 ||
        n == 0 || n > TMK_EXPLAIN_RANKS_MAX) {
        return false;
    }
    *value = (uint32_t)n;
    return true;
}

/* "a:2,b:2", "a,b" */
static bool read_hosts(struct tmk_explain_launch *launch, const char *text)
{
    launch->n_hosts = 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        const char *colon = memchr(text, ':', length);
        char slots[16] = "1";

        if (length == 0 || launch->n_hosts == TMK_EXPLAIN_HOSTS_MAX) {
            return false;
        }
        if (colon != NULL) {
            (void)snprintf(slots, sizeof(slots), "%.*s",
                           (int)(text + length - colon - 1), colon + 1);
        }
        if (!read_number(slots, &launch->slots[launch->n_hosts++])) {
            return false;
        }
        text += length;
        text += *text == ',';
    }
    return launch->n_hosts != 0;
}

/* Open MPI's "ppr:8:node", "node"; Slurm's "cyclic".  Others mean blocks. */
static bool read_mapping(struct tmk_explain_launch *launch, const char *text)
{
    char number[16];

    if (strncmp(text, "ppr:", 4) == 0) {
        const size_t length = strcspn(text + 4, ":");

        if (strncmp(text + 4 + length, ":node", 5) != 0) {
            return true; /* by sockets and the like: of nodes it says nothing */
        }
        (void)snprintf(number, sizeof(number), "%.*s", (int)length, text + 4);
        return read_number(number, &launch->ppn);
    }
    launch->cyclic =
        strncmp(text, "node", 4) == 0 || strncmp(text, "cyclic", 6) == 0;
    return true;
}

static int take(const struct reader *r, const struct row *row, const char *text)
{
    struct tmk_explain_launch *launch = r->launch;

    switch (row->says) {
    case RANKS:
        return read_number(text, &launch->ranks)
                   ? 0
                   : refuse(r, row->name, text, "number of ranks");
    case NODES:
        return read_number(text, &launch->nodes)
                   ? 0
                   : refuse(r, row->name, text, "number of nodes");
    case PPN:
        return read_number(text, &launch->ppn)
                   ? 0
                   : refuse(r, row->name, text, "number of ranks per node");
    case HOSTS:
        return read_hosts(launch, text)
                   ? 0
                   : refuse(r, row->name, text, "list of hosts (a:2,b:2 is)");
    case MAPPING:
        return read_mapping(launch, text)
                   ? 0
                   : refuse(r, row->name, text,
                            "mapping of ranks (node, ppr:8:node are)");
    case CYCLIC: launch->cyclic = true; break;
    }
    return 0;
}

/* The row of a word, and the value attached to it ("--ntasks=16", "-n16"). */
static const struct row *find(const struct reader *r, const char *word,
                              const char **attached)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        const struct row *row = &r->rows[i];
        const size_t n = strlen(row->name);

        if (strncmp(word, row->name, n) != 0) {
            continue;
        }
        *attached = NULL;
        if (word[n] == '\0') {
            return row;
        }
        if (row->takes_value && word[n] == '=') {
            *attached = word + n + 1;
            return row;
        }
        if (n == 2 && row->takes_value && word[n] >= '0' && word[n] <= '9') {
            *attached = word + n;
            return row;
        }
    }
    return NULL;
}

/* In the words before the program's: is one of them srun? */
static bool is_srun(int argc, char *const argv[])
{
    for (int i = 0; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');

        if (strcmp(slash != NULL ? slash + 1 : argv[i], "srun") == 0) {
            return true;
        }
    }
    return false;
}

int tmk_explain_launch_read(int argc, char *const argv[],
                            struct tmk_explain_launch *launch, char *why,
                            size_t why_size)
{
    const bool srun = is_srun(argc, argv);
    struct reader r = {
        .rows = srun ? srun_rows : mpi_rows,
        .n_rows = srun ? COUNT(srun_rows) : COUNT(mpi_rows),
        .launch = launch,
        .why_size = why_size,
    };
    int err = 0;

    r.why = why;
    *launch = (struct tmk_explain_launch){0};
    for (int i = 0; i < argc && err == 0; i++) {
        const char *text = NULL;
        const struct row *row = find(&r, argv[i], &text);

        if (row == NULL) {
            continue;
        }
        if (row->takes_value && text == NULL) {
            if (i + 1 == argc) {
                return refuse(&r, row->name, "", "number or name");
            }
            text = argv[++i];
        }
        err = take(&r, row, text != NULL ? text : "");
    }
    return err;
}

/* ---- placing ------------------------------------------------------------- */

static int make_map(struct tmk_explain_place *place, uint32_t ranks)
{
    uint32_t *node = place->arrays;

    return tmk_owner_map_init(&place->map, ranks, node, node + ranks,
                              node + (size_t)2 * ranks);
}

/* Ranks of node i of n, the first ones having one more. */
static uint32_t share(uint32_t ranks, uint32_t n, uint32_t i)
{
    return ranks / n + (i < ranks % n);
}

static void place_blocks(uint32_t *node, uint32_t ranks, uint32_t nodes,
                         uint32_t ppn)
{
    uint32_t rank = 0;

    for (uint32_t i = 0; rank < ranks; i++) {
        const uint32_t n = ppn != 0 ? ppn : share(ranks, nodes, i);

        for (uint32_t k = 0; k < n && rank < ranks; k++) {
            node[rank++] = i;
        }
    }
}

/* Host after host, as many as each has slots, and round again. */
static void place_hosts(uint32_t *node, uint32_t ranks,
                        const struct tmk_explain_launch *launch)
{
    uint32_t rank = 0;

    for (uint32_t i = 0; rank < ranks; i = (i + 1) % launch->n_hosts) {
        const uint32_t n = launch->ppn != 0 ? launch->ppn : launch->slots[i];

        for (uint32_t k = 0; k < n && rank < ranks; k++) {
            node[rank++] = i;
        }
    }
}

/* Ranks that are not said but follow. */
static uint64_t count_ranks(const struct tmk_explain_launch *launch)
{
    const uint64_t nodes = launch->nodes != 0 ? launch->nodes : launch->n_hosts;
    uint64_t ranks = 0;

    if (launch->ranks != 0) {
        return launch->ranks;
    }
    if (launch->nodes == 0 && launch->n_hosts != 0 && launch->ppn == 0) {
        for (uint32_t i = 0; i < launch->n_hosts; i++) {
            ranks += launch->slots[i];
        }
        return ranks;
    }
    return (nodes != 0 ? nodes : 1) *
           (uint64_t)(launch->ppn != 0 ? launch->ppn : 1);
}

int tmk_explain_place_make(const struct tmk_explain_launch *launch,
                           struct tmk_explain_place *place, char *why,
                           size_t why_size)
{
    const uint64_t all = count_ranks(launch);
    const uint32_t ranks = (uint32_t)all;
    uint32_t nodes = launch->nodes;

    *place = (struct tmk_explain_place){
        .ranks_are_said = launch->ranks != 0 || launch->nodes != 0 ||
                          launch->ppn != 0 || launch->n_hosts != 0,
        .nodes_are_said = launch->nodes != 0 || launch->n_hosts != 0 ||
                          (launch->ppn != 0 && launch->ranks != 0),
    };
    if (all > TMK_EXPLAIN_RANKS_MAX) {
        (void)snprintf(why, why_size,
                       "%" PRIu64 " ranks are too many (%d is the most)", all,
                       TMK_EXPLAIN_RANKS_MAX);
        return -EINVAL;
    }
    if (nodes > ranks) {
        (void)snprintf(why, why_size,
                       "%" PRIu32 " nodes are more than the %" PRIu32 " ranks",
                       nodes, ranks);
        return -EINVAL;
    }
    if (nodes != 0 && launch->ppn != 0 &&
        (uint64_t)nodes * launch->ppn < ranks) {
        (void)snprintf(why, why_size,
                       "%" PRIu32 " nodes of %" PRIu32
                       " ranks have no room for %" PRIu32 " ranks",
                       nodes, launch->ppn, ranks);
        return -EINVAL;
    }
    place->arrays = calloc((size_t)3 * ranks, sizeof(*place->arrays));
    if (place->arrays == NULL) {
        return -ENOMEM;
    }
    if (nodes == 0 && launch->ppn != 0) {
        nodes = (ranks + launch->ppn - 1) / launch->ppn;
    }
    if (launch->nodes == 0 && launch->n_hosts != 0) {
        place_hosts(place->arrays, ranks, launch);
    } else if (launch->cyclic && nodes > 1) {
        for (uint32_t i = 0; i < ranks; i++) {
            place->arrays[i] = i % nodes;
        }
    } else {
        /* Nodes that are not full have even shares. */
        const bool full =
            (uint64_t)nodes * launch->ppn == ranks || launch->nodes == 0;

        place_blocks(place->arrays, ranks, nodes != 0 ? nodes : 1,
                     full ? launch->ppn : 0);
    }
    return make_map(place, ranks);
}

int tmk_explain_place_first(const struct tmk_explain_place *whole,
                            uint32_t ranks, struct tmk_explain_place *place)
{
    *place = *whole;
    place->arrays = calloc((size_t)3 * ranks, sizeof(*place->arrays));
    if (place->arrays == NULL) {
        return -ENOMEM;
    }
    memcpy(place->arrays, whole->arrays, ranks * sizeof(*place->arrays));
    return make_map(place, ranks);
}

bool tmk_explain_place_shows(const struct tmk_owner_map *map, uint32_t rank)
{
    enum { FEW_RANKS = 8, FEW_NODES = 4 };
    const uint32_t place = map->place[rank];
    const uint32_t node = map->node[rank];

    if (map->ranks <= FEW_RANKS) {
        return true;
    }
    return node < FEW_NODES &&
           (place == 0 || map->node[map->at[place - 1]] != node ||
            place + 1 == map->ranks || map->node[map->at[place + 1]] != node);
}

void tmk_explain_place_fini(struct tmk_explain_place *place)
{
    free(place->arrays);
    place->arrays = NULL;
}
