/* A peer for a connection, played by the test itself over a Unix socket: no call of a connection
 * blocks, so one thread can be both sides, and nothing depends on timing. */
#ifndef KVWIRE_TEST_PEER_H
#define KVWIRE_TEST_PEER_H

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "kvwire/kvwire.h"
#include "test.h"

#define SECOND ((int64_t)1000000000)
#define MILLISECOND ((int64_t)1000000)

typedef struct peer {
    int listener, fd;
    char directory[40], path[64];
    char got[1 << 16]; /* what has been read and not yet looked at */
    size_t got_len;
} peer_t;

static inline void peer_fail(const char *what)
{
    perror(what);
    abort();
}

static inline void peer_open(peer_t *peer)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    peer->fd = -1;
    peer->got_len = 0;
    strcpy(peer->directory, "/tmp/kvwire-test-XXXXXX");
    if (mkdtemp(peer->directory) == NULL)
        peer_fail("mkdtemp");
    snprintf(peer->path, sizeof(peer->path), "%s/socket", peer->directory);
    strcpy(address.sun_path, peer->path);
    peer->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(peer->listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
        listen(peer->listener, 16) < 0)
        peer_fail("listen");
}

static inline void peer_hang_up(peer_t *peer)
{
    if (peer->fd >= 0)
        close(peer->fd);
    peer->fd = -1;
    peer->got_len = 0;
}

static inline void peer_close(peer_t *peer)
{
    peer_hang_up(peer);
    close(peer->listener);
    unlink(peer->path);
    rmdir(peer->directory);
}

static inline void peer_accept(peer_t *peer)
{
    peer_hang_up(peer);
    peer->fd = accept(peer->listener, NULL, NULL);
    if (peer->fd < 0)
        peer_fail("accept");
    fcntl(peer->fd, F_SETFL, O_NONBLOCK);
}

/* Send as much as the socket takes. Returns how much that was. */
static inline size_t peer_send_some(peer_t *peer, const char *bytes, size_t len)
{
    ssize_t sent = send(peer->fd, bytes, len, MSG_NOSIGNAL);

    return sent > 0 ? (size_t)sent : 0;
}

static inline void peer_send_bytes(peer_t *peer, const char *bytes, size_t len)
{
    CHECK_INT(peer_send_some(peer, bytes, len), len);
}

static inline void peer_send(peer_t *peer, const char *text)
{
    peer_send_bytes(peer, text, strlen(text));
}

/* Read what is there. */
static inline void peer_read(peer_t *peer)
{
    for (;;) {
        ssize_t len =
            recv(peer->fd, peer->got + peer->got_len, sizeof(peer->got) - 1 - peer->got_len, 0);

        if (len <= 0)
            break;
        peer->got_len += (size_t)len;
    }
    peer->got[peer->got_len] = '\0';
}

/* Read and throw away what is there. Returns how much that was. */
static inline size_t peer_drain(peer_t *peer)
{
    size_t sum = 0;

    for (;;) {
        peer->got_len = 0;
        peer_read(peer);
        if (peer->got_len == 0)
            return sum;
        sum += peer->got_len;
    }
}

/* Check that exactly this has been received since the last time. */
#define PEER_EXPECT(peer, expected)       \
    do {                                  \
        peer_read(peer);                  \
        CHECK_STR((peer)->got, expected); \
        (peer)->got_len = 0;              \
    } while (0)

/* ---- the connection's side ---------------------------------------------------------------- */

static inline kvw_config_t peer_config(const peer_t *peer)
{
    return (kvw_config_t){.transport = KVW_TRANSPORT_UNIX,
                          .path = peer->path,
                          .connect_timeout = 5 * SECOND,
                          .call_timeout = 5 * SECOND};
}

/* Wait until the connection's descriptor is ready for what it wants, or its deadline has come, and
 * tell it so. Returns 0, or 1 when nothing happened for five seconds. */
