/* Sockets: what TCP and Unix have in common. */
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include "transport.h"

/* Where the flag does not exist, kvw__socket_new sets SO_NOSIGPIPE. */
#ifdef MSG_NOSIGNAL
#define SEND_FLAGS (MSG_NOSIGNAL | MSG_DONTWAIT)
#else
#define SEND_FLAGS MSG_DONTWAIT
#endif

/* Where these flags do not exist, `prepare` does it a moment later. */
#ifdef SOCK_CLOEXEC
#define STREAM (SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK)
#else
#define STREAM SOCK_STREAM
#endif

static int prepare(int fd)
{
#ifndef SOCK_CLOEXEC
    int flags = fcntl(fd, F_GETFL);

    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
        fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
        return -errno;
#endif
#ifdef SO_NOSIGPIPE
    int on = 1;

    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
#endif
    (void)fd;
    return 0;
}

int kvw__socket_new(int family)
{
    int fd = socket(family, STREAM, 0);
    int err;

    if (fd < 0)
        return -errno;
    err = prepare(fd);
    if (err == 0)
        return fd;
    close(fd);
    return err;
}

int kvw__socket_pair(int fds[2])
{
    int err;

    if (socketpair(AF_UNIX, STREAM, 0, fds) < 0)
        return -errno;
    err = prepare(fds[0]);
    if (err == 0)
        err = prepare(fds[1]);
    if (err != 0) {
        close(fds[0]);
        close(fds[1]);
    }
    return err;
}

int kvw__socket_connect(kvw__link_t *link, const kvw__address_t *address)
{
    int err;

    if (connect(link->fd, (const struct sockaddr *)&address->storage, address->len) == 0)
        return 0;
    err = errno;
    /* A connect() that a signal interrupts goes on all the same. */
    if (err == EINPROGRESS || err == EINTR)
        return KVW__UNDER_WAY;
    kvw__socket_close(link);
    return -err;
}

int kvw__socket_connected(kvw__link_t *link)
{
    struct sockaddr_storage peer;
    socklen_t len = sizeof(peer);
    int err = 0;
    socklen_t err_len = sizeof(err);

    if (getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &err, &err_len) < 0)
        return -errno;
    if (err != 0)
        return -err;
    /* No error is also what a connection has that is still under way. */
    if (getpeername(link->fd, (struct sockaddr *)&peer, &len) == 0)
        return 0;
    return errno == ENOTCONN ? KVW__UNDER_WAY : -errno;
}

static ssize_t outcome(ssize_t len)
{
    if (len >= 0)
        return len;
    return errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

ssize_t kvw__socket_send(kvw__link_t *link, const struct iovec *parts, int count)
{
    struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)parts,
                             .msg_iovlen = (unsigned)count};
    ssize_t len;

    do {
        if (count == 1)
            len = send(link->fd, parts->iov_base, parts->iov_len, SEND_FLAGS);
        else
            len = sendmsg(link->fd, &message, SEND_FLAGS);
    } while (len < 0 && errno == EINTR);
    return outcome(len);
}

ssize_t kvw__socket_recv(kvw__link_t *link, const struct iovec *parts, int count, int wait)
{
    struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)parts,
                             .msg_iovlen = (unsigned)count};
    int flags = wait ? 0 : MSG_DONTWAIT;
    ssize_t len;

    do {
        if (count == 1)
            len = recv(link->fd, parts->iov_base, parts->iov_len, flags);
        else
            len = recvmsg(link->fd, &message, flags);
    } while (len < 0 && errno == EINTR && !wait);
    return outcome(len);
}

void kvw__socket_shutdown(kvw__link_t *link)
{
    if (link->fd >= 0)
        shutdown(link->fd, SHUT_RDWR);
}

void kvw__socket_close(kvw__link_t *link)
{
    int fd = link->fd;

    link->fd = -1;
    if (fd >= 0)
        close(fd);
}

int kvw__socket_wait(int fd, int64_t span)
{
    struct timeval limit = {.tv_sec = (time_t)(span / 1000000000),
                            .tv_usec = (suseconds_t)(span % 1000000000 / 1000)};
    int flags = fcntl(fd, F_GETFL);

    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) < 0)
        return -errno;
    return 0;
}
