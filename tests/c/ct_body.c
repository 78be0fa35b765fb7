/* Large bodies: straight into the memory that the caller lends. */
#include "failing.h"
#include "peer.h"

#define MIB ((size_t)1 << 20)

static char reply[9 * MIB + 256];
static char memory[9 * MIB];

/* What becomes of the caller, and when. */
typedef enum fate {
    FATE_STAYS,
    FATE_DECLINES,   /* lends nothing */
    FATE_IGNORES,    /* does not even answer the offer */
    FATE_GOES_EARLY, /* before the body is offered */
    FATE_GOES,       /* while the body is being received */
    FATE_SKIPS,      /* the same, by kvw_conn_skip */
    FATE_COUNT
} fate_t;

typedef struct body {
    const char *head, *tail; /* around the body of `len` bytes */
    size_t len;
    int type;
} body_t;

static size_t make_reply(const body_t *body)
{
    size_t at = strlen(body->head);

    memcpy(reply, body->head, at);
    for (size_t n = 0; n < body->len; n++)
        reply[at + n] = (char)(n * 7 + n / 251);
    at += body->len;
    memcpy(reply + at, body->tail, strlen(body->tail) + 1);
    return at + strlen(body->tail);
}

/* One reply with a large body, then a small one, which must be its own caller's. */
static void check_body(peer_t *peer, const body_t *body, fate_t fate, size_t step)
{
    kvw_conn_t *conn = peer_connect(peer);
    size_t len = make_reply(body);
    size_t head = strlen(body->head);
    size_t sent = 0;
    int user, next_user, is_next = 0;
    int opened = 0, filled = 0, after = 0, gone = 0;

    memcpy(reply + len, "$4\r\nNEXT\r\n", 10);
    len += 10;
    memset(memory, 0, body->len);
    submit(conn, "GET", &user);
    submit(conn, "GET", &next_user);
    flush(conn);
    while (!is_next) {
        kvw_event_t event;
        kvw_status_t status = kvw_conn_next(conn, &event);

        if (status == KVW_STATUS_MORE) {
            size_t some = len - sent < step ? len - sent : step;

            if (fate == FATE_GOES_EARLY && !gone) {
                gone = 1;
                CHECK_INT(kvw_conn_abandon(conn, &user), KVW_ABANDON_FOUND | KVW_ABANDON_SENT);
            }
            if (opened && !filled && !gone && sent > head + body->len / 2) {
                gone = 1;
                if (fate == FATE_GOES)
                    CHECK_INT(kvw_conn_abandon(conn, &user), KVW_ABANDON_FOUND | KVW_ABANDON_SENT);
                else if (fate == FATE_SKIPS)
                    kvw_conn_skip(conn);
                else
                    gone = 0;
            }
            sent += peer_send_some(peer, reply + sent, some);
            if (!CHECK_INT(kvw_conn_ready(conn), 0))
                break;
            continue;
        }
        if (!CHECK_INT(status, KVW_STATUS_ITEM))
            break;
        if (event.slot.user == &next_user) {
            CHECK_INT(event.item.len, 4);
            CHECK(memcmp(event.item.ptr, "NEXT", 4) == 0);
            is_next = 1;
        } else if (event.item.flags & KVW_ITEM_OPEN) {
            opened++;
            CHECK(!gone);
            CHECK(event.slot.user == &user);
            CHECK_INT(event.item.type, body->type);
            CHECK_INT(event.item.len, body->len);
            CHECK(event.item.ptr == NULL);
            if (fate != FATE_IGNORES)
                kvw_conn_lend(conn, fate == FATE_DECLINES ? NULL : memory);
        } else if (event.item.flags & KVW_ITEM_FILLED) {
            filled++;
            CHECK_INT(event.item.type, body->type);
            CHECK_INT(event.item.len, body->len);
            CHECK(event.slot.user == (gone ? NULL : &user));
            CHECK(event.item.ptr ==
                  (fate == FATE_DECLINES || fate == FATE_IGNORES ? NULL : memory));
        } else {
            CHECK(!gone); /* the rest of an abandoned reply is not shown */
            after += opened;
        }
    }
    CHECK_INT(opened, fate == FATE_GOES_EARLY ? 0 : 1);
    CHECK_INT(filled, opened);
    if (fate == FATE_STAYS || fate == FATE_GOES || fate == FATE_SKIPS)
        CHECK(memcmp(memory, reply + head, body->len) == 0);
    if (fate == FATE_STAYS)
        CHECK_INT(after, strlen(body->tail) > 2 ? 2 : 0);
    CHECK_INT(kvw_conn_in_flight(conn), 0);
    kvw_conn_free(conn);
}

