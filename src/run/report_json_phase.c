/*
 * report_json_phase: one phase of one iteration as a value.
 */
#include "run/report_json_phase.h"

#include "base/errnum.h"
#include "run/json_value.h"

static json_t *count(struct tmk_report_json *d, uint64_t value)
{
    return tmk_json_value_count(value, &d->bad);
}

static json_t *real(double value)
{
    return tmk_json_value_real(value);
}

static json_t *seconds(uint64_t ns)
{
    return tmk_json_value_seconds(ns);
}

static json_t *string(const char *text)
{
    return tmk_json_value_text(text);
}

/* A share that may be negative for "not said". */
static json_t *share(double value)
{
    return value < 0.0 ? json_null() : real(value);
}

static json_t *failed(struct tmk_report_json *d, const uint64_t *failed_by)
{
    json_t *object = json_object();

    for (int e = 0; e < TMK_ERRNUM_SLOTS; e++) {
        char name[32];

        if (failed_by[e] != 0) {
            json_object_set_new(object,
                                e == 0 ? "other"
                                       : tmk_errnum_name(e, name, sizeof(name)),
                                count(d, failed_by[e]));
        }
    }
    return object;
}

static json_t *first_failures(struct tmk_report_json *d,
                              const struct tmk_phase_result *phase)
{
    json_t *list = json_array();

    for (size_t i = 0; i < phase->n_failures; i++) {
        const struct tmk_failure *f = &phase->failures[i];
        char name[32];

        json_array_append_new(
            list,
            json_pack("{s:o,s:o,s:i,s:o,s:o,s:o}", "errno",
                      string(f->err == 0
                                 ? "other"
                                 : tmk_errnum_name(f->err, name, sizeof(name))),
                      "count", count(d, f->count), "rank", f->rank, "host",
                      string(f->host), "path", string(f->path), "detail",
                      string(f->detail[0] != '\0' ? f->detail : NULL)));
    }
    return list;
}

static json_t *stonewall(struct tmk_report_json *d,
                         const struct tmk_phase_wall *wall)
{
    if (!wall->on) {
        return json_null();
    }
    return json_pack("{s:b,s:o,s:o,s:o,s:o}", "hit", wall->hit, "seconds",
                     seconds(wall->time_ns), "min", count(d, wall->min), "max",
                     count(d, wall->max), "sum", count(d, wall->sum));
}

static json_t *host_of(const struct tmk_report_json *d, int rank)
{
    return string(tmk_layout_host_of(&d->run->job->layout, rank));
}

static json_t *one_rank(const struct tmk_report_json *d,
                        const struct tmk_result_rank *rank)
{
    return json_pack("{s:i,s:o,s:o}", "rank", rank->rank, "host",
                     host_of(d, rank->rank), "time_s", seconds(rank->time_ns));
}

static json_t *ranks(const struct tmk_report_json *d,
                     const struct tmk_phase_result *phase)
{
    return json_pack("{s:o,s:o,s:o}", "fastest", one_rank(d, &phase->fastest),
                     "slowest", one_rank(d, &phase->slowest), "waiting_share",
                     real(phase->waiting_share));
}

/* Operations that ended in each interval; null without --interval. */
static json_t *intervals(struct tmk_report_json *d,
                         const struct tmk_sample_series *series)
{
    json_t *list;

    if (series->n == 0) {
        return json_null();
    }
    list = json_array();
    for (size_t i = 0; i < series->n; i++) {
        json_array_append_new(list, count(d, series->operations[i]));
    }
    return json_pack("{s:o,s:o}", "seconds", seconds(series->width_ns),
                     "operations", list);
}

static json_t *buckets(struct tmk_report_json *d, const struct tmk_hist *h)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < TMK_HIST_BUCKETS; i++) {
        if (h->counts[i] != 0) {
            json_array_append_new(
                list, json_pack("[o,o]", count(d, tmk_hist_upper_ns(i)),
                                count(d, h->counts[i])));
        }
    }
    return list;
}

/* Of operations, the longest of which took max->time_ns. */
static json_t *distribution(struct tmk_report_json *d,
                            const struct tmk_hist *hist, uint64_t min_ns,
                            double mean_ns, const struct tmk_result_rank *max)
{
    static const struct {
        const char *name;
        double percent;
    } points[] = {{"p50", 50.0}, {"p90", 90.0}, {"p99", 99.0}, {"p999", 99.9}};
    json_t *object =
        json_pack("{s:o,s:o}", "min", count(d, min_ns), "mean", real(mean_ns));

    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
        uint64_t ns = tmk_hist_percentile_ns(hist, points[i].percent);

        /* A bucket ends behind its longest one. */
        json_object_set_new(object, points[i].name,
                            count(d, ns < max->time_ns ? ns : max->time_ns));
    }
    json_object_set_new(object, "max", count(d, max->time_ns));
    json_object_set_new(object, "max_rank", json_integer(max->rank));
    json_object_set_new(object, "max_host", host_of(d, max->rank));
    json_object_set_new(object, "buckets", buckets(d, hist));
    return object;
}

