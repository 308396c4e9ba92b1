#include "unit/match_env.h"

#include "base/match_format.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Compile or fail. */
static struct tmk_match *compile(struct match_world *w, const char *words)
{
    struct tmk_match *match;
    char why[MATCH_WHY] = "";

    if (match_compile(w, words, &match, why) != 0) {
        fail_msg("%s: %s", words, why);
    }
    w->said[0] = '\0';
    return match;
}

struct row {
    const char *words;
    bool want;
};

/* Is the entry printed?  Asked with all known, and ahead with what the dirent
 * says and, after that, with what was missing. */
static void check_entry(const struct row *rows, size_t n,
                        const struct tmk_match_entry *whole)
{
    for (size_t i = 0; i < n; i++) {
        struct match_world w = {0};
        struct tmk_match *match = compile(&w, rows[i].words);
        struct tmk_match_entry dirent = match_dirent(whole);
        struct tmk_match_entry some = *whole;
        unsigned outcome = tmk_match_run(match, whole, &match_calls, &w);
        uint32_t missing;

        if ((outcome == TMK_MATCH_ACTED) != rows[i].want) {
            fail_msg("%s on %s: not %d", rows[i].words, whole->path,
                     rows[i].want);
        }
        switch (tmk_match_ahead(match, &dirent, &missing)) {
        case TMK_MATCH_NO:
            assert_false(rows[i].want);
            assert_int_equal(missing, 0);
            break;
        case TMK_MATCH_YES: assert_int_equal(missing, 0); break;
        case TMK_MATCH_NEEDS:
            assert_int_not_equal(missing, 0);
            assert_int_equal(
                missing & ~match->needs & ~(unsigned)TMK_MATCH_TYPE, 0);
            some.have = missing & TMK_MATCH_STATX;
            if (tmk_match_ahead(match, &some, &missing) == TMK_MATCH_NEEDS) {
                assert_int_equal(missing, TMK_MATCH_CALL);
            }
            break;
        }
        tmk_match_free(match);
    }
}

static void tests_hold_for_a_file_or_do_not(void **state)
{
    static const struct row rows[] = {
        {".", true},
        {". -false", false},
        {". -name f.c", true},
        {". -name *.c", true},
        {". -name *.h", false},
        {". -name F.C", false},
        {". -iname F.C", true},
        {". -iname F*C", true},
        {". -name top/f.c", false},
        {". -path top/f.c", true},
        {". -path t*c", true},
        {". -wholename t*c", true},
        {". -path f.c", false},
        {". -ipath TOP/*", true},
        {". -iwholename TOP/*", true},
        {". -regex .*c", true},
        {". -regex f.c", false},
        {". -regex top/f", false},
        {". -regex top/.\\.c", true},
        {". -regex .*\\(c\\|h\\)", true},
        {". -regex .*(c|h)", false},
        {". -iregex TOP/F.C", true},
        {". -regextype posix-extended -regex .*(c|h)", true},
        {". -regextype posix-basic -regex .*[c]\\{1\\}", true},
        {". -regex .*(c|h) -regextype posix-extended", false},
        {". -type f", true},
        {". -type d,f", true},
        {". -type d,l,p,s,b,c", false},
        {". -xtype f", true},
        {". -xtype l", false},
        {". -inum 77", true},
        {". -inum +77", false},
        {". -inum -78", true},
        {". -samefile ref", true},
        {". -links 2", true},
        {". -links +2", false},
        {". -uid 1000", true},
        {". -uid +1000", false},
        {". -user ann", true},
        {". -user 1000", true},
        {". -user root", false},
        {". -gid 50", true},
        {". -group staff", true},
        {". -group 1000", false}, /* a group is called that */
        {". -group 50", true},
        {". -nouser", false},
        {". -nogroup", false},
        {". -perm 644", true},
        {". -perm -600", true},
        {". -perm /111", false},
        {". -perm u=rw,go=r", true},
        {". -size 2", true},
        {". -size 600c", true},
        {". -size 1k", true},
        {". -size +600c", false},
        {". -size -2", false},
        {". -empty", false},
        {". -mtime 2", true},
        {". -mtime +1", true},
        {". -mtime -2", false},
        {". -atime 0", true},
        {". -ctime 1", false},
        {". -amin 1", true},
        {". -amin +1", false},
        {". -cmin -1", true},
        {". -mmin +3333", true},
        {". -mmin 3334", true},
        {". -newer ref", false},
        {". -anewer ref", true},
        {". -cnewer ref", true},
        {". -newerma ref", false},
        {". -neweraa ref", true},
        {". -newerBB born", true},
        {". -newerBc ref", false},
        {". -newermt 2026-03-01", true},
        {". -newermt 2026-03-02", false},
        {". -neweraa born ! -newermB born", true},
        {". -used 0", false},
        {". -used 1", true},
        {". -used -1", true},
        {". -used +0", true},
        {". -fstype ext4", true},
        {". -fstype xfs", false},
        {". -readable", true},
        {". -writable", false},
        {". -executable", false},
        {". -lname *", false},
        {". -ilname *", false},
        {". -mindepth 1", true},
        {". -mindepth 2", false},
        {". -maxdepth 0", true}, /* whoever walks does not come here */
        {". ! -name f.c -o -size 2", true},
        {". -size 2 ! -newer ref", true},
        {". ! ( -size 2 -name f.c )", false},
        {". -size 5 -o -perm 1 -o -links 2", true},
        {". -size 2 , -size 3", false},
        {". -size 3 , -size 2", true},
        {". -true , -size 2 , -true", true},
    };
    struct tmk_match_entry e = match_entry("top/f.c", 'f');

    (void)state;
    e.atime.s++; /* read since it was changed: 21 s */
    e.mode = 04644 & 0777;
    check_entry(rows, COUNT(rows), &e);
}

