/* Names, addresses, ports: reaching a server over TCP, and not reaching one. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "conn_impl.h"
#include "peer.h"

/* A listening TCP socket on a port of its own; `port` in host order. */
static int listen_on(const char *host, int backlog, uint16_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t len = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    inet_pton(AF_INET, host, &address.sin_addr);
    if (bind(fd, (struct sockaddr *)&address, len) < 0 || listen(fd, backlog) < 0 ||
        getsockname(fd, (struct sockaddr *)&address, &len) < 0)
        peer_fail("listen");
    *port = ntohs(address.sin_port);
    return fd;
}

/* A port on which nobody listens. */
static uint16_t free_port(void)
{
    uint16_t port;

    close(listen_on("127.0.0.1", 1, &port));
    return port;
}

static kvw_config_t tcp_config(const char *host, uint16_t port)
{
    return (kvw_config_t){
        .host = host, .port = port, .connect_timeout = 5 * SECOND, .call_timeout = SECOND};
}

static void check_failure(const kvw_conn_t *conn, int err, const char *message)
{
    const char *text;

    CHECK_INT(kvw_conn_error(conn, &text), err);
    CHECK_STR(text, message);
}

static void test_open(void)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost"};
    peer_t peer = {.fd = -1};
    uint16_t port;

    peer.listener = listen_on("127.0.0.1", 8, &port);
    for (size_t at = 0; at < 2; at++) {
        kvw_config_t config = tcp_config(hosts[at], port);
        kvw_conn_t *conn = kvw_conn_new(&config);
        char expected[64];
        int on = 0;
        socklen_t len = sizeof(on);

        CHECK_INT(kvw_conn_state(conn), KVW_STATE_IDLE);
        CHECK_INT(kvw_conn_start(conn), 0);
        if (kvw_conn_state(conn) == KVW_STATE_RESOLVING)
            CHECK_INT(kvw_conn_wants(conn), KVW_WANT_READ);
        while (kvw_conn_state(conn) < KVW_STATE_HANDSHAKE)
            CHECK_INT(conn_step(conn), 0);
        peer_shake_hands(&peer, conn);
        snprintf(expected, sizeof(expected), "%s:%u", hosts[at], (unsigned)port);
        CHECK_STR(kvw_conn_peer(conn), expected);
        CHECK_INT(kvw_conn_wants(conn), KVW_WANT_READ);
        CHECK(kvw_conn_deadline(conn) == KVW_NEVER);
        CHECK_INT(getsockopt(kvw_conn_fd(conn), IPPROTO_TCP, TCP_NODELAY, &on, &len), 0);
        CHECK(on);
        CHECK_INT(getsockopt(kvw_conn_fd(conn), SOL_SOCKET, SO_KEEPALIVE, &on, &len), 0);
        CHECK(on);
        CHECK(fcntl(kvw_conn_fd(conn), F_GETFD) & FD_CLOEXEC);
        kvw_conn_free(conn);
    }
    peer_hang_up(&peer);
    close(peer.listener);
}

static void test_refused(void)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost"};

    for (size_t at = 0; at < 2; at++) {
        uint16_t port = free_port();
        kvw_config_t config = tcp_config(hosts[at], port);
        kvw_conn_t *conn = kvw_conn_new(&config);
        char expected[80];
        const char *text;

        kvw_conn_start(conn);
        conn_settle(conn);
        CHECK_INT(kvw_conn_error(conn, &text), KVW_ECONNECT);
        snprintf(expected, sizeof(expected), "valkey server %s:%u: connection refused", hosts[at],
                 (unsigned)port);
        CHECK(strncmp(text, expected, strlen(expected)) == 0);
        kvw_conn_free(conn);
    }
}

