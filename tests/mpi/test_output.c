#include "mpi/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/output.h"

/* A directory of its own for every case and rank, which runs inside it. */
struct place {
    char dir[4096];
    struct tmk_output *out;
};

static int enter(void **state)
{
    const char *below = getenv("TEST_DIR");
    struct place *p = calloc(1, sizeof(*p));

    if (p == NULL) {
        return -1;
    }
    snprintf(p->dir, sizeof(p->dir), "%s/output.XXXXXX",
             below != NULL ? below : "/tmp");
    if (mkdtemp(p->dir) == NULL || chdir(p->dir) != 0) {
        free(p);
        return -1;
    }
    *state = p;
    return 0;
}

/* Nothing but the files that a case expects, which it removes, is left. */
static int leave(void **state)
{
    struct place *p = *state;
    int err;

    tmk_output_close(p->out);
    err = chdir("/") == 0 ? rmdir(p->dir) : -1;
    free(p);
    return err;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* The file holds this text, and goes. */
static void expect(const char *path, const char *text)
{
    char got[256] = "";
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(got, text);
}

static void expect_and_remove(const char *path, const char *text)
{
    expect(path, text);
    assert_int_equal(unlink(path), 0);
}

static void open_it(struct place *p, const char *path)
{
    assert_int_equal(tmk_output_open(path, "id", &p->out), 0);
}

static FILE *anew(struct place *p)
{
    FILE *to = NULL;

    assert_int_equal(tmk_output_anew(p->out, &to), 0);
    assert_non_null(to);
    return to;
}

static FILE *more(struct place *p)
{
    FILE *to = NULL;

    assert_int_equal(tmk_output_more(p->out, &to), 0);
    assert_non_null(to);
    return to;
}

static void close_it(struct place *p)
{
    tmk_output_close(p->out);
    p->out = NULL;
}

static void what_was_there_stays_until_the_commit(void **state)
{
    struct place *p = *state;

    put("f", "old");
    open_it(p, "f");
    assert_false(tmk_output_is_direct(p->out));
    fputs("new", anew(p));
    expect("f", "old");
    assert_int_equal(tmk_output_commit(p->out), 0);
    expect("f", "new");
    close_it(p);
    expect_and_remove("f", "new");
}

static void a_run_that_commits_nothing_leaves_no_trace(void **state)
{
    struct place *p = *state;

    put("f", "old");
    open_it(p, "f");
    close_it(p);
    expect("f", "old");
    open_it(p, "f");
    fputs("new", anew(p));
    close_it(p);
    expect_and_remove("f", "old");
    open_it(p, "none");
    fputs("new", more(p));
    close_it(p); /* leave() finds the directory empty */
    tmk_output_close(NULL);
}

static void more_goes_on_behind_what_was_committed(void **state)
{
    struct place *p = *state;

    open_it(p, "f");
    fputs("1", more(p));
    fputs("2", more(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    assert_int_equal(tmk_output_commit(p->out), 0); /* nothing to do */
    fputs("3", more(p));
    expect("f", "12"); /* and not a half of what comes next */
    assert_int_equal(tmk_output_commit(p->out), 0);
    expect("f", "123");
    fputs("4", more(p));
    close_it(p);
    expect_and_remove("f", "123");
}

static void a_long_file_is_copied_whole(void **state)
{
    enum { LINES = 20000 };
    struct place *p = *state;
    FILE *to;
    struct stat st;

    open_it(p, "f");
    to = more(p);
    for (int i = 0; i < LINES; i++) {
        fprintf(to, "%09d\n", i);
    }
    assert_int_equal(tmk_output_commit(p->out), 0);
    fputs("end\n", more(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    close_it(p);
    assert_int_equal(stat("f", &st), 0);
    assert_int_equal(st.st_size, LINES * 10 + 4);
    to = fopen("f", "r");
    assert_non_null(to);
    for (int i = 0; i < LINES; i++) {
        char line[32];
        char want[32];

        snprintf(want, sizeof(want), "%09d\n", i);
        assert_non_null(fgets(line, sizeof(line), to));
        assert_string_equal(line, want);
    }
    fclose(to);
    assert_int_equal(unlink("f"), 0);
}

static void anew_forgets_what_was_written_and_committed(void **state)
{
    struct place *p = *state;

    open_it(p, "f");
    fputs("a long first version", anew(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    fputs("dropped", anew(p));
    fputs("short", anew(p));
    expect("f", "a long first version");
    assert_int_equal(tmk_output_commit(p->out), 0);
    close_it(p);
    expect_and_remove("f", "short");
}

static void the_new_file_has_the_permissions_of_the_old(void **state)
{
    struct place *p = *state;
    struct stat st;

    put("f", "old");
    assert_int_equal(chmod("f", 0640), 0);
    open_it(p, "f");
    fputs("new", anew(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    assert_int_equal(stat("f", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    close_it(p);
    expect_and_remove("f", "new");
}

static void a_link_stays_a_link(void **state)
{
    struct place *p = *state;
    struct stat st;

    put("f", "old");
    assert_int_equal(mkdir("d", 0777), 0);
    assert_int_equal(symlink("../f", "d/link"), 0);
    open_it(p, "d/link");
    fputs("new", anew(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    close_it(p);
    assert_int_equal(lstat("d/link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    expect_and_remove("f", "new");
    assert_int_equal(unlink("d/link"), 0);
    assert_int_equal(rmdir("d"), 0);
}

static void what_cannot_be_written_is_refused(void **state)
{
    static const struct {
        const char *path;
        int err;
    } rows[] = {
        {"no/f", -ENOENT}, {"d", -EISDIR}, {"d/", -EISDIR},
        {"f/x", -ENOTDIR}, {"", -ENOENT},  {"new/", -ENOENT},
    };
    struct place *p = *state;
    char name[250];

    assert_int_equal(mkdir("d", 0777), 0);
    put("f", "old");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(tmk_output_open(rows[i].path, "id", &p->out),
                         rows[i].err);
        assert_null(p->out);
    }
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0'; /* no room for what is appended */
    assert_int_equal(tmk_output_open(name, "0123456789", &p->out),
                     -ENAMETOOLONG);
    expect_and_remove("f", "old");
    assert_int_equal(rmdir("d"), 0);
}

static void a_device_is_written_directly(void **state)
{
    struct place *p = *state;
    struct stat st;

    open_it(p, "/dev/null");
    assert_true(tmk_output_is_direct(p->out));
    fputs("nothing", anew(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    fputs("more", more(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    close_it(p);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void a_full_device_is_told(void **state)
{
    struct place *p = *state;

    open_it(p, "/dev/full");
    fputs("nothing", anew(p));
    assert_int_equal(tmk_output_commit(p->out), -ENOSPC);
    close_it(p);
}

static void a_pipe_is_written_directly(void **state)
{
    struct place *p = *state;
    char got[16] = "";
    int fd;

    assert_int_equal(mkfifo("pipe", 0666), 0);
    fd = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(fd >= 0);
    open_it(p, "pipe");
    assert_true(tmk_output_is_direct(p->out));
    fputs("one ", anew(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    fputs("two", more(p));
    close_it(p);
    assert_int_equal(read(fd, got, sizeof(got) - 1), 7);
    assert_string_equal(got, "one two");
    close(fd);
    assert_int_equal(unlink("pipe"), 0);
}

/* "> log" and a file of that name: neither overwrites the other. */
static void the_standard_output_is_not_replaced(void **state)
{
    struct place *p = *state;
    int saved = dup(STDOUT_FILENO);
    int fd = open("log", O_WRONLY | O_CREAT, 0666);

    assert_true(fd >= 0 && saved >= 0);
    fflush(stdout);
    dup2(fd, STDOUT_FILENO);
    close(fd);
    (void)!write(STDOUT_FILENO, "report\n", 7);
    open_it(p, "log");
    fputs("values\n", anew(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    (void)!write(STDOUT_FILENO, "end\n", 4);
    close_it(p);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    expect_and_remove("log", "report\nvalues\nend\n");
}

static void a_write_that_fails_leaves_the_old_file(void **state)
{
    struct place *p = *state;
    struct rlimit before;
    FILE *to;

    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    put("f", "old");
    open_it(p, "f");
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){10000, before.rlim_max});
    to = anew(p);
    for (int i = 0; i < 100000; i++) {
        fputc('x', to);
    }
    assert_true(tmk_output_commit(p->out) < 0);
    setrlimit(RLIMIT_FSIZE, &before);
    expect("f", "old");
    fputs("better", more(p));
    assert_int_equal(tmk_output_commit(p->out), 0);
    close_it(p);
    expect_and_remove("f", "better");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_was_there_stays_until_the_commit),
        CASE(a_run_that_commits_nothing_leaves_no_trace),
        CASE(more_goes_on_behind_what_was_committed),
        CASE(a_long_file_is_copied_whole),
        CASE(anew_forgets_what_was_written_and_committed),
        CASE(the_new_file_has_the_permissions_of_the_old),
        CASE(a_link_stays_a_link),
        CASE(what_cannot_be_written_is_refused),
        CASE(a_device_is_written_directly),
        CASE(a_full_device_is_told),
        CASE(a_pipe_is_written_directly),
        CASE(the_standard_output_is_not_replaced),
        CASE(a_write_that_fails_leaves_the_old_file),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
