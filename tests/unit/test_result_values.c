/*
 * Rates and latencies of tests in JSON; files of results.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/result_file.h"
#include "bench/result_values.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* From text with ' in place of ". */
static json_t *parse(const char *text)
{
    char buf[2048];
    json_t *value;

    assert_true(strlen(text) < sizeof(buf));
    (void)snprintf(buf, sizeof(buf), "%s", text);
    for (char *at = buf; (at = strchr(at, '\'')) != NULL;) {
        *at = '"';
    }
    value = json_loads(buf, 0, NULL);
    assert_non_null(value);
    return value;
}

static void read_text(struct tmk_result_values *values, const char *text)
{
    json_t *test = parse(text);

    assert_int_equal(tmk_result_values_read(values, test), 0);
    json_decref(test);
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want))) {
        fail_msg("%.15g is not %.15g", got, want);
    }
}

static void each_iteration_is_a_value(void **state)
{
    struct tmk_result_values v;

    (void)state;
    read_text(&v, "{'iterations': ["
                  "{'phases': [{'name': 'stat', 'rate_per_s': 10},"
                  " {'name': 'read', 'rate_per_s': 7.5}]},"
                  "{'phases': [{'name': 'stat', 'rate_per_s': 14}]}],"
                  "'summary': [{'name': 'else', 'unit': 'op/s', 'n': 2,"
                  " 'mean': 3, 'stddev': 1}]}");
    assert_int_equal(v.n, 2);
    assert_string_equal(v.list[0].name, "stat");
    assert_int_equal(v.list[0].rate.n, 2);
    near(v.list[0].rate.mean, 12);
    near(tmk_stats_stddev(&v.list[0].rate), sqrt(8));
    assert_false(v.list[0].bytes || v.list[0].interrupted);
    assert_int_equal(v.list[1].rate.n, 1);
    tmk_result_values_fini(&v);
}

/* Where data is moved, that is what counts. */
static void bytes_go_before_operations(void **state)
{
    struct tmk_result_values v;

    (void)state;
    read_text(&v, "{'iterations': [{'phases': [{'name': 'write', "
                  "'rate_per_s': 10, 'bandwidth_bytes_per_s': 1000}]}]}");
    assert_true(v.list[0].bytes);
    near(v.list[0].rate.mean, 1000);
    tmk_result_values_fini(&v);

    read_text(&v, "{'summary': ["
                  "{'name': 'w', 'unit': 'op/s', 'n': 2, 'mean': 3,"
                  " 'stddev': 1},"
                  "{'name': 'w', 'unit': 's', 'n': 2, 'mean': 4, 'stddev': 1},"
                  "{'name': 'w', 'unit': 'bytes/s', 'n': 2, 'mean': 5,"
                  " 'stddev': 1},"
                  "{'name': 'w', 'unit': 'op/s', 'n': 2, 'mean': 6,"
                  " 'stddev': 1}]}");
    assert_int_equal(v.n, 1);
    assert_true(v.list[0].bytes);
    near(v.list[0].rate.mean, 5);
    tmk_result_values_fini(&v);
}

/* `divisor` is what the text says of the deviation. */
static void a_summary_stands_for_iterations(void **state)
{
    static const struct {
        const char *divisor;
        double want; /* deviation of the sample */
    } rows[] = {
        {"", 2},
        {", 'stddev_of': 'sample'", 2},
        {", 'stddev_of': 'population'", 2.309401076758503}, /* 2 sqrt(4/3) */
        {", 'stddev_of': null", 2.309401076758503},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_result_values v;
        char text[256];

        (void)snprintf(text, sizeof(text),
                       "{'iterations': [], 'summary': [{'name': 'stat', "
                       "'unit': 'op/s', 'n': 4, 'min': 8, 'max': 12, "
                       "'mean': 10, 'stddev': 2%s}]}",
                       rows[i].divisor);
        read_text(&v, text);
        assert_int_equal(v.n, 1);
        assert_int_equal(v.list[0].rate.n, 4);
        near(v.list[0].rate.mean, 10);
        near(v.list[0].rate.min, 8);
        near(v.list[0].rate.max, 12);
        near(tmk_stats_stddev(&v.list[0].rate), rows[i].want);
        tmk_result_values_fini(&v);
    }
}

/* A deviation that is not known is not one of 0. */
static void a_mean_without_deviation_is_one_value(void **state)
{
    struct tmk_result_values v;

    (void)state;
    read_text(&v, "{'summary': ["
                  "{'name': 'a', 'unit': 'op/s', 'n': 5, 'mean': 10,"
                  " 'stddev': null, 'failed_operations': 3},"
                  "{'name': 'b', 'unit': 'op/s', 'n': 5, 'mean': null,"
                  " 'stddev': 1},"
                  "{'name': 'c', 'unit': 'op/s', 'n': 0, 'mean': 1},"
                  "{'name': 'd', 'unit': 'op/s', 'n': 3, 'mean': 10,"
                  " 'stddev': 0}]}");
    assert_int_equal(v.n, 2);
    assert_int_equal(v.list[0].rate.n, 1);
    assert_int_equal(v.list[0].failed, 3);
    assert_int_equal(v.list[1].rate.n, 3);
    near(tmk_stats_stddev(&v.list[1].rate), 0);
    tmk_result_values_fini(&v);
}

