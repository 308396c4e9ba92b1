#ifndef TMK_BENCH_RESULT_VALUES_H
#define TMK_BENCH_RESULT_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hist.h"
#include "base/stats.h"

/* One operation of a test over its iterations. */
struct tmk_result_value {
    char *name;            /* owned */
    bool bytes;            /* rates are bytes/s, otherwise operations/s */
    struct tmk_stats rate; /* each iteration is one value */
    uint64_t failed, not_tried;
    bool failed_unknown;      /* old text does not tell of failures */
    uint64_t too_short;       /* iterations that say so */
    bool is_tiny;             /* at least one took less than 1 ms */
    bool interrupted;         /* likewise, was interrupted */
    struct tmk_hist *latency; /* owned; of all iterations, ns; NULL = not
                                 known */
    uint64_t max_ns;          /* the longest; with latency */
};

/* Those of a test, in the order of its phases. */
struct tmk_result_values {
    struct tmk_result_value *list; /* owned */
    size_t n;
};

/*
 * Of one of "tests" of a result; of imported text, whose iterations are not
 * known, from its summary.  0 or -ENOMEM.  Release *values whatever comes.
 */
int tmk_result_values_read(struct tmk_result_values *values,
                           const json_t *test);

/* What `percent` of the operations took at most, in ns; 0 = not known. */
uint64_t tmk_result_value_percentile_ns(const struct tmk_result_value *value,
                                        double percent);

void tmk_result_values_fini(struct tmk_result_values *values);

#endif
