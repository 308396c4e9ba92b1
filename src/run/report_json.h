#ifndef TMK_RUN_REPORT_JSON_H
#define TMK_RUN_REPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "run/output.h"
#include "run/report.h"

/*
 * Results as one JSON object, schema "treemark-result/1"; every field is
 * described in README.md, and tests/results.schema.json says what may be.
 *
 * A regular file is replaced by a whole one after every phase, so that a
 * killed run leaves what it had; a pipe gets everything at the end.  Files of
 * many phases are replaced less often, so that writing takes no more than a
 * tenth of the run.
 */
struct tmk_report_json {
    struct tmk_output *out; /* borrowed */
    int err;                /* of the last time it was written; 0 = none */
    /* The rest is the writer's own. */
    int bad;  /* the first error in making the text; 0 = none */
    int lost; /* likewise in writing it, this time */
    const struct tmk_report_run *run;
    const struct tmk_result_test *test; /* that is at work, or NULL */
    FILE *tests; /* into text: tests and their phases, without an end */
    char *text;  /* owned */
    size_t length;
    size_t n_tests;
    int iteration; /* that phases were written of; -1 = none of this test */
    uint64_t begun_ns, spent_ns;
};

/* The writer; its state is a struct tmk_report_json, which begins with `out`
 * set and the rest 0. */
extern const struct tmk_writer_ops tmk_report_json;

/* Release memory; also of a state that is all 0. */
void tmk_report_json_fini(struct tmk_report_json *json);

#endif
