#ifndef TMK_BASE_SAMPLE_H
#define TMK_BASE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Operations over time, in constant memory: a fixed number of slots of one
 * width.  When they run out, they merge in pairs and the width doubles.
 */
enum { TMK_SAMPLE_SLOTS = 128 };

struct tmk_sample_series {
    uint64_t width_ns; /* of a slot */
    size_t n;          /* slots; 0 = not asked for */
    /* That succeeded and ended in each slot; the first begins with the phase.
     * Together they are the operations of the phase. */
    uint64_t operations[TMK_SAMPLE_SLOTS];
};

/*
 * A series in the making.  Nobody is told of an operation: whoever counts them
 * calls tmk_sample_advance() at the first one that ends at or after next_ns,
 * with what the count was before it.
 */
struct tmk_sample {
    uint64_t start_ns;
    uint64_t next_ns; /* the end of the present slot; UINT64_MAX = there are
                         none */
    uint64_t counted; /* operations in slots so far */
    size_t at;        /* the present slot */
    struct tmk_sample_series series;
};

/* Slots of `width_ns` from `start_ns` on; 0 = none. */
void tmk_sample_init(struct tmk_sample *s, uint64_t width_ns,
                     uint64_t start_ns);

/*
 * It is `now_ns`: go on to the slot of that moment, if there is need to.
 * `operations` have ended in slots up to the present one, and none in those in
 * between.  Counts may go down and are modulo 2^64: what is taken away from
 * what another rank did.
 */
void tmk_sample_advance(struct tmk_sample *s, uint64_t now_ns,
                        uint64_t operations);

/* The same at the end, when `operations` are all: makes the series. */
void tmk_sample_end(struct tmk_sample *s, uint64_t now_ns, uint64_t operations);

/* `width_ns` doubled until `time_ns` and its last moment have slots. */
uint64_t tmk_sample_fit_ns(uint64_t width_ns, uint64_t time_ns);

/*
 * Bring a series to what it shall have in common with others: slots of
 * `width_ns`, its own width doubled some times, `n` of them, of which the
 * first `later` are before it.  later plus its own slots fit into n.
 */
void tmk_sample_align(struct tmk_sample_series *series, uint64_t width_ns,
                      size_t n, size_t later);

/*
 * After series were added: slots below 0, which lack what was taken away from
 * operations of other slots, take it from their neighbours, from those before
 * them first.
 */
void tmk_sample_settle(struct tmk_sample_series *series);

#endif
