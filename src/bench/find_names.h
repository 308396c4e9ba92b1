#ifndef TMK_BENCH_FIND_NAMES_H
#define TMK_BENCH_FIND_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Names of users and groups by their numbers, each looked up once: a look-up
 * may ask a server.
 */
struct tmk_find_names; /* opaque */

/* `groups`, or users.  NULL: no memory. */
struct tmk_find_names *tmk_find_names_new(bool groups);

/* NULL is allowed. */
void tmk_find_names_free(struct tmk_find_names *names);

/* The name, valid as long as the table; NULL if there is none. */
const char *tmk_find_names_get(struct tmk_find_names *names, uint32_t id);

#endif
