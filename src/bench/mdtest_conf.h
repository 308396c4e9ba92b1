#ifndef TMK_BENCH_MDTEST_CONF_H
#define TMK_BENCH_MDTEST_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/opt.h"
#include "base/opt_leftovers.h"
#include "base/opt_time.h"

/* -N INT or -N node */
struct tmk_mdtest_stride {
    uint64_t n; /* 0 = no rotation */
    bool by_node;
};

/* -R, -R5, -R=5 */
struct tmk_mdtest_random {
    bool on;
    bool seeded;
    int64_t seed;
};

/* --tolerate=N or --tolerate=P% */
struct tmk_mdtest_tolerance {
    uint64_t failures;
    double percent; /* of all operations; 0 = not given */
};

enum tmk_mdtest_stride_unit {
    TMK_MDTEST_STRIDE_AUTO,
    TMK_MDTEST_STRIDE_RANK,
};

/* --tree: who makes and removes the directories of trees */
enum tmk_mdtest_tree_mode {
    TMK_MDTEST_TREE_SERIAL,   /* as the original: one rank a tree */
    TMK_MDTEST_TREE_PARALLEL, /* shared by all ranks */
};

/* --access: how items are named to the file system */
enum tmk_mdtest_access {
    TMK_MDTEST_ACCESS_PATH,  /* whole paths */
    TMK_MDTEST_ACCESS_DIRFD, /* relative to an open directory */
};

/* --table */
enum tmk_mdtest_table { TMK_MDTEST_TABLE_4, TMK_MDTEST_TABLE_1_9 };

/* --as: whose calls and orders */
enum tmk_mdtest_semantics {
    TMK_MDTEST_AS_TREEMARK,
    TMK_MDTEST_AS_MDTEST_4_1,
};

/* What was asked for: one field per option, in the order of the rows. */
struct tmk_mdtest_conf {
    const char *api;
    uint64_t branch;
    unsigned no_barriers;                        /* -B */
    unsigned collective;                         /* -c */
    unsigned create, stat, read, remove, rename; /* -C -T -E -r -U */
    const char *dir;
    unsigned dirs_only, files_only;
    uint64_t read_bytes, write_bytes;
    int pattern_seed; /* -G; -1 = not given */
    int first, last, step;
    int iterations;
    uint64_t items_per_dir; /* 0 = not given */
    unsigned mknod;         /* -k */
    unsigned leaf_only;
    uint64_t items; /* 0 = not given */
    struct tmk_mdtest_stride stride;
    int stride_unit; /* enum tmk_mdtest_stride_unit */
    int delay_s;
    unsigned print_both, print_time;
    struct tmk_mdtest_random random;
    int64_t random_seed;  /* 0 = not given */
    unsigned shared;      /* -S: all tasks use the same files */
    unsigned time_unique; /* -t: accepted, see the manual page */
    unsigned unique;
    unsigned verbose;        /* -v, counted */
    int verbosity;           /* -V */
    int stonewall_s;         /* -W; 0 = none */
    const char *status_file; /* -x; NULL = none */
    unsigned verify_read, verify_write;
    unsigned fsync, sync;
    uint64_t depth;
    int pattern_kind;                   /* enum tmk_pattern_kind */
    const char *cmd_before, *cmd_after; /* NULL = none */
    unsigned warning_as_errors;
    unsigned print_all_procs, rank_statistics;
    const char *rank_details, *per_op; /* NULL = none */
    /* not in the original */
    uint64_t max_errors;
    struct tmk_mdtest_tolerance tolerate;
    unsigned keep;
    int leftovers; /* enum tmk_leftovers */
    int grace_s;
    unsigned dry_run;
    int nodes, ppn; /* 0 = as they are here */
    int tree_mode;  /* enum tmk_mdtest_tree_mode */
    int access;     /* enum tmk_mdtest_access */
    int warmup;     /* iterations before the first that counts */
    int min_time_s; /* 0 = not given */
    unsigned random_remove;
    int stonewall_read_s;    /* 0 = none */
    int table;               /* enum tmk_mdtest_table */
    const char *trace;       /* NULL = none */
    const char *json, *csv;  /* files of results; NULL = none */
    const char *label;       /* of the run in them; NULL = none */
    const char *drop_caches; /* command; "" = the kernel's; NULL = no */
    const char *remount;     /* command; NULL = no */
    unsigned sync_fs;        /* --sync */
    unsigned check;
    int semantics;        /* enum tmk_mdtest_semantics */
    uint64_t interval_ns; /* of --interval; 0 = none */
    unsigned percentiles;
    struct tmk_opt_progress progress;
};

/* The defaults, as in the original. */
void tmk_mdtest_conf_init(struct tmk_mdtest_conf *conf);

/* One row per option. */
extern const struct tmk_opt tmk_mdtest_opts[];
extern const size_t tmk_mdtest_n_opts;

/* Spellings of the original that are not to be had here. */
extern const struct tmk_opt_gone tmk_mdtest_gone[];
extern const size_t tmk_mdtest_n_gone;

#endif
