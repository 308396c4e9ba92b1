/*
 * import_launch: memory for what a report says.
 */
#include "bench/import_launch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double unsaid = (double)NAN;

#define NO_COUNTS                                                              \
    {                                                                          \
        .operations = -1, .failed_operations = -1, .not_tried = -1             \
    }

struct tmk_import_launch *tmk_import_launch_new(enum tmk_import_program program,
                                                uint64_t line)
{
    struct tmk_import_launch *launch = calloc(1, sizeof(*launch));

    if (launch != NULL) {
        launch->program = program;
        launch->line = line;
        launch->ranks = -1;
        launch->nodes = -1;
        launch->failed_operations = -1;
        launch->verification_errors = -1;
        launch->size_bytes = unsaid;
        launch->inodes = unsaid;
        launch->used_share = unsaid;
        launch->inodes_used_share = unsaid;
    }
    return launch;
}

static void fini_test(struct tmk_import_test *test)
{
    for (size_t i = 0; i < test->n_options; i++) {
        free(test->options[i].text);
    }
    free(test->summary);
    free(test->phases);
    free(test->options);
}

void tmk_import_launch_free(struct tmk_import_launch *launch)
{
    if (launch == NULL) {
        return;
    }
    for (size_t i = 0; i < launch->n_tests; i++) {
        fini_test(&launch->tests[i]);
    }
    for (size_t i = 0; i < launch->n_warnings; i++) {
        free(launch->warnings[i].code);
        free(launch->warnings[i].text);
    }
    free(launch->tests);
    free(launch->version);
    free(launch->command);
    free(launch->machine);
    free(launch->path);
    free(launch->verdict);
    free(launch);
}

/* Room for one more behind `n` of `size` bytes each; NULL leaves all as is. */
static void *grown(void *list, size_t n, size_t size)
{
    size_t room = 4;

    while (room <= n) {
        room *= 2;
    }
    /* Full, or not there yet: a power of two has been reached. */
    if (n != 0 && n != room / 2) {
        return list;
    }
    return realloc(list, room * size);
}

struct tmk_import_test *
tmk_import_launch_add_test(struct tmk_import_launch *launch)
{
    struct tmk_import_test *list =
        grown(launch->tests, launch->n_tests, sizeof(*list));
    struct tmk_import_test *test;

    if (list == NULL) {
        return NULL;
    }
    launch->tests = list;
    test = &list[launch->n_tests++];
    *test = (struct tmk_import_test){
        .tasks = -1,
        .nodes = -1,
        .ranks_per_node = -1,
        .repetitions = -1,
        .items = -1,
        .number = -1,
    };
    return test;
}

struct tmk_import_test *tmk_import_launch_test(struct tmk_import_launch *launch)
{
    return launch->n_tests != 0 ? &launch->tests[launch->n_tests - 1]
                                : tmk_import_launch_add_test(launch);
}

struct tmk_import_summary *
tmk_import_launch_add_summary(struct tmk_import_test *test, const char *name,
                              const char *unit)
{
    struct tmk_import_summary *list =
        grown(test->summary, test->n_summary, sizeof(*list));
    struct tmk_import_summary *summary;

    if (list == NULL) {
        return NULL;
    }
    test->summary = list;
    summary = &list[test->n_summary++];
    *summary = (struct tmk_import_summary){
        .name = name,
        .unit = unit,
        .n = -1,
        .max = unsaid,
        .min = unsaid,
        .mean = unsaid,
        .stddev = unsaid,
        .counts = NO_COUNTS,
    };
    return summary;
}

struct tmk_import_phase *
tmk_import_launch_add_phase(struct tmk_import_test *test, const char *name)
{
    struct tmk_import_phase *list =
        grown(test->phases, test->n_phases, sizeof(*list));
    struct tmk_import_phase *phase;

    if (list == NULL) {
        return NULL;
    }
    test->phases = list;
    phase = &list[test->n_phases++];
    *phase = (struct tmk_import_phase){
        .name = name,
        .iteration = -1,
        .time_s = unsaid,
        .bandwidth_bytes_per_s = unsaid,
        .transfers_per_s = unsaid,
        .latency_s = unsaid,
        .open_s = unsaid,
        .transfer_s = unsaid,
        .close_s = unsaid,
        .counts = NO_COUNTS,
    };
    return phase;
}

