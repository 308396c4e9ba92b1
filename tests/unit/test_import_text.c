#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench/import_text.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/*
 * What was read, in words: a line for each thing, so that a test can look for
 * it.  Numbers that were not said are "nan" and -1.
 */
struct reading {
    char *told;
    size_t size;
    FILE *to;
    int launches;
    uint64_t unknown;
};

static const char *said(const char *text)
{
    return text != NULL ? text : "-";
}

static void tell_counts(FILE *to, const struct tmk_import_counts *c)
{
    if (c->operations >= 0) {
        fprintf(to, " done %" PRId64 " failed %" PRId64 " not %" PRId64,
                c->operations, c->failed_operations, c->not_tried);
    }
    for (size_t k = 0; k < c->n_failed; k++) {
        fprintf(to, " %s=%" PRId64, c->failed[k].name, c->failed[k].count);
    }
    fputc('\n', to);
}

static void tell_test(FILE *to, const struct tmk_import_test *t)
{
    fprintf(to,
            "test: %" PRId64 " tasks on %" PRId64 " by %" PRId64
            ", items %" PRId64 ", reps %" PRId64 "\n",
            t->tasks, t->nodes, t->ranks_per_node, t->items, t->repetitions);
    for (size_t i = 0; i < t->n_options; i++) {
        fprintf(to, "option %s: %s %" PRId64 "\n", t->options[i].name,
                said(t->options[i].text), t->options[i].number);
    }
    for (size_t i = 0; i < t->n_phases; i++) {
        const struct tmk_import_phase *p = &t->phases[i];

        fprintf(to, "phase %s %" PRId64 ": %g B/s %g %g open %g %g %g all %g",
                p->name, p->iteration, p->bandwidth_bytes_per_s,
                p->transfers_per_s, p->latency_s, p->open_s, p->transfer_s,
                p->close_s, p->time_s);
        if (p->pass != 0) {
            fprintf(to, " pass %" PRId64, p->pass);
        }
        fputs(p->mixed ? " mixed" : "", to);
        tell_counts(to, &p->counts);
    }
    for (size_t i = 0; i < t->n_summary; i++) {
        const struct tmk_import_summary *s = &t->summary[i];

        fprintf(to, "%s%s [%s] %" PRId64 ": %.10g %.10g %.10g %.10g",
                s->idle ? "idle " : "", s->name, s->unit, s->n, s->max, s->min,
                s->mean, s->stddev);
        tell_counts(to, &s->counts);
    }
}

static int on_launch(void *state, const struct tmk_import_launch *l)
{
    struct reading *r = state;

    r->launches++;
    fprintf(r->to,
            "launch %s %s at %" PRIu64 ", %" PRIu64 " unknown, %" PRId64
            " ranks on %" PRId64 ", stddev %s\n",
            l->program == TMK_IMPORT_IOR ? "ior" : "mdtest", said(l->version),
            l->line, l->unknown_lines, l->ranks, l->nodes, said(l->stddev));
    fprintf(r->to, "from %s to %s, interrupted %s\n", l->started, l->ended,
            said(l->interrupted));
    fprintf(r->to, "command %s\npath %s\nmachine %s\n", said(l->command),
            said(l->path), said(l->machine));
    fprintf(r->to, "space %.10g %g %.10g %g\n", l->size_bytes, l->used_share,
            l->inodes, l->inodes_used_share);
    for (size_t i = 0; i < l->n_warnings; i++) {
        fprintf(r->to, "warning %s: %s\n", said(l->warnings[i].code),
                l->warnings[i].text);
    }
    fprintf(r->to, "%zu warnings and %" PRIu64 "\n", l->n_warnings,
            l->more_warnings);
    fprintf(r->to, "verdict %s, %" PRId64 " failed, %" PRId64 " wrong\n",
            said(l->verdict), l->failed_operations, l->verification_errors);
    for (size_t i = 0; i < l->n_tests; i++) {
        tell_test(r->to, &l->tests[i]);
    }
    return 0;
}

static int on_unknown(void *state, uint64_t line,
                      struct tmk_import_scan_text text)
{
    struct reading *r = state;

    if (++r->unknown <= 10) {
        fprintf(r->to, "unknown %" PRIu64 ": %.*s\n", line,
                (int)(text.length < 40 ? text.length : 40), text.at);
    }
    return 0;
}

static const struct tmk_import_text_ops ops = {.launch = on_launch,
                                               .unknown = on_unknown};

/* Read a text in pieces of so many bytes. */
static struct reading read_bytes(const char *bytes, size_t n, size_t piece)
{
    struct reading r = {.told = NULL};
    struct tmk_import_text *text;

    r.to = open_memstream(&r.told, &r.size);
    assert_non_null(r.to);
    text = tmk_import_text_new(&ops, &r);
    assert_non_null(text);
    for (size_t at = 0; at < n; at += piece) {
        size_t length = n - at < piece ? n - at : piece;

        assert_int_equal(tmk_import_text_push(text, bytes + at, length), 0);
    }
    assert_int_equal(tmk_import_text_end(text), 0);
    tmk_import_text_free(text);
    fclose(r.to);
    return r;
}

static struct reading read_text(const char *text)
{
    return read_bytes(text, strlen(text), 4096);
}

/* The line, whole, is among what was told. */
static void has(const struct reading *r, const char *line)
{
    const char *at = r->told;
    size_t n = strlen(line);

    while ((at = strstr(at, line)) != NULL) {
        if ((at == r->told || at[-1] == '\n') && at[n] == '\n') {
            return;
        }
        at++;
    }
    fail_msg("no '%s' in:\n%s", line, r->told);
}

static void has_not(const struct reading *r, const char *words)
{
    if (strstr(r->told, words) != NULL) {
        fail_msg("'%s' in:\n%s", words, r->told);
    }
}

/* Blanks collapsed to one, and none at the ends of lines. */
static char *collapsed(const char *text)
{
    char *copy = calloc(1, strlen(text) + 1);
    char *to = copy;

    assert_non_null(copy);
    for (; *text != '\0'; text++) {
        bool ends = to == copy || to[-1] == '\n' || to[-1] == ' ';

        if (*text == ' ' && ends) {
            continue;
        }
        if (*text == '\n' && to > copy && to[-1] == ' ') {
            to--;
        }
        *to++ = *text;
    }
    *to = '\0';
    return copy;
}

