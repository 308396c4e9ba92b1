#ifndef TMK_BENCH_IMPORT_JSON_H
#define TMK_BENCH_IMPORT_JSON_H

#include <stdio.h>

#include "bench/import_launch.h"

/*
 * Write one launch as a line of JSON, schema "treemark-result/1" with the
 * member "imported".  `file` names the text.  0, -ENOMEM or -EIO.
 */
int tmk_import_json(FILE *to, const struct tmk_import_launch *launch,
                    const char *file);

#endif
