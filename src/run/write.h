#ifndef TMK_RUN_WRITE_H
#define TMK_RUN_WRITE_H

#include <stddef.h>

/* Write all of it, going on where a signal or a nearly full disk cut it short.
 * 0 or -errno, and a part may have been written. */
int tmk_write_all(int fd, const char *text, size_t bytes);

#endif
