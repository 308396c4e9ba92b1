/*
 * What makes a phase or a run invalid, and how long a run will take.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/io500_left.h"
#include "bench/io500_rules.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Of 300 s, as a valid run has it. */
static struct tmk_io500_done good(void)
{
    return (struct tmk_io500_done){
        .score = 1,
        .engine_s = 301,
        .wall_s = 302,
        .limited = true,
        .limit_hit = true,
        .found = 5,
        .expected = UINT64_MAX,
        .counts = 2,
    };
}

static bool has(const struct tmk_io500_reasons *reasons, const char *code,
                bool invalidates)
{
    for (size_t i = 0; i < reasons->n; i++) {
        if (strcmp(reasons->list[i].code, code) == 0 &&
            reasons->list[i].invalidates == invalidates) {
            return true;
        }
    }
    return false;
}

static void a_phase_without_fault_has_no_reasons(void **state)
{
    struct tmk_io500_done done = good();
    struct tmk_io500_conf conf;

    (void)state;
    tmk_io500_conf_init(&conf);
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        struct tmk_io500_reasons reasons = {.n = 0};

        tmk_io500_rules_phase(&conf, (enum tmk_io500_phase)i, &done, &reasons);
        assert_int_equal(reasons.n, 0);
    }
    tmk_io500_conf_fini(&conf);
}

/* One thing is otherwise than in good(). */
enum change {
    REFUSED,
    NOT_BEGUN,
    BY_SIGNAL,
    STATUS_1,
    FAILED,
    FULL,
    WRONG,
    ENGINE_SHORT,
    WALL_SHORT,
    BY_SIZE,
    NOTHING_FOUND,
    OTHERS_FOUND,
    SCRIPT,
    ROUNDS,
    NO_SCORE,
    CUT,
    OWN,
    CACHES,
};

static void change(struct tmk_io500_done *done, enum change what)
{
    switch (what) {
    case REFUSED: done->status = 2; break;
    case NOT_BEGUN: done->status = -5; break;
    case BY_SIGNAL: done->status = 130; break;
    case STATUS_1: done->status = 1; break;
    case FULL: done->full = true; /* fallthrough */
    case FAILED: done->failed = 3; break;
    case WRONG:
        done->failed = 3;
        done->wrong = 3;
        break;
    case ENGINE_SHORT: done->engine_s = 299.5; break;
    case WALL_SHORT: done->wall_s = 299.5; break;
    case BY_SIZE: done->limit_hit = false; break;
    case NOTHING_FOUND: done->found = 0; break;
    case OTHERS_FOUND: done->expected = 6; break;
    case SCRIPT:
        done->external = true;
        done->script_status = 1;
        break;
    case ROUNDS: done->counts = 1; break;
    case NO_SCORE: done->score = 0; break;
    case CUT: done->cut = true; break;
    case OWN: done->own_share = 0.5; break;
    case CACHES: done->caches_kept = true; break;
    }
}

static void each_fault_has_its_reason(void **state)
{
    static const struct {
        enum change what;
        enum tmk_io500_phase phase;
        const char *code;
        bool invalidates;
    } rows[] = {
        {REFUSED, TMK_IO500_P_IOR_EASY_READ, "REFUSED", true},
        {NOT_BEGUN, TMK_IO500_P_TIMESTAMP, "NOT_RUN", true},
        {BY_SIGNAL, TMK_IO500_P_MDTEST_EASY_STAT, "INTERRUPTED", true},
        {STATUS_1, TMK_IO500_P_MDTEST_EASY_STAT, "FAILED", true},
        {FAILED, TMK_IO500_P_MDTEST_HARD_WRITE, "FAILED", true},
        {FULL, TMK_IO500_P_IOR_HARD_WRITE, "FAILED", true},
        {WRONG, TMK_IO500_P_MDTEST_HARD_READ, "WRONG_DATA", true},
        {ENGINE_SHORT, TMK_IO500_P_IOR_EASY_WRITE, "TOO_SHORT", true},
        {WALL_SHORT, TMK_IO500_P_MDTEST_EASY_WRITE, "TOO_SHORT", true},
        {WALL_SHORT, TMK_IO500_P_MDTEST_EASY_WRITE, "BELOW_MINIMUM", true},
        {BY_SIZE, TMK_IO500_P_IOR_HARD_WRITE, "SIZE_LIMITED", false},
        {NOTHING_FOUND, TMK_IO500_P_FIND, "FOUND_NOTHING", true},
        {OTHERS_FOUND, TMK_IO500_P_FIND, "FOUND_OTHERS", true},
        {SCRIPT, TMK_IO500_P_FIND, "FIND_FAILED", true},
        {ROUNDS, TMK_IO500_P_MDWORKBENCH_BENCH, "INCOMPLETE", true},
        {NO_SCORE, TMK_IO500_P_MDTEST_EASY_DELETE, "NO_SCORE", true},
        {CUT, TMK_IO500_P_IOR_HARD_WRITE, "WEAROUT_LIMIT", true},
        {OWN, TMK_IO500_P_IOR_EASY_READ, "SAME_NODE_READ", false},
        {CACHES, TMK_IO500_P_IOR_EASY_READ, "CACHES_KEPT", false},
    };
    struct tmk_io500_conf conf;

    (void)state;
    tmk_io500_conf_init(&conf);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_io500_reasons reasons = {.n = 0};
        struct tmk_io500_done done = good();

        change(&done, rows[i].what);
        tmk_io500_rules_phase(&conf, rows[i].phase, &done, &reasons);
        if (!has(&reasons, rows[i].code, rows[i].invalidates)) {
            fail_msg("row %zu: no %s", i, rows[i].code);
        }
        assert_int_equal(tmk_io500_reasons_invalidate(&reasons),
                         rows[i].invalidates);
    }
    tmk_io500_conf_fini(&conf);
}

