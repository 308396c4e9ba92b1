#include "mpi/place.h"
#include "mpi/ranks.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/provenance.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void put(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static const char mounts[] =
    "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
    "23 22 0:21 / /proc rw,nosuid shared:5 - proc proc rw\n"
    "40 22 0:40 / /lustre rw,noatime master:1 - lustre 10.0.0.1@o2ib:/fs rw,"
    "flock\n"
    "41 40 0:41 /x /lustre/my\\040dir ro - tmpfs none rw,size=1m\n"
    "42 22 0:42 / /mnt rw - tmpfs old rw\n"
    "43 22 0:43 / /mnt rw - xfs /dev/new rw,noquota\n"
    "44 22 0:44 / /short\n"
    "45 22 0:45 / /lust rw - nfs4 server:/export rw\n";

static void the_nearest_mount_is_found(void **state)
{
    static const struct {
        const char *path, *point, *type, *source, *options;
    } rows[] = {
        {"/home/x", "/", "ext4", "/dev/vda", "rw,relatime,rw,discard"},
        {"/", "/", "ext4", "/dev/vda", "rw,relatime,rw,discard"},
        {"/lustre", "/lustre", "lustre", "10.0.0.1@o2ib:/fs",
         "rw,noatime,rw,flock"},
        {"/lustre/a/b", "/lustre", "lustre", "10.0.0.1@o2ib:/fs",
         "rw,noatime,rw,flock"},
        {"/lustrex", "/", "ext4", "/dev/vda", "rw,relatime,rw,discard"},
        {"/lustre/my dir/c", "/lustre/my dir", "tmpfs", "none",
         "ro,rw,size=1m"},
        {"/mnt/a", "/mnt", "xfs", "/dev/new", "rw,rw,noquota"},
        {"/short/a", "/", "ext4", "/dev/vda", "rw,relatime,rw,discard"},
        {"/lust/a", "/lust", "nfs4", "server:/export", "rw,rw"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_provenance p = {.cores = 0};

        tmk_provenance_mount(&p, mounts, rows[i].path);
        assert_string_equal(p.mount_point, rows[i].point);
        assert_string_equal(p.type, rows[i].type);
        assert_string_equal(p.source, rows[i].source);
        assert_string_equal(p.options, rows[i].options);
    }
}

static void the_smallest_limit_of_a_group_and_its_parents_counts(void **state)
{
    struct tmk_provenance p = {.cores = 0};

    (void)state;
    mkdir("cg", 0755);
    mkdir("cg/a", 0755);
    mkdir("cg/a/b", 0755);
    put("cg/a/cpu.max", "150000 100000\n", 0644);
    put("cg/a/b/cpu.max", "max 100000\n", 0644);
    put("cg/memory.max", "4096\n", 0644);
    put("cg/a/memory.max", "max\n", 0644);
    put("cg/a/b/memory.max", "8192\n", 0644);
    tmk_provenance_cgroup(&p, "cg", "0::/a/b\n");
    assert_true(p.cgroup_cores > 1.49 && p.cgroup_cores < 1.51);
    assert_int_equal(p.cgroup_memory, 4096);
    p = (struct tmk_provenance){.cores = 0};
    tmk_provenance_cgroup(&p, "nowhere", "0::/a/b\n");
    assert_true(p.cgroup_cores <= 0.0);
    assert_int_equal(p.cgroup_memory, 0);
}

static void a_job_of_each_scheduler_is_known(void **state)
{
    static const char *const ids[] = {
        "SLURM_JOB_ID", "PBS_JOBID",     "LSB_JOBID", "FLUX_JOB_ID",
        "COBALT_JOBID", "CONDOR_JOB_ID", "JOB_ID"};
    struct tmk_provenance p = {.cores = 0};

    (void)state;
    for (size_t i = 0; i < COUNT(ids); i++) {
        unsetenv(ids[i]);
    }
    tmk_provenance_scheduler(&p);
    assert_string_equal(p.scheduler, "");
    for (size_t i = 0; i < COUNT(ids); i++) {
        p = (struct tmk_provenance){.cores = 0};
        setenv(ids[i], "17.server", 1);
        tmk_provenance_scheduler(&p);
        unsetenv(ids[i]);
        assert_string_not_equal(p.scheduler, "");
        assert_string_equal(p.job_id, "17.server");
    }
    setenv("SLURM_JOB_ID", "5", 1);
    setenv("SLURM_JOB_NAME", "bench", 1);
    setenv("SLURM_JOB_PARTITION", "short", 1);
    tmk_provenance_scheduler(&p);
    unsetenv("SLURM_JOB_ID");
    unsetenv("SLURM_JOB_NAME");
    unsetenv("SLURM_JOB_PARTITION");
    assert_string_equal(p.scheduler, "Slurm");
    assert_string_equal(p.job_name, "bench");
    assert_string_equal(p.queue, "short");
}

/* A program called `name` that does this, found before all others. */
static void plant(const char *name, const char *does)
{
    static char path[8192];
    char here[4096];
    char text[1024];

    assert_non_null(getcwd(here, sizeof(here)));
    snprintf(path, sizeof(path), "%s:/usr/bin:/bin", here);
    setenv("PATH", path, 1);
    snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", does);
    put(name, text, 0755);
}

static void the_tool_of_the_file_system_is_asked(void **state)
{
    const char *before = getenv("PATH");
    char *path = strdup(before != NULL ? before : "/usr/bin:/bin");
    struct tmk_provenance p = {.type = "lustre"};

    (void)state;
    assert_non_null(path);
    tmk_provenance_layout(&p, "/some/dir"); /* there is no such tool */
    assert_string_equal(p.layout_command, "");
    plant("lfs", "echo \"$@\"");
    tmk_provenance_layout(&p, "/some/dir");
    assert_string_equal(p.layout_command, "lfs getstripe -d; lfs getdirstripe");
    assert_string_equal(p.layout,
                        "getstripe -d /some/dir\ngetdirstripe /some/dir\n");

    p = (struct tmk_provenance){.type = "lustre"};
    plant("lfs", "[ $1 = getdirstripe ] || exit 3; echo one");
    tmk_provenance_layout(&p, "/d");
    assert_string_equal(p.layout_command, "lfs getdirstripe");
    assert_string_equal(p.layout, "one\n");

    p = (struct tmk_provenance){.type = "lustre"};
    plant("lfs", "head -c 100000 /dev/zero | tr '\\0' x; echo $1 >>asked");
    tmk_provenance_layout(&p, "/d");
    assert_int_equal(strlen(p.layout), sizeof(p.layout) - 1);

    p = (struct tmk_provenance){.type = "ext4"};
    plant("lfs", "touch was-asked");
    tmk_provenance_layout(&p, "/d");
    assert_string_equal(p.layout_command, "");
    assert_int_equal(access("was-asked", F_OK), -1);
    setenv("PATH", path, 1);
    free(path);
}

static void what_is_here_is_found(void **state)
{
    struct tmk_job job;
    struct tmk_provenance p;

    (void)state;
    assert_int_equal(
        tmk_job_init_all(&job, MPI_COMM_WORLD, "test", stdout, stderr), 0);
    tmk_provenance_collect_all(&p, &job, "not/there/yet");
    if (job.rank == 0) {
        assert_string_not_equal(p.kernel, "");
        assert_true(p.cores >= 1);
        assert_true(p.memory_bytes > 1000000);
        assert_true(p.clock_read_ns > 0.0 && p.clock_read_ns < 100000.0);
        assert_string_not_equal(p.cpus, "");
        assert_true(p.cpus_fewest >= 1 && p.cpus_fewest <= p.cpus_most);
        assert_string_not_equal(p.mount_point, "");
        assert_string_not_equal(p.type, "");
    }
    tmk_job_fini_all(&job);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, place_enter, place_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_nearest_mount_is_found),
        CASE(the_smallest_limit_of_a_group_and_its_parents_counts),
        CASE(a_job_of_each_scheduler_is_known),
        CASE(the_tool_of_the_file_system_is_asked),
        CASE(what_is_here_is_found),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