/* Seen to be so with GNU find 4.9. */
static void days_of_use_count_from_the_change(void **state)
{
    static const struct {
        const char *words;
        int64_t s;
        uint32_t ns;
        bool want;
    } rows[] = {
        {". -used 0", 0, 0, false},
        {". -used 0", 1, 0, false},
        {". -used 1", -1, 999999999, false},
        {". -used 1", 0, 0, true},
        {". -used 1", 86399, 999999999, true},
        {". -used 1", 86400, 0, false},
        {". -used 2", 86400, 0, true},
        {". -used 2", 172799, 0, true},
        {". -used 2", 172800, 0, false},
        {". -used +0", 0, 0, false},
        {". -used +0", 0, 1, true},
        {". -used +1", 86400, 0, false},
        {". -used +1", 86400, 1, true},
        {". -used -0", 0, 0, false},
        {". -used -1", 0, 0, true},
        {". -used -1", 86399, 0, true},
        {". -used -1", 86400, 0, false},
        {". -used -1", -1, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match = compile(&w, rows[i].words);
        struct tmk_match_entry e = match_entry("top/f", 'f');

        e.ctime = (struct tmk_match_time){MATCH_NOW_S, 0};
        e.atime = (struct tmk_match_time){MATCH_NOW_S + rows[i].s, rows[i].ns};
        if ((tmk_match_run(match, &e, &match_calls, &w) != 0) != rows[i].want) {
            fail_msg("%s: %lld.%09u s", rows[i].words, (long long)rows[i].s,
                     rows[i].ns);
        }
        tmk_match_free(match);
    }
}

/* A nanosecond decides, whatever the other times are. */
static void check_newer(const char *words, size_t field,
                        struct tmk_match_time than)
{
    for (int ns = -1; ns <= 1; ns++) {
        struct match_world w = {0};
        struct tmk_match *match = compile(&w, words);
        struct tmk_match_entry e = match_entry("top/f", 'f');
        struct tmk_match_time *times[] = {&e.atime, &e.btime, &e.ctime,
                                          &e.mtime};

        for (size_t i = 0; i < COUNT(times); i++) {
            times[i]->s = ns > 0 ? than.s - 1 : than.s + 1;
        }
        times[field]->s = than.s;
        times[field]->ns = (uint32_t)((int)than.ns + ns);
        if ((tmk_match_run(match, &e, &match_calls, &w) != 0) != (ns > 0)) {
            fail_msg("%s: %d ns", words, ns);
        }
        tmk_match_free(match);
    }
}

static void newer_is_strict_to_the_nanosecond(void **state)
{
    static const char letters[] = "aBcm";
    static const int64_t ages_s[] = {100, 400, 300, 200}; /* of "born" */
    static const struct {
        const char *words;
        size_t field;
    } others[] = {
        {". -newer born", 3}, {". -anewer born", 0}, {". -cnewer born", 2}};
    char words[64];

    (void)state;
    for (size_t x = 0; x < COUNT(ages_s); x++) {
        for (size_t y = 0; y < COUNT(ages_s); y++) {
            (void)snprintf(words, sizeof(words), ". -newer%c%c born",
                           letters[x], letters[y]);
            check_newer(words, x, match_ago(ages_s[y]));
        }
        (void)snprintf(words, sizeof(words), ". -newer%ct @1000.25",
                       letters[x]);
        check_newer(words, x, (struct tmk_match_time){1000, 250000000});
        (void)snprintf(words, sizeof(words),
                       ". -newer%ct 1970-01-01T01:00:01.5", letters[x]);
        check_newer(words, x, (struct tmk_match_time){1, 500000000});
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        check_newer(others[i].words, others[i].field, match_ago(200));
    }
}

static void days_begin_at_midnight_where_that_is_asked(void **state)
{
    /* 05:06:07 there is 06:06:07 here; 21967 s of the day have gone. */
    static const struct {
        const char *words;
        int64_t age_s;
        bool want;
    } rows[] = {
        {". -daystart -mtime 0", 21967, true},
        {". -daystart -mtime 0", 21968, false},
        {". -daystart -mtime 1", 21968, true},
        {". -daystart -mtime 1", 21967 + 86400, true},
        {". -daystart -mtime 1", 21968 + 86400, false},
        {". -daystart -mtime +0", 21968, true},
        {". -daystart -mtime +0", 21967, false},
        {". -daystart -mtime -1", 21967, true},
        {". -daystart -mtime -1", 21969, false},
        {". -daystart -mmin -1440", 21967, true},
        {". -daystart -mmin -1440", 21968, false},
        {". -mtime 0 -daystart", 21969, true}, /* it counts from there on */
        {". -mtime 0 -daystart -mtime 0", 21969, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match = compile(&w, rows[i].words);
        struct tmk_match_entry e = match_entry("top/f", 'f');

        e.mtime = match_ago(rows[i].age_s);
        if ((tmk_match_run(match, &e, &match_calls, &w) != 0) != rows[i].want) {
            fail_msg("%s: %lld s", rows[i].words, (long long)rows[i].age_s);
        }
        tmk_match_free(match);
    }
}

static void directories_and_others_have_their_own_rules(void **state)
{
    static const struct {
        const char *path;
        char type;
        struct row row;
    } rows[] = {
        {"top/void", 'd', {". -empty", true}},
        {"top/full", 'd', {". -empty", false}},
        {"top/void", 'p', {". -empty", false}},
        {"top/void", 'l', {". -empty", false}},
        {"top/d", 'd', {". -perm a=rX", true}},
        {"top/d", 'f', {". -perm a=rX", false}},
        {"top/d", 'd', {". -type d", true}},
        {"top/d", 'd', {". -xtype d", true}},
        {"top/d", 'd', {". -inum 77", true}},
        {"top/d", 'd', {". -samefile ref", true}},
        {"top/d", 's', {". -type s", true}},
        {"top/d", 's', {". ! -type f,d", true}},
        {"top/d", 'd', {". ! -type f,d", false}},
        {"top/d", '\0', {". ! -type f", true}},
        {"top/d", 'd', {". -type d -name e", false}},
        {"top/d", 'b', {". -type b,c", true}},
        {"top/d", 'c', {". -type p,c", true}},
        {"top/d", '\0', {". -type f,d,l,p,s,b,c", false}},
        {"top/l", 'l', {". -type l", true}},
        {"top/l", 'l', {". -xtype f", true}},
        {"top/l", 'l', {". -xtype l", false}},
        {"top/nowhere", 'l', {". -xtype l", true}},
        {"top/circle", 'l', {". -xtype l", false}},
        {"top/circle", 'l', {". -xtype f,d,p", false}},
        {"top/l", 'l', {"-L . -xtype l", true}},
        {"top/l", 'l', {"-H . -xtype f", true}},
        {"top/l", 'l', {". -lname tar*", true}},
        {"top/l", 'l', {". -lname *.c", true}},
        {"top/l", 'l', {". -lname TAR*", false}},
        {"top/l", 'l', {". -ilname TAR*", true}},
        {"top/broken", 'l', {". -lname *", false}},
        {"top", 'd', {". -name top", true}},
        {"top", 'd', {". -mindepth 1", false}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_entry e = match_entry(rows[i].path, rows[i].type);

        if (strstr(rows[i].row.words, "rX") != NULL) {
            e.mode = 0555;
        }
        check_entry(&rows[i].row, 1, &e);
    }
}

static void some_files_are_odd(void **state)
{
    static const struct row rows[] = {
        {". -nouser", true},        {". -nogroup", true},
        {". -newerBm ref", false},  {". -used 0", false},
        {". -used +0", false},      {". -used -5", false},
        {". -empty", true},         {". -size 0", true},
        {". -size -1M", true},      {". ! -newerBm ref", true},
        {". -samefile ref", false}, {". -inum 78", true},
    };
    struct tmk_match_entry e = match_entry("top/odd", 'f');

    (void)state;
    e.uid = 5;
    e.gid = 5;
    e.size_bytes = 0;
    e.inode = 78;
    e.atime = match_ago(31); /* a second before the change */
    e.btime = (struct tmk_match_time){0, TMK_MATCH_NO_TIME};
    check_entry(rows, COUNT(rows), &e);
    e.inode = 77;
    e.dev = 10;
    check_entry(&(struct row){". -samefile ref", false}, 1, &e);
}

static void what_the_dirent_decides_needs_no_more(void **state)
{
    static const struct {
        const char *words;
        const char *path;
        char type; /* 'u': not known */
        char want; /* no, yes, more */
        uint32_t missing;
    } rows[] = {
        {".", "top/f", 'u', 'y', 0},
        {". -name f", "top/f", 'u', 'y', 0},
        {". -name g", "top/f", 'u', 'n', 0},
        {". -path *f", "top/f", 'u', 'y', 0},
        {". -regex .*g", "top/f", 'u', 'n', 0},
        {". -type f", "top/f", 'f', 'y', 0},
        {". -type f", "top/f", 'd', 'n', 0},
        {". -type f", "top/f", 'u', 'm', TMK_MATCH_TYPE},
        {". -inum 77", "top/f", 'f', 'y', 0},
        {". -inum 78", "top/f", 'f', 'n', 0},
        {". -inum 77", "top/f", 'd', 'm', TMK_MATCH_INO}, /* a mount point? */
        {". -inum 77", "top/f", 'u', 'm', TMK_MATCH_INO},
        {". -samefile ref", "top/f", 'f', 'm', TMK_MATCH_INO},
        {". -samefile ref", "top/f", 'd', 'm', TMK_MATCH_INO},
        {". -size 1", "top/f", 'f', 'm', TMK_MATCH_SIZE},
        {". -size 1 -name g", "top/f", 'f', 'n', 0},
        {". -size 1 -name f", "top/f", 'f', 'm', TMK_MATCH_SIZE},
        {". -size 1 -o -name f", "top/f", 'f', 'y', 0},
        {". -size 1 -o -name g", "top/f", 'f', 'm', TMK_MATCH_SIZE},
        {". ! -size 1 -newer ref -name f", "top/f", 'f', 'm',
         TMK_MATCH_SIZE | TMK_MATCH_MTIME},
        {". -newer ref ( -size 1 -name g )", "top/f", 'f', 'n', 0},
        {". -newer ref ( -size 1 -o -name f )", "top/f", 'f', 'm',
         TMK_MATCH_MTIME},
        {". -empty", "top/f", 'f', 'm', TMK_MATCH_SIZE},
        {". -empty", "top/f", 'd', 'm', TMK_MATCH_CALL},
        {". -empty", "top/f", 'p', 'n', 0},
        {". -empty", "top/f", 'u', 'm',
         TMK_MATCH_TYPE | TMK_MATCH_SIZE | TMK_MATCH_CALL},
        {". -lname a", "top/f", 'f', 'n', 0},
        {". -lname a", "top/f", 'l', 'm', TMK_MATCH_CALL},
        {". -lname a", "top/f", 'u', 'm', TMK_MATCH_TYPE | TMK_MATCH_CALL},
        {". -xtype f", "top/f", 'f', 'y', 0},
        {". -xtype f", "top/f", 'd', 'n', 0},
        {". -xtype f", "top/f", 'l', 'm', TMK_MATCH_CALL},
        {". -xtype f", "top/f", 'u', 'm', TMK_MATCH_TYPE | TMK_MATCH_CALL},
        {". -readable", "top/f", 'f', 'm', TMK_MATCH_CALL},
        {". -readable -name g", "top/f", 'f', 'n', 0},
        {". -perm 1", "top/f", 'f', 'm', TMK_MATCH_MODE},
        {". -perm 1", "top/f", 'u', 'm', TMK_MATCH_MODE | TMK_MATCH_TYPE},
        {". -nouser", "top/f", 'f', 'm', TMK_MATCH_UID | TMK_MATCH_CALL},
        {". -ls", "top/f", 'f', 'm',
         TMK_MATCH_LS_NEEDS & ~(uint32_t)TMK_MATCH_TYPE},
        {". -ls", "top/f", 'u', 'm', TMK_MATCH_LS_NEEDS},
        {". -name f -printf %s", "top/f", 'f', 'm', TMK_MATCH_SIZE},
        {". -name f -printf %y", "top/f", 'f', 'y', 0},
        {". -name f -printf %y", "top/f", 'u', 'm', TMK_MATCH_TYPE},
        {". -name f -printf %l", "top/f", 'l', 'y', 0},
        {". -name g -printf %s", "top/f", 'f', 'n', 0},
        /* An effect that may be reached, and something that decides it. */
        {". -print -size 1", "top/f", 'f', 'y', 0}, /* nobody asks for it */
        {". -print -size 1 -print", "top/f", 'f', 'm', TMK_MATCH_SIZE},
        {". -size 1 -name f -print -o -name g -print", "top/f", 'f', 'm',
         TMK_MATCH_SIZE},
        {". -size 1 -name g -print -o -name h -print", "top/f", 'f', 'n', 0},
        {". -delete", "top/f", 'f', 'y', 0},
        {". -delete -name f -print", "top/f", 'f', 'y', 0},
        {". -delete -size 1 -print", "top/f", 'f', 'm', TMK_MATCH_SIZE},
        {". ! -exec a ; -print", "top/f", 'f', 'y', 0},
        {". -name f -quit -o -size 1 -print", "top/f", 'f', 'y', 0},
        {". -quit , -size 1 -print", "top/f", 'f', 'y', 0},
        {". -exec a ; -quit , -size 1 -print", "top/f", 'f', 'm',
         TMK_MATCH_SIZE},
        {". -uid 1 -quit , -size 1 -print", "top/f", 'f', 'm',
         TMK_MATCH_SIZE | TMK_MATCH_UID},
        /* -prune is an effect on directories only. */
        {". -name f -prune -false", "top/f", 'f', 'n', 0},
        {". -name f -prune -false", "top/f", 'd', 'y', 0},
        {". -name f -prune -false", "top/f", 'u', 'y', 0},
        {". -name f -prune -o -print", "top/f", 'f', 'n', 0},
        {". -size 1 -prune -false", "top/f", 'f', 'n', 0},
        {". -size 1 -prune -false", "top/f", 'd', 'm', TMK_MATCH_SIZE},
        {". -mindepth 2", "top/f", 'f', 'n', 0},
        {". -mindepth 1", "top/f", 'f', 'y', 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match = compile(&w, rows[i].words);
        struct tmk_match_entry whole = match_entry(rows[i].path, 'f');
        struct tmk_match_entry e = match_dirent(&whole);
        enum tmk_match_answer got;
        uint32_t missing = 99;

        e.type = (uint8_t)(rows[i].type == 'u' ? '\0' : rows[i].type);
        got = tmk_match_ahead(match, &e, &missing);
        if ("nym"[got] != rows[i].want || missing != rows[i].missing) {
            fail_msg("%s (%c): %d, missing %x", rows[i].words, rows[i].type,
                     got, missing);
        }
        assert_string_equal(w.said, ""); /* nobody is called */
        tmk_match_free(match);
    }
}

static void followed_links_are_asked_about_once_they_are_known(void **state)
{
    struct match_world w = {0};
    struct tmk_match *match = compile(&w, "-L . -xtype l");
    struct tmk_match_entry e = match_entry("top/f", 'f');
    uint32_t missing;

    (void)state;
    /* The dirent says that it is no link, so nothing was followed. */
    e.have = 0;
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_NO);
    e.type = TMK_MATCH_UNKNOWN;
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_NEEDS);
    assert_int_equal(missing, TMK_MATCH_TYPE | TMK_MATCH_CALL);
    e.have = TMK_MATCH_TYPE;
    e.type = TMK_MATCH_FILE;
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_NEEDS);
    assert_int_equal(missing, TMK_MATCH_CALL);
    assert_int_equal(tmk_match_run(match, &e, &match_calls, &w),
                     TMK_MATCH_ACTED);
    assert_string_equal(w.said, "own? -print");
    tmk_match_free(match);

    match = compile(&w, "-H . -xtype l");
    e = match_entry("top", 'd');
    assert_int_equal(tmk_match_run(match, &e, &match_calls, &w),
                     TMK_MATCH_ACTED);
    assert_string_equal(w.said, "own? -print");
    tmk_match_free(match);
}

static void an_inode_that_is_not_known_is_asked_for(void **state)
{
    struct match_world w = {0};
    struct tmk_match *match = compile(&w, ". -inum 77 -xtype f");
    struct tmk_match_entry e = match_entry("top/f", 'f');
    uint32_t missing;

    (void)state;
    e.have = 0;
    e.inode = 0;
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_NEEDS);
    assert_int_equal(missing, TMK_MATCH_INO);
    e.have = TMK_MATCH_TYPE | TMK_MATCH_INO;
    e.inode = 77;
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_YES);
    tmk_match_free(match);
}

