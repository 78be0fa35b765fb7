/* Replies find their callers, whole, in whatever pieces they come. */
#include "cases.h"
#include "peer.h"

/* Everything a server can say in RESP3, as one reply to each of these commands. */
static const char *const REPLIES[] = {
    "+OK\r\n",
    "-ERR no\r\n",
    ":42\r\n",
    "$5\r\nhe\r\no\r\n",
    "$0\r\n\r\n",
    "$-1\r\n",
    "*-1\r\n",
    "_\r\n",
    ",1.5\r\n",
    "#t\r\n",
    "(12345678901234567890\r\n",
    "!8\r\nERR a\r\nb\r\n",
    "=8\r\ntxt:text\r\n",
    "*0\r\n",
    "*3\r\n:1\r\n*1\r\n$1\r\na\r\n%1\r\n+k\r\n~1\r\n_\r\n",
    "$?\r\n;2\r\nab\r\n;3\r\ncde\r\n;0\r\n",
    "$?\r\n;0\r\n",
    "*?\r\n:1\r\n$?\r\n;1\r\nx\r\n;0\r\n.\r\n",
    "|1\r\n+ttl\r\n*2\r\n:1\r\n|1\r\n+a\r\n+b\r\n:2\r\n$1\r\nA\r\n",
    "*2\r\n|1\r\n$?\r\n;1\r\nx\r\n;0\r\n~0\r\n:1\r\n|0\r\n:2\r\n",
    "*2\r\n*4\r\n$1\r\na\r\n$0\r\n\r\n$-1\r\n$2\r\nbc\r\n*1\r\n$1\r\nd\r\n",
    ">2\r\n+invalidate\r\n*1\r\n+key\r\n>1\r\n$?\r\n;1\r\nx\r\n;0\r\n$1\r\nB\r\n",
};

enum { REPLY_COUNT = sizeof(REPLIES) / sizeof(REPLIES[0]) };

/* What must come of them: the parser's own items, without attributes and pushes, and streamed
 * strings as bulk strings. */
static const char EXPECTED[] =
    "0 SIMPLE \"OK\" last\n"
    "1 ERROR \"ERR no\" last\n"
    "2 INT 42 last\n"
    "3 BULK \"he\\r\\no\" last\n"
    "4 BULK \"\" last\n"
    "5 NULL last\n"
    "6 NULL last\n"
    "7 NULL last\n"
    "8 DOUBLE 1.5 last\n"
    "9 BOOL 1 last\n"
    "10 BIGNUM \"12345678901234567890\" last\n"
    "11 ERROR \"ERR a\\r\\nb\" last\n"
    "12 VERBATIM \"text\" last\n"
    "13 ARRAY 0\n13 END last\n"
    "14 ARRAY 3\n14   INT 1\n14   ARRAY 1\n14     BULK \"a\"\n14   END\n14   MAP 1\n"
    "14     SIMPLE \"k\"\n14     SET 1\n14       NULL\n14     END\n14   END\n14 END last\n"
    "15 BULK \"abcde\" last\n"
    "16 BULK \"\" last\n"
    "17 ARRAY -1\n17   INT 1\n17   BULK \"x\"\n17 END last\n"
    "18 BULK \"A\" last\n"
    "19 ARRAY 2\n19   INT 1\n19   INT 2\n19 END last\n"
    "20 ARRAY 2\n20   ARRAY 4\n20     BULK \"a\"\n20     BULK \"\"\n20     NULL\n"
    "20     BULK \"bc\"\n20   END\n20   ARRAY 1\n20     BULK \"d\"\n20   END\n20 END last\n"
    "21 BULK \"B\" last\n";

static void log_event(text_t *log, const kvw_event_t *event)
{
    const kvw_item_t *item = &event->item;

    text_add(log, "%u %*s%s", (unsigned)event->slot.index, 2 * item->depth, "",
             item_name(item->type));
    switch (item->type) {
    case KVW_INT:
    case KVW_BOOL:
    case KVW_ARRAY:
    case KVW_SET:
    case KVW_MAP:
    case KVW_PAIR:
        text_add(log, " %lld", (long long)item->num);
        break;
    case KVW_DOUBLE:
        text_add(log, " %g", item->dbl);
        break;
    case KVW_NULL:
    case KVW_END:
        break;
    default:
        text_add(log, " ");
        text_add_quoted(log, item->ptr, item->len);
        break;
    }
    text_add(log, item->flags & KVW_ITEM_LAST ? " last\n" : "\n");
}

