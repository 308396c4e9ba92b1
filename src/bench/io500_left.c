/*
 * io500_left: how long a run will still take, about.
 */
#include "bench/io500_left.h"

/* Shares of the time of a write phase, for phases that nothing is known of. */
#define LEFT_FIND   0.1
#define LEFT_STAT   0.3
#define LEFT_MDWB   0.2
#define LEFT_BESIDE 1.0 /* s: opening, wearing out, files of results */

/* The phase that wrote what this one works on; TMK_IO500_PHASES = none. */
static enum tmk_io500_phase writer_of(enum tmk_io500_phase phase)
{
    for (unsigned i = 0; i < phase; i++) {
        if (tmk_io500_phase_rows[i].writes &&
            tmk_io500_phase_rows[i].family ==
                tmk_io500_phase_rows[phase].family) {
            return (enum tmk_io500_phase)i;
        }
    }
    return TMK_IO500_PHASES;
}

static double seconds_of(const struct tmk_io500_conf *conf,
                         const struct tmk_io500_seen *seen,
                         enum tmk_io500_phase phase)
{
    const struct tmk_io500_phase_row *row = &tmk_io500_phase_rows[phase];
    enum tmk_io500_phase writer = writer_of(phase);
    double stonewall_s = (double)tmk_io500_stonewall_s(conf);
    double written_s = writer != TMK_IO500_PHASES && seen->over[writer]
                           ? seen->done[writer].wall_s
                           : stonewall_s + LEFT_BESIDE;

    switch (row->benchmark) {
    case TMK_IO500_STAMP: return 0;
    case TMK_IO500_PFIND: return stonewall_s * LEFT_FIND;
    case TMK_IO500_MDWB: return stonewall_s * LEFT_MDWB;
    case TMK_IO500_IOR:
    case TMK_IO500_MDTEST: break;
    }
    if (row->writes || phase == TMK_IO500_P_IOR_RND4K_EASY_READ) {
        return stonewall_s + LEFT_BESIDE;
    }
    return phase == TMK_IO500_P_MDTEST_EASY_STAT ||
                   phase == TMK_IO500_P_MDTEST_HARD_STAT
               ? written_s * LEFT_STAT
               : written_s;
}

double tmk_io500_left_s(const struct tmk_io500_conf *conf,
                        const struct tmk_io500_seen *seen,
                        enum tmk_io500_phase phase)
{
    double left_s = 0;

    for (unsigned i = phase + 1; i < TMK_IO500_PHASES; i++) {
        if (seen->wanted[i] && !seen->over[i]) {
            left_s += seconds_of(conf, seen, (enum tmk_io500_phase)i);
        }
    }
    return left_s;
}

static unsigned count(const bool *wanted, unsigned n)
{
    unsigned steps = 0;

    for (unsigned i = 0; i < n; i++) {
        steps += wanted[i] ? 1 : 0;
    }
    return steps;
}

unsigned tmk_io500_left_step(const bool *wanted, enum tmk_io500_phase phase)
{
    return count(wanted, phase) + 1;
}

unsigned tmk_io500_left_steps(const bool *wanted)
{
    return count(wanted, TMK_IO500_PHASES);
}
