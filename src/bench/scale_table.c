/*
 * scale_table: the points of a study, operation by operation.
 */
#include "bench/scale_table.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scale_judge.h"

#define MIB 1048576.0

static const char *const states[] = {
    [TMK_SCALE_NOT_RUN] = "not run",
    [TMK_SCALE_DONE] = "done",
    [TMK_SCALE_FAILED] = "failed",
    [TMK_SCALE_TIMED_OUT] = "timed out",
    [TMK_SCALE_INTERRUPTED] = "interrupted",
};

const char *tmk_scale_state_name(enum tmk_scale_state state)
{
    return states[state];
}

static const char *s(uint32_t n)
{
    return n == 1 ? "" : "s";
}

void tmk_scale_entry_name(const struct tmk_scale_entry *entry, char *buf,
                          size_t size)
{
    const struct tmk_scale_point *p = &entry->point;
    char over[48] = "";

    if (p->is_path) {
        (void)snprintf(over, sizeof(over),
                       "%" PRIu32 " rank%s on %" PRIu32 " node%s", p->ranks,
                       s(p->ranks), p->nodes, s(p->nodes));
    } else {
        (void)snprintf(over, sizeof(over),
                       "%" PRIu32 " node%s x %" PRIu32 " = %" PRIu32 " rank%s",
                       p->nodes, s(p->nodes), p->ppn, p->ranks, s(p->ranks));
    }
    (void)snprintf(buf, size, "%s%s%s", over, entry->vary != NULL ? ", " : "",
                   entry->vary != NULL ? entry->vary : "");
}

void tmk_scale_entry_fini(struct tmk_scale_entry *entry)
{
    free(entry->vary);
    json_decref(entry->what);
    tmk_result_values_fini(&entry->values);
    *entry = (struct tmk_scale_entry){.vary = NULL};
}

/* ---- a table ------------------------------------------------------------- */

/* One operation, with one value of --vary. */
struct table {
    const struct tmk_scale_entry *entries;
    size_t n;
    const char *vary; /* NULL = none */
    const char *name;
    bool bytes;
    const struct tmk_scale_entry *base; /* what others are compared with */
    double base_rate;
    FILE *to;
};

static bool same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_of(const struct table *t, const struct tmk_scale_entry *entry)
{
    return same(t->vary, entry->vary) && entry->state != TMK_SCALE_NOT_RUN;
}

static const struct tmk_result_value *
value_of(const struct tmk_scale_entry *entry, const char *name)
{
    for (size_t i = 0; i < entry->values.n; i++) {
        if (strcmp(entry->values.list[i].name, name) == 0) {
            return &entry->values.list[i];
        }
    }
    return NULL;
}

/* A rate with as many digits as it is worth. */
static void show_rate(char *buf, size_t size, const struct table *t,
                      double rate)
{
    double value = t->bytes ? rate / MIB : rate;

    (void)snprintf(buf, size, "%.*f",
                   value < 100     ? 2
                   : value < 10000 ? 1
                                   : 0,
                   value);
}

/* What is to be known of a row beside its numbers; NULL: nothing. */
static const char *remark(const struct tmk_scale_entry *entry,
                          const struct tmk_result_value *value)
{
    if (entry->state != TMK_SCALE_DONE) {
        return states[entry->state];
    }
    return value != NULL && value->too_short != 0 ? "too short" : NULL;
}

