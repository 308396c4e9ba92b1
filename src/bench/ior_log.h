#ifndef TMK_BENCH_IOR_LOG_H
#define TMK_BENCH_IOR_LOG_H

#include <stdint.h>
#include <time.h>

#include "bench/ior_text.h"

/*
 * Lines of the log beside the results, in the words of ior 4.1 and, at -vv, of
 * 2.10.3.  Each is printed from its verbosity on, which is the test's; only
 * rank 0 calls.
 */

/* How ranks are spread over nodes. */
enum tmk_ior_log_mapping {
    TMK_IOR_LOG_BLOCK,
    TMK_IOR_LOG_CYCLIC,
    TMK_IOR_LOG_OTHER
};

/* Of a map of all ranks. */
enum tmk_ior_log_mapping
tmk_ior_log_mapping_of(const struct tmk_owner_map *map);

/* -vv: how far the ranks' clocks of the day are apart at most. */
void tmk_ior_log_skew(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                      double skew_s);

/*
 * -vv: how many tasks there are, what -C makes of their mapping, and where each
 * is; host(state, task) is borrowed for the call.
 */
void tmk_ior_log_tasks(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                       enum tmk_ior_log_mapping mapping,
                       const char *(*host)(void *state, int task), void *state);

/* -vv: how many files are read by no task, by one, by two ...; with -Z. */
void tmk_ior_log_hits(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                      const uint64_t *files, size_t n);

/* -vv: the seed of a repetition. */
void tmk_ior_log_time_stamp(struct tmk_ior_text *t,
                            const struct tmk_ior_test *test, int32_t seed);

/* -vvv: a phase begins. */
void tmk_ior_log_commencing(struct tmk_ior_text *t,
                            const struct tmk_ior_test *test,
                            enum tmk_ior_access access, time_t now);

/* -v: -W begins. */
void tmk_ior_log_verifying(struct tmk_ior_text *t,
                           const struct tmk_ior_test *test, time_t now);

/* -v: -d. */
void tmk_ior_log_delay(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                       uint64_t delay_ns);

/* -v: how many transfers each task had made when time was up. */
void tmk_ior_log_pairs(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                       const uint64_t *pairs, int tasks);

/*
 * Always, but not of 0 errors: transfers with wrong data, of -R ("read") or -W
 * ("write"), and the seed that was expected.
 */
void tmk_ior_log_wrong(struct tmk_ior_text *t, const char *access,
                       uint64_t errors, int32_t seed);

/* -vvv: the variables of the environment, `names` ended by NULL. */
void tmk_ior_log_environment(struct tmk_ior_text *t,
                             const struct tmk_ior_test *test,
                             char *const *names);

#endif
