// What Linux does with files that Swift's overlay of glibc leaves out.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>

// Has what was written to a file by now carried to its disk and waits for it; 0, or -1 with errno.
static inline int nkul_write_back(int fd) {
    return sync_file_range(
        fd, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}
