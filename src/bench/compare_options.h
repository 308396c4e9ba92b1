#ifndef TMK_BENCH_COMPARE_OPTIONS_H
#define TMK_BENCH_COMPARE_OPTIONS_H

/* What it means for a comparison that an option differs. */
enum tmk_compare_option {
    TMK_COMPARE_HOW,   /* the same is done in another way: it is told */
    TMK_COMPARE_WHAT,  /* something else is done: no comparison */
    TMK_COMPARE_QUIET, /* nothing: names, outputs, how often */
};

/*
 * Of an option of a kind of benchmark ("mdtest"), as results call it ("w",
 * "blockSize").  One that is not known here is told if it differs.
 */
enum tmk_compare_option tmk_compare_option_of(const char *kind,
                                              const char *name);

#endif
