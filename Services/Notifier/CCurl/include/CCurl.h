// libcurl's SMTP in one call: its options are variadic, which Swift cannot call.
#pragma once
#include <stddef.h>

struct nkul_mail {
    // smtp://host:port or smtps://host:port.
    const char *url;
    // NULL: without logging in.
    const char *user;
    const char *password;
    // NULL: the system's certificates.
    const char *authorities;
    // 0: in clear, else TLS or nothing.
    int requires_tls;
    const char *from;
    const char *to;
    const void *bytes;
    size_t length;
    long timeout_milliseconds;
};

// Sends a message; blocks. 0 if the server took it, else what libcurl says, in `reason` too, which has room for 256 bytes; the
// server's last answer, as 451, in `answer`.
int nkul_mail_send(const struct nkul_mail *mail, char *reason, long *answer);
