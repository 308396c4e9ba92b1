#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/explain_text.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A text being written. */
struct page {
    FILE *to;
    char *text;
    size_t size;
};

static void open_page(struct page *page)
{
    *page = (struct page){0};
    page->to = open_memstream(&page->text, &page->size);
    assert_non_null(page->to);
}

static void expect_page(struct page *page, const char *want)
{
    assert_int_equal(fclose(page->to), 0);
    assert_string_equal(page->text, want);
    free(page->text);
}

#define FORTY "1234567890123456789012345678901234567890"

static void sentences_are_broken_at_blanks(void **state)
{
    static const struct {
        unsigned indent;
        const char *text, *want;
    } rows[] = {
        {0, "", "\n"},
        {2, "a b", "  a b\n"},
        {2, "a  b ", "  a b\n"},
        {0, FORTY " 23456789012345678901234567890123456789",
         FORTY " 23456789012345678901234567890123456789\n"},
        {0, FORTY " " FORTY, FORTY "\n" FORTY "\n"},
        {2, "a " FORTY FORTY " b", "  a\n  " FORTY FORTY "\n  b\n"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct page page;

        open_page(&page);
        tmk_explain_say(page.to, rows[i].indent, "%s", rows[i].text);
        expect_page(&page, rows[i].want);
    }
}

static void points_hang_behind_a_dash(void **state)
{
    struct page page;

    (void)state;
    open_page(&page);
    tmk_explain_point(page.to, "%s", FORTY " " FORTY);
    expect_page(&page, "  - " FORTY "\n    " FORTY "\n");
}

static void only_points_that_are_so_are_made(void **state)
{
    static const struct tmk_explain_if rows[] = {
        {true, "one"}, {false, "two"}, {true, "three"}};
    struct page page;

    (void)state;
    open_page(&page);
    assert_int_equal(tmk_explain_points(page.to, rows, COUNT(rows)), 2);
    expect_page(&page, "  - one\n  - three\n");
}

static void cells_are_of_one_width(void **state)
{
    static const uint32_t node[] = {0, 7};
    struct page page;

    (void)state;
    open_page(&page);
    tmk_explain_cell(page.to, "rank");
    tmk_explain_cell_rank(page.to, 1, node);
    expect_page(&page, "           rank          1 (7)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_broken_at_blanks),
        cmocka_unit_test(points_hang_behind_a_dash),
        cmocka_unit_test(only_points_that_are_so_are_made),
        cmocka_unit_test(cells_are_of_one_width),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
