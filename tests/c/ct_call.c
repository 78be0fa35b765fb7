/* Calls that end otherwise than by a reply, and what they leave behind. */
#include <sys/wait.h>

#include "peer.h"

#define COMMAND(word, len) "*1\r\n$" len "\r\n" word "\r\n"

static int released[4];

static void count_release(void *hold)
{
    ++*(int *)hold;
}

static void reset_released(void)
{
    memset(released, 0, sizeof(released));
}

/* Whether the stream is in step: the next command gets its own reply. */
static void check_step(peer_t *peer, kvw_conn_t *conn)
{
    kvw_event_t event;
    int user;

    CHECK_INT(submit(conn, "NEXT", &user), 0);
    CHECK_INT(flush(conn), 0);
    peer_drain(peer);
    peer_send(peer, "$4\r\nNEXT\r\n");
    CHECK_INT(kvw_conn_ready(conn), 0);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
    CHECK(event.slot.user == &user);
    CHECK(event.item.len == 4 && memcmp(event.item.ptr, "NEXT", 4) == 0);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_MORE);
    CHECK_INT(kvw_conn_in_flight(conn), 0);
}

/* ---- abandoning --------------------------------------------------------------------------- */

/* The caller of the middle one of three goes after so many bytes of the replies have come and been
 * taken, for every such number. */
static void test_abandon_anywhere(peer_t *peer)
{
    static const char replies[] = "*2\r\n$1\r\na\r\n*1\r\n:1\r\n"
                                  "*2\r\n$1\r\nb\r\n%1\r\n+k\r\n,2.5\r\n"
                                  "*2\r\n$1\r\nc\r\n*1\r\n:3\r\n";
    const size_t len = strlen(replies);
    const size_t second_end = (size_t)(strstr(replies, "*2\r\n$1\r\nc") - replies);
    kvw_conn_t *conn = peer_connect(peer);

    for (int shape = 0; shape < 2; shape++) {
        for (size_t split = 0; split <= len; split++) {
            char seen[64] = "";
            int users[3];
            int bits;

            for (uint32_t n = 0; n < 3; n++)
                submit_shaped(conn, "GET", &users[n], n, shape ? KVW_SHAPE_PAIRS : KVW_SHAPE_RAW);
            flush(conn);
            peer_drain(peer);
            for (size_t part = 0; part < 2; part++) {
                size_t from = part == 0 ? 0 : split, to = part == 0 ? split : len;
                kvw_event_t event;

                if (part == 1) {
                    bits = kvw_conn_abandon(conn, &users[1]);
                    CHECK_INT(bits, split >= second_end ? 0 : 3);
                    CHECK_INT(kvw_conn_abandon(conn, &users[1]), 0);
                }
                if (from == to)
                    continue;
                peer_send_bytes(peer, replies + from, to - from);
                CHECK_INT(kvw_conn_ready(conn), 0);
                while (kvw_conn_next(conn, &event) == KVW_STATUS_ITEM) {
                    CHECK(part == 0 || event.slot.user != &users[1]);
                    if (event.item.flags & KVW_ITEM_LAST)
                        strcat(seen, event.slot.user == &users[0]   ? "0"
                                     : event.slot.user == &users[1] ? "1"
                                                                    : "2");
                }
            }
            CHECK_STR(seen, split >= second_end ? "012" : "02");
            CHECK_INT(kvw_conn_in_flight(conn), 0);
        }
    }
    check_step(peer, conn);
    kvw_conn_free(conn);
}

/* After each item that is shown. */
static void test_skip_anywhere(peer_t *peer)
{
    static const char *const replies[] = {
        "*3\r\n$1\r\na\r\n*2\r\n:1\r\n:2\r\n$?\r\n;1\r\nx\r\n;0\r\n", "*2\r\n$1\r\na\r\n:1\r\n",
        "*1\r\n*2\r\n$1\r\na\r\n:1\r\n", "*0\r\n"};
    static const int shapes[] = {KVW_SHAPE_RAW, KVW_SHAPE_PAIRS, KVW_SHAPE_SCORED};
    kvw_conn_t *conn = peer_connect(peer);

    for (size_t which = 0; which < sizeof(replies) / sizeof(replies[0]); which++) {
        for (size_t at = 0; at < sizeof(shapes) / sizeof(shapes[0]); at++) {
            int is_last = 0;

            if (which == 0 && at != 0)
                continue; /* an odd number of elements contradicts these */
            for (int after = 0; !is_last && after < 20; after++) {
                kvw_event_t event;
                int user;

                submit_shaped(conn, "GET", &user, 0, shapes[at]);
                flush(conn);
                peer_send(peer, replies[which]);
                kvw_conn_ready(conn);
                for (int n = 0; n <= after; n++)
                    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
                is_last = event.item.flags & KVW_ITEM_LAST;
                kvw_conn_skip(conn);
                check_step(peer, conn);
            }
            CHECK(is_last);
        }
    }
    /* With nothing under way it does nothing. */
    kvw_conn_skip(conn);
    check_step(peer, conn);
    kvw_conn_free(conn);
}

