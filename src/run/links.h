#ifndef TMK_RUN_LINKS_H
#define TMK_RUN_LINKS_H
#include <stdint.h>
#include <sys/sysinfo.h>
static inline uint64_t tmk_links_bytes_per_s(const char *r){(void)r;return 0;}
static inline uint64_t tmk_provenance_memory_bytes(void){struct sysinfo i; return sysinfo(&i)==0?(uint64_t)i.totalram*i.mem_unit:0;}
#endif
