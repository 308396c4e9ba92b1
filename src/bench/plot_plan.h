#ifndef TMK_BENCH_PLOT_PLAN_H
#define TMK_BENCH_PLOT_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/plot_data.h"

/*
 * What is drawn of the points, which are sorted: of this type, or of the one
 * that the results call for; of `operations` ("file stat,read"; case does not
 * count, and a part of a name is enough) or of all (NULL).  0, -ENOMEM, or
 * -EINVAL with one line in `why` that says what there is.  Release *figure
 * whatever comes.
 */
int tmk_plot_plan(struct tmk_plot_figure *figure, struct tmk_plot_data *data,
                  enum tmk_plot_type type, const char *operations, char *why,
                  size_t why_size);

/* For the panels: what is drawn of what. */
struct tmk_plot_choice {
    const struct tmk_plot_data *data;
    const char *operations; /* NULL = all */
};

/* Whether the operation is drawn. */
bool tmk_plot_chosen(const struct tmk_plot_choice *choice, const char *name);

/* What tells a source, or a point, from the others; "" = nothing does. */
void tmk_plot_name_source(const struct tmk_plot_data *data, size_t source,
                          char *buf, size_t size);
void tmk_plot_name_point(const struct tmk_plot_data *data, size_t point,
                         char *buf, size_t size);

/* Whether --vary, or what stands for it, has several values. */
bool tmk_plot_varies(const struct tmk_plot_data *data);

#endif
