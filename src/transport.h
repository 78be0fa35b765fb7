/* What carries the bytes: a table of functions per kind of transport.
 *
 * Failures are negative errno values here; sentences are made of them further up. */
#ifndef KVWIRE_TRANSPORT_H
#define KVWIRE_TRANSPORT_H

#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

typedef struct kvw__address {
    struct sockaddr_storage storage;
    socklen_t len;
} kvw__address_t;

typedef struct kvw__link kvw__link_t;

/* Not an error: the result will come. */
#define KVW__UNDER_WAY 1

typedef struct kvw__transport {
    /* Make the descriptor and begin to connect, without waiting: 0, KVW__UNDER_WAY or an error,
     * which leaves no descriptor. -EAGAIN: try again in a moment. */
    int (*connect)(kvw__link_t *link, const kvw__address_t *address);

    /* Whether connecting has come to its end, once the descriptor is ready. */
    int (*connected)(kvw__link_t *link);

    /* Send, never waiting. The bytes taken, or -EAGAIN or another error. */
    ssize_t (*send)(kvw__link_t *link, const struct iovec *parts, int count);

    /* Receive. The bytes received, 0 when the peer has closed, -EAGAIN, -EINTR (only when
     * waiting) or another error. `wait`: for as long as kvw__socket_wait has said. */
    ssize_t (*recv)(kvw__link_t *link, const struct iovec *parts, int count, int wait);

    /* End the conversation; whoever waits for the descriptor wakes up. It stays open. */
    void (*shutdown)(kvw__link_t *link);

    /* Close the descriptor. */
    void (*close)(kvw__link_t *link);
} kvw__transport_t;

struct kvw__link {
    const kvw__transport_t *transport;
    int fd; /* -1: none */
};

extern const kvw__transport_t kvw__tcp;
extern const kvw__transport_t kvw__unix;

/* The address of a Unix socket: 0, or -ENAMETOOLONG. */
int kvw__unix_address(const char *path, kvw__address_t *address);

/* ---- what sockets of every family have in common (socket.c) ------------------------------- */

/* A stream socket that does not block and is not inherited by other programs; or an error. */
int kvw__socket_new(int family);

int kvw__socket_connect(kvw__link_t *link, const kvw__address_t *address);
int kvw__socket_connected(kvw__link_t *link);
ssize_t kvw__socket_send(kvw__link_t *link, const struct iovec *parts, int count);
ssize_t kvw__socket_recv(kvw__link_t *link, const struct iovec *parts, int count, int wait);
void kvw__socket_shutdown(kvw__link_t *link);
void kvw__socket_close(kvw__link_t *link);

/* From now on a receive that waits does so for at most `span` nanoseconds. 0 or an error. */
int kvw__socket_wait(int fd, int64_t span);

/* Two descriptors of which one wakes the other: [0] becomes readable. 0 or an error. */
int kvw__socket_pair(int fds[2]);

#endif
