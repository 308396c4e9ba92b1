#ifndef TMK_BENCH_IOR_CONF_H
#define TMK_BENCH_IOR_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/opt.h"
#include "base/opt_leftovers.h"
#include "base/opt_time.h"

/* -M, -O memoryPerNode: a size, or a share of the node's memory. */
struct tmk_ior_memory {
    uint64_t bytes;
    double percent; /* 0 = not given so */
};

/* --total=2xRAM or --total=SIZE: bytes of all files together. */
struct tmk_ior_total {
    uint64_t bytes;
    double times_memory; /* 0 = not given so */
};

/* summaryFormat */
enum tmk_ior_format {
    TMK_IOR_FORMAT_TEXT,
    TMK_IOR_FORMAT_JSON,
    TMK_IOR_FORMAT_CSV,
};

/* --as: whose calls and orders */
enum tmk_ior_semantics {
    TMK_IOR_AS_TREEMARK,
    TMK_IOR_AS_IOR_4_1,
};

/*
 * What a directive (-O) and a name for another option (-B) reach beside the
 * conf they stand in: the options of all engines, and memory for strings that
 * lives as long as the confs.
 */
struct tmk_ior_reach {
    const struct tmk_opt_table *tables; /* [0] is ior's own */
    size_t n_tables;
    char *(*keep)(void *arg, size_t bytes); /* NULL: out of memory */
    void *arg;
};

/*
 * One test as it was asked for: a field per option or directive, in the order
 * of spec tables.  Times are in ns where fractions of a second are allowed.
 */
struct tmk_ior_conf {
    const char *api;                /* -a */
    int ref_num;                    /* -A */
    uint64_t block_bytes;           /* -b */
    unsigned collective;            /* -c */
    unsigned reorder;               /* -C */
    uint64_t delay_ns;              /* -d */
    uint64_t deadline_ns;           /* -D; 0 = none */
    unsigned fsync;                 /* -e */
    unsigned use_existing;          /* -E */
    unsigned file_per_proc;         /* -F */
    unsigned barriers;              /* -g */
    int seed;                       /* -G; 0 = the time of day */
    int repetitions;                /* -i */
    uint64_t outlier_ns;            /* -j; 0 = off */
    unsigned keep, keep_with_error; /* -k -K */
    int pattern_kind;               /* -l; enum tmk_pattern_kind */
    unsigned multi_file;            /* -m */
    struct tmk_ior_memory per_node; /* -M */
    int tasks;                      /* -N; 0, -1 = all */
    const char *path;               /* -o: "a" or "a@b@c" */
    unsigned quit_on_error;         /* -q: stop at the first data error */
    uint64_t node_offset;           /* -Q, at least 0 */
    unsigned read, check_read;      /* -r -R */
    uint64_t segments;              /* -s */
    uint64_t transfer_bytes;        /* -t */
    uint64_t max_time_ns;           /* -T, which counts minutes; 0 = off */
    unsigned unique_dir;            /* -u */
    unsigned verbose;               /* -v, counted */
    unsigned write, check_write;    /* -w -W */
    unsigned single_attempt;        /* -x */
    int reorder_seed;               /* -X */
    unsigned fsync_per_write;       /* -Y */
    unsigned random_offset;         /* -z: 1 shuffled, 2 random blocks */
    int64_t random_seed;            /* --random-offset-seed; -1 = time */
    uint64_t prefill_bytes;         /* --randomPrefill */
    unsigned reorder_random;        /* -Z: 1 random, 2 the original's */
    unsigned warning_as_errors;     /* --warningAsErrors */
    unsigned dry_run;               /* --dryRun, --dry-run */
    /* only as directives in the original; here also as --name=value */
    int format;                   /* summaryFormat; enum tmk_ior_format */
    const char *summary_file;     /* NULL = none, likewise below */
    const char *rank_details;     /* saveRankPerformanceDetailsCSV */
    const char *per_op;           /* savePerOpDataCSV: a prefix */
    unsigned wear_out;            /* stoneWallingWearOut */
    uint64_t wear_out_iterations; /* 0 = no limit */
    const char *status_file;      /* stoneWallingStatusFile */
    uint64_t min_time_ns;         /* minTimeDuration */
    uint64_t io_delay_ns;         /* interIODelay, which counts us */
    uint64_t per_task_bytes;      /* memoryPerTask */
    unsigned summary_always;
    int num_nodes, tasks_on_node_0; /* for -C and -Z; 0 = as they are */
    const char *debug, *platform;   /* only printed */
    /* not in the original */
    const char *script;      /* -f */
    const char *fadvise;     /* "" = no; --posix.fadvise */
    uint64_t drop_wait_ns;   /* longest wait for pages to go; 0 = none */
    const char *drop_caches; /* command; "" = the kernel's; NULL */
    int read_passes;         /* 1 */
    struct tmk_ior_total total;
    uint64_t server_memory_bytes; /* 0 = not said */
    int rwmix;                    /* percent of reads; -1 = off */
    double compress;              /* ratio of noise data; 1 = none */
    int leftovers;                /* enum tmk_leftovers */
    int semantics;                /* enum tmk_ior_semantics */
    uint64_t max_errors;          /* 0 = no limit */
    unsigned keep_interrupted;    /* --keep */
    int grace_s;
    unsigned percentiles;
    uint64_t interval_ns;
    struct tmk_opt_progress progress;
    const char *trace;
    const char *json, *csv, *label;
    /* the rows' own, no options: */
    bool decimal_units;                /* a size was given in kB, MB ... */
    size_t script_line;                /* of RUN; 0 = of no script */
    const struct tmk_ior_reach *reach; /* only while options are read */
    char why[256];                     /* why a directive was refused */
};

/* The defaults, as in the original. */
void tmk_ior_conf_init(struct tmk_ior_conf *conf);

/*
 * One row per option.  -O and -f are among them; a directive is applied where
 * it stands, so that the last word wins.  They are read by tmk_ior_parse() of
 * ior_directives.h, because -O, -B, -H, -p, -U and -V need a conf with a reach.
 */
extern const struct tmk_opt tmk_ior_opts[];
extern const size_t tmk_ior_n_opts;

/* Spellings of this and older versions that are not to be had here. */
extern const struct tmk_opt_gone tmk_ior_gone[];
extern const size_t tmk_ior_n_gone;

#endif
