/*
 * report: one walk over what happens, to every writer.
 */
#include "run/report.h"

/* Whether this rank reports, and to this writer. */
static bool more(const struct tmk_writer *w, const struct tmk_report_run *run)
{
    return run->job->rank == 0 && w->ops != NULL;
}

void tmk_report_begin(const struct tmk_writer *writers,
                      const struct tmk_report_run *run)
{
    for (const struct tmk_writer *w = writers; more(w, run); w++) {
        if (w->ops->begin != NULL) {
            w->ops->begin(w->state, run);
        }
    }
}

void tmk_report_test_begin(const struct tmk_writer *writers,
                           const struct tmk_report_run *run,
                           const struct tmk_result_test *test,
                           const char *headline)
{
    for (const struct tmk_writer *w = writers; more(w, run); w++) {
        if (w->ops->test_begin != NULL) {
            w->ops->test_begin(w->state, test, headline);
        }
    }
}

void tmk_report_phase(const struct tmk_writer *writers,
                      const struct tmk_report_run *run,
                      const struct tmk_result_test *test,
                      const struct tmk_result_row *row, int iteration,
                      const struct tmk_phase_result *phase)
{
    for (const struct tmk_writer *w = writers; more(w, run); w++) {
        if (w->ops->phase != NULL) {
            w->ops->phase(w->state, test, row, iteration, phase);
        }
    }
}

void tmk_report_table_ranks(const struct tmk_writer *writers,
                            const struct tmk_report_run *run,
                            const struct tmk_result_test *test,
                            const struct tmk_result_ranks *ranks, bool rates)
{
    for (const struct tmk_writer *w = writers; more(w, run); w++) {
        if (w->ops->table_ranks != NULL) {
            w->ops->table_ranks(w->state, test, ranks, rates);
        }
    }
}

void tmk_report_table(const struct tmk_writer *writers,
                      const struct tmk_report_run *run,
                      const struct tmk_result_test *test, bool rates)
{
    for (const struct tmk_writer *w = writers; more(w, run); w++) {
        if (w->ops->table != NULL) {
            w->ops->table(w->state, run, test, rates);
        }
    }
}

void tmk_report_latency(const struct tmk_writer *writers,
                        const struct tmk_report_run *run,
                        const struct tmk_result_test *test)
{
    for (const struct tmk_writer *w = writers; more(w, run); w++) {
        if (w->ops->latency != NULL) {
            w->ops->latency(w->state, run, test);
        }
    }
}

void tmk_report_ranks(const struct tmk_writer *writers,
                      const struct tmk_report_run *run,
                      const struct tmk_result_test *test,
                      const struct tmk_result_ranks *ranks)
{
    for (const struct tmk_writer *w = writers; more(w, run); w++) {
        if (w->ops->ranks != NULL) {
            w->ops->ranks(w->state, test, ranks);
        }
    }
}

void tmk_report_test_end(const struct tmk_writer *writers,
                         const struct tmk_report_run *run,
                         const struct tmk_result_test *test)
{
    for (const struct tmk_writer *w = writers; more(w, run); w++) {
        if (w->ops->test_end != NULL) {
            w->ops->test_end(w->state, run, test);
        }
    }
}

void tmk_report_end(const struct tmk_writer *writers,
                    const struct tmk_report_run *run,
                    const struct tmk_result *result)
{
    for (const struct tmk_writer *w = writers; more(w, run); w++) {
        if (w->ops->end != NULL) {
            w->ops->end(w->state, run, result);
        }
    }
}
