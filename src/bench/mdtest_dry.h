#ifndef TMK_BENCH_MDTEST_DRY_H
#define TMK_BENCH_MDTEST_DRY_H

struct tmk_mdtest_launch;

/*
 * --dry-run: say what would be done by each test, on the ranks that are here
 * or those of --nodes and --ppn, which need not be; nothing is touched.  0 or
 * -errno, said.
 */
int tmk_mdtest_dry_run(struct tmk_mdtest_launch *launch);

#endif
