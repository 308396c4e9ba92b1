#ifndef TMK_BENCH_IOR_PLAN_H
#define TMK_BENCH_IOR_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/ior_conf.h"

/*
 * What one test will do: its options, checked against each other and against
 * the number of ranks, with all sizes worked out.  Pure and const afterwards.
 */
struct tmk_ior_plan {
    const struct tmk_ior_conf *conf; /* borrowed */
    int tasks;                       /* N: ranks that take part */
    bool writes, checks_write;       /* phases: -w, -W */
    bool reads, checks_read;         /* -r or -R, and -R */
    bool mixes;                      /* --rwmix: in place of both */
    bool shared;                     /* one file for all */
    uint64_t block_bytes, transfer_bytes;
    uint64_t segments;
    uint64_t per_block;   /* transfers of a block */
    uint64_t per_rank;    /* transfers of a rank */
    uint64_t rank_bytes;  /* of a rank: segments * block */
    uint64_t file_bytes;  /* of one file */
    uint64_t total_bytes; /* of all files */
    size_t n_roots;       /* paths in -o a@b@c; 1 without -F */
};

/* What the plan needs to know of where it runs. */
struct tmk_ior_here {
    int ranks; /* of the launch */
    int nodes;
    int ranks_per_node;    /* on the fullest node */
    uint64_t memory_bytes; /* of a node; 0 = not known */
    uint64_t page_bytes;   /* of memory; 0 = not known */
};

/* Something that is no error but should be said. */
struct tmk_ior_note {
    const char *code; /* of a warning: static; NULL = a plain line */
    char text[256];
};
enum { TMK_IOR_NOTES_MAX = 8 };

struct tmk_ior_notes {
    struct tmk_ior_note list[TMK_IOR_NOTES_MAX];
    size_t n;
};

/*
 * Work out *plan from *conf.  Returns 0, or -EINVAL with one line in `why`
 * that names the option, both values where two do not go together, and what
 * would be right.  The rules are those of the original (spec 1.6 and 7.1) but
 * for its defects; sizes are any, as long as B is a multiple of T and nothing
 * overflows.
 */
int tmk_ior_plan_make(struct tmk_ior_plan *plan,
                      const struct tmk_ior_conf *conf,
                      const struct tmk_ior_here *here,
                      struct tmk_ior_notes *notes, char *why, size_t why_size);

enum { TMK_IOR_PATH_SIZE = 4096 };

/*
 * The file of rank P in a repetition (spec 2.6): "base", "base.00000003",
 * "base.00000003.1", "dir/3/base.00000003".  Returns its length, or
 * -ENAMETOOLONG.
 */
int tmk_ior_plan_path(const struct tmk_ior_plan *plan, uint64_t rank,
                      int repetition, char *buf, size_t size);

/* -u: the directory of rank P's file.  Likewise; "" (0) without -u. */
int tmk_ior_plan_dir(const struct tmk_ior_plan *plan, uint64_t rank, char *buf,
                     size_t size);

#endif
