#ifndef TMK_BENCH_MDTEST_STATUS_H
#define TMK_BENCH_MDTEST_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/mdtest_made.h"
#include "bench/mdtest_plan.h"

/*
 * The status file (-x): how many items a creation made.
 *
 *     1000                        files per task; all there is in the original
 *     directories 990             if directories were created
 *     seed -5                     of the data (-G), if any was written
 *     iteration 1 files 998       of an iteration whose number is another one
 *     iteration 1 directories 990
 *     owner 3 iteration 0 files 17        a rank that made fewer
 *     hole 3 iteration 0 files 12         a position of it that is not there
 *
 * Numbers are decimal, "files 998" stands for either kind; one record a line,
 * with one blank between words.  Blanks and a carriage return may end a line,
 * and lines may be empty but for the first.
 */
enum tmk_mdtest_status_result {
    TMK_MDTEST_STATUS_OK,
    TMK_MDTEST_STATUS_NONE, /* -1: the creation did not say */
};

struct tmk_mdtest_status {
    const char *text; /* borrowed; NUL-terminated */
    uint64_t files;   /* of line 1 */
    bool has_seed;
    int32_t seed;
};

/*
 * Read a text, which the caller keeps.  `most` is how many items per task the
 * plan has.  Returns TMK_MDTEST_STATUS_OK or _NONE, or with the reason in `why`
 * -EINVAL, "line 2 is none of a status file", or -ERANGE, "52031 files are more
 * than the 5 per task of -n and -I: ...".
 */
int tmk_mdtest_status_parse(struct tmk_mdtest_status *status, const char *text,
                            uint64_t most, char *why, size_t size);

/*
 * Items of a kind that each task made in an iteration; UINT64_MAX if nothing is
 * said of it, as in the original's files of directories.
 */
uint64_t tmk_mdtest_status_count(const struct tmk_mdtest_status *status,
                                 enum tmk_mdtest_target target,
                                 uint64_t iteration);

/*
 * What an owner made in an iteration.  Its holes may stand in any order in the
 * text, and more than once; those behind what it made do not count.
 */
void tmk_mdtest_status_made(const struct tmk_mdtest_status *status,
                            enum tmk_mdtest_target target, uint64_t iteration,
                            uint64_t owner, struct tmk_mdtest_made *made);

#endif
