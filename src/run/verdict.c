/*
 * verdict: failures first, then what makes numbers doubtful.
 */
#include "run/verdict.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Warnings that make numbers doubtful, and what helps.  Others (READ_ZERO,
 * ROUNDED, ...) only say what was measured.
 */
static const struct {
    const char *code;
    const char *says;
} doubts[] = {
    {"TOO_SHORT", "phases too short to trust: give them more to do (mdtest: "
                  "-n, --min-time; ior: -b, -s, minTimeDuration)"},
    {"ROTATION_SELF", "items are visited where they were made: -N node, on "
                      "two nodes or more"},
    {"READ_OWN", "ranks read what their own node wrote: -C, on two nodes or "
                 "more"},
    {"SAME_NODE", "the node that made an item may answer from its cache: "
                  "-N node, or --drop-caches"},
    {"CACHED_DATA", "data may come from the memory of the node that wrote it: "
                    "-N node on two nodes or more, --posix.odirect, or "
                    "--drop-caches"},
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

static void add_failures(struct tmk_verdict *v, const struct tmk_result *r)
{
    if (r->interrupted != 0) {
        add(v, "interrupted by %s: the results are partial",
            r->interrupted == SIGINT ? "SIGINT" : "SIGTERM");
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
        add(v, "commands before or after phases failed");
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

static void add_doubts(struct tmk_verdict *v,
                       const struct tmk_job_warnings *warnings)
{
    for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++) {
        for (size_t k = 0; k < warnings->n; k++) {
            if (strcmp(warnings->list[k].code, doubts[i].code) == 0) {
                add(v, "%s", doubts[i].says);
                break;
            }
        }
    }
}

void tmk_verdict_make(struct tmk_verdict *verdict,
                      const struct tmk_result *result,
                      const struct tmk_job_warnings *warnings)
{
    *verdict = (struct tmk_verdict){.n_reasons = 0};
    add_failures(verdict, result);
    add_doubts(verdict, warnings);
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
