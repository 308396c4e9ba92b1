/*
 * io500_html: a page about a run, from its result.json.
 *
 *     read, check | head, scores, reasons | table | plots | system, warnings
 */
#include "bench/io500_html.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/io500_plot.h"
#include "run/output.h"
#include "run/say.h"
#include "run/text_file.h"

enum { MOST = 64 << 20, PHASES_MOST = 64, INTERVALS_MOST = 4096 };

#define GIB (1024.0 * 1024 * 1024)

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;"
    "max-width:900px;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.5em;margin:0}h2{font-size:1.15em;margin:2em 0 .4em}"
    ".note{color:#555;font-size:.9em;margin:.2em 0 .8em}"
    ".tiles{display:flex;gap:1em;flex-wrap:wrap;margin:1em 0}"
    ".tile{border:1px solid #ccc;border-radius:6px;padding:.5em 1em;"
    "min-width:9em}.tile b{display:block;font-size:1.6em;"
    "font-variant-numeric:tabular-nums}.tile span{color:#555}"
    ".state{display:inline-block;border:2px solid;border-radius:4px;"
    "padding:0 .5em;font-weight:600}.good{color:#00583f}.bad{color:#a33b00}"
    "table{border-collapse:collapse;width:100%;font-size:.9em}"
    "th,td{text-align:right;padding:.25em .5em;border-bottom:1px solid #ddd;"
    "font-variant-numeric:tabular-nums;white-space:nowrap}"
    "th{color:#555;font-weight:600}th:first-child,td:first-child{"
    "text-align:left}td.why{white-space:normal;text-align:left;color:#555;"
    "border-bottom:1px solid #ddd;padding-left:2em}tr.has td{border-bottom:0}"
    "td "
    "ul{margin:0;padding-left:1em}.scroll{overflow-x:auto}dl{display:grid;grid-"
    "template-columns:"
    "max-content 1fr;gap:.2em 1.2em;margin:0}dt{color:#555}dd{margin:0;"
    "overflow-wrap:anywhere}svg{font:12px system-ui,sans-serif;fill:#1a1a1a}"
    "svg.wide{width:100%;height:auto}svg.small{width:calc(50% - 10px);"
    "min-width:320px;height:auto}.grid{stroke:#e3e3e3}.mark{fill:#555;"
    "font-size:11px}.name{font-weight:600}.thin{stroke:#0072b2;"
    "stroke-width:1.5}.thick{stroke:#0072b2;stroke-width:6}"
    ".dot{fill:#fff;stroke:#0072b2;stroke-width:2.5}.p99{fill:#003f63}"
    ".max{fill:#d55e00}.area{fill:#0072b2;fill-opacity:.25;stroke:#0072b2;"
    "stroke-width:1.5;stroke-linejoin:round}.wall{stroke:#a33b00;"
    "stroke-dasharray:4 3}.plots{display:flex;flex-wrap:wrap;gap:16px 20px}"
    "@media print{body{margin:0}h2{break-after:avoid}svg,tr{"
    "break-inside:avoid}}";

/*
 * Values, of which any may be missing or of another kind.
 */

