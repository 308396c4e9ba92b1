/*
 * Preloaded into treemark find: a tree that is not what it was, and a file
 * system that tells little.
 *
 *     TREEMARK_SWAP_CALL   before the first call of this kind, open, stat,
 *                          unlink or rmdir,
 *     TREEMARK_SWAP_NAME   on an entry of this name,
 *     TREEMARK_SWAP_FROM   this path gets ".away" behind it, and is
 *     TREEMARK_SWAP_TO     a symbolic link to this; not given: nothing
 *     TREEMARK_SWAP_TYPES  not empty: directories do not tell types
 *     TREEMARK_SWAP_SLOW   microseconds that each statx takes longer
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *call, *name, *from, *to;
static int blind;
static long slow_us;

static const char *text_in(const char *variable)
{
    const char *text = getenv(variable);

    return text != NULL ? text : "";
}

__attribute__((constructor)) static void begin(void)
{
    call = name = from = to = "";
    if (strstr(program_invocation_short_name, "find") == NULL &&
        strstr(program_invocation_short_name, "treemark") == NULL) {
        return; /* "env", "timeout" */
    }
    call = text_in("TREEMARK_SWAP_CALL");
    name = text_in("TREEMARK_SWAP_NAME");
    from = text_in("TREEMARK_SWAP_FROM");
    to = text_in("TREEMARK_SWAP_TO");
    blind = text_in("TREEMARK_SWAP_TYPES")[0] != '\0';
    slow_us = strtol(text_in("TREEMARK_SWAP_SLOW"), NULL, 10);
}

/* A call on a path is about to be made. */
static void about_to(const char *what, const char *path)
{
    const char *slash = strrchr(path, '/');
    char away[4096];

    if (strcmp(what, call) != 0 ||
        strcmp(slash != NULL ? slash + 1 : path, name) != 0) {
        return;
    }
    call = "";
    snprintf(away, sizeof(away), "%s.away", from);
    if (rename(from, away) != 0 || (to[0] != '\0' && symlink(to, from) != 0)) {
        fprintf(stderr, "swapper: %s: %s\n", from, strerror(errno));
    }
}

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

#define DEFINE_OPENAT(function)                                                \
    int function(int dir, const char *path, int flags, ...)                    \
    {                                                                          \
        va_list args;                                                          \
        mode_t mode;                                                           \
                                                                               \
        va_start(args, flags);                                                 \
        mode =                                                                 \
            (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;   \
        va_end(args);                                                          \
        about_to("open", path);                                                \
        return NEXT(function)(dir, path, flags, mode);                         \
    }

DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

int unlinkat(int dir, const char *path, int flags)
{
    about_to((flags & AT_REMOVEDIR) != 0 ? "rmdir" : "unlink", path);
    return NEXT(unlinkat)(dir, path, flags);
}

int statx(int dir, const char *path, int flags, unsigned mask, struct statx *st)
{
    struct timespec ts = {slow_us / 1000000, slow_us % 1000000 * 1000};

    about_to("stat", path);
    if (slow_us > 0) {
        nanosleep(&ts, NULL);
    }
    return NEXT(statx)(dir, path, flags, mask, st);
}

struct dirent *readdir(DIR *dir)
{
    struct dirent *entry = NEXT(readdir)(dir);

    if (entry != NULL && blind) {
        entry->d_type = DT_UNKNOWN;
    }
    return entry;
}

struct dirent64 *readdir64(DIR *dir)
{
    struct dirent64 *entry = NEXT(readdir64)(dir);

    if (entry != NULL && blind) {
        entry->d_type = DT_UNKNOWN;
    }
    return entry;
}
