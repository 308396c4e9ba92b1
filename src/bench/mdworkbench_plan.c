/*
 * mdworkbench_plan: options to what will be done; see the header.
 */
#include "bench/mdworkbench_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"

/* Numbers of objects stay below this, whatever is done to them. */
#define MOST (UINT64_C(1) << 62)

static const double factors[TMK_MDWORKBENCH_FACTORS] = {
    0.0, 0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0,
};

static bool product(uint64_t a, uint64_t b, uint64_t *result)
{
    return !__builtin_mul_overflow(a, b, result) && *result <= MOST;
}

/* -o without slashes behind; room for names must be left. */
static int take_dir(struct tmk_mdworkbench_plan *plan, char *why, size_t size)
{
    const char *dir = plan->conf->dir;
    size_t n = strlen(dir);

    if (n == 0) {
        (void)snprintf(why, size, "-o: '' is no directory");
        return -EINVAL;
    }
    while (n > 1 && dir[n - 1] == '/') {
        n--;
    }
    if (n + 1 + TMK_MDWORKBENCH_NAME_MAX >= sizeof(plan->dir)) {
        (void)snprintf(why, size,
                       "-o: a path of %zu bytes is too long (%zu are the most)",
                       n, sizeof(plan->dir) - TMK_MDWORKBENCH_NAME_MAX - 2);
        return -EINVAL;
    }
    memcpy(plan->dir, dir, n);
    plan->dir[n] = '\0';
    plan->dir_length = n;
    return 0;
}

/* Sums and products that must not wrap. */
static int take_counts(struct tmk_mdworkbench_plan *plan, char *why,
                       size_t size)
{
    const struct tmk_mdworkbench_conf *conf = plan->conf;
    uint64_t sets;
    uint64_t steps;

    if (!product(conf->sets, plan->ranks, &sets) ||
        !product(sets, conf->per_set, &plan->objects) ||
        !product(plan->objects, conf->bytes, &plan->bytes)) {
        (void)snprintf(why, size,
                       "-D, -P, -S: %" PRIu64 " sets of %" PRIu64
                       " objects of %" PRIu64
                       " bytes for each rank are too many",
                       conf->sets, conf->per_set, conf->bytes);
        return -EINVAL;
    }
    plan->inodes = plan->objects + sets;
    if (!product(plan->runs, conf->steps, &steps) ||
        !product(steps, 4 * sets, &steps) ||
        conf->start_item > MOST - conf->per_set) {
        (void)snprintf(why, size,
                       "-I, -R, -D: %" PRIu64 " times %" PRIu64
                       " objects of %" PRIu64 " sets are too many",
                       plan->runs, conf->steps, conf->sets);
        return -EINVAL;
    }
    return 0;
}

static int check(const struct tmk_mdworkbench_plan *plan, bool lenient,
                 char *why, size_t size)
{
    const struct tmk_mdworkbench_conf *conf = plan->conf;

    if (conf->latency != NULL && conf->latency[0] == '\0') {
        (void)snprintf(why, size, "-L: '' is no beginning of a name");
        return -EINVAL;
    }
    if (conf->latency_all != 0 && conf->latency == NULL) {
        (void)snprintf(why, size, "--latency-all: needs -L");
        return -EINVAL;
    }
    if (conf->status_file[0] == '\0') {
        (void)snprintf(why, size, "--run-info-file: '' is no file");
        return -EINVAL;
    }
    if (conf->adaptive != 0 && conf->waiting > 0.0) {
        (void)snprintf(why, size,
                       "-t, -T: -T has waiting times of its own; leave out "
                       "one of them");
        return -EINVAL;
    }
    if (lenient) {
        return 0;
    }
    if (conf->per_set == 0) {
        (void)snprintf(why, size, "-P: 0 is too small (1 is the least)");
        return -EINVAL;
    }
    if (plan->benchmarks && conf->steps == 0) {
        (void)snprintf(why, size, "-I: 0 is too small (1 is the least)");
        return -EINVAL;
    }
    return 0;
}

int tmk_mdworkbench_plan_make(struct tmk_mdworkbench_plan *plan,
                              const struct tmk_mdworkbench_conf *conf,
                              uint32_t ranks, bool lenient, char *why,
                              size_t size)
{
    const bool all =
        conf->precreate == 0 && conf->benchmark == 0 && conf->cleanup == 0;
    int64_t shift = conf->offset % (int64_t)ranks;
    int err;

    *plan = (struct tmk_mdworkbench_plan){
        .conf = conf,
        .ranks = ranks,
        .shift = (uint32_t)(shift < 0 ? shift + (int64_t)ranks : shift),
        .precreates = all || conf->precreate != 0,
        .benchmarks = (all || conf->benchmark != 0) && conf->iterations != 0,
        .cleans = all || conf->cleanup != 0,
        .runs = (uint64_t)conf->iterations *
                (conf->adaptive != 0 ? TMK_MDWORKBENCH_FACTORS : 1),
        .in_step = conf->steps > conf->per_set && conf->per_set != 0 &&
                   ranks > 1 && conf->read_only == 0,
    };
    if (!plan->benchmarks) {
        plan->runs = 0;
        plan->in_step = false;
    }
    err = check(plan, lenient, why, size);
    if (err == 0) {
        err = take_dir(plan, why, size);
    }
    return err == 0 ? take_counts(plan, why, size) : err;
}