/* What has not been handed to the socket is not sent at all. */
static void test_take_back(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    int users[4];
    kvw_event_t event;

    submit(conn, "ONE", &users[1]);
    submit(conn, "TWO", &users[2]);
    submit(conn, "THREE", &users[3]);
    CHECK_INT(kvw_conn_abandon(conn, &users[2]), KVW_ABANDON_FOUND);
    flush(conn);
    PEER_EXPECT(peer, COMMAND("ONE", "3") COMMAND("THREE", "5"));
    CHECK_INT(kvw_conn_in_flight(conn), 2);
    CHECK_INT(kvw_conn_abandon(conn, &users[1]), KVW_ABANDON_FOUND | KVW_ABANDON_SENT);
    submit(conn, "FOUR", &users[0]);
    CHECK_INT(kvw_conn_abandon(conn, &users[0]), KVW_ABANDON_FOUND);
    CHECK_INT(flush(conn), 0);
    CHECK_INT(kvw_conn_unflushed(conn), 0);
    PEER_EXPECT(peer, "");
    peer_send(peer, ":1\r\n:3\r\n");
    kvw_conn_ready(conn);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
    CHECK(event.slot.user == &users[3]);
    CHECK_INT(event.item.num, 3);
    check_step(peer, conn);
    kvw_conn_free(conn);
}

/* ---- deadlines ---------------------------------------------------------------------------- */

static void test_expire(peer_t *peer)
{
    kvw_config_t config = peer_config(peer);
    static const kvw_prefix_t none = {"", 0, 0};
    kvw_conn_t *conn;
    kvw_arg_t args[] = {arg("X")};
    kvw_slot_t slot = {0};
    kvw_lost_t lost;
    kvw_event_t event;
    int users[4];
    int64_t now;

    config.call_timeout = 20 * MILLISECOND;
    conn = peer_connect_with(peer, &config);
    CHECK(kvw_conn_deadline(conn) == KVW_NEVER);
    submit(conn, "ONE", &users[0]);
    submit(conn, "TWO", NULL); /* nobody waits, so nobody's time is up */
    CHECK(kvw_conn_deadline(conn) == KVW_NEVER);
    now = kvw_now();
    CHECK_INT(kvw_conn_flush(conn, now), 0);
    CHECK_INT(kvw_conn_deadline(conn), now + 20 * MILLISECOND);
    slot.user = &users[2];
    slot.deadline = now + 10 * MILLISECOND;
    kvw_conn_submit(conn, &none, args, 1, &slot);
    CHECK_INT(kvw_conn_deadline(conn), now + 10 * MILLISECOND);
    slot.user = &users[3];
    slot.deadline = KVW_NEVER;
    kvw_conn_submit(conn, &none, args, 1, &slot);
    CHECK_INT(kvw_conn_expire(conn, now + 10 * MILLISECOND - 1, &lost), 0);
    CHECK_INT(kvw_conn_expire(conn, now + 10 * MILLISECOND, &lost), 1);
    CHECK(lost.slot.user == &users[2]);
    CHECK_INT(lost.err, KVW_ETIMEOUT);
    CHECK_INT(lost.maybe_executed, 0);
    CHECK_INT(kvw_conn_expire(conn, now + 10 * MILLISECOND, &lost), 0);
    CHECK_INT(kvw_conn_flush(conn, now), 0);
    PEER_EXPECT(peer, COMMAND("ONE", "3") COMMAND("TWO", "3") COMMAND("X", "1"));
    CHECK_INT(kvw_conn_expire(conn, now + SECOND, &lost), 1);
    CHECK(lost.slot.user == &users[0]);
    CHECK_INT(lost.maybe_executed, 1);
    CHECK_INT(kvw_conn_expire(conn, now + SECOND, &lost), 0);
    CHECK(kvw_conn_deadline(conn) == KVW_NEVER);
    CHECK_INT(kvw_conn_state(conn), KVW_STATE_OPEN);
    /* The late replies are nobody's. */
    peer_send(peer, ":1\r\n:2\r\n:4\r\n");
    kvw_conn_ready(conn);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
    CHECK(event.slot.user == &users[3]);
    CHECK_INT(event.item.num, 4);
    check_step(peer, conn);
    kvw_conn_free(conn);
}

