/*
 * import_frame: what stands around the tables of mdtest and ior.
 */
#include "bench/import_frame.h"

#include <string.h>

bool tmk_import_frame_is_one(struct tmk_import_scan_text line,
                             const char *const *patterns)
{
    struct tmk_import_scan found;

    for (; *patterns != NULL; patterns++) {
        if (tmk_import_scan(line, *patterns, &found)) {
            return true;
        }
    }
    return false;
}

static bool is_rule(struct tmk_import_scan_text line)
{
    for (size_t i = 0; i < line.length; i++) {
        if (line.at[i] != '-' && line.at[i] != ' ' && line.at[i] != '\t') {
            return false;
        }
    }
    return true;
}

/* "FS : 252.0 GiB   Used FS: 7.0%   Inodes: 16.0 Mi   Used Inodes: 2.7%" */
static bool file_system(struct tmk_import_launch *launch,
                        struct tmk_import_scan_text line)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    const double mi = 1024.0 * 1024.0;
    struct tmk_import_scan found;
    double unit = gib;

    if (!tmk_import_scan(line,
                         "FS_:_# $ Used FS_:_#% Inodes_:_# Mi Used "
                         "Inodes_:_#%",
                         &found)) {
        return tmk_import_scan(line, "FS_:_not reported *", &found);
    }
    if (tmk_import_scan_is(found.texts[0], "TiB")) {
        unit *= 1024.0;
    } else if (!tmk_import_scan_is(found.texts[0], "GiB")) {
        return false;
    }
    launch->size_bytes = found.numbers[0].value * unit;
    launch->used_share = found.numbers[1].value / 100.0;
    /* File systems that count no inodes say that there are none. */
    if (found.numbers[2].value > 0.0) {
        launch->inodes = found.numbers[2].value * mi;
        launch->inodes_used_share = found.numbers[3].value / 100.0;
    }
    return true;
}

int tmk_import_frame_line(struct tmk_import_launch *launch,
                          struct tmk_import_scan_text line)
{
    static const struct {
        const char *pattern;
        const char *code;
    } messages[] = {
        {"WARNING: *", NULL}, {"INFO: *", NULL}, {"ERROR: *", "ERROR"}};
    struct tmk_import_scan found;
    int err = 0;

    if (is_rule(line)) {
        return 1;
    }
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        if (tmk_import_scan(line, messages[i].pattern, &found)) {
            err = tmk_import_launch_warn(launch, messages[i].code,
                                         found.texts[0]);
            return err != 0 ? err : 1;
        }
    }
    if (tmk_import_scan(line, "Command line used_:_*", &found) ||
        tmk_import_scan(line, "Command line_:_*", &found)) {
        err = tmk_import_launch_keep(&launch->command, found.texts[0]);
    } else if (tmk_import_scan(line, "Path_:_*", &found)) {
        err = tmk_import_launch_keep(&launch->path, found.texts[0]);
    } else {
        return file_system(launch, line);
    }
    return err != 0 ? err : 1;
}

/*
 * What only we print.
 */

/* "EEXIST", "other" */
static bool is_errno(struct tmk_import_scan_text name)
{
    bool good = name.length > 1 && name.length < TMK_IMPORT_ERRNO_SIZE &&
                name.at[0] == 'E';

    for (size_t i = 0; good && i < name.length; i++) {
        good = (name.at[i] >= 'A' && name.at[i] <= 'Z') ||
               (name.at[i] >= '0' && name.at[i] <= '9');
    }
    return good || tmk_import_scan_is(name, "other");
}

/* "EEXIST 10, ENOSPC 2)" */
static bool failed_by(struct tmk_import_counts *counts,
                      struct tmk_import_scan_text list)
{
    struct tmk_import_scan_text name;

    counts->n_failed = 0;
    while ((name = tmk_import_scan_word(&list)).length > 0) {
        struct tmk_import_scan_text count = tmk_import_scan_word(&list);
        struct tmk_import_failed failed = {.count = 0};
        struct tmk_import_scan_number number;

        if (!is_errno(name) || count.length < 2 ||
            (count.at[count.length - 1] != ',' &&
             count.at[count.length - 1] != ')')) {
            return false;
        }
        count.length--;
        if (counts->n_failed == TMK_IMPORT_FAILED_MAX ||
            !tmk_import_scan_number(count, &number) || number.whole <= 0) {
            return false;
        }
        failed.count = number.whole;
        memcpy(failed.name, name.at, name.length);
        counts->failed[counts->n_failed++] = failed;
    }
    return counts->n_failed > 0;
}

bool tmk_import_frame_counts(struct tmk_import_counts *counts,
                             struct tmk_import_scan_text line)
{
    struct tmk_import_scan found;
    struct tmk_import_counts told = *counts;
    bool failed = tmk_import_scan(line, "failed # of # (*", &found);

    if ((!failed && !tmk_import_scan(line, "not tried # of #", &found)) ||
        found.numbers[0].whole < 0 ||
        found.numbers[1].whole < found.numbers[0].whole) {
        return false;
    }
    told.operations = found.numbers[1].whole - found.numbers[0].whole;
    if (failed) {
        told.failed_operations = found.numbers[0].whole;
        if (!failed_by(&told, found.texts[0])) {
            return false;
        }
    } else {
        told.not_tried = found.numbers[0].whole;
        if (told.failed_operations > 0) {
            told.operations -= told.failed_operations;
        }
    }
    if (told.operations < 0) {
        return false;
    }
    *counts = told;
    return true;
}

/* "SIGINT:" */
static void interrupted(struct tmk_import_launch *launch,
                        struct tmk_import_scan_text word)
{
    if (tmk_import_scan_is(word, "SIGINT:")) {
        launch->interrupted = "SIGINT";
    } else if (tmk_import_scan_is(word, "SIGTERM:")) {
        launch->interrupted = "SIGTERM";
    }
}

/* "1 of 82 operations failed; look at the lines below the rows" */
int tmk_import_frame_verdict(struct tmk_import_launch *launch,
                             struct tmk_import_scan_text text)
{
    struct tmk_import_scan found;
    struct tmk_import_scan_text rest = text;

    launch->failed_operations = -1;
    launch->verification_errors = -1;
    if (tmk_import_scan_is(text, "ok")) {
        launch->failed_operations = 0;
        launch->verification_errors = 0;
    } else if (tmk_import_scan(text, "ok, with # failed operations tolerated",
                               &found)) {
        launch->failed_operations = found.numbers[0].whole;
        launch->verification_errors = 0;
    }
    while (rest.length > 0) {
        const char *end = memchr(rest.at, ';', rest.length);
        struct tmk_import_scan_text part = rest;

        part.length = end != NULL ? (size_t)(end - rest.at) : rest.length;
        if (tmk_import_scan(part, "# of # operations failed", &found)) {
            launch->failed_operations = found.numbers[0].whole;
        } else if (tmk_import_scan(part, "data was not as written # times",
                                   &found)) {
            launch->verification_errors = found.numbers[0].whole;
        } else if (tmk_import_scan(part, "interrupted by $ the results *",
                                   &found)) {
            interrupted(launch, found.texts[0]);
        }
        rest.at += part.length;
        rest.length -= part.length;
        if (end != NULL) {
            rest.at++;
            rest.length--;
        }
    }
    return tmk_import_launch_keep(&launch->verdict, text);
}
