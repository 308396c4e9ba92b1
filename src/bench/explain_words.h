#ifndef TMK_BENCH_EXPLAIN_WORDS_H
#define TMK_BENCH_EXPLAIN_WORDS_H

#include <stddef.h>

/* A command line as it was typed, cut into words.  Pure. */

struct tmk_explain_words {
    char **argv; /* NULL-terminated; the words lie in `text` */
    int argc;
    char *text;
    const char *rest; /* what a shell would not hand on ("> out.txt"), within
                         the caller's text; NULL = nothing */
};

/*
 * Cut a line as a shell does: blanks part words, quotes and backslashes keep
 * them together; nothing is expanded.  Ends at the first redirection, pipe or
 * end of a command outside of quotes.  Returns 0, -ENOMEM, or -EINVAL where a
 * quote is not closed.  Release with tmk_explain_words_fini() whatever comes.
 */
int tmk_explain_words_split(const char *line, struct tmk_explain_words *words);

/* The same from words that a shell has cut already; copies pointers only. */
int tmk_explain_words_take(int argc, char *const argv[],
                           struct tmk_explain_words *words);

void tmk_explain_words_fini(struct tmk_explain_words *words);

enum tmk_explain_program {
    TMK_EXPLAIN_NONE,
    TMK_EXPLAIN_MDTEST,
    TMK_EXPLAIN_IOR,
};

/*
 * Which program the line starts, and the index of the word that names it, in
 * *at: "mdtest", "./IOR", "/x/mdtest-4.1", "treemark mdtest" (of the second
 * word).  A word behind an option may be its value, and counts only if there is
 * no other.
 */
enum tmk_explain_program
tmk_explain_words_program(const struct tmk_explain_words *words, int *at);

#endif
