#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mix.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Known values of the published generator, seed 1234567. */
static void the_sequence_is_that_of_splitmix64(void **state)
{
    static const uint64_t want[] = {
        6457827717110365317u, 3203168211198807973u,  9817491932198370423u,
        4593380528125082431u, 16408922859458223821u,
    };

    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(tmk_mix(1234567 + (i + 1) * tmk_mix_step), want[i]);
    }
}

static void what_was_mixed_is_found_again(void **state)
{
    (void)state;
    assert_int_equal(tmk_mix_undo(tmk_mix(UINT64_MAX)), UINT64_MAX);
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t z = i * 0xfedcba9876543211u;

        assert_int_equal(tmk_mix_undo(tmk_mix(z)), z);
        assert_int_equal(tmk_mix_undo(tmk_mix(i)), i);
        assert_int_equal(tmk_mix_light_undo(tmk_mix_light(z)), z);
        assert_int_equal(tmk_mix_light_undo(tmk_mix_light(i)), i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sequence_is_that_of_splitmix64),
        cmocka_unit_test(what_was_mixed_is_found_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
