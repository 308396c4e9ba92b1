/*
 * plain: the calls of `mdtest -F` on the same names, in bare loops.
 *
 *     plain DIR N
 *
 * Prints operations per second of create, stat, read (open and close) and
 * remove.  The names are there before the clock starts.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/clock.h"

enum { NAME_SIZE = 256, PHASES = 4 };

typedef int operation(const char *name);

static int create_file(const char *name)
{
    int fd = open(name, O_RDWR | O_CREAT, 0664);

    return fd < 0 ? fd : close(fd);
}

static int stat_file(const char *name)
{
    struct stat st;

    return stat(name, &st);
}

static int read_file(const char *name)
{
    int fd = open(name, O_RDONLY);

    return fd < 0 ? fd : close(fd);
}

static double rate(operation *op, char (*names)[NAME_SIZE], size_t n)
{
    uint64_t start = tmk_clock_ns();
    uint64_t took;

    for (size_t i = 0; i < n; i++) {
        if (op(names[i]) != 0) {
            perror(names[i]);
            exit(1);
        }
    }
    took = tmk_clock_ns() - start;
    return (double)n * 1e9 / (double)took;
}

static void must_mkdir(const char *path)
{
    if (mkdir(path, 0775) != 0 && errno != EEXIST) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    static operation *const phases[PHASES] = {create_file, stat_file, read_file,
                                              unlink};
    char top[NAME_SIZE / 2];
    char tree[NAME_SIZE - 64];
    char(*names)[NAME_SIZE];
    size_t n;

    if (argc != 3 || strlen(argv[1]) > NAME_SIZE / 4) {
        fputs("usage: plain DIR N\n", stderr);
        return 2;
    }
    n = strtoull(argv[2], NULL, 10);
    names = calloc(n, sizeof(*names));
    if (names == NULL) {
        perror("plain");
        return 1;
    }
    (void)snprintf(top, sizeof(top), "%s/test-dir.0-0", argv[1]);
    (void)snprintf(tree, sizeof(tree), "%s/mdtest_tree.0", top);
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "%s/file.mdtest.0.%zu", tree,
                       i);
    }
    must_mkdir(argv[1]);
    must_mkdir(top);
    must_mkdir(tree);
    for (int i = 0; i < PHASES; i++) {
        printf("%.0f%c", rate(phases[i], names, n),
               i + 1 < PHASES ? ' ' : '\n');
    }
    (void)rmdir(tree);
    (void)rmdir(top);
    free(names);
    return 0;
}