struct tmk_import_option *
tmk_import_launch_add_option(struct tmk_import_test *test, const char *name)
{
    struct tmk_import_option *list = NULL;

    for (size_t i = 0; i < test->n_options; i++) {
        if (strcmp(test->options[i].name, name) == 0) {
            return &test->options[i];
        }
    }
    list = grown(test->options, test->n_options, sizeof(*list));
    if (list == NULL) {
        return NULL;
    }
    test->options = list;
    list[test->n_options] =
        (struct tmk_import_option){.name = name, .number = -1};
    return &list[test->n_options++];
}

int tmk_import_launch_keep(char **field, struct tmk_import_scan_text text)
{
    char *copy = malloc(text.length + 1);

    if (copy == NULL) {
        return -ENOMEM;
    }
    if (text.length != 0) {
        memcpy(copy, text.at, text.length);
    }
    copy[text.length] = '\0';
    free(*field);
    *field = copy;
    return 0;
}

/* Cut "(CODE)" off the end of a text; its length is 0 if there is none. */
static struct tmk_import_scan_text cut_code(struct tmk_import_scan_text *text)
{
    struct tmk_import_scan_text none = {text->at, 0};
    size_t end = text->length;
    size_t at;

    if (end < 3 || text->at[end - 1] != ')') {
        return none;
    }
    at = --end;
    while (at > 0 && ((text->at[at - 1] >= 'A' && text->at[at - 1] <= 'Z') ||
                      text->at[at - 1] == '_')) {
        at--;
    }
    /* A lone word in brackets, such as "(S)", is none of ours. */
    if (end - at < 5 || at < 2 || text->at[at - 1] != '(' ||
        text->at[at - 2] != ' ') {
        return none;
    }
    text->length = at - 2;
    return (struct tmk_import_scan_text){text->at + at, end - at};
}

int tmk_import_launch_warn(struct tmk_import_launch *launch, const char *code,
                           struct tmk_import_scan_text text)
{
    struct tmk_import_warning *warning;
    struct tmk_import_scan_text own = cut_code(&text);
    int err;

    if (own.length == 0 && code != NULL) {
        own = (struct tmk_import_scan_text){code, strlen(code)};
    }
    text = tmk_import_scan_trim(text);
    for (size_t i = 0; i < launch->n_warnings; i++) {
        if (tmk_import_scan_is(text, launch->warnings[i].text)) {
            return 0;
        }
    }
    if (launch->n_warnings == TMK_IMPORT_WARNINGS_MAX) {
        launch->more_warnings++;
        return 0;
    }
    warning = &launch->warnings[launch->n_warnings++];
    err = tmk_import_launch_keep(&warning->text, text);
    if (err == 0 && own.length != 0) {
        err = tmk_import_launch_keep(&warning->code, own);
    }
    return err;
}

static struct tmk_import_summary *find(struct tmk_import_test *test,
                                       const char *name, const char *unit)
{
    for (size_t i = 0; i < test->n_summary; i++) {
        if (strcmp(test->summary[i].name, name) == 0 &&
            strcmp(test->summary[i].unit, unit) == 0) {
            return &test->summary[i];
        }
    }
    return NULL;
}

static void settle_test(struct tmk_import_launch *launch,
                        struct tmk_import_test *test)
{
    for (size_t i = 0; i < test->n_summary; i++) {
        struct tmk_import_summary *s = &test->summary[i];
        const struct tmk_import_summary *rates = find(test, s->name, "op/s");

        if (launch->interrupted != NULL) {
            s->n = -1; /* of those that were asked for, some were not run */
        }
        if (s->n == 1) {
            s->stddev = unsaid;
        }
        /* A time of 0.000 is only short, unless there was no rate. */
        if (s != rates && (rates == NULL || !rates->idle)) {
            s->idle = false;
        }
    }
    if (launch->n_tests == 1 && test->tasks < 0) {
        test->tasks = launch->ranks;
    }
    if (test->tasks >= 0 && test->tasks == launch->ranks && test->nodes < 0) {
        test->nodes = launch->nodes;
    }
    if (launch->n_tests == 1 && launch->program == TMK_IMPORT_IOR) {
        launch->ranks = test->tasks;
        launch->nodes = test->nodes;
    }
}

void tmk_import_launch_settle(struct tmk_import_launch *launch)
{
    for (size_t i = 0; i < launch->n_tests; i++) {
        settle_test(launch, &launch->tests[i]);
    }
}