static json_t *latency(struct tmk_report_json *d,
                       const struct tmk_phase_result *phase)
{
    const struct tmk_result_rank max = {.rank = phase->max_op.rank,
                                        .time_ns = phase->max_op_ns};

    return tmk_result_has_latency(phase)
               ? distribution(d, &phase->latency, phase->min_op_ns,
                              phase->mean_op_ns, &max)
               : json_null();
}

static json_t *caches(const struct tmk_result_caches *c)
{
    if (!c->on) {
        return json_null();
    }
    return json_pack("{s:b,s:b,s:b}", "synced", c->synced, "remounted",
                     c->remounted, "dropped", c->dropped);
}

static json_t *check(struct tmk_report_json *d,
                     const struct tmk_result_check *c)
{
    if (!c->on) {
        return json_null();
    }
    return json_pack("{s:b,s:o,s:o,s:o}", "ok", c->ok, "found",
                     count(d, c->found), "least", count(d, c->least), "most",
                     count(d, c->most));
}

/*
 * Transfers.
 */

static json_t *side(struct tmk_report_json *d, const struct tmk_result_side *s)
{
    const struct tmk_result_latency *l = s->latency;
    const bool timed = l != NULL && l->operations != 0;

    return json_pack(
        "{s:o,s:o,s:o,s:o,s:o}", "bytes", count(d, s->bytes), "operations",
        count(d, s->operations), "rate_per_s", real(s->rate_per_s),
        "bandwidth_bytes_per_s", real(s->bytes_per_s), "latency_ns",
        timed ? distribution(d, &l->hist, l->min_ns,
                             l->sum_ns / (double)l->operations, &l->max)
              : json_null());
}

/* Members that say nothing of phases that move no data. */
static void add_transfer(struct tmk_report_json *d, json_t *object,
                         const struct tmk_result_transfer *t)
{
    const struct {
        const char *name;
        json_t *value;
    } members[] = {
        {"bandwidth_bytes_per_s", t->on ? real(t->bytes_per_s) : json_null()},
        {"open_s", t->on ? seconds(t->open_ns) : json_null()},
        {"transfer_s", t->on ? seconds(t->transfer_ns) : json_null()},
        {"close_s", t->on ? seconds(t->close_ns) : json_null()},
        {"total_s", t->on ? seconds(t->total_ns) : json_null()},
        {"cached_share", t->on ? share(t->cached_share) : json_null()},
        {"mixed", t->on && t->mixed
                      ? json_pack("{s:o,s:o}", "write", side(d, &t->write),
                                  "read", side(d, &t->read))
                      : json_null()},
    };

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        json_object_set_new(object, members[i].name, members[i].value);
    }
}

static void add_seeds(json_t *object, const struct tmk_result_seeds *seeds)
{
    json_object_set_new(object, "data_seed",
                        seeds->data_known ? json_integer(seeds->data)
                                          : json_null());
    json_object_set_new(object, "random_offset_seed",
                        seeds->offsets_known ? json_integer(seeds->offsets)
                                             : json_null());
}

json_t *tmk_report_json_phase(struct tmk_report_json *d,
                              const struct tmk_result_row *row,
                              const struct tmk_phase_result *p)
{
    json_t *object = json_object();
    const struct {
        const char *name;
        json_t *value;
    } members[] = {
        {"name", string(row->name)},
        {"time_s", seconds(p->time_ns)},
        {"rate_per_s", real(p->rate_per_s)},
        {"operations", count(d, p->operations)},
        {"failed", failed(d, p->failed_by)},
        {"failed_operations", count(d, p->failed)},
        {"verification_errors", count(d, p->wrong)},
        {"not_tried", count(d, p->missed)},
        {"first_failures", first_failures(d, p)},
        {"bytes", count(d, p->bytes)},
        {"barriers", json_boolean(!p->alone)},
        {"too_short", json_boolean(p->time_ns < tmk_result_short_ns(
                                                    d->run->job->barrier_ns))},
        {"interrupted", json_boolean(p->interrupted != 0)},
        {"stonewall", stonewall(d, &p->wall)},
        {"foreign_share", share(p->foreign_share)},
        {"data_share", real(p->aside_share)},
        {"ranks", ranks(d, p)},
        {"intervals", intervals(d, &p->intervals)},
        {"latency_ns", latency(d, p)},
        {"caches", caches(&p->caches)},
        {"check", check(d, &p->check)},
    };

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        json_object_set_new(object, members[i].name, members[i].value);
    }
    add_transfer(d, object, &p->transfer);
    add_seeds(object, &p->seeds);
    return object;
}
