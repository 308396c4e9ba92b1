#ifndef TMK_BASE_ERRNUM_H
#define TMK_BASE_ERRNUM_H

#include <stddef.h>

/* Error numbers are counted in arrays of this size; larger ones share slot 0.
 */
enum { TMK_ERRNUM_SLOTS = 160 };

/* "ENOSPC" for 28; "E999" style for unknown ones, kept in buf (>= 16 bytes). */
const char *tmk_errnum_name(int err, char *buf, size_t size);

/* 28 for "ENOSPC", "enospc" or "28"; 0 if there is no such error. */
int tmk_errnum_parse(const char *name);

#endif
