/*
 * import_ior_rows: the numbers of ior.
 */
#include "bench/import_ior_rows.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const double mib = 1024.0 * 1024.0;
static const double unsaid = (double)NAN;

/*
 * Rows.
 */

/*
 * Whether no digit can have been cut off the end: numbers below 1 have 6
 * decimals, those below 3600 have 2, greater ones none.
 */
static bool is_whole(const struct tmk_import_scan_number *number)
{
    return number->value < 1.0
               ? number->decimals == 6
               : number->value < 3600.0 && number->decimals == 2;
}

/* "-" stands for no number.  `last`: of a line, right at its end. */
static bool row_number(struct tmk_import_scan_text word, bool last,
                       struct tmk_import_scan_number *number)
{
    *number = (struct tmk_import_scan_number){unsaid, 0, -1};
    if (tmk_import_scan_is(word, "-")) {
        return true;
    }
    if (!last) {
        return tmk_import_scan_number(word, number);
    }
    if (!tmk_import_scan_last_number(word, number)) {
        return false;
    }
    if (!is_whole(number)) {
        number->value = unsaid;
    }
    return true;
}

/*
 * What may stand behind the numbers: the iteration, a mark of 2.10's, and our
 * "pass 2" and "mixed".  False if it is anything else.
 */
static bool row_end(struct tmk_import_scan_text rest,
                    struct tmk_import_phase *phase)
{
    struct tmk_import_scan_text word;

    while ((word = tmk_import_scan_word(&rest)).length > 0) {
        struct tmk_import_scan_number number;

        if (phase->iteration < 0 && tmk_import_scan_number(word, &number) &&
            number.whole >= 0) {
            phase->iteration = number.whole;
        } else if (tmk_import_scan_is(word, "pass") &&
                   tmk_import_scan_number(tmk_import_scan_word(&rest),
                                          &number) &&
                   number.whole > 1) {
            phase->pass = number.whole;
        } else if (tmk_import_scan_is(word, "mixed")) {
            phase->mixed = true;
        } else if (!tmk_import_scan_is(word, "XXCEL") &&
                   !tmk_import_scan_is(word, "EXCEL")) {
            return false;
        }
    }
    return true;
}

/*
 * The numbers of a row, NAN where it was cut off, and cuts them off; 0 if the
 * row has anything else.
 */
static size_t row_numbers(struct tmk_import_scan_text line,
                          struct tmk_import_scan_text *rest, double *values,
                          size_t most)
{
    const char *end = line.at + line.length;
    struct tmk_import_scan_number number = {unsaid, 0, -1};
    struct tmk_import_scan_text word;
    size_t n = 0;

    while (n < most && (word = tmk_import_scan_word(rest)).length > 0) {
        if (!row_number(word, word.at + word.length == end, &number)) {
            return 0;
        }
        values[n++] = number.value;
    }
    return n;
}

int tmk_import_ior_row(struct tmk_import_ior *state,
                       struct tmk_import_launch *launch, const char *name,
                       struct tmk_import_scan_text line,
                       struct tmk_import_scan_text rest)
{
    enum { MOST = 9, FEWEST = 7 };
    double v[MOST] = {unsaid, unsaid, unsaid, unsaid, unsaid,
                      unsaid, unsaid, unsaid, unsaid};
    size_t at = state->iops ? 3 : 1; /* of the block size */
    struct tmk_import_phase end = {.iteration = -1};
    struct tmk_import_test *test;
    struct tmk_import_phase *phase;

    if (row_numbers(line, &rest, v, state->iops ? MOST : FEWEST) == 0 ||
        !row_end(rest, &end)) {
        return 0;
    }
    test = tmk_import_launch_test(launch);
    phase = test != NULL ? tmk_import_launch_add_phase(test, name) : NULL;
    if (phase == NULL) {
        return -ENOMEM;
    }
    phase->iteration = end.iteration;
    phase->pass = end.pass;
    phase->mixed = end.mixed;
    phase->bandwidth_bytes_per_s = v[0] * mib;
    phase->transfers_per_s = state->iops ? v[1] : unsaid;
    phase->latency_s = state->iops ? v[2] : unsaid;
    phase->open_s = v[at + 2];
    phase->transfer_s = v[at + 3];
    phase->close_s = v[at + 4];
    phase->time_s = v[at + 5];
    state->row = true;
    return 1;
}

/* The test that a wide row is of; NULL if that cannot be told. */
static struct tmk_import_test *test_of(struct tmk_import_launch *launch,
                                       const int64_t *found)
{
    for (size_t i = 0; found[TMK_IMPORT_IOR_TEST] >= 0 && i < launch->n_tests;
         i++) {
        if (launch->tests[i].number == found[TMK_IMPORT_IOR_TEST]) {
            return &launch->tests[i];
        }
    }
    return launch->n_tests <= 1 ? tmk_import_launch_test(launch) : NULL;
}

