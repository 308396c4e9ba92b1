/*
 * import_ior_opts: the lines "key : value" of a test of ior; "key = value" in
 * 2.10 and 3.0.
 */
#include "bench/import_ior_opts.h"

#include <errno.h>
#include <string.h>

enum kind { TEXT, NUMBER, SIZE, CLIENTS, SEED };

static const struct {
    const char *key;  /* as a pattern */
    const char *name; /* in JSON */
    enum kind kind;
} options[] = {
    {"api", "api", TEXT},
    {"apiVersion", "api_version", TEXT},
    {"test filename", "test_filename", TEXT},
    {"access", "access", TEXT},
    {"type", "type", TEXT},
    {"pattern", "pattern", TEXT},
    {"segments", "segments", NUMBER},
    {"ordering in a file", "ordering_in_a_file", TEXT},
    {"ordering inter file", "ordering_inter_file", TEXT},
    {"task offset", "task_offset", NUMBER},
    {"reorder random seed", "reorder_random_seed", NUMBER},
    {"nodes", "nodes", NUMBER},
    {"tasks", "tasks", NUMBER},
    {"clients per node", "clients_per_node", NUMBER},
    {"clients", "clients", CLIENTS},
    {"memoryPerTask", "memory_per_task", TEXT},
    {"memoryPerNode", "memory_per_node", TEXT},
    {"memoryBuffer", "memory_buffer", TEXT},
    {"dataAccess", "data_access", TEXT},
    {"GPUDirect", "gpu_direct", NUMBER},
    {"repetitions", "repetitions", NUMBER},
    {"xfersize", "xfersize_bytes", SIZE},
    {"blocksize", "blocksize_bytes", SIZE},
    {"aggregate filesize", "aggregate_filesize_bytes", SIZE},
    {"dryRun", "dry_run", NUMBER},
    {"verbose", "verbose", NUMBER},
    {"stonewallingTime", "stonewalling_time_s", NUMBER},
    {"stoneWallingWearOut", "stonewalling_wear_out", NUMBER},
    {"reads in the mix (%)", "rwmix", NUMBER}, /* ours, as what follows */
    {"read passes", "read_passes", NUMBER},
    {"data seed (-G)", "data_seed", SEED},
    {"random-offset-seed", "random_offset_seed", NUMBER},
};

/*
 * "262144 bytes", "4 MiB".  "1.95 GiB" is known with too few digits: -1.
 * False if it is no size.
 */
static bool is_size(struct tmk_import_scan_text text, int64_t *bytes)
{
    static const struct {
        const char *unit;
        int64_t factor;
    } units[] = {
        {"bytes", 1},
        {"KiB", INT64_C(1) << 10},
        {"MiB", INT64_C(1) << 20},
        {"GiB", INT64_C(1) << 30},
        {"TiB", INT64_C(1) << 40},
    };
    struct tmk_import_scan found;

    *bytes = -1;
    if (tmk_import_scan_is(text, "-")) {
        return true;
    }
    if (!tmk_import_scan(text, "# $", &found)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (tmk_import_scan_is(found.texts[0], units[i].unit)) {
            int64_t whole = found.numbers[0].whole;

            if (whole >= 0 && whole <= INT64_MAX / units[i].factor) {
                *bytes = whole * units[i].factor;
            }
            return true;
        }
    }
    return false;
}

/* The value of a number, -1 if it is not whole or is negative; false if it is
 * none. */
static bool option_number(enum kind kind, struct tmk_import_scan_text text,
                          int64_t *value, int64_t *per_node)
{
    struct tmk_import_scan found;

    if (kind == SIZE) {
        return is_size(text, value);
    }
    if (kind == SEED &&
        tmk_import_scan(text, "#, one more in each repetition", &found)) {
        *value = found.numbers[0].whole;
        return true;
    }
    if (kind == CLIENTS && tmk_import_scan(text, "# (# per node)", &found)) {
        *per_node = found.numbers[1].whole;
    } else if (kind == CLIENTS || !tmk_import_scan(text, "#", &found)) {
        return false;
    }
    *value = found.numbers[0].whole;
    return *value >= 0 || kind == NUMBER || kind == SEED;
}

/* What a test has a member for. */
static void note_option(struct tmk_import_test *test, const char *name,
                        int64_t value, int64_t per_node)
{
    const struct {
        const char *name;
        int64_t *field;
        int64_t value;
    } fields[] = {
        {"nodes", &test->nodes, value},
        {"tasks", &test->tasks, value},
        {"clients", &test->tasks, value},
        {"clients", &test->ranks_per_node, per_node},
        {"clients_per_node", &test->ranks_per_node, value},
        {"repetitions", &test->repetitions, value},
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (strcmp(fields[i].name, name) == 0 && fields[i].value > 0) {
            *fields[i].field = fields[i].value;
        }
    }
}

/* Whether the line is "key : value" or "key=value" with this key. */
static bool has_key(struct tmk_import_scan_text line, const char *key,
                    struct tmk_import_scan_text *value)
{
    struct tmk_import_scan_text text = tmk_import_scan_trim(line);
    size_t length = strlen(key);
    struct tmk_import_scan_text rest;

    if (text.length <= length || memcmp(text.at, key, length) != 0) {
        return false;
    }
    rest = tmk_import_scan_trim(
        (struct tmk_import_scan_text){text.at + length, text.length - length});
    if (rest.length == 0 || (rest.at[0] != ':' && rest.at[0] != '=')) {
        return false;
    }
    *value = tmk_import_scan_trim(
        (struct tmk_import_scan_text){rest.at + 1, rest.length - 1});
    return true;
}

int tmk_import_ior_opts_line(struct tmk_import_launch *launch,
                             struct tmk_import_scan_text line)
{
    struct tmk_import_scan_text value;
    struct tmk_import_test *test;
    struct tmk_import_option *to;
    int64_t number = -1;
    int64_t per_node = -1;
    size_t i = 0;

    while (i < sizeof(options) / sizeof(options[0]) &&
           !has_key(line, options[i].key, &value)) {
        i++;
    }
    if (i == sizeof(options) / sizeof(options[0]) ||
        (options[i].kind != TEXT &&
         !option_number(options[i].kind, value, &number, &per_node))) {
        return 0;
    }
    test = tmk_import_launch_test(launch);
    to = test != NULL ? tmk_import_launch_add_option(test, options[i].name)
                      : NULL;
    if (to == NULL) {
        return -ENOMEM;
    }
    if (options[i].kind == TEXT ||
        ((options[i].kind == NUMBER || options[i].kind == SEED) &&
         number < 0)) {
        int err = tmk_import_launch_keep(&to->text, value);

        return err != 0 ? err : 1;
    }
    to->number = number;
    note_option(test, to->name, number, per_node);
    return 1;
}
