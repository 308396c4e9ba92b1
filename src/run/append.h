#ifndef TMK_RUN_APPEND_H
#define TMK_RUN_APPEND_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A file of lines below one header, to which several runs append, one after
 * the other or at once: every line is one write at the end of the file.
 *
 *     tmk_append_open(path, header, length, &a)  before the first phase
 *     tmk_append_line(&a, text, length)
 *     tmk_append_close(&a)
 *
 * The header goes before the first line ever written.  A pipe or device gets
 * it, too.  The business of one rank.  Errors are -errno.
 */
struct tmk_append {
    int fd;       /* -1 = not open */
    char *path;   /* owned; to be removed if it stays empty; or NULL */
    char *header; /* owned; with its newline */
    size_t header_length;
    bool regular;
    bool begun; /* the header is there */
};

/*
 * Open or make `path`; "-" is the standard output.  `header` is `length` bytes
 * with its newline.  -EINVAL if the file begins with another header.
 */
int tmk_append_open(struct tmk_append *a, const char *path, const char *header,
                    size_t length);

/* `text` is `length` bytes with the newline. */
int tmk_append_line(struct tmk_append *a, const char *text, size_t length);

/* A file that was made here and got no line is removed.  0 or -errno. */
int tmk_append_close(struct tmk_append *a);

#endif
