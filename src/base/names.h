#ifndef TMK_BASE_NAMES_H
#define TMK_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Every name that a run may leave on disk: one table for making, finding and
 * cleaning.  Numbers are decimal without padding.
 */
enum tmk_names_kind {
    TMK_NAMES_TEST_DIR,    /* test-dir.<iteration>-<loop> */
    TMK_NAMES_TEST_DIR_1,  /* #test-dir.<iteration>, of mdtest 1.9 */
    TMK_NAMES_TEST_DIR_3,  /* #test-dir.<iteration>-<loop>, after that */
    TMK_NAMES_TREE,        /* mdtest_tree.<number> */
    TMK_NAMES_TREE_UNIQUE, /* mdtest_tree.<rank>.<number> */
    TMK_NAMES_FILE,        /* file.mdtest.<rank>.<id> */
    TMK_NAMES_FILE_SHARED, /* file.mdtest.shared.<id> */
    TMK_NAMES_DIR,         /* dir.mdtest.<rank>.<id> */
    TMK_NAMES_DIR_MOVED,   /* dir.mdtest.<rank>.<id>-XX, amid a rename chain */
    TMK_NAMES_MARKER,      /* .treemark.<uuid> */
    TMK_NAMES_PROBE,       /* .treemark-probe.<uuid> */
    TMK_NAMES_KINDS
};

/*
 * Write a name of a kind that carries numbers; kinds with one number take it
 * as `b`.  Returns its length, or -ENAMETOOLONG if it does not fit.
 */
int tmk_names_make(enum tmk_names_kind kind, uint64_t a, uint64_t b, char *buf,
                   size_t size);

/* The same for MARKER and PROBE. */
int tmk_names_make_id(enum tmk_names_kind kind, const char *uuid, char *buf,
                      size_t size);

/*
 * Which kind a name (one path component) is; false if it is none of ours.
 * Exact: no leading zeros, nothing before or behind.  *a and *b get the
 * numbers (0 where the kind has none); each of the three pointers may be NULL.
 */
bool tmk_names_match(const char *name, enum tmk_names_kind *kind, uint64_t *a,
                     uint64_t *b);

/*
 * Whether a name is one that ior gives to a file if it is told none: testFile,
 * testFile.<8 digits or more>, and with ".<repetition>" behind.
 */
bool tmk_names_of_ior(const char *name);

/*
 * Whether a name is one that ior -u gives to the directory of a rank, which it
 * writes to *rank; and whether a name is one of that rank's file in there:
 * testFile.<8 digits or more>, and with ".<repetition>" behind.
 */
bool tmk_names_of_ior_dir(const char *name, uint64_t *rank);
bool tmk_names_of_ior_rank(const char *name, uint64_t rank);

/* Decimal digits of v at buf, no NUL; returns how many (1 to 20). */
unsigned tmk_names_digits(char *buf, uint64_t v);

#endif
