/*
 * ior_ranks: saveRankPerformanceDetailsCSV (spec/ior.md 5.6).
 */
#include <stdio.h>

#include "base/units.h"
#include "bench/ior_text.h"

void tmk_ior_text_ranks_header(FILE *to)
{
    fputs("access,rank,runtime-with-openclose,runtime,"
          "throughput-withopenclose,throughput\n",
          to);
}

/* Bytes per second; nothing where no time passed. */
static void put_rate(FILE *to, double bytes, double time_s)
{
    if (time_s > 0.0) {
        fprintf(to, ",%.10e", bytes / time_s);
    } else {
        fputc(',', to);
    }
}

/* Every rank is taken for one that moved its share of the bytes. */
static void put_ranks(FILE *to, const char *access, double bytes, int ranks,
                      const uint64_t *open_close_ns,
                      const uint64_t *transfer_ns)
{
    for (int i = 0; i < ranks; i++) {
        const double whole_s = tmk_units_seconds(open_close_ns[i]);
        const double transfer_s = tmk_units_seconds(transfer_ns[i]);

        fprintf(to, "%s,%d,%.10e,%.10e", access, i, whole_s, transfer_s);
        put_rate(to, bytes / ranks, whole_s);
        put_rate(to, bytes / ranks, transfer_s);
        fputc('\n', to);
    }
}

void tmk_ior_text_ranks(FILE *to, const struct tmk_ior_phase *phase, int ranks,
                        const uint64_t *open_close_ns,
                        const uint64_t *transfer_ns)
{
    const uint64_t read =
        phase->access == TMK_IOR_READ ? phase->moved_bytes : phase->read_bytes;

    if (phase->access == TMK_IOR_WRITE || phase->access == TMK_IOR_MIX) {
        put_ranks(to, "write",
                  phase->access == TMK_IOR_MIX
                      ? (double)(phase->moved_bytes - read)
                      : (double)phase->moved_bytes,
                  ranks, open_close_ns, transfer_ns);
    }
    if (phase->access == TMK_IOR_READ || phase->access == TMK_IOR_MIX) {
        put_ranks(to, "read", (double)read, ranks, open_close_ns, transfer_ns);
    }
}
