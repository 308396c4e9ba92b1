/*
 * find_env: reference files, names of users, the time; asked of rank 0.
 */
#include "bench/find_env.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "run/say.h"

static struct tmk_match_time moment(const struct statx_timestamp *t)
{
    return (struct tmk_match_time){.s = t->tv_sec, .ns = t->tv_nsec};
}

/* An answer of rank 0 to all.  Collective. */
static void share_all(const struct tmk_find_env *env, void *answer,
                      size_t bytes)
{
    tmk_wait_bcast_all(&env->job->wait, answer, (int)bytes, MPI_BYTE);
}

static int reference_all(void *arg, const char *path, bool follow,
                         struct tmk_match_reference *ref)
{
    struct tmk_find_env *env = arg;
    struct {
        int err;
        struct tmk_match_reference ref;
    } answer;
    struct statx st;

    memset(&answer, 0, sizeof(answer));
    if (env->job->rank == 0) {
        if (statx(AT_FDCWD, path, follow ? 0 : AT_SYMLINK_NOFOLLOW,
                  STATX_BASIC_STATS | STATX_BTIME, &st) != 0) {
            answer.err = -errno;
        } else {
            answer.ref = (struct tmk_match_reference){
                .dev = makedev(st.stx_dev_major, st.stx_dev_minor),
                .inode = st.stx_ino,
                .atime = moment(&st.stx_atime),
                .mtime = moment(&st.stx_mtime),
                .ctime = moment(&st.stx_ctime),
                .btime = moment(&st.stx_btime),
            };
            if ((st.stx_mask & STATX_BTIME) == 0) {
                answer.ref.btime.ns = TMK_MATCH_NO_TIME;
            }
        }
    }
    share_all(env, &answer, sizeof(answer));
    *ref = answer.ref;
    return answer.err;
}

/* A number by a name; `groups`, or users. */
static int id_all(struct tmk_find_env *env, const char *name, bool groups,
                  uint32_t *id)
{
    struct {
        int err;
        uint32_t id;
    } answer = {.err = -ENOENT};

    if (env->job->rank == 0 && groups) {
        const struct group *group = getgrnam(name);

        if (group != NULL) {
            answer.err = 0;
            answer.id = group->gr_gid;
        }
    } else if (env->job->rank == 0) {
        const struct passwd *user = getpwnam(name);

        if (user != NULL) {
            answer.err = 0;
            answer.id = user->pw_uid;
        }
    }
    share_all(env, &answer, sizeof(answer));
    *id = answer.id;
    return answer.err;
}

static int user_id_all(void *arg, const char *name, uint32_t *id)
{
    return id_all(arg, name, false, id);
}

static int group_id_all(void *arg, const char *name, uint32_t *id)
{
    return id_all(arg, name, true, id);
}

static int32_t utc_offset_all(void *arg, int64_t s)
{
    struct tmk_find_env *env = arg;
    time_t t = (time_t)s;
    struct tm tm;
    int32_t offset_s = localtime_r(&t, &tm) != NULL ? (int32_t)tm.tm_gmtoff : 0;

    share_all(env, &offset_s, sizeof(offset_s));
    return offset_s;
}

static int own_option(void *arg, int argc, char *const *argv, char *why,
                      size_t size)
{
    struct tmk_find_env *env = arg;

    return tmk_find_conf_take(env->conf, argc, argv, why, size);
}

static void warn(void *arg, const char *text)
{
    struct tmk_find_env *env = arg;

    tmk_say_error(env->job, "%s", text);
}

void tmk_find_env_all(struct tmk_match_env *calls, struct tmk_find_env *env)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    *calls = (struct tmk_match_env){
        .now = {.s = now.tv_sec, .ns = (uint32_t)now.tv_nsec},
        .arg = env,
        .reference = reference_all,
        .user_id = user_id_all,
        .group_id = group_id_all,
        .utc_offset_s = utc_offset_all,
        .own_option = own_option,
        .warn = warn,
    };
    share_all(env, &calls->now, sizeof(calls->now));
}
