#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void a_signed_number_is_read_with_its_suffix(void **state)
{
    static const struct {
        const char *text;
        int64_t want;
    } rows[] = {
        {"0", 0},
        {"10", 10},
        {"+7", 7},
        {"-3", -3},
        {"-0", 0},
        {"007", 7},
        {"10k", 10240},
        {"10K", 10240},
        {" 4 k ", 4096},
        {"\t4\tk\t", 4096},
        {"2m", 2097152},
        {"2MiB", 2097152},
        {"2MB", 2097152},
        {"2mib", 2097152},
        {"1g", INT64_C(1) << 30},
        {"1t", INT64_C(1) << 40},
        {"1P", INT64_C(1) << 50},
        {"-1p", -(INT64_C(1) << 50)},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"-8192p", INT64_MIN},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t got = -77;

        assert_int_equal(tmk_units_parse_i64(rows[i].text, &got), 0);
        assert_true(got == rows[i].want);
    }
}

static void what_is_no_number_is_refused_and_changes_nothing(void **state)
{
    static const char *const rows[] = {
        "",      " ",
        "-",     "+",
        "k",     "1.5k",
        "1e6",   "0x10",
        "10x",   "10kx",
        "10b",   "10ib",
        "10ki",  "10kbb",
        "1 2",   "- 3",
        "--3",   "+-3",
        "abc",   "nan",
        "10k b", "10 k i",
        "1,000", "10k\n",
        "\n10",  "99999999999999999999x",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t s = -77;
        uint64_t u = 77;

        assert_int_equal(tmk_units_parse_i64(rows[i], &s), -EINVAL);
        assert_int_equal(tmk_units_parse_u64(rows[i], &u), -EINVAL);
        assert_true(s == -77 && u == 77);
    }
}

