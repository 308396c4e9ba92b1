/* Pictures of results: which curves there are, and what gnuplot is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot_axes.h"
#include "bench/plot_data.h"
#include "bench/plot_plan.h"
#include "bench/plot_script.h"

struct given {
    struct tmk_plot_data data;
    struct tmk_plot_figure figure;
    char why[512];
};

static void launch(struct given *g, const char *file, const char *label,
                   const char *mode)
{
    assert_non_null(tmk_plot_add_source(&g->data, file, label, "mdtest", mode));
}

/* A point of the last launch, with one operation. */
static struct tmk_plot_value *at(struct given *g, uint64_t nodes, uint64_t ppn,
                                 const char *vary, const char *name,
                                 double rate)
{
    struct tmk_plot_point *p =
        tmk_plot_add_point(&g->data, g->data.n_sources - 1, vary);
    struct tmk_plot_value *v;

    assert_non_null(p);
    v = tmk_plot_add_value(p, name);
    assert_non_null(v);
    p->nodes = nodes;
    p->ppn = ppn;
    p->tasks = nodes * ppn;
    p->grid = true;
    tmk_stats_add(&v->rate, rate);
    return v;
}

/* Nodes 1, 2, 4 with 1, 2 ranks on each. */
static void grid(struct given *g, const char *vary)
{
    for (uint64_t ppn = 1; ppn <= 2; ppn++) {
        for (uint64_t nodes = 1; nodes <= 4; nodes *= 2) {
            at(g, nodes, ppn, vary, "File stat", (double)(nodes * 1000));
        }
    }
}

static void plan(struct given *g, enum tmk_plot_type type)
{
    int err =
        tmk_plot_plan(&g->figure, &g->data, type, NULL, g->why, sizeof(g->why));

    if (err != 0) {
        print_error("%s\n", g->why);
    }
    assert_int_equal(err, 0);
}

static void refused(struct given *g, enum tmk_plot_type type,
                    const char *operations, const char *why)
{
    tmk_plot_figure_fini(&g->figure);
    assert_int_equal(tmk_plot_plan(&g->figure, &g->data, type, operations,
                                   g->why, sizeof(g->why)),
                     -EINVAL);
    if (strstr(g->why, why) == NULL) {
        print_error("%s\n", g->why);
    }
    assert_non_null(strstr(g->why, why));
}

static void fini(struct given *g)
{
    tmk_plot_figure_fini(&g->figure);
    tmk_plot_data_fini(&g->data);
}

/* The script for an SVG, or the terminal; the caller frees. */
static char *script_of(const struct given *g, enum tmk_plot_format format)
{
    const struct tmk_plot_sheet sheet = {
        .format = format, .columns = 80, .rows = 24};
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    assert_non_null(to);
    tmk_plot_script(to, &g->figure, &sheet);
    assert_int_equal(fclose(to), 0);
    return text;
}

static void a_grid_has_a_curve_for_each_number_of_ranks_per_node(void **state)
{
    struct given g = {0};

    (void)state;
    launch(&g, "x.json", NULL, "weak");
    grid(&g, "");
    plan(&g, TMK_PLOT_AUTO);
    assert_int_equal(g.figure.type, TMK_PLOT_SCALING);
    assert_int_equal(g.figure.n_series, 2);
    assert_string_equal(g.figure.series[0].title, "1 per node");
    assert_string_equal(g.figure.series[1].title, "2 per node");
    assert_string_equal(g.figure.x_label, "ranks");
    assert_string_equal(g.figure.title, "mdtest: weak scaling");
    assert_int_equal(g.figure.panels[0].curves[0].n, 3);
    assert_true(g.figure.panels[0].curves[1].spots[2].x == 8);
    fini(&g);
}

