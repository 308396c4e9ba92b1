/*
 * mdworkbench_status: the run-info file as text, and what it says of a plan.
 */
#include "bench/mdworkbench_status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"

struct tmk_mdworkbench_status
tmk_mdworkbench_status_of(const struct tmk_mdworkbench_plan *plan, uint64_t pos,
                          int32_t seed)
{
    const struct tmk_mdworkbench_conf *conf = plan->conf;

    return (struct tmk_mdworkbench_status){
        .pos = pos,
        .known = true,
        .ranks = plan->ranks,
        .sets = conf->sets,
        .per_set = conf->per_set,
        .bytes = conf->bytes,
        .first = pos,
        .pattern_kind = conf->pattern_kind,
        .seed = seed,
    };
}

size_t tmk_mdworkbench_status_write(const struct tmk_mdworkbench_status *status,
                                    char buf[TMK_MDWORKBENCH_STATUS_SIZE])
{
    const enum tmk_pattern_kind kind =
        (enum tmk_pattern_kind)status->pattern_kind;
    int n = snprintf(buf, TMK_MDWORKBENCH_STATUS_SIZE,
                     "pos: %" PRIu64 "\n"
                     "ranks: %" PRIu64 "\n"
                     "data-sets: %" PRIu64 "\n"
                     "precreate-per-set: %" PRIu64 "\n"
                     "object-size: %" PRIu64 "\n"
                     "pattern: %s\n"
                     "seed: %" PRId32 "\n"
                     "first: %" PRIu64 "\n"
                     "directory: %s\n"
                     "state: %s\n",
                     status->pos, status->ranks, status->sets, status->per_set,
                     status->bytes, tmk_pattern_name(kind), status->seed,
                     status->first, status->made_dir ? "made" : "found",
                     status->torn ? "torn" : "whole");

    return n > 0 ? (size_t)n : 0;
}

/* Digits alone, up to the end of the line or anything else if `loose`. */
static int take_u64(const char *text, bool loose, uint64_t *value)
{
    char *end;

    if (*text < '0' || *text > '9') {
        return -EINVAL;
    }
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *value < UINT64_C(1) << 62 &&
                   (loose || *end == '\n' || *end == '\0')
               ? 0
               : -EINVAL;
}

/* What stands behind "<name>: " in a line of its own; NULL: there is none. */
static const char *find(const char *text, const char *name)
{
    const size_t n = strlen(name);

    for (const char *line = text; line != NULL;) {
        if (strncmp(line, name, n) == 0 && strncmp(line + n, ": ", 2) == 0) {
            return line + n + 2;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return NULL;
}

static bool is_word(const char *text, const char *word)
{
    const size_t n = strlen(word);

    return strncmp(text, word, n) == 0 && (text[n] == '\n' || text[n] == '\0');
}

/* One of two words. */
static int take_word(const char *text, const char *no, const char *yes,
                     bool *value)
{
    if (text == NULL || (!is_word(text, no) && !is_word(text, yes))) {
        return -EINVAL;
    }
    *value = is_word(text, yes);
    return 0;
}

static int take_pattern(const char *text, int *kind)
{
    for (int i = 0; text != NULL && i < TMK_PATTERN_KINDS; i++) {
        if (is_word(text, tmk_pattern_name((enum tmk_pattern_kind)i))) {
            *kind = i;
            return 0;
        }
    }
    return -EINVAL;
}

static int take_seed(const char *text, int32_t *seed)
{
    char *end;
    long long value;

    if (text == NULL) {
        return -EINVAL;
    }
    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno != 0 || end == text || (*end != '\n' && *end != '\0') ||
        value < INT32_MIN || value > INT32_MAX) {
        return -EINVAL;
    }
    *seed = (int32_t)value;
    return 0;
}

int tmk_mdworkbench_status_read(struct tmk_mdworkbench_status *status,
                                const char *text)
{
    const struct {
        const char *name;
        uint64_t *value;
    } counts[] = {
        {"ranks", &status->ranks},
        {"data-sets", &status->sets},
        {"precreate-per-set", &status->per_set},
        {"object-size", &status->bytes},
        {"first", &status->first},
    };
    static const char first[] = "pos: ";

    *status = (struct tmk_mdworkbench_status){0};
    if (strncmp(text, first, sizeof(first) - 1) != 0 ||
        take_u64(text + sizeof(first) - 1, true, &status->pos) != 0) {
        return -EINVAL;
    }
    if (find(text, "state") == NULL) {
        return 0; /* of the original */
    }
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        const char *value = find(text, counts[i].name);

        if (value == NULL || take_u64(value, false, counts[i].value) != 0) {
            return -EINVAL;
        }
    }
    if (take_pattern(find(text, "pattern"), &status->pattern_kind) != 0 ||
        take_seed(find(text, "seed"), &status->seed) != 0 ||
        take_word(find(text, "directory"), "found", "made",
                  &status->made_dir) != 0 ||
        take_word(find(text, "state"), "whole", "torn", &status->torn) != 0) {
        return -EINVAL;
    }
    status->known = true;
    return 0;
}

int tmk_mdworkbench_status_check(const struct tmk_mdworkbench_status *status,
                                 const struct tmk_mdworkbench_plan *plan,
                                 char *why, size_t size)
{
    const struct tmk_mdworkbench_conf *conf = plan->conf;
    const struct {
        const char *what;
        uint64_t asked, there;
    } rows[] = {
        {"ranks (mpiexec -n)", plan->ranks, status->ranks},
        {"-D: sets of a rank", conf->sets, status->sets},
        {"-P: objects in a set", conf->per_set, status->per_set},
        {"-S: bytes of an object", conf->bytes, status->bytes},
    };

    if (!status->known) {
        return 0;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].asked != rows[i].there) {
            (void)snprintf(
                why, size, "%s are %" PRIu64 ", not %" PRIu64 ", by %s",
                rows[i].what, rows[i].there, rows[i].asked, conf->status_file);
            return -EINVAL;
        }
    }
    if (conf->pattern_kind != status->pattern_kind) {
        (void)snprintf(
            why, size, "--dataPacketType: it is %s, not %s, by %s",
            tmk_pattern_name((enum tmk_pattern_kind)status->pattern_kind),
            tmk_pattern_name((enum tmk_pattern_kind)conf->pattern_kind),
            conf->status_file);
        return -EINVAL;
    }
    if (conf->seed != -1 && conf->seed != status->seed) {
        (void)snprintf(why, size, "-G: the seed is %" PRId32 ", not %d, by %s",
                       status->seed, conf->seed, conf->status_file);
        return -EINVAL;
    }
    if (status->torn) {
        (void)snprintf(why, size,
                       "%s: the benchmark was broken off there, and the sets "
                       "are not alike any more: remove them with -3",
                       conf->status_file);
        return -EINVAL;
    }
    return 0;
}
