/*
 * Whether a result agrees with itself.  tests/data/io500 is a run of the
 * original, in extended mode, of a second for each phase.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/io500_verify.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define VERSION  "io500-isc26_v2-26-g02091cf254d8"

struct run {
    struct tmk_io500_conf conf;
    char *config, *result, *summary;
};

static char *read_file(const char *name)
{
    char path[256];
    char *text = calloc(1, 1 << 16);
    FILE *f;

    (void)snprintf(path, sizeof(path), "tests/data/io500/%s", name);
    f = fopen(path, "r");
    if (f == NULL || text == NULL || fread(text, 1, (1 << 16) - 1, f) == 0) {
        print_error("%s cannot be read: run this in the project's directory\n",
                    path);
        free(text);
        text = NULL;
    }
    if (f != NULL) {
        (void)fclose(f);
    }
    return text;
}

static int enter(void **state)
{
    struct run *run = calloc(1, sizeof(*run));
    char why[512];

    if (run == NULL) {
        return -1;
    }
    *state = run;
    run->config = read_file("config.ini");
    run->result = read_file("result.txt");
    run->summary = read_file("result_summary.txt");
    tmk_io500_conf_init(&run->conf);
    return run->config != NULL && run->result != NULL && run->summary != NULL
               ? tmk_io500_conf_read(&run->conf, "config.ini", run->config, why,
                                     sizeof(why))
               : -1;
}

static int leave(void **state)
{
    struct run *run = *state;

    tmk_io500_conf_fini(&run->conf);
    free(run->config);
    free(run->result);
    free(run->summary);
    free(run);
    return 0;
}

/* Put `with` in the place of the first `what`, of the same length. */
static void replace(char *text, const char *what, const char *with)
{
    char *at = strstr(text, what);

    assert_non_null(at);
    assert_int_equal(strlen(what), strlen(with));
    for (size_t i = 0; with[i] != '\0'; i++) {
        at[i] = with[i];
    }
}

static void check(const struct run *run, enum tmk_io500_verdict want,
                  const char *line)
{
    char *said = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&said, &size);
    enum tmk_io500_verdict got =
        tmk_io500_verify(&run->conf, run->result, run->summary, VERSION, to);

    assert_int_equal(fclose(to), 0);
    if (got != want || strstr(said, line) == NULL) {
        fail_msg("%d, and said: %s", (int)got, said);
    }
    free(said);
}

static void the_original_s_result_is_right_and_invalid(void **state)
{
    check(*state, TMK_IO500_INVALID, "[OK] But this is an invalid run!\n");
}

static void a_changed_score_is_found(void **state)
{
    struct run *run = *state;

    replace(run->result, "score           = 0.469996",
            "score           = 9.469996");
    check(run, TMK_IO500_WRONG, "ERROR: Score hash expected: \"");
    check(run, TMK_IO500_WRONG, "the phases make MD 152.87842");
    check(run, TMK_IO500_WRONG,
          "ERROR: ior-easy-write is 0.469996 in the "
          "summary, 9.469996 in the result");
}

static void a_changed_mean_is_found(void **state)
{
    struct run *run = *state;

    replace(run->result, "SCORE           = 21.263852",
            "SCORE           = 29.263852");
    check(run, TMK_IO500_WRONG,
          "ERROR: Extended score hash expected: "
          "\"");
    check(run, TMK_IO500_WRONG,
          "ERROR: [SCOREX] MD 256.092691, BW 1.765577, "
          "SCORE 29.263852: the phases make ");
}

static void a_mark_that_is_gone_is_found(void **state)
{
    struct run *run = *state;

    replace(run->result, "16.429201 [INVALID]", "16.429201          ");
    check(run, TMK_IO500_WRONG,
          "ERROR: [SCORE] is not marked [INVALID], its hash says the opposite");
}

/* Hashes can be made by everybody; the times are looked at as well. */
static void a_valid_run_has_taken_its_time(void **state)
{
    struct run *run = *state;

    replace(run->result, "16.429201 [INVALID]", "16.429201          ");
    replace(run->result, "EF5A49DA", "EF533BDD");
    check(run, TMK_IO500_INVALID,
          "INVALID: ior-easy-write took 1.0763 s, the least is 300\n");
    check(run, TMK_IO500_INVALID, "INVALID: stonewall-time is 1, not 300\n");
}

static void another_configuration_is_found(void **state)
{
    struct run *run = *state;

    run->conf.debug.stonewall_time = "2";
    check(run, TMK_IO500_WRONG, "ERROR: Configuration hash expected: ");
}

