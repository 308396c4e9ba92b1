/*
 * fuzz_status: what a status file (-x) can do to who reads it.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mdtest_status.h"
#include "fuzz/must.h"

/* Positions are those of items that the plan has, in order, once each. */
static void check_made(const struct tmk_mdtest_made *made, uint64_t most)
{
    MUST(made->count <= most && made->attempted >= made->count);
    MUST(made->n_holes <= TMK_MDTEST_HOLES_MAX);
    for (uint64_t i = 0; i < made->n_holes; i++) {
        MUST(made->holes[i] < made->count);
        MUST(i == 0 || made->holes[i - 1] < made->holes[i]);
        MUST(tmk_mdtest_made_is_hole(made, made->holes[i]));
    }
    MUST(tmk_mdtest_made_within(made, 0, most) == made->count - made->n_holes);
}

static void check_status(const struct tmk_mdtest_status *status, uint64_t most)
{
    const enum tmk_mdtest_target targets[] = {TMK_MDTEST_FILES,
                                              TMK_MDTEST_DIRS};

    for (uint64_t i = 0; i < 24; i++) {
        enum tmk_mdtest_target target = targets[i % 2];
        uint64_t iteration = i / 2 % 3;
        uint64_t owner = i / 6;
        uint64_t count = tmk_mdtest_status_count(status, target, iteration);
        struct tmk_mdtest_made made;

        MUST(count <= most ||
             (target == TMK_MDTEST_DIRS && count == UINT64_MAX));
        tmk_mdtest_status_made(status, target, iteration, owner, &made);
        if (made.count <= most) {
            check_made(&made, most);
        } else {
            MUST(made.count == count);
        }
    }
}

static void read_status(const char *text, uint64_t most)
{
    struct tmk_mdtest_status status;
    struct tmk_mdtest_status again;
    char why[256];
    char cut[16];
    int result;

    memset(why, 'X', sizeof(why));
    memset(cut, 'X', sizeof(cut));
    result = tmk_mdtest_status_parse(&status, text, most, why, sizeof(why));
    MUST(tmk_mdtest_status_parse(&again, text, most, cut, sizeof(cut)) ==
         result);
    if (result < 0) {
        MUST(result == -EINVAL || result == -ERANGE);
        must_be_line(why, sizeof(why));
        must_be_line(cut, sizeof(cut));
        MUST(strncmp(why, cut, strlen(cut)) == 0);
        return;
    }
    MUST(status.files == again.files && status.seed == again.seed &&
         status.has_seed == again.has_seed);
    if (result == TMK_MDTEST_STATUS_OK) {
        MUST(status.files <= most);
        check_status(&status, most);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    MUST(text != NULL);
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    read_status(text, 5);
    read_status(text, 100000);
    free(text);
    return 0;
}
