/*
 * ior_row: a phase in the numbers of ior's rows (spec/ior.md 4).
 */
#include "bench/ior_row.h"

#include "base/units.h"

static const double unknown = -1.0;

static double rate(double amount, double time_s)
{
    return time_s > 0.0 ? amount / time_s : unknown;
}

/* Of `bytes` that were moved in one direction. */
static struct tmk_ior_row row_of(const char *access, uint64_t bytes,
                                 const struct tmk_ior_test *test,
                                 const struct tmk_ior_phase *phase)
{
    const double kib = 1024.0;
    const struct tmk_ior_plan *plan = test->plan;
    const double transfer_s = tmk_units_seconds(phase->transfer_ns);
    const double total_s = tmk_units_seconds(phase->total_ns);
    const uint64_t transfers =
        plan->transfer_bytes != 0 ? bytes / plan->transfer_bytes : 0;

    return (struct tmk_ior_row){
        .access = access,
        .mib_per_s = rate((double)bytes / (kib * kib), total_s),
        .iops = rate((double)transfers, transfer_s),
        .latency_s = phase->transfers != 0
                         ? tmk_units_seconds(phase->best_mean_ns)
                         : unknown,
        .block_kib = (double)plan->block_bytes / kib,
        .transfer_kib = (double)plan->transfer_bytes / kib,
        .open_s = tmk_units_seconds(phase->open_ns),
        .transfer_s = transfer_s,
        .close_s = tmk_units_seconds(phase->close_ns),
        .total_s = total_s,
        .repetition = phase->repetition,
        .pass = phase->pass,
    };
}

/* One way of a phase that goes both. */
static struct tmk_ior_row side_of(const char *access, int side, uint64_t bytes,
                                  const struct tmk_ior_test *test,
                                  const struct tmk_ior_phase *phase)
{
    const uint64_t mean_ns = phase->side_mean_ns[side];
    struct tmk_ior_row row = row_of(access, bytes, test, phase);

    row.latency_s = mean_ns != 0 ? tmk_units_seconds(mean_ns) : unknown;
    row.mixed = true;
    return row;
}

size_t tmk_ior_row_make(struct tmk_ior_row rows[TMK_IOR_ROW_MAX],
                        const struct tmk_ior_test *test,
                        const struct tmk_ior_phase *phase)
{
    switch (phase->access) {
    case TMK_IOR_WRITE:
        rows[0] = row_of("write", phase->moved_bytes, test, phase);
        return 1;
    case TMK_IOR_READ:
        rows[0] = row_of("read", phase->moved_bytes, test, phase);
        return 1;
    case TMK_IOR_MIX:
        rows[0] = side_of("write", TMK_IOR_WRITE,
                          phase->moved_bytes - phase->read_bytes, test, phase);
        rows[1] = side_of("read", TMK_IOR_READ, phase->read_bytes, test, phase);
        rows[2] = row_of("mixed", phase->moved_bytes, test, phase);
        return 3;
    case TMK_IOR_REMOVE: break;
    }
    rows[0] = (struct tmk_ior_row){
        .access = "remove",
        .mib_per_s = unknown,
        .iops = unknown,
        .latency_s = unknown,
        .block_kib = unknown,
        .transfer_kib = unknown,
        .open_s = unknown,
        .transfer_s = unknown,
        .close_s = unknown,
        .total_s = tmk_units_seconds(phase->total_ns),
        .repetition = phase->repetition,
    };
    return 1;
}
