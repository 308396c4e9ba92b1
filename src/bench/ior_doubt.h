#ifndef TMK_BENCH_IOR_DOUBT_H
#define TMK_BENCH_IOR_DOUBT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/ior_text.h"
#include "run/job.h"

/*
 * Whether a rate is that of a cache, as far as can be told from outside: by
 * what was in memory, by the size of the data, by the network.
 */

/* Of a test: what is read, and what could hold it. */
struct tmk_ior_doubt_size {
    const char *which;            /* "test 1: ", where there are several; "" */
    uint64_t data_bytes;          /* that are read, of all files */
    uint64_t node_memory_bytes;   /* of one node; 0 = not known */
    const char *taken_by;         /* option that took a part of it before, which
                                     does not count; NULL = none */
    uint64_t server_memory_bytes; /* of all servers; 0 = not said */
    int nodes;
    bool around; /* caches of the nodes are gone around, or emptied before
                    data is read */
};

/*
 * Say how much data there is for each byte of memory, and warn (SMALL_DATA)
 * where a cache that is not gone around can hold all of it: that of the nodes,
 * or that of the servers.
 */
void tmk_ior_doubt_size(struct tmk_job *job,
                        const struct tmk_ior_doubt_size *size);

/* Of the phases of a test so far; begins as TMK_IOR_DOUBT_NONE. */
struct tmk_ior_doubt {
    double cached_share; /* the greatest of a read; negative = not known */
    double write_bytes_per_s, read_bytes_per_s; /* the greatest */
    uint64_t data_bytes; /* the most that a phase which reads has moved */
};

#define TMK_IOR_DOUBT_NONE                                                     \
    (struct tmk_ior_doubt)                                                     \
    {                                                                          \
        .cached_share = -1.0                                                   \
    }

/* A phase.  Later passes of reading are to be cached: they do not count. */
void tmk_ior_doubt_add(struct tmk_ior_doubt *doubt,
                       const struct tmk_ior_phase *phase);

/*
 * After the phases of a test, `which` as above: warn of reads from memory
 * (CACHED_READ) and of rates above what the network of all nodes carries
 * (ABOVE_LINKS), in bytes per second; 0 = that is not known, or the file system
 * needs none.
 */
void tmk_ior_doubt_say(struct tmk_job *job, const char *which,
                       const struct tmk_ior_doubt *doubt, int nodes,
                       uint64_t links_bytes_per_s);

#endif