static void the_order_of_points_does_not_count(void **state)
{
    struct given g = {0};

    (void)state;
    launch(&g, "x.json", NULL, "weak");
    at(&g, 4, 2, "", "read", 7);
    at(&g, 4, 1, "", "read", 4);
    at(&g, 1, 2, "", "read", 2);
    at(&g, 1, 1, "", "read", 1);
    plan(&g, TMK_PLOT_AUTO);
    assert_string_equal(g.figure.series[0].title, "1 per node");
    assert_true(g.figure.panels[0].curves[0].spots[0].x == 1);
    assert_true(g.figure.panels[0].curves[0].spots[1].x == 4);
    assert_true(g.figure.panels[0].curves[1].spots[0].x == 2);
    fini(&g);
}

static void nodes_are_counted_if_the_ranks_on_each_stay(void **state)
{
    struct given g = {0};

    (void)state;
    launch(&g, "x.json", NULL, "strong");
    at(&g, 1, 8, "", "read", 10);
    at(&g, 3, 8, "", "read", 25);
    plan(&g, TMK_PLOT_AUTO);
    assert_string_equal(g.figure.x_label, "nodes, 8 ranks on each");
    assert_string_equal(g.figure.title, "mdtest: strong scaling");
    assert_int_equal(g.figure.n_series, 1);
    assert_string_equal(g.figure.series[0].title, "");
    assert_true(g.figure.panels[0].curves[0].spots[1].x == 3);
    fini(&g);
}

static void a_path_is_one_curve(void **state)
{
    struct given g = {0};

    (void)state;
    launch(&g, "x.json", NULL, NULL);
    at(&g, 1, 1, "", "read", 10);
    at(&g, 1, 2, "", "read", 19);
    at(&g, 1, 4, "", "read", 35);
    at(&g, 2, 4, "", "read", 60);
    for (size_t i = 0; i < g.data.n_points; i++) {
        g.data.points[i].grid = false;
    }
    plan(&g, TMK_PLOT_AUTO);
    assert_int_equal(g.figure.n_series, 1);
    assert_int_equal(g.figure.panels[0].curves[0].n, 4);
    fini(&g);
}

static void single_runs_together_are_a_study(void **state)
{
    struct given g = {0};

    (void)state;
    launch(&g, "1.json", "one", NULL);
    at(&g, 1, 2, "", "read", 10);
    launch(&g, "2.json", "two", NULL);
    at(&g, 2, 2, "", "read", 19);
    plan(&g, TMK_PLOT_AUTO);
    assert_int_equal(g.figure.type, TMK_PLOT_SCALING);
    assert_int_equal(g.figure.n_series, 1);
    fini(&g);
}

static void labels_that_come_twice_tell_studies_apart(void **state)
{
    struct given g = {0};

    (void)state;
    for (uint64_t nodes = 1; nodes <= 2; nodes++) {
        launch(&g, "a.json", "old", NULL);
        at(&g, nodes, 2, "", "read", 10);
        launch(&g, "b.json", "new", NULL);
        at(&g, nodes, 2, "", "read", 19);
    }
    plan(&g, TMK_PLOT_AUTO);
    assert_int_equal(g.figure.n_series, 2);
    assert_int_equal(g.figure.panels[0].curves[0].n, 2);
    fini(&g);
}

static void equal_points_are_taken_together(void **state)
{
    struct given g = {0};

    (void)state;
    launch(&g, "x.json", NULL, "weak");
    at(&g, 1, 1, "", "read", 10);
    at(&g, 1, 1, "", "read", 20);
    at(&g, 2, 1, "", "read", 30);
    plan(&g, TMK_PLOT_AUTO);
    assert_int_equal(g.figure.panels[0].curves[0].n, 2);
    assert_true(g.figure.panels[0].curves[0].spots[0].y == 15);
    assert_true(g.figure.panels[0].curves[0].spots[0].high > 15);
    assert_true(g.figure.panels[0].curves[0].spots[1].high == 0);
    assert_true(g.figure.errors);
    fini(&g);
}

