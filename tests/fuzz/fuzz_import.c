/*
 * fuzz_import: what a text can do to who imports it.
 *
 *     input -> the same launches, in whatever pieces it comes
 *           -> JSON that can be read back
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "bench/import_json.h"
#include "bench/import_text.h"
#include "fuzz/must.h"

struct told {
    FILE *to;
    char *text;
    size_t size;
    uint64_t launches, unknown, last_line;
};

static void check_counts(const struct tmk_import_counts *c)
{
    MUST(c->operations >= -1 && c->not_tried >= -1);
    MUST(c->n_failed <= TMK_IMPORT_FAILED_MAX);
    for (size_t k = 0; k < c->n_failed; k++) {
        MUST(memchr(c->failed[k].name, '\0', TMK_IMPORT_ERRNO_SIZE) != NULL);
        MUST(c->failed[k].count > 0);
    }
}

static void check_test(const struct tmk_import_test *test)
{
    MUST(test->tasks >= -1 && test->repetitions >= -1);
    for (size_t i = 0; i < test->n_summary; i++) {
        const struct tmk_import_summary *s = &test->summary[i];

        MUST(s->name != NULL && s->unit != NULL);
        MUST(s->n >= -1);
        check_counts(&s->counts);
    }
    for (size_t i = 0; i < test->n_phases; i++) {
        MUST(test->phases[i].name != NULL && test->phases[i].iteration >= -1);
        MUST(test->phases[i].pass == 0 || test->phases[i].pass > 1);
        check_counts(&test->phases[i].counts);
    }
    for (size_t i = 0; i < test->n_options; i++) {
        for (size_t k = 0; k < i; k++) {
            MUST(strcmp(test->options[i].name, test->options[k].name) != 0);
        }
    }
}

static int on_launch(void *state, const struct tmk_import_launch *launch)
{
    struct told *told = state;

    MUST(launch->line > 0);
    MUST(launch->n_warnings <= TMK_IMPORT_WARNINGS_MAX);
    MUST(strlen(launch->started) < sizeof(launch->started));
    MUST(strlen(launch->ended) < sizeof(launch->ended));
    for (size_t i = 0; i < launch->n_tests; i++) {
        check_test(&launch->tests[i]);
    }
    told->launches++;
    MUST(tmk_import_json(told->to, launch, "fuzz") == 0);
    return 0;
}

static int on_unknown(void *state, uint64_t line,
                      struct tmk_import_scan_text text)
{
    struct told *told = state;

    MUST(line > told->last_line);
    MUST(text.length == 0 || memchr(text.at, '\n', text.length) == NULL);
    told->last_line = line;
    told->unknown++;
    return 0;
}

/* In pieces of up to `most` bytes. */
static void read_in(struct told *told, const char *bytes, size_t n, size_t most,
                    uint64_t dice)
{
    static const struct tmk_import_text_ops ops = {.launch = on_launch,
                                                   .unknown = on_unknown};
    struct tmk_import_text *text;

    *told = (struct told){.text = NULL};
    told->to = open_memstream(&told->text, &told->size);
    text = tmk_import_text_new(&ops, told);
    MUST(told->to != NULL && text != NULL);
    for (size_t at = 0; at < n;) {
        size_t length = tmk_mix(dice + at) % most + 1;
        char *piece;

        length = length < n - at ? length : n - at;
        /* Of its own, so that a look past its end is noticed. */
        piece = malloc(length);
        MUST(piece != NULL);
        memcpy(piece, bytes + at, length);
        MUST(tmk_import_text_push(text, piece, length) == 0);
        free(piece);
        at += length;
    }
    MUST(tmk_import_text_end(text) == 0);
    tmk_import_text_free(text);
    MUST(fclose(told->to) == 0);
}

/* A line for each launch, and each is an object without double members. */
static void check_json(const struct told *told)
{
    const char *line = told->text;

    for (uint64_t i = 0; i < told->launches; i++) {
        const char *end = strchr(line, '\n');
        json_error_t error;
        json_t *object;

        MUST(end != NULL);
        object = json_loadb(line, (size_t)(end - line), JSON_REJECT_DUPLICATES,
                            &error);
        MUST(json_is_object(object));
        json_decref(object);
        line = end + 1;
    }
    MUST(*line == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct told whole;
    struct told pieces;

    read_in(&whole, (const char *)data, size, size + 1, 1);
    read_in(&pieces, (const char *)data, size, 7, size);
    MUST(whole.launches == pieces.launches);
    MUST(whole.unknown == pieces.unknown);
    MUST(whole.size == pieces.size);
    MUST(memcmp(whole.text, pieces.text, whole.size) == 0);
    check_json(&whole);
    free(whole.text);
    free(pieces.text);
    return 0;
}