/* How many items are taken at once where that can be done; 0: only one by one. */
static size_t run_len;
static size_t run_total;

/* Take what can be had. Returns how it ended. */
static kvw_status_t take(kvw_conn_t *conn, text_t *log)
{
    kvw_event_t event;
    kvw_status_t status;
    kvw_item_t items[8];

    while ((status = kvw_conn_next(conn, &event)) == KVW_STATUS_ITEM) {
        size_t count = 0;

        log_event(log, &event);
        if (run_len != 0 && !(event.item.flags & KVW_ITEM_LAST))
            count = kvw_conn_run(conn, items, run_len);
        for (size_t at = 0; at < count; at++) {
            event.item = items[at];
            log_event(log, &event);
        }
        run_total += count;
    }
    return status;
}

static text_t log_text;

static size_t join_replies(char *out, size_t from, size_t to)
{
    size_t len = 0;

    for (size_t at = from; at < to; at++) {
        memcpy(out + len, REPLIES[at], strlen(REPLIES[at]));
        len += strlen(REPLIES[at]);
    }
    return len;
}

/* `first` bytes, then `step` at a time. */
static int check_arrival(peer_t *peer, kvw_conn_t *conn, size_t first, size_t step)
{
    char bytes[2048];
    size_t len = join_replies(bytes, 0, REPLY_COUNT);
    size_t at = 0, end = first < len ? first : len;
    int user;

    text_clear(&log_text);
    for (uint32_t index = 0; index < REPLY_COUNT; index++)
        CHECK_INT(submit_shaped(conn, "PING", &user, index, KVW_SHAPE_RAW), 0);
    CHECK_INT(flush(conn), 0);
    while (at < len) {
        if (end > at) {
            peer_send_bytes(peer, bytes + at, end - at);
            CHECK_INT(kvw_conn_ready(conn), 0);
            CHECK_INT(take(conn, &log_text), KVW_STATUS_MORE);
        }
        at = end;
        end = end + step < len ? end + step : len;
    }
    peer_drain(peer);
    return CHECK_STR(log_text.bytes, EXPECTED) && CHECK_INT(kvw_conn_in_flight(conn), 0);
}

static void test_every_split(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    char bytes[2048];
    size_t len = join_replies(bytes, 0, REPLY_COUNT);

    int good = 1;

    for (run_len = 0; run_len < 3; run_len++) {
        for (size_t first = 0; good && first <= len; first++)
            good = check_arrival(peer, conn, first, len);
        for (size_t step = 1; good && step < 9; step++)
            good = check_arrival(peer, conn, 0, step);
    }
    run_len = 0;
    CHECK(run_total != 0);
    kvw_conn_free(conn);
}