/* With CR LF at the ends of lines. */
static char *from_windows(const char *text)
{
    char *copy = calloc(2, strlen(text) + 1);
    char *to = copy;

    assert_non_null(copy);
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            *to++ = '\r';
        }
        *to++ = *text;
    }
    return copy;
}

/* However a text comes, it is read the same. */
static struct reading read_all_ways(const char *text)
{
    static const size_t pieces[] = {1, 2, 3, 7, 64, 1000};
    char *others[] = {collapsed(text), from_windows(text)};
    struct reading r = read_text(text);

    for (size_t i = 0; i < COUNT(pieces); i++) {
        struct reading again = read_bytes(text, strlen(text), pieces[i]);

        assert_string_equal(r.told, again.told);
        free(again.told);
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        struct reading again = read_text(others[i]);

        assert_string_equal(r.told, again.told);
        free(again.told);
        free(others[i]);
    }
    return r;
}

/*
 * mdtest.
 */

static const char head_1_9[] =
    "-- started at 07/22/2015 09:34:24 --\n"
    "mdtest-1.9.1 was launched with 16 total task(s) on 2 node(s)\n"
    "Command line used: ./mdtest -i 20 -d /mnt/x y\n"
    "Path: /mnt/x y\n"
    "FS: 290.9 TiB   Used FS: 0.4%   Inodes: 291.1 Mi   Used Inodes: 0.0%\n"
    "\n"
    "16 tasks, 80640 files/directories\n";

static const char head_4[] =
    "-- started at 11/30/2026 15:33:05 --\n"
    "\n"
    "mdtest-4.1.0+dev was launched with 2 total task(s) on 1 node(s)\n"
    "Command line used: mdtest '-n' '4'\n"
    "WARNING: Read bytes is 0, thus, a read test will actually just "
    "open/close\n"
    "Nodemap: 11\n"
    "Path                : ./md\n"
    "FS                  : 23.5 GiB   Used FS: 0.0%   Inodes: 2.9 Mi   Used "
    "Inodes: 0.0%\n"
    "V-0: Rank   0 Line  2594 Shifting ranks by 1 for each phase.\n"
    "random seed: 5\n"
    "2 tasks, 8 files/directories\n";

static const char heading[] =
    "   Operation                     Max            Min           Mean        "
    "Std Dev\n"
    "   ---------                     ---            ---           ----        "
    "-------\n";

static char *joined(const char *a, const char *b, const char *c)
{
    char *text = NULL;

    if (asprintf(&text, "%s%s%s", a, b, c) < 0) {
        fail_msg("out of memory");
    }
    return text;
}

static void a_report_of_mdtest_1_9_is_read(void **state)
{
    char *text = joined(
        head_1_9,
        "\nSUMMARY: (of 20 iterations)\n"
        "   Operation                  Max        Min       Mean    Std Dev\n"
        "   ---------                  ---        ---       ----    -------\n"
        "   Directory creation:   8763.188   8232.435   8376.081    117.579\n"
        "   File stat         :  28105.169  26091.429  27392.123    537.488\n"
        "   Tree removal      :   3626.299   2855.457   3308.709    131.297\n",
        "\n-- finished at 07/22/2015 09:51:46 --\n");
    struct reading r = read_all_ways(text);

    (void)state;
    has(&r, "launch mdtest 1.9.1 at 1, 0 unknown, 16 ranks on 2, stddev "
            "population");
    has(&r, "from 2015-07-22T09:34:24 to 2015-07-22T09:51:46, interrupted -");
    has(&r, "command ./mdtest -i 20 -d /mnt/x y");
    has(&r, "path /mnt/x y");
    has(&r, "space 3.198479325e+14 0.004 305240473.6 0");
    has(&r, "test: 16 tasks on 2 by -1, items 80640, reps 20");
    has(&r, "Directory creation [op/s] 20: 8763.188 8232.435 8376.081 117.579");
    has(&r, "File stat [op/s] 20: 28105.169 26091.429 27392.123 537.488");
    has(&r, "Tree removal [op/s] 20: 3626.299 2855.457 3308.709 131.297");
    assert_int_equal(r.launches, 1);
    free(r.told);
    free(text);
}

