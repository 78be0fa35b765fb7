/* Every allocation fails once: each time there is one clear failure, nothing leaks, and what was
 * lent is given back exactly once. */
#include "failing.h"
#include "peer.h"

static int released;
static char big[KVW_ARG_COPY_MAX + 1];
static char body[100000];

static void count_release(void *hold)
{
    (void)hold;
    released++;
}

/* Open a connection with all that a handshake can have. NULL when that failed. */
static kvw_conn_t *connect_all(peer_t *peer)
{
    kvw_config_t config = peer_config(peer);
    kvw_conn_t *conn;
    int accepted = 0;

    config.username = "user";
    config.password = "password";
    config.client_name = "name";
    config.db = 1;
    conn = kvw_conn_new(&config);
    if (conn == NULL)
        return NULL;
    if (kvw_conn_start(conn) == 0) {
        peer_accept(peer);
        accepted = 1;
        peer_drain(peer);
        peer_send(peer, "-NOPROTO x\r\n");
        if (kvw_conn_ready(conn) == 0)
            peer_send(peer, "+OK\r\n+OK\r\n");
        if (kvw_conn_ready(conn) == 0)
            peer_send(peer, "+OK\r\n+OK\r\n+OK\r\n");
        kvw_conn_ready(conn);
    }
    if (kvw_conn_state(conn) == KVW_STATE_OPEN)
        return conn;
    CHECK_INT(kvw_conn_error(conn, NULL), KVW_ENOMEM);
    kvw_conn_free(conn);
    if (!accepted) {
        /* It may have got as far as connecting. */
        fcntl(peer->listener, F_SETFL, O_NONBLOCK);
        peer_hang_up(peer);
        peer->fd = accept(peer->listener, NULL, NULL);
        fcntl(peer->listener, F_SETFL, 0);
    }
    return NULL;
}

/* Submit one command with a lent argument for each kind of way. Returns how many were. */
static int submit_all(kvw_conn_t *conn, void *user)
{
    static const kvw_prefix_t none = {"", 0, 0};
    const kvw_arg_t args[] = {
        arg("SET"), {.ptr = big, .len = sizeof(big), .release = count_release, .hold = big}};
    kvw_slot_t slot = {.user = user};
    kvw_batch_t *batch;
    int count = 0, err;

    for (int n = 0; n < 20; n++) {
        err = kvw_conn_submit(conn, &none, args, 2, &slot);
        CHECK(err == 0 || err == KVW_ENOMEM);
        count += err == 0;
    }
    batch = kvw_batch_new();
    if (batch == NULL)
        return count;
    for (int n = 0; n < 20; n++) {
        err = kvw_batch_add(batch, &none, args, 2, &slot);
        CHECK(err == 0 || err == KVW_ENOMEM);
        count += err == 0;
    }
    err = kvw_conn_submit_batch(conn, batch, user, 0);
    CHECK(err == 0 || err == KVW_ENOMEM);
    CHECK((kvw_batch_count(batch) == 0) == (err == 0));
    kvw_batch_free(batch);
    return count;
}

/* One reply of each kind that needs memory, then small ones for all the rest. */
static void receive_all(peer_t *peer, kvw_conn_t *conn)
{
    static char reply[400000];
    size_t len = 0, sent = 0;
    size_t in_flight = kvw_conn_in_flight(conn);

    for (int depth = 0; depth < 40; depth++)
        len += (size_t)sprintf(reply + len, "*1\r\n");
    len += (size_t)sprintf(reply + len, ":1\r\n$?\r\n;90000\r\n");
    memset(reply + len, 'x', 90000);
    len += 90000;
    len += (size_t)sprintf(reply + len, "\r\n;3\r\nabc\r\n;0\r\n$100000\r\n");
    memset(reply + len, 'y', 100000);
    len += 100000;
    len += (size_t)sprintf(reply + len, "\r\n+");
    memset(reply + len, 'z', 65000);
    len += 65000;
    len += (size_t)sprintf(reply + len, "\r\n");
    for (size_t n = 4; n < in_flight; n++)
        len += (size_t)sprintf(reply + len, "+OK\r\n");
    while (kvw_conn_in_flight(conn) != 0 && kvw_conn_state(conn) == KVW_STATE_OPEN) {
        kvw_event_t event;
        kvw_status_t status = kvw_conn_next(conn, &event);

        if (status == KVW_STATUS_MORE) {
            peer_drain(peer);
            sent += peer_send_some(peer, reply + sent, len - sent < 30001 ? len - sent : 30001);
            kvw_conn_ready(conn);
        } else if (status == KVW_STATUS_ITEM && (event.item.flags & KVW_ITEM_OPEN)) {
            kvw_conn_lend(conn, body);
        }
    }
}

/* Returns whether nothing failed. */
static int run(peer_t *peer, long fail_at)
{
    kvw_conn_t *conn;
    int user, submitted, good;

    released = 0;
    failing_start(fail_at);
    conn = connect_all(peer);
    if (conn == NULL) {
        CHECK_INT(failing_live, 0);
        return 0;
    }
    submitted = submit_all(conn, &user);
    good = submitted == 40 && kvw_conn_in_flight(conn) == 40;
    kvw_conn_flush(conn, kvw_now());
    if (kvw_conn_in_flight(conn) >= 4)
        receive_all(peer, conn);
    if (kvw_conn_state(conn) == KVW_STATE_CLOSED) {
        kvw_lost_t lost;

        good = 0;
        CHECK_INT(kvw_conn_error(conn, NULL), KVW_ENOMEM);
        while (kvw_conn_drop(conn, &lost))
            CHECK(lost.slot.user == &user);
    }
    CHECK_INT(kvw_conn_in_flight(conn), 0);
    kvw_conn_free(conn);
    CHECK_INT(released, submitted);
    CHECK_INT(failing_live, 0);
    return good;
}

/* Names, which a thread looks up. */
static int run_name(long fail_at)
{
    kvw_config_t config = {.host = "localhost", .port = 1, .connect_timeout = 5 * SECOND};
    kvw_conn_t *conn;
    int err;

    failing_start(fail_at);
    conn = kvw_conn_new(&config);
    if (conn == NULL) {
        CHECK_INT(failing_live, 0);
        return 0;
    }
    kvw_conn_start(conn);
    conn_settle(conn);
    err = kvw_conn_error(conn, NULL);
    CHECK(err == KVW_ENOMEM || err == KVW_ECONNECT);
    kvw_conn_free(conn);
    CHECK_INT(failing_live, 0);
    return err == KVW_ECONNECT;
}

int main(void)
{
    peer_t peer;
    long at = 1;

    peer_open(&peer);
    CHECK(run(&peer, 0));
    while (!run(&peer, at) && test_failures == 0)
        at++;
    CHECK_INT(at, failing_calls + 1); /* each of them, and then none */
    at = 1;
    while (!run_name(at) && test_failures == 0)
        at++;
    CHECK_INT(at, failing_calls + 1);
    failing_stop();
    peer_close(&peer);
    return test_result();
}
