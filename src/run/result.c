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

void tmk_result_row_add(struct tmk_result_row *row,
                        const struct tmk_phase_result *phase,
                        uint64_t barrier_ns)
{
    row->ran = true;
    tmk_stats_add(&row->rate_per_s, phase->rate_per_s);
    tmk_stats_add(&row->time_s, tmk_units_seconds(phase->time_ns));
    row->operations += phase->operations;
    row->failed += phase->failed;
    row->missed += phase->missed;
    for (size_t i = 0; i < TMK_ERRNUM_SLOTS; i++) {
        row->failed_by[i] += phase->failed_by[i];
    }
    if (phase->time_ns < tmk_result_short_ns(barrier_ns)) {
        row->too_short++;
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
