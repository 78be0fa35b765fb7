/* From nothing to an open connection, or to one sentence that says why not. */
#include <arpa/inet.h>
#include <netinet/in.h>

#include "peer.h"

#define AUTH2 "*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n"

/* One exchange: what the server must receive, what it answers. */
typedef struct exchange {
    const char *command, *reply;
} exchange_t;

/* Connect and play the exchanges; with `split`, the replies come byte by byte. */
static kvw_conn_t *play(peer_t *peer, const kvw_config_t *config, const exchange_t *exchanges,
                        size_t count, int split)
{
    kvw_conn_t *conn = kvw_conn_new(config);

    CHECK_INT(kvw_conn_start(conn), 0);
    peer_accept(peer);
    for (size_t at = 0; at < count; at++) {
        const char *reply = exchanges[at].reply;
        size_t len = strlen(reply);

        PEER_EXPECT(peer, exchanges[at].command);
        for (size_t sent = 0, step = split ? 1 : len; sent < len; sent += step) {
            peer_send_bytes(peer, reply + sent, step);
            if (kvw_conn_ready(conn) != 0)
                return conn;
        }
    }
    return conn;
}

static void check_open(peer_t *peer, const kvw_config_t *config, const exchange_t *exchanges,
                       size_t count, int protocol)
{
    for (int split = 0; split < 2; split++) {
        kvw_conn_t *conn = play(peer, config, exchanges, count, split);
        kvw_event_t event;

        CHECK_INT(kvw_conn_state(conn), KVW_STATE_OPEN);
        CHECK_INT(kvw_conn_protocol(conn), protocol);
        CHECK_INT(kvw_conn_error(conn, NULL), 0);
        PEER_EXPECT(peer, "");
        CHECK_INT(kvw_conn_next(conn, &event), KVW_STATUS_MORE);
        kvw_conn_free(conn);
    }
}

static void check_refused(peer_t *peer, const kvw_config_t *config, const exchange_t *exchanges,
                          size_t count, int err, const char *code, const char *message)
{
    for (int split = 0; split < 2; split++) {
        kvw_conn_t *conn = play(peer, config, exchanges, count, split);
        const char *text;
        char expected[512];

        snprintf(expected, sizeof(expected), message, peer->path);
        CHECK_INT(kvw_conn_state(conn), KVW_STATE_CLOSED);
        CHECK_INT(kvw_conn_error(conn, &text), err);
        CHECK_STR(text, expected);
        CHECK_STR(kvw_conn_error_code(conn), code);
        CHECK_INT(kvw_conn_protocol(conn), 0);
        CHECK_INT(kvw_conn_fd(conn), -1);
        CHECK_INT(submit(conn, "PING", conn), err);
        kvw_conn_free(conn);
    }
}

#define CHECK_OPEN(peer, config, protocol, ...)                                                  \
    do {                                                                                         \
        const exchange_t exchanges[] = {__VA_ARGS__};                                            \
        check_open(peer, config, exchanges, sizeof(exchanges) / sizeof(exchanges[0]), protocol); \
    } while (0)

#define CHECK_REFUSED(peer, config, err, code, message, ...)                                  \
    do {                                                                                      \
        const exchange_t exchanges[] = {__VA_ARGS__};                                         \
        check_refused(peer, config, exchanges, sizeof(exchanges) / sizeof(exchanges[0]), err, \
                      code, message);                                                         \
    } while (0)

#define SETINFO                            \
    {                                      \
        SETINFO_COMMANDS, "+OK\r\n+OK\r\n" \
    }

