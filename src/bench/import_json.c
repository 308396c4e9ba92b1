/*
 * import_json: what a report said, in the members that a result of ours has.
 * What it did not say is null, and what no report ever says is left out.
 */
#include "bench/import_json.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/json_value.h"

enum { DUMP = JSON_COMPACT | JSON_REAL_PRECISION(15) };

struct member {
    const char *name;
    json_t *value;
};

/* NULL where memory is short. */
static json_t *object_of(const struct member *members, size_t n)
{
    json_t *object = json_object();

    for (size_t i = 0; i < n; i++) {
        if (json_object_set_new(object, members[i].name, members[i].value) !=
            0) {
            /* The values after it are still ours. */
            for (size_t k = i + 1; k < n; k++) {
                json_decref(members[k].value);
            }
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

#define OBJECT(members) object_of(members, sizeof(members) / sizeof(members[0]))

/* The list with one more value; NULL where memory is short. */
static json_t *appended(json_t *list, json_t *value)
{
    /* Appending to NULL fails and lets go of the value. */
    if (json_array_append_new(list, value) != 0) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *text(const char *value)
{
    return tmk_json_value_text(value != NULL && value[0] != '\0' ? value
                                                                 : NULL);
}

static json_t *real(double value)
{
    return tmk_json_value_real(value);
}

/* A number below 0 was not said. */
static json_t *count(int64_t value)
{
    return value < 0 ? json_null() : json_integer((json_int_t)value);
}

/* A whole number that is known with some digits only. */
static json_t *rounded(double value)
{
    return isfinite(value) && value >= 0.0 && value < 9e18
               ? json_integer((json_int_t)llround(value))
               : json_null();
}

/*
 * Tests.
 */

static json_t *failed(const struct tmk_import_counts *c)
{
    json_t *object = json_object();

    for (size_t i = 0; i < c->n_failed; i++) {
        if (json_object_set_new(object, c->failed[i].name,
                                count(c->failed[i].count)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

/*
 * The object, which may be NULL, with what was told of single operations: only
 * we do that, and only where some failed.
 */
static json_t *with_counts(json_t *object, const struct tmk_import_counts *c)
{
    const struct member members[] = {
        {"operations", count(c->operations)},
        {"failed", c->n_failed != 0 ? failed(c) : json_null()},
        {"failed_operations", count(c->failed_operations)},
        {"not_tried", count(c->not_tried)},
    };

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (json_is_null(members[i].value)) {
            json_decref(members[i].value);
        } else if (json_object_set_new(object, members[i].name,
                                       members[i].value) != 0) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

static json_t *summary_value(const struct tmk_import_launch *launch,
                             const struct tmk_import_summary *s)
{
    const struct member members[] = {
        {"name", text(s->name)},
        {"unit", text(s->unit)},
        {"n", count(s->n)},
        {"max", real(s->max)},
        {"min", real(s->min)},
        {"mean", real(s->mean)},
        {"stddev", real(s->stddev)},
        {"stddev_of", text(isfinite(s->stddev) ? launch->stddev : NULL)},
        {"ci95", json_null()},
    };

    return with_counts(OBJECT(members), &s->counts);
}

static json_t *summary(const struct tmk_import_launch *launch,
                       const struct tmk_import_test *test)
{
    json_t *list = json_array();

    for (size_t i = 0; i < test->n_summary; i++) {
        if (!test->summary[i].idle) {
            list = appended(list, summary_value(launch, &test->summary[i]));
        }
    }
    return list;
}

/* "read", "read pass 2", "mixed read": as a result of ours names it, but for
 * the two sides of one phase. */
static json_t *phase_name(const struct tmk_import_phase *p)
{
    char name[64];

    if (p->pass != 0) {
        (void)snprintf(name, sizeof(name), "%s pass %" PRId64, p->name,
                       p->pass);
        return text(name);
    }
    (void)snprintf(name, sizeof(name), "%s%s", p->mixed ? "mixed " : "",
                   p->name);
    return text(name);
}

static json_t *phase_value(const struct tmk_import_phase *p)
{
    const struct member members[] = {
        {"name", phase_name(p)},
        {"time_s", real(p->time_s)},
        {"bandwidth_bytes_per_s", real(p->bandwidth_bytes_per_s)},
        {"transfers_per_s", real(p->transfers_per_s)},
        {"latency_s", real(p->latency_s)},
        {"open_s", real(p->open_s)},
        {"transfer_s", real(p->transfer_s)},
        {"close_s", real(p->close_s)},
    };

    return with_counts(OBJECT(members), &p->counts);
}

/* Whether two rows would have the same name. */
static bool same_phase(const struct tmk_import_phase *a,
                       const struct tmk_import_phase *b)
{
    return strcmp(a->name, b->name) == 0 && a->pass == b->pass &&
           a->mixed == b->mixed;
}

/* The phases from `*at` on up to one that begins another iteration. */
static json_t *iteration(const struct tmk_import_test *test, size_t *at)
{
    json_t *list = json_array();
    int64_t number = -1;
    size_t begin = *at;
    bool again = false;

    while (*at < test->n_phases && !again) {
        const struct tmk_import_phase *p = &test->phases[*at];

        number = number < 0 ? p->iteration : number;
        list = appended(list, phase_value(p));
        (*at)++;
        for (size_t i = begin; *at < test->n_phases && i < *at; i++) {
            again = again || same_phase(&test->phases[i], &test->phases[*at]);
        }
        again = again || (*at < test->n_phases && number >= 0 &&
                          test->phases[*at].iteration >= 0 &&
                          test->phases[*at].iteration != number);
    }
    const struct member members[] = {{"iteration", count(number)},
                                     {"phases", list}};

    return OBJECT(members);
}

static json_t *iterations(const struct tmk_import_test *test)
{
    json_t *list = json_array();

    for (size_t at = 0; at < test->n_phases;) {
        list = appended(list, iteration(test, &at));
    }
    return list;
}

static json_t *options(const struct tmk_import_test *test)
{
    json_t *object = json_object();

    for (size_t i = 0; i < test->n_options; i++) {
        const struct tmk_import_option *o = &test->options[i];

        if (json_object_set_new(object, o->name,
                                o->text != NULL ? text(o->text)
                                                : count(o->number)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *test_value(const struct tmk_import_launch *launch,
                          const struct tmk_import_test *test)
{
    const struct member members[] = {
        {"tasks", count(test->tasks)},
        {"nodes", count(test->nodes)},
        {"ranks_per_node", count(test->ranks_per_node)},
        {"items", count(test->items)},
        {"repetitions", count(test->repetitions)},
        {"options", options(test)},
        {"iterations", iterations(test)},
        {"summary", summary(launch, test)},
    };

    return OBJECT(members);
}

static json_t *tests(const struct tmk_import_launch *launch)
{
    json_t *list = json_array();

    for (size_t i = 0; i < launch->n_tests; i++) {
        list = appended(list, test_value(launch, &launch->tests[i]));
    }
    return list;
}

/*
 * The launch.
 */

static const char *program(const struct tmk_import_launch *launch)
{
    return launch->program == TMK_IMPORT_IOR ? "ior" : "mdtest";
}

static json_t *imported(const struct tmk_import_launch *launch,
                        const char *file)
{
    const struct member members[] = {
        {"file", text(file)},
        {"line", count((int64_t)launch->line)},
        {"program", text(program(launch))},
        {"program_version", text(launch->version)},
        {"unknown_lines", count((int64_t)launch->unknown_lines)},
    };

    return OBJECT(members);
}

static json_t *run_value(const struct tmk_import_launch *launch)
{
    const struct member members[] = {
        {"command_line", text(launch->command)},
        {"started", text(launch->started)},
        {"ended", text(launch->ended)},
        {"interrupted", text(launch->interrupted)},
    };

    return OBJECT(members);
}

static json_t *mpi_value(const struct tmk_import_launch *launch)
{
    const struct member members[] = {{"ranks", count(launch->ranks)},
                                     {"nodes", count(launch->nodes)}};

    return OBJECT(members);
}

static json_t *system_value(const struct tmk_import_launch *launch)
{
    const struct member members[] = {{"machine", text(launch->machine)}};

    return OBJECT(members);
}

static json_t *file_system(const struct tmk_import_launch *launch)
{
    const struct member members[] = {
        {"path", text(launch->path)},
        {"size_bytes", rounded(launch->size_bytes)},
        {"used_share", real(launch->used_share)},
        {"inodes", rounded(launch->inodes)},
        {"inodes_used_share", real(launch->inodes_used_share)},
    };

    return OBJECT(members);
}

static json_t *warnings(const struct tmk_import_launch *launch)
{
    json_t *list = json_array();

    for (size_t i = 0; i < launch->n_warnings; i++) {
        const struct member members[] = {
            {"code", text(launch->warnings[i].code)},
            {"text", tmk_json_value_text(launch->warnings[i].text)}};

        list = appended(list, OBJECT(members));
    }
    return list;
}

static json_t *reasons(const char *verdict)
{
    json_t *list = json_array();

    while (strncmp(verdict, "ok", 2) != 0 && *verdict != '\0') {
        const char *end = strstr(verdict, "; ");
        size_t length = end != NULL ? (size_t)(end - verdict) : strlen(verdict);
        json_t *reason = json_stringn(verdict, length);

        list = appended(list,
                        reason != NULL ? reason : tmk_json_value_text(verdict));
        verdict += length + (end != NULL ? 2 : 0);
    }
    return list;
}

/* null: only we print one. */
static json_t *verdict(const struct tmk_import_launch *launch)
{
    if (launch->verdict == NULL) {
        return json_null();
    }
    const struct member members[] = {
        {"ok", json_boolean(strncmp(launch->verdict, "ok", 2) == 0)},
        {"failed_operations", count(launch->failed_operations)},
        {"verification_errors", count(launch->verification_errors)},
        {"text", tmk_json_value_text(launch->verdict)},
        {"reasons", reasons(launch->verdict)},
    };

    return OBJECT(members);
}

int tmk_import_json(FILE *to, const struct tmk_import_launch *launch,
                    const char *file)
{
    const struct member members[] = {
        {"schema", json_string("treemark-result/1")},
        {"kind", text(program(launch))},
        {"imported", imported(launch, file)},
        {"run", run_value(launch)},
        {"mpi", mpi_value(launch)},
        {"system", system_value(launch)},
        {"filesystem", file_system(launch)},
        {"tests", tests(launch)},
        {"warnings", warnings(launch)},
        {"more_warnings", count((int64_t)launch->more_warnings)},
        {"verdict", verdict(launch)},
    };
    json_t *object = OBJECT(members);
    int err = 0;

    if (object == NULL) {
        return -ENOMEM;
    }
    if (json_dumpf(object, to, DUMP) != 0 || fputc('\n', to) == EOF) {
        err = -EIO;
    }
    json_decref(object);
    return err;
}
