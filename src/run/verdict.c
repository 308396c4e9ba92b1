/*
 * verdict: failures first, then what makes numbers doubtful.
 */
#include "run/verdict.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What helps against caches in the bandwidth mode. */
#define AROUND_CACHES                                                          \
    "-C over two nodes or more, --posix.odirect (--uring.odirect), "           \
    "--posix.fadvise=dontneed, --drop-caches, or more data than memory "       \
    "(--total=2xRAM)"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct doubt {
    const char *code;
    const char *says;
};

/*
 * Warnings that make numbers doubtful, and what helps.  Others (READ_ZERO,
 * ROUNDED, ...) only say what was measured.
 */
static const struct doubt doubts[] = {
    {"TOO_SHORT", "phases too short to trust: raise -n, or give --min-time"},
    {"ROTATION_SELF", "items are visited where they were made: -N node, on "
                      "two nodes or more"},
    {"SAME_NODE", "the node that made an item may answer from its cache: "
                  "-N node, or --drop-caches"},
    {"CACHED_DATA", "data may come from the memory of the node that wrote it: "
                    "-N node on two nodes or more, --posix.odirect, or "
                    "--drop-caches"},
    {"CACHED_READ", "read from this node's memory: " AROUND_CACHES},
    {"SMALL_DATA", "a cache can hold all of the data: more of it than memory "
                   "(-s, -b, or --total=2xRAM), or --posix.odirect "
                   "(--uring.odirect)"},
    {"ABOVE_LINKS", "faster than the network of the nodes, so that it was a "
                    "cache: -e when writing, and when reading " AROUND_CACHES},
    {"COLD_START", "points differ in how warm caches were: --warmup"},
    {"OVERSUBSCRIBED", "more ranks than cores: start fewer on a node"},
    {"BUSY_CORES", "other work has the cores: use idle nodes"},
    {"UNEVEN_NODES", "nodes have different numbers of ranks: give each as "
                     "many"},
    {"NEARLY_FULL", "the file system is nearly full: free some of it"},
    {"REUSED", "creation opened what was there: --leftovers=clean"},
    {"CACHES_KEPT", "caches could not be emptied: run as root, or give "
                    "--drop-caches=COMMAND"},
    {"TRACED", "every call was written to a file: leave out --trace"},
    {"PEROP_FLUSHED", "operations were written to files within phases: fewer "
                      "of them, or no --savePerOpDataCSV"},
};

/* Of the same, where other options help in the bandwidth mode. */
static const struct doubt ior_doubts[] = {
    {"TOO_SHORT", "phases too short to trust: raise -s or -b, or give -O "
                  "minTimeDuration=SECONDS"},
    {"ROTATION_SELF", "data is read where it was written: -C with another -Q, "
                      "on two nodes or more"},
    {"SAME_NODE",
     "the node that wrote may read from its memory: " AROUND_CACHES},
    {"CACHED_DATA", "data may come from the memory of the node that wrote "
                    "it: " AROUND_CACHES},
};

/* The same, where the caches of the nodes have had no part. */
static const struct doubt around_doubts[] = {
    {"SMALL_DATA", "a cache of the servers can hold all of the data: more of "
                   "it (-s, -b, or --total=2xRAM with --server-memory)"},
};

static const struct doubt direct_doubts[] = {
    {"ABOVE_LINKS", "faster than the network of the nodes, although it went "
                    "around their caches: are these all of their links?"},
};

static const struct doubt mdworkbench_doubts[] = {
    {"TOO_SHORT", "phases too short to trust: raise -I and -P"},
    {"SAME_NODE", "objects are taken on the node that made them: raise -O to "
                  "the ranks of a node"},
};

static const char *find(const struct doubt *list, size_t n, const char *code)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].code, code) == 0) {
            return list[i].says;
        }
    }
    return NULL;
}

