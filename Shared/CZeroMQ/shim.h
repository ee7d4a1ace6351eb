// libzmq, and the few POSIX calls around it that Swift cannot reach: eventfd.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <zmq.h>

// A stable option of libzmq 4.3 that its header still lists among the drafts.
enum { NKUL_ZMQ_ZAP_ENFORCE_DOMAIN = 93 };

static inline int nkul_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline int nkul_eventfd_signal(int fd) { return eventfd_write(fd, 1); }
static inline int nkul_eventfd_drain(int fd) {
    eventfd_t value;
    return eventfd_read(fd, &value);
}
