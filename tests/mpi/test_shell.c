#include "mpi/ranks.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "run/shell.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* What starting a process comes to; 0 = a process. */
static int refusal;

/* In place of the C library's; its other one does the same for a path. */
int posix_spawn(pid_t *pid, const char *path,
                const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attr, char *const argv[],
                char *const env[])
{
    return refusal != 0 ? refusal
                        : posix_spawnp(pid, path, actions, attr, argv, env);
}

static void the_status_of_a_command_is_returned(void **state)
{
    static const struct {
        const char *command;
        int status;
    } rows[] = {
        {"true", 0},
        {"", 0},
        {"# nothing", 0},
        {"false", 1},
        {"exit 3", 3},
        {"exit 255", 255},
        {"true; false", 1},
        {"false || exit 42", 42},
        {"test \"a  b\" = 'a  b' && exit 5", 5},
        {"kill -KILL $$", 128 + SIGKILL},
        {"kill -TERM $$", 128 + SIGTERM},
        {"no-such-command-anywhere 2>/dev/null", 127},
        {"/dev/null 2>/dev/null", 126}, /* may not be executed */
        {"eval if 2>/dev/null", 2},     /* no syntax of a shell */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int status = tmk_shell_run(rows[i].command);

        if (status != rows[i].status) {
            fail_msg("%s: %d", rows[i].command, status);
        }
    }
}

static void a_command_sees_our_environment_and_directory(void **state)
{
    char before[4096];

    (void)state;
    setenv("TMK_TEST_WORD", "a b", 1);
    assert_int_equal(tmk_shell_run("[ \"$TMK_TEST_WORD\" = 'a b' ]"), 0);
    unsetenv("TMK_TEST_WORD");
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(tmk_shell_run("[ \"$(pwd)\" = / ]"), 0);
    assert_int_equal(chdir(before), 0);
}

/* Ours has a line, which is still there afterwards. */
static void a_command_has_no_input(void **state)
{
    static const char line[] = "a line\n";
    char got[sizeof(line)] = "";
    int own = dup(STDIN_FILENO);
    int ends[2];

    (void)state;
    assert_true(own >= 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], line, strlen(line)), strlen(line));
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(tmk_shell_run("! read word"), 0);
    assert_int_equal(tmk_shell_run("cat"), 0); /* no error, either */
    assert_int_equal(read(STDIN_FILENO, got, sizeof(got)), strlen(line));
    assert_string_equal(got, line);
    assert_int_equal(dup2(own, STDIN_FILENO), STDIN_FILENO);
    close(own);
    close(ends[0]);
    close(ends[1]);
}

static void a_command_has_no_input_where_we_have_none(void **state)
{
    int own = dup(STDIN_FILENO);

    (void)state;
    assert_true(own >= 0);
    close(STDIN_FILENO);
    assert_int_equal(tmk_shell_run("! read word"), 0);
    assert_int_equal(dup2(own, STDIN_FILENO), STDIN_FILENO);
    close(own);
}

/* A program that writes to a pipe relies on it: "yes | head -n 1". */
static void signals_that_we_ignore_are_a_commands_own(void **state)
{
    static const struct {
        int number;
        const char *command;
    } rows[] = {
        {SIGPIPE, "kill -PIPE $$"},
        {SIGXFSZ, "kill -XFSZ $$"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sigaction ignore = {.sa_handler = SIG_IGN};
        struct sigaction before;

        assert_int_equal(sigaction(rows[i].number, &ignore, &before), 0);
        assert_int_equal(tmk_shell_run(rows[i].command), 128 + rows[i].number);
        assert_int_equal(sigaction(rows[i].number, &before, &ignore), 0);
        assert_true(ignore.sa_handler == SIG_IGN); /* here it still is */
    }
}

static volatile sig_atomic_t alarms;

static void count_alarm(int number)
{
    (void)number;
    alarms++;
}

static void a_signal_does_not_end_the_wait(void **state)
{
    struct sigaction action = {.sa_handler = count_alarm}; /* no restart */
    struct sigaction before;
    struct itimerval often = {{0, 10000}, {0, 10000}};
    struct itimerval never = {{0, 0}, {0, 0}};

    (void)state;
    alarms = 0;
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    assert_int_equal(tmk_shell_run("sleep 0.3; exit 7"), 7);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    assert_true(alarms > 0);
}

static void what_cannot_be_started_is_an_error(void **state)
{
    static const int errors[] = {EAGAIN, ENOMEM, ENOENT};

    (void)state;
    for (size_t i = 0; i < COUNT(errors); i++) {
        refusal = errors[i];
        assert_int_equal(tmk_shell_run("exit 3"), -errors[i]);
    }
    refusal = 0;
    assert_int_equal(tmk_shell_run("exit 3"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_status_of_a_command_is_returned),
        cmocka_unit_test(a_command_sees_our_environment_and_directory),
        cmocka_unit_test(a_command_has_no_input),
        cmocka_unit_test(a_command_has_no_input_where_we_have_none),
        cmocka_unit_test(signals_that_we_ignore_are_a_commands_own),
        cmocka_unit_test(a_signal_does_not_end_the_wait),
        cmocka_unit_test(what_cannot_be_started_is_an_error),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
