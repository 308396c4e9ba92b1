#ifndef TMK_BENCH_COMPARE_COMMAND_H
#define TMK_BENCH_COMPARE_COMMAND_H

#include <jansson.h>

/*
 * What the words of a command ask for: ["mdtest", "-n", "100"].  Of mdtest and
 * ior each option with its value as text, defaults as well; of find
 * "expression", without directories and options for outputs.  Words that cannot
 * be read are one text, "command".  A new object; NULL: out of memory.
 */
json_t *tmk_compare_command(const char *benchmark, const json_t *words);

#endif
