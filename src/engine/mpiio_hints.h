#ifndef TMK_ENGINE_MPIIO_HINTS_H
#define TMK_ENGINE_MPIIO_HINTS_H

#include <stddef.h>

/*
 * Hints for MPI-IO, from the environment and from a file, as pairs of a name
 * and a value: "name\0value\0name\0value\0".  Of a name that is there more than
 * once the last value counts.
 *
 * A hint is written "IOR_HINT__MPI__name=value" or, in a file, "name = value"
 * as well; IOR_HINT__GPFS__ is the same.
 */
struct tmk_mpiio_hints {
    char *text;    /* owned */
    size_t length; /* of all of it */
};

/* Bytes of all hints that are read. */
enum { TMK_MPIIO_HINTS_MOST = 1 << 20 };

void tmk_mpiio_hints_fini(struct tmk_mpiio_hints *hints);

/*
 * Add what variables there are in an environment.  0, -ENOMEM, or -EINVAL with
 * one line in `why`.
 */
int tmk_mpiio_hints_add_env(struct tmk_mpiio_hints *hints, char *const *env,
                            char *why, size_t why_size);

/*
 * Add the lines of a file, but empty ones and those that begin with '#'.  The
 * same, or -errno where it cannot be read.
 */
int tmk_mpiio_hints_add_file(struct tmk_mpiio_hints *hints, const char *path,
                             char *why, size_t why_size);

/*
 * Read both, the file only if there is one (NULL: none), into fresh hints, and
 * see that no name or value has name_size or value_size bytes, and all together
 * no more than the most.  As above; release the hints all the same.
 */
int tmk_mpiio_hints_read(struct tmk_mpiio_hints *hints, char *const *env,
                         const char *path, size_t name_size, size_t value_size,
                         char *why, size_t why_size);

/*
 * The first pair, or that behind `name`; NULL: there are no more.  *value is
 * its value.
 */
const char *tmk_mpiio_hints_next(const struct tmk_mpiio_hints *hints,
                                 const char *name, const char **value);

#endif
