#ifndef TMK_BENCH_IMPORT_IOR_OPTS_H
#define TMK_BENCH_IMPORT_IOR_OPTS_H

#include "bench/import_launch.h"

/*
 * Take a line that tells an option of the launch's last test.  1, 0 if it is
 * none, or -ENOMEM.  Sizes become bytes; one that is printed with too few
 * digits, such as "1.95 GiB", is not known.
 */
int tmk_import_ior_opts_line(struct tmk_import_launch *launch,
                             struct tmk_import_scan_text line);

#endif