static void test_unresolvable(void)
{
    kvw_config_t config = tcp_config("nope.invalid", 6379);
    kvw_conn_t *conn = kvw_conn_new(&config);
    const char *text;

    kvw_conn_start(conn);
    conn_settle(conn);
    CHECK_INT(kvw_conn_error(conn, &text), KVW_ERESOLVE);
    CHECK(strncmp(text, "cannot resolve host 'nope.invalid': ", 36) == 0);
    CHECK(strlen(text) > 36);
    kvw_conn_free(conn);

    /* Given up while the thread is still at it. */
    for (int n = 0; n < 20; n++) {
        int err;

        conn = kvw_conn_new(&config);
        err = kvw_conn_start(conn);
        CHECK(err == 0 || err == KVW_ERESOLVE); /* it may be quick */
        kvw_conn_free(conn);
    }

    config.connect_timeout = 0;
    conn = kvw_conn_new(&config);
    kvw_conn_start(conn);
    if (kvw_conn_state(conn) == KVW_STATE_RESOLVING) {
        kvw_lost_t lost;

        CHECK_INT(kvw_conn_expire(conn, kvw_now(), &lost), 0);
        check_failure(conn, KVW_ETIMEOUT, "cannot resolve host 'nope.invalid' within 0 ms");
    }
    kvw_conn_free(conn);
}

static void test_peer_names(void)
{
    const struct {
        const char *host, *peer;
    } cases[] = {{"::1", "[::1]:6379"}, {"a.b", "a.b:6379"}, {"fe80::1%lo", "[fe80::1%lo]:6379"}};

    for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
        kvw_config_t config = tcp_config(cases[at].host, 6379);
        kvw_conn_t *conn = kvw_conn_new(&config);

        CHECK_STR(kvw_conn_peer(conn), cases[at].peer);
        kvw_conn_free(conn);
    }
}

/* ---- deadlines ---------------------------------------------------------------------------- */

/* A listener that takes no more connections: who tries to connect hears nothing. */
static int listen_deaf(uint16_t *port, int fillers[8])
{
    int fd = listen_on("127.0.0.1", 0, port);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};

    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    for (int n = 0; n < 8; n++) {
        fillers[n] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)!connect(fillers[n], (struct sockaddr *)&address, sizeof(address));
    }
    return fd;
}

static void close_deaf(int fd, const int fillers[8])
{
    for (int n = 0; n < 8; n++)
        close(fillers[n]);
    close(fd);
}

static void test_no_connection(void)
{
    int fillers[8];
    uint16_t port;
    int deaf = listen_deaf(&port, fillers);
    kvw_config_t config = tcp_config("127.0.0.1", port);
    int64_t begin = kvw_now();
    kvw_conn_t *conn;
    char expected[80];
    kvw_lost_t lost;
    int user;

    config.connect_timeout = 150 * MILLISECOND;
    conn = kvw_conn_new(&config);
    CHECK_INT(submit(conn, "PING", &user), 0);
    CHECK_INT(kvw_conn_start(conn), 0);
    CHECK(kvw_conn_deadline(conn) >= begin + 150 * MILLISECOND);
    conn_settle(conn);
    CHECK(kvw_now() - begin >= 150 * MILLISECOND);
    CHECK(kvw_now() - begin < 2 * SECOND);
    snprintf(expected, sizeof(expected), "valkey server 127.0.0.1:%u: no connection within 150 ms",
             (unsigned)port);
    check_failure(conn, KVW_ETIMEOUT, expected);
    CHECK_INT(kvw_conn_drop(conn, &lost), 1);
    CHECK(lost.slot.user == &user);
    CHECK_INT(lost.err, KVW_ETIMEOUT);
    CHECK_INT(lost.maybe_executed, 0);
    CHECK_INT(kvw_conn_drop(conn, &lost), 0);
    kvw_conn_free(conn);
    close_deaf(deaf, fillers);
}

static void test_no_answer(void)
{
    uint16_t port;
    int listener = listen_on("127.0.0.1", 8, &port);
    kvw_config_t config = tcp_config("127.0.0.1", port);
    char expected[80];
    kvw_conn_t *conn;

    config.connect_timeout = 100 * MILLISECOND;
    conn = kvw_conn_new(&config);
    kvw_conn_start(conn);
    conn_settle(conn);
    snprintf(expected, sizeof(expected),
             "valkey server 127.0.0.1:%u: connected, but no answer within 100 ms", (unsigned)port);
    check_failure(conn, KVW_ETIMEOUT, expected);
    kvw_conn_free(conn);
    close(listener);
}