/* One of the groups of a wide row. */
static int add_summary(struct tmk_import_test *test, const char *name,
                       const char *unit, const double *values, double factor)
{
    struct tmk_import_summary *summary =
        tmk_import_launch_add_summary(test, name, unit);

    if (summary == NULL) {
        return -ENOMEM;
    }
    summary->n = test->repetitions;
    summary->max = values[0] * factor;
    summary->min = values[1] * factor;
    summary->mean = values[2] * factor;
    summary->stddev = values[3] * factor;
    return 0;
}

/* What stands behind the mean time, as far as it is known what it is. */
static void wide_rest(const struct tmk_import_ior *state,
                      struct tmk_import_scan_text rest,
                      int64_t found[TMK_IMPORT_IOR_KINDS])
{
    for (size_t i = 0; i < state->n_columns; i++) {
        struct tmk_import_scan_text word = tmk_import_scan_word(&rest);
        struct tmk_import_scan_number number;

        /* The last one may have been cut. */
        if (tmk_import_scan_trim(rest).length > 0 &&
            tmk_import_scan_number(word, &number)) {
            found[state->columns[i]] = number.whole;
        }
    }
}

/* A size that the options of the test have with too few digits, or not. */
static int fill_in_size(struct tmk_import_test *test, const char *name,
                        int64_t bytes)
{
    struct tmk_import_option *option = tmk_import_launch_add_option(test, name);

    if (option == NULL) {
        return -ENOMEM;
    }
    option->number = bytes;
    return 0;
}

static int fill_in(struct tmk_import_test *test,
                   const int64_t found[TMK_IMPORT_IOR_KINDS])
{
    int err = 0;

    if (test->tasks < 0 && found[TMK_IMPORT_IOR_TASKS] > 0) {
        test->tasks = found[TMK_IMPORT_IOR_TASKS];
    }
    if (test->ranks_per_node < 0 && found[TMK_IMPORT_IOR_PER_NODE] > 0) {
        test->ranks_per_node = found[TMK_IMPORT_IOR_PER_NODE];
    }
    if (test->repetitions < 0 && found[TMK_IMPORT_IOR_REPETITIONS] > 0) {
        test->repetitions = found[TMK_IMPORT_IOR_REPETITIONS];
    }
    if (found[TMK_IMPORT_IOR_BLOCK_SIZE] > 0) {
        err = fill_in_size(test, "blocksize_bytes",
                           found[TMK_IMPORT_IOR_BLOCK_SIZE]);
    }
    if (err == 0 && found[TMK_IMPORT_IOR_TRANSFER_SIZE] > 0) {
        err = fill_in_size(test, "xfersize_bytes",
                           found[TMK_IMPORT_IOR_TRANSFER_SIZE]);
    }
    return err;
}

/*
 * The numbers up to the mean time: two decimals each, five in the time.  How
 * many there are before the row was cut; 0 if it has anything else.
 */
static size_t wide_numbers(struct tmk_import_scan_text *rest, double *values,
                           size_t most)
{
    for (size_t i = 0; i < most; i++) {
        struct tmk_import_scan_number number;
        struct tmk_import_scan_text word = tmk_import_scan_word(rest);
        int decimals = i + 1 == most ? 5 : 2;

        if (word.length == 0) {
            return i;
        }
        if (!tmk_import_scan_number(word, &number)) {
            return 0;
        }
        if (isfinite(number.value) && number.decimals != decimals) {
            return number.decimals < decimals && rest->length == 0 ? i : 0;
        }
        values[i] = number.value;
    }
    return most;
}

int tmk_import_ior_wide_row(const struct tmk_import_ior *state,
                            struct tmk_import_launch *launch, const char *name,
                            struct tmk_import_scan_text rest)
{
    const size_t most = state->ops || state->skip ? 9 : 5;
    int64_t found[TMK_IMPORT_IOR_KINDS] = {-1, -1, -1, -1, -1, -1, -1};
    double values[9] = {unsaid, unsaid, unsaid, unsaid, unsaid,
                        unsaid, unsaid, unsaid, unsaid};
    struct tmk_import_scan_text first = rest;
    struct tmk_import_test *test;
    size_t n;
    int err;

    if (tmk_import_scan_is(tmk_import_scan_word(&first), "NA")) {
        return 1; /* ours: there was not one repetition */
    }
    n = wide_numbers(&rest, values, most);
    wide_rest(state, rest, found);
    test = n != 0 ? test_of(launch, found) : NULL;
    if (test == NULL) {
        return 0;
    }
    err = fill_in(test, found);
    if (err == 0) {
        err = add_summary(test, name, "bytes/s", values, mib);
    }
    if (err == 0 && state->ops && n > 4) {
        err = add_summary(test, name, "op/s", values + 4, 1.0);
    }
    if (err == 0 && n == most) {
        const double only_mean[4] = {unsaid, unsaid, values[most - 1], unsaid};

        err = add_summary(test, name, "s", only_mean, 1.0);
    }
    return err != 0 ? err : 1;
}
