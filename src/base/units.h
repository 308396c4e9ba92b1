#ifndef TMK_BASE_UNITS_H
#define TMK_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * A whole number with an optional binary suffix: "10", "-3", " 4k ", "2MiB".
 * k m g t p, in either case and optionally followed by "b" or "ib", multiply
 * by 2^10 to 2^50; blanks around the number and before the suffix are
 * allowed.  Anything else ("1.5k", "1e6", "0x10", "10x", "") is refused.
 * Returns 0, -EINVAL (no such number) or -ERANGE (does not fit); *value is
 * set only on success.
 */
int tmk_units_parse_i64(const char *text, int64_t *value);

/* The same for unsigned numbers; a minus sign is -ERANGE ("-0" is 0). */
int tmk_units_parse_u64(const char *text, uint64_t *value);

/*
 * The same for sizes, which may have decimals ("1.5m") and be meant in
 * decimal units: a letter and a capital B, as in "kB", "MB", "GB", "TB" and
 * "PB", multiply by powers of 1000, and the same with an i between them
 * ("MiB"), with a small b or without any by powers of 1024.  What is no whole
 * number of bytes ("1.5", "0.1k") is -EINVAL.
 */
int tmk_units_parse_bytes(const char *text, uint64_t *bytes);

/*
 * Bytes for a reader: "0 bytes", "512 bytes", "3.8 KiB", "1.0 GiB" ...
 * (one decimal from KiB on).  Writes at most `size` bytes with the NUL and
 * returns buf.
 */
char *tmk_units_format_bytes(uint64_t bytes, char *buf, size_t size);

/* Operations per second; 0 if nothing ran or no time passed. */
double tmk_units_per_s(uint64_t operations, uint64_t elapsed_ns);

/* Nanoseconds as seconds. */
double tmk_units_seconds(uint64_t ns);

#endif