static void test_accepted(peer_t *peer)
{
    const kvw_config_t plain = peer_config(peer);
    kvw_config_t config = plain;

    CHECK_OPEN(peer, &config, 3, {HELLO_COMMAND, HELLO_REPLY}, SETINFO);
    /* SETINFO is younger than HELLO. */
    CHECK_OPEN(peer, &config, 3, {HELLO_COMMAND, HELLO_REPLY},
               {SETINFO_COMMANDS, "-ERR unknown subcommand\r\n-ERR unknown subcommand\r\n"});
    /* Attributes and pushes may come at any time. */
    CHECK_OPEN(peer, &config, 3,
               {HELLO_COMMAND, ">2\r\n+invalidate\r\n*1\r\n+k\r\n|1\r\n+a\r\n+b\r\n" HELLO_REPLY},
               {SETINFO_COMMANDS, "+OK\r\n>1\r\n+hi\r\n+OK\r\n"});

    config.password = "secret";
    CHECK_OPEN(peer, &config, 3,
               {"*5\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$7\r\ndefault\r\n$6\r\nsecret\r\n",
                HELLO_REPLY},
               SETINFO);
    config.username = "ann";
    config.client_name = "me";
    config.db = 12;
    CHECK_OPEN(peer, &config, 3,
               {"*7\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$3\r\nann\r\n$6\r\nsecret\r\n"
                "$7\r\nSETNAME\r\n$2\r\nme\r\n",
                HELLO_REPLY},
               {"*2\r\n$6\r\nSELECT\r\n$2\r\n12\r\n" SETINFO_COMMANDS, "+OK\r\n+OK\r\n+OK\r\n"});

    config = plain;
    config.protocol = 2;
    CHECK_OPEN(peer, &config, 2, SETINFO);
    config.password = "secret";
    CHECK_OPEN(peer, &config, 2, {AUTH2, "+OK\r\n"}, SETINFO);
    config.username = "ann";
    config.client_name = "me";
    CHECK_OPEN(peer, &config, 2,
               {"*3\r\n$4\r\nAUTH\r\n$3\r\nann\r\n$6\r\nsecret\r\n"
                "*3\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n$2\r\nme\r\n",
                "+OK\r\n+OK\r\n"},
               SETINFO);
}

static void test_fallback(peer_t *peer)
{
    static const char *const answers[] = {
        "-ERR unknown command 'HELLO'\r\n", "-ERR unknown command `HELLO`, with args beginning\r\n",
        "-NOPROTO unsupported protocol version\r\n", "-err Unknown Command\r\n"};
    kvw_config_t config = peer_config(peer);

    for (size_t at = 0; at < sizeof(answers) / sizeof(answers[0]); at++)
        CHECK_OPEN(peer, &config, 2, {HELLO_COMMAND, answers[at]}, SETINFO);
    config.password = "secret";
    config.client_name = "me";
    CHECK_OPEN(peer, &config, 2,
               {"*7\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$7\r\ndefault\r\n$6\r\nsecret\r\n"
                "$7\r\nSETNAME\r\n$2\r\nme\r\n",
                answers[0]},
               {AUTH2 "*3\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n$2\r\nme\r\n", "+OK\r\n+OK\r\n"},
               SETINFO);
    /* Whoever asks for RESP3 gets that or an error, in which the password does not stand. */
    config.protocol = 3;
    config.client_name = NULL;
    CHECK_REFUSED(
        peer, &config, KVW_EHANDSHAKE, "ERR",
        "valkey server %s refused HELLO: 'ERR unknown command `HELLO`, with args "
        "beginning with: `3`, `AUTH`, `default`, `***`, '",
        {"*5\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$7\r\ndefault\r\n$6\r\nsecret\r\n",
         "-ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, "
         "`default`, `secret`, \r\n"});
}

