// What Linux does with files and threads that Swift's overlay of glibc leaves out.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>

// Has what was written to a file by now carried to its disk and waits for it; 0, or -1 with errno.
static inline int nkul_write_back(int fd) {
    return sync_file_range(
        fd, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

// Gives this thread a name of at most 15 bytes that the system's tools show; 0 or an error code.
static inline int nkul_name_this_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }
