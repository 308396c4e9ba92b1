/*
 * peak: run a command and print the most memory it had, in KiB.
 *
 *     peak COMMAND [ARGUMENT...]
 *
 * The command's standard output is thrown away; exit status 1 if it failed.
 * A program of its own, because a child's peak starts from its parent's, and
 * that of a shell or an interpreter is too high.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    pid_t child;

    if (argc < 2) {
        fputs("usage: peak COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);

        if (null < 0 || dup2(null, STDOUT_FILENO) < 0) {
            _exit(126);
        }
        execvp(argv[1], &argv[1]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("peak");
        return 1;
    }
    if (status != 0) {
        fprintf(stderr, "peak: %s: status 0x%x\n", argv[1], (unsigned)status);
        return 1;
    }
    printf("%ld\n", usage.ru_maxrss);
    return 0;
}