static void test_refused(peer_t *peer)
{
    kvw_config_t config = peer_config(peer);

    CHECK_REFUSED(
        peer, &config, KVW_EAUTH, "NOAUTH",
        "valkey server %s wants a password, and none was given: 'NOAUTH HELLO must be called'",
        {HELLO_COMMAND, "-NOAUTH HELLO must be called\r\n"});
    CHECK_REFUSED(peer, &config, KVW_EHANDSHAKE, "DENIED",
                  "valkey server %s refused HELLO: 'DENIED protected mode'",
                  {HELLO_COMMAND, "-DENIED protected mode\r\n"});
    CHECK_REFUSED(peer, &config, KVW_EHANDSHAKE, "ERR",
                  "valkey server %s refused HELLO: 'ERR max number of clients reached'",
                  {HELLO_COMMAND, "!33\r\nERR max number of clients reached\r\n"});
    /* An old server without HELLO that wants a password nobody gave. */
    CHECK_REFUSED(
        peer, &config, KVW_EAUTH, "NOAUTH",
        "valkey server %s wants a password, and none was given: 'NOAUTH Authentication required.'",
        {HELLO_COMMAND, "-ERR unknown command 'HELLO'\r\n"},
        {SETINFO_COMMANDS, "-NOAUTH Authentication required.\r\n"});
    config.db = 99;
    CHECK_REFUSED(peer, &config, KVW_EHANDSHAKE, "ERR",
                  "valkey server %s refused SELECT: 'ERR DB index is out of range'",
                  {HELLO_COMMAND, HELLO_REPLY},
                  {"*2\r\n$6\r\nSELECT\r\n$2\r\n99\r\n" SETINFO_COMMANDS,
                   "-ERR DB index is out of range\r\n+OK\r\n+OK\r\n"});
    config.db = 0;
    config.password = "secret";
    CHECK_REFUSED(
        peer, &config, KVW_EAUTH, "WRONGPASS",
        "valkey server %s refused the authentication: 'WRONGPASS invalid pair'",
        {"*5\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$7\r\ndefault\r\n$6\r\nsecret\r\n",
         "-WRONGPASS invalid pair\r\n"});
    config.protocol = 2;
    CHECK_REFUSED(peer, &config, KVW_EAUTH, "ERR",
                  "valkey server %s refused the authentication: 'ERR invalid password'",
                  {AUTH2, "-ERR invalid password\r\n"});
    config.client_name = "a b";
    CHECK_REFUSED(peer, &config, KVW_EHANDSHAKE, "ERR",
                  "valkey server %s refused SETNAME: 'ERR no spaces'",
                  {AUTH2 "*3\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n$3\r\na b\r\n",
                   "+OK\r\n-ERR no spaces\r\n"});
}

static void test_strangers(peer_t *peer)
{
    kvw_config_t config = peer_config(peer);
    kvw_conn_t *conn;
    const char *text;
    char expected[256];

    CHECK_REFUSED(peer, &config, KVW_EPROTOCOL, "", "%s does not speak RESP: it sent 'H'",
                  {HELLO_COMMAND, "H"});
    CHECK_REFUSED(peer, &config, KVW_EHANDSHAKE, "",
                  "valkey server %s gave an answer to HELLO that makes no sense",
                  {HELLO_COMMAND, "+OK\r\n"});
    CHECK_REFUSED(peer, &config, KVW_EHANDSHAKE, "",
                  "valkey server %s gave an answer to HELLO that makes no sense",
                  {HELLO_COMMAND, HELLO_COMMAND});
    config.protocol = 2;
    config.password = "secret";
    CHECK_REFUSED(peer, &config, KVW_EHANDSHAKE, "",
                  "valkey server %s gave an answer to AUTH that makes no sense",
                  {AUTH2, "$-1\r\n"});
    config = peer_config(peer);

    conn = kvw_conn_new(&config);
    kvw_conn_start(conn);
    peer_accept(peer);
    peer_send(peer, "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
                    "It's \x01\xff\\");
    kvw_conn_ready(conn);
    snprintf(expected, sizeof(expected),
             "%s does not speak RESP: it sent 'HTTP/1.1 400 Bad Request\\r\\nContent-Type: "
             "text/plain; charset=utf-...'",
             peer->path);
    CHECK_INT(kvw_conn_error(conn, &text), KVW_EPROTOCOL);
    CHECK_STR(text, expected);
    kvw_conn_free(conn);

    conn = kvw_conn_new(&config);
    kvw_conn_start(conn);
    peer_accept(peer);
    peer_send_bytes(peer, "it's \x01\xff\\\t\0", 10);
    kvw_conn_ready(conn);
    snprintf(expected, sizeof(expected),
             "%s does not speak RESP: it sent 'it\\'s \\x01\\xff\\\\\\t\\x00'", peer->path);
    CHECK_INT(kvw_conn_error(conn, &text), KVW_EPROTOCOL);
    CHECK_STR(text, expected);
    kvw_conn_free(conn);

    conn = kvw_conn_new(&config);
    kvw_conn_start(conn);
    peer_accept(peer);
    peer_drain(peer);
    peer_hang_up(peer);
    kvw_conn_ready(conn);
    snprintf(expected, sizeof(expected),
             "valkey server %s closed the connection during the handshake", peer->path);
    CHECK_INT(kvw_conn_error(conn, &text), KVW_EEOF);
    CHECK_STR(text, expected);
    kvw_conn_free(conn);
}

