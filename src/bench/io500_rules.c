/*
 * io500_rules: what makes a result invalid, or doubtful.  Of the original's
 * rules, and of those that it only announced.
 */
#include "bench/io500_rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 5))) static void
add(struct tmk_io500_reasons *reasons, const char *code, bool invalidates,
    const char *format, ...)
{
    struct tmk_io500_reason *reason;
    va_list args;

    if (reasons->n == TMK_IO500_REASONS_MAX) {
        return;
    }
    reason = &reasons->list[reasons->n++];
    reason->code = code;
    reason->invalidates = invalidates;
    va_start(args, format);
    (void)vsnprintf(reason->text, sizeof(reason->text), format, args);
    va_end(args);
}

bool tmk_io500_reasons_invalidate(const struct tmk_io500_reasons *reasons)
{
    for (size_t i = 0; i < reasons->n; i++) {
        if (reasons->list[i].invalidates) {
            return true;
        }
    }
    return false;
}

/* The benchmark refused, was interrupted, or had failures. */
static void judge_errors(const struct tmk_io500_done *done,
                         struct tmk_io500_reasons *reasons)
{
    if (done->status < 0) {
        add(reasons, "NOT_RUN", true, "it could not begin: %s",
            strerror(-done->status));
    } else if (done->status == 2) {
        add(reasons, "REFUSED", true, "the benchmark refused what was asked");
    } else if (done->status >= 128) {
        add(reasons, "INTERRUPTED", true, "interrupted by signal %d",
            done->status - 128);
    }
    if (done->wrong != 0) {
        add(reasons, "WRONG_DATA", true,
            "%" PRIu64 " operations found data that is not what was written",
            done->wrong);
    }
    if (done->failed > done->wrong) {
        add(reasons, "FAILED", true, "%" PRIu64 " operations failed%s",
            done->failed - done->wrong,
            done->full ? ": the file system takes no more" : "");
    } else if (done->status == 1 && done->failed == 0) {
        add(reasons, "FAILED", true, "the benchmark failed: see its output");
    }
}

static void judge_times(const struct tmk_io500_conf *conf,
                        const struct tmk_io500_done *done,
                        enum tmk_io500_benchmark benchmark,
                        struct tmk_io500_reasons *reasons)
{
    double stonewall_s = (double)tmk_io500_stonewall_s(conf);
    double least_s = tmk_io500_least_s(conf);

    if (benchmark == TMK_IO500_IOR && done->engine_s < stonewall_s) {
        add(reasons, "TOO_SHORT", true,
            "Write phase needed %fs instead of stonewall %.0fs. Stonewall was "
            "hit at %.1fs",
            done->engine_s, stonewall_s, done->stonewall_s);
    }
    if (done->wall_s < stonewall_s) {
        add(reasons, "TOO_SHORT", true,
            "Runtime of phase (%f) is below stonewall time", done->wall_s);
    }
    if (done->wall_s < least_s) {
        add(reasons, "BELOW_MINIMUM", true,
            "Runtime is smaller than expected minimum runtime: %.3f s of %.0f",
            done->wall_s, least_s);
    }
    if (done->limited && !done->limit_hit) {
        add(reasons, "SIZE_LIMITED", false,
            "all was written before time was up: the rate is of a size, not "
            "of a time");
    }
}

static void judge_find(const struct tmk_io500_done *done,
                       struct tmk_io500_reasons *reasons)
{
    if (done->external && done->script_status != 0) {
        add(reasons, "FIND_FAILED", true, "the script ended with status %d",
            done->script_status);
    }
    if (done->found == 0) {
        add(reasons, "FOUND_NOTHING", true, "no file was found");
    } else if (done->expected != UINT64_MAX && done->found != done->expected) {
        add(reasons, "FOUND_OTHERS", true,
            "%" PRIu64 " files were found, %" PRIu64 " of that name exist",
            done->found, done->expected);
    }
}

void tmk_io500_rules_phase(const struct tmk_io500_conf *conf,
                           enum tmk_io500_phase phase,
                           const struct tmk_io500_done *done,
                           struct tmk_io500_reasons *reasons)
{
    const struct tmk_io500_phase_row *row = &tmk_io500_phase_rows[phase];

    judge_errors(done, reasons);
    if (row->writes) {
        judge_times(conf, done, row->benchmark, reasons);
    }
    if (row->benchmark == TMK_IO500_PFIND) {
        judge_find(done, reasons);
    }
    if (phase == TMK_IO500_P_MDWORKBENCH_BENCH && done->counts != 2) {
        add(reasons, "INCOMPLETE", true,
            "%" PRIu64 " rounds of 2 have a result", done->counts);
    }
    if (row->benchmark != TMK_IO500_STAMP && !(done->score > 0) &&
        !tmk_io500_reasons_invalidate(reasons)) {
        add(reasons, "NO_SCORE", true, "it has no score");
    }
    if (done->cut) {
        add(reasons, "WEAROUT_LIMIT", true,
            "cut by --wearout-limit: ranks did not do the same");
    }
    if (done->own_share > 0) {
        add(reasons, "SAME_NODE_READ", false,
            "%.0f%% of it was written by the node that read it: its memory may "
            "have answered",
            100 * done->own_share);
    }
    if (done->caches_kept) {
        add(reasons, "CACHES_KEPT", false, "drop-caches-cmd failed");
    }
}

void tmk_io500_rules_run(const struct tmk_io500_conf *conf,
                         const struct tmk_io500_run_rules *run,
                         struct tmk_io500_reasons *reasons)
{
    const char *per_dir = conf->parts[TMK_IO500_MDTEST_HARD].files_per_dir;

    if (tmk_io500_stonewall_s(conf) != tmk_io500_least_s(conf)) {
        add(reasons, "STONEWALL_TIME", true,
            "stonewall-time %" PRId64 "s != %us", tmk_io500_stonewall_s(conf),
            tmk_io500_least_s(conf));
    }
    if (per_dir != NULL) {
        add(reasons, "FILES_PER_DIR", true,
            "[mdtest-hard] files-per-dir is set: %s", per_dir);
    }
    if (conf->debug.pause_dir != NULL) {
        add(reasons, "PAUSED", true, "[debug] pause-dir is set");
    }
    if (run->resumed) {
        add(reasons, "RESUMED", true,
            "phases were run in more than one launch");
    }
    if (run->wearout_limit) {
        add(reasons, "WEAROUT_LIMIT", true, "--wearout-limit is set");
    }
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        enum tmk_io500_phase phase = (enum tmk_io500_phase)i;

        if (!tmk_io500_phase_is_optional(phase) &&
            (!run->wants[i] ||
             !tmk_io500_phase_runs(conf, phase, run->extended))) {
            add(reasons, "PHASES_LEFT_OUT", true, "%s is not run",
                tmk_io500_phase_name(phase));
            break;
        }
    }
}
