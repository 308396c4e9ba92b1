/*
 * pattern: how fast the data of transfers is made and checked, in GB/s on one
 * core, the best of some tries.
 *
 *     pattern [BYTES]     of a transfer; 1 MiB
 *
 * Prints a line for each kind: its name and two rates, of filling a buffer that
 * held another rank's, and of checking what is right.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "bench/ior_data.h"
#include "run/clock.h"

enum { TRIES = 7, TRY_NS = 20000000, BYTES = 1048576 };

struct bench {
    struct tmk_ior_data data;
    uint64_t bytes;
    uint64_t turn;
    bool failed;
};

static void fill(struct bench *b)
{
    b->data.owners[0] = TMK_IOR_DATA_NOBODY;
    tmk_ior_data_fill(&b->data, 0, 1, b->turn * b->bytes);
}

/* Of the transfer that was filled last: what differs from one to the next is
 * made for each check. */
static void check(struct bench *b)
{
    b->failed = tmk_ior_data_check(&b->data, 0, 1, 0) != 0 || b->failed;
}

static double gb_per_s(struct bench *b, void (*work)(struct bench *b))
{
    double best = 0.0;

    for (int i = 0; i < TRIES; i++) {
        uint64_t start = tmk_clock_ns();
        uint64_t took;
        uint64_t n = 0;
        double rate;

        do {
            b->turn++;
            work(b);
            n++;
            took = tmk_clock_ns() - start;
        } while (took < TRY_NS);
        rate = (double)(n * b->bytes) / (double)took;
        best = rate > best ? rate : best;
    }
    return best;
}

static int measure(enum tmk_pattern_kind kind, uint64_t bytes)
{
    const struct tmk_pattern pattern = {
        .kind = kind,
        .seed = 1,
        .items_are_offsets = true,
    };
    struct bench b = {.bytes = bytes};
    double fill_rate;

    if (tmk_ior_data_init(&b.data, &pattern, bytes, 1, true) != 0) {
        tmk_ior_data_fini(&b.data);
        return -ENOMEM;
    }
    fill_rate = gb_per_s(&b, fill);
    b.turn = 0;
    fill(&b);
    printf("%s %.1f %.1f\n", tmk_pattern_name(kind), fill_rate,
           gb_per_s(&b, check));
    tmk_ior_data_fini(&b.data);
    return b.failed ? -EBADMSG : 0;
}

int main(int argc, char **argv)
{
    uint64_t bytes = argc > 1 ? strtoull(argv[1], NULL, 10) : BYTES;

    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        int err = measure((enum tmk_pattern_kind)kind, bytes);

        if (err != 0) {
            (void)fprintf(stderr, "pattern: %s\n", strerror(-err));
            return 1;
        }
    }
    return 0;
}
