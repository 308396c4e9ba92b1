#ifndef TMK_BENCH_MDTEST_KNOWN_H
#define TMK_BENCH_MDTEST_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/mdtest_phases.h"
#include "run/result.h"

/* Who does what in a phase on items, and what is known of those items. */

/* The ranks whose part in a phase this rank does: first, and how many. */
struct tmk_mdtest_duty {
    uint32_t first, n;
};

struct tmk_mdtest_duty
tmk_mdtest_known_duty(const struct tmk_mdtest_run *run,
                      const struct tmk_mdtest_phase_row *row);

/* Whether rank 0 does a phase on items for all (-c). */
bool tmk_mdtest_known_for_all(const struct tmk_mdtest_run *run,
                              const struct tmk_mdtest_phase_row *row);

/* Items of a task in one loop directory. */
uint64_t tmk_mdtest_known_slots(const struct tmk_mdtest_plan *plan);

/*
 * Items of a task that rank 0 creates before it goes on to the next task (-c):
 * those of a loop directory, or with a stonewall one, so that all tasks have
 * as many whenever it comes to an end.
 */
uint64_t tmk_mdtest_known_turn(const struct tmk_mdtest_plan *plan);

/* What rank 0 made for an owner (-c). */
void tmk_mdtest_known_made_for(const struct tmk_mdtest_run *run,
                               enum tmk_mdtest_target target, uint64_t owner,
                               struct tmk_mdtest_made *made);

/*
 * What the owner of a rank's items in a phase made: run->theirs.  If a creation
 * was incomplete, that is asked from the owner, which takes every rank.
 */
void tmk_mdtest_known_learn(struct tmk_mdtest_run *run,
                            enum tmk_mdtest_phase which, uint32_t rank);

/* After creating: how far the ranks came.  Completes result->wall.
 * Collective. */
void tmk_mdtest_known_note_all(struct tmk_mdtest_run *run,
                               enum tmk_mdtest_target target,
                               struct tmk_phase_result *result);

#endif