static inline int conn_step(kvw_conn_t *conn)
{
    int wants = kvw_conn_wants(conn);
    int64_t now = kvw_now();
    int64_t deadline = kvw_conn_deadline(conn);
    int span = deadline - now < 5 * SECOND ? (int)((deadline - now) / MILLISECOND) + 1 : 5000;
    struct pollfd watched = {.fd = kvw_conn_fd(conn)};
    kvw_lost_t lost;

    watched.events =
        (short)((wants & KVW_WANT_READ ? POLLIN : 0) | (wants & KVW_WANT_WRITE ? POLLOUT : 0));
    if (poll(&watched, watched.fd >= 0, span > 0 ? span : 0) > 0)
        kvw_conn_ready(conn);
    else if (span < 5000)
        kvw_conn_expire(conn, kvw_now(), &lost);
    else
        return 1;
    return 0;
}

/* Step until the connection is open or has failed. */
static inline void conn_settle(kvw_conn_t *conn)
{
    while (kvw_conn_state(conn) != KVW_STATE_OPEN && kvw_conn_state(conn) != KVW_STATE_CLOSED) {
        if (!CHECK(conn_step(conn) == 0))
            return;
    }
}

#define HELLO_REPLY                                                                               \
    "%7\r\n$6\r\nserver\r\n$6\r\nvalkey\r\n$7\r\nversion\r\n$5\r\n8.0.0\r\n$5\r\nproto\r\n:3\r\n" \
    "$2\r\nid\r\n:7\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n"         \
    "$7\r\nmodules\r\n*0\r\n"
#define HELLO_COMMAND "*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n"
#define SETINFO_COMMANDS                                                        \
    "*4\r\n$6\r\nCLIENT\r\n$7\r\nSETINFO\r\n$8\r\nLIB-NAME\r\n$6\r\nkvwire\r\n" \
    "*4\r\n$6\r\nCLIENT\r\n$7\r\nSETINFO\r\n$7\r\nLIB-VER\r\n$5\r\n" KVW_VERSION_STRING "\r\n"

/* Play the server's part of the usual handshake. */
static inline void peer_shake_hands(peer_t *peer, kvw_conn_t *conn)
{
    peer_accept(peer);
    PEER_EXPECT(peer, HELLO_COMMAND);
    peer_send(peer, HELLO_REPLY);
    kvw_conn_ready(conn);
    PEER_EXPECT(peer, SETINFO_COMMANDS);
    peer_send(peer, "+OK\r\n+OK\r\n");
    kvw_conn_ready(conn);
    CHECK_INT(kvw_conn_state(conn), KVW_STATE_OPEN);
}

/* A connection that is open. */
static inline kvw_conn_t *peer_connect_with(peer_t *peer, const kvw_config_t *config)
{
    kvw_conn_t *conn = kvw_conn_new(config);

    if (conn == NULL)
        peer_fail("kvw_conn_new");
    CHECK_INT(kvw_conn_start(conn), 0);
    peer_shake_hands(peer, conn);
    return conn;
}

static inline kvw_conn_t *peer_connect(peer_t *peer)
{
    kvw_config_t config = peer_config(peer);

    return peer_connect_with(peer, &config);
}

/* ---- commands ----------------------------------------------------------------------------- */

static inline kvw_arg_t arg(const char *text)
{
    return (kvw_arg_t){.ptr = text, .len = strlen(text)};
}

/* Submit a command of one word for `user` (an index without meaning beyond being told again). */
static inline int submit_shaped(kvw_conn_t *conn, const char *word, void *user, uint32_t index,
                                int shape)
{
    static const kvw_prefix_t none = {"", 0, 0};
    kvw_arg_t args[1] = {arg(word)};
    kvw_slot_t slot = {.user = user, .index = index, .shape = (uint8_t)shape};

    return kvw_conn_submit(conn, &none, args, 1, &slot);
}

static inline int submit(kvw_conn_t *conn, const char *word, void *user)
{
    return submit_shaped(conn, word, user, 0, KVW_SHAPE_RAW);
}

static inline int flush(kvw_conn_t *conn)
{
    return kvw_conn_flush(conn, kvw_now());
}

#endif