/* What is said of a doubt of this benchmark. */
static const char *advice(const struct doubt *doubt, const char *kind,
                          const struct tmk_result *result)
{
    const char *says = NULL;

    kind = result->benchmark != NULL ? result->benchmark : kind;
    if (result->direct) {
        says = find(direct_doubts, COUNT(direct_doubts), doubt->code);
    }
    if (says == NULL && result->around) {
        says = find(around_doubts, COUNT(around_doubts), doubt->code);
    }
    if (says == NULL && strcmp(kind, "ior") == 0) {
        says = find(ior_doubts, COUNT(ior_doubts), doubt->code);
    }
    if (says == NULL && strcmp(kind, "mdworkbench") == 0) {
        says = find(mdworkbench_doubts, COUNT(mdworkbench_doubts), doubt->code);
    }
    return says != NULL ? says : doubt->says;
}

/* One more reason; those that do not fit are left out. */
__attribute__((format(printf, 2, 3))) static void add(struct tmk_verdict *v,
                                                      const char *format, ...)
{
    size_t used = strlen(v->text);
    size_t at = used != 0 ? used + 2 : 0;
    va_list args;
    int n;

    if (v->n_reasons == TMK_VERDICT_REASONS_MAX || at >= sizeof(v->text)) {
        return;
    }
    va_start(args, format);
    n = vsnprintf(v->text + at, sizeof(v->text) - at, format, args);
    va_end(args);
    if (n < 0 || at + (size_t)n >= sizeof(v->text)) {
        v->text[used] = '\0';
        return;
    }
    if (used != 0) {
        memcpy(v->text + used, "; ", 2);
    }
    v->reasons[v->n_reasons++] =
        (struct tmk_verdict_reason){.at = at, .length = (size_t)n};
}

static void add_failures(struct tmk_verdict *v, const char *kind,
                         const struct tmk_result *r)
{
    if (r->interrupted != 0) {
        add(v, "interrupted by %s: the results are partial",
            r->interrupted == SIGINT    ? "SIGINT"
            : r->interrupted == SIGALRM ? "the time limit"
                                        : "SIGTERM");
    }
    if (r->over_tolerance) {
        add(v, "%" PRIu64 " of %" PRIu64 " operations failed",
            r->failed_operations, r->operations + r->failed_operations);
    }
    if (r->wrong != 0) {
        add(v, "data was not as written %" PRIu64 " times", r->wrong);
    }
    if (r->broken_off) {
        add(v, "not everything could be run");
    }
    if (r->commands_failed) {
        add(v, strcmp(kind, "find") == 0
                   ? "a command of -exec failed"
                   : "commands before or after phases failed");
    }
    if (r->check_failed) {
        add(v, "what is on disk is not what phases say (--check)");
    }
    if (r->left_behind) {
        add(v, "something was left behind");
    }
    if (r->status_lost || r->output_failed || r->trace_lost) {
        add(v, "an output file could not be written");
    }
}

static void add_doubts(struct tmk_verdict *v, const char *kind,
                       const struct tmk_result *result,
                       const struct tmk_job_warnings *warnings)
{
    for (size_t i = 0; i < COUNT(doubts); i++) {
        for (size_t k = 0; k < warnings->n; k++) {
            if (strcmp(warnings->list[k].code, doubts[i].code) == 0) {
                add(v, "%s", advice(&doubts[i], kind, result));
                break;
            }
        }
    }
}

void tmk_verdict_make(struct tmk_verdict *verdict, const char *kind,
                      const struct tmk_result *result,
                      const struct tmk_job_warnings *warnings)
{
    *verdict = (struct tmk_verdict){.n_reasons = 0};
    add_failures(verdict, kind, result);
    add_doubts(verdict, kind, result, warnings);
    if (verdict->n_reasons != 0) {
        return;
    }
    verdict->ok = true;
    if (result->failed_operations != 0) {
        (void)snprintf(verdict->text, sizeof(verdict->text),
                       "ok, with %" PRIu64 " failed operations tolerated",
                       result->failed_operations);
    } else {
        memcpy(verdict->text, "ok", sizeof("ok"));
    }
}