/* A deadline that passes while the connection is still to be made: nothing is ever sent. */
static void test_expire_while_connecting(peer_t *peer)
{
    kvw_config_t config = peer_config(peer);
    static const kvw_prefix_t none = {"", 0, 0};
    kvw_conn_t *conn = kvw_conn_new(&config);
    kvw_arg_t args[] = {arg("INCR")};
    kvw_lost_t lost;
    int user;
    kvw_slot_t slot = {.user = &user, .deadline = kvw_now()};

    CHECK_INT(kvw_conn_submit(conn, &none, args, 1, &slot), 0);
    kvw_conn_start(conn);
    CHECK_INT(kvw_conn_deadline(conn), slot.deadline);
    CHECK_INT(kvw_conn_expire(conn, kvw_now(), &lost), 1);
    CHECK(lost.slot.user == &user);
    CHECK_INT(lost.maybe_executed, 0);
    CHECK_INT(kvw_conn_expire(conn, kvw_now(), &lost), 0);
    peer_shake_hands(peer, conn);
    PEER_EXPECT(peer, "");
    CHECK_INT(kvw_conn_in_flight(conn), 0);
    check_step(peer, conn);
    kvw_conn_free(conn);
}

/* The caller's time is up while its reply is under way. */
static void test_expire_under_way(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    kvw_event_t event;
    kvw_lost_t lost;
    int user;

    submit(conn, "GET", &user);
    flush(conn);
    peer_send(peer, "*2\r\n:1\r\n");
    kvw_conn_ready(conn);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
    CHECK_INT(kvw_conn_expire(conn, kvw_now() + 60 * SECOND, &lost), 1);
    peer_send(peer, ":2\r\n");
    kvw_conn_ready(conn);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_MORE);
    check_step(peer, conn);
    kvw_conn_free(conn);
}

/* ---- arguments that are lent -------------------------------------------------------------- */

static char big[3][KVW_ARG_COPY_MAX * 40];

static void submit_big(kvw_conn_t *conn, int which, size_t len, void *user, int expected)
{
    static const kvw_prefix_t none = {"", 0, 0};
    const kvw_arg_t args[] = {
        {.ptr = "SET", .len = 3, .release = count_release, .hold = &released[3]},
        {.ptr = big[which], .len = len, .release = count_release, .hold = &released[which]}};
    kvw_slot_t slot = {.user = user};

    CHECK_INT(kvw_conn_submit(conn, &none, args, 2, &slot), expected);
}