static void print_row(const struct table *t,
                      const struct tmk_scale_entry *entry)
{
    const struct tmk_scale_point *p = &entry->point;
    const struct tmk_result_value *value = value_of(entry, t->name);
    const double rate = value != NULL ? value->rate.mean : 0;
    const bool known = rate > 0 && t->base != NULL;
    const uint64_t p99 =
        value != NULL ? tmk_result_value_percentile_ns(value, 99.0) : 0;
    const double ci = value != NULL && value->rate.n > 1 && rate > 0
                          ? tmk_stats_ci95(&value->rate) / rate
                          : 0;
    char cells[5][24] = {"-", "-", "-", "-", "-"};
    char interval[24] = "-";
    const char *beside = remark(entry, value);

    if (rate > 0) {
        show_rate(cells[0], sizeof(cells[0]), t, rate);
        show_rate(cells[1], sizeof(cells[1]), t, rate / p->nodes);
    }
    if (known) {
        double speedup = rate / t->base_rate;

        (void)snprintf(cells[2], sizeof(cells[2]), "%.2f", speedup);
        (void)snprintf(cells[3], sizeof(cells[3]), "%.2f",
                       speedup * t->base->point.ranks / p->ranks);
    }
    if (p99 != 0) {
        (void)snprintf(cells[4], sizeof(cells[4]), "%.1f", (double)p99 / 1000);
    }
    if (value != NULL && value->rate.n > 1 && rate > 0) {
        (void)snprintf(interval, sizeof(interval), "+-%.1f %%", 100 * ci);
    }
    fprintf(t->to,
            "  %5" PRIu32 " %4" PRIu32 " %6" PRIu32 " %12s %12s %9s %11s %10s",
            p->nodes, p->ppn, p->ranks, cells[0], cells[1], cells[2], cells[3],
            cells[4]);
    if (value != NULL && !value->failed_unknown) {
        fprintf(t->to, " %8" PRIu64, value->failed);
    } else {
        fprintf(t->to, " %8s", "-");
    }
    fprintf(t->to, " %10s%s%s\n", interval, beside != NULL ? "  " : "",
            beside != NULL ? beside : "");
}

static void print_peak(const struct table *t,
                       const struct tmk_scale_value *values, size_t n,
                       bool one_node)
{
    const size_t at = tmk_scale_peak(values, n, one_node);
    uint32_t nodes = 1;
    double best = 0;
    char rate[24];
    char top[24];

    if (at == n) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        nodes = values[i].nodes > nodes ? values[i].nodes : nodes;
    }
    if (!one_node && nodes == 1) {
        return; /* said already */
    }
    for (size_t i = 0; i < n; i++) {
        if (values[i].nodes == values[at].nodes && values[i].rate > best) {
            best = values[i].rate;
        }
    }
    show_rate(rate, sizeof(rate), t, values[at].rate);
    show_rate(top, sizeof(top), t, best);
    fprintf(t->to,
            "  95 %% of the peak on %" PRIu32 " node%s from %" PRIu32
            " rank%s (%" PRIu32 " per node): %s of %s %s\n",
            values[at].nodes, s(values[at].nodes), values[at].ranks,
            s(values[at].ranks), values[at].ppn, rate, top,
            t->bytes ? "MiB/s" : "op/s");
}

static void find_base(struct table *t)
{
    for (size_t i = 0; i < t->n && t->base == NULL; i++) {
        const struct tmk_result_value *value =
            is_of(t, &t->entries[i]) ? value_of(&t->entries[i], t->name) : NULL;

        if (value != NULL && value->rate.mean > 0) {
            t->base = &t->entries[i];
            t->base_rate = value->rate.mean;
        }
    }
}

struct tmk_scale_excess
tmk_scale_table_excess(const struct tmk_scale_entry *entries, size_t n)
{
    struct tmk_scale_excess most = {.efficiency = 1};

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < entries[i].values.n; k++) {
            const struct tmk_result_value *value = &entries[i].values.list[k];
            struct table t = {.entries = entries,
                              .n = n,
                              .vary = entries[i].vary,
                              .name = value->name};
            double efficiency;

            find_base(&t);
            if (entries[i].state != TMK_SCALE_DONE || t.base == NULL ||
                value->too_short || value_of(t.base, t.name)->too_short) {
                continue;
            }
            efficiency = value->rate.mean / t.base_rate * t.base->point.ranks /
                         entries[i].point.ranks;
            if (efficiency > most.efficiency) {
                most = (struct tmk_scale_excess){
                    .entry = &entries[i],
                    .name = value->name,
                    .efficiency = efficiency,
                };
            }
        }
    }
    return most;
}

/* What is judged of a table: the caller's, n entries at most.  Part of a point
 * is nothing to judge by; nor, with `sure`, are phases too short to trust. */
