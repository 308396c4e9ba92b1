#ifndef TMK_BASE_WHY_H
#define TMK_BASE_WHY_H

#include <stddef.h>

/*
 * Why a request is refused: one line into the caller's buffer, cut if it is
 * longer, without a newline.  Returns -EINVAL.
 */
__attribute__((format(printf, 3, 4))) int tmk_why(char *why, size_t size,
                                                  const char *format, ...);

#endif
