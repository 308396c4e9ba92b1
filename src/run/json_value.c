/*
 * json_value: numbers and texts that JSON has no way to write.
 */
#include "run/json_value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

json_t *tmk_json_value_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *tmk_json_value_count(uint64_t value, int *bad)
{
    if (value > INT64_MAX) {
        *bad = *bad != 0 ? *bad : -EOVERFLOW;
        return json_null();
    }
    return json_integer((json_int_t)value);
}

json_t *tmk_json_value_seconds(uint64_t ns)
{
    return json_real(tmk_units_seconds(ns));
}

static json_t *escaped(const char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    char *buf = malloc(3 * strlen(text) + 1);
    char *to = buf;
    json_t *value;

    if (buf == NULL) {
        return NULL;
    }
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;

        if (byte < 0x80 && byte != '%') {
            *to++ = *text;
        } else {
            *to++ = '%';
            *to++ = digits[byte >> 4];
            *to++ = digits[byte & 15];
        }
    }
    *to = '\0';
    value = json_string(buf);
    free(buf);
    return value;
}

json_t *tmk_json_value_text(const char *text)
{
    json_t *value;

    if (text == NULL) {
        return json_null();
    }
    value = json_string(text);
    return value != NULL ? value : escaped(text);
}