/* Sizes around those of the block and of what is worth memory of its own. */
static void test_sizes(peer_t *peer)
{
    static const size_t sizes[] = {4095,  4096,   4097,         16384,           32767,
                                   32768, 32769,  60000,        65535,           65536,
                                   65537, 131072, KVW_LINE_MAX, KVW_LINE_MAX + 1};
    static char bytes[KVW_LINE_MAX + 64];

    for (size_t which = 0; which < sizeof(sizes) / sizeof(sizes[0]); which++) {
        /* As a line, whose length the parser bounds, and as a string. */
        for (int is_string = 0; is_string < 2; is_string++) {
            size_t len = sizes[which], sent = 0, head;
            kvw_conn_t *conn = peer_connect(peer);
            kvw_event_t event;
            kvw_status_t status;
            char *memory = NULL;
            int user;

            head = is_string ? (size_t)sprintf(bytes, "$%zu\r\n", len) : 1;
            if (!is_string)
                bytes[0] = '+';
            for (size_t at = 0; at < len; at++)
                bytes[head + at] = (char)('a' + at % 23);
            memcpy(bytes + head + len, "\r\n", 2);
            submit(conn, "GET", &user);
            flush(conn);
            while ((status = kvw_conn_next(conn, &event)) == KVW_STATUS_MORE) {
                sent += peer_send_some(peer, bytes + sent, head + len + 2 - sent);
                if (kvw_conn_ready(conn) != 0)
                    break;
            }
            if (!is_string && len > KVW_LINE_MAX) {
                CHECK_INT(kvw_conn_error(conn, NULL), KVW_EPROTOCOL);
                kvw_conn_free(conn);
                continue;
            }
            CHECK_INT(status, KVW_STATUS_ITEM);
            if (event.item.flags & KVW_ITEM_OPEN) {
                CHECK(is_string && len >= 32768);
                memory = malloc(len);
                kvw_conn_lend(conn, memory);
                while (kvw_conn_next(conn, &event) == KVW_STATUS_MORE) {
                    sent += peer_send_some(peer, bytes + sent, head + len + 2 - sent);
                    kvw_conn_ready(conn);
                }
                CHECK(event.item.flags & KVW_ITEM_FILLED);
                CHECK(event.item.ptr == memory);
            }
            CHECK(event.item.flags & KVW_ITEM_LAST);
            CHECK_INT(event.item.type, is_string ? KVW_BULK : KVW_SIMPLE);
            CHECK_INT(event.item.len, len);
            CHECK(memcmp(event.item.ptr, bytes + head, len) == 0);
            free(memory);
            kvw_conn_free(conn);
        }
    }
}

/* Long series, so that unfinished replies lie at the block's end in every way. */
static void test_many(peer_t *peer)
{
    enum { COUNT = 3000 };
    kvw_conn_t *conn = peer_connect(peer);
    static char bytes[COUNT * 120];
    size_t len = 0, sent = 0;
    uint32_t seen = 0;
    int user;

    for (uint32_t n = 0; n < COUNT; n++) {
        submit_shaped(conn, "GET", &user, n, KVW_SHAPE_RAW);
        len += (size_t)sprintf(bytes + len, "$%u\r\n%0*u\r\n", 6 + n % 90, (int)(6 + n % 90), n);
    }
    flush(conn);
    while (seen < COUNT) {
        kvw_event_t event;
        kvw_status_t status = kvw_conn_next(conn, &event);

        if (status == KVW_STATUS_MORE) {
            sent += peer_send_some(peer, bytes + sent, len - sent);
            if (!CHECK_INT(kvw_conn_ready(conn), 0))
                break;
            continue;
        }
        CHECK_INT(status, KVW_STATUS_ITEM);
        CHECK_INT(event.slot.index, seen);
        CHECK_INT(event.item.len, 6 + seen % 90);
        CHECK_INT(strtoul(event.item.ptr, NULL, 10), seen);
        seen++;
    }
    CHECK_INT(kvw_conn_in_flight(conn), 0);
    kvw_conn_free(conn);
}

/* ---- shapes ------------------------------------------------------------------------------- */

static void check_shape(peer_t *peer, kvw_conn_t *conn, const kvw_slot_t *slot, const char *reply,
                        const char *expected)
{
    static const kvw_prefix_t none = {"", 0, 0};
    const kvw_arg_t args[] = {arg("X")};
    size_t len = strlen(reply);

    for (size_t step = len; step != 0; step = step == len && len > 1 ? 1 : 0) {
        CHECK_INT(kvw_conn_submit(conn, &none, args, 1, slot), 0);
        CHECK_INT(flush(conn), 0);
        text_clear(&log_text);
        for (size_t at = 0; at < len; at += step) {
            peer_send_bytes(peer, reply + at, step);
            CHECK_INT(kvw_conn_ready(conn), 0);
            CHECK_INT(take(conn, &log_text), KVW_STATUS_MORE);
        }
        CHECK_STR(log_text.bytes, expected);
        CHECK_INT(kvw_conn_in_flight(conn), 0);
        peer_drain(peer);
    }
}

