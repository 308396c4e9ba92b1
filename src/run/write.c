/*
 * write: all of it.
 */
#include "run/write.h"

#include <errno.h>
#include <unistd.h>

int tmk_write_all(int fd, const char *text, size_t bytes)
{
    while (bytes != 0) {
        ssize_t n = write(fd, text, bytes);

        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return -errno;
        }
        text += n;
        bytes -= (size_t)n;
    }
    return 0;
}