static void failures_count_only_where_there_is_nothing_else(void **state)
{
    static const bool first_fails[] = {true, false};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct given g = {0};

        launch(&g, "x.json", NULL, "weak");
        at(&g, 1, 1, "", "read", 10)->spoilt = first_fails[i];
        at(&g, 1, 1, "", "read", 20)->spoilt = !first_fails[i];
        at(&g, 2, 1, "", "read", 30)->spoilt = true;
        plan(&g, TMK_PLOT_AUTO);
        assert_int_equal(g.figure.panels[0].curves[0].n, 2);
        assert_true(g.figure.panels[0].curves[0].spots[0].y ==
                    (first_fails[i] ? 20 : 10));
        assert_false(g.figure.panels[0].curves[0].spots[0].spoilt);
        assert_true(g.figure.panels[0].curves[0].spots[1].spoilt);
        assert_true(g.figure.spoilt);
        fini(&g);
    }
}

static void a_study_has_one_ideal_line_from_its_first_point(void **state)
{
    struct given g = {0};
    const struct tmk_plot_panel *panel;

    (void)state;
    launch(&g, "x.json", NULL, "weak");
    grid(&g, "-w=0");
    grid(&g, "-w=1");
    plan(&g, TMK_PLOT_AUTO);
    panel = &g.figure.panels[0];
    assert_int_equal(panel->n_curves, 4);
    assert_string_equal(g.figure.series[3].title, "-w=1, 2 per node");
    assert_true(panel->curves[0].ideal_x == 1);
    assert_true(panel->curves[0].ideal_y == 1000);
    assert_true(panel->curves[1].ideal_x == 0);
    assert_true(panel->curves[2].ideal_x == 1);
    assert_true(panel->curves[3].ideal_x == 0);
    fini(&g);
}

static void values_get_panels_where_colours_do_not_suffice(void **state)
{
    struct given g = {0};
    char vary[8];

    (void)state;
    launch(&g, "x.json", NULL, "weak");
    for (int i = 0; i < 5; i++) {
        (void)snprintf(vary, sizeof(vary), "-w=%d", i);
        grid(&g, vary);
    }
    plan(&g, TMK_PLOT_AUTO);
    assert_int_equal(g.figure.n_series, 2);
    assert_int_equal(g.figure.n_panels, 5);
    assert_string_equal(g.figure.panels[4].title, "File stat, -w=4");
    fini(&g);
}

static void bandwidths_and_rates_share_no_panel(void **state)
{
    struct given g = {0};
    struct tmk_plot_value *v;

    (void)state;
    launch(&g, "x.json", NULL, NULL);
    at(&g, 1, 1, "", "write", 3e9)->bytes = true;
    v = tmk_plot_add_value(&g.data.points[0], "remove");
    assert_non_null(v);
    tmk_stats_add(&v->rate, 1200);
    plan(&g, TMK_PLOT_AUTO);
    assert_int_equal(g.figure.type, TMK_PLOT_BARS);
    assert_int_equal(g.figure.n_panels, 2);
    assert_true(g.figure.panels[0].bytes);
    assert_false(g.figure.panels[1].bytes);
    assert_string_equal(tmk_plot_unit_of(&g.figure.panels[0]).name, "GB/s");
    assert_string_equal(tmk_plot_unit_of(&g.figure.panels[1]).name, "op/s");
    fini(&g);
}

static void each_factor_of_ten_of_the_slowest_has_the_same_room(void **state)
{
    struct given g = {0};
    struct tmk_plot_value *v;
    const struct tmk_plot_curve *c;

    (void)state;
    launch(&g, "x.json", NULL, NULL);
    v = at(&g, 1, 1, "", "read", 10);
    v->latency = calloc(1, sizeof(*v->latency));
    assert_non_null(v->latency);
    v->latency->counts[tmk_hist_index(100)] = 900;
    v->latency->counts[tmk_hist_index(10000)] = 90;
    v->latency->counts[tmk_hist_index(1000000)] = 10;
    plan(&g, TMK_PLOT_LATENCY);
    c = &g.figure.panels[0].curves[0];
    assert_int_equal(c->n, 4);
    assert_true(c->spots[0].y == 0);
    assert_true(fabs(c->spots[1].x - 0.1) < 0.001);
    assert_true(fabs(c->spots[1].y - 1) < 1e-9);
    assert_true(fabs(c->spots[2].y - 2) < 1e-9);
    assert_true(fabs(c->spots[3].y - log10(2000)) < 1e-9);
    assert_string_equal(g.figure.panels[0].title, "read");
    fini(&g);
}