static void test_bodies(peer_t *peer)
{
    static const size_t sizes[] = {32768, 32769, 65534, 65536, MIB - 1, MIB, MIB + 1, 8 * MIB};
    char head[64];

    for (size_t at = 0; at < sizeof(sizes) / sizeof(sizes[0]); at++) {
        const body_t body = {head, "\r\n", sizes[at], KVW_BULK};

        sprintf(head, "$%zu\r\n", sizes[at]);
        check_body(peer, &body, FATE_STAYS, 16384);
        for (int fate = FATE_DECLINES; fate < FATE_COUNT; fate++)
            check_body(peer, &body, (fate_t)fate, 31000);
    }
}

/* Within an aggregate, behind an attribute, and of the other types that have bodies. */
static void test_places(peer_t *peer)
{
    const body_t bodies[] = {
        {"*3\r\n:1\r\n$70000\r\n", "\r\n:3\r\n", 70000, KVW_BULK},
        {"|1\r\n+a\r\n+b\r\n*2\r\n$2000000\r\n", "\r\n:2\r\n", 2000000, KVW_BULK},
        {"=70004\r\ntxt:", "\r\n", 70000, KVW_VERBATIM},
        {"=2000004\r\ntxt:", "\r\n", 2000000, KVW_VERBATIM},
        {"!70000\r\n", "\r\n", 70000, KVW_ERROR},
        {"!2000000\r\n", "\r\n", 2000000, KVW_ERROR},
    };

    for (size_t at = 0; at < sizeof(bodies) / sizeof(bodies[0]); at++) {
        for (int fate = 0; fate < FATE_COUNT; fate++)
            check_body(peer, &bodies[at], (fate_t)fate, 30000);
    }
}

/* Byte by byte around both ends of a body. */
static void test_slow_ends(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    const body_t body = {"$40000\r\n", "\r\n:5\r\n", 40000, KVW_BULK};
    size_t len = make_reply(&body), sent = 0;
    int user, seen = 0;

    submit(conn, "GET", &user);
    submit(conn, "INCR", &user);
    flush(conn);
    while (seen < 3) {
        kvw_event_t event;

        if (kvw_conn_next(conn, &event) == KVW_STATUS_MORE) {
            size_t step = sent < 20 || sent >= 39990 ? 1 : 39990 - sent;

            if (!CHECK(sent < len))
                break;
            sent += peer_send_some(peer, reply + sent, step);
            kvw_conn_ready(conn);
            continue;
        }
        seen++;
        if (event.item.flags & KVW_ITEM_OPEN)
            kvw_conn_lend(conn, memory);
        else
            CHECK_INT(event.item.flags & KVW_ITEM_LAST, KVW_ITEM_LAST);
    }
    CHECK_INT(seen, 3);
    CHECK(memcmp(memory, reply + 8, 40000) == 0);
    kvw_conn_free(conn);
}

/* A pair of two large strings: the openings of a shape come between. */
static void test_shaped(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    size_t len, sent = 0;
    const body_t body = {"*2\r\n$40000\r\n", "\r\n$40000\r\n", 40000, KVW_BULK};
    char order[64] = "";
    int user, is_last = 0;

    len = make_reply(&body);
    memcpy(reply + len, reply + 12, 40000);
    memcpy(reply + len + 40000, "\r\n", 2);
    len += 40002;
    submit_shaped(conn, "HRANDFIELD", &user, 0, KVW_SHAPE_PAIRS);
    flush(conn);
    while (!is_last) {
        kvw_event_t event;

        if (kvw_conn_next(conn, &event) == KVW_STATUS_MORE) {
            sent += peer_send_some(peer, reply + sent, len - sent < 9000 ? len - sent : 9000);
            if (!CHECK_INT(kvw_conn_ready(conn), 0))
                break;
            continue;
        }
        is_last = event.item.flags & KVW_ITEM_LAST;
        if (event.item.flags & KVW_ITEM_OPEN) {
            strcat(order, "open ");
            kvw_conn_lend(conn, memory);
        } else if (event.item.flags & KVW_ITEM_FILLED) {
            strcat(order, "filled ");
            CHECK(memcmp(memory, reply + 12, 40000) == 0);
        } else {
            strcat(order, event.item.type == KVW_PAIR  ? "pair "
                          : event.item.type == KVW_END ? "end "
                                                       : "array ");
        }
    }
    CHECK_STR(order, "array pair open filled open filled end end ");
    kvw_conn_free(conn);
}

