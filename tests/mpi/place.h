#ifndef TMK_TESTS_MPI_PLACE_H
#define TMK_TESTS_MPI_PLACE_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * A directory of its own for every case and rank, which runs inside it: set-up
 * and tear-down of a case.  Whatever a case leaves is removed.
 */
enum { PLACE_SIZE = 4096 };

static inline int place_remove(const char *path, const struct stat *st,
                               int kind, struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline int place_enter(void **state)
{
    const char *below = getenv("TEST_DIR");
    char *dir = calloc(1, PLACE_SIZE);

    if (dir == NULL) {
        return -1;
    }
    snprintf(dir, PLACE_SIZE, "%s/place.XXXXXX",
             below != NULL ? below : "/tmp");
    *state = dir;
    return mkdtemp(dir) != NULL && chdir(dir) == 0 ? 0 : -1;
}

static inline int place_leave(void **state)
{
    int err = chdir("/") == 0
                  ? nftw(*state, place_remove, 16, FTW_DEPTH | FTW_PHYS)
                  : -1;

    free(*state);
    return err;
}

#endif