static void the_rest_of_an_interval_is_no_rate(void **state)
{
    static const struct {
        double last_s;
        size_t spots;
    } rows[] = {{0.1, 4}, {0.9, 6}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct given g = {0};
        struct tmk_plot_value *v;

        launch(&g, "x.json", NULL, NULL);
        v = at(&g, 1, 1, "", "read", 10);
        v->runs = calloc(1, sizeof(*v->runs));
        assert_non_null(v->runs);
        v->n_runs = 1;
        v->runs[0] = (struct tmk_plot_run){.interval_s = 1,
                                           .last_s = rows[i].last_s,
                                           .rates = calloc(3, sizeof(double)),
                                           .n = 3};
        assert_non_null(v->runs[0].rates);
        plan(&g, TMK_PLOT_AUTO);
        assert_int_equal(g.figure.type, TMK_PLOT_TIME);
        assert_int_equal(g.figure.panels[0].curves[0].n, rows[i].spots);
        fini(&g);
    }
}

static void what_cannot_be_drawn_is_refused_with_what_there_is(void **state)
{
    struct given g = {0};

    (void)state;
    launch(&g, "x.json", NULL, NULL);
    at(&g, 1, 1, "", "File stat", 10);
    refused(&g, TMK_PLOT_SCALING, NULL, "there is: bars");
    refused(&g, TMK_PLOT_LATENCY, NULL, "no latencies are known");
    refused(&g, TMK_PLOT_TIME, NULL, "--interval");
    refused(&g, TMK_PLOT_AUTO, "read",
            "no 'read' in these results, but: File "
            "stat");
    refused(&g, TMK_PLOT_AUTO, " ,", "which? There are: File stat");
    for (int i = 0; i < 17; i++) {
        char name[16];

        (void)snprintf(name, sizeof(name), "op %d", i);
        at(&g, 1, 1, "", name, 10);
        at(&g, 2, 1, "", name, 20);
    }
    refused(&g, TMK_PLOT_AUTO, NULL, "18 panels are too many");
    fini(&g);
}