static void a_file_is_not_pruned(void **state)
{
    static const struct {
        char type;
        unsigned outcome;
    } rows[] = {{'f', 1}, {'l', 1}, {'d', 3}, {'\0', 3}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match = compile(&w, ". -prune -print");
        struct tmk_match_entry e = match_entry("top/f", rows[i].type);

        assert_int_equal(tmk_match_run(match, &e, &match_calls, &w),
                         rows[i].outcome);
        tmk_match_free(match);
    }
}

static void a_type_that_stat_does_not_know_is_none(void **state)
{
    struct match_world w = {0};
    struct tmk_match *match = compile(&w, ". -type f,d,l,p,s,b,c");
    struct tmk_match_entry e = match_entry("top/f", '\0');
    uint32_t missing;

    (void)state;
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_NO);
    tmk_match_free(match);
}

static void effects_come_in_the_order_of_the_words(void **state)
{
    static const struct {
        const char *words, *want;
        unsigned outcome;
        bool fails;
    } rows[] = {
        {".", "-print", 1, false},
        {". -print -ls -print0", "-print -ls -print0", 1, false},
        {". -print , -ls", "-print -ls", 1, false},
        {". -print -o -ls", "-print", 1, false},
        {". ! -print -o -ls", "-print -ls", 1, false},
        {". ! -print -ls", "-print", 1, false},
        {". -uid 1000 -print -uid 1 -ls", "-print", 1, false},
        {". ( -uid 1 -o -print ) -ls", "-print -ls", 1, false},
        {". -delete -print", "-delete -print", 1, false},
        {". -delete -print", "-delete", 1, true},
        {". -delete -o -print", "-delete -print", 1, true},
        {". ! -exec a ; -print", "-exec -print", 1, true},
        {". -prune", "-print", 3, false},
        {". -prune -o -print", "", 2, false},
        {". -prune -uid 1 -print", "", 2, false},
        {". -depth -prune -print", "-print", 1, false},
        {". -quit", "", 4, false},
        {". -print -quit -ls", "-print", 5, false},
        {". -print ( -quit -o -ls ) -ls , -ls", "-print", 5, false},
        {". ! ( -print -quit ) -o -ls", "-print", 5, false},
        {". -uid 1 -quit -o -ls", "-ls", 1, false},
        {". -mindepth 2 -print", "", 0, false},
        {". -empty -print -o -readable -ls", "dir? may4? -ls", 1, false},
        {". -print -empty -print", "-print dir?", 1, false},
        {". -uid 1 -empty -print", "", 0, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {.act_fails = rows[i].fails};
        struct tmk_match *match = compile(&w, rows[i].words);
        struct tmk_match_entry e = match_entry("top/dir", 'd');
        unsigned outcome = tmk_match_run(match, &e, &match_calls, &w);

        if (outcome != rows[i].outcome || strcmp(w.said, rows[i].want) != 0) {
            fail_msg("%s: %u, %s", rows[i].words, outcome, w.said);
        }
        tmk_match_free(match);
    }
}

static void the_name_of_a_start_has_no_slashes_at_its_end(void **state)
{
    static const struct {
        const char *path, *want;
    } rows[] = {
        {"a", "a"},     {"a/b", "b"},   {"a/b/", "b"}, {"a/b//", "b"},
        {"/a", "a"},    {"//a//", "a"}, {"/", "/"},    {"//", "/"},
        {"///", "/"},   {".", "."},     {"./", "."},   {"..", ".."},
        {"a/..", ".."}, {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t length;
        const char *base = tmk_match_base(rows[i].path, &length);

        assert_int_equal(length, strlen(rows[i].want));
        assert_memory_equal(base, rows[i].want, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_hold_for_a_file_or_do_not),
        cmocka_unit_test(days_of_use_count_from_the_change),
        cmocka_unit_test(newer_is_strict_to_the_nanosecond),
        cmocka_unit_test(days_begin_at_midnight_where_that_is_asked),
        cmocka_unit_test(directories_and_others_have_their_own_rules),
        cmocka_unit_test(some_files_are_odd),
        cmocka_unit_test(what_the_dirent_decides_needs_no_more),
        cmocka_unit_test(followed_links_are_asked_about_once_they_are_known),
        cmocka_unit_test(an_inode_that_is_not_known_is_asked_for),
        cmocka_unit_test(a_file_is_not_pruned),
        cmocka_unit_test(a_type_that_stat_does_not_know_is_none),
        cmocka_unit_test(effects_come_in_the_order_of_the_words),
        cmocka_unit_test(the_name_of_a_start_has_no_slashes_at_its_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
