/* From a connected socket to an open connection.
 *
 * First HELLO, with AUTH and SETNAME in it; or, for RESP2 and for a server that has no HELLO, AUTH
 * and CLIENT SETNAME by themselves. Then, in one send, SELECT and CLIENT SETINFO, of which the
 * latter may fail: servers older than it work as well. */
#include "os.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "config.h"
#include "conn_impl.h"
#include "kvwire/version.h"
#include "num.h"

/* How much of what a server says goes into a message. */
#define SAID_MAX 160

static int is_ok(const kvw_item_t *item)
{
    return item->type == KVW_SIMPLE && item->len == 2 && memcmp(item->ptr, "OK", 2) == 0;
}

static int begins_with(const kvw_item_t *item, const char *text)
{
    size_t len = strlen(text);

    return item->ptr != NULL && item->len >= len && strncasecmp(item->ptr, text, len) == 0;
}

/* ---- commands ----------------------------------------------------------------------------- */

static const char *const step_names[] = {
    [KVW__STEP_HELLO] = "HELLO",   [KVW__STEP_AUTH] = "AUTH",       [KVW__STEP_SETNAME] = "SETNAME",
    [KVW__STEP_SELECT] = "SELECT", [KVW__STEP_SETINFO] = "SETINFO",
};

static kvw_arg_t word(const char *text)
{
    return (kvw_arg_t){.ptr = text, .len = strlen(text)};
}

static int add(kvw_conn_t *conn, kvw__step_t step, const kvw_arg_t *args, size_t count)
{
    static const kvw_prefix_t none = {"", 0, 0};
    kvw__handshake_t *handshake = &conn->handshake;

    handshake->steps[handshake->count++] = (uint8_t)step;
    return kvw__writer_command(&handshake->out, &none, args, count);
}

/* All the room at once: a buffer that moves would leave the password behind. */
static int reserve(kvw_conn_t *conn)
{
    const kvw_config_t *config = &conn->config;
    size_t len = 512;

    len += config->username != NULL ? strlen(config->username) : 0;
    len += config->password != NULL ? strlen(config->password) : 0;
    len += config->client_name != NULL ? strlen(config->client_name) : 0;
    return kvw__writer_reserve(&conn->handshake.out, len);
}

static int add_hello(kvw_conn_t *conn)
{
    const kvw_config_t *config = &conn->config;
    kvw_arg_t args[7];
    size_t count = 0;

    args[count++] = word("HELLO");
    args[count++] = word("3");
    if (config->password != NULL) {
        args[count++] = word("AUTH");
        args[count++] = word(config->username != NULL ? config->username : "default");
        args[count++] = word(config->password);
    }
    if (config->client_name != NULL) {
        args[count++] = word("SETNAME");
        args[count++] = word(config->client_name);
    }
    return add(conn, KVW__STEP_HELLO, args, count);
}

static int add_auth(kvw_conn_t *conn)
{
    const kvw_config_t *config = &conn->config;
    kvw_arg_t args[3];
    size_t count = 0;

    args[count++] = word("AUTH");
    if (config->username != NULL)
        args[count++] = word(config->username);
    args[count++] = word(config->password);
    return add(conn, KVW__STEP_AUTH, args, count);
}

static int add_setname(kvw_conn_t *conn)
{
    const kvw_arg_t args[] = {word("CLIENT"), word("SETNAME"), word(conn->config.client_name)};

    return add(conn, KVW__STEP_SETNAME, args, 3);
}

static int add_select(kvw_conn_t *conn)
{
    char digits[KVW__INT_LEN];
    const kvw_arg_t args[] = {word("SELECT"),
                              {.ptr = digits, .len = kvw__int_format(conn->config.db, digits)}};

    return add(conn, KVW__STEP_SELECT, args, 2);
}

static int add_setinfo(kvw_conn_t *conn, const char *what, const char *value)
{
    const kvw_arg_t args[] = {word("CLIENT"), word("SETINFO"), word(what), word(value)};

    return add(conn, KVW__STEP_SETINFO, args, 4);
}

static int add_resp2(kvw_conn_t *conn)
{
    int err = 0;

    conn->handshake.protocol = 2;
    if (conn->config.password != NULL)
        err = add_auth(conn);
    if (err == 0 && conn->config.client_name != NULL)
        err = add_setname(conn);
    return err;
}

static int add_last(kvw_conn_t *conn)
{
    int err = 0;

    conn->handshake.last = 1;
    if (conn->config.db != 0)
        err = add_select(conn);
    if (err == 0)
        err = add_setinfo(conn, "LIB-NAME", "kvwire");
    if (err == 0)
        err = add_setinfo(conn, "LIB-VER", KVW_VERSION_STRING);
    return err;
}

static int die_of_memory(kvw_conn_t *conn)
{
    return kvw__conn_die(conn, KVW_ENOMEM, "out of memory while connecting to valkey server %s",
                         conn->peer);
}

int kvw__handshake_start(kvw_conn_t *conn)
{
    int err = reserve(conn);

    if (err == 0)
        err = conn->config.protocol == 2 ? add_resp2(conn) : add_hello(conn);
    if (err == 0 && conn->handshake.count == 0)
        err = add_last(conn);
    return err != 0 ? die_of_memory(conn) : 0;
}

