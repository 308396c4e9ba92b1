#ifndef TMK_BENCH_IO500_CONF_H
#define TMK_BENCH_IO500_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/opt.h"

/* The sections of an ini file in the order of its hash and of config.ini. */
enum tmk_io500_section {
    TMK_IO500_GLOBAL,
    TMK_IO500_DEBUG,
    TMK_IO500_IOR_EASY,
    TMK_IO500_IOR_EASY_WRITE,
    TMK_IO500_MDTEST_EASY,
    TMK_IO500_MDTEST_EASY_WRITE,
    TMK_IO500_MDWORKBENCH,
    TMK_IO500_MDWORKBENCH_CREATE,
    TMK_IO500_TIMESTAMP,
    TMK_IO500_FIND_EASY,
    TMK_IO500_IOR_HARD,
    TMK_IO500_IOR_HARD_WRITE,
    TMK_IO500_MDTEST_HARD,
    TMK_IO500_MDTEST_HARD_WRITE,
    TMK_IO500_FIND,
    TMK_IO500_FIND_HARD,
    TMK_IO500_MDWORKBENCH_BENCH,
    TMK_IO500_IOR_EASY_READ,
    TMK_IO500_MDTEST_EASY_STAT,
    TMK_IO500_IOR_HARD_READ,
    TMK_IO500_MDTEST_HARD_STAT,
    TMK_IO500_MDWORKBENCH_DELETE,
    TMK_IO500_MDTEST_EASY_DELETE,
    TMK_IO500_MDTEST_HARD_READ,
    TMK_IO500_MDTEST_HARD_DELETE,
    TMK_IO500_IOR_RND4K_EASY_READ,
    TMK_IO500_SECTIONS,
};

/* Values are texts as they were written, since the hash is of these; NULL is
 * not set.  Those that must be numbers or truths are checked when read. */
struct tmk_io500_global {
    const char *datadir, *timestamp_datadir;
    const char *resultdir, *timestamp_resultdir;
    const char *api, *drop_caches, *drop_caches_cmd, *buffers_on_gpu;
    const char *verbosity, *scc, *data_packet_type;
};

struct tmk_io500_debug {
    const char *stonewall_time, *pause_dir;
};

/* A family of phases, or one phase. */
struct tmk_io500_part {
    const char *api, *run;
    const char *verbosity;                           /* ior, mdworkbench */
    const char *transfer_size, *block_size;          /* ior-easy */
    const char *file_per_proc, *unique_dir;          /* ior-easy */
    const char *segment_count;                       /* ior-hard */
    const char *collective;                          /* ior-hard */
    const char *n;                                   /* mdtest */
    const char *files_per_dir;                       /* mdtest-hard */
    const char *waiting_time;                        /* mdworkbench, in s */
    const char *precreate_per_set;                   /* mdworkbench */
    const char *files_per_proc;                      /* mdworkbench */
    const char *script, *mpi_args, *extra_args;      /* find */
    const char *nproc;                               /* find */
    const char *queue_length, *steal_next, *hashing; /* find */
};

struct tmk_io500_conf {
    struct tmk_io500_global global;
    struct tmk_io500_debug debug;
    struct tmk_io500_part parts[TMK_IO500_SECTIONS]; /* but the first two */
    char *text;     /* owned: what values are parts of */
    char note[512]; /* what was read and may not be meant; empty = nothing */
};

/* The defaults. */
void tmk_io500_conf_init(struct tmk_io500_conf *conf);

void tmk_io500_conf_fini(struct tmk_io500_conf *conf);

/*
 * Read an ini file, whose text stays the caller's, over the defaults.  Of a key
 * that is set twice the last one counts, and `note` tells.  Returns 0, -ENOMEM
 * or -EINVAL with `why`, which names file, line and what is meant:
 *     "x.ini:12: [ior-easy] knows no key 'blocksiz' (is blockSize meant?)"
 */
int tmk_io500_conf_read(struct tmk_io500_conf *conf, const char *path,
                        const char *text, char *why, size_t why_size);

/* What the sections are called: "ior-easy-write". */
const char *tmk_io500_section_name(enum tmk_io500_section section);

/* Whether only the extended mode uses the section. */
bool tmk_io500_section_is_optional(enum tmk_io500_section section);

/* All keys with their values, an ini file that reads as this one and has its
 * hash. */
void tmk_io500_conf_write(const struct tmk_io500_conf *conf, FILE *to);

/* The same with a comment for each key, for those who begin one. */
void tmk_io500_conf_list(const struct tmk_io500_conf *conf, bool optional_too,
                         FILE *to);

uint32_t tmk_io500_conf_hash(const struct tmk_io500_conf *conf);

/* The values of texts that were read; `unset` is for NULL. */
bool tmk_io500_is_true(const char *text, bool unset);
int64_t tmk_io500_number(const char *text, int64_t unset);
double tmk_io500_seconds(const char *text, double unset);

#endif
