/* The life of a connection: making, opening, closing, failing. */
#include "os.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "config.h"
#include "conn_impl.h"
#include "kvwire/alloc.h"

/* ---- making ------------------------------------------------------------------------------- */

static char *make_peer(const kvw_config_t *config)
{
    int is_unix = config->transport == KVW_TRANSPORT_UNIX;
    const char *name = is_unix ? config->path : config->host;
    const char *format = name != NULL && strchr(name, ':') != NULL ? "[%s]:%u" : "%s:%u";
    size_t cap;
    char *peer;

    if (name == NULL)
        name = "";
    cap = strlen(name) + sizeof("[]:65535");
    peer = kvw_malloc(cap);
    if (peer == NULL)
        return NULL;
    if (is_unix)
        memcpy(peer, name, strlen(name) + 1);
    else
        snprintf(peer, cap, format, name, (unsigned)config->port);
    return peer;
}

kvw_conn_t *kvw_conn_new(const kvw_config_t *config)
{
    kvw_conn_t *conn = kvw_malloc(sizeof(*conn));

    if (conn == NULL)
        return NULL;
    memset(conn, 0, sizeof(*conn));
    atomic_init(&conn->state, KVW_STATE_IDLE);
    atomic_init(&conn->has_done, 0);
    atomic_init(&conn->gone, 0);
    conn->link.fd = -1;
    conn->wake_fd = -1;
    conn->retired_fd = -1;
    conn->generation = kvw__fork_generation();
    conn->connect_by = KVW_NEVER;
    conn->attempt_by = KVW_NEVER;
    kvw__writer_init(&conn->writers[0]);
    kvw__writer_init(&conn->writers[1]);
    kvw__writer_init(&conn->handshake.out);
    kvw__slots_init(&conn->slots);
    kvw__segments_init(&conn->done);
    kvw_resp_init(&conn->parser, config->max_depth, config->max_bulk);
    if (kvw__config_copy(&conn->config, config) != 0) {
        kvw_free(conn);
        return NULL;
    }
    conn->peer = make_peer(config);
    if (conn->peer == NULL) {
        kvw__config_free(&conn->config);
        kvw_free(conn);
        return NULL;
    }
    return conn;
}

void kvw_conn_set_user(kvw_conn_t *conn, void *user, void (*release)(void *user))
{
    conn->user = user;
    conn->release_user = release;
}

void *kvw_conn_user(const kvw_conn_t *conn)
{
    return conn->user;
}

void kvw_conn_free(kvw_conn_t *conn)
{
    if (conn == NULL)
        return;
    kvw_conn_close(conn);
    kvw_conn_close(conn); /* its descriptor, too */
    kvw__connect_free(conn);
    kvw__handshake_free(conn);
    kvw__conn_stop_sending(conn);
    kvw_conn_release(conn);
    if (conn->release_user != NULL)
        conn->release_user(conn->user);
    kvw__conn_free_received(conn);
    kvw_resp_reset(&conn->parser);
    kvw__slots_free(&conn->slots);
    kvw__writer_free(&conn->writers[0]);
    kvw__writer_free(&conn->writers[1]);
    kvw__config_free(&conn->config);
    kvw_free(conn->peer);
    kvw_free(conn);
}

/* ---- opening ------------------------------------------------------------------------------ */

static void close_retired(kvw_conn_t *conn)
{
    int fd = conn->retired_fd;

    conn->retired_fd = -1;
    if (fd >= 0)
        close(fd);
}

static void close_all(kvw_conn_t *conn)
{
    int fd = conn->wake_fd;

    close_retired(conn);
    if (conn->link.fd >= 0)
        conn->link.transport->close(&conn->link);
    conn->wake_fd = -1;
    if (fd >= 0)
        close(fd);
}

void kvw__conn_retire(kvw_conn_t *conn, int fd)
{
    close_retired(conn);
    conn->retired_fd = fd;
}

int kvw__conn_advance(kvw_conn_t *conn)
{
    kvw_state_t state = kvw__conn_get_state(conn);
    int err = 0;

    if (state == KVW_STATE_RESOLVING || state == KVW_STATE_CONNECTING) {
        err = kvw__connect_go_on(conn);
        state = kvw__conn_get_state(conn);
    }
    if (err == 0 && state == KVW_STATE_HANDSHAKE) {
        err = kvw__handshake_go_on(conn);
        if (err == 0 && kvw__conn_get_state(conn) == KVW_STATE_OPEN)
            err = kvw_conn_flush(conn, kvw_now());
    }
    return err;
}

int kvw_conn_start(kvw_conn_t *conn)
{
    const kvw_config_t *config = &conn->config;
    int err;

    if (kvw__conn_get_state(conn) != KVW_STATE_IDLE)
        return conn->err;
    kvw__fork_watch();
    conn->generation = kvw__fork_generation();
    conn->connect_by = kvw__later(kvw_now(), config->connect_timeout);
    if (config->protocol != 0 && config->protocol != 2 && config->protocol != 3)
        return kvw__conn_die(conn, KVW_EINVAL, "there is no protocol %d: 2, 3, or 0 for either",
                             config->protocol);
    err = kvw__connect_start(conn);
    return err != 0 ? err : kvw__conn_advance(conn);
}