static const char *word(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool truth(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

static const json_t *first(const json_t *object, const char *key)
{
    return json_array_get(json_object_get(object, key), 0);
}

/* What was timed in a phase, by its name. */
static const json_t *timed(const json_t *root, const char *name)
{
    const json_t *phases =
        json_object_get(first(first(root, "tests"), "iterations"), "phases");
    size_t i;
    json_t *phase;

    json_array_foreach(phases, i, phase)
    {
        const char *its = word(phase, "name");

        if (its != NULL && name != NULL && strcmp(its, name) == 0) {
            return phase;
        }
    }
    return NULL;
}

static const json_t *phases_of(const json_t *root)
{
    return json_object_get(json_object_get(root, "io500"), "phases");
}

/*
 * Parts of the page.
 */

static void heading(FILE *to, const char *name, const char *note)
{
    (void)fprintf(to, "<h2>%s</h2>\n", name);
    if (note != NULL) {
        (void)fprintf(to, "<p class='note'>%s</p>\n", note);
    }
}

static void tile(FILE *to, const char *name, double value, const char *unit)
{
    (void)fprintf(to,
                  "<div class='tile'><span>%s</span><b>%.4g</b>"
                  "<span>%s</span></div>\n",
                  name, value, unit);
}

static void scores(FILE *to, const json_t *scores, const char *name)
{
    if (!json_is_object(scores)) {
        return;
    }
    (void)fputs("<div class='tiles'>\n", to);
    tile(to, name, number(scores, "score"),
         "\xe2\x88\x9a(GiB/s \xc3\x97 kIOPS)");
    tile(to, "Bandwidth", number(scores, "bandwidth_gib_per_s"), "GiB/s");
    tile(to, "Metadata", number(scores, "kiops"), "kIOPS");
    (void)fputs("</div>\n", to);
}

static void reasons(FILE *to, const json_t *list)
{
    size_t i;
    json_t *reason;

    if (json_array_size(list) == 0) {
        return;
    }
    (void)fputs("<ul>\n", to);
    json_array_foreach(list, i, reason)
    {
        (void)fputs(truth(reason, "invalidates") ? "<li>invalid: " : "<li>",
                    to);
        tmk_io500_plot_text(to, word(reason, "text"));
        (void)fputs(" (", to);
        tmk_io500_plot_text(to, word(reason, "code"));
        (void)fputs(")</li>\n", to);
    }
    (void)fputs("</ul>\n", to);
}

static void state(FILE *to, const json_t *root, const json_t *suite)
{
    const json_t *run = json_object_get(root, "run");
    const char *signal = word(run, "interrupted");
    bool valid = truth(json_object_get(suite, "scores"), "valid");

    if (signal != NULL) {
        (void)fputs("<span class='state bad'>interrupted by ", to);
        tmk_io500_plot_text(to, signal);
        (void)fputs("</span>\n", to);
    } else if (!truth(suite, "complete")) {
        (void)fputs("<span class='state bad'>not complete</span>\n", to);
    } else {
        (void)fprintf(to, "<span class='state %s'>%s</span>\n",
                      valid ? "good" : "bad", valid ? "valid" : "INVALID");
    }
}

static void head(FILE *to, const json_t *root)
{
    const json_t *suite = json_object_get(root, "io500");
    const json_t *run = json_object_get(root, "run");

    (void)fputs("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
                "<meta name='viewport' content='width=device-width'>"
                "<title>IO500 ",
                to);
    tmk_io500_plot_text(to, word(suite, "timestamp"));
    (void)fprintf(to, "</title><style>%s</style></head><body>\n", style);
    (void)fputs("<h1>IO500 run ", to);
    tmk_io500_plot_text(to, word(suite, "timestamp"));
    (void)fputs("</h1>\n<p class='note'>", to);
    tmk_io500_plot_text(to, word(suite, "version"));
    (void)fputs(", mode ", to);
    tmk_io500_plot_text(to, word(suite, "mode"));
    (void)fputs(", ", to);
    tmk_io500_plot_text(to, word(run, "started"));
    (void)fputs(" to ", to);
    tmk_io500_plot_text(to, word(run, "ended"));
    (void)fputs("</p>\n", to);
    state(to, root, suite);
    scores(to, json_object_get(suite, "scores"), "Score");
    scores(to, json_object_get(suite, "scores_extended"), "Extended score");
    reasons(to, json_object_get(suite, "reasons"));
}

static void cell_time(FILE *to, const json_t *latency, const char *key)
{
    double ns = number(latency, key);

    (void)fputs("<td>", to);
    if (json_is_number(json_object_get(latency, key))) {
        tmk_io500_plot_time(to, ns);
    }
    (void)fputs("</td>", to);
}

static void row(FILE *to, const json_t *root, const json_t *phase)
{
    const json_t *list = json_object_get(phase, "reasons");
    const json_t *latency =
        json_object_get(timed(root, word(phase, "name")), "latency_ns");
    bool has = json_array_size(list) != 0;

    (void)fprintf(to, "<tr%s><td>", has ? " class='has'" : "");
    tmk_io500_plot_text(to, word(phase, "name"));
    (void)fputs("</td><td>", to);
    if (number(phase, "score") > 0) {
        (void)fprintf(to, "%.4f ", number(phase, "score"));
        tmk_io500_plot_text(to, word(phase, "unit"));
    }
    (void)fprintf(to, "</td><td>%.3f s</td><td>%.0f</td><td>%.0f</td>",
                  number(phase, "seconds"), number(phase, "operations"),
                  number(phase, "failed"));
    cell_time(to, latency, "p50");
    cell_time(to, latency, "p99");
    cell_time(to, latency, "max");
    (void)fprintf(to, "<td>%s</td></tr>\n",
                  !truth(phase, "valid")   ? "INVALID"
                  : truth(phase, "scored") ? "valid"
                                           : "not scored");
    if (has) {
        (void)fputs("<tr><td class='why' colspan='9'>", to);
        reasons(to, list);
        (void)fputs("</td></tr>\n", to);
    }
}

static void table(FILE *to, const json_t *root)
{
    size_t i;
    json_t *phase;

    heading(to, "Phases",
            "Time is that of the whole phase; scores are of the benchmark's "
            "own.  Latencies are of single operations.");
    (void)fputs("<div class='scroll'><table><tr><th>phase</th><th>score</th>"
                "<th>time</th><th>operations</th><th>failed</th><th>p50</th>"
                "<th>p99</th><th>max</th><th></th></tr>\n",
                to);
    json_array_foreach(phases_of(root), i, phase)
    {
        row(to, root, phase);
    }
    (void)fputs("</table></div>\n", to);
}

static void latencies(FILE *to, const json_t *root)
{
    struct tmk_io500_plot_latency rows[PHASES_MOST];
    size_t n = 0;
    size_t i;
    json_t *phase;

    json_array_foreach(phases_of(root), i, phase)
    {
        const char *name = word(phase, "name");
        const json_t *latency =
            json_object_get(timed(root, name), "latency_ns");

        if (json_is_object(latency) && n < PHASES_MOST) {
            rows[n++] = (struct tmk_io500_plot_latency){
                .name = name,
                .min = number(latency, "min"),
                .p50 = number(latency, "p50"),
                .p99 = number(latency, "p99"),
                .max = number(latency, "max"),
            };
        }
    }
    if (n != 0) {
        heading(to, "Latency",
                "Thin line: fastest to slowest operation.  Thick line: p50 "
                "(ring) to p99 (bar).  Diamond: the slowest.");
        tmk_io500_plot_latencies(to, rows, n);
    }
}

/* Operations of an interval become what the phase is scored in. */
static double scale_of(const json_t *phase, const char *unit)
{
    double operations = number(phase, "operations");

    if (unit != NULL && strcmp(unit, "GiB/s") == 0) {
        return operations > 0 ? number(phase, "bytes") / operations / GIB : 0;
    }
    return 1e-3;
}

static void rate(FILE *to, const json_t *root, const json_t *phase)
{
    const json_t *its = timed(root, word(phase, "name"));
    const json_t *intervals = json_object_get(its, "intervals");
    const json_t *wall = json_object_get(its, "stonewall");
    const json_t *counts = json_object_get(intervals, "operations");
    double amounts[INTERVALS_MOST];
    struct tmk_io500_plot_rate r = {
        .name = word(phase, "name"),
        .unit = word(phase, "unit"),
        .width_s = number(intervals, "seconds"),
        .time_s = number(its, "time_s"),
        .stonewall_s = truth(wall, "hit") ? number(wall, "seconds") : 0,
        .amounts = amounts,
    };
    size_t i;
    json_t *count;

    json_array_foreach(counts, i, count)
    {
        if (r.n < INTERVALS_MOST) {
            amounts[r.n++] = json_number_value(count) * scale_of(phase, r.unit);
        }
    }
    if (r.n != 0 && r.width_s > 0 && r.name != NULL) {
        if (strncmp(r.name, "find", 4) == 0) {
            r.unit = "k entries/s";
        }
        tmk_io500_plot_rate(to, &r);
    }
}

static void rates(FILE *to, const json_t *root)
{
    size_t i;
    json_t *phase;

    heading(to, "Rate over time",
            "Of all ranks together.  After time is up (dashed), ranks go on "
            "until each has done as much as the fastest.");
    (void)fputs("<div class='plots'>\n", to);
    json_array_foreach(phases_of(root), i, phase)
    {
        rate(to, root, phase);
    }
    (void)fputs("</div>\n", to);
}

/* A value of any kind, a list with commas. */
static void value(FILE *to, const json_t *v, bool bytes)
{
    size_t i;
    json_t *item;

    if (json_is_string(v)) {
        tmk_io500_plot_text(to, json_string_value(v));
    } else if (bytes) {
        (void)fprintf(to, "%.1f GiB", json_number_value(v) / GIB);
    } else if (json_is_integer(v)) {
        (void)fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    } else if (json_is_number(v)) {
        (void)fprintf(to, "%.3g", json_number_value(v));
    }
    json_array_foreach(v, i, item)
    {
        (void)fputs(i != 0 ? " " : "", to);
        value(to, item, bytes);
    }
}

static void system_block(FILE *to, const json_t *root)
{
    static const struct {
        const char *object, *key, *name;
        bool bytes;
    } rows[] = {
        {"run", "command", "Command", false},
        {"io500", "procs", "Processes", false},
        {"mpi", "nodes", "Nodes", false},
        {"mpi", "ranks_per_node", "Processes per node", false},
        {"mpi", "hosts", "Hosts", false},
        {"mpi", "mapping", "Mapping", false},
        {"mpi", "library", "MPI", false},
        {"system", "cpu", "CPU", false},
        {"system", "cores", "Cores of a node", false},
        {"system", "memory_bytes", "Memory of a node", true},
        {"system", "kernel", "Kernel", false},
        {"filesystem", "path", "Data directory", false},
        {"filesystem", "type", "File system", false},
        {"filesystem", "mount_source", "Mounted from", false},
        {"filesystem", "mount_options", "Mount options", false},
        {"filesystem", "size_bytes", "Its size", true},
        {"filesystem", "used_bytes", "Used before", true},
        {"run", "version", "treemark", false},
        {"run", "id", "Run id", false},
    };

    heading(to, "System", NULL);
    (void)fputs("<dl>\n", to);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const json_t *v =
            json_object_get(json_object_get(root, rows[i].object), rows[i].key);

        if (v == NULL || json_is_null(v)) {
            continue;
        }
        (void)fprintf(to, "<dt>%s</dt><dd>", rows[i].name);
        value(to, v, rows[i].bytes);
        (void)fputs("</dd>\n", to);
    }
    (void)fputs("</dl>\n", to);
}

static void warnings(FILE *to, const json_t *root)
{
    const json_t *list = json_object_get(root, "warnings");

    heading(to, "Warnings", json_array_size(list) == 0 ? "None." : NULL);
    reasons(to, list);
    (void)fputs("</body></html>\n", to);
}

static int write_page(struct tmk_job *job, const char *path, const json_t *root)
{
    struct tmk_output *out = NULL;
    FILE *to = NULL;
    int err = tmk_output_open(path, job->id, &out);

    if (err == 0) {
        err = tmk_output_anew(out, &to);
    }
    if (err == 0) {
        head(to, root);
        table(to, root);
        latencies(to, root);
        rates(to, root);
        system_block(to, root);
        warnings(to, root);
        err = tmk_output_commit(out);
    }
    tmk_output_close(out);
    if (err != 0) {
        tmk_say_error(job, "--report: %s: %s", path, strerror(-err));
    }
    return err;
}

/* On rank 0. */
static int make_page(struct tmk_job *job, const char *from, const char *path,
                     const char *text)
{
    json_t *root = json_loads(text, 0, NULL);
    int err = -EINVAL;

    if (root == NULL) {
        tmk_say_error(job,
                      "--report: %s is no JSON: it is cut, or not of "
                      "treemark",
                      from);
    } else if (!json_is_array(phases_of(root))) {
        tmk_say_error(job, "--report: %s is not a result of io500", from);
    } else {
        err = write_page(job, path, root);
    }
    json_decref(root);
    return err;
}

int tmk_io500_html_all(struct tmk_job *job, const char *dir)
{
    char *from = NULL;
    char *path = NULL;
    char *text = NULL;
    int err = 0;

    if (asprintf(&from, "%s/result.json", dir) < 0) {
        from = NULL;
        err = -ENOMEM;
    }
    if (asprintf(&path, "%s/report.html", dir) < 0) {
        path = NULL;
        err = -ENOMEM;
    }
    err = tmk_job_agree_all(job, err);
    if (err == 0) {
        err = tmk_text_file_read_all(job, "--report: ", from, MOST, &text);
    }
    if (err == 0) {
        err = tmk_job_agree_all(
            job, job->rank == 0 ? make_page(job, from, path, text) : 0);
    }
    if (err == 0) {
        tmk_say(job, "%s", path);
    }
    free(text);
    free(path);
    free(from);
    return err;
}
