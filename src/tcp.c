/* TCP. */
#include "os.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>

#include "transport.h"

/* A peer that has vanished is noticed after about two minutes, also when nobody asks it. */
#define KEEPALIVE_IDLE 60
#define KEEPALIVE_INTERVAL 20
#define KEEPALIVE_COUNT 3

static void set_option(int fd, int level, int name, int value)
{
    /* None of them is needed for the connection to work. */
    setsockopt(fd, level, name, &value, sizeof(value));
}

static void set_options(int fd)
{
    set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
#if defined(TCP_KEEPIDLE)
    set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE);
#elif defined(TCP_KEEPALIVE)
    set_option(fd, IPPROTO_TCP, TCP_KEEPALIVE, KEEPALIVE_IDLE);
#endif
#ifdef TCP_KEEPINTVL
    set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL);
    set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_COUNT);
#endif
}

/* A client that connects to a port of its own range on its own host can meet itself, when nobody
 * listens there and the system gives it that very port: that is a refused connection. */
static int is_self(int fd)
{
    struct sockaddr_storage self, peer;
    socklen_t self_len = sizeof(self), peer_len = sizeof(peer);

    memset(&self, 0, sizeof(self));
    memset(&peer, 0, sizeof(peer));
    return getsockname(fd, (struct sockaddr *)&self, &self_len) == 0 &&
           getpeername(fd, (struct sockaddr *)&peer, &peer_len) == 0 && self_len == peer_len &&
           memcmp(&self, &peer, self_len) == 0;
}

static int tcp_connect(kvw__link_t *link, const kvw__address_t *address)
{
    int fd = kvw__socket_new(address->storage.ss_family);
    int rc;

    if (fd < 0)
        return fd;
    link->fd = fd;
    set_options(fd);
    rc = kvw__socket_connect(link, address);
    if (rc == 0 && is_self(fd)) {
        kvw__socket_close(link);
        rc = -ECONNREFUSED;
    }
    return rc;
}

static int tcp_connected(kvw__link_t *link)
{
    int rc = kvw__socket_connected(link);

    return rc == 0 && is_self(link->fd) ? -ECONNREFUSED : rc;
}

const kvw__transport_t kvw__tcp = {
    .connect = tcp_connect,
    .connected = tcp_connected,
    .send = kvw__socket_send,
    .recv = kvw__socket_recv,
    .shutdown = kvw__socket_shutdown,
    .close = kvw__socket_close,
};
