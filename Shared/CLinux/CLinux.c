#include "CLinux.h"

#include <time.h>

static __thread int gives_way;
static __thread uint64_t gave_way;  // when, in nanoseconds
static __thread uint64_t ways_given;

enum { interval = 100000 };  // nanoseconds

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void nkul_will_give_way(void) { gives_way = 1; }

void nkul_give_way(void) {
    if (!gives_way || now() - gave_way < interval) return;
    if (nkul_is_idle()) {
        sched_yield();
        ways_given++;
    }
    gave_way = now();
}

uint64_t nkul_ways_given(void) { return ways_given; }
