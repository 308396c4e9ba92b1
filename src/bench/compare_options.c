/*
 * compare_options: which options make two runs another piece of work.
 */
#include "bench/compare_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Numbers of items are not among these: "items_per_task" of a test says what
 * they come to.
 */
static const char *const mdtest_what[] = {"b", "c", "D", "e", "F", "L",
                                          "N", "S", "u", "w", "z", NULL};
static const char *const mdtest_quiet[] = {"d",
                                           "f",
                                           "G",
                                           "i",
                                           "I",
                                           "l",
                                           "n",
                                           "P",
                                           "s",
                                           "t",
                                           "V",
                                           "x",
                                           "Z",
                                           "nodes",
                                           "ppn",
                                           "print-all-procs",
                                           "savePerOpDataCSV",
                                           "saveRankPerformanceDetails",
                                           "showRankStatistics",
                                           "table",
                                           "tolerate",
                                           NULL};

/* An imported text has the last ones. */
static const char *const ior_what[] = {
    "blockSize",         "collective",         "filePerProc", "randomOffset",
    "reorderTasks",      "reorderTasksRandom", "rwmix",       "segmentCount",
    "taskPerNodeOffset", "transferSize",       NULL};
static const char *const ior_quiet[] = {"debug",
                                        "dryRun",
                                        "f",
                                        "keepFile",
                                        "keepFileWithError",
                                        "mpiio.showHints",
                                        "numTasks",
                                        "O",
                                        "outlierThreshold",
                                        "platform",
                                        "quitOnError",
                                        "random-offset-seed",
                                        "refNum",
                                        "reorderTasksRandomSeed",
                                        "repetitions",
                                        "savePerOpDataCSV",
                                        "saveRankPerformanceDetailsCSV",
                                        "setTimeStampSignature",
                                        "showHints",
                                        "stoneWallingStatusFile",
                                        "summaryAlways",
                                        "summaryFile",
                                        "summaryFormat",
                                        "testFile",
                                        "aggregate_filesize_bytes",
                                        "clients_per_node",
                                        "nodes",
                                        "tasks",
                                        "test_filename",
                                        NULL};

static const char *const mdworkbench_what[] = {
    "adaptive-waiting",  "data-sets", "obj-per-proc", "object-size", "offset",
    "precreate-per-set", "read-only", "waiting-time", NULL};
static const char *const mdworkbench_quiet[] = {"G",
                                                "ignore-precreate-errors",
                                                "iterations",
                                                "latency",
                                                "latency-all",
                                                "o",
                                                "print-detailed-stats",
                                                "process-reports",
                                                "quiet",
                                                "run-info-file",
                                                "start-item",
                                                NULL};

static const char *const find_what[] = {"expression", NULL};
static const char *const find_quiet[] = {"count", "results-dir", "stats", NULL};

/* The ini file, of which only a hash is known, names directories, too. */
static const char *const io500_what[] = {NULL};
static const char *const io500_quiet[] = {
    "cleanup", "config-hash", "list",      "list-mandatory", "phase",
    "report",  "resume",      "timestamp", "verify",         NULL};

static const char *const all_quiet[] = {
    "csv",      "dry-run", "grace",     "interval",        "json",
    "keep",     "label",   "leftovers", "max-errors",      "percentiles",
    "progress", "v",       "verbose",   "warningAsErrors", NULL};

static const struct {
    const char *kind;
    const char *const *what, *const *quiet;
} kinds[] = {
    {"mdtest", mdtest_what, mdtest_quiet},
    {"ior", ior_what, ior_quiet},
    {"mdworkbench", mdworkbench_what, mdworkbench_quiet},
    {"find", find_what, find_quiet},
    {"io500", io500_what, io500_quiet},
};

static bool among(const char *name, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (strcmp(name, *names) == 0) {
            return true;
        }
    }
    return false;
}

enum tmk_compare_option tmk_compare_option_of(const char *kind,
                                              const char *name)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].kind, kind) == 0) {
            if (among(name, kinds[i].what)) {
                return TMK_COMPARE_WHAT;
            }
            if (among(name, kinds[i].quiet)) {
                return TMK_COMPARE_QUIET;
            }
        }
    }
    return among(name, all_quiet) ? TMK_COMPARE_QUIET : TMK_COMPARE_HOW;
}