static void test_release(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    size_t got = 0;
    int users[3], late;

    for (int n = 0; n < 3; n++)
        memset(big[n], 'a' + n, sizeof(big[n]));
    reset_released();
    /* Small: released at once. */
    submit_big(conn, 0, KVW_ARG_COPY_MAX, &users[0], 0);
    CHECK_INT(released[0], 1);
    CHECK_INT(released[3], 1);
    reset_released();
    /* Large: released when sent, which takes a while. */
    submit_big(conn, 0, sizeof(big[0]), &users[0], 0);
    submit_big(conn, 1, sizeof(big[1]), &users[1], 0);
    submit_big(conn, 2, KVW_ARG_COPY_MAX + 1, &users[2], 0);
    CHECK_INT(kvw_conn_unsent(conn) > 2 * sizeof(big[0]), 1);
    flush(conn);
    CHECK(kvw_conn_wants(conn) & KVW_WANT_WRITE);
    kvw_conn_release(conn);
    CHECK_INT(released[2], 0);
    while (kvw_conn_unsent(conn) != 0) {
        got += peer_drain(peer);
        CHECK_INT(kvw_conn_ready(conn), 0);
    }
    got += peer_drain(peer);
    CHECK_INT(kvw_conn_wants(conn), KVW_WANT_READ);
    CHECK(got > 2 * sizeof(big[0]) + 2 * KVW_ARG_COPY_MAX);
    CHECK_INT(released[0] + released[1] + released[2], 0);
    kvw_conn_release(conn);
    kvw_conn_release(conn);
    CHECK_INT(released[0], 1);
    CHECK_INT(released[1], 1);
    CHECK_INT(released[2], 1);

    /* Taken back: given back with the next flush. */
    reset_released();
    submit_big(conn, 0, sizeof(big[0]), &late, 0);
    CHECK_INT(kvw_conn_abandon(conn, &late), KVW_ABANDON_FOUND);
    flush(conn);
    kvw_conn_release(conn);
    CHECK_INT(released[0], 1);
    CHECK_INT(kvw_conn_unsent(conn), 0);

    /* Half sent when the connection is closed. */
    reset_released();
    submit_big(conn, 0, sizeof(big[0]), &users[0], 0);
    submit_big(conn, 1, sizeof(big[1]), &users[0], 0);
    flush(conn);
    submit_big(conn, 2, sizeof(big[2]), &users[0], 0);
    kvw_conn_close(conn);
    CHECK_INT(released[0] + released[1] + released[2], 0);
    kvw_conn_release(conn);
    CHECK_INT(released[0], 1);
    CHECK_INT(released[1], 1);
    CHECK_INT(released[2], 1);
    /* Refused: still the caller's. */
    submit_big(conn, 0, sizeof(big[0]), &users[0], KVW_ECLOSED);
    kvw_conn_free(conn);
    CHECK_INT(released[0], 1);

    /* Never released by anybody: then freeing does. */
    reset_released();
    conn = peer_connect(peer);
    submit_big(conn, 0, sizeof(big[0]), &users[0], 0);
    submit_big(conn, 2, KVW_ARG_COPY_MAX + 1, &users[0], 0);
    flush(conn);
    submit_big(conn, 1, sizeof(big[1]), &users[0], 0);
    kvw_conn_free(conn);
    CHECK_INT(released[0], 1);
    CHECK_INT(released[1], 1);
    CHECK_INT(released[2], 1);
}

/* ---- batches ------------------------------------------------------------------------------ */

static kvw_batch_t *make_transaction(void *hold)
{
    static const kvw_prefix_t none = {"", 0, 0};
    kvw_batch_t *batch = kvw_batch_new();
    kvw_arg_t words[] = {arg("MULTI"), arg("EXEC")};
    const kvw_arg_t set[] = {
        arg("SET"),
        {.ptr = big[0], .len = KVW_ARG_COPY_MAX + 1, .release = count_release, .hold = hold}};
    kvw_slot_t slot = {0};

    CHECK_INT(kvw_batch_add(batch, &none, &words[0], 1, &slot), 0);
    slot.index = 1;
    CHECK_INT(kvw_batch_add(batch, &none, set, 2, &slot), 0);
    slot.index = 2;
    CHECK_INT(kvw_batch_add(batch, &none, &words[1], 1, &slot), 0);
    CHECK_INT(kvw_batch_count(batch), 3);
    return batch;
}

static void test_batch(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    kvw_batch_t *batch = make_transaction(&released[0]);
    kvw_event_t event;
    int user, other;

    reset_released();
    submit(conn, "ONE", &other);
    CHECK_INT(kvw_conn_submit_batch(conn, batch, &user, 0), 0);
    CHECK_INT(kvw_batch_count(batch), 0);
    submit(conn, "TWO", &other);
    CHECK_INT(kvw_conn_in_flight(conn), 5);
    /* It goes as a whole, and with it what was lent. */
    CHECK_INT(kvw_conn_abandon(conn, &user), KVW_ABANDON_FOUND);
    flush(conn);
    kvw_conn_release(conn);
    CHECK_INT(released[0], 1);
    PEER_EXPECT(peer, COMMAND("ONE", "3") COMMAND("TWO", "3"));
    CHECK_INT(kvw_conn_in_flight(conn), 2);
    peer_send(peer, ":1\r\n:2\r\n");
    kvw_conn_ready(conn);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
    kvw_batch_free(batch);

    /* Sent: every reply comes with its index. */
    batch = make_transaction(&released[0]);
    CHECK_INT(kvw_conn_submit_batch(conn, batch, &user, KVW_NEVER), 0);
    kvw_batch_free(batch);
    flush(conn);
    peer_drain(peer);
    peer_send(peer, "+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n");
    kvw_conn_ready(conn);
    for (uint32_t index = 0; index < 3; index++) {
        do {
            CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
            CHECK_INT(event.slot.index, index);
            CHECK(event.slot.user == &user);
        } while (!(event.item.flags & KVW_ITEM_LAST));
    }
    kvw_conn_release(conn);
    CHECK_INT(released[0], 2);

    /* Refused: still the batch's, which gives it back. */
    kvw_conn_close(conn);
    batch = make_transaction(&released[0]);
    CHECK_INT(kvw_conn_submit_batch(conn, batch, &user, 0), KVW_ECLOSED);
    CHECK_INT(kvw_batch_count(batch), 3);
    kvw_batch_free(batch);
    CHECK_INT(released[0], 3);
    kvw_conn_free(conn);
}