static void test_shapes(peer_t *peer)
{
    static const uint8_t each[] = {KVW_SHAPE_OK,     KVW_SHAPE_PAIRS, KVW_SHAPE_RAW,
                                   KVW_SHAPE_DOUBLE, KVW_SHAPE_MAP,   KVW_SHAPE_RAW};
    kvw_conn_t *conn = peer_connect(peer);
    int user;
    kvw_slot_t slot = {.user = &user};

    slot.shape = KVW_SHAPE_OK;
    check_shape(peer, conn, &slot, "+OK\r\n", "0 BOOL 1 last\n");
    slot.shape = KVW_SHAPE_PAIRS;
    check_shape(peer, conn, &slot, "*2\r\n$1\r\na\r\n:1\r\n",
                "0 ARRAY 1\n0   PAIR 2\n0     BULK \"a\"\n0     INT 1\n0   END\n0 END last\n");
    check_shape(peer, conn, &slot, "*0\r\n", "0 ARRAY 0\n0 END last\n");
    check_shape(peer, conn, &slot, "*?\r\n.\r\n", "0 ARRAY -1\n0 END last\n");
    check_shape(peer, conn, &slot, "*1\r\n|1\r\n+a\r\n+b\r\n*2\r\n:1\r\n:2\r\n",
                "0 ARRAY 1\n0   PAIR 2\n0     INT 1\n0     INT 2\n0   END\n0 END last\n");
    slot.shape = KVW_SHAPE_DOUBLE;
    check_shape(peer, conn, &slot, "$?\r\n;1\r\n1\r\n;2\r\n.5\r\n;0\r\n", "0 DOUBLE 1.5 last\n");

    /* A transaction: each element as its own command would have it. */
    slot.shape = KVW_SHAPE_EACH;
    slot.shapes = each;
    slot.shape_count = 6;
    check_shape(peer, conn, &slot,
                "*6\r\n+OK\r\n*2\r\n$1\r\na\r\n:1\r\n+OK\r\n$3\r\n2.5\r\n*2\r\n+k\r\n+v\r\n+OK\r\n",
                "0 ARRAY 6\n0   BOOL 1\n"
                "0   ARRAY 1\n0     PAIR 2\n0       BULK \"a\"\n0       INT 1\n0     END\n0   END\n"
                "0   SIMPLE \"OK\"\n0   DOUBLE 2.5\n"
                "0   MAP 1\n0     SIMPLE \"k\"\n0     SIMPLE \"v\"\n0   END\n"
                "0   SIMPLE \"OK\"\n0 END last\n");
    slot.shape_count = 2;
    check_shape(peer, conn, &slot, "*2\r\n-ERR x\r\n*0\r\n",
                "0 ARRAY 2\n0   ERROR \"ERR x\"\n0   ARRAY 0\n0   END\n0 END last\n");
    check_shape(peer, conn, &slot, "*-1\r\n", "0 NULL last\n");
    check_shape(peer, conn, &slot, "-EXECABORT x\r\n", "0 ERROR \"EXECABORT x\" last\n");
    kvw_conn_free(conn);
}

/* A transaction's reply has as many elements as the transaction has commands. */
static void test_transaction_of_another_length(peer_t *peer)
{
    static const char *const wrong[] = {
        "*1\r\n:1\r\n", "*3\r\n:1\r\n:2\r\n:3\r\n", "*0\r\n", "*?\r\n:1\r\n.\r\n", "+OK\r\n",
    };
    static const uint8_t each[] = {KVW_SHAPE_RAW, KVW_SHAPE_RAW};

    for (size_t at = 0; at < sizeof(wrong) / sizeof(wrong[0]); at++) {
        kvw_conn_t *conn = peer_connect(peer);
        const kvw_prefix_t none = {"", 0, 0};
        const kvw_arg_t args[] = {{.ptr = "EXEC", .len = 4}};
        kvw_event_t event;
        int user;
        kvw_slot_t slot = {
            .user = &user, .shape = KVW_SHAPE_EACH, .shapes = each, .shape_count = 2};

        CHECK_INT(kvw_conn_submit(conn, &none, args, 1, &slot), 0);
        flush(conn);
        peer_send(peer, wrong[at]);
        kvw_conn_ready(conn);
        while (kvw_conn_next(conn, &event) == KVW_STATUS_ITEM) {
        }
        CHECK_INT(kvw_conn_error(conn, NULL), KVW_EPROTOCOL);
        kvw_conn_free(conn);
    }
}

