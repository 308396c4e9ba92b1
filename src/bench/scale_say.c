/*
 * scale_say: what is told of a study besides its tables.
 */
#include "bench/scale_say.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/units.h"
#include "run/clock.h"
#include "run/say.h"

/* "mdtest -n 100 -d '/a b'", as a shell would take it. */
static void say_words(FILE *to, const struct tmk_scale_words *words)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_=+./,:@%^";

    for (int i = 0; i < words->argc; i++) {
        const char *word = words->argv[i];

        if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
            fprintf(to, "%s%s", i == 0 ? "" : " ", word);
            continue;
        }
        fputs(i == 0 ? "'" : " '", to);
        for (const char *s = word; *s != '\0'; s++) {
            if (*s == '\'') {
                fputs("'\\''", to);
            } else {
                fputc(*s, to);
            }
        }
        fputc('\'', to);
    }
    fputc('\n', to);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

void tmk_scale_say_head(const struct tmk_scale_launch *launch)
{
    const struct tmk_scale_conf *conf = &launch->conf;
    const struct tmk_owner_map *map = &launch->job->layout.map;
    FILE *to = launch->job->out;
    struct tmk_scale_words words = launch->variants[0].words;

    if (launch->job->rank != 0) {
        return;
    }
    fputs("treemark scale: ", to);
    words.argc -= conf->vary.n != 0; /* the value is the last of them */
    say_words(to, &words);
    for (unsigned i = 0; i < conf->vary.n; i++) {
        fprintf(to, "%s%s%s", i == 0 ? "with each of " : ", ",
                launch->variants[i].vary, i + 1 == conf->vary.n ? "\n" : "");
    }
    fprintf(to, "%" PRIu32 " node%s, %" PRIu32 " rank%s; %zu point%s, ",
            map->nodes, plural(map->nodes), map->ranks, plural(map->ranks),
            launch->plan.n, plural(launch->plan.n));
    if (conf->until_ci > 0) {
        fprintf(to, "%d to %d runs of each until intervals are within %g %%",
                conf->repeat > 2 ? conf->repeat : 2, conf->max_repeat,
                100 * conf->until_ci);
    } else {
        fprintf(to, "%d run%s of each", conf->repeat,
                plural((size_t)conf->repeat));
    }
    fprintf(to, "; %s\n",
            launch->strong ? "strong: the work is divided among ranks"
                           : "weak: the work is that of each rank");
    if (conf->shuffle != 0 || conf->shuffle_seed != 0) {
        fprintf(to, "in random order (--shuffle-seed=%" PRIu64 ")\n",
                launch->shuffle_seed);
    }
    fflush(to);
}

/* Of points that are kept: what was doubtful about them still is. */
void tmk_scale_say_kept(struct tmk_scale_launch *launch)
{
    size_t i;
    json_t *warning;

    if (launch->n_kept == 0) {
        return;
    }
    json_array_foreach(launch->warnings, i, warning)
    {
        const char *code = json_string_value(json_object_get(warning, "code"));
        const char *text = json_string_value(json_object_get(warning, "text"));

        if (code != NULL &&
            text != NULL) { /* they live until the report is over */
            tmk_say_warning(launch->job, code, "%s", text);
        }
    }
}

void tmk_scale_say_plan(const struct tmk_scale_launch *launch)
{
    FILE *to = launch->job->out;

    for (size_t i = 0; launch->job->rank == 0 && i < launch->plan.n; i++) {
        const struct tmk_scale_entry *entry = &launch->entries[i];
        struct tmk_scale_words words;
        char name[256];

        tmk_scale_entry_name(entry, name, sizeof(name));
        fprintf(to, "[%zu/%zu] %s: ", i + 1, launch->plan.n, name);
        if (tmk_scale_words_make(
                &words, &launch->variants[entry->point.variant].args, NULL,
                launch->strong, entry->point.ranks) == 0) {
            say_words(to, &words);
            if (words.note[0] != '\0') {
                fprintf(to, "        %s\n", words.note);
            }
        }
        tmk_scale_words_fini(&words);
    }
}

/* More ranks do not make each faster: caches do. */
void tmk_scale_say_caches(struct tmk_scale_launch *launch)
{
    const double much = 1.5;
    const struct tmk_scale_excess excess =
        tmk_scale_table_excess(launch->entries, launch->plan.n);
    char name[256];

    if (launch->job->rank == 0 && excess.entry != NULL &&
        excess.efficiency > much) {
        tmk_scale_entry_name(excess.entry, name, sizeof(name));
        tmk_say_warning(launch->job, "COLD_START",
                        "%s: a rank is %.1f times as fast at %s as at the "
                        "first point, whose caches may have been cold, or "
                        "later ones warm (--warmup, --shuffle)",
                        excess.name, excess.efficiency, name);
    }
}

void tmk_scale_say_time(const struct tmk_scale_launch *launch)
{
    tmk_say(launch->job,
            "\n%zu point%s in %.3g s, %.3g s of it in the benchmark",
            launch->n_run, plural(launch->n_run),
            tmk_units_seconds(tmk_clock_ns() - launch->start_ns),
            tmk_units_seconds(launch->spent_ns));
}
