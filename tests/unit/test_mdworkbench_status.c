#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/pattern.h"
#include "bench/mdworkbench_status.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* What a launch with these defaults and 4 ranks would write. */
static void make_plan(struct tmk_mdworkbench_conf *conf,
                      struct tmk_mdworkbench_plan *plan)
{
    char why[256];

    tmk_mdworkbench_conf_init(conf);
    assert_int_equal(
        tmk_mdworkbench_plan_make(plan, conf, 4, false, why, sizeof(why)), 0);
}

static void what_was_written_is_read_again(void **state)
{
    struct tmk_mdworkbench_conf conf;
    struct tmk_mdworkbench_plan plan;
    struct tmk_mdworkbench_status status;
    struct tmk_mdworkbench_status got;
    char text[TMK_MDWORKBENCH_STATUS_SIZE];
    char again[TMK_MDWORKBENCH_STATUS_SIZE];
    size_t n;

    (void)state;
    make_plan(&conf, &plan);
    conf.pattern_kind = TMK_PATTERN_NOISE;
    for (int i = 0; i < 4; i++) {
        status = tmk_mdworkbench_status_of(&plan, 17, -5);
        status.made_dir = (i & 1) != 0;
        status.torn = (i & 2) != 0;
        status.first = 3;
        n = tmk_mdworkbench_status_write(&status, text);
        assert_int_equal(n, strlen(text));
        assert_int_equal(strncmp(text, "pos: 17\n", 8), 0);
        assert_int_equal(tmk_mdworkbench_status_read(&got, text), 0);
        assert_true(got.known);
        (void)tmk_mdworkbench_status_write(&got, again);
        assert_string_equal(again, text);
    }
}

static void a_file_of_the_original_says_a_position(void **state)
{
    static const struct {
        const char *text;
        uint64_t pos;
    } rows[] = {
        {"pos: 6\n", 6},
        {"pos: 6", 6},
        {"pos: 12abc\n", 12},
        {"pos: 0\nmore\n", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdworkbench_status got;

        assert_int_equal(tmk_mdworkbench_status_read(&got, rows[i].text), 0);
        assert_int_equal(got.pos, rows[i].pos);
        assert_false(got.known);
    }
}

static void other_texts_are_refused(void **state)
{
    static const char *const rows[] = {
        "",
        "\n",
        "pos:6\n",
        "pos: \n",
        "pos: -3\n",
        "pos: x\n",
        "pos: 99999999999999999999\n",
        "x\npos: 6\n",
        "pos: 6\nstate: whole\n",
        "pos: 6\nranks: 4\ndata-sets: 1\nprecreate-per-set: 3\n"
        "object-size: 1\npattern: nothing\nseed: 1\nfirst: 0\n"
        "directory: made\nstate: whole\n",
        "pos: 6\nranks: 4\ndata-sets: 1\nprecreate-per-set: 3\n"
        "object-size: 1\npattern: noise\nseed: 4294967296\nfirst: 0\n"
        "directory: made\nstate: whole\n",
        "pos: 6\nranks: 4\ndata-sets: 1k\nprecreate-per-set: 3\n"
        "object-size: 1\npattern: noise\nseed: 1\nfirst: 0\n"
        "directory: made\nstate: whole\n",
        "pos: 6\nranks: 4\ndata-sets: 1\nprecreate-per-set: 3\n"
        "object-size: 1\npattern: noise\nseed: 1\nfirst: 0\n"
        "directory: made\nstate: half\n",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdworkbench_status got;

        if (tmk_mdworkbench_status_read(&got, rows[i]) != -EINVAL) {
            fail_msg("taken: %s", rows[i]);
        }
    }
}

static void sets_that_do_not_fit_the_plan_are_refused(void **state)
{
    struct tmk_mdworkbench_conf conf;
    struct tmk_mdworkbench_plan plan;
    char why[512];

    (void)state;
    make_plan(&conf, &plan);
    for (int i = 0; i < 9; i++) {
        struct tmk_mdworkbench_status status =
            tmk_mdworkbench_status_of(&plan, 0, 5);
        const char *names = NULL;

        conf.seed = -1;
        switch (i) {
        case 0: status.ranks++, names = "ranks"; break;
        case 1: status.sets++, names = "-D"; break;
        case 2: status.per_set++, names = "-P"; break;
        case 3: status.bytes++, names = "-S"; break;
        case 4: status.pattern_kind++, names = "--dataPacketType"; break;
        case 5: conf.seed = 6, names = "-G"; break;
        case 6: status.torn = true, names = "-3"; break;
        case 7: conf.seed = 5; break;
        default: status = (struct tmk_mdworkbench_status){.pos = 3}; break;
        }
        why[0] = '\0';
        assert_int_equal(
            tmk_mdworkbench_status_check(&status, &plan, why, sizeof(why)),
            names != NULL ? -EINVAL : 0);
        if (names != NULL && strstr(why, names) == NULL) {
            fail_msg("%s is not named: %s", names, why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_again),
        cmocka_unit_test(a_file_of_the_original_says_a_position),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(sets_that_do_not_fit_the_plan_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