static void a_result_that_is_cut_is_no_result(void **state)
{
    struct run *run = *state;
    size_t length = strlen(run->result);

    *strstr(run->result, "[SCORE]") = '\0';
    check(run, TMK_IO500_WRONG, "ERROR: no [SCORE] with a hash");
    for (size_t i = 0; i < length; i += 97) {
        run->result[length - i] = '\0';
        check(run, TMK_IO500_WRONG, "ERROR: ");
    }
    run->result[0] = '\0';
    check(run, TMK_IO500_WRONG, "ERROR: no [SCORE] with a hash");
    run->result[0] = '?';
    run->result[1] = '\0';
    check(run, TMK_IO500_WRONG, "ERROR: line 1 is none of a result");
}

static void lines_of_summaries_are_read(void **state)
{
    static const struct {
        const char *text;
        bool is_one, invalid, extended;
        enum tmk_io500_phase phase;
        double score, seconds, total;
    } rows[] = {
        {"[RESULT]       ior-easy-write        0.469996 GiB/s : time 1.076 "
         "seconds [INVALID]",
         true, true, false, TMK_IO500_P_IOR_EASY_WRITE, 0.469996, 1.076, 0},
        {"[RESULT]       ior-easy-read 6.647264 GiB/s : time 0.078 seconds",
         true, false, false, TMK_IO500_P_IOR_EASY_READ, 6.647264, 0.078, 0},
        {"[RESULT-invalid] find 3.5 kIOPS : time 2.000 seconds", true, true,
         false, TMK_IO500_P_FIND, 3.5, 2, 0},
        {"[      ]            timestamp        0.000000 kIOPS : time 0.000 "
         "seconds",
         true, false, false, TMK_IO500_P_TIMESTAMP, 0, 0, 0},
        {"[ ] timestamp 0.000000 kIOPS : time 0.001 seconds", true, false,
         false, TMK_IO500_P_TIMESTAMP, 0, 0.001, 0},
        {"[RESULT] something-new 1.0 kIOPS : time 2.0 seconds", true, false,
         false, TMK_IO500_PHASES, 1, 2, 0},
        {"[SCORE ] Bandwidth 1.765577 GiB/s : IOPS 152.878423 kiops : TOTAL "
         "16.429201 [INVALID]",
         true, true, false, TMK_IO500_PHASES, 0, 0, 16.429201},
        {"[SCORE-invalid] Bandwidth 1.0 GiB/s : IOPS 4.0 kiops : TOTAL 2.0",
         true, true, false, TMK_IO500_PHASES, 0, 0, 2},
        {"[SCOREX] Bandwidth 1.0 GiB/s : IOPS 4.0 kiops : TOTAL 2.0\r", true,
         false, true, TMK_IO500_PHASES, 0, 0, 2},
        {"IO500 version io500-isc26 (standard)", false, false, false,
         TMK_IO500_PHASES, 0, 0, 0},
        {"", false, false, false, TMK_IO500_PHASES, 0, 0, 0},
        {"[RESULT", false, false, false, TMK_IO500_PHASES, 0, 0, 0},
        {"[RESULT] find", false, false, false, TMK_IO500_PHASES, 0, 0, 0},
        {"[RESULT] find 3.5 kIOPS : ti", false, false, false, TMK_IO500_PHASES,
         0, 0, 0},
        {"[SCORE ] Bandwidth 1 GiB/s : IOPS", false, false, false,
         TMK_IO500_PHASES, 0, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_io500_summary_line line;
        bool is_one =
            tmk_io500_summary_parse(rows[i].text, strlen(rows[i].text), &line);

        if (is_one != rows[i].is_one) {
            fail_msg("'%s' is %sa result", rows[i].text, is_one ? "" : "not ");
        }
        if (is_one) {
            assert_int_equal(line.invalid, rows[i].invalid);
            assert_int_equal(line.extended, rows[i].extended);
            assert_int_equal(line.phase, rows[i].phase);
            assert_float_equal(line.score, rows[i].score, 0);
            assert_float_equal(line.seconds, rows[i].seconds, 0);
            assert_float_equal(line.total, rows[i].total, 0);
        }
    }
}

#define OF_A_RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        OF_A_RUN(the_original_s_result_is_right_and_invalid),
        OF_A_RUN(a_changed_score_is_found),
        OF_A_RUN(a_changed_mean_is_found),
        OF_A_RUN(a_mark_that_is_gone_is_found),
        OF_A_RUN(a_valid_run_has_taken_its_time),
        OF_A_RUN(another_configuration_is_found),
        OF_A_RUN(a_result_that_is_cut_is_no_result),
        cmocka_unit_test(lines_of_summaries_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
