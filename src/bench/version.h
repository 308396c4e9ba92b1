#ifndef TMK_BENCH_VERSION_H
#define TMK_BENCH_VERSION_H

/* The release this source belongs to, such as "0.1.0" (file .version). */
extern const char tmk_version[];

/*
 * The commit it was built from, as `git describe --tags --always --dirty`
 * says it; "" if the source was no git checkout.
 */
extern const char tmk_version_git[];

#endif
