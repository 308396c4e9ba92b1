#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/opt.h"
#include "bench/mdworkbench_plan.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A command line without quotes into a conf.  0 or what tmk_opt_parse says. */
static int parse(struct tmk_mdworkbench_conf *conf, const char *line,
                 char *text, size_t text_size, char *why, size_t why_size)
{
    enum { MOST = 64 };
    struct tmk_opt_table table = {
        .title = "test",
        .rows = tmk_mdworkbench_opts,
        .n_rows = tmk_mdworkbench_n_opts,
        .gone = tmk_mdworkbench_gone,
        .n_gone = tmk_mdworkbench_n_gone,
        .conf = conf,
    };
    char *argv[MOST] = {(char *)(uintptr_t) "md-workbench"};
    char *save = NULL;
    int argc = 1;

    tmk_mdworkbench_conf_init(conf);
    (void)snprintf(text, text_size, "%s", line);
    for (char *word = strtok_r(text, " ", &save); word != NULL && argc < MOST;
         word = strtok_r(NULL, " ", &save)) {
        argv[argc++] = word;
    }
    return tmk_opt_parse(&table, 1, argc, argv, why, why_size);
}

struct planned {
    struct tmk_mdworkbench_conf conf;
    struct tmk_mdworkbench_plan plan;
    char text[8192];
    char why[512];
};

static int plan_for(struct planned *p, const char *line, uint32_t ranks,
                    bool lenient)
{
    int err =
        parse(&p->conf, line, p->text, sizeof(p->text), p->why, sizeof(p->why));

    if (err == 0) {
        err = tmk_mdworkbench_plan_make(&p->plan, &p->conf, ranks, lenient,
                                        p->why, sizeof(p->why));
    }
    return err;
}

static void plan_well(struct planned *p, const char *line, uint32_t ranks)
{
    if (plan_for(p, line, ranks, false) != 0) {
        fail_msg("%s: %s", line, p->why);
    }
}

static void defaults_are_those_of_the_original(void **state)
{
    struct planned p;

    (void)state;
    plan_well(&p, "", 1);
    assert_int_equal(p.conf.offset, 1);
    assert_int_equal(p.conf.steps, 1000);
    assert_int_equal(p.conf.per_set, 3000);
    assert_int_equal(p.conf.sets, 10);
    assert_int_equal(p.conf.bytes, 3901);
    assert_int_equal(p.conf.iterations, 3);
    assert_int_equal(p.conf.seed, -1);
    assert_string_equal(p.conf.dir, "./out");
    assert_string_equal(p.conf.status_file, "md-workbench.status");
    assert_true(p.plan.precreates && p.plan.benchmarks && p.plan.cleans);
}

static void command_lines_of_the_suite_are_understood(void **state)
{
    static const char line[] =
        "--dataPacketType=timestamp -v --process-reports -a POSIX "
        "-o=/x/mdworkbench -t=0.000000 -O=1 --run-info-file=/r/s -D=10 "
        "-G=-1936528466 -P=4 -I=4 -2 -R=2 -X";
    struct planned p;

    (void)state;
    plan_well(&p, line, 4);
    assert_int_equal(p.conf.seed, -1936528466);
    assert_int_equal(p.conf.verbose, 1);
    assert_int_equal(p.conf.process_reports, 1);
    assert_int_equal(p.conf.verify, 1);
    assert_int_equal(p.plan.runs, 2);
    assert_true(p.plan.benchmarks);
    assert_false(p.plan.precreates || p.plan.cleans);
    assert_string_equal(p.plan.dir, "/x/mdworkbench");
}

