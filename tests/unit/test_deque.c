#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/deque.h"
#include "base/mix.h"

static void push(struct tmk_deque *deque, const char *text)
{
    assert_int_equal(tmk_deque_push(deque, text, strlen(text) + 1), 0);
}

static void take_newest(struct tmk_deque *deque, const char *want)
{
    size_t bytes = 0;
    const char *item = tmk_deque_newest(deque, &bytes);

    assert_non_null(item);
    assert_string_equal(item, want);
    assert_int_equal(bytes, strlen(want) + 1);
    tmk_deque_drop_newest(deque);
}

static void take_oldest(struct tmk_deque *deque, const char *want)
{
    size_t bytes = 0;
    const char *item = tmk_deque_oldest(deque, &bytes);

    assert_non_null(item);
    assert_string_equal(item, want);
    assert_int_equal(bytes, strlen(want) + 1);
    tmk_deque_drop_oldest(deque);
}

static void an_empty_one_has_no_ends(void **state)
{
    struct tmk_deque deque = {0};
    size_t bytes;

    (void)state;
    assert_null(tmk_deque_newest(&deque, &bytes));
    assert_null(tmk_deque_oldest(&deque, &bytes));
    push(&deque, "a");
    tmk_deque_drop_oldest(&deque);
    assert_null(tmk_deque_newest(&deque, &bytes));
    assert_null(tmk_deque_oldest(&deque, &bytes));
    tmk_deque_fini(&deque);
    tmk_deque_fini(&deque);
}

static void items_are_taken_from_either_end(void **state)
{
    struct tmk_deque deque = {0};

    (void)state;
    push(&deque, "one");
    push(&deque, "");
    push(&deque, "three");
    push(&deque, "four");
    assert_int_equal(deque.count, 4);
    take_oldest(&deque, "one");
    take_newest(&deque, "four");
    take_oldest(&deque, "");
    push(&deque, "five");
    take_newest(&deque, "five");
    take_newest(&deque, "three");
    assert_int_equal(deque.count, 0);
    tmk_deque_fini(&deque);
}

static void an_item_may_be_of_no_bytes(void **state)
{
    struct tmk_deque deque = {0};
    size_t bytes = 1;

    (void)state;
    assert_int_equal(tmk_deque_push(&deque, NULL, 0), 0);
    assert_non_null(tmk_deque_oldest(&deque, &bytes));
    assert_int_equal(bytes, 0);
    tmk_deque_drop_newest(&deque);
    assert_int_equal(deque.count, 0);
    tmk_deque_fini(&deque);
}

static void room_does_not_grow_with_what_has_gone(void **state)
{
    struct tmk_deque deque = {0};
    char text[32];
    size_t room;

    (void)state;
    for (int i = 0; i < 500; i++) {
        (void)snprintf(text, sizeof(text), "item %d", i);
        push(&deque, text);
    }
    room = deque.room;
    for (int i = 500; i < 100000; i++) {
        (void)snprintf(text, sizeof(text), "item %d", i - 500);
        take_oldest(&deque, text);
        (void)snprintf(text, sizeof(text), "item %d", i);
        push(&deque, text);
    }
    assert_true(deque.room <= 4 * room);
    tmk_deque_fini(&deque);
}

/* Against a plain array of numbers, item k being k % 300 bytes of k % 256. */
static void it_is_what_an_array_is_that_is_taken_from_both_ends(void **state)
{
    enum { STEPS = 200000 };
    struct tmk_deque deque = {0};
    unsigned char item[300];
    size_t first = 0;
    size_t behind = 0;
    size_t lost = 0; /* taken from the new end: numbers are not used again */
    static size_t numbers[STEPS];

    (void)state;
    for (uint64_t i = 0; i < STEPS; i++) {
        uint64_t r = tmk_mix(i) % 4;
        size_t bytes = 0;
        const unsigned char *got;
        size_t k;

        if (r < 2) {
            k = behind + lost;
            memset(item, (int)(k % 256), sizeof(item));
            numbers[behind++] = k;
            assert_int_equal(tmk_deque_push(&deque, item, k % 300), 0);
            continue;
        }
        got = r == 2 ? tmk_deque_oldest(&deque, &bytes)
                     : tmk_deque_newest(&deque, &bytes);
        assert_int_equal(got == NULL, first == behind);
        if (got == NULL) {
            continue;
        }
        k = r == 2 ? numbers[first++] : numbers[--behind];
        lost += r != 2;
        assert_int_equal(bytes, k % 300);
        memset(item, (int)(k % 256), sizeof(item));
        assert_memory_equal(got, item, bytes);
        if (r == 2) {
            tmk_deque_drop_oldest(&deque);
        } else {
            tmk_deque_drop_newest(&deque);
        }
    }
    assert_int_equal(deque.count, behind - first);
    tmk_deque_fini(&deque);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_one_has_no_ends),
        cmocka_unit_test(items_are_taken_from_either_end),
        cmocka_unit_test(an_item_may_be_of_no_bytes),
        cmocka_unit_test(room_does_not_grow_with_what_has_gone),
        cmocka_unit_test(it_is_what_an_array_is_that_is_taken_from_both_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
