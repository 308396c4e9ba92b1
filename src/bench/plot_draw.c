/*
 * plot_draw: gnuplot, which reads the script from a file without a name.
 */
#include "bench/plot_draw.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/quote.h"
#include "bench/plot_data.h"
#include "bench/plot_script.h"

/* The child: its standard files, and its end. */
struct child {
    FILE *script;
    FILE *said; /* what it complains of */
    int out;
};

/* -d: whatever the user's own .gnuplot says.  Its exit status, or -errno. */
static int run(const struct child *c)
{
    char *const argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, (char[]){"-"},
                          NULL};
    posix_spawn_file_actions_t actions;
    int err = -posix_spawn_file_actions_init(&actions);
    int status = 0;
    pid_t pid = 0;

    if (err != 0) {
        return err;
    }
    err = -posix_spawn_file_actions_adddup2(&actions, c->out, STDOUT_FILENO);
    if (err == 0) {
        err = -posix_spawn_file_actions_adddup2(&actions, fileno(c->script),
                                                STDIN_FILENO);
    }
    if (err == 0) {
        err = -posix_spawn_file_actions_adddup2(&actions, fileno(c->said),
                                                STDERR_FILENO);
    }
    if (err == 0) {
        err = -posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    while (err == 0 && waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return -errno;
        }
    }
    if (err != 0) {
        return err;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The line of gnuplot's words that says what was wrong. */
static void complaint(FILE *said, int status, char *why, size_t size)
{
    char line[256];
    char found[256] = "";
    char quoted[200];

    rewind(said);
    while (fgets(line, sizeof(line), said) != NULL) {
        const size_t blank = strspn(line, " \t\n^");

        if (line[blank] != '\0' && strncmp(line, "gnuplot>", 8) != 0) {
            memcpy(found, line, sizeof(found));
        }
    }
    found[strcspn(found, "\n")] = '\0';
    tmk_quote(quoted, sizeof(quoted), found, strlen(found));
    if (status == 127 && quoted[0] == '\0') {
        (void)snprintf(why, size, "gnuplot cannot be run");
        return;
    }
    (void)snprintf(why, size, "gnuplot ended with status %d%s%s", status,
                   quoted[0] != '\0' ? ": " : "", quoted);
}

static int write_script(FILE *to, const struct tmk_plot_figure *figure,
                        const struct tmk_plot_sheet *sheet)
{
    tmk_plot_script(to, figure, sheet);
    if (fflush(to) != 0 || ferror(to)) {
        return -EIO;
    }
    rewind(to);
    /* The child reads from where the descriptor is. */
    return lseek(fileno(to), 0, SEEK_SET) == 0 ? 0 : -errno;
}

static int draw_to(const struct tmk_plot_figure *figure,
                   const struct tmk_plot_sheet *sheet, int out, char *why,
                   size_t size)
{
    struct child c = {.script = tmpfile(), .said = tmpfile(), .out = out};
    int err = c.script != NULL && c.said != NULL
                  ? write_script(c.script, figure, sheet)
                  : -errno;

    if (err != 0) {
        (void)snprintf(why, size, "a temporary file: %s", strerror(-err));
        err = -EIO;
    } else {
        err = run(&c);
    }
    if (err > 0) {
        complaint(c.said, err, why, size);
        err = -EIO;
    } else if (err < 0 && err != -ENOENT && err != -EIO) {
        (void)snprintf(why, size, "gnuplot: %s", strerror(-err));
    }
    if (c.script != NULL) {
        (void)fclose(c.script);
    }
    if (c.said != NULL) {
        (void)fclose(c.said);
    }
    return err;
}

/* As other new files have them. */
static mode_t usual_mode(void)
{
    const mode_t mask = umask(0);

    (void)umask(mask);
    return 0666 & ~mask;
}

/* Draw into a new file, and give it the name of the old one.  0 or -errno. */
static int draw_new(const struct tmk_plot_figure *figure,
                    const struct tmk_plot_sheet *sheet, int fd,
                    const char *temporary, const char *path, char *why,
                    size_t size)
{
    struct stat st;
    int err = draw_to(figure, sheet, fd, why, size);

    if (err != 0) {
        return err;
    }
    if (fstat(fd, &st) != 0 || st.st_size == 0) {
        (void)snprintf(why, size, "gnuplot has drawn nothing");
        return -EIO;
    }
    if (fchmod(fd, usual_mode()) != 0 || rename(temporary, path) != 0) {
        (void)snprintf(why, size, "%s: %s", path, strerror(errno));
        return -EIO;
    }
    return 0;
}

static int draw_file(const struct tmk_plot_figure *figure,
                     const struct tmk_plot_sheet *sheet, const char *path,
                     char *why, size_t size)
{
    char *temporary = NULL;
    int err;
    int fd;

    if (asprintf(&temporary, "%s.XXXXXX", path) < 0) {
        return -ENOMEM;
    }
    fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) {
        (void)snprintf(why, size, "%s: %s", path, strerror(errno));
        free(temporary);
        return -EIO;
    }
    err = draw_new(figure, sheet, fd, temporary, path, why, size);
    if (err != 0) {
        (void)unlink(temporary);
    }
    (void)close(fd);
    free(temporary);
    return err;
}

int tmk_plot_draw(const struct tmk_plot_figure *figure,
                  const struct tmk_plot_sheet *sheet, const char *path,
                  char *why, size_t why_size)
{
    (void)fflush(stdout);
    return path != NULL ? draw_file(figure, sheet, path, why, why_size)
                        : draw_to(figure, sheet, STDOUT_FILENO, why, why_size);
}