/* Every reply is there: what next? */
static int proceed(kvw_conn_t *conn)
{
    kvw__handshake_t *handshake = &conn->handshake;
    int err = 0;

    handshake->at = handshake->count = 0;
    if (handshake->last) {
        const char *bytes;

        conn->protocol = handshake->protocol;
        conn->drained = kvw__conn_at_hand(conn, &bytes) == 0;
        kvw__handshake_free(conn);
        kvw__config_forget(&conn->config);
        kvw__conn_set_state(conn, KVW_STATE_OPEN);
        return 0;
    }
    if (handshake->fall_back)
        err = add_resp2(conn);
    handshake->fall_back = 0;
    if (err == 0 && handshake->count == 0)
        err = add_last(conn);
    return err != 0 ? die_of_memory(conn) : 0;
}

void kvw__handshake_free(kvw_conn_t *conn)
{
    kvw__writer_wipe(&conn->handshake.out);
}

/* ---- replies ------------------------------------------------------------------------------ */

/* Keep the word that an error begins with. */
static void keep_code(kvw_conn_t *conn, const kvw_item_t *item)
{
    size_t len = 0;

    while (len < item->len && len < sizeof(conn->code) - 1 && item->ptr[len] > ' ') {
        conn->code[len] = item->ptr[len];
        len++;
    }
    conn->code[len] = '\0';
}

static int die_refused(kvw_conn_t *conn, kvw__step_t step, const kvw_item_t *item)
{
    int is_auth =
        step == KVW__STEP_AUTH || begins_with(item, "WRONGPASS") || begins_with(item, "NOAUTH");
    char said[SAID_MAX + 64];

    kvw__text_quote(conn, item->ptr, item->ptr != NULL ? item->len : 0, SAID_MAX, said,
                    sizeof(said));
    if (item->ptr != NULL)
        keep_code(conn, item);
    if (is_auth && conn->config.password == NULL)
        return kvw__conn_die(conn, KVW_EAUTH,
                             "valkey server %s wants a password, and none was given: '%s'",
                             conn->peer, said);
    if (is_auth)
        return kvw__conn_die(conn, KVW_EAUTH, "valkey server %s refused the authentication: '%s'",
                             conn->peer, said);
    return kvw__conn_die(conn, KVW_EHANDSHAKE, "valkey server %s refused %s: '%s'", conn->peer,
                         step_names[step], said);
}

/* Whether the server answers HELLO as those do that do not have it, or not this protocol. One that
 * wants a password says NOAUTH to commands that it does not know; to a HELLO that carries one it
 * would say whether that is right. */
static int has_no_hello(const kvw_conn_t *conn, const kvw_item_t *item)
{
    return begins_with(item, "NOPROTO") || begins_with(item, "ERR unknown command") ||
           (conn->config.password != NULL && begins_with(item, "NOAUTH"));
}

/* The first item of a reply, which says all there is to know. 0 or the sticky error. */
static int judge(kvw_conn_t *conn, const kvw_item_t *item)
{
    kvw__handshake_t *handshake = &conn->handshake;
    kvw__step_t step = (kvw__step_t)handshake->steps[handshake->at];
    int good;

    if (item->type == KVW_ERROR) {
        if (step == KVW__STEP_SETINFO && !begins_with(item, "NOAUTH"))
            return 0;
        if (step == KVW__STEP_HELLO && conn->config.protocol == 0 && has_no_hello(conn, item)) {
            handshake->fall_back = 1;
            return 0;
        }
        return die_refused(conn, step, item);
    }
    good = step == KVW__STEP_SETINFO || is_ok(item);
    if (step == KVW__STEP_HELLO) {
        handshake->protocol = 3;
        good = item->type == KVW_MAP;
    }
    if (good)
        return 0;
    return kvw__conn_die(conn, KVW_EHANDSHAKE,
                         "valkey server %s gave an answer to %s that makes no sense", conn->peer,
                         step_names[step]);
}

/* Read what has come. 0, also when more is to come, or the sticky error. */
static int read_replies(kvw_conn_t *conn)
{
    kvw__handshake_t *handshake = &conn->handshake;

    for (;;) {
        kvw_item_t item;
        kvw_status_t status = kvw__conn_item(conn, &item);

        if (status != KVW_STATUS_ITEM)
            return status == KVW_STATUS_MORE ? 0 : conn->err;
        if (item.depth == 0 && item.type != KVW_END) {
            int err = judge(conn, &item);

            if (err != 0)
                return err;
        }
        if (!(item.flags & KVW_ITEM_LAST))
            continue;
        kvw__conn_end_reply(conn);
        if (++handshake->at == handshake->count)
            return proceed(conn);
    }
}

static void send_commands(kvw_conn_t *conn)
{
    kvw__writer_t *out = &conn->handshake.out;
    kvw__segments_t none;
    struct iovec part;

    kvw__segments_init(&none);
    while (kvw__writer_gather(out, &part, 1) != 0) {
        ssize_t len = conn->link.transport->send(&conn->link, &part, 1);

        if (len < 0) {
            /* Receiving tells more, for the server may have said why. */
            conn->send_err = len == -EAGAIN ? 0 : (int)-len;
            return;
        }
        kvw__writer_sent(out, (size_t)len, &none);
    }
}

int kvw__handshake_go_on(kvw_conn_t *conn)
{
    while (kvw__conn_get_state(conn) == KVW_STATE_HANDSHAKE) {
        int64_t received;
        int err;

        send_commands(conn);
        received = kvw__conn_receive(conn, 0);
        if (received <= 0)
            return (int)received;
        err = read_replies(conn);
        if (err != 0)
            return err;
    }
    return 0;
}