static void what_cannot_be_is_refused_by_name(void **state)
{
    static const struct {
        const char *line, *names;
    } rows[] = {
        {"-P 0", "-P"},
        {"-P abc", "-P"},
        {"-P -4", "-P"},
        {"-I 0", "-I"},
        {"-D 0", "-D"},
        {"-S -5", "-S"},
        {"-R -1", "-R"},
        {"-t -2", "-t"},
        {"-t abc", "-t"},
        {"-t nan", "-t"},
        {"-t 1e9", "-t"},
        {"-t 0x1p3", "-t"},
        {"-t 1 -T", "-T"},
        {"-w -1", "-w"},
        {"-o=", "-o"},
        {"-o= -P 3", "-o"},
        {"--dataPacketType=x", "--dataPacketType"},
        {"--dataPacketType=place", "--dataPacketType"},
        {"--latency-all", "--latency-all"},
        {"-D 300m -I 300g", "-I"},
        {"-D 1t -P 1p", "-P"},
        {"-P 1t -S 1p", "-S"},
        {"--start-item=4611686018427387904 -P 1", "-I"},
        {"--allocateBufferOnGPU", "--allocateBufferOnGPU"},
        {"--allocateBufferOnGPU=1", "--allocateBufferOnGPU"},
        {"--allocateBufferOnGPU --process-reports", "--allocateBufferOnGPU"},
        {"--posix.lustre.x=1", "--posix.lustre.x"},
        {"word", "word"},
        {"--nothing", "--nothing"},
        {"-X=-1", "-X"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct planned p;

        if (plan_for(&p, rows[i].line, 2, false) >= 0) {
            fail_msg("%s was taken", rows[i].line);
        }
        if (strstr(p.why, rows[i].names) == NULL ||
            strchr(p.why, '\n') != NULL) {
            fail_msg("%s: %s", rows[i].line, p.why);
        }
    }
}

static void paths_must_leave_room_for_names(void **state)
{
    char line[TMK_MDWORKBENCH_PATH_SIZE + 8] = "-o ";
    struct planned p;

    (void)state;
    memset(line + 3, 'x', TMK_MDWORKBENCH_PATH_SIZE - 1);
    assert_int_equal(plan_for(&p, line, 1, false), -EINVAL);
    line[3 + TMK_MDWORKBENCH_PATH_SIZE - TMK_MDWORKBENCH_NAME_MAX - 2] = '\0';
    plan_well(&p, line, 1);
}

static void nothing_to_do_is_fine_for_hosts(void **state)
{
    struct planned p;

    (void)state;
    assert_int_equal(plan_for(&p, "-P 0 -I 0", 4, true), 0);
    assert_int_equal(p.plan.objects, 0);
    assert_int_equal(p.plan.inodes, 40);
    assert_false(p.plan.in_step);
}

static void without_iterations_there_is_no_benchmark(void **state)
{
    struct planned p;

    (void)state;
    plan_well(&p, "-R 0", 2);
    assert_false(p.plan.benchmarks);
    assert_true(p.plan.precreates && p.plan.cleans);
    plan_well(&p, "-R 0 -I 0", 2);
}

static void phases_are_those_that_are_given(void **state)
{
    static const struct {
        const char *line;
        bool precreates, benchmarks, cleans;
    } rows[] = {
        {"-1", true, false, false},
        {"-2", false, true, false},
        {"-3", false, false, true},
        {"-123", true, true, true},
        {"-3 -1", true, false, true},
        {"--run-precreate --run-benchmark", true, true, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct planned p;

        plan_well(&p, rows[i].line, 1);
        assert_int_equal(p.plan.precreates, rows[i].precreates);
        assert_int_equal(p.plan.benchmarks, rows[i].benchmarks);
        assert_int_equal(p.plan.cleans, rows[i].cleans);
    }
}

static void sets_go_round_as_the_original_has_them(void **state)
{
    static const struct {
        uint32_t ranks;
        const char *offset;
        uint32_t rank;
        uint64_t set;
        uint32_t source, target;
    } rows[] = {
        {4, "-O 1", 0, 0, 3, 1},          {4, "-O 1", 0, 1, 2, 2},
        {4, "-O 1", 0, 2, 1, 3},          {4, "-O 1", 0, 3, 0, 0},
        {4, "-O 1", 3, 4, 2, 0},          {2, "-O 1", 1, 0, 0, 0},
        {2, "-O 1", 1, 1, 1, 1},          {1, "-O 1", 0, 7, 0, 0},
        {3, "-O -1", 0, 0, 1, 2},         {3, "-O -1", 1, 1, 0, 2},
        {3, "-O 100", 0, 0, 2, 1},        {3, "-O 0", 2, 5, 2, 2},
        {3, "-O 2147483647", 0, 0, 2, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct planned p;

        plan_well(&p, rows[i].offset, rows[i].ranks);
        assert_int_equal(
            tmk_mdworkbench_plan_source(&p.plan, rows[i].rank, rows[i].set),
            rows[i].source);
        assert_int_equal(
            tmk_mdworkbench_plan_target(&p.plan, rows[i].rank, rows[i].set),
            rows[i].target);
    }
}

/* Each set loses an object to one rank and gets one from one rank. */
static void sets_stay_balanced(void **state)
{
    (void)state;
    for (uint32_t ranks = 1; ranks <= 7; ranks++) {
        for (int offset = -9; offset <= 9; offset++) {
            struct planned p;
            char line[32];

            (void)snprintf(line, sizeof(line), "-O %d", offset);
            plan_well(&p, line, ranks);
            for (uint64_t set = 0; set < 9; set++) {
                unsigned taken = 0;
                unsigned filled = 0;

                for (uint32_t r = 0; r < ranks; r++) {
                    taken |= 1u << tmk_mdworkbench_plan_source(&p.plan, r, set);
                    filled |= 1u
                              << tmk_mdworkbench_plan_target(&p.plan, r, set);
                }
                assert_int_equal(taken, (1u << ranks) - 1);
                assert_int_equal(filled, (1u << ranks) - 1);
            }
        }
    }
}

static void ranks_meet_where_objects_may_not_be_there_yet(void **state)
{
    static const struct {
        const char *line;
        uint32_t ranks;
        bool in_step;
    } rows[] = {
        {"-P 3 -I 3", 4, false},    {"-P 3 -I 4", 4, true},
        {"-P 3 -I 4", 1, false},    {"-P 3 -I 4 --read-only", 4, false},
        {"-P 3 -I 4 -3", 4, false}, {"-P 3 -I 4 -R 0", 4, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct planned p;

        plan_well(&p, rows[i].line, rows[i].ranks);
        assert_int_equal(p.plan.in_step, rows[i].in_step);
    }
}

static void each_iteration_has_eight_factors_if_adaptive(void **state)
{
    static const double want[] = {0.0, 0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0};
    struct planned p;

    (void)state;
    plan_well(&p, "-T -R 13", 1);
    assert_int_equal(p.plan.runs, 104);
    for (uint64_t run = 0; run < p.plan.runs; run++) {
        assert_true(tmk_mdworkbench_plan_factor(&p.plan, run) ==
                    want[run % COUNT(want)]);
    }
    plan_well(&p, "-t 0.5 -R 2", 1);
    assert_int_equal(p.plan.runs, 2);
    assert_true(tmk_mdworkbench_plan_factor(&p.plan, 1) == 0.5);
}

static void paths_are_those_of_the_original(void **state)
{
    struct planned p;
    char path[TMK_MDWORKBENCH_PATH_SIZE];

    (void)state;
    plan_well(&p, "-o /a/b///", 2);
    tmk_mdworkbench_plan_begin(&p.plan, path);
    assert_int_equal(tmk_mdworkbench_plan_set(&p.plan, path, 12, 0), 9);
    assert_string_equal(path, "/a/b/12_0");
    assert_int_equal(tmk_mdworkbench_plan_object(&p.plan, path, 1, 10, 305),
                     18);
    assert_string_equal(path, "/a/b/1_10/file-305");
    (void)tmk_mdworkbench_plan_object(&p.plan, path, 0, 0, 0);
    assert_string_equal(path, "/a/b/0_0/file-0");
}

static void names_are_known_again(void **state)
{
    static const struct {
        const char *name;
        bool set, object;
    } rows[] = {
        {"0_0", true, false},      {"12_345", true, false},
        {"1_", false, false},      {"_1", false, false},
        {"01_1", false, false},    {"1_01", false, false},
        {"1_1x", false, false},    {"1-1", false, false},
        {"-1_0", false, false},    {"99999999999999999999_0", false, false},
        {"file-0", false, true},   {"file-17", false, true},
        {"file--3", false, false}, {"file-", false, false},
        {"file-07", false, false}, {"file-1.bak", false, false},
        {"file1", false, false},   {"", false, false},
        {"xfile-1", false, false}, {"file-18446744073709551616", false, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t a;
        uint64_t b;

        if (tmk_mdworkbench_plan_is_set(rows[i].name, &a, &b) != rows[i].set ||
            tmk_mdworkbench_plan_is_object(rows[i].name, &a) !=
                rows[i].object) {
            fail_msg("'%s' is taken wrongly", rows[i].name);
        }
    }
}

static void objects_of_other_nodes_are_counted(void **state)
{
    static const struct {
        const char *line;
        uint64_t first, later; /* of all four ranks */
    } rows[] = {
        {"-D 1 -O 1", 2, 4}, /* 0 0 1 1: neighbours; two further on */
        {"-D 1 -O 2", 4, 0}, /* the other node; back again */
        {"-D 2 -O 1", 6, 4},
        {"-D 4 -O 0", 0, 0},
    };
    uint32_t node[4];
    uint32_t at[4];
    uint32_t place[4];
    struct tmk_owner_map map;

    (void)state;
    tmk_owner_block_nodes(node, 2, 2);
    assert_int_equal(tmk_owner_map_init(&map, 4, node, at, place), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct planned p;
        uint64_t first = 0;
        uint64_t later = 0;

        plan_well(&p, rows[i].line, 4);
        for (uint32_t rank = 0; rank < 4; rank++) {
            first += tmk_mdworkbench_plan_foreign(&p.plan, &map, rank, true);
            later += tmk_mdworkbench_plan_foreign(&p.plan, &map, rank, false);
        }
        assert_int_equal(first, rows[i].first);
        assert_int_equal(later, rows[i].later);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_original),
        cmocka_unit_test(command_lines_of_the_suite_are_understood),
        cmocka_unit_test(what_cannot_be_is_refused_by_name),
        cmocka_unit_test(paths_must_leave_room_for_names),
        cmocka_unit_test(nothing_to_do_is_fine_for_hosts),
        cmocka_unit_test(without_iterations_there_is_no_benchmark),
        cmocka_unit_test(phases_are_those_that_are_given),
        cmocka_unit_test(sets_go_round_as_the_original_has_them),
        cmocka_unit_test(sets_stay_balanced),
        cmocka_unit_test(ranks_meet_where_objects_may_not_be_there_yet),
        cmocka_unit_test(each_iteration_has_eight_factors_if_adaptive),
        cmocka_unit_test(paths_are_those_of_the_original),
        cmocka_unit_test(names_are_known_again),
        cmocka_unit_test(objects_of_other_nodes_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
