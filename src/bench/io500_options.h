#ifndef TMK_BENCH_IO500_OPTIONS_H
#define TMK_BENCH_IO500_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/opt.h"
#include "base/opt_time.h"
#include "bench/io500_plan.h"

enum tmk_io500_preset {
    TMK_IO500_PRESET_NONE,
    TMK_IO500_PRESET_HEALTH_30S,
};

/* What the command line asks for, but for the ini file.  Borrowed from argv. */
struct tmk_io500_options {
    unsigned list, list_mandatory, config_hash;
    unsigned cleanup, dry_run, resume, keep;
    int mode;    /* 1 = extended */
    int preset;  /* enum tmk_io500_preset */
    unsigned v;  /* -v */
    int verbose; /* --verbose; negative = not given */
    const char *timestamp;
    const char *verify; /* a result.txt */
    const char *report; /* a result directory */
    const char *phases; /* "find,ior-easy-read" */
    const char *json, *csv;
    uint64_t wearout_limit_ns; /* 0 = none */
    struct tmk_opt_progress progress;
    bool wants[TMK_IO500_PHASES]; /* of `phases`; all if it was not given */
    const char *ini;              /* NULL = none */
};

extern const struct tmk_opt tmk_io500_opts[];
extern const size_t tmk_io500_n_opts;

/*
 * Read argv.  A first word that does not begin with '-' is the ini file.
 * Returns 0, TMK_OPT_HELP (also if there are no words), or -EINVAL with `why`.
 */
int tmk_io500_options_read(struct tmk_io500_options *options, int argc,
                           char *const argv[], char *why, size_t why_size);

/* A table for results and help. */
struct tmk_opt_table tmk_io500_options_table(struct tmk_io500_options *options);

/* Put the preset's values where the ini file has said nothing: before it is
 * read. */
void tmk_io500_options_preset(const struct tmk_io500_options *options,
                              struct tmk_io500_conf *conf);

/* How much to say: of the command line or the ini file. */
int tmk_io500_options_verbosity(const struct tmk_io500_options *options,
                                const struct tmk_io500_conf *conf);

#endif