static void a_number_that_does_not_fit_is_out_of_range(void **state)
{
    static const struct {
        const char *text;
        int i64, u64;
    } rows[] = {
        {"9223372036854775808", -ERANGE, 0},
        {"-9223372036854775809", -ERANGE, -ERANGE},
        {"8192p", -ERANGE, 0},
        {"18446744073709551615", -ERANGE, 0},
        {"18446744073709551616", -ERANGE, -ERANGE},
        {"18446744073709551620", -ERANGE, -ERANGE},
        {"99999999999999999999", -ERANGE, -ERANGE},
        {"16384p", -ERANGE, -ERANGE},
        {"18014398509481984k", -ERANGE, -ERANGE},
        {"-1", 0, -ERANGE},
        {"-1k", 0, -ERANGE},
        {"-0", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t s = -77;
        uint64_t u = 77;

        assert_int_equal(tmk_units_parse_i64(rows[i].text, &s), rows[i].i64);
        assert_int_equal(tmk_units_parse_u64(rows[i].text, &u), rows[i].u64);
        assert_true((s == -77) == (rows[i].i64 != 0));
        assert_true((u == 77) == (rows[i].u64 != 0));
    }
}

static void an_unsigned_number_uses_all_64_bits(void **state)
{
    uint64_t u = 77;

    (void)state;
    assert_int_equal(tmk_units_parse_u64("18446744073709551615", &u), 0);
    assert_true(u == UINT64_MAX);
    assert_int_equal(tmk_units_parse_u64("16383p", &u), 0);
    assert_true(u == UINT64_C(16383) << 50);
    assert_int_equal(tmk_units_parse_u64("-0k", &u), 0);
    assert_true(u == 0);
}

static void a_size_may_have_decimals_and_decimal_units(void **state)
{
    static const struct {
        const char *text;
        uint64_t want;
    } rows[] = {
        {"0", 0},
        {"-0", 0},
        {"-0.0k", 0},
        {"47001", 47001},
        {"+7", 7},
        {" 4 k ", 4096},
        {"\t1.5\tm\t", 1572864},
        {"1.5m", 1572864},
        {"1.5M", 1572864},
        {"1.5MiB", 1572864},
        {"1.5mb", 1572864},
        {"1.5Mb", 1572864},
        {"1.5mib", 1572864},
        {"1.5MB", 1500000},
        {"1.5mB", 1500000},
        {"0.5k", 512},
        {"00.50k", 512},
        {"3.0", 3},
        {"3.000000000000000000000000000000000000000000000", 3},
        {"0.0009765625k", 1},
        {"0.00000095367431640625m", 1},
        {"2.0009765625k", 2049},
        {"1kB", 1000},
        {"1KB", 1000},
        {"1kb", 1024},
        {"1Kb", 1024},
        {"1kiB", 1024},
        {"1KIB", 1024},
        {"1K", 1024},
        {"3 GB", 3000000000},
        {"3gb", UINT64_C(3) << 30},
        {"9920000m", UINT64_C(9920000) << 20},
        {"2TB", UINT64_C(2000000000000)},
        {"2tib", UINT64_C(2) << 40},
        {"1.000000000000001PB", UINT64_C(1000000000000001)},
        {"18446PB", UINT64_C(18446000000000000000)},
        {"18446.744073709551615PB", UINT64_MAX},
        {"18014398509481983.9990234375k", UINT64_MAX},
        {"16383p", UINT64_C(16383) << 50},
        {"18446744073709551615", UINT64_MAX},
        {"18446744073709551615.000", UINT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t got = 77;

        assert_int_equal(tmk_units_parse_bytes(rows[i].text, &got), 0);
        assert_int_equal(got, rows[i].want);
    }
}

static void what_is_no_size_is_refused_and_changes_nothing(void **state)
{
    static const struct {
        const char *text;
        int want;
    } rows[] = {
        {"", -EINVAL},
        {"abc", -EINVAL},
        {"k", -EINVAL},
        {"4x", -EINVAL},
        {"4B", -EINVAL},
        {"4 kB s", -EINVAL},
        {"4kBB", -EINVAL},
        {"4ki", -EINVAL},
        {"4k.5", -EINVAL},
        {".5k", -EINVAL},
        {"5.k", -EINVAL},
        {"5.", -EINVAL},
        {"1.5.5k", -EINVAL},
        {"1,5k", -EINVAL},
        {"1. 5k", -EINVAL},
        {"1.-5k", -EINVAL},
        {"0x10", -EINVAL},
        {"1e6", -EINVAL},
        {"inf", -EINVAL},
        {"2m 3", -EINVAL},
        /* no whole number of bytes */
        {"1.5", -EINVAL},
        {"0.1k", -EINVAL},
        {"0.0001kB", -EINVAL},
        {"0.00048828125k", -EINVAL},
        {"0.000000000000000000000000000000000000000001p", -EINVAL},
        {"-1.5", -EINVAL},
        {"99999999999999999999.5", -EINVAL},
        {"99999999999999999999x", -EINVAL},
        /* too many */
        {"-1", -ERANGE},
        {"-0.5k", -ERANGE},
        {"16384p", -ERANGE},
        {"16383.9999999999999999p", -EINVAL},
        {"18014398509481984k", -ERANGE},
        {"18446.744073709551616PB", -ERANGE},
        {"18447PB", -ERANGE},
        {"18446744073709551616", -ERANGE},
        {"99999999999999999999", -ERANGE},
        {"99999999999999999999.5k", -ERANGE},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t got = 77;

        assert_int_equal(tmk_units_parse_bytes(rows[i].text, &got),
                         rows[i].want);
        assert_int_equal(got, 77);
    }
}

/* Without decimals and a capital B they are the same. */
static void a_size_is_read_as_other_numbers_are(void **state)
{
    static const char *const texts[] = {
        "0",  "10",   "+7", "-0",   "-1",   "007", "10k",   " 4 k ",
        "2m", "2MiB", "2b", "2mib", "2MIB", "1g",  "1t",    "1P",
        "",   " ",    "-",  "10x",  "1 2",  "--3", "10k b", "16384p",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        uint64_t bytes = 77;
        uint64_t number = 77;

        assert_int_equal(tmk_units_parse_bytes(texts[i], &bytes),
                         tmk_units_parse_u64(texts[i], &number));
        assert_int_equal(bytes, number);
    }
}

static void bytes_are_shown_with_one_decimal_and_never_1024(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *want;
    } rows[] = {
        {0, "0 bytes"},
        {1, "1 byte"},
        {512, "512 bytes"},
        {1023, "1023 bytes"},
        {1024, "1.0 KiB"},
        {3901, "3.8 KiB"},
        {1048524, "1023.9 KiB"},
        {1048525, "1.0 MiB"},
        {1048576, "1.0 MiB"},
        {UINT64_C(1) << 30, "1.0 GiB"},
        {UINT64_C(3) << 39, "1.5 TiB"},
        {UINT64_C(1) << 50, "1.0 PiB"},
        {UINT64_C(1) << 60, "1.0 EiB"},
        {UINT64_MAX, "16.0 EiB"},
    };
    char buf[32];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_string_equal(
            tmk_units_format_bytes(rows[i].bytes, buf, sizeof(buf)),
            rows[i].want);
    }
}

static void a_small_buffer_gets_what_fits(void **state)
{
    char buf[6] = "xxxxx";

    (void)state;
    assert_string_equal(tmk_units_format_bytes(512, buf, 4), "512");
    assert_string_equal(tmk_units_format_bytes(4096, buf, 4), "4.0");
    assert_int_equal(buf[4], 'x');
}

static void a_rate_without_time_is_zero(void **state)
{
    (void)state;
    assert_true(tmk_units_per_s(10, 0) == 0.0);
    assert_true(tmk_units_per_s(0, 0) == 0.0);
    assert_true(tmk_units_per_s(0, 5) == 0.0);
    assert_true(tmk_units_per_s(10, 2000000000) == 5.0);
    assert_true(tmk_units_seconds(1500000000) == 1.5);
    assert_true(tmk_units_seconds(0) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signed_number_is_read_with_its_suffix),
        cmocka_unit_test(what_is_no_number_is_refused_and_changes_nothing),
        cmocka_unit_test(a_number_that_does_not_fit_is_out_of_range),
        cmocka_unit_test(an_unsigned_number_uses_all_64_bits),
        cmocka_unit_test(a_size_may_have_decimals_and_decimal_units),
        cmocka_unit_test(what_is_no_size_is_refused_and_changes_nothing),
        cmocka_unit_test(a_size_is_read_as_other_numbers_are),
        cmocka_unit_test(bytes_are_shown_with_one_decimal_and_never_1024),
        cmocka_unit_test(a_small_buffer_gets_what_fits),
        cmocka_unit_test(a_rate_without_time_is_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