/* Places that set `set` is away from its owner. */
static uint32_t distance(const struct tmk_mdworkbench_plan *plan, uint64_t set)
{
    return (uint32_t)((uint64_t)plan->shift * ((set + 1) % plan->ranks) %
                      plan->ranks);
}

static uint32_t wrap(const struct tmk_mdworkbench_plan *plan, uint64_t rank)
{
    return (uint32_t)(rank % plan->ranks);
}

uint32_t tmk_mdworkbench_plan_source(const struct tmk_mdworkbench_plan *plan,
                                     uint32_t rank, uint64_t set)
{
    return wrap(plan, (uint64_t)rank + plan->ranks - distance(plan, set));
}

uint32_t tmk_mdworkbench_plan_target(const struct tmk_mdworkbench_plan *plan,
                                     uint32_t rank, uint64_t set)
{
    return wrap(plan, (uint64_t)rank + distance(plan, set));
}

double tmk_mdworkbench_plan_factor(const struct tmk_mdworkbench_plan *plan,
                                   uint64_t run)
{
    return plan->conf->adaptive != 0 ? factors[run % TMK_MDWORKBENCH_FACTORS]
                                     : plan->conf->waiting;
}

uint64_t tmk_mdworkbench_plan_foreign(const struct tmk_mdworkbench_plan *plan,
                                      const struct tmk_owner_map *map,
                                      uint32_t rank, bool first)
{
    uint64_t n = 0;

    for (uint64_t set = 0; set < plan->conf->sets; set++) {
        uint32_t maker = tmk_mdworkbench_plan_source(plan, rank, set);

        if (!first) { /* whoever refills that set */
            maker = tmk_mdworkbench_plan_source(plan, maker, set);
        }
        n += map->node[maker] != map->node[rank];
    }
    return n;
}

void tmk_mdworkbench_plan_begin(const struct tmk_mdworkbench_plan *plan,
                                char path[TMK_MDWORKBENCH_PATH_SIZE])
{
    memcpy(path, plan->dir, plan->dir_length);
    path[plan->dir_length] = '/';
    path[plan->dir_length + 1] = '\0';
}

size_t tmk_mdworkbench_plan_set(const struct tmk_mdworkbench_plan *plan,
                                char *path, uint64_t owner, uint64_t set)
{
    char *at = path + plan->dir_length + 1;

    at += tmk_names_digits(at, owner);
    *at++ = '_';
    at += tmk_names_digits(at, set);
    *at = '\0';
    return (size_t)(at - path);
}

size_t tmk_mdworkbench_plan_object(const struct tmk_mdworkbench_plan *plan,
                                   char *path, uint64_t owner, uint64_t set,
                                   uint64_t object)
{
    static const char name[] = "/file-";
    char *at = path + tmk_mdworkbench_plan_set(plan, path, owner, set);

    memcpy(at, name, sizeof(name) - 1);
    at += sizeof(name) - 1;
    at += tmk_names_digits(at, object);
    *at = '\0';
    return (size_t)(at - path);
}

/* A decimal number as it is made, without leading zeros, at *text, which is
 * moved behind it. */
static bool take_number(const char **text, uint64_t *value)
{
    const char *at = *text;
    uint64_t v = 0;

    if (at[0] == '0' && at[1] >= '0' && at[1] <= '9') {
        return false;
    }
    while (*at >= '0' && *at <= '9') {
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(*at - '0'), &v)) {
            return false;
        }
        at++;
    }
    if (at == *text) {
        return false;
    }
    *text = at;
    *value = v;
    return true;
}

bool tmk_mdworkbench_plan_is_set(const char *name, uint64_t *owner,
                                 uint64_t *set)
{
    return take_number(&name, owner) && *name++ == '_' &&
           take_number(&name, set) && *name == '\0';
}

bool tmk_mdworkbench_plan_is_object(const char *name, uint64_t *object)
{
    static const char begin[] = "file-";

    if (strncmp(name, begin, sizeof(begin) - 1) != 0) {
        return false;
    }
    name += sizeof(begin) - 1;
    return take_number(&name, object) && *name == '\0';
}