static void test_contradiction(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    kvw_event_t event;
    kvw_lost_t lost;
    int user;

    submit_shaped(conn, "HGETALL", &user, 3, KVW_SHAPE_MAP);
    flush(conn);
    peer_send(peer, "*3\r\n:1\r\n:2\r\n:3\r\n");
    kvw_conn_ready(conn);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ERROR);
    CHECK_INT(kvw_conn_error(conn, NULL), KVW_EPROTOCOL);
    CHECK_INT(kvw_conn_drop(conn, &lost), 1);
    CHECK_INT(lost.slot.index, 3);
    CHECK_INT(lost.maybe_executed, 1);
    kvw_conn_free(conn);
}

/* ---- what must not be there --------------------------------------------------------------- */

static void check_fatal(peer_t *peer, unsigned commands, const char *reply, int err,
                        const char *message)
{
    char expected[512];
    size_t len = strlen(reply);

    for (int split = 0; split < 2; split++) {
        kvw_conn_t *conn = peer_connect(peer);
        kvw_event_t event;
        kvw_lost_t lost;
        const char *text;
        unsigned complete = 0;
        int user;

        for (unsigned n = 0; n < commands; n++)
            submit(conn, "GET", &user);
        flush(conn);
        for (size_t at = 0, step = split ? 1 : len; at < len; at += step) {
            peer_send_bytes(peer, reply + at, step);
            if (kvw_conn_ready(conn) != 0)
                break;
            while (kvw_conn_next(conn, &event) == KVW_STATUS_ITEM)
                complete += (event.item.flags & KVW_ITEM_LAST) != 0;
            if (kvw_conn_state(conn) == KVW_STATE_CLOSED)
                break;
        }
        CHECK_INT(kvw_conn_state(conn), KVW_STATE_CLOSED);
        CHECK_INT(kvw_conn_error(conn, &text), err);
        if (!split) {
            snprintf(expected, sizeof(expected), message, peer->path);
            CHECK_STR(text, expected);
        }
        /* It stays so, and every call learns of it. */
        CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ERROR);
        CHECK_INT(kvw_conn_recv(conn), err);
        CHECK_INT(kvw_conn_ready(conn), err);
        CHECK_INT(flush(conn), err);
        CHECK_INT(submit(conn, "GET", &user), err);
        for (; complete < commands; complete++) {
            CHECK_INT(kvw_conn_drop(conn, &lost), 1);
            CHECK_INT(lost.err, err);
            CHECK_INT(lost.maybe_executed, 1);
        }
        CHECK_INT(kvw_conn_drop(conn, &lost), 0);
        kvw_conn_free(conn);
    }
}

static void test_fatal(peer_t *peer)
{
    check_fatal(peer, 0, "+OK\r\n", KVW_ESURPLUS,
                "valkey server %s sent a reply that no command asked for: '+OK\\r\\n'");
    check_fatal(peer, 1, ":1\r\n$4\r\nNEXT\r\n", KVW_ESURPLUS,
                "valkey server %s sent a reply that no command asked for: '$4\\r\\nNEXT\\r\\n'");
    check_fatal(peer, 2, ":1\r\n?what\r\n", KVW_EPROTOCOL,
                "valkey server %s sent a malformed reply (unknown type) at '?what\\r\\n'");
    check_fatal(peer, 1, "$3\r\nabcd\r\n", KVW_EPROTOCOL,
                "valkey server %s sent a malformed reply (string without terminator) at "
                "'abcd\\r\\n'");
    check_fatal(peer, 1, "$-2\r\n", KVW_EPROTOCOL,
                "valkey server %s sent a malformed reply (length is not a number) at '$-2\\r\\n'");
    check_fatal(peer, 1, "$99999999999\r\n", KVW_ETOOBIG,
                "valkey server %s sent a malformed reply (string longer than the limit) at "
                "'$99999999999\\r\\n'");
}

