/*
 * clean_ior: is this file of ior?  Its name may be anybody's, its data not.
 */
#include "bench/clean_ior.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pattern.h"

/* Whether each word comes from the one before it, which no other data's does:
 * two of them tell. */
static bool follow(const uint64_t *words, size_t n)
{
    const uint64_t factor = UINT64_C(0x9e37fffffffc0001);
    bool random = words[0] != 0; /* 0 follows itself */

    for (size_t i = 1; i < n; i++) {
        random = random && words[i] == words[i - 1] * factor >> 3;
    }
    return random || tmk_pattern_follow(words, n);
}

bool tmk_clean_ior_words(const uint64_t words[4])
{
    bool rises = true; /* timestamp, offset; the first word may be a marker */
    bool same = true;  /* incompressible, likewise; zeros */

    for (int i = 2; i < 4; i++) {
        rises = rises && words[i] == words[i - 1] + 1;
        same = same && words[i] == words[i - 1];
    }
    return rises || same || follow(words, 4);
}

/*
 * The same of what has no four words.  Numbers that rise by one take three to
 * be no accident; words that are the same may be anybody's.
 */
static bool few_words(const uint64_t words[4], size_t n)
{
    if (n == 3 && words[1] == words[0] + 1 && words[2] == words[1] + 1) {
        return true;
    }
    return n >= 2 && follow(words, n);
}

static int judge(int fd)
{
    uint64_t words[4] = {0};
    struct stat st;
    off_t data;
    ssize_t n;

    if (fstat(fd, &st) != 0) {
        return -errno;
    }
    if (!S_ISREG(st.st_mode)) {
        return 0;
    }
    data = lseek(fd, 0, SEEK_DATA);
    if (data < 0) { /* nothing but a hole; or nobody knows where that is */
        data = errno == ENXIO ? st.st_size : 0;
    }
    if (data == st.st_size) {
        return 1;
    }
    n = pread(fd, words, sizeof(words), data);
    if (n < 0) {
        return -errno;
    }
    return n == (ssize_t)sizeof(words)
               ? tmk_clean_ior_words(words)
               : few_words(words, (size_t)n / sizeof(words[0]));
}

int tmk_clean_ior_file(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int ours;

    if (fd < 0) {
        return errno == ELOOP ? 0 : -errno;
    }
    ours = judge(fd);
    (void)close(fd);
    return ours;
}
