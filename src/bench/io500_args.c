/*
 * io500_args: the command lines of the phases.
 */
#include "bench/io500_args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/io500_hash.h"

enum {
    WORDS = 32,         /* room for so many more */
    MDWB_MOST_S = 60,   /* of a write phase, in mdworkbench's size */
    MDWB_PARTS = 10,    /* of what mdtest-easy makes */
    KIOPS_UNKNOWN = 10, /* of mdtest-easy */
};

static void add_word(struct tmk_io500_args *args, char *word)
{
    if (args->n + 2 > args->space) {
        size_t space = args->space + WORDS;
        char **words = realloc(args->words, space * sizeof(*words));

        if (words == NULL) {
            args->failed = true;
            free(word);
            return;
        }
        args->words = words;
        args->space = space;
    }
    args->failed = args->failed || word == NULL;
    args->words[args->n++] = word;
    args->words[args->n] = NULL;
}

/* One word, whatever is in it. */
__attribute__((format(printf, 2, 3))) static void
add(struct tmk_io500_args *args, const char *format, ...)
{
    char *word = NULL;
    va_list list;

    va_start(list, format);
    if (vasprintf(&word, format, list) < 0) {
        word = NULL;
    }
    va_end(list);
    add_word(args, word);
}

/* Words of letters without blanks in them, with one between two. */
static void add_all(struct tmk_io500_args *args, const char *words)
{
    for (const char *s = words; *s != '\0';) {
        size_t length = strcspn(s, " \t");

        if (length != 0) {
            add(args, "%.*s", (int)length, s);
        }
        s += length + (s[length] != '\0' ? 1 : 0);
    }
}

/* -a API, and its options. */
static void add_api(struct tmk_io500_args *args,
                    const struct tmk_io500_site *site,
                    enum tmk_io500_phase phase)
{
    add(args, "-a");
    add_all(args, tmk_io500_phase_api(site->conf, phase));
}

static void add_verbosity(struct tmk_io500_args *args, const char *verbosity)
{
    int64_t n = tmk_io500_number(verbosity, 0);

    for (int64_t i = 0; i < n && i < 10; i++) {
        add(args, "-v");
    }
}

static bool on_gpu(const struct tmk_io500_site *site)
{
    return tmk_io500_is_true(site->conf->global.buffers_on_gpu, false);
}

static void begin_ior(struct tmk_io500_args *args,
                      const struct tmk_io500_site *site, const char *verbosity)
{
    add(args, "./ior");
    add(args, "--dataPacketType=%s", site->conf->global.data_packet_type);
    add_verbosity(args, verbosity);
    if (on_gpu(site)) {
        add_all(args, "-O allocateBufferOnGPU=1");
    }
}

static void add_status(struct tmk_io500_args *args,
                       const struct tmk_io500_site *site, const char *family)
{
    add(args, "-O");
    add(args, "stoneWallingStatusFile=%s/%s.stonewall", site->resultdir,
        family);
}

static void add_ranks_csv(struct tmk_io500_args *args,
                          const struct tmk_io500_site *site,
                          enum tmk_io500_phase phase)
{
    add(args, "-O");
    add(args, "saveRankPerformanceDetailsCSV=%s/%s.csv", site->resultdir,
        tmk_io500_phase_name(phase));
}

static void add_stonewall(struct tmk_io500_args *args, const char *letter,
                          const struct tmk_io500_site *site)
{
    add(args, "%s", letter);
    add(args, "%" PRId64, tmk_io500_stonewall_s(site->conf));
}

static void ior_easy(struct tmk_io500_args *args,
                     const struct tmk_io500_site *site,
                     enum tmk_io500_phase phase)
{
    const struct tmk_io500_part *easy = &site->conf->parts[TMK_IO500_IOR_EASY];
    bool file_per_proc = tmk_io500_is_true(easy->file_per_proc, true);
    bool random = phase == TMK_IO500_P_IOR_RND4K_EASY_READ;

    begin_ior(args, site, easy->verbosity);
    add_all(args, "-g -G");
    add(args, "%" PRId32, tmk_io500_seed("ior-easy", site->timestamp));
    add_all(args, "-k -e -o");
    add(args, "%s/ior-easy/ior_file_easy", site->datadir);
    if (!random) {
        add_all(args, "-C -Q 1");
        add_status(args, site, "ior-easy");
        add(args, "-t");
        add(args, "%s", easy->transfer_size);
        add(args, "-b");
        add(args, "%s", easy->block_size);
    }
    if (tmk_io500_is_true(easy->unique_dir, false)) {
        add(args, "-u");
    }
    if (file_per_proc) {
        add(args, "-F");
    }
    if (phase == TMK_IO500_P_IOR_EASY_WRITE) {
        add(args, "-w");
        add_stonewall(args, "-D", site);
        add_all(args, "-O stoneWallingWearOut=1");
    } else if (random) {
        add(args, "-r");
        add_stonewall(args, "-D", site);
        add_all(args, "-z -z");
    } else {
        add_all(args, "-r -R");
    }
    add_api(args, site, phase);
    add_ranks_csv(args, site, phase);
    if (random) {
        add_all(args, "-t=4096 -b=4096 -s=10000000 -O stoneWallingWearOut=1");
        if (file_per_proc) {
            add_all(args, "-C -Q 2");
        }
    }
}

