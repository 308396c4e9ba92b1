/*
 * aiori.h: storage back ends by name, as the library of IOR has them.
 *
 * A host program of IOR's library finds here what it asks of a back end
 * between benchmarks: is a path there, make a directory, remove what is left.
 */
#ifndef TREEMARK_AIORI_H
#define TREEMARK_AIORI_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TRUE
#    define TRUE 1
#endif
#ifndef FALSE
#    define FALSE 0
#endif

#define KIBIBYTE (1 << 10)
#define MEBIBYTE (1 << 20)
#define GIBIBYTE (1 << 30)

/* An option of the host program: only an empty list can be given. */
typedef struct {
    char shortVar;
    const char *longVar;
    const char *help;
} option_help;

#define LAST_OPTION                                                            \
    {                                                                          \
        0, NULL, NULL                                                          \
    }

/* The options of all back ends: malloc'ed in one block, the caller's. */
typedef struct options_all options_all_t;

/* Those of one back end. */
typedef struct aiori_mod_opt_t aiori_mod_opt_t;

/* What a back end is told of transfers; nothing is made of it. */
typedef struct {
    int dryRun;
    int filePerProc;
    int collective;
    int numTasks;
    int numNodes;
    int randomOffset;
    int fsyncPerWrite;
    long long segmentCount;
    long long blockSize;
    long long transferSize;
    long long expectedAggFileSize;
    int singleXferAttempt;
} aiori_xfer_hint_t;

/*
 * A back end.  No slot is NULL.  Options may be NULL, and no call but
 * finalize needs initialize; the two may be nested.  Calls with a result: 0,
 * or -1 with errno.
 */
typedef struct ior_aiori {
    const char *name; /* as given to -a: "POSIX" */
    void (*xfer_hints)(aiori_xfer_hint_t *hints);
    int (*check_params)(aiori_mod_opt_t *options);
    void (*initialize)(aiori_mod_opt_t *options);
    void (*finalize)(aiori_mod_opt_t *options);
    int (*stat)(const char *path, struct stat *st, aiori_mod_opt_t *options);
    int (*mkdir)(const char *path, mode_t mode, aiori_mod_opt_t *options);
    int (*rmdir)(const char *path, aiori_mod_opt_t *options);
    void (*remove)(const char *path, aiori_mod_opt_t *options);
} ior_aiori_t;

/*
 * Where pfind_find() writes, and messages about option words go.  The host's
 * to assign; it is not changed by a run.  NULL at first, which stands for
 * stdout, and stdout after airoi_create_all_module_options().
 */
extern FILE *out_logfile;

/*
 * There is a variable `int rank`, too, for a host to declare and assign: others
 * than 0 print nothing about option words.  It is not declared here, where it
 * would be in the way of other things of that name.
 */

/* The back end of that name, in capitals or not; NULL: there is none. */
const ior_aiori_t *aiori_select(const char *name);

/* All options with their defaults; NULL: no memory.  `list` is not kept. */
options_all_t *airoi_create_all_module_options(option_help *list);

/* Take a word such as "--posix.odirect".  0; else it is none, and said. */
int option_parse_str(char *word, options_all_t *options);

/* The options of a back end, part of `options`; NULL if either is NULL. */
aiori_mod_opt_t *airoi_update_module_options(const ior_aiori_t *backend,
                                             options_all_t *options);

/* Seconds since 1970. */
double GetTimeStamp(void);

#ifdef __cplusplus
}
#endif

#endif
