/*
 * why: what is wrong with a request, in words.
 */
#include "base/why.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int tmk_why(char *why, size_t size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(why, size, format, args);
    va_end(args);
    return -EINVAL;
}