/* One address that does not answer must not use up the time of the others. */
static void test_next_address(void)
{
    int fillers[8];
    uint16_t port, other;
    int deaf = listen_deaf(&port, fillers);
    peer_t peer = {.fd = -1};
    kvw_config_t config = tcp_config("127.0.0.1", port);
    kvw_conn_t *conn = kvw_conn_new(&config);
    kvw__address_t *addresses = kvw_malloc(3 * sizeof(*addresses));
    int64_t begin = kvw_now();
    int fd, next_fd;

    peer.listener = listen_on("127.0.0.1", 8, &other);
    CHECK_INT(kvw_conn_start(conn), 0);
    /* As if the host had three addresses: deaf, deaf, and one that answers. */
    addresses[0] = addresses[1] = addresses[2] = conn->addresses[0];
    ((struct sockaddr_in *)&addresses[2].storage)->sin_port = htons(other);
    kvw_free(conn->addresses);
    conn->addresses = addresses;
    conn->address_count = 3;
    conn->connect_by = begin + 600 * MILLISECOND;
    conn->attempt_by = begin + 100 * MILLISECOND;

    fd = kvw_conn_fd(conn);
    while (conn->address_at == 0)
        CHECK_INT(conn_step(conn), 0);
    next_fd = kvw_conn_fd(conn);
    CHECK(next_fd != fd);
    CHECK(fcntl(fd, F_GETFD) >= 0); /* still open, to be unregistered */
    /* The second has half of the 500 ms that are left. */
    CHECK(kvw_conn_deadline(conn) > begin + 300 * MILLISECOND);
    CHECK(kvw_conn_deadline(conn) < begin + 420 * MILLISECOND);
    while (conn->address_at == 1)
        CHECK_INT(conn_step(conn), 0);
    CHECK(kvw_conn_fd(conn) != next_fd);
    CHECK(kvw_now() - begin < 590 * MILLISECOND);
    while (kvw_conn_state(conn) < KVW_STATE_HANDSHAKE)
        CHECK_INT(conn_step(conn), 0);
    peer_shake_hands(&peer, conn);
    CHECK_INT(conn->retired_fd, -1);
    kvw_conn_free(conn);
    peer_hang_up(&peer);
    close(peer.listener);
    close_deaf(deaf, fillers);
}

/* A Unix socket whose backlog is full says so at once; it is tried again. */
static void test_busy_unix(void)
{
    peer_t peer;
    kvw_config_t config;
    kvw_conn_t *fillers[64], *conn;
    int count = 0;

    peer_open(&peer);
    listen(peer.listener, 0);
    config = peer_config(&peer);
    do {
        conn = kvw_conn_new(&config);
        CHECK_INT(kvw_conn_start(conn), 0);
        fillers[count++] = conn;
    } while (kvw_conn_state(conn) == KVW_STATE_HANDSHAKE && count < 64);
    CHECK_INT(kvw_conn_state(conn), KVW_STATE_CONNECTING);
    CHECK_INT(kvw_conn_fd(conn), -1);
    CHECK_INT(kvw_conn_wants(conn), 0);
    CHECK_INT(conn_step(conn), 0);
    CHECK_INT(kvw_conn_state(conn), KVW_STATE_CONNECTING);
    for (int n = 0; n < count - 1; n++)
        peer_accept(&peer);
    while (kvw_conn_state(conn) == KVW_STATE_CONNECTING)
        CHECK_INT(conn_step(conn), 0);
    peer_shake_hands(&peer, conn);
    while (count-- != 0)
        kvw_conn_free(fillers[count]);
    peer_close(&peer);
}

/* The descriptor of a connection that has failed: the conversation has ended, the number is kept.
 */
static void test_descriptor(void)
{
    peer_t peer;
    kvw_conn_t *conn;
    char byte;
    int fd;

    peer_open(&peer);
    conn = peer_connect(&peer);
    fd = kvw_conn_fd(conn);
    kvw_conn_close(conn);
    CHECK_INT(kvw_conn_fd(conn), -1);
    CHECK(fcntl(fd, F_GETFD) >= 0);
    CHECK_INT(recv(peer.fd, &byte, 1, 0), 0);
    kvw_conn_close(conn);
    CHECK(fcntl(fd, F_GETFD) < 0);
    kvw_conn_free(conn);
    peer_close(&peer);
}

int main(void)
{
    test_open();
    test_refused();
    test_unresolvable();
    test_peer_names();
    test_no_connection();
    test_no_answer();
    test_next_address();
    test_busy_unix();
    test_descriptor();
    return test_result();
}