static void what_spoils_a_value_is_kept(void **state)
{
    struct tmk_result_values v;

    (void)state;
    read_text(
        &v,
        "{'iterations': [{'phases': ["
        "{'name': 'a', 'rate_per_s': 1, 'failed_operations': 2,"
        " 'time_s': 0.0009},"
        "{'name': 'a', 'rate_per_s': 1, 'failed_operations': 3,"
        " 'not_tried': 4, 'time_s': 0.2},"
        "{'name': 'b', 'rate_per_s': 1, 'interrupted': true, 'time_s': 0.001},"
        "{'name': 'c', 'rate_per_s': null}, {}, 7, 'x']}]}");
    assert_int_equal(v.n, 2);
    assert_int_equal(v.list[0].failed, 5);
    assert_int_equal(v.list[0].not_tried, 4);
    assert_true(v.list[0].is_tiny && !v.list[0].interrupted);
    assert_true(v.list[1].interrupted && !v.list[1].is_tiny);
    tmk_result_values_fini(&v);
}

static void latencies_of_iterations_are_put_together(void **state)
{
    struct tmk_result_values v;

    (void)state;
    read_text(&v, "{'iterations': ["
                  "{'phases': [{'name': 'a', 'rate_per_s': 1, 'latency_ns': "
                  "{'max': 1000, 'buckets': [[100, 98], [1000, 1]]}}]},"
                  "{'phases': [{'name': 'a', 'rate_per_s': 1, 'latency_ns': "
                  "{'max': 5000, 'buckets': [[100, 100], [5001, 1], [-1, 3],"
                  " [7, -2]]}}]},"
                  "{'phases': [{'name': 'b', 'rate_per_s': 1,"
                  " 'latency_ns': null}]}]}");
    assert_int_equal(v.n, 2);
    assert_non_null(v.list[0].latency);
    assert_int_equal(v.list[0].max_ns, 5000);
    assert_int_equal(tmk_result_value_percentile_ns(&v.list[0], 50), 100);
    assert_true(tmk_result_value_percentile_ns(&v.list[0], 99.4) >= 1000);
    assert_true(tmk_result_value_percentile_ns(&v.list[0], 99.4) < 1010);
    assert_int_equal(tmk_result_value_percentile_ns(&v.list[0], 100), 5000);
    assert_null(v.list[1].latency);
    assert_int_equal(tmk_result_value_percentile_ns(&v.list[1], 50), 0);
    tmk_result_values_fini(&v);
}

static int count(void *state, const char *path, const json_t *root)
{
    (void)path;
    ++*(int *)state;
    return tmk_result_file_text(root, "label") != NULL ? -ECANCELED : 0;
}

#define GOOD "{'schema': 'treemark-result/1', 'kind': 'mdtest', 'tests': [{}]}"

static void a_file_has_results_or_says_what_it_has(void **state)
{
    static const struct {
        const char *text;
        int err, objects;
        const char *why; /* behind the path */
    } rows[] = {
        {GOOD, 0, 1, ""},
        {GOOD "\n" GOOD "\n\n", 0, 2, ""},
        {"", -EINVAL, 0, "it is empty"},
        {" \n ", -EINVAL, 0, "it is empty"},
        {"{'schema': 'treemark-res", -EINVAL, 0, "no JSON, or cut: line 1: "},
        {GOOD "\n{'kind", -EINVAL, 1, "no JSON, or cut: line "},
        {"mdtest-4.1 was launched", -EINVAL, 0, "no JSON, or cut: line 1: "},
        {"{}", -EINVAL, 0, "JSON, but no results of treemark"},
        {"{'schema': 'treemark-result/1', 'tests': [{}]}", -EINVAL, 0,
         "JSON, but no results of treemark"},
        {"{'schema': 'treemark-result/2', 'kind': 'x'}", -EINVAL, 0,
         "of another schema: treemark-result/2 (treemark-result/1 is read)"},
        {"{'schema': 'treemark-result/1', 'kind': 'x', 'tests': []}", -EINVAL,
         0, "there is no test in it"},
        {"{'schema': 'treemark-result/1', 'kind': 'x', 'tests': [{}],"
         " 'label': 'stop'}",
         -ECANCELED, 1, ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[] = "/tmp/test_result_values.XXXXXX";
        int fd = mkstemp(path);
        FILE *to = fdopen(fd, "w");
        char why[256] = "";
        int n = 0;

        assert_non_null(to);
        for (const char *at = rows[i].text; *at != '\0'; at++) {
            (void)fputc(*at == '\'' ? '"' : *at, to);
        }
        assert_int_equal(fclose(to), 0);
        assert_int_equal(
            tmk_result_file_each(path, count, &n, why, sizeof(why)),
            rows[i].err);
        (void)unlink(path);
        assert_int_equal(n, rows[i].objects);
        if (rows[i].why[0] != '\0') {
            assert_true(strncmp(why, path, strlen(path)) == 0);
            assert_true(strncmp(why + strlen(path) + 2, rows[i].why,
                                strlen(rows[i].why)) == 0);
        }
        assert_null(strchr(why, '\n'));
    }
}

static void what_cannot_be_read_is_named(void **state)
{
    char why[256];
    int n = 0;

    (void)state;
    assert_int_equal(
        tmk_result_file_each("/nowhere/x", count, &n, why, sizeof(why)),
        -EINVAL);
    assert_string_equal(why, "/nowhere/x: No such file or directory");
    assert_int_equal(tmk_result_file_each("/", count, &n, why, sizeof(why)),
                     -EINVAL);
    assert_string_equal(why, "/: Is a directory");
    assert_int_equal(n, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_iteration_is_a_value),
        cmocka_unit_test(bytes_go_before_operations),
        cmocka_unit_test(a_summary_stands_for_iterations),
        cmocka_unit_test(a_mean_without_deviation_is_one_value),
        cmocka_unit_test(what_spoils_a_value_is_kept),
        cmocka_unit_test(latencies_of_iterations_are_put_together),
        cmocka_unit_test(a_file_has_results_or_says_what_it_has),
        cmocka_unit_test(what_cannot_be_read_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
