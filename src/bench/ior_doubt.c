/*
 * ior_doubt: what may be a cache's rate.
 */
#include "bench/ior_doubt.h"

#include "base/units.h"
#include "run/say.h"

/* Less than this share of the data in memory is left over from elsewhere. */
static const double cached_least = 0.01;

enum { BYTES_SIZE = 32 };

static const char *s_of(int nodes)
{
    return nodes == 1 ? "" : "s";
}

/* The data against memory of one kind. */
static void weigh(struct tmk_job *job, const struct tmk_ior_doubt_size *size,
                  double memory_bytes, const char *whose, bool matters)
{
    char data[BYTES_SIZE];
    char memory[BYTES_SIZE];
    const double ratio = (double)size->data_bytes / memory_bytes;

    tmk_units_format_bytes(size->data_bytes, data, sizeof(data));
    tmk_units_format_bytes((uint64_t)memory_bytes, memory, sizeof(memory));
    tmk_say(job, "data: %s, %.3g times the memory of %s, %s", data, ratio,
            whose, memory);
    if (matters && ratio < 1.0) {
        tmk_say_warning(job, "SMALL_DATA",
                        "%s%s of data and %s of memory of %s: a cache can "
                        "hold all of it",
                        size->which, data, memory, whose);
    }
}

void tmk_ior_doubt_size(struct tmk_job *job,
                        const struct tmk_ior_doubt_size *size)
{
    const bool taken = size->taken_by != NULL;
    char whose[96];

    if (size->node_memory_bytes != 0) {
        (void)snprintf(whose, sizeof(whose), "%d node%s%s%s%s", size->nodes,
                       s_of(size->nodes), taken ? " (" : "",
                       taken ? size->taken_by : "",
                       taken ? " takes the rest)" : "");
        weigh(job, size, (double)size->node_memory_bytes * size->nodes, whose,
              !size->around);
    }
    if (size->server_memory_bytes != 0) {
        weigh(job, size, (double)size->server_memory_bytes, "the servers",
              true);
    }
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

void tmk_ior_doubt_add(struct tmk_ior_doubt *doubt,
                       const struct tmk_ior_phase *phase)
{
    const double total_s = tmk_units_seconds(phase->total_ns);
    uint64_t read = 0;

    if (phase->access == TMK_IOR_REMOVE || phase->pass != 0 ||
        phase->total_ns == 0) {
        return;
    }
    if (phase->access == TMK_IOR_READ) {
        read = phase->moved_bytes;
    } else if (phase->access == TMK_IOR_MIX) {
        read = phase->read_bytes;
    }
    if (phase->access != TMK_IOR_WRITE) {
        doubt->cached_share = greater(doubt->cached_share, phase->cached_share);
        if (phase->moved_bytes > doubt->data_bytes) {
            doubt->data_bytes = phase->moved_bytes;
        }
    }
    doubt->read_bytes_per_s =
        greater(doubt->read_bytes_per_s, (double)read / total_s);
    doubt->write_bytes_per_s =
        greater(doubt->write_bytes_per_s,
                (double)(phase->moved_bytes - read) / total_s);
}

static void judge_rate(struct tmk_job *job, const char *which, const char *what,
                       double bytes_per_s, int nodes,
                       uint64_t links_bytes_per_s)
{
    char rate[BYTES_SIZE];
    char links[BYTES_SIZE];

    if (bytes_per_s <= (double)links_bytes_per_s) {
        return;
    }
    tmk_say_warning(
        job, "ABOVE_LINKS",
        "%s%s at %s/s, and the network of %d node%s carries %s/s: "
        "that is a cache",
        which, what,
        tmk_units_format_bytes((uint64_t)bytes_per_s, rate, sizeof(rate)),
        nodes, s_of(nodes),
        tmk_units_format_bytes(links_bytes_per_s, links, sizeof(links)));
}

void tmk_ior_doubt_say(struct tmk_job *job, const char *which,
                       const struct tmk_ior_doubt *doubt, int nodes,
                       uint64_t links_bytes_per_s)
{
    if (doubt->cached_share >= cached_least) {
        tmk_say_warning(job, "CACHED_READ",
                        "%s%.0f%% of the data was in the memory of the node "
                        "that read it, before it did",
                        which, 100.0 * doubt->cached_share);
    }
    if (links_bytes_per_s != 0) {
        judge_rate(job, which, "written", doubt->write_bytes_per_s, nodes,
                   links_bytes_per_s);
        judge_rate(job, which, "read", doubt->read_bytes_per_s, nodes,
                   links_bytes_per_s);
    }
}
