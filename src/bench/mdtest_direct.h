#ifndef TMK_BENCH_MDTEST_DIRECT_H
#define TMK_BENCH_MDTEST_DIRECT_H

#include <stdbool.h>

#include "bench/mdtest_site.h"
#include "engine/engine.h"

/*
 * Transfers that bypass the page cache (--posix.odirect): not every file
 * system takes them, and none takes them of any size.  What cannot be is
 * refused before the first phase.
 */

/* Memory for a small file must be aligned and have so many bytes. */
enum { TMK_MDTEST_DIRECT_BLOCK = 4096 };

/* Were direct transfers asked for? */
bool tmk_mdtest_direct_on(const struct tmk_engine_ops *ops,
                          const struct tmk_engine *engine);

/*
 * For a launch that creates nothing, where nothing can be tried: -EINVAL, said,
 * if -e cannot be on any file system.  The same on all ranks.
 */
int tmk_mdtest_direct_check(const struct tmk_mdtest_site *site);

/*
 * For a launch that creates: try it on a file in the test directory of
 * site->iteration, on the ranks that make directories.  -EINVAL, said, if the
 * file system does not take O_DIRECT, or -w or -e cannot be.  Any other
 * trouble is left for the phases to find.  Collective.
 */
int tmk_mdtest_direct_try_all(const struct tmk_mdtest_site *site);

#endif
