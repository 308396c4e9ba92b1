/*
 * explain_main: a command line of mdtest or ior in words.
 *
 *     words -> launcher (explain_launch), retired words (explain_gone), options
 *     -> plan (explain_line_*) -> sentences (explain_mdtest, explain_ior)
 */
#include "bench/explain_main.h"

#include <errno.h>
#include <stdlib.h>

#include "bench/explain_line.h"

int tmk_explain_main(FILE *to, struct tmk_explain_words *words,
                     const struct tmk_explain_asked *asked, char *why,
                     size_t why_size)
{
    struct tmk_explain_line line = {
        .to = to,
        .asked = asked,
        .rest = words->rest,
        .why = why,
        .why_size = why_size,
    };
    struct tmk_explain_launch *launch = calloc(1, sizeof(*launch));
    int at = 0;
    enum tmk_explain_program program = tmk_explain_words_program(words, &at);
    int err = launch != NULL ? 0 : -ENOMEM;

    if (err == 0 && program == TMK_EXPLAIN_NONE) {
        err = tmk_explain_line_refuse(&line, "",
                                      words->argc > 0 ? words->argv[0] : "",
                                      " starts neither mdtest nor ior");
    }
    if (err == 0) {
        err = tmk_explain_launch_read(at, words->argv, launch, why, why_size);
    }
    line.program = program == TMK_EXPLAIN_MDTEST ? "mdtest" : "ior";
    line.argc = words->argc - at;
    line.argv = words->argv + at;
    if (err == 0) {
        err = program == TMK_EXPLAIN_MDTEST
                  ? tmk_explain_line_mdtest(&line, launch)
                  : tmk_explain_line_ior(&line, launch);
    }
    tmk_explain_line_fini(&line);
    free(launch);
    return err;
}
