#ifndef TMK_ENGINE_REMOTE_H
#define TMK_ENGINE_REMOTE_H

#include <stdbool.h>

/* Whether asking about a file means asking a server, by the type that
 * statfs(2) says. */
bool tmk_remote_path(const char *path);

#endif
