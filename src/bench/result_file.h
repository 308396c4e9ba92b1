#ifndef TMK_BENCH_RESULT_FILE_H
#define TMK_BENCH_RESULT_FILE_H

#include <jansson.h>
#include <stddef.h>

/*
 * Files of results: one object, or, from `treemark import`, one a line.
 */

/* One object of a file, which is a result of treemark with a kind and with one
 * test at least; borrowed.  0 goes on; -errno ends the reading, with `why` that
 * of the call. */
typedef int tmk_result_file_take(void *state, const char *path,
                                 const json_t *root);

/*
 * Hand each object of a file to `take`.  0, what `take` returned, or -EINVAL
 * with one line in `why`: it cannot be read, is no JSON or is cut, is of
 * another schema, has no test, or is empty.
 */
int tmk_result_file_each(const char *path, tmk_result_file_take *take,
                         void *state, char *why, size_t why_size);

/* A member that is text, NULL if it is not; one that is a whole number, 0 if it
 * is not. */
const char *tmk_result_file_text(const json_t *object, const char *name);
json_int_t tmk_result_file_number(const json_t *object, const char *name);

#endif