static size_t collect(const struct table *t, bool sure,
                      struct tmk_scale_value *values)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        const struct tmk_scale_entry *entry = &t->entries[i];
        const struct tmk_result_value *value =
            entry->state == TMK_SCALE_DONE && is_of(t, entry)
                ? value_of(entry, t->name)
                : NULL;

        if (value != NULL && value->rate.mean > 0 &&
            (!sure || value->too_short == 0)) {
            values[n++] = (struct tmk_scale_value){
                .nodes = entry->point.nodes,
                .ppn = entry->point.ppn,
                .ranks = entry->point.ranks,
                .rate = value->rate.mean,
            };
        }
    }
    return n;
}

/* What the rates grow with; `values` has room for all. */
static void say_bound(const struct table *t, struct tmk_scale_value *values,
                      char *buf, size_t size)
{
    const size_t all = collect(t, false, values);
    const size_t sure = collect(t, true, values);
    const struct tmk_scale_bound bound = tmk_scale_bound_of(values, sure);

    if (sure < 2 && all > sure) {
        (void)snprintf(buf, size, "too short to tell");
    } else {
        tmk_scale_bound_say(&bound, buf, size);
    }
}

static void print_table(struct table *t, bool peak)
{
    struct tmk_scale_value *values = calloc(t->n, sizeof(*values));
    char says[160] = "out of memory";

    find_base(t);
    if (values != NULL) {
        say_bound(t, values, says, sizeof(says));
    }
    fprintf(t->to, "\n%s%s%s: %s\n", t->name, t->vary != NULL ? ", " : "",
            t->vary != NULL ? t->vary : "", says);
    fprintf(t->to, "  %5s %4s %6s %12s %12s %9s %11s %10s %8s %10s\n", "nodes",
            "ppn", "ranks", t->bytes ? "MiB/s" : "rate/s", "per node",
            "speed-up", "efficiency", "p99 us", "failed", "95 %");
    for (size_t i = 0; i < t->n; i++) {
        if (is_of(t, &t->entries[i])) {
            print_row(t, &t->entries[i]);
        }
    }
    if (peak && values != NULL) {
        const size_t n = collect(t, false, values);

        print_peak(t, values, n, true);
        print_peak(t, values, n, false);
    }
    free(values);
}

/* ---- all of them --------------------------------------------------------- */

/* Whether an entry before this one has the operation, with its --vary. */
static bool is_known(const struct tmk_scale_entry *entries, size_t until,
                     const char *name)
{
    for (size_t i = 0; i < until; i++) {
        if (same(entries[i].vary, entries[until].vary) &&
            value_of(&entries[i], name) != NULL) {
            return true;
        }
    }
    return false;
}

/* Tables of one value of --vary, that of entry `first`. */
static void print_vary(const struct tmk_scale_entry *entries, size_t n,
                       size_t first, bool peak, FILE *to)
{
    struct table table = {
        .entries = entries, .n = n, .vary = entries[first].vary, .to = to};
    bool ran = false;
    bool any = false;

    for (size_t i = first; i < n; i++) {
        const struct tmk_scale_entry *entry = &entries[i];

        ran = ran || is_of(&table, entry);
        for (size_t k = 0; is_of(&table, entry) && k < entry->values.n; k++) {
            table.name = entry->values.list[k].name;
            table.bytes = entry->values.list[k].bytes;
            table.base = NULL;
            any = true;
            if (!is_known(entries, i, table.name)) {
                print_table(&table, peak);
            }
        }
    }
    if (ran && !any) { /* what became of the points is to be seen */
        table.name = "No operation";
        print_table(&table, false);
    }
}

void tmk_scale_table_print(const struct tmk_scale_entry *entries, size_t n,
                           bool peak, FILE *to)
{
    for (size_t i = 0; i < n; i++) {
        bool seen = false;

        for (size_t k = 0; k < i; k++) {
            seen = seen || same(entries[k].vary, entries[i].vary);
        }
        if (!seen) {
            print_vary(entries, n, i, peak, to);
        }
    }
}