/* What is submitted before the connection is open leaves when it is. */
static void test_waiting_commands(peer_t *peer)
{
    kvw_config_t config = peer_config(peer);
    kvw_conn_t *conn = kvw_conn_new(&config);
    int user;

    CHECK_INT(submit(conn, "FIRST", &user), 0);
    CHECK_INT(flush(conn), 0);
    CHECK_INT(kvw_conn_wants(conn), 0);
    CHECK_INT(kvw_conn_ready(conn), 0);
    CHECK_INT(kvw_conn_start(conn), 0);
    CHECK_INT(submit(conn, "SECOND", &user), 0);
    CHECK_INT(flush(conn), 0);
    CHECK_INT(kvw_conn_unflushed(conn), 1);
    peer_shake_hands(peer, conn);
    CHECK_INT(kvw_conn_unflushed(conn), 0);
    PEER_EXPECT(peer, "*1\r\n$5\r\nFIRST\r\n*1\r\n$6\r\nSECOND\r\n");
    CHECK_INT(kvw_conn_in_flight(conn), 2);
    kvw_conn_free(conn);
}

static void check_start_fails(const kvw_config_t *config, int err, const char *message)
{
    kvw_conn_t *conn = kvw_conn_new(config);
    const char *text;

    CHECK_INT(kvw_conn_start(conn), err);
    CHECK_INT(kvw_conn_start(conn), err);
    CHECK_INT(kvw_conn_error(conn, &text), err);
    CHECK_STR(text, message);
    CHECK_INT(kvw_conn_ready(conn), err);
    kvw_conn_free(conn);
}

static void test_bad_configurations(void)
{
    char long_path[200];
    char expected[300];
    kvw_config_t config = {.transport = KVW_TRANSPORT_UNIX, .connect_timeout = SECOND};

    check_start_fails(&config, KVW_EINVAL, "a Unix socket needs a path");
    config.path = "/nowhere/at/all";
    check_start_fails(&config, KVW_ECONNECT, "valkey server /nowhere/at/all: no such socket");
    memset(long_path, 'x', sizeof(long_path) - 1);
    long_path[sizeof(long_path) - 1] = '\0';
    config.path = long_path;
    snprintf(expected, sizeof(expected), "valkey server %s: the path of the socket is too long",
             long_path);
    check_start_fails(&config, KVW_EINVAL, expected);
    config = (kvw_config_t){.connect_timeout = SECOND};
    check_start_fails(&config, KVW_EINVAL, "a TCP connection needs a host");
    config.host = "127.0.0.1";
    config.protocol = 4;
    check_start_fails(&config, KVW_EINVAL, "there is no protocol 4: 2, 3, or 0 for either");
    config.protocol = 0;
    config.transport = 7;
    check_start_fails(&config, KVW_EINVAL, "there is no transport 7");
}

int main(void)
{
    peer_t peer;

    peer_open(&peer);
    test_accepted(&peer);
    test_fallback(&peer);
    test_refused(&peer);
    test_strangers(&peer);
    test_waiting_commands(&peer);
    test_bad_configurations();
    peer_close(&peer);
    return test_result();
}