/* ---- what is not to be believed ----------------------------------------------------------- */

/* A few bytes that announce gigabytes cost no more than themselves. */
static void test_unbelievable(peer_t *peer)
{
    kvw_conn_t *conn;
    kvw_event_t event;
    int user;
    size_t len, sent = 0;

    failing_start(0);
    conn = peer_connect(peer);
    submit(conn, "GET", &user);
    flush(conn);
    len = (size_t)sprintf(reply, "$%llu\r\n", 1ull << 32);
    memset(reply + len, 'x', 2 * MIB);
    len += 2 * MIB;
    while (sent < len) {
        CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_MORE);
        sent += peer_send_some(peer, reply + sent, len - sent);
        CHECK_INT(kvw_conn_ready(conn), 0);
    }
    CHECK(failing_most <= 4 * MIB);
    kvw_conn_free(conn);
    CHECK_INT(failing_live, 0);
    failing_stop();
}

/* The moment at which a length is believed: an eighth of it has come. */
static void test_belief(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    kvw_event_t event;
    const body_t body = {"$4194304\r\n", "\r\n", 4 * MIB, KVW_BULK};
    size_t len = make_reply(&body), sent = 0;
    int user;

    submit(conn, "GET", &user);
    flush(conn);
    while (sent < 10 + MIB / 2) {
        CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_MORE);
        sent += peer_send_some(peer, reply + sent,
                               10 + MIB / 2 - sent < 20000 ? 10 + MIB / 2 - sent : 20000);
        CHECK_INT(kvw_conn_ready(conn), 0);
    }
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
    CHECK_INT(event.item.flags, KVW_ITEM_OPEN);
    kvw_conn_lend(conn, memory);
    while (kvw_conn_next(conn, &event) == KVW_STATUS_MORE) {
        sent += peer_send_some(peer, reply + sent, len - sent);
        CHECK_INT(kvw_conn_ready(conn), 0);
    }
    CHECK_INT(event.item.flags, KVW_ITEM_FILLED | KVW_ITEM_LAST);
    CHECK(memcmp(memory, reply + 10, 4 * MIB) == 0);
    kvw_conn_free(conn);
}

/* What had collected for a caller that goes is not another's. */
static void test_collected(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    const body_t body = {"$8388608\r\n", "\r\n$?\r\n;3\r\nabc\r\n;0\r\n", 8 * MIB, KVW_BULK};
    size_t len = make_reply(&body), sent = 0;
    kvw_event_t event;
    int user, next_user, gone = 0;

    submit(conn, "GET", &user);
    submit(conn, "GET", &next_user);
    flush(conn);
    while (kvw_conn_next(conn, &event) == KVW_STATUS_MORE) {
        if (sent > 100000 && !gone) {
            gone = 1;
            CHECK_INT(kvw_conn_abandon(conn, &user), KVW_ABANDON_FOUND | KVW_ABANDON_SENT);
        }
        sent += peer_send_some(peer, reply + sent, len - sent < 50000 ? len - sent : 50000);
        if (!CHECK_INT(kvw_conn_ready(conn), 0))
            break;
    }
    CHECK(event.slot.user == &next_user);
    CHECK_INT(event.item.len, 3);
    CHECK(memcmp(event.item.ptr, "abc", 3) == 0);
    kvw_conn_free(conn);
}