/* A reply cannot answer a command that has not been sent. */
static void test_early_reply(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    kvw_event_t event;
    kvw_lost_t lost;
    int user;

    submit(conn, "GET", &user);
    peer_send(peer, "$1\r\nx\r\n");
    kvw_conn_ready(conn);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ERROR);
    CHECK_INT(kvw_conn_error(conn, NULL), KVW_ESURPLUS);
    CHECK_INT(kvw_conn_drop(conn, &lost), 1);
    CHECK_INT(lost.maybe_executed, 0);
    kvw_conn_free(conn);

    /* Nor can a large one. */
    conn = peer_connect(peer);
    submit(conn, "GET", &user);
    peer_send(peer, "$100000\r\nx");
    kvw_conn_ready(conn);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ERROR);
    CHECK_INT(kvw_conn_error(conn, NULL), KVW_ESURPLUS);
    kvw_conn_free(conn);
}

static void test_end(peer_t *peer)
{
    kvw_conn_t *conn = peer_connect(peer);
    kvw_event_t event;
    kvw_lost_t lost;
    const char *text;
    char expected[128];
    int user;

    submit_shaped(conn, "GET", &user, 1, KVW_SHAPE_RAW);
    submit_shaped(conn, "GET", &user, 2, KVW_SHAPE_RAW);
    flush(conn);
    submit_shaped(conn, "GET", &user, 3, KVW_SHAPE_RAW);
    peer_send(peer, "$1\r\nx\r\n$5\r\nun");
    peer_drain(peer);
    peer_hang_up(peer);
    CHECK_INT(kvw_conn_ready(conn), 0);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
    CHECK_INT(event.slot.index, 1);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_MORE);
    CHECK_INT(kvw_conn_ready(conn), KVW_EEOF);
    snprintf(expected, sizeof(expected), "valkey server %s closed the connection", peer->path);
    CHECK_INT(kvw_conn_error(conn, &text), KVW_EEOF);
    CHECK_STR(text, expected);
    CHECK_INT(kvw_conn_drop(conn, &lost), 1);
    CHECK_INT(lost.slot.index, 2);
    CHECK_INT(lost.maybe_executed, 1);
    CHECK_INT(kvw_conn_drop(conn, &lost), 1);
    CHECK_INT(lost.slot.index, 3);
    CHECK_INT(lost.maybe_executed, 0);
    CHECK_INT(kvw_conn_drop(conn, &lost), 0);
    kvw_conn_free(conn);

    /* What the server said before it went is heard although sending to it fails. */
    conn = peer_connect(peer);
    submit_shaped(conn, "GET", &user, 1, KVW_SHAPE_RAW);
    flush(conn);
    peer_drain(peer);
    peer_send(peer, "$1\r\nx\r\n");
    peer_hang_up(peer);
    submit_shaped(conn, "GET", &user, 2, KVW_SHAPE_RAW);
    CHECK_INT(flush(conn), 0);
    CHECK_INT(kvw_conn_wants(conn), KVW_WANT_READ);
    CHECK_INT(kvw_conn_ready(conn), 0);
    CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_ITEM);
    CHECK_INT(event.slot.index, 1);
    CHECK(kvw_conn_ready(conn) < 0);
    CHECK_INT(kvw_conn_drop(conn, &lost), 1);
    CHECK_INT(lost.slot.index, 2);
    CHECK_INT(lost.maybe_executed, 0);
    kvw_conn_free(conn);
}

int main(void)
{
    peer_t peer;

    peer_open(&peer);
    test_every_split(&peer);
    test_sizes(&peer);
    test_many(&peer);
    test_shapes(&peer);
    test_transaction_of_another_length(&peer);
    test_transaction_of_another_length(&peer);
    test_contradiction(&peer);
    test_fatal(&peer);
    test_early_reply(&peer);
    test_end(&peer);
    peer_close(&peer);
    return test_result();
}