static void a_read_may_be_short(void **state)
{
    struct tmk_io500_done done = good();
    struct tmk_io500_reasons reasons = {.n = 0};
    struct tmk_io500_conf conf;

    (void)state;
    tmk_io500_conf_init(&conf);
    done.engine_s = 1;
    done.wall_s = 1;
    done.limited = false;
    tmk_io500_rules_phase(&conf, TMK_IO500_P_IOR_EASY_READ, &done, &reasons);
    assert_int_equal(reasons.n, 0);
    tmk_io500_conf_fini(&conf);
}

static void how_a_run_is_asked_for_can_make_it_invalid(void **state)
{
    static const struct {
        const char *ini, *code; /* NULL = none */
        bool resumed, limit, one_left_out;
    } rows[] = {
        {"", NULL, false, false, false},
        {"[debug]\nstonewall-time = 30\n[global]\nscc = TRUE\n", NULL, false,
         false, false},
        {"[find-easy]\nrun = FALSE\n", NULL, false, false, false},
        {"[debug]\nstonewall-time = 299\n", "STONEWALL_TIME", false, false,
         false},
        {"[global]\nscc = TRUE\n", "STONEWALL_TIME", false, false, false},
        {"[mdtest-hard]\nfiles-per-dir = 9\n", "FILES_PER_DIR", false, false,
         false},
        {"[debug]\npause-dir = x\n", "PAUSED", false, false, false},
        {"[find]\nrun = FALSE\n", "PHASES_LEFT_OUT", false, false, false},
        {"[ior-easy]\nrun = FALSE\n", "PHASES_LEFT_OUT", false, false, false},
        {"", "RESUMED", true, false, false},
        {"", "WEAROUT_LIMIT", false, true, false},
        {"", "PHASES_LEFT_OUT", false, false, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool wants[TMK_IO500_PHASES];
        struct tmk_io500_run_rules run = {.resumed = rows[i].resumed,
                                          .wearout_limit = rows[i].limit,
                                          .wants = wants};
        struct tmk_io500_reasons reasons = {.n = 0};
        struct tmk_io500_conf conf;
        char why[256];

        for (unsigned k = 0; k < TMK_IO500_PHASES; k++) {
            wants[k] = !rows[i].one_left_out || k != 0;
        }
        tmk_io500_conf_init(&conf);
        assert_int_equal(
            tmk_io500_conf_read(&conf, "x", rows[i].ini, why, sizeof(why)), 0);
        tmk_io500_rules_run(&conf, &run, &reasons);
        if (rows[i].code == NULL) {
            assert_int_equal(reasons.n, 0);
        } else if (!has(&reasons, rows[i].code, true)) {
            fail_msg("row %zu: no %s", i, rows[i].code);
        }
        tmk_io500_conf_fini(&conf);
    }
}

static void what_is_left_becomes_less(void **state)
{
    struct tmk_io500_done done[TMK_IO500_PHASES] = {0};
    bool over[TMK_IO500_PHASES] = {false};
    bool wanted[TMK_IO500_PHASES];
    const struct tmk_io500_seen seen = {
        .wanted = wanted, .over = over, .done = done};
    struct tmk_io500_conf conf;
    double before_s = 1e9;

    (void)state;
    tmk_io500_conf_init(&conf);
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        wanted[i] = true;
        done[i].wall_s = 301; /* as it was expected */
    }
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        enum tmk_io500_phase phase = (enum tmk_io500_phase)i;
        double left_s = tmk_io500_left_s(&conf, &seen, phase);

        assert_true(left_s < before_s || phase == TMK_IO500_P_TIMESTAMP);
        assert_int_equal(tmk_io500_left_step(wanted, phase), i + 1);
        before_s = left_s;
        over[i] = true;
    }
    assert_true(before_s == 0);
    assert_int_equal(tmk_io500_left_steps(wanted), TMK_IO500_PHASES);
    tmk_io500_conf_fini(&conf);
}

static void a_read_takes_as_long_as_the_write_did(void **state)
{
    struct tmk_io500_done done[TMK_IO500_PHASES] = {0};
    bool over[TMK_IO500_PHASES] = {false};
    bool wanted[TMK_IO500_PHASES] = {false};
    const struct tmk_io500_seen seen = {
        .wanted = wanted, .over = over, .done = done};
    struct tmk_io500_conf conf;

    (void)state;
    tmk_io500_conf_init(&conf);
    wanted[TMK_IO500_P_IOR_EASY_READ] = true;
    assert_true(tmk_io500_left_s(&conf, &seen, TMK_IO500_P_FIND) == 301);
    done[TMK_IO500_P_IOR_EASY_WRITE].wall_s = 420;
    over[TMK_IO500_P_IOR_EASY_WRITE] = true;
    assert_true(tmk_io500_left_s(&conf, &seen, TMK_IO500_P_FIND) == 420);
    tmk_io500_conf_fini(&conf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_phase_without_fault_has_no_reasons),
        cmocka_unit_test(each_fault_has_its_reason),
        cmocka_unit_test(a_read_may_be_short),
        cmocka_unit_test(how_a_run_is_asked_for_can_make_it_invalid),
        cmocka_unit_test(what_is_left_becomes_less),
        cmocka_unit_test(a_read_takes_as_long_as_the_write_did),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
