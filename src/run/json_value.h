#ifndef TMK_RUN_JSON_VALUE_H
#define TMK_RUN_JSON_VALUE_H

#include <jansson.h>
#include <stdint.h>

/*
 * Values of JSON that hold whatever a result has.  NULL where memory is short:
 * jansson hands that on to the object around.
 */

/* null for what is not finite. */
json_t *tmk_json_value_real(double value);

/* One that JSON readers cannot hold is null, and *bad is -EOVERFLOW unless it
 * was an error before. */
json_t *tmk_json_value_count(uint64_t value, int *bad);

json_t *tmk_json_value_seconds(uint64_t ns);

/*
 * NULL is null.  In text that is not UTF-8, such as a path may be, '%' and the
 * bytes above 127 become percent-escapes.
 */
json_t *tmk_json_value_text(const char *text);

#endif
