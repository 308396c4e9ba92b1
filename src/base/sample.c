/*
 * sample: operations over time.
 *
 *     slots      | 5 | 7 | 0 | 0 | 9 |    a stall in the middle
 *     merged     |  12   |   0   | 9 |
 *
 * The count is looked at once a slot, not once an operation: what was added to
 * it since the last look belongs to the slot that was the present one.
 */
#include "base/sample.h"

#include <assert.h>
#include <string.h>

void tmk_sample_init(struct tmk_sample *s, uint64_t width_ns, uint64_t start_ns)
{
    *s = (struct tmk_sample){
        .start_ns = start_ns,
        .next_ns = width_ns != 0 ? start_ns + width_ns : UINT64_MAX,
        .series = {.width_ns = width_ns},
    };
}

/* Merge the first n slots in pairs; those behind are 0. */
static void merge(struct tmk_sample_series *series, size_t n)
{
    uint64_t *slots = series->operations;

    for (size_t i = 0; i < n; i += 2) {
        uint64_t second = i + 1 < n ? slots[i + 1] : 0;

        slots[i / 2] = slots[i] + second;
    }
    memset(&slots[(n + 1) / 2], 0, n / 2 * sizeof(*slots));
    series->width_ns *= 2;
}

/* What is new in the count goes into the present slot. */
static void count(struct tmk_sample *s, uint64_t operations)
{
    s->series.operations[s->at] += operations - s->counted;
    s->counted = operations;
}

void tmk_sample_advance(struct tmk_sample *s, uint64_t now_ns,
                        uint64_t operations)
{
    uint64_t slot;

    if (now_ns < s->next_ns) {
        return;
    }
    count(s, operations);
    while ((now_ns - s->start_ns) / s->series.width_ns >= TMK_SAMPLE_SLOTS) {
        merge(&s->series, TMK_SAMPLE_SLOTS);
    }
    slot = (now_ns - s->start_ns) / s->series.width_ns;
    s->at = (size_t)slot;
    s->next_ns = s->start_ns + (slot + 1) * s->series.width_ns;
}

void tmk_sample_end(struct tmk_sample *s, uint64_t now_ns, uint64_t operations)
{
    if (s->series.width_ns != 0) {
        count(s, operations);
        tmk_sample_advance(s, now_ns, operations);
        s->series.n = s->at + 1;
    }
}

uint64_t tmk_sample_fit_ns(uint64_t width_ns, uint64_t time_ns)
{
    while (time_ns / width_ns >= TMK_SAMPLE_SLOTS) {
        width_ns *= 2;
    }
    return width_ns;
}

void tmk_sample_align(struct tmk_sample_series *series, uint64_t width_ns,
                      size_t n, size_t later)
{
    uint64_t *slots = series->operations;

    while (series->width_ns < width_ns) {
        merge(series, series->n);
        series->n = (series->n + 1) / 2;
    }
    assert(series->width_ns == width_ns && later + series->n <= n &&
           n <= TMK_SAMPLE_SLOTS);
    memmove(&slots[later], slots, series->n * sizeof(*slots));
    memset(slots, 0, later * sizeof(*slots));
    series->n = n;
}

/* One slot less what is owed; returns what it cannot pay. */
static uint64_t pay(uint64_t *slot, uint64_t owed)
{
    int64_t rest = (int64_t)(*slot - owed);

    *slot = rest > 0 ? (uint64_t)rest : 0;
    return rest < 0 ? (uint64_t)-rest : 0;
}

void tmk_sample_settle(struct tmk_sample_series *series)
{
    uint64_t owed = 0;

    for (size_t i = series->n; i-- > 0;) {
        owed = pay(&series->operations[i], owed);
    }
    for (size_t i = 0; i < series->n; i++) {
        owed = pay(&series->operations[i], owed);
    }
}
