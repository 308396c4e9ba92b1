#ifndef TMK_BENCH_COMPARE_PARAMS_H
#define TMK_BENCH_COMPARE_PARAMS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Of a test: names and values; what is not known is not there. */
struct tmk_compare_params {
    json_t *what; /* where and how much; what differs here is another point */
    json_t *how;  /* by which means */
};

/*
 * Of one of "tests" of a result.  0 or -ENOMEM; release *params whatever
 * comes.
 */
int tmk_compare_params_of(struct tmk_compare_params *params, const json_t *root,
                          const json_t *test);

void tmk_compare_params_fini(struct tmk_compare_params *params);

/*
 * In how many values two objects differ, of those that both know; the first
 * ones as text: "w is 0 in A, 4096 in B".
 */
size_t tmk_compare_params_differ(const json_t *a, const json_t *b, char *buf,
                                 size_t size);

/* "4096", "blank" without quotes, for a line of text. */
void tmk_compare_params_show(const json_t *value, char *buf, size_t size);

/* Of what benchmark a test is: of a study, that of its point. */
const char *tmk_compare_params_kind(const json_t *root, const json_t *test);

#endif
