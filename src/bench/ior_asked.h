#ifndef TMK_BENCH_IOR_ASKED_H
#define TMK_BENCH_IOR_ASKED_H

#include <stdint.h>

#include "bench/ior_text.h"

/*
 * What a test was asked for, as keys and values in the original's order: lines
 * of the text and members of JSON.  Values are borrowed for the call.
 */
struct tmk_ior_asked {
    void *state;
    void (*text)(void *state, const char *key, const char *value);
    void (*integer)(void *state, const char *key, int64_t value);
    void (*real)(void *state, const char *key, double value);
};

/* "Options": what a reader has to know. */
void tmk_ior_asked_options(const struct tmk_ior_asked *to,
                           const struct tmk_ior_test *test);

/* "Parameters": everything. */
void tmk_ior_asked_parameters(const struct tmk_ior_asked *to,
                              const struct tmk_ior_test *test);

#endif