static void the_layouts_of_3_and_4_have_the_same_numbers(void **state)
{
    static const struct {
        const char *title, *times, *row, *tree;
    } layouts[] = {
        {"SUMMARY rate: (of 3 iterations)\n",
         "SUMMARY time: (of 3 iterations)\n",
         "   File stat                 :     34523.900      34191.504      "
         "34347.555        136.457\n",
         "   Tree removal              :         2.007          1.935          "
         "1.977          0.031\n"},
        {"SUMMARY rate (in ops/sec): (of 3 iterations)\n",
         "SUMMARY time (in ms/op): (of 3 iterations)\n",
         "   File stat                   34523.900      34191.504      "
         "34347.555 "
         "       136.457\n",
         "   Tree removal                    2.007          1.935          "
         "1.977 "
         "         0.031\n"},
        {"SUMMARY rate (in ops/sec): (of 3 iterations)\n",
         "SUMMARY time (in seconds per phase): (of 3 iterations)\n",
         "   File stat                   34523.900      34191.504      "
         "34347.555 "
         "       136.457\n",
         "   Tree removal                    2.007          1.935          "
         "1.977 "
         "         0.031\n"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(layouts); i++) {
        char *rates = joined(layouts[i].title, heading, layouts[i].row);
        char *times = joined(layouts[i].times, heading, layouts[i].tree);
        char *tables = joined(rates, "\n", times);
        char *text = joined(head_4, "\n", tables);
        struct reading r = read_all_ways(text);

        assert_int_equal(r.unknown, 0);
        has(&r, "launch mdtest 4.1.0+dev at 1, 0 unknown, 2 ranks on 1, stddev "
                "sample");
        has(&r, "command mdtest '-n' '4'");
        has(&r, "warning -: Read bytes is 0, thus, a read test will actually "
                "just open/close");
        has(&r, "File stat [op/s] 3: 34523.9 34191.504 34347.555 136.457");
        has(&r, "Tree removal [s] 3: 2.007 1.935 1.977 0.031");
        free(r.told);
        free(rates);
        free(times);
        free(tables);
        free(text);
    }
}

/* Rows behind a head and a table's heading. */
static struct reading read_rows(const char *title, const char *rows)
{
    char *table = joined(title, heading, rows);
    char *text = joined(head_4, table, "");
    struct reading r = read_text(text);

    free(table);
    free(text);
    return r;
}

static const char rates[] = "SUMMARY rate (in ops/sec): (of 3 iterations)\n";

static void numbers_that_were_cut_off_are_not_known(void **state)
{
    struct reading r =
        read_rows(rates, "File creation 10.000 8.000 9.000 1.00\n"
                         "File stat 10.000 8.000 9.0\n"
                         "File read 10.000 8.\n"
                         "File removal 10.000 8.000 9\n"
                         "Tree creation 10.000\n"
                         "Tree removal 10.0\n");

    (void)state;
    has(&r, "File creation [op/s] 3: 10 8 9 nan");
    has(&r, "File stat [op/s] 3: 10 8 nan nan");
    has(&r, "File removal [op/s] 3: 10 8 nan nan");
    has(&r, "Tree creation [op/s] 3: 10 nan nan nan");
    has(&r, "Tree removal [op/s] 3: nan nan nan nan");
    has(&r, "File read [op/s] 3: 10 nan nan nan");
    assert_int_equal(r.unknown, 0);
    free(r.told);
}

static void rows_with_anything_else_are_not_understood(void **state)
{
    struct reading r =
        read_rows(rates, "File creation 10.000 8.000 9.000 1.000 5.000\n"
                         "File stat 10.0 8.000 9.000 1.000\n"
                         "File read 10.000 8.000 x 1.000\n"
                         "File removal\n"
                         "File rename 10.000 8.000 9.000 1.000\n"
                         "Tree creation 10.0000 8.000 9.000 1.000\n");

    (void)state;
    assert_int_equal(r.unknown, 6);
    has_not(&r, "[op/s]");
    has(&r, "launch mdtest 4.1.0+dev at 1, 6 unknown, 2 ranks on 1, stddev "
            "sample");
    free(r.told);
}

static void
a_minimum_of_nothing_and_an_infinite_rate_are_not_known(void **state)
{
    char row[1000];
    struct reading r;

    (void)state;
    (void)snprintf(row, sizeof(row), "File stat inf %.3f inf nan\n", 1e308);
    r = read_rows(rates, row);
    assert_int_equal(r.unknown, 0);
    has(&r, "File stat [op/s] 3: nan nan nan nan");
    free(r.told);
}

static void statistics_over_ranks_are_left_out(void **state)
{
    struct reading r = read_rows(
        rates,
        "   Operation     per Rank: Max            Min           Mean      per "
        "Iteration: Max            Min           Mean        Std Dev\n"
        "   File creation          114130.721      16272.760      52508.219    "
        " "
        "           499.843        499.121        499.482          0.510\n"
        "   Tree removal    7.000 6.000 5.000 4.000 3.000\n");

    (void)state;
    assert_int_equal(r.unknown, 0);
    has(&r, "File creation [op/s] 3: 499.843 499.121 499.482 0.51");
    has(&r, "Tree removal [op/s] 3: 4 3 nan nan");
    free(r.told);
}

static void phases_that_did_not_run_are_marked(void **state)
{
    struct reading r =
        read_rows(rates, "File creation 10.000 8.000 9.000 1.000\n"
                         "File stat 0.000 0.000 0.000 0.000\n"
                         "File read 0.000 0.000 0.000 0.000\n"
                         "      failed             3 of 3 (EIO 2, other 1)\n"
                         "SUMMARY time: (of 3 iterations)\n"
                         "Operation Max Min Mean Std Dev\n"
                         "File creation 0.000 0.000 0.000 0.000\n"
                         "File stat 0.000 0.000 0.000 0.000\n"
                         "File read 0.000 0.000 0.000 0.000\n"
                         "Tree removal 0.000 0.000 0.000 0.000\n");
    (void)state;
    assert_int_equal(r.unknown, 0);
    has(&r, "idle File stat [op/s] 3: 0 0 0 0");
    has(&r, "File read [op/s] 3: 0 0 0 0 done 0 failed 3 not -1 EIO=2 other=1");
    has(&r, "File creation [s] 3: 0 0 0 0");
    has(&r, "idle File stat [s] 3: 0 0 0 0");
    has(&r, "File read [s] 3: 0 0 0 0");
    has(&r, "Tree removal [s] 3: 0 0 0 0");
    free(r.told);
}

static void one_iteration_has_no_deviation(void **state)
{
    struct reading r = read_rows("SUMMARY rate: (of 1 iterations)\n",
                                 "File stat 9.000 9.000 9.000 0.000\n");

    (void)state;
    has(&r, "File stat [op/s] 1: 9 9 9 nan");
    free(r.told);
}

static void what_failed_stands_below_a_row(void **state)
{
    struct reading r =
        read_rows(rates, "File creation 10.000 8.000 9.000 1.000\n"
                         "      failed             12 of 100 (ENOSPC 12)\n"
                         "      not tried          5 of 105\n"
                         "File stat 9.000 9.000 9.000 0.000\n"
                         "      not tried          17 of 105\n"
                         "File read 9.000 9.000 9.000 0.000\n"
                         "      failed             1 of 0 (EIO 1)\n"
                         "      failed             1 of 2 (EIO\n"
                         "      failed             1 of 2 (EIO x)\n"
                         "      failed             1 of 2 (E\xd0O 1)\n"
                         "      failed             1 of 2 (EIO 1, io 1)\n"
                         "      not tried          7 of 6\n");

    (void)state;
    has(&r, "File creation [op/s] 3: 10 8 9 1 done 88 failed 12 not 5 "
            "ENOSPC=12");
    has(&r, "File stat [op/s] 3: 9 9 9 0 done 88 failed -1 not 17");
    has(&r, "File read [op/s] 3: 9 9 9 0");
    assert_int_equal(r.unknown, 6);
    free(r.told);
}

static void our_own_lines_are_known(void **state)
{
    struct reading r = read_rows(
        rates,
        "File stat 9.000 8.000 8.500 0.500\n"
        "LATENCY (in us per operation): (of 2 iterations)\n"
        "   Operation                  Min        Mean         p50         p90 "
        "        p99       p99.9         Max  of rank  on host\n"
        "   ---------                  ---        ----         ---\n"
        "   File creation             0.03        0.14        0.05        0.24 "
        "       2.13        2.17        2.17        0  vm\n"
        "Ranks whose times differ by more than 20%:\n"
        "   File creation      slowest rank 1 on vm, 0.000 s; fastest\n"
        "WARNING: more ranks than cores (4 on 2 here) (OVERSUBSCRIBED)\n"
        "WARNING: more ranks than cores (4 on 2 here) (OVERSUBSCRIBED)\n"
        "-- interrupted by SIGTERM: the results are partial --\n"
        "-- finished at 12/01/2026 03:59:25 --\n"
        "\n"
        "verdict: 3 of 10 operations failed; data was not as written 2 "
        "times\n");

    (void)state;
    assert_int_equal(r.unknown, 0);
    /* Some of the iterations were not run. */
    has(&r, "File stat [op/s] -1: 9 8 8.5 0.5");
    has(&r, "warning OVERSUBSCRIBED: more ranks than cores (4 on 2 here)");
    has(&r, "2 warnings and 0");
    has(&r, "from 2026-11-30T15:33:05 to 2026-12-01T03:59:25, interrupted "
            "SIGTERM");
    has(&r, "verdict 3 of 10 operations failed; data was not as written 2 "
            "times, 3 failed, 2 wrong");
    free(r.told);
    r = read_rows(rates, "verdict: ok\n");
    has(&r, "verdict ok, 0 failed, 0 wrong");
    free(r.told);
    r = read_rows(rates, "verdict: ok, with 4 failed operations tolerated\n");
    has(&r, "verdict ok, with 4 failed operations tolerated, 4 failed, 0 "
            "wrong");
    free(r.told);
    r = read_rows(rates, "verdict: something was left behind\n");
    has(&r, "verdict something was left behind, -1 failed, -1 wrong");
    free(r.told);
}

static void each_number_of_tasks_is_a_test(void **state)
{
    struct reading r = read_rows(rates, "File stat 1.000 1.000 1.000 0.000\n"
                                        "1 tasks, 4 files\n"
                                        "File stat 7.000 7.000 7.000 0.000\n"
                                        "SUMMARY rate: (of 2 iterations)\n"
                                        "Operation Max Min Mean Std Dev\n"
                                        "File stat 2.000 2.000 2.000 0.000\n");

    (void)state;
    has(&r, "test: 2 tasks on 1 by -1, items 8, reps 3");
    has(&r, "test: 1 tasks on -1 by -1, items 4, reps 2");
    has(&r, "File stat [op/s] 2: 2 2 2 0");
    /* A row without a table above it. */
    has(&r, "unknown 17: File stat 7.000 7.000 7.000 0.000");
    assert_int_equal(r.unknown, 1);
    free(r.told);
}

static void a_table_alone_is_a_launch_of_which_little_is_known(void **state)
{
    struct reading r = read_text("noise\n"
                                 "SUMMARY: (of 3 iterations)\n"
                                 "File stat : 9.000 8.000 8.500 0.500\n"
                                 "File read : 9.000 8.000\n");

    (void)state;
    /* Without a heading, the second row could be of a table with more. */
    has_not(&r, "File read [");
    has(&r, "launch mdtest - at 2, 2 unknown, -1 ranks on -1, stddev -");
    has(&r, "File stat [op/s] 3: 9 8 8.5 0.5");
    has(&r, "path -");
    has(&r, "space nan nan nan nan");
    free(r.told);
}

static void launches_follow_each_other(void **state)
{
    char *two = joined(head_1_9, head_4,
                       "IOR-4.1.0: MPI Coordinated Test of "
                       "Parallel I/O\n");
    char *text = joined(two,
                        "mdtest-1.9.3 was launched with 3 total task(s) on 3 "
                        "node(s)\nmdtest-1.9.3 was launched with 4 total "
                        "task(s) on 3 node(s)\n-- finished at 11/30/2026 "
                        "15:33:05 --\n",
                        "SUMMARY: (of 3 iterations)\n");
    struct reading r = read_all_ways(text);

    (void)state;
    assert_int_equal(r.launches, 6);
    assert_int_equal(r.unknown, 0);
    has(&r, "launch mdtest 1.9.1 at 1, 0 unknown, 16 ranks on 2, stddev "
            "population");
    has(&r, "launch mdtest 4.1.0+dev at 8, 0 unknown, 2 ranks on 1, stddev "
            "sample");
    has(&r, "launch ior 4.1.0 at 19, 0 unknown, -1 ranks on -1, stddev "
            "population");
    has(&r, "launch mdtest 1.9.3 at 20, 0 unknown, 3 ranks on 3, stddev "
            "population");
    has(&r, "launch mdtest 1.9.3 at 21, 0 unknown, 4 ranks on 3, stddev "
            "population");
    has(&r, "launch mdtest - at 23, 0 unknown, -1 ranks on -1, stddev -");
    free(r.told);
    free(text);
    free(two);
}

/*
 * ior.
 */

static void a_report_of_ior_2_10_is_read(void **state)
{
    struct reading r = read_all_ways(
        "IOR-2.10.3: MPI Coordinated Test of Parallel I/O\n"
        "\n"
        "Run began: Wed Jul 22 12:01:16 2015\n"
        "Command line used: ./IOR -vv\n"
        "Machine: Linux a\n"
        "Using synchronized MPI timer\n"
        "Start time skew across all tasks: 0.00 sec\n"
        "Path: /mnt\n"
        "FS: 290.9 TiB   Used FS: 0.4%   Inodes: 0.0 Mi   Used Inodes: 0.0%\n"
        "Participating tasks: 8\n"
        "task 0 on a\n"
        "Summary:\n"
        "        api                = POSIX\n"
        "        ordering inter file=constant task offsets = 1\n"
        "        clients            = 8 (4 per node)\n"
        "        repetitions        = 2\n"
        "        xfersize           = 262144 bytes\n"
        "        blocksize          = 1.95 GiB\n"
        "        aggregate filesize = 160 GiB\n"
        "Using Time Stamp 1437580876 (0x55afbe4c) for Data Signature\n"
        "Commencing write performance test.\n"
        "Wed Jul 22 12:01:16 2015\n"
        "access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   "
        "close(s) total(s\n"
        "------    ---------  ---------- ---------  --------   --------   "
        "--------  ------\n"
        "write     2737.31    1024.00    1024.00    0.018548   59.84      "
        "14.41 "
        "     59.85\n"
        "[RANK 000] open for reading file /mnt/x XXCEL\n"
        "write     2728.59    1024.00    1024.00    0.002227   60.04      "
        "11.94 "
        "     60.05      1    XXCEL\n"
        "remove    -          -          -          -          -          -    "
        " "
        "     0.25       1   \n"
        "Operation  Max (MiB)  Min (MiB)  Mean (MiB)   Std Dev  Max (OPs)  Min "
        "(OPs)  Mean (OPs)   Std Dev  Mean (s)  Op grep #Tasks tPN\n"
        "---------  ---------\n"
        "write        2737.31    2683.20     2715.22     20.64       0.13      "
        " "
        "0.13        0.13      0.00  60.34479   8 8 EXCEL\n"
        "\n"
        "Max Write: 2737.31 MiB/sec (2870.28 MB/sec)\n"
        "Run finished: Wed Jul 22 12:08:49 2015\n"
        "Max Read:  3151.92 MiB/sec (3305.03 MB/sec)\n");

    (void)state;
    assert_int_equal(r.unknown, 0);
    has(&r, "launch ior 2.10.3 at 1, 0 unknown, 8 ranks on -1, stddev "
            "population");
    has(&r, "from 2015-07-22T12:01:16 to 2015-07-22T12:08:49, interrupted -");
    has(&r, "space 3.198479325e+14 0.004 nan nan");
    has(&r, "machine Linux a");
    has(&r, "test: 8 tasks on -1 by 4, items -1, reps 2");
    has(&r, "option api: POSIX -1");
    has(&r, "option ordering_inter_file: constant task offsets = 1 -1");
    has(&r, "option xfersize_bytes: - 262144");
    has(&r, "option blocksize_bytes: - -1");
    has(&r, "option aggregate_filesize_bytes: - 171798691840");
    has(&r, "phase write -1: 2.87028e+09 B/s nan nan open 0.018548 59.84 14.41 "
            "all 59.85");
    has(&r, "phase write 1: 2.86113e+09 B/s nan nan open 0.002227 60.04 11.94 "
            "all 60.05");
    has(&r, "phase remove 1: nan B/s nan nan open nan nan nan all 0.25");
    has(&r, "write [bytes/s] 2: 2870277571 2813539123 2847114527 21642608.64");
    has(&r, "write [s] 2: nan nan 60.34479 nan");
    /* What is called operations there is something else. */
    has_not(&r, "[op/s]");
    free(r.told);
}

static const char head_ior[] =
    "IOR-4.1.0+dev: MPI Coordinated Test of Parallel I/O\n"
    "Began               : Mon Nov 30 15:29:26 2026\n"
    "Command line        : ior -w -r\n"
    "Machine             : Linux vm\n";

static const char wide_4[] =
    "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   "
    "Min(OPs)  Mean(OPs)     StdDev    Mean(s) Stonewall(s) Stonewall(MiB) "
    "Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz   "
    " xsize aggs(MiB)   API RefNum\n";

static void tests_of_ior_4_are_told_apart_by_their_number(void **state)
{
    char *text = joined(
        head_ior,
        "TestID              : 0\n"
        "StartTime           : Mon Nov 30 15:29:26 2026\n"
        "Path                : /x/f\n"
        "\nOptions: \n"
        "api                 : POSIX\n"
        "apiVersion          : \n"
        "nodes               : 1\n"
        "tasks               : 2\n"
        "clients per node    : 2\n"
        "repetitions         : 1\n"
        "blocksize           : 1.95 GiB\n"
        "\nResults: \n\n"
        "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  "
        "open(s)    wr/rd(s)   close(s)   total(s)   iter\n"
        "------    ---------\n"
        "write     633.26     634.01     0.000428    4096       1024.00    "
        "0.014031   0.025236   0.021819   0.025266   0   \n"
        "TestID              : 1\n"
        "Options: \n"
        "tasks               : 4\n"
        "repetitions         : 2\n"
        "write     633.26     634.01     0.000428    4096       1024.00    "
        "0.014031   0.025236   0.021819   0.025266   1   \n"
        "\nSummary of all tests:\n",
        wide_4);
    char *all = joined(
        text,
        "write 1.00 2.00 3.00 4.00 5.00 6.00 7.00 8.00 9.00000 NA NA 1 4 4 2 1 "
        "0 1 0 0 2 2097152000 262144 16.0 POSIX 0\n"
        "write 10.00 20.00 30.00 40.00 5.00 6.00 7.00 8.00 9.00000 NA NA 0 2 2 "
        "1 1 0 1 0 0 2 2097152000 262144 16.0 POSIX 0\n"
        "write 10.00 20.00 30.00 40.00 5.00 6.00 7.00 8.00 9.00000 NA NA 7 2 "
        "2\n",
        "Finished            : Mon Nov 30 15:29:27 2026\n");
    struct reading r = read_all_ways(all);

    (void)state;
    has(&r, "launch ior 4.1.0+dev at 1, 1 unknown, -1 ranks on -1, stddev "
            "population");
    has(&r, "test: 2 tasks on 1 by 2, items -1, reps 1");
    has(&r, "test: 4 tasks on -1 by 4, items -1, reps 2");
    has(&r, "option blocksize_bytes: - 2097152000");
    has(&r, "option xfersize_bytes: - 262144");
    has(&r, "option api_version:  -1");
    has(&r, "phase write 0: 6.64021e+08 B/s 634.01 0.000428 open 0.014031 "
            "0.025236 0.021819 all 0.025266");
    has(&r, "write [bytes/s] 1: 10485760 20971520 31457280 nan");
    has(&r, "write [bytes/s] 2: 1048576 2097152 3145728 4194304");
    has(&r, "write [op/s] 2: 5 6 7 8");
    has(&r, "write [s] 2: nan nan 9 nan");
    /* There is no test 7. */
    assert_int_equal(r.unknown, 1);
    free(r.told);
    free(all);
    free(text);
}

static void ior_3_has_no_operations_in_its_summary(void **state)
{
    struct reading r = read_all_ways(
        "IOR-3.0.1: MPI Coordinated Test of Parallel I/O\n"
        "\n"
        "Began: Mon Nov 30 15:29:26 2026\n"
        "Command line used: ior -w\n"
        "Machine: Linux vm\n"
        "\n"
        "Test 0 started: Mon Nov 30 15:29:26 2026\n"
        "Summary:\n"
        "\tapi                = POSIX\n"
        "\tclients            = 4 (4 per node)\n"
        "\trepetitions        = 1\n"
        "\n"
        "access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   "
        "close(s)   total(s)   iter\n"
        "read      20913      4096       256.00     0.000268   0.000693   "
        "0.000187   0.000765   0   \n"
        "Summary of all tests:\n"
        "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev    Mean(s) "
        "Test# "
        "#Tasks tPN reps fPP reord reordoff reordrand seed segcnt blksiz xsize "
        "aggsize API RefNum\n"
        "read        20912.70   20912.70   20912.70       0.00    0.00077 0 4 "
        "4 "
        "1 0 0 1 0 0 1 4194304 262144 16777216 POSIX 0\n"
        "Finished: Mon Nov 30 15:29:27 2026\n");

    (void)state;
    assert_int_equal(r.unknown, 0);
    has(&r, "launch ior 3.0.1 at 1, 0 unknown, 4 ranks on -1, stddev -");
    has(&r, "phase read 0: 2.19289e+10 B/s nan nan open 0.000268 0.000693 "
            "0.000187 all 0.000765");
    has(&r, "read [bytes/s] 1: 2.192855532e+10 2.192855532e+10 2.192855532e+10 "
            "nan");
    has(&r, "read [s] 1: nan nan 0.00077 nan");
    has_not(&r, "[op/s]");
    free(r.told);
}

static void a_digit_that_may_be_cut_off_makes_a_number_unknown(void **state)
{
    static const struct {
        const char *row, *want;
    } rows[] = {
        {"write 2737.31 1024.00 1024.00 0.018548 59.84 14.41 59.85",
         "phase write -1: 2.87028e+09 B/s nan nan open 0.018548 59.84 14.41 "
         "all "
         "59.85"},
        {"write 2737.31 1024.00 1024.00 0.018548 59.84 14.41 59.8",
         "phase write -1: 2.87028e+09 B/s nan nan open 0.018548 59.84 14.41 "
         "all "
         "nan"},
        {"write 2737.31 1024.00 1024.00 0.01854",
         "phase write -1: 2.87028e+09 B/s nan nan open nan nan nan all nan"},
        {"write 2737.31 1024.00 1024.",
         "phase write -1: 2.87028e+09 B/s nan nan open nan nan nan all nan"},
        {"write 4441", "phase write -1: nan B/s nan nan open nan nan nan all "
                       "nan"},
        {"write 4441 ", "phase write -1: 4.65673e+09 B/s nan nan open nan nan "
                        "nan all nan"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text =
            joined("access bw(MiB/s) block(KiB) xf\n", rows[i].row, "\n");
        struct reading r = read_text(text);

        assert_int_equal(r.unknown, 0);
        has(&r, rows[i].want);
        free(r.told);
        free(text);
    }
}

static void rows_of_ours_say_more_behind_the_iteration(void **state)
{
    static const struct {
        const char *end, *want;
    } rows[] = {
        {"0", "phase read 0: 1.04858e+06 B/s nan nan open 4 5 6 all 7"},
        {"0 pass 2",
         "phase read 0: 1.04858e+06 B/s nan nan open 4 5 6 all 7 pass 2"},
        {"1 mixed",
         "phase read 1: 1.04858e+06 B/s nan nan open 4 5 6 all 7 mixed"},
        {"1 mixed\n failed 2 of 60 (EIO 2)\n not tried 4 of 64",
         "phase read 1: 1.04858e+06 B/s nan nan open 4 5 6 all 7 mixed "
         "done 58 failed 2 not 4 EIO=2"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text = joined("access bw(MiB/s) block(KiB) xf\n"
                            "read 1.00 2.00 3.00 4.00 5.00 6.00 7.00 ",
                            rows[i].end, "\n");
        struct reading r = read_text(text);

        assert_int_equal(r.unknown, 0);
        has(&r, rows[i].want);
        free(r.told);
        free(text);
    }
}

static void both_ways_of_a_mix_together_are_a_row(void **state)
{
    struct reading r =
        read_text("access bw(MiB/s) block(KiB) xf\n"
                  "mixed 1.00 2.00 3.00 4.00 5.00 6.00 7.00 0\n"
                  "Operation Max(MiB) Min(MiB) Mean(MiB) StdDev Mean(s)\n"
                  "mixed 4.00 4.00 4.00 0.00 1.00000\n");

    (void)state;
    assert_int_equal(r.unknown, 0);
    has(&r, "phase mixed 0: 1.04858e+06 B/s nan nan open 4 5 6 all 7");
    has(&r, "mixed [bytes/s] -1: 4194304 4194304 4194304 0");
    free(r.told);
}

/* Elsewhere a line with an equals sign is none of MPI-IO's. */
static void hints_are_known_where_they_are_told(void **state)
{
    struct reading r =
        read_text("IOR-4.1.0: MPI Coordinated Test of Parallel I/O\n"
                  "  romio_cb_read = enable\n"
                  "hints in use:\n"
                  "  romio_cb_read = enable\n"
                  "TestID : 0\n"
                  "  romio_cb_read = enable\n");

    (void)state;
    assert_int_equal(r.unknown, 2);
    free(r.told);
}

static void what_ior_of_ours_says_of_a_run_is_kept(void **state)
{
    struct reading r = read_text(
        "IOR-4.1.0+treemark-0.1.0: MPI Coordinated Test of Parallel I/O\n"
        "-- environment --\n"
        "   write 1.00\n"
        "   Path : x\n"
        "-- end of environment --\n"
        "TestID : 0\n"
        "Parameters: \n"
        "nodes : 9\n"
        "reorderTasksRandomSeed: -7\n"
        "Options: \n"
        "nodes : 2\n"
        "reorder random seed : -7\n"
        "stonewallingTime : 0.5\n"
        "data seed (-G)      : 12, one more in each repetition\n"
        "random-offset-seed  : 13\n"
        "2 nodes share one kernel.\n"
        "Nodes as they were asked for: 3, with 2 tasks on the first.\n"
        "Results go to x\n"
        "sizes in kB, MB, GB ... are taken as powers of 1000\n"
        "-D: 100000 seconds are 1.2 days\n"
        "--total: 2.0 MiB in 64 segments (-s)\n"
        "--rwmix: files are missing or short: 1 GiB are written first\n"
        "hints given to MPI_File_open: none\n"
        "hints in use:\n"
        "  romio_filesystem_type = UFS: Generic ROMIO driver\n"
        "  ind_rd_buffer_size = 4194304\n"
        "task 0 writing a b\n"
        "task 0 reading a b\n"
        "task 0 mixing a b\n"
        "Test 0: Iter=0, Task=0, Time=1.5, mixed open start\n"
        "Max Mixed: 1.00 MiB/sec (1.05 MB/sec)\n"
        "ior: read from another node: 100.0% of the data\n"
        "ior: write: x: Input/output error (EIO); 1 failed so\n"
        "#File Hits Dist: 1 0 1\n"
        "data: 64.0 GiB, 1.03 times the memory of 2 nodes, 62.0 GiB\n"
        "Commencing mixed performance test: Mon Nov 30 17:25:55 2026\n"
        "LATENCY (in us per transfer): (of 2 repetitions)\n"
        "   Transfers  Min  Mean\n"
        "   of write 1.00 2.00 3.00 4.00 5.00 6.00 7.00 1  host\n"
        "   of mixed read 1.00 2.00 3.00 4.00 5.00 6.00 7.00 1  host\n"
        "   of read pass 2 1.00 2.00 3.00 4.00 5.00 6.00 7.00 1  host\n"
        "Operation Max(MiB) Min(MiB) Mean(MiB) StdDev Mean(s)\n"
        "write NA NA NA NA NA\n"
        "verdict: interrupted by SIGINT: the results are partial; 1 of 2 "
        "operations failed\n");

    (void)state;
    assert_int_equal(r.unknown, 0);
    has(&r, "test: -1 tasks on 2 by -1, items -1, reps -1");
    has(&r, "option reorder_random_seed: -7 -1");
    has(&r, "option stonewalling_time_s: 0.5 -1");
    has(&r, "option data_seed: - 12");
    has(&r, "option random_offset_seed: - 13");
    has(&r, "warning ERROR: write: x: Input/output error (EIO); 1 failed so");
    has_not(&r, "another node");
    has(&r, "from  to , interrupted SIGINT");
    has(&r, "path -");
    has_not(&r, "phase");
    has_not(&r, "bytes/s");
    has(&r, "verdict interrupted by SIGINT: the results are partial; 1 of 2 "
            "operations failed, 1 failed, -1 wrong");
    free(r.told);
}

static void rows_of_ior_with_anything_else_are_not_understood(void **state)
{
    struct reading r =
        read_text("access bw(MiB/s) block(KiB) xf\n"
                  "write\n"
                  "write x\n"
                  "write 1.00 2.00 3.00 4.00 5.00 6.00 7.00 y\n"
                  "write 1.00 2.00 3.00 4.00 5.00 6.00 7.00 1 2\n"
                  "write 1.00 2.00 3.00 4.00 5.00 6.00 7.00 1 pass\n"
                  "write 1.00 2.00 3.00 4.00 5.00 6.00 7.00 1 pass 1\n"
                  " failed 1 of 2 (EIO 1)\n"
                  "   of write 1.00 2.00 3.00 4.00 5.00 6.00 7.00 1  host\n"
                  "append 1.00 2.00 3.00 4.00 5.00 6.00 7.00\n"
                  "xfersize : 5 parsecs\n"
                  "repetitions : many\n"
                  "Began : yesterday\n"
                  "FS : 5.0 KiB Used FS: 1.0% Inodes: 1.0 Mi "
                  "Used Inodes: 1.0%\n");

    (void)state;
    assert_int_equal(r.unknown, 13);
    has_not(&r, "phase");
    free(r.told);
}

static void a_wide_row_that_was_cut_keeps_what_is_whole(void **state)
{
    char *text = joined(wide_4,
                        "write 1.00 2.00 3.00 4.00 5.00 6.00 7.00 8.00 9.000\n"
                        "read 1.00 2.00 3.0\n",
                        "read 1.000 2.00 3.00 4.00\n");
    struct reading r = read_text(text);

    (void)state;
    has(&r, "write [bytes/s] -1: 1048576 2097152 3145728 4194304");
    has(&r, "write [op/s] -1: 5 6 7 8");
    has(&r, "read [bytes/s] -1: 1048576 2097152 nan nan");
    has_not(&r, "[s]");
    assert_int_equal(r.unknown, 1);
    free(r.told);
    free(text);
}

static void a_count_at_the_end_of_a_wide_row_may_have_been_cut(void **state)
{
    char *text = joined(wide_4,
                        "write 1.00 2.00 3.00 4.00 5.00 6.00 7.00 8.00 9.00000 "
                        "NA NA 0 4 2 1\n",
                        "");
    struct reading r = read_text(text);

    (void)state;
    assert_int_equal(r.unknown, 0);
    has(&r, "test: 4 tasks on -1 by 2, items -1, reps -1");
    free(r.told);
    free(text);
}

static void options_after_rows_are_of_another_test(void **state)
{
    struct reading r = read_text("access bw(MiB/s) block(KiB) xf\n"
                                 "write 2.00\n"
                                 "Summary:\n"
                                 "repetitions = 2\n"
                                 "Summary:\n"
                                 "repetitions = 3\n");

    (void)state;
    assert_int_equal(r.unknown, 0);
    has(&r, "test: -1 tasks on -1 by -1, items -1, reps -1");
    has(&r, "test: -1 tasks on -1 by -1, items -1, reps 2");
    has(&r, "test: -1 tasks on -1 by -1, items -1, reps 3");
    free(r.told);
}

/*
 * Anything.
 */

static void nothing_in_it_is_no_launch(void **state)
{
    struct reading r = read_text("");

    (void)state;
    assert_int_equal(r.launches, 0);
    assert_int_equal(r.unknown, 0);
    free(r.told);
    r = read_text("\n \n\t\n\r\n");
    assert_int_equal(r.launches, 0);
    assert_int_equal(r.unknown, 0);
    free(r.told);
    r = read_text("[RESULT] ior-easy-write 20.5 GiB/s : time 398.9 seconds");
    assert_int_equal(r.launches, 0);
    assert_int_equal(r.unknown, 1);
    free(r.told);
}

static void a_line_with_a_nul_is_not_understood(void **state)
{
    static const char text[] = "SUMMARY: (of 3 iterations)\n"
                               "File stat : 9.000 8.000\0 8.500 0.500\n"
                               "File read : 9.000 8.000 8.500 0.500\0\n"
                               "File removal : 9.000 8.000 8.500 0.500\n";
    struct reading r = read_bytes(text, sizeof(text) - 1, 5);

    (void)state;
    assert_int_equal(r.unknown, 2);
    has(&r, "File removal [op/s] 3: 9 8 8.5 0.5");
    has_not(&r, "File stat [op/s]");
    free(r.told);
}

static void only_some_lines_may_be_longer_than_a_buffer(void **state)
{
    enum { LENGTH = 200000 };
    static const char *const begins[] = {"Nodemap: ", "Test File creation ",
                                         "Command line used: ", "WARNING: "};
    char *line = malloc(LENGTH + 1);

    (void)state;
    assert_non_null(line);
    memset(line, '1', LENGTH);
    line[LENGTH] = '\0';
    for (size_t i = 0; i < COUNT(begins); i++) {
        char *long_one = joined(begins[i], line, "\nNodemap: 1\n");
        char *text = joined(head_4, long_one, "");
        struct reading r = read_text(text);

        assert_int_equal(r.unknown, i < 2 ? 0 : 1);
        has(&r, "command mdtest '-n' '4'");
        free(r.told);
        free(text);
        free(long_one);
    }
    free(line);
}

static void warnings_without_end_are_counted(void **state)
{
    struct reading r;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    (void)state;
    assert_non_null(to);
    fputs(head_4, to);
    for (int i = 0; i < 1000; i++) {
        fprintf(to, "WARNING: number %d\nERROR: no %d (S)\n", i, i);
    }
    fclose(to);
    r = read_text(text);
    has(&r, "64 warnings and 1937");
    has(&r, "warning -: number 0");
    has(&r, "warning ERROR: no 0 (S)");
    free(r.told);
    free(text);
}

static long peak_kib(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void a_hundred_megabytes_of_garbage_take_no_memory(void **state)
{
    enum { LENGTH = 1 << 16, PIECES = 1600 };
    struct reading r = {.to = fopen("/dev/null", "w")};
    struct tmk_import_text *text = tmk_import_text_new(&ops, &r);
    char piece[LENGTH];
    uint32_t dice = 1;
    uint64_t lines = 0;
    long before;

    (void)state;
    assert_true(r.to != NULL && text != NULL);
    assert_int_equal(tmk_import_text_push(text, head_4, strlen(head_4)), 0);
    before = peak_kib();
    for (int i = 0; i < PIECES; i++) {
        for (int k = 0; k < LENGTH; k++) {
            dice = dice * 1664525u + 1013904223u;
            piece[k] = (char)(33 + (dice >> 24) % 90);
            if (k % 97 == 96) {
                piece[k] = '\n';
                lines++;
            }
        }
        assert_int_equal(tmk_import_text_push(text, piece, LENGTH), 0);
    }
    assert_int_equal(tmk_import_text_end(text), 0);
    assert_true(r.unknown >= lines - 1 && r.unknown <= lines + 1);
    assert_int_equal(r.launches, 1);
    if (peak_kib() - before > 2048) {
        fail_msg("%ld KiB more", peak_kib() - before);
    }
    tmk_import_text_free(text);
    fclose(r.to);
}

static int fails(void *state, const struct tmk_import_launch *launch)
{
    (void)state;
    (void)launch;
    return -ENOSPC;
}

static void an_error_of_who_listens_ends_the_reading(void **state)
{
    const struct tmk_import_text_ops bad = {.launch = fails,
                                            .unknown = on_unknown};
    struct tmk_import_text *text = tmk_import_text_new(&bad, NULL);

    (void)state;
    assert_non_null(text);
    assert_int_equal(tmk_import_text_push(text, head_4, strlen(head_4)), 0);
    assert_int_equal(tmk_import_text_push(text, head_4, strlen(head_4)),
                     -ENOSPC);
    assert_int_equal(tmk_import_text_end(text), 0);
    tmk_import_text_free(text);
    tmk_import_text_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_of_mdtest_1_9_is_read),
        cmocka_unit_test(the_layouts_of_3_and_4_have_the_same_numbers),
        cmocka_unit_test(numbers_that_were_cut_off_are_not_known),
        cmocka_unit_test(rows_with_anything_else_are_not_understood),
        cmocka_unit_test(
            a_minimum_of_nothing_and_an_infinite_rate_are_not_known),
        cmocka_unit_test(statistics_over_ranks_are_left_out),
        cmocka_unit_test(phases_that_did_not_run_are_marked),
        cmocka_unit_test(one_iteration_has_no_deviation),
        cmocka_unit_test(what_failed_stands_below_a_row),
        cmocka_unit_test(our_own_lines_are_known),
        cmocka_unit_test(each_number_of_tasks_is_a_test),
        cmocka_unit_test(a_table_alone_is_a_launch_of_which_little_is_known),
        cmocka_unit_test(launches_follow_each_other),
        cmocka_unit_test(a_report_of_ior_2_10_is_read),
        cmocka_unit_test(tests_of_ior_4_are_told_apart_by_their_number),
        cmocka_unit_test(ior_3_has_no_operations_in_its_summary),
        cmocka_unit_test(a_digit_that_may_be_cut_off_makes_a_number_unknown),
        cmocka_unit_test(rows_of_ours_say_more_behind_the_iteration),
        cmocka_unit_test(both_ways_of_a_mix_together_are_a_row),
        cmocka_unit_test(hints_are_known_where_they_are_told),
        cmocka_unit_test(what_ior_of_ours_says_of_a_run_is_kept),
        cmocka_unit_test(rows_of_ior_with_anything_else_are_not_understood),
        cmocka_unit_test(a_wide_row_that_was_cut_keeps_what_is_whole),
        cmocka_unit_test(a_count_at_the_end_of_a_wide_row_may_have_been_cut),
        cmocka_unit_test(options_after_rows_are_of_another_test),
        cmocka_unit_test(nothing_in_it_is_no_launch),
        cmocka_unit_test(a_line_with_a_nul_is_not_understood),
        cmocka_unit_test(only_some_lines_may_be_longer_than_a_buffer),
        cmocka_unit_test(warnings_without_end_are_counted),
        cmocka_unit_test(a_hundred_megabytes_of_garbage_take_no_memory),
        cmocka_unit_test(an_error_of_who_listens_ends_the_reading),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
