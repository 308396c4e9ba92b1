/*
 * result: folding phases into rows.
 */
#include "run/result.h"

#include "base/units.h"

uint64_t tmk_result_short_ns(uint64_t barrier_ns)
{
    const uint64_t least_ns = 1000000;
    uint64_t hundred =
        barrier_ns < UINT64_MAX / 100 ? 100 * barrier_ns : UINT64_MAX;

    return hundred > least_ns ? hundred : least_ns;
}

static void add_latency(struct tmk_result_latency *l,
                        const struct tmk_phase_result *phase)
{
    const uint64_t n = tmk_hist_total(&phase->latency);

    if (n == 0) {
        return;
    }
    if (l->operations == 0 || phase->min_op_ns < l->min_ns) {
        l->min_ns = phase->min_op_ns;
    }
    if (l->operations == 0 || phase->max_op.time_ns > l->max.time_ns) {
        l->max = phase->max_op;
    }
    l->operations += n;
    l->sum_ns += phase->mean_op_ns * (double)n;
    tmk_hist_add(&l->hist, &phase->latency);
}

/* How much longer the slowest rank took, as a share of its time. */
static double unevenness(struct tmk_result_rank fastest,
                         struct tmk_result_rank slowest)
{
    return slowest.time_ns != 0 ? (double)(slowest.time_ns - fastest.time_ns) /
                                      (double)slowest.time_ns
                                : 0.0;
}

static void add_uneven(struct tmk_result_row *row,
                       const struct tmk_phase_result *phase)
{
    const int iteration = (int)row->rate_per_s.n - 1;
    double worst = TMK_RESULT_UNEVEN;

    if (row->uneven.found) {
        worst = unevenness(row->uneven.fastest, row->uneven.slowest);
    }
    if (unevenness(phase->fastest, phase->slowest) > worst) {
        row->uneven = (struct tmk_result_uneven){
            .found = true,
            .iteration = iteration,
            .fastest = phase->fastest,
            .slowest = phase->slowest,
            .waiting_share = phase->waiting_share,
        };
    }
}

bool tmk_result_has_latency(const struct tmk_phase_result *phase)
{
    return phase->operations + phase->failed != 0 &&
           tmk_hist_total(&phase->latency) != 0;
}

uint64_t tmk_result_percentile_ns(const struct tmk_phase_result *phase,
                                  double percent)
{
    uint64_t ns = tmk_hist_percentile_ns(&phase->latency, percent);

    return ns < phase->max_op_ns ? ns : phase->max_op_ns;
}

void tmk_result_row_add(struct tmk_result_row *row,
                        const struct tmk_phase_result *phase,
                        uint64_t barrier_ns)
{
    row->ran = true;
    tmk_stats_add(&row->rate_per_s, phase->rate_per_s);
    tmk_stats_add(&row->time_s, tmk_units_seconds(phase->time_ns));
    if (phase->transfer.on) {
        tmk_stats_add(&row->bytes_per_s, phase->transfer.bytes_per_s);
    }
    row->operations += phase->operations;
    row->failed += phase->failed;
    row->missed += phase->missed;
    for (size_t i = 0; i < TMK_ERRNUM_SLOTS; i++) {
        row->failed_by[i] += phase->failed_by[i];
    }
    if (phase->time_ns < tmk_result_short_ns(barrier_ns)) {
        row->too_short++;
    } else {
        add_uneven(row, phase);
    }
    if (row->latency != NULL) {
        add_latency(row->latency, phase);
    }
    row->foreign_share = phase->foreign_share;
}

uint64_t tmk_result_items(const struct tmk_result_test *test,
                          const struct tmk_result_cell *cells)
{
    uint64_t most = 0;

    for (size_t i = 0; i < test->n_rows; i++) {
        uint64_t tried = cells[i].operations + cells[i].failed;

        if (!test->rows[i].tree && tried > most) {
            most = tried;
        }
    }
    return most < test->items ? most : test->items;
}