/* ---- life --------------------------------------------------------------------------------- */

static void test_user(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);

    reset_released();
    CHECK(kvw_conn_user(conn) == NULL);
    kvw_conn_set_user(conn, &released[0], count_release);
    CHECK(kvw_conn_user(conn) == &released[0]);
    kvw_conn_set_user(conn, &released[1], count_release);
    kvw_conn_close(conn);
    CHECK_INT(released[0] + released[1], 0);
    kvw_conn_free(conn);
    CHECK_INT(released[0], 0);
    CHECK_INT(released[1], 1);
    kvw_conn_free(NULL);
}

static void test_fail(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    const char *text;

    kvw_conn_fail(conn, KVW_EIO, "the loop is gone");
    kvw_conn_fail(conn, KVW_ECLOSED, "later");
    CHECK_INT(kvw_conn_error(conn, &text), KVW_EIO);
    CHECK_STR(text, "the loop is gone");
    kvw_conn_free(conn);
    conn = peer_connect(peer);
    kvw_conn_fail(conn, KVW_EIO, NULL);
    kvw_conn_error(conn, &text);
    CHECK(strstr(text, ": connection failed") != NULL);
    kvw_conn_free(conn);
}

static int run_child(peer_t *peer, kvw_conn_t *conn)
{
    kvw_event_t event;
    const char *text;
    int user;

    switch (released[0]) {
    case 0:
        CHECK_INT(submit(conn, "GET", &user), KVW_EFORKED);
        break;
    case 1:
        CHECK_INT(flush(conn), KVW_EFORKED);
        break;
    case 2:
        CHECK_INT(kvw_conn_ready(conn), KVW_EFORKED);
        break;
    default:
        CHECK_INT(kvw_conn_recv(conn), KVW_EFORKED);
        break;
    }
    CHECK_INT(kvw_conn_error(conn, &text), KVW_EFORKED);
    CHECK(strstr(text, "belongs to the parent process") != NULL);
    CHECK_INT(kvw_conn_fd(conn), -1);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ERROR);
    kvw_conn_free(conn);
    /* A new one works here, too. */
    conn = peer_connect(peer);
    check_step(peer, conn);
    kvw_conn_free(conn);
    return test_failures != 0;
}

/* The child must not touch the parent's conversation. */
static void test_fork(peer_t *peer)
{
    for (released[0] = 0; released[0] < 4; released[0]++) {
        kvw_conn_t *conn = peer_connect(peer);
        int parent_fd = peer->fd;
        int user, status = 0;
        kvw_event_t event;
        pid_t pid;

        submit(conn, "GET", &user);
        flush(conn);
        pid = fork();
        if (pid == 0)
            _exit(run_child(peer, conn));
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK_INT(status, 0);
        peer->fd = parent_fd;
        peer_send(peer, ":7\r\n");
        CHECK_INT(kvw_conn_ready(conn), 0);
        CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
        CHECK_INT(event.item.num, 7);
        check_step(peer, conn);
        kvw_conn_free(conn);
    }
}

int main(void)
{
    peer_t peer;

    peer_open(&peer);
    test_abandon_anywhere(&peer);
    test_skip_anywhere(&peer);
    test_take_back(&peer);
    test_expire(&peer);
    test_expire_while_connecting(&peer);
    test_expire_under_way(&peer);
    test_release(&peer);
    test_batch(&peer);
    test_user(&peer);
    test_fail(&peer);
    test_fork(&peer);
    peer_close(&peer);
    return test_result();
}
