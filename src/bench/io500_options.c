/*
 * io500_options: the words behind the ini file.
 */
#include "bench/io500_options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt_time.h"

#define FLAG(k, n, f, h) TMK_OPT_FLAG(k, n, struct tmk_io500_options, f, h)
#define STR(n, f, a, h)  TMK_OPT_STR(0, n, struct tmk_io500_options, f, a, h)

static const char *const modes[] = {"standard", "extended", NULL};
static const char *const presets[] = {"none", "health-30s", NULL};

const struct tmk_opt tmk_io500_opts[] = {
    FLAG('l', "list", list, "print an ini file with all keys, explained"),
    FLAG(0, "list-mandatory", list_mandatory,
         "the same without what only the extended mode uses; also -lm"),
    FLAG(0, "config-hash", config_hash,
         "print the hash of the configuration and end"),
    STR("verify", verify, "RESULT",
        "check a result.txt against the ini file and itself"),
    STR("report", report, "DIR",
        "write DIR/report.html about the results in DIR"),
    FLAG(0, "dry-run", dry_run,
         "print the commands and what they need; touch nothing"),
    FLAG(0, "cleanup", cleanup,
         "remove the files of a run that was broken off"),
    FLAG(0, "resume", resume,
         "go on behind the last finished phase of a run that was broken off"),
    STR("phase", phases, "LIST", "run these phases only: find,ior-easy-read"),
    TMK_OPT_CHOICE(0, "mode", struct tmk_io500_options, mode, "MODE", modes,
                   "standard, or extended with the optional phases"),
    TMK_OPT_CHOICE(0, "preset", struct tmk_io500_options, preset, "NAME",
                   presets,
                   "values for keys the ini file leaves out: health-30s"),
    STR("timestamp", timestamp, "TEXT",
        "name of the directories, and seed, in place of the time"),
    TMK_OPT_CALL(0, "wearout-limit", struct tmk_io500_options, wearout_limit_ns,
                 uint64_t, "SECONDS", tmk_opt_time_parse_seconds,
                 tmk_opt_time_show_seconds,
                 "let no phase run longer; marks the run invalid"),
    {
        .name = "progress",
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct tmk_io500_options, progress,
                                struct tmk_opt_progress),
        .arg = "SECONDS",
        .parse = tmk_opt_time_parse_progress,
        .show = tmk_opt_time_show_progress,
        .value_optional = true,
        .help = "say how far the suite is every second, or so many; 0 = never",
    },
    FLAG(0, "keep", keep, "leave the data of a run that is interrupted"),
    STR("json", json, "FILE",
        "results as JSON; they are in RESULTDIR/result.json anyway"),
    STR("csv", csv, "FILE", "results as CSV, appended"),
    FLAG('v', NULL, v, "say more; counts"),
    TMK_OPT_INT(0, "verbose", struct tmk_io500_options, verbose, "N", 0, 10,
                "how much to say: 0 to 10, 1 if the ini file does not tell"),
};

const size_t tmk_io500_n_opts =
    sizeof(tmk_io500_opts) / sizeof(tmk_io500_opts[0]);

struct tmk_opt_table tmk_io500_options_table(struct tmk_io500_options *options)
{
    return (struct tmk_opt_table){
        .title = "Options",
        .rows = tmk_io500_opts,
        .n_rows = tmk_io500_n_opts,
        .conf = options,
    };
}

static int read_phases(struct tmk_io500_options *options, char *why,
                       size_t why_size)
{
    const char *s = options->phases;

    for (size_t i = 0; i < TMK_IO500_PHASES; i++) {
        options->wants[i] = s == NULL;
    }
    while (s != NULL && *s != '\0') {
        size_t length = strcspn(s, ",");
        enum tmk_io500_phase phase = tmk_io500_phase_find(s, length);

        if (phase == TMK_IO500_PHASES) {
            (void)snprintf(why, why_size,
                           "--phase: '%.*s' is no phase (ior-easy-write, "
                           "find ...; --list has them all)",
                           (int)length, s);
            return -EINVAL;
        }
        options->wants[phase] = true;
        s += length + (s[length] == ',' ? 1 : 0);
    }
    return 0;
}

/* The first of the words that exclude each other, and the second. */
static int check_actions(const struct tmk_io500_options *o, char *why,
                         size_t why_size)
{
    const struct {
        bool given;
        const char *name;
    } actions[] = {
        {o->list != 0, "--list"},
        {o->list_mandatory != 0, "--list-mandatory"},
        {o->config_hash != 0, "--config-hash"},
        {o->verify != NULL, "--verify"},
        {o->report != NULL, "--report"},
        {o->dry_run != 0, "--dry-run"},
        {o->cleanup != 0, "--cleanup"},
        {o->resume != 0, "--resume"},
    };
    const char *first = NULL;

    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        if (actions[i].given && first != NULL) {
            (void)snprintf(why, why_size, "%s and %s exclude each other", first,
                           actions[i].name);
            return -EINVAL;
        }
        if (actions[i].given) {
            first = actions[i].name;
        }
    }
    if (o->ini == NULL && o->list == 0 && o->list_mandatory == 0 &&
        o->report == NULL && o->preset == TMK_IO500_PRESET_NONE) {
        (void)snprintf(why, why_size,
                       "no ini file is named (--list prints one to begin "
                       "with)");
        return -EINVAL;
    }
    return 0;
}

/* It becomes the name of a directory. */
static int check_timestamp(const char *timestamp, char *why, size_t why_size)
{
    if (timestamp != NULL &&
        (timestamp[0] == '\0' || strchr(timestamp, '/') != NULL ||
         strcmp(timestamp, ".") == 0 || strcmp(timestamp, "..") == 0 ||
         strlen(timestamp) > NAME_MAX)) {
        (void)snprintf(why, why_size,
                       "--timestamp: '%s' is not the name of a directory",
                       timestamp);
        return -EINVAL;
    }
    return 0;
}

int tmk_io500_options_read(struct tmk_io500_options *options, int argc,
                           char *const argv[], char *why, size_t why_size)
{
    struct tmk_opt_table table = tmk_io500_options_table(options);
    int first = 0; /* the word before the options */
    int err;

    *options = (struct tmk_io500_options){.verbose = -1};
    if (argc <= 1) {
        return TMK_OPT_HELP;
    }
    if (argv[1][0] != '-') {
        options->ini = argv[1];
        first = 1;
    } else if (strcmp(argv[1], "-lm") == 0) {
        options->list_mandatory = 1;
        first = 1;
    }
    err = tmk_opt_parse(&table, 1, argc - first, argv + first, why, why_size);
    if (err == 0) {
        err = check_actions(options, why, why_size);
    }
    if (err == 0) {
        err = check_timestamp(options->timestamp, why, why_size);
    }
    return err != 0 ? err : read_phases(options, why, why_size);
}

void tmk_io500_options_preset(const struct tmk_io500_options *options,
                              struct tmk_io500_conf *conf)
{
    if (options->preset == TMK_IO500_PRESET_HEALTH_30S) {
        conf->debug.stonewall_time = "3";
    }
}

int tmk_io500_options_verbosity(const struct tmk_io500_options *options,
                                const struct tmk_io500_conf *conf)
{
    if (options->verbose >= 0) {
        return options->verbose;
    }
    return options->v != 0 ? (int)options->v
                           : (int)tmk_io500_number(conf->global.verbosity, 1);
}