static void ior_hard(struct tmk_io500_args *args,
                     const struct tmk_io500_site *site,
                     enum tmk_io500_phase phase)
{
    const struct tmk_io500_part *hard = &site->conf->parts[TMK_IO500_IOR_HARD];
    bool writes = phase == TMK_IO500_P_IOR_HARD_WRITE;

    begin_ior(args, site, hard->verbosity);
    add_all(args, "-C -Q 1 -g");
    add(args, "-G=%" PRId32, tmk_io500_seed("ior-hard", site->timestamp));
    add_all(args, "-k -e -o");
    add(args, "%s/ior-hard/file", site->datadir);
    add_status(args, site, "ior-hard");
    add_all(args, "-t 47008 -b 47008 -s");
    add(args, "%s", hard->segment_count);
    add_all(args, writes ? "-w" : "-r -R");
    if (tmk_io500_phase_is_collective(site->conf, phase)) {
        add(args, "-c");
    }
    if (writes) {
        add_stonewall(args, "-D", site);
    }
    add_api(args, site, phase);
    add_ranks_csv(args, site, phase);
    if (writes) {
        add_all(args, "-O stoneWallingWearOut=1");
    }
}

static void begin_mdtest(struct tmk_io500_args *args,
                         const struct tmk_io500_site *site, const char *n)
{
    add(args, "./mdtest");
    add(args, "--dataPacketType=%s", site->conf->global.data_packet_type);
    if (on_gpu(site)) {
        add(args, "--allocateBufferOnGPU");
    }
    add(args, "-n");
    add(args, "%s", n);
}

static void add_tree(struct tmk_io500_args *args,
                     const struct tmk_io500_site *site, const char *family)
{
    add(args, "-d");
    add(args, "%s/%s", site->datadir, family);
    add(args, "-x");
    add(args, "%s/%s.stonewall", site->resultdir, family);
}

static void end_mdtest(struct tmk_io500_args *args,
                       const struct tmk_io500_site *site,
                       enum tmk_io500_phase phase)
{
    add(args, "--saveRankPerformanceDetails=%s/%s.csv", site->resultdir,
        tmk_io500_phase_name(phase));
    add_api(args, site, phase);
}

static void mdtest_easy(struct tmk_io500_args *args,
                        const struct tmk_io500_site *site,
                        enum tmk_io500_phase phase)
{
    begin_mdtest(args, site, site->conf->parts[TMK_IO500_MDTEST_EASY].n);
    add_all(args, "-u -L -F -P -G");
    add(args, "%" PRId32, tmk_io500_seed("mdtest-easy", site->timestamp));
    add_all(args, "-N 1");
    add_tree(args, site, "mdtest-easy");
    if (phase == TMK_IO500_P_MDTEST_EASY_WRITE) {
        add_all(args, "-C -Y");
        add_stonewall(args, "-W", site);
    } else {
        add_all(args, phase == TMK_IO500_P_MDTEST_EASY_STAT ? "-T" : "-r");
    }
    end_mdtest(args, site, phase);
}

static void mdtest_hard(struct tmk_io500_args *args,
                        const struct tmk_io500_site *site,
                        enum tmk_io500_phase phase)
{
    const struct tmk_io500_part *hard =
        &site->conf->parts[TMK_IO500_MDTEST_HARD];

    begin_mdtest(args, site, hard->n);
    if (hard->files_per_dir != NULL) {
        add(args, "-I=%s", hard->files_per_dir);
    }
    add_all(args, "-t -w 3901 -e 3901 -P");
    add(args, "-G=%" PRId32, tmk_io500_seed("mdtest-hard", site->timestamp));
    add_all(args, "-N 1 -F");
    add_tree(args, site, "mdtest-hard");
    if (phase == TMK_IO500_P_MDTEST_HARD_WRITE) {
        add_all(args, "-C -Y");
        if (hard->files_per_dir == NULL) {
            add_stonewall(args, "-W", site);
        }
    } else if (phase == TMK_IO500_P_MDTEST_HARD_STAT) {
        add(args, "-T");
    } else {
        add_all(args, phase == TMK_IO500_P_MDTEST_HARD_READ ? "-E -X" : "-r");
    }
    end_mdtest(args, site, phase);
}

/* Words for a shell. */
static void find_by_script(struct tmk_io500_args *args,
                           const struct tmk_io500_site *site,
                           const struct tmk_io500_part *part)
{
    add_all(args, part->mpi_args);
    add(args, "%s", part->script);
    add_all(args, part->extra_args);
    add(args, "%s", site->datadir);
    add(args, "-newer");
    add(args, "%s/timestampfile", site->resultdir);
    add_all(args, "-size 3901c -name \"*01*\"");
}

