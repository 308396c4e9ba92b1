#include "mpi/place.h"
#include "mpi/ranks.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "run/links.h"
#include "run/provenance.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A file of the made-up sysfs, with the directories it is in. */
static void put(const char *path, const char *text)
{
    char dir[256];
    FILE *f;

    for (size_t i = 1; path[i] != '\0'; i++) {
        if (path[i] == '/') {
            snprintf(dir, sizeof(dir), "%.*s", (int)i, path);
            (void)mkdir(dir, 0755);
        }
    }
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void put_adapter(const char *name, bool real, const char *state,
                        const char *type, const char *speed)
{
    const struct {
        const char *name, *text;
    } files[] = {{real ? "device" : NULL, ""},
                 {"operstate", state},
                 {"type", type},
                 {"speed", speed}};
    char path[256];

    for (size_t i = 0; i < COUNT(files); i++) {
        if (files[i].name != NULL && files[i].text != NULL) {
            snprintf(path, sizeof(path), "sys/class/net/%s/%s", name,
                     files[i].name);
            put(path, files[i].text);
        }
    }
}

static void put_port(const char *name, const char *state, const char *layer,
                     const char *rate)
{
    const struct {
        const char *name, *text;
    } files[] = {{"state", state}, {"link_layer", layer}, {"rate", rate}};
    char path[256];

    for (size_t i = 0; i < COUNT(files); i++) {
        snprintf(path, sizeof(path), "sys/class/infiniband/%s/ports/1/%s", name,
                 files[i].name);
        put(path, files[i].text);
    }
}

static void adapters_that_are_up_are_added(void **state)
{
    (void)state;
    assert_int_equal(tmk_links_bytes_per_s("sys"), 0);
    put_adapter("lo", false, "unknown\n", "772\n", NULL);
    put_adapter("docker0", false, "up\n", "1\n", "10000\n");
    put_adapter("bond0", false, "up\n", "1\n", "50000\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 0);
    put_adapter("eth0", true, "up\n", "1\n", "25000\n");
    put_adapter("eth1", true, "up\n", "1\n", "25000\n");
    put_adapter("eth2", true, "down\n", "1\n", "-1\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 6250000000);
}

static void a_speed_that_is_not_known_makes_the_sum_unknown(void **state)
{
    (void)state;
    put_adapter("eth0", true, "up\n", "1\n", "1000\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 125000000);
    put_adapter("eth1", true, "up\n", "1\n", "-1\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 0);
    put_adapter("eth1", true, "up\n", "1\n", "garbage\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 0);
    put_adapter("eth1", true, "down\n", "1\n", "");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 125000000);
}

/* Not every driver says more. */
static void an_adapter_of_unknown_state_is_up(void **state)
{
    (void)state;
    put_adapter("eth0", true, "unknown\n", "1\n", "1000\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 125000000);
    put_adapter("eth1", true, "lowerlayerdown\n", "1\n", "1000\n");
    put_adapter("eth2", true, "dormant\n", "1\n", "1000\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 125000000);
}

/* As a container may see it. */
static void infiniband_without_its_ports_is_unknown(void **state)
{
    (void)state;
    put_adapter("eth0", true, "up\n", "1\n", "1000\n");
    put_adapter("ib0", true, "down\n", "32\n", "200000\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 125000000);
    put_adapter("ib0", true, "up\n", "32\n", "200000\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 0);
}

/* Whatever this machine has: 10 Mb/s at least, and less than 100 Tb/s. */
static void real_links_are_plausible_or_not_known(void **state)
{
    const uint64_t bytes_per_s = tmk_links_bytes_per_s("/sys");

    (void)state;
    assert_true(bytes_per_s == 0 || (bytes_per_s >= 1250000 &&
                                     bytes_per_s < UINT64_C(12500000000000)));
}

static void some_kinds_of_servers_are_disks_and_hosts(void **state)
{
    static const struct {
        const char *type, *options;
        bool local;
    } rows[] = {
        {"fuseblk", "rw", true},
        {"virtiofs", "rw", true},
        {"9p", "rw,trans=virtio,access=client", true},
        {"9p", "rw,trans=tcp,port=564", false},
        {"fuse.glusterfs", "rw,user_id=0", false},
        {"fuse.sshfs", "rw", false},
        {"nfs4", "rw,vers=4.2", false},
        {"lustre", "rw", false},
        {"", "", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_true(tmk_links_is_local(rows[i].type, rows[i].options) ==
                    rows[i].local);
    }
}

static void infiniband_is_counted_once(void **state)
{
    (void)state;
    put_adapter("ib0", true, "up\n", "32\n", "200000\n");
    put_port("mlx5_0", "4: ACTIVE\n", "InfiniBand\n", "200 Gb/sec (4X HDR)\n");
    put_port("mlx5_1", "1: DOWN\n", "InfiniBand\n", "10 Gb/sec (4X SDR)\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 25000000000);
    put_adapter("eth0", true, "up\n", "1\n", "100000\n");
    put_port("mlx5_2", "4: ACTIVE\n", "Ethernet\n", "100 Gb/sec (4X EDR)\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 37500000000);
    put_port("mlx5_1", "4: ACTIVE\n", "InfiniBand\n", "2.5 Gb/sec (1X SDR)\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 37812500000);
    put_port("mlx5_3", "4: ACTIVE\n", "InfiniBand\n", "\n");
    assert_int_equal(tmk_links_bytes_per_s("sys"), 0);
}

static void what_is_not_there_needs_no_links(void **state)
{
    (void)state;
    assert_false(tmk_links_are_needed("nothing"));
    assert_false(tmk_links_are_needed("/proc"));
}

static void the_smaller_of_memory_and_its_limit_counts(void **state)
{
    static const struct {
        uint64_t memory, limit, least;
    } rows[] = {
        {0, 0, 0}, {8, 0, 8}, {0, 8, 8}, {8, 4, 4}, {4, 8, 4},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_provenance p = {.memory_bytes = rows[i].memory,
                                         .cgroup_memory = rows[i].limit};

        assert_int_equal(tmk_provenance_least_memory(&p), rows[i].least);
    }
    assert_true(tmk_provenance_memory() > 1 << 20);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, place_enter, place_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(adapters_that_are_up_are_added),
        CASE(a_speed_that_is_not_known_makes_the_sum_unknown),
        CASE(an_adapter_of_unknown_state_is_up),
        CASE(infiniband_without_its_ports_is_unknown),
        CASE(real_links_are_plausible_or_not_known),
        CASE(some_kinds_of_servers_are_disks_and_hosts),
        CASE(infiniband_is_counted_once),
        CASE(what_is_not_there_needs_no_links),
        CASE(the_smaller_of_memory_and_its_limit_counts),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
