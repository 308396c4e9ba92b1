/*
 * Ranks of ior that make their calls together, though one is over, has less to
 * do or is interrupted.
 */
#include "mpi/ior_ways.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>

/* It is over on one rank before the first transfer, for a signal maybe. */
static void who_is_over_too_early_goes_along(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (int who = LAST; who <= 0; who++) {
            for (int access = TMK_IOR_WRITE; access <= TMK_IOR_READ; access++) {
                begin(b, &ways[i], NULL);
                go_all(b, TMK_IOR_WRITE);
                if (is_who(b, who)) {
                    b->engine.set_over = &b->run.phase.over;
                }
                go_all(b, (enum tmk_ior_access)access);
                assert_sane(b);
                assert_int_equal(b->result.failed, 0);
                end(b);
            }
        }
    }
}

static void ask_unequal(struct tmk_ior_conf *c)
{
    c->semantics = TMK_IOR_AS_IOR_4_1;
    c->random_offset = 1;
    c->block_bytes = UINT64_C(100) * TRANSFER;
}

/* The original's -z gives ranks unequal shares of a shared file. */
static void ranks_may_have_unequal_shares(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (int access = TMK_IOR_WRITE; access <= TMK_IOR_READ; access++) {
            uint64_t own;

            if (ways[i].ask == ask_each || ways[i].ask == ask_each_together) {
                continue;
            }
            begin(b, &ways[i], ask_unequal);
            b->plan.checks_read = false;
            go_all(b, (enum tmk_ior_access)access);
            own = b->run.offsets.count;
            assert_sane(b);
            assert_int_equal(b->result.failed, 0);
            assert_int_equal(b->result.missed, 0);
            assert_int_equal(sum_of_all(own), planned(b));
            if (b->conf.wear_out == 0) {
                assert_int_equal(b->engine.called[MOVE], own);
                assert_int_equal(b->result.operations, planned(b));
            }
            end(b);
        }
    }
}

static void ask_many(struct tmk_ior_conf *c)
{
    c->segments = 100;
}

/*
 * The last case: this process has noted a signal for good.
 */
static void a_signal_on_one_rank_ends_the_phase_on_all(void **state)
{
    struct bench *b = *state;

    tmk_job_catch_signals();
    if (is_who(b, LAST)) {
        raise(SIGTERM);
    }
    for (size_t i = 0; i < COUNT(ways); i++) {
        for (int access = TMK_IOR_WRITE; access <= TMK_IOR_READ; access++) {
            begin(b, &ways[i], ask_many);
            b->engine.nap_us[MOVE] = 1000;
            b->plan.checks_read = false;
            go_all(b, (enum tmk_ior_access)access);
            assert_sane(b);
            assert_int_equal(b->result.interrupted, SIGTERM);
            assert_int_equal(b->result.failed, 0);
            assert_int_equal(b->result.operations + b->result.missed,
                             planned(b));
            assert_true(b->result.operations < planned(b) / 4);
            end(b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_over_too_early_goes_along),
        cmocka_unit_test(ranks_may_have_unequal_shares),
        cmocka_unit_test(a_signal_on_one_rank_ends_the_phase_on_all),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
