/*
 * embed_aiori: back ends by name, and two variables, of the host's.
 *
 * What a host asks for between benchmarks is about names, which are libc's with
 * all engines but DUMMY.
 */
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/opt.h"
#include "bench/engines.h"
#include "engine/engine.h"
#include "treemark/aiori.h"

FILE *out_logfile; /* NOLINT: the host's, by this name */
int rank;          /* likewise */

/* No option changes what is done to names: they are looked at and forgotten. */
struct options_all {
    int accepted;
};

/*
 * The calls.
 */

static void take_hints(aiori_xfer_hint_t *hints)
{
    (void)hints;
}

static int take_options(aiori_mod_opt_t *options)
{
    (void)options;
    return 0;
}

static void do_nothing(aiori_mod_opt_t *options)
{
    (void)options;
}

static int stat_path(const char *path, struct stat *st,
                     aiori_mod_opt_t *options)
{
    (void)options;
    return stat(path, st);
}

static int make_dir(const char *path, mode_t mode, aiori_mod_opt_t *options)
{
    (void)options;
    return mkdir(path, mode);
}

static int remove_dir(const char *path, aiori_mod_opt_t *options)
{
    (void)options;
    return rmdir(path);
}

static void remove_file(const char *path, aiori_mod_opt_t *options)
{
    (void)options;
    (void)unlink(path);
}

/* MPI-IO: "ufs:/a/b". */
static const char *plain(const char *path)
{
    return tmk_engine_mpiio.plain_path(path);
}

static int stat_plain(const char *path, struct stat *st,
                      aiori_mod_opt_t *options)
{
    return stat_path(plain(path), st, options);
}

static int make_dir_plain(const char *path, mode_t mode,
                          aiori_mod_opt_t *options)
{
    return make_dir(plain(path), mode, options);
}

static int remove_dir_plain(const char *path, aiori_mod_opt_t *options)
{
    return remove_dir(plain(path), options);
}

static void remove_file_plain(const char *path, aiori_mod_opt_t *options)
{
    (void)options;
    (void)unlink(plain(path));
}

/* DUMMY: everything is there. */
static int stat_nothing(const char *path, struct stat *st,
                        aiori_mod_opt_t *options)
{
    (void)path;
    (void)options;
    memset(st, 0, sizeof(*st));
    return 0;
}

static int make_nothing(const char *path, mode_t mode, aiori_mod_opt_t *options)
{
    (void)path;
    (void)mode;
    (void)options;
    return 0;
}

static int remove_nothing(const char *path, aiori_mod_opt_t *options)
{
    (void)path;
    (void)options;
    return 0;
}

static void forget(const char *path, aiori_mod_opt_t *options)
{
    (void)path;
    (void)options;
}

/*
 * The tables.
 */

#define FILES(n)                                                               \
    {                                                                          \
        (n), take_hints, take_options, do_nothing, do_nothing, stat_path,      \
            make_dir, remove_dir, remove_file                                  \
    }

static const ior_aiori_t backends[] = {
    FILES("POSIX"),
    FILES("MMAP"),
    FILES("URING"),
    {"MPIIO", take_hints, take_options, do_nothing, do_nothing, stat_plain,
     make_dir_plain, remove_dir_plain, remove_file_plain},
    {"DUMMY", take_hints, take_options, do_nothing, do_nothing, stat_nothing,
     make_nothing, remove_nothing, forget},
};

const ior_aiori_t *aiori_select(const char *name)
{
    const struct tmk_engine_ops *ops =
        name != NULL ? tmk_engine_find(tmk_engines, name) : NULL;

    for (size_t i = 0; ops != NULL && i < sizeof(backends) / sizeof(*backends);
         i++) {
        if (strcmp(backends[i].name, ops->name) == 0) {
            return &backends[i];
        }
    }
    return NULL;
}

/*
 * Options.
 */

options_all_t *airoi_create_all_module_options(option_help *list)
{
    (void)list;
    if (out_logfile == NULL) {
        out_logfile = stdout;
    }
    return calloc(1, sizeof(options_all_t));
}

aiori_mod_opt_t *airoi_update_module_options(const ior_aiori_t *backend,
                                             options_all_t *options)
{
    return backend != NULL ? (aiori_mod_opt_t *)options : NULL;
}

enum { TABLES_MAX = 16 };

/* A table of each engine, with a struct to fill.  How many; *fine: memory. */
static size_t make_tables(struct tmk_opt_table *tables, bool *fine)
{
    size_t n = 0;

    *fine = true;
    for (; n < TABLES_MAX && tmk_engines[n] != NULL; n++) {
        const struct tmk_engine_ops *ops = tmk_engines[n];
        void *conf = calloc(1, ops->conf_size != 0 ? ops->conf_size : 1);

        if (conf == NULL) {
            *fine = false;
            break;
        }
        if (ops->conf_init != NULL) {
            ops->conf_init(conf);
        }
        tables[n] = (struct tmk_opt_table){
            .title = ops->name,
            .prefix = ops->prefix,
            .rows = ops->opts,
            .n_rows = ops->n_opts,
            .conf = conf,
        };
    }
    return n;
}

/* Whether this is the rank to say something, also where the host has not said
 * which it is. */
static bool speaks(void)
{
    int begun = 0;
    int ended = 0;
    int own = 0;

    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (begun && !ended) {
        MPI_Comm_rank(MPI_COMM_WORLD, &own);
    }
    return rank == 0 && own == 0;
}

int option_parse_str(char *word, options_all_t *options)
{
    char program[] = "";
    char *const argv[] = {program, word, NULL};
    struct tmk_opt_table tables[TABLES_MAX] = {{0}};
    char why[512] = "out of memory";
    bool fine;
    size_t n;
    int err = -ENOMEM;

    if (word == NULL || options == NULL) {
        return -EINVAL;
    }
    n = make_tables(tables, &fine);
    if (fine) {
        err = tmk_opt_parse(tables, n, 2, argv, why, sizeof(why));
    }
    for (size_t i = 0; i < n; i++) {
        free(tables[i].conf);
    }
    if (err == 0) {
        options->accepted++;
    } else if (speaks()) {
        fprintf(out_logfile != NULL ? out_logfile : stdout, "%s\n",
                err == TMK_OPT_HELP ? "-h: no option of a back end" : why);
    }
    return err;
}

double GetTimeStamp(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
