/*
 * scale_leftovers: whether runs of a study would be in each other's way.
 */
#include "bench/scale_leftovers.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "bench/leftovers.h"
#include "run/say.h"

/* Whether a run would meet what another one has left. */
static bool collides(const struct tmk_scale_launch *launch)
{
    const struct tmk_scale_conf *conf = &launch->conf;
    const struct tmk_scale_variant *v = launch->variants;
    const bool once =
        conf->repeat == 1 && conf->until_ci <= 0 && conf->warmup == 0;
    const bool one_place =
        launch->n_variants > 1 && strcmp(v[0].args.path, v[1].args.path) == 0;

    return v[0].args.leaves &&
           (!once || one_place || launch->plan.n > launch->n_variants);
}

int tmk_scale_leftovers_check_all(const struct tmk_scale_launch *launch)
{
    int choice;
    int err;

    if (!collides(launch)) {
        return 0;
    }
    err = tmk_leftovers_default_all(launch->job, &choice);
    if (err == 0 && choice == TMK_LEFTOVERS_REFUSE) {
        tmk_say_error(launch->job,
                      "mdtest: -C without -r leaves items that the next run "
                      "would meet: add -r, or --leftovers=clean");
        err = -EINVAL;
    }
    return err;
}
