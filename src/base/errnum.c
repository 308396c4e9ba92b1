/*
 * Error numbers <-> their names, for tables and options.
 */
#include "base/errnum.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

/* Above the largest error number of any Linux (MAX_ERRNO in the kernel). */
enum { ERRNUM_END = 4096 };

/* Second names of numbers that strerrorname_np() knows by another. */
static const struct {
    const char *name;
    int err;
} aliases[] = {
    {"EWOULDBLOCK", EWOULDBLOCK},
    {"EDEADLOCK", EDEADLOCK},
    {"ENOTSUP", ENOTSUP},
    {"EOPNOTSUPP", EOPNOTSUPP},
};

const char *tmk_errnum_name(int err, char *buf, size_t size)
{
    const char *name = err > 0 ? strerrorname_np(err) : NULL;

    if (name != NULL) {
        return name;
    }
    snprintf(buf, size, "E%d", err);
    return buf;
}

int tmk_errnum_parse(const char *name)
{
    uint64_t number;

    if (tmk_units_parse_u64(name, &number) == 0) {
        return number > 0 && number < ERRNUM_END &&
                       strerrorname_np((int)number) != NULL
                   ? (int)number
                   : 0;
    }
    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        if (strcasecmp(name, aliases[i].name) == 0) {
            return aliases[i].err;
        }
    }
    for (int err = 1; err < ERRNUM_END; err++) {
        const char *known = strerrorname_np(err);

        if (known != NULL && strcasecmp(name, known) == 0) {
            return err;
        }
    }
    return 0;
}
