/*
 * io500_record: result.txt and result_summary.txt, whose layout other
 * programs parse (spec/io500.md B6).
 */
#include "bench/io500_record.h"

#include <inttypes.h>
#include <stdarg.h>

static const char at[] = "%Y-%m-%d %H:%M:%S";

static void flush(const struct tmk_io500_record *record)
{
    if (record->result != NULL) {
        (void)fflush(record->result);
    }
    if (record->summary != NULL) {
        (void)fflush(record->summary);
    }
    if (record->out != NULL) {
        (void)fflush(record->out);
    }
}

/* To result.txt. */
__attribute__((format(printf, 2, 3))) static void
note(const struct tmk_io500_record *record, const char *format, ...)
{
    va_list args;

    if (record->result != NULL) {
        va_start(args, format);
        (void)vfprintf(record->result, format, args);
        va_end(args);
    }
}

/* "key             = value" in result.txt. */
__attribute__((format(printf, 3, 4))) static void
pair(const struct tmk_io500_record *record, const char *key, const char *format,
     ...)
{
    va_list args;

    if (record->result != NULL) {
        (void)fprintf(record->result, "%-15s = ", key);
        va_start(args, format);
        (void)vfprintf(record->result, format, args);
        va_end(args);
        (void)fputc('\n', record->result);
    }
}

/* To result_summary.txt and the standard output. */
__attribute__((format(printf, 2, 3))) static void
say(const struct tmk_io500_record *record, const char *format, ...)
{
    FILE *const to[] = {record->summary, record->out};
    va_list args;

    for (size_t i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
        if (to[i] != NULL) {
            va_start(args, format);
            (void)vfprintf(to[i], format, args);
            va_end(args);
        }
    }
}

static void pair_time(const struct tmk_io500_record *record, const char *key,
                      time_t now)
{
    struct tm tm;
    char text[64];

    if (record->verbosity > 0 && localtime_r(&now, &tm) != NULL &&
        strftime(text, sizeof(text), at, &tm) != 0) {
        pair(record, key, "%s", text);
    }
}

static void comment_time(const struct tmk_io500_record *record,
                         const char *word, time_t now)
{
    struct tm tm;
    char text[64];

    if (localtime_r(&now, &tm) != NULL &&
        strftime(text, sizeof(text), at, &tm) != 0) {
        note(record, "; %s %s\n", word, text);
    }
}

void tmk_io500_record_head(const struct tmk_io500_record *record,
                           const struct tmk_io500_head *head)
{
    const char *mode = head->extended ? "extended" : "standard";

    say(record, "IO500 version %s (%s)\n", head->version, mode);
    note(record, "\n[run]\n");
    pair(record, "procs", "%d", head->procs);
    pair(record, "version", "%s", head->version);
    pair(record, "config-hash", "%" PRIX32, head->config_hash);
    pair(record, "result-dir", "%s", head->resultdir);
    pair(record, "mode", "%s", mode);
    comment_time(record, "START", head->started);
    flush(record);
}

void tmk_io500_record_reason(const struct tmk_io500_record *record,
                             const struct tmk_io500_reason *reason)
{
    const char *what = reason->invalidates ? "ERROR INVALID" : "WARNING";

    note(record, "; %s %s (%s)\n", what, reason->text, reason->code);
    if (record->out != NULL) {
        (void)fprintf(record->out, "%s %s (%s)\n", what, reason->text,
                      reason->code);
    }
    flush(record);
}

void tmk_io500_record_begin(const struct tmk_io500_record *record,
                            enum tmk_io500_phase phase,
                            const struct tmk_io500_done *done,
                            const char *command)
{
    note(record, "\n[%s]\n", tmk_io500_phase_name(phase));
    pair_time(record, "t_start", done->started);
    if (tmk_io500_phase_rows[phase].benchmark == TMK_IO500_MDWB) {
        pair(record, "filesPerProc", "%" PRIu64, done->per_round);
        pair(record, "precreatePerSet", "%" PRIu64, done->per_set);
    }
    if (command != NULL) {
        pair(record, "exe", "%s", command);
    }
    flush(record);
}

