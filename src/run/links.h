#ifndef TMK_RUN_LINKS_H
#define TMK_RUN_LINKS_H

#include <stdbool.h>
#include <stdint.h>

/* What this node's network carries, of one process. */

/*
 * Bytes per second of this node's links together: adapters that are there and
 * up, InfiniBand ports that are active.  An upper bound: not all of them need
 * lead to the file system.  0 = not known, also where the speed of one of them
 * is not.  `sysfs` is where sysfs is mounted, "/sys".
 */
uint64_t tmk_links_bytes_per_s(const char *sysfs);

/* Whether the file system of `path`, which must be there, is a kind that asks
 * a server through them, by statfs(2) and how it is mounted. */
bool tmk_links_are_needed(const char *path);

/* Whether a mount, by its type and options as mountinfo has them, is one of a
 * disk or of a virtual machine's host, although others of its kind are of
 * servers. */
bool tmk_links_is_local(const char *type, const char *options);

#endif