/* Streamed strings whose chunks are large and small. */
static void test_chunks(peer_t *peer)
{
    static const size_t chunks[] = {1, 100000, 5, 32768, 3000000, 70000, 2};
    static const size_t steps[] = {7777, 65536, 1 << 20};

    for (size_t which = 0; which < sizeof(steps) / sizeof(steps[0]); which++) {
        /* Shown, hidden in an attribute, and for nobody. */
        for (int place = 0; place < 3; place++) {
            kvw_conn_t *conn = peer_connect(peer);
            kvw_event_t event;
            size_t len = 0, sent = 0, sum = 0;
            int user, next_user;

            len = (size_t)sprintf(reply, "%s$?\r\n", place == 1 ? "|1\r\n+a\r\n" : "");
            for (size_t at = 0; at < sizeof(chunks) / sizeof(chunks[0]); at++) {
                len += (size_t)sprintf(reply + len, ";%zu\r\n", chunks[at]);
                for (size_t n = 0; n < chunks[at]; n++, sum++)
                    memory[sum] = reply[len++] = (char)(sum * 7);
                memcpy(reply + len, "\r\n", 2);
                len += 2;
            }
            len +=
                (size_t)sprintf(reply + len, ";0\r\n%s$4\r\nNEXT\r\n", place == 1 ? ":1\r\n" : "");
            submit(conn, "GET", &user);
            submit(conn, "GET", &next_user);
            flush(conn);
            if (place == 2)
                kvw_conn_abandon(conn, &user);
            for (;;) {
                kvw_status_t status = kvw_conn_next(conn, &event);

                if (status == KVW_STATUS_MORE) {
                    size_t some = len - sent < steps[which] ? len - sent : steps[which];

                    sent += peer_send_some(peer, reply + sent, some);
                    if (!CHECK_INT(kvw_conn_ready(conn), 0))
                        break;
                    continue;
                }
                CHECK_INT(status, KVW_STATUS_ITEM);
                if (event.slot.user == &next_user)
                    break;
                CHECK(place != 2);
                CHECK_INT(event.item.type, place == 0 ? KVW_BULK : KVW_INT);
                if (place == 0) {
                    CHECK_INT(event.item.len, sum);
                    CHECK(memcmp(event.item.ptr, memory, sum) == 0);
                }
            }
            CHECK(event.item.len == 4 && memcmp(event.item.ptr, "NEXT", 4) == 0);
            kvw_conn_free(conn);
        }
    }
}

/* Large strings in an attribute, a push, a handshake: of no use to anybody. */
static void test_hidden(peer_t *peer)
{
    const body_t bodies[] = {{"|1\r\n+a\r\n$2000000\r\n", "\r\n$4\r\nNEXT\r\n", 2000000, 0},
                             {">2\r\n+a\r\n$40000\r\n", "\r\n$4\r\nNEXT\r\n", 40000, 0}};

    for (size_t at = 0; at < 2; at++) {
        kvw_conn_t *conn = peer_connect(peer);
        kvw_event_t event;
        size_t len = make_reply(&bodies[at]), sent = 0;
        int user;

        submit(conn, "GET", &user);
        flush(conn);
        while (kvw_conn_next(conn, &event) == KVW_STATUS_MORE) {
            sent += peer_send_some(peer, reply + sent, len - sent < 9999 ? len - sent : 9999);
            if (!CHECK_INT(kvw_conn_ready(conn), 0))
                break;
        }
        CHECK(event.item.len == 4 && memcmp(event.item.ptr, "NEXT", 4) == 0);
        kvw_conn_free(conn);
    }
}

/* Closed or lost in the middle of a body: the memory is not touched any more. */
static void test_failure(peer_t *peer)
{
    for (int closes = 0; closes < 2; closes++) {
        kvw_conn_t *conn = peer_connect(peer);
        char *own = malloc(100000);
        kvw_event_t event;
        kvw_lost_t lost;
        int user;

        submit(conn, "GET", &user);
        flush(conn);
        peer_drain(peer);
        peer_send(peer, "$100000\r\nabc");
        kvw_conn_ready(conn);
        CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
        kvw_conn_lend(conn, own);
        peer_send(peer, "def");
        if (closes) {
            kvw_conn_close(conn);
            free(own);
            kvw_conn_ready(conn);
        } else {
            kvw_conn_ready(conn);
            CHECK(memcmp(own, "abcdef", 6) == 0);
            peer_hang_up(peer);
            kvw_conn_ready(conn);
            free(own);
        }
        CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ERROR);
        CHECK_INT(kvw_conn_drop(conn, &lost), 1);
        CHECK_INT(lost.err, closes ? KVW_ECLOSED : KVW_EEOF);
        CHECK_INT(lost.maybe_executed, 1);
        kvw_conn_free(conn);
    }
}

int main(void)
{
    peer_t peer;

    peer_open(&peer);
    test_bodies(&peer);
    test_places(&peer);
    test_slow_ends(&peer);
    test_shaped(&peer);
    test_unbelievable(&peer);
    test_belief(&peer);
    test_collected(&peer);
    test_chunks(&peer);
    test_hidden(&peer);
    test_failure(&peer);
    peer_close(&peer);
    return test_result();
}
