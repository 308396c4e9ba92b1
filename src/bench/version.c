/*
 * What this program is, and the library.  The only object that is given the
 * version, so that a new commit compiles one file.
 */
#include "bench/version.h"

const char tmk_version[] = TMK_VERSION;
const char tmk_version_git[] = TMK_VERSION_GIT;
