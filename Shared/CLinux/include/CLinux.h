// What Linux does with files and threads that Swift's overlay of glibc leaves out.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Has what was written to a file by now carried to its disk and waits for it; 0, or -1 with errno.
static inline int nkul_write_back(int fd) {
    return sync_file_range(
        fd, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

// Attributes of a thread as sched_setattr(2) takes them; glibc declares them only since 2.41.
typedef struct nkul_sched {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;  // of a thread of the usual policy: its slice in nanoseconds (Linux 6.12), before that nothing
    uint64_t deadline;
    uint64_t period;
} nkul_sched;

// For how many nanoseconds this thread runs at a time when others want to; 0 where Linux does not tell.
static inline uint64_t nkul_slice(void) {
    nkul_sched sched = {.size = sizeof sched};
    return syscall(SYS_sched_getattr, 0, &sched, sizeof sched, 0) == 0 ? sched.runtime : 0;
}

// Has this thread, and those that it starts, run for at most so many nanoseconds at a time when others want to, and instead
// as soon as it wakes before threads with longer slices. It gets no more time than before and needs no right to it; where
// Linux knows no slices (before 6.12) nothing happens. 0 nanoseconds are the usual slice. 0, or -1 with errno.
static inline int nkul_set_slice(uint64_t nanoseconds) {
    nkul_sched sched = {.size = sizeof sched};
    if (syscall(SYS_sched_getattr, 0, &sched, sizeof sched, 0) != 0) return -1;
    sched.size = sizeof sched;
    sched.flags = 0;
    sched.runtime = nanoseconds;
    return (int)syscall(SYS_sched_setattr, 0, &sched, 0);
}

// The slice of threads for which somebody waits, in nanoseconds; the usual one is 700 000 and more.
enum { nkul_prompt_slice = 200000 };

// Has a thread, and those that it starts from then on, run when nothing else wants its core, which whoever else wakes gets at
// once; or, idle being 0, at its nice level again, for which it needs the right to that. 0, or -1 with errno.
static inline int nkul_set_idle(pid_t thread, int idle) {
    struct sched_param none = {0};
    return sched_setscheduler(thread, idle ? SCHED_IDLE : SCHED_OTHER, &none);
}

// Whether this thread runs only when nothing else wants its core.
static inline int nkul_is_idle(void) { return sched_getscheduler(0) == SCHED_IDLE; }

// Gives this thread a name of at most 15 bytes that the system's tools show; 0 or an error code.
static inline int nkul_name_this_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

// Of a thread of the idle class, from then on: it is to give way (nkul_give_way).
void nkul_will_give_way(void);

// Lets threads that wait for this core have it now, if this thread is to give way, is of the idle class just then, and has
// not done so for a tenth of a millisecond. To be called often.
//
// Linux lets a thread of the idle class run although another waits, if the other one has had more than its share lately
// (EEVDF, since 6.6: it is not eligible), and looks again with the next tick of its clock only, 4 ms later with 250 Hz.
// Seen and measured with 6.18, where who yields gives up the rest of its share; before that it may be chosen again.
void nkul_give_way(void);

// How often this thread has given way.
uint64_t nkul_ways_given(void);