static void operations_are_meant_by_a_part_of_their_names(void **state)
{
    static const struct {
        const char *given, *name;
        bool want;
    } rows[] = {
        {NULL, "File stat", true},
        {NULL, "Tree creation", false},
        {"stat", "File stat", true},
        {"STAT", "File stat", true},
        {"create", "File creation", true},
        {"remove", "File removal", true},
        {"create", "Tree creation", false},
        {"tree", "Tree creation", true},
        {"read, file stat ", "File stat", true},
        {"read", "File stat", false},
        {"statx", "File stat", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct tmk_plot_choice choice = {.operations = rows[i].given};

        if (tmk_plot_chosen(&choice, rows[i].name) != rows[i].want) {
            fail_msg("%s of %s", rows[i].name,
                     rows[i].given != NULL ? rows[i].given : "all");
        }
    }
}

static void units_fit_the_greatest_rate(void **state)
{
    static const struct {
        double rate;
        bool bytes;
        const char *want;
    } rows[] = {
        {0, false, "op/s"},       {999, false, "op/s"},
        {3999, false, "op/s"},    {4000, false, "k op/s"},
        {3.9e6, false, "k op/s"}, {5e6, false, "M op/s"},
        {999, true, "B/s"},       {1e9, true, "GB/s"},
        {9e8, true, "MB/s"},      {3e15, true, "TB/s"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tmk_plot_spot spot = {.x = 1, .y = rows[i].rate};
        struct tmk_plot_curve curve = {.spots = &spot, .n = 1};
        struct tmk_plot_panel panel = {
            .bytes = rows[i].bytes, .curves = &curve, .n_curves = 1};

        assert_string_equal(tmk_plot_unit_of(&panel).name, rows[i].want);
    }
}

static void tics_are_few_and_in_the_range(void **state)
{
    static const double most[] = {1.0001, 1.5, 8, 100, 4096, 1e7};

    (void)state;
    for (size_t i = 0; i < sizeof(most) / sizeof(most[0]); i++) {
        struct given g = {0};
        struct tmk_plot_axis x;
        struct tmk_plot_axis y;

        launch(&g, "x.json", NULL, NULL);
        at(&g, 1, 1, "", "read", 3);
        at(&g, 1024, 1, "", "read", 3 * most[i]);
        plan(&g, TMK_PLOT_SCALING);
        tmk_plot_axes(&g.figure, &g.figure.panels[0], &x, &y);
        assert_int_equal(x.n_tics, 2);
        assert_true(y.n_tics >= 2 && y.n_tics <= 8);
        for (size_t k = 0; k < y.n_tics; k++) {
            assert_true(y.tics[k].at >= y.low && y.tics[k].at <= y.high);
        }
        fini(&g);
    }
}

static void texts_of_users_mean_nothing_to_gnuplot(void **state)
{
    struct given g = {0};
    char *script;

    (void)state;
    launch(&g, "x.json", "a\"b`c'd@e\\f{g}$h#i\xc3\xa4", "weak");
    at(&g, 1, 1, "\n%d\xff", "read", 1);
    at(&g, 2, 1, "\n%d\xff", "read", 1);
    at(&g, 2, 1, "x", "read", 1);
    plan(&g, TMK_PLOT_AUTO);
    script = script_of(&g, TMK_PLOT_SVG);
    assert_non_null(strstr(script, "a\\042b\\140c\\047d\\100e\\134f\\173g\\175"
                                   "\\044h\\043i\xc3\xa4: weak scaling\""));
    assert_non_null(strstr(script, "\"?%d?\""));
    free(script);
    fini(&g);
}

static void the_terminal_gets_no_layout_of_a_page(void **state)
{
    struct given g = {0};
    char *script;

    (void)state;
    launch(&g, "x.json", NULL, NULL);
    grid(&g, "");
    plan(&g, TMK_PLOT_AUTO);
    script = script_of(&g, TMK_PLOT_TERMINAL);
    assert_non_null(
        strstr(script, "set terminal dumb noenhanced size 80,24\n"));
    assert_null(strstr(script, "multiplot"));
    assert_non_null(strstr(script, "title \"2 per node\""));
    free(script);
    fini(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_a_curve_for_each_number_of_ranks_per_node),
        cmocka_unit_test(the_order_of_points_does_not_count),
        cmocka_unit_test(nodes_are_counted_if_the_ranks_on_each_stay),
        cmocka_unit_test(a_path_is_one_curve),
        cmocka_unit_test(single_runs_together_are_a_study),
        cmocka_unit_test(labels_that_come_twice_tell_studies_apart),
        cmocka_unit_test(equal_points_are_taken_together),
        cmocka_unit_test(failures_count_only_where_there_is_nothing_else),
        cmocka_unit_test(a_study_has_one_ideal_line_from_its_first_point),
        cmocka_unit_test(values_get_panels_where_colours_do_not_suffice),
        cmocka_unit_test(bandwidths_and_rates_share_no_panel),
        cmocka_unit_test(each_factor_of_ten_of_the_slowest_has_the_same_room),
        cmocka_unit_test(the_rest_of_an_interval_is_no_rate),
        cmocka_unit_test(what_cannot_be_drawn_is_refused_with_what_there_is),
        cmocka_unit_test(operations_are_meant_by_a_part_of_their_names),
        cmocka_unit_test(units_fit_the_greatest_rate),
        cmocka_unit_test(tics_are_few_and_in_the_range),
        cmocka_unit_test(texts_of_users_mean_nothing_to_gnuplot),
        cmocka_unit_test(the_terminal_gets_no_layout_of_a_page),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