static void find(struct tmk_io500_args *args, const struct tmk_io500_site *site,
                 enum tmk_io500_phase phase)
{
    const struct tmk_io500_part *part =
        &site->conf->parts[tmk_io500_phase_rows[phase].section];
    const char *below = phase == TMK_IO500_P_FIND        ? ""
                        : phase == TMK_IO500_P_FIND_HARD ? "/mdtest-hard/"
                                                         : "/mdtest-easy/";

    if (part->script != NULL) {
        find_by_script(args, site, part);
        return;
    }
    add(args, "./pfind");
    add(args, "%s%s", site->datadir, below);
    if (phase != TMK_IO500_P_FIND_EASY) {
        add(args, "-newer");
        add(args, "%s/timestampfile", site->resultdir);
        add_all(args, "-size 3901c");
    }
    add_all(args, "-name *01* -C");
    if (tmk_io500_is_true(part->steal_next, false)) {
        add(args, "-N");
    }
    if (tmk_io500_is_true(part->hashing, false)) {
        add_all(args, "-H 1");
    }
    add(args, "-q");
    add(args, "%s", part->queue_length);
}

static void mdworkbench(struct tmk_io500_args *args,
                        const struct tmk_io500_site *site,
                        enum tmk_io500_phase phase)
{
    const struct tmk_io500_part *part =
        &site->conf->parts[TMK_IO500_MDWORKBENCH];

    add(args, "./md-workbench");
    add(args, "--dataPacketType=%s", site->conf->global.data_packet_type);
    add_verbosity(args, part->verbosity);
    if (on_gpu(site)) {
        add(args, "--allocateBufferOnGPU");
    }
    add(args, "--process-reports");
    add_api(args, site, phase);
    add(args, "-o=%s/mdworkbench", site->datadir);
    add(args, "-t=%f", tmk_io500_seconds(part->waiting_time, 0));
    add(args, "-O=1");
    add(args, "--run-info-file=%s/mdworkbench.status", site->resultdir);
    add(args, "-D=10");
    add(args, "-G=%" PRId32, tmk_io500_seed("md-workbench", site->timestamp));
    add(args, "-P=%" PRIu64,
        (uint64_t)tmk_io500_number(part->precreate_per_set,
                                   (int64_t)site->objects));
    add(args, "-I=%" PRIu64,
        (uint64_t)tmk_io500_number(part->files_per_proc,
                                   (int64_t)site->objects));
    add_all(args, phase == TMK_IO500_P_MDWORKBENCH_CREATE  ? "-1"
                  : phase == TMK_IO500_P_MDWORKBENCH_BENCH ? "-2 -R=2 -X"
                                                           : "-3");
}

int tmk_io500_args_of(const struct tmk_io500_site *site,
                      enum tmk_io500_phase phase, struct tmk_io500_args *args)
{
    *args = (struct tmk_io500_args){0};
    switch (tmk_io500_phase_rows[phase].benchmark) {
    case TMK_IO500_IOR:
        if (tmk_io500_phase_rows[phase].family == TMK_IO500_IOR_EASY) {
            ior_easy(args, site, phase);
        } else {
            ior_hard(args, site, phase);
        }
        break;
    case TMK_IO500_MDTEST:
        if (tmk_io500_phase_rows[phase].family == TMK_IO500_MDTEST_EASY) {
            mdtest_easy(args, site, phase);
        } else {
            mdtest_hard(args, site, phase);
        }
        break;
    case TMK_IO500_PFIND: find(args, site, phase); break;
    case TMK_IO500_MDWB: mdworkbench(args, site, phase); break;
    case TMK_IO500_STAMP: break;
    }
    return args->failed ? -ENOMEM : 0;
}

void tmk_io500_args_fini(struct tmk_io500_args *args)
{
    for (size_t i = 0; i < args->n; i++) {
        free(args->words[i]);
    }
    free(args->words);
    *args = (struct tmk_io500_args){0};
}

char *tmk_io500_args_line(const struct tmk_io500_args *args)
{
    size_t size = 1;
    size_t at = 0;
    char *line;

    for (size_t i = 0; i < args->n; i++) {
        size += strlen(args->words[i]) + 1;
    }
    line = malloc(size);
    if (line == NULL) {
        return NULL;
    }
    line[0] = '\0';
    for (size_t i = 0; i < args->n; i++) {
        at += (size_t)snprintf(line + at, size - at, "%s%s", i > 0 ? " " : "",
                               args->words[i]);
    }
    return line;
}

uint64_t tmk_io500_objects(const struct tmk_io500_conf *conf, double kiops,
                           unsigned procs)
{
    int64_t seconds = tmk_io500_stonewall_s(conf);
    uint64_t files;

    if (seconds > MDWB_MOST_S) {
        seconds = MDWB_MOST_S;
    }
    if (!(kiops > 0)) {
        kiops = KIOPS_UNKNOWN;
    }
    files = (uint64_t)(kiops * (double)seconds * 1000 / procs);
    return files / MDWB_PARTS;
}