static void write_find(const struct tmk_io500_record *record,
                       const struct tmk_io500_done *done)
{
    if (done->external) {
        pair(record, "last-output", "%s", done->last_output);
    } else {
        pair(record, "nproc", "%" PRIu64, done->nproc);
    }
    pair(record, "found", "%" PRIu64, done->found);
    pair(record, "total-files", "%" PRIu64, done->total);
}

static void write_workbench(const struct tmk_io500_record *record,
                            enum tmk_io500_phase phase,
                            const struct tmk_io500_done *done)
{
    pair(record, "maxOpTime", "%f", done->max_op_s);
    if (phase == TMK_IO500_P_MDWORKBENCH_BENCH) {
        pair(record, "scoreIteration0", "%f", done->score_0);
        pair(record, "maxOpTime0", "%f", done->max_op_0_s);
    }
}

static void write_numbers(const struct tmk_io500_record *record,
                          enum tmk_io500_phase phase,
                          const struct tmk_io500_done *done)
{
    switch (tmk_io500_phase_rows[phase].benchmark) {
    case TMK_IO500_IOR:
        if (tmk_io500_phase_rows[phase].writes) {
            if (record->verbosity >= 2) {
                pair(record, "accessed-pairs", "%" PRIu64, done->pairs);
            }
            pair(record, "throughput-stonewall", "%.2f", done->stonewall_rate);
        }
        break;
    case TMK_IO500_MDTEST:
        if (tmk_io500_phase_rows[phase].writes) {
            pair(record, "rate-stonewall", "%f", done->stonewall_rate);
        }
        break;
    case TMK_IO500_PFIND: write_find(record, done); break;
    case TMK_IO500_MDWB: write_workbench(record, phase, done); break;
    case TMK_IO500_STAMP: break;
    }
}

void tmk_io500_record_end(const struct tmk_io500_record *record,
                          enum tmk_io500_phase phase,
                          const struct tmk_io500_done *done,
                          const struct tmk_io500_reasons *reasons)
{
    const struct tmk_io500_phase_row *row = &tmk_io500_phase_rows[phase];

    write_numbers(record, phase, done);
    for (size_t i = 0; i < reasons->n; i++) {
        tmk_io500_record_reason(record, &reasons->list[i]);
    }
    if (row->benchmark != TMK_IO500_STAMP) {
        pair(record, "score", "%f", done->score);
    }
    if (record->verbosity > 0) {
        pair(record, "t_delta", "%.4f", done->wall_s);
    }
    pair_time(record, "t_end", done->ended);
    say(record, "%s %20s %15f %s : time %.3f seconds%s\n",
        row->group != TMK_IO500_UNSCORED ? "[RESULT]" : "[      ]",
        tmk_io500_phase_name(phase), done->score, tmk_io500_phase_unit(phase),
        done->wall_s,
        tmk_io500_reasons_invalidate(reasons) ? " [INVALID]" : "");
    flush(record);
}

static void write_means(const struct tmk_io500_record *record,
                        const char *section,
                        const struct tmk_io500_means *means, bool invalid,
                        uint32_t hash)
{
    const char *mark = invalid ? " [INVALID]" : "";

    note(record, "\n[%s]\n", section);
    pair(record, "MD", "%f", means->md);
    pair(record, "BW", "%f", means->bw);
    pair(record, "SCORE", "%f%s", means->total, mark);
    pair(record, "hash", "%" PRIX32, hash);
    say(record, "[%-6s] Bandwidth %f GiB/s : IOPS %f kiops : TOTAL %f%s\n",
        section, means->bw, means->md, means->total, mark);
}

void tmk_io500_record_scores(const struct tmk_io500_record *record,
                             const struct tmk_io500_scores *scores,
                             bool extended, const char *version, time_t now,
                             const char *resultdir)
{
    struct tmk_io500_means means = tmk_io500_score_means(scores, false);

    write_means(record, "SCORE", &means, scores->invalid,
                tmk_io500_score_hash(scores, version));
    if (extended) {
        means = tmk_io500_score_means(scores, true);
        write_means(record, "SCOREX", &means, scores->invalid_extended,
                    tmk_io500_score_hash_extended(scores));
    }
    comment_time(record, "END", now);
    if (record->out != NULL) {
        (void)fprintf(record->out,
                      "\nThe result files are stored in the directory: %s\n",
                      resultdir);
    }
    flush(record);
}
