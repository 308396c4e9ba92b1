/*
 * result_values: the rates and latencies of a test, from JSON.
 */
#include "bench/result_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/result_file.h"

/*
 * The start of a phase alone may differ by a tenth of this from run to run.
 * "too_short" of a phase looks at what a barrier takes, too, which matters less
 * where two runs have the same ones.
 */
#define SHORT_S 0.001

/* The value of this name; a new one if there is none yet. */
static struct tmk_result_value *value_of(struct tmk_result_values *values,
                                         const char *name)
{
    struct tmk_result_value *list;

    for (size_t i = 0; i < values->n; i++) {
        if (strcmp(values->list[i].name, name) == 0) {
            return &values->list[i];
        }
    }
    list = realloc(values->list, (values->n + 1) * sizeof(*list));
    if (list == NULL) {
        return NULL;
    }
    values->list = list;
    list += values->n;
    *list = (struct tmk_result_value){.name = strdup(name)};
    if (list->name == NULL) {
        return NULL;
    }
    values->n++;
    return list;
}

/* [[upper, count], ...], and the longest. */
static int add_latency(struct tmk_result_value *value, const json_t *latency)
{
    const uint64_t max = (uint64_t)tmk_result_file_number(latency, "max");
    size_t i;
    json_t *bucket;

    if (!json_is_object(latency)) {
        return 0;
    }
    if (value->latency == NULL) {
        value->latency = calloc(1, sizeof(*value->latency));
    }
    if (value->latency == NULL) {
        return -ENOMEM;
    }
    json_array_foreach(json_object_get(latency, "buckets"), i, bucket)
    {
        json_int_t upper = json_integer_value(json_array_get(bucket, 0));
        json_int_t count = json_integer_value(json_array_get(bucket, 1));

        if (upper >= 0 && count > 0) {
            value->latency->counts[tmk_hist_index((uint64_t)upper)] +=
                (uint64_t)count;
        }
    }
    value->max_ns = max > value->max_ns ? max : value->max_ns;
    return 0;
}

static int add_phase(struct tmk_result_values *values, const json_t *phase)
{
    const char *name = tmk_result_file_text(phase, "name");
    const json_t *bytes = json_object_get(phase, "bandwidth_bytes_per_s");
    const json_t *rate = json_object_get(phase, "rate_per_s");
    const json_t *time_s = json_object_get(phase, "time_s");
    struct tmk_result_value *value;

    if (name == NULL || (!json_is_number(bytes) && !json_is_number(rate))) {
        return 0;
    }
    value = value_of(values, name);
    if (value == NULL) {
        return -ENOMEM;
    }
    value->bytes = json_is_number(bytes);
    tmk_stats_add(&value->rate, json_number_value(value->bytes ? bytes : rate));
    value->failed +=
        (uint64_t)tmk_result_file_number(phase, "failed_operations");
    value->not_tried += (uint64_t)tmk_result_file_number(phase, "not_tried");
    value->too_short += json_is_true(json_object_get(phase, "too_short"));
    value->interrupted = value->interrupted ||
                         json_is_true(json_object_get(phase, "interrupted"));
    value->is_tiny = value->is_tiny || (json_is_number(time_s) &&
                                        json_number_value(time_s) < SHORT_S);
    return add_latency(value, json_object_get(phase, "latency_ns"));
}

/* The sum of squares behind a deviation, of which texts do not always tell by
 * what it was divided: then it is taken for the larger one. */
static double squares_of(const json_t *summary, double deviation, json_int_t n)
{
    const json_t *divisor = json_object_get(summary, "stddev_of");
    const char *told = json_string_value(divisor);
    const bool is_sample = divisor == NULL || /* our own */
                           (told != NULL && strcmp(told, "sample") == 0);

    return deviation * deviation * (double)(is_sample ? n - 1 : n);
}

/* Mean and deviation, where single iterations are not known. */
static int add_summary(struct tmk_result_values *values, const json_t *summary)
{
    const char *name = tmk_result_file_text(summary, "name");
    const char *unit = tmk_result_file_text(summary, "unit");
    const json_t *mean = json_object_get(summary, "mean");
    const json_t *deviation = json_object_get(summary, "stddev");
    json_int_t n = tmk_result_file_number(summary, "n");
    const bool bytes = unit != NULL && strcmp(unit, "bytes/s") == 0;
    struct tmk_result_value *value;

    if (name == NULL || unit == NULL || n < 1 || !json_is_number(mean) ||
        (strcmp(unit, "op/s") != 0 && !bytes)) {
        return 0;
    }
    value = value_of(values, name);
    if (value == NULL) {
        return -ENOMEM;
    }
    if (value->rate.n != 0 && !bytes) {
        return 0; /* bytes, if there are any, are what counts */
    }
    n = json_is_number(deviation) ? n : 1; /* a mean alone is one value */
    value->bytes = bytes;
    value->rate = (struct tmk_stats){
        .n = (uint64_t)n,
        .mean = json_number_value(mean),
        .m2 = squares_of(summary, json_number_value(deviation), n),
        .min = json_number_value(json_object_get(summary, "min")),
        .max = json_number_value(json_object_get(summary, "max")),
    };
    value->failed_unknown =
        !json_is_integer(json_object_get(summary, "failed_operations"));
    value->failed =
        (uint64_t)tmk_result_file_number(summary, "failed_operations");
    value->not_tried = (uint64_t)tmk_result_file_number(summary, "not_tried");
    return 0;
}

int tmk_result_values_read(struct tmk_result_values *values, const json_t *test)
{
    json_t *iteration;
    json_t *item;
    size_t i;
    size_t k;
    size_t phases = 0;
    int err = 0;

    *values = (struct tmk_result_values){0};
    json_array_foreach(json_object_get(test, "iterations"), i, iteration)
    {
        json_array_foreach(json_object_get(iteration, "phases"), k, item)
        {
            err = err == 0 ? add_phase(values, item) : err;
            phases++;
        }
    }
    if (phases == 0) {
        json_array_foreach(json_object_get(test, "summary"), i, item)
        {
            err = err == 0 ? add_summary(values, item) : err;
        }
    }
    return err;
}

uint64_t tmk_result_value_percentile_ns(const struct tmk_result_value *value,
                                        double percent)
{
    uint64_t ns = value->latency != NULL
                      ? tmk_hist_percentile_ns(value->latency, percent)
                      : 0;

    return ns < value->max_ns ? ns : value->max_ns;
}

void tmk_result_values_fini(struct tmk_result_values *values)
{
    for (size_t i = 0; i < values->n; i++) {
        free(values->list[i].name);
        free(values->list[i].latency);
    }
    free(values->list);
    *values = (struct tmk_result_values){0};
}