int kvw_conn_ready(kvw_conn_t *conn)
{
    int64_t received;

    switch (kvw__conn_get_state(conn)) {
    case KVW_STATE_IDLE:
        return 0;
    case KVW_STATE_CLOSED:
        return conn->err;
    case KVW_STATE_OPEN:
        if (conn->blocked) {
            int err = kvw_conn_flush(conn, kvw_now());

            if (err != 0)
                return err;
        }
        received = kvw_conn_recv(conn);
        return received < 0 ? (int)received : 0;
    default:
        if (kvw__conn_is_forked(conn))
            return kvw__conn_die_forked(conn);
        close_retired(conn);
        return kvw__conn_advance(conn);
    }
}

/* ---- failing and closing ------------------------------------------------------------------ */

static int die(kvw_conn_t *conn, int err)
{
    int forked = kvw__conn_is_forked(conn);

    conn->err = err;
    conn->body.mode = KVW__BODY_NONE;
    conn->body.memory = NULL;
    kvw__connect_free(conn);
    kvw__handshake_free(conn);
    kvw__config_forget(&conn->config);
    kvw__conn_guard(conn);
    kvw__conn_set_state(conn, KVW_STATE_CLOSED);
    if (!conn->sending)
        kvw__conn_stop_sending(conn);
    kvw__conn_unguard(conn);
    /* In a child process the conversation is the parent's, and so is what its event loop watches:
     * the copy of the descriptor just goes away. */
    if (conn->link.fd >= 0 && forked)
        conn->link.transport->close(&conn->link);
    else if (conn->link.fd >= 0)
        conn->link.transport->shutdown(&conn->link);
    return err;
}

int kvw__conn_die(kvw_conn_t *conn, int err, const char *format, ...)
{
    va_list args;

    if (kvw__conn_get_state(conn) == KVW_STATE_CLOSED)
        return conn->err;
    va_start(args, format);
    vsnprintf(conn->message, sizeof(conn->message), format, args);
    va_end(args);
    return die(conn, err);
}

#define FORKED_MESSAGE "the connection to valkey server %s belongs to the parent process"

int kvw__conn_die_forked(kvw_conn_t *conn)
{
    return kvw__conn_die(conn, KVW_EFORKED, FORKED_MESSAGE, conn->peer);
}

void kvw__conn_leave_to_parent(kvw_conn_t *conn)
{
    if (kvw__conn_get_state(conn) != KVW_STATE_CLOSED) {
        conn->err = KVW_EFORKED;
        snprintf(conn->message, sizeof(conn->message), FORKED_MESSAGE, conn->peer);
        kvw__conn_set_state(conn, KVW_STATE_CLOSED);
    }
    conn->sending = 0;
    conn->body.mode = KVW__BODY_NONE;
    conn->slots.head = conn->slots.tail;
    close_all(conn);
}

void kvw_conn_fail(kvw_conn_t *conn, int err, const char *message)
{
    if (message != NULL)
        kvw__conn_die(conn, err, "%s", message);
    else
        kvw__conn_die(conn, err, "valkey server %s: %s", conn->peer, kvw_err_message(err));
}

void kvw_conn_close(kvw_conn_t *conn)
{
    if (kvw__conn_get_state(conn) == KVW_STATE_CLOSED)
        close_all(conn);
    else
        kvw__conn_die(conn, KVW_ECLOSED, "the connection to valkey server %s has been closed",
                      conn->peer);
}

/* ---- looking at it ------------------------------------------------------------------------ */

kvw_state_t kvw_conn_state(const kvw_conn_t *conn)
{
    return kvw__conn_get_state(conn);
}

int kvw_conn_fd(const kvw_conn_t *conn)
{
    switch (kvw__conn_get_state(conn)) {
    case KVW_STATE_CLOSED:
        return -1;
    case KVW_STATE_RESOLVING:
        return conn->wake_fd;
    default:
        return conn->link.fd;
    }
}

int kvw_conn_wants(const kvw_conn_t *conn)
{
    switch (kvw__conn_get_state(conn)) {
    case KVW_STATE_RESOLVING:
        return KVW_WANT_READ;
    case KVW_STATE_CONNECTING:
        return conn->link.fd >= 0 ? KVW_WANT_WRITE : 0;
    case KVW_STATE_HANDSHAKE:
        return KVW_WANT_READ | (conn->handshake.out.unsent != 0 ? KVW_WANT_WRITE : 0);
    case KVW_STATE_OPEN:
        return KVW_WANT_READ | (conn->blocked ? KVW_WANT_WRITE : 0);
    default:
        return 0;
    }
}

int kvw_conn_error(const kvw_conn_t *conn, const char **message)
{
    int is_closed = kvw__conn_get_state(conn) == KVW_STATE_CLOSED;

    if (message != NULL)
        *message = is_closed ? conn->message : "";
    return is_closed ? conn->err : 0;
}

const char *kvw_conn_error_code(const kvw_conn_t *conn)
{
    return conn->code;
}

int kvw_conn_protocol(const kvw_conn_t *conn)
{
    return conn->protocol;
}

void *kvw_conn_user_at(const kvw_conn_t *conn, size_t place)
{
    return kvw__slots_at(&conn->slots, conn->slots.head + place)->call.user;
}

const char *kvw_conn_peer(const kvw_conn_t *conn)
{
    return conn->peer;
}
