/* From a name to a connected socket: every address in turn, within one deadline. */
#include "os.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "conn_impl.h"
#include "kvwire/alloc.h"

/* A Unix socket whose backlog is full cannot be waited for. */
#define RETRY_AFTER 5000000

static int set_addresses(kvw_conn_t *conn, const kvw__address_t *addresses, size_t count)
{
    conn->addresses = kvw_malloc(count * sizeof(*addresses));
    if (conn->addresses == NULL)
        return KVW_ENOMEM;
    memcpy(conn->addresses, addresses, count * sizeof(*addresses));
    conn->address_count = count;
    conn->address_at = 0;
    return 0;
}

void kvw__connect_free(kvw_conn_t *conn)
{
    kvw_free(conn->addresses);
    conn->addresses = NULL;
    conn->address_count = 0;
    if (conn->lookup != NULL)
        kvw__lookup_drop(conn->lookup);
    conn->lookup = NULL;
}

static int die_of_memory(kvw_conn_t *conn)
{
    return kvw__conn_die(conn, KVW_ENOMEM, "out of memory while connecting to valkey server %s",
                         conn->peer);
}

static int connected(kvw_conn_t *conn)
{
    kvw__connect_free(conn);
    conn->attempt_by = KVW_NEVER;
    kvw__conn_set_state(conn, KVW_STATE_HANDSHAKE);
    return kvw__handshake_start(conn);
}

static int die_unconnected(kvw_conn_t *conn)
{
    char text[80];
    const char *reason = kvw__text_errno(conn->attempt_err, text, sizeof(text));

    if (conn->address_count == 1)
        return kvw__conn_die(conn, KVW_ECONNECT, "valkey server %s: %s", conn->peer, reason);
    return kvw__conn_die(conn, KVW_ECONNECT, "valkey server %s: %s (the last of %zu addresses)",
                         conn->peer, reason, conn->address_count);
}

/* Of what is left of the time each address still to come gets the same share, so that one that
 * does not answer leaves some to the others. */
static int64_t share(const kvw_conn_t *conn)
{
    int64_t now = kvw_now();
    int64_t left = (int64_t)(conn->address_count - conn->address_at);

    if (left == 1 || conn->connect_by == KVW_NEVER)
        return conn->connect_by;
    return kvw__later(now, (conn->connect_by - now) / left);
}

/* Connect to the present address, or else to the ones after it. */
static int attempt(kvw_conn_t *conn)
{
    kvw__conn_set_state(conn, KVW_STATE_CONNECTING);
    for (; conn->address_at < conn->address_count; conn->address_at++) {
        int rc = conn->link.transport->connect(&conn->link, &conn->addresses[conn->address_at]);

        if (rc == 0)
            return connected(conn);
        if (rc == KVW__UNDER_WAY) {
            conn->attempt_by = share(conn);
            return 0;
        }
        conn->attempt_err = -rc;
        if (rc == -EAGAIN) {
            conn->attempt_by = kvw__later(kvw_now(), RETRY_AFTER);
            return 0;
        }
    }
    return die_unconnected(conn);
}

static int start_unix(kvw_conn_t *conn)
{
    kvw__address_t address;
    int rc;

    conn->link.transport = &kvw__unix;
    if (conn->config.path == NULL)
        return kvw__conn_die(conn, KVW_EINVAL, "a Unix socket needs a path");
    rc = kvw__unix_address(conn->config.path, &address);
    if (rc != 0)
        return kvw__conn_die(conn, KVW_EINVAL,
                             "valkey server %s: the path of the socket is too long", conn->peer);
    return set_addresses(conn, &address, 1) != 0 ? die_of_memory(conn) : attempt(conn);
}

static int start_tcp(kvw_conn_t *conn)
{
    const char *host = conn->config.host;
    kvw__address_t address;
    int err;

    conn->link.transport = &kvw__tcp;
    if (host == NULL || host[0] == '\0')
        return kvw__conn_die(conn, KVW_EINVAL, "a TCP connection needs a host");
    if (kvw__resolve_numeric(host, conn->config.port, &address))
        return set_addresses(conn, &address, 1) != 0 ? die_of_memory(conn) : attempt(conn);
    err = kvw__lookup_start(host, conn->config.port, &conn->lookup, &conn->wake_fd);
    if (err == KVW_ENOMEM)
        return die_of_memory(conn);
    if (err != 0)
        return kvw__conn_die(conn, err, "cannot resolve host '%s': no thread can be started", host);
    kvw__conn_set_state(conn, KVW_STATE_RESOLVING);
    return 0;
}

int kvw__connect_start(kvw_conn_t *conn)
{
    switch (conn->config.transport) {
    case KVW_TRANSPORT_TCP:
        return start_tcp(conn);
    case KVW_TRANSPORT_UNIX:
        return start_unix(conn);
    default:
        return kvw__conn_die(conn, KVW_EINVAL, "there is no transport %d", conn->config.transport);
    }
}

static int resolved(kvw_conn_t *conn)
{
    const kvw__address_t *addresses;
    const char *reason;
    size_t count;
    int err;

    if (!kvw__lookup_done(conn->lookup, &addresses, &count, &reason))
        return 0;
    if (count == 0)
        return kvw__conn_die(conn, KVW_ERESOLVE, "cannot resolve host '%s': %s", conn->config.host,
                             reason);
    err = set_addresses(conn, addresses, count);
    kvw__lookup_drop(conn->lookup);
    conn->lookup = NULL;
    kvw__conn_retire(conn, conn->wake_fd);
    conn->wake_fd = -1;
    return err != 0 ? die_of_memory(conn) : attempt(conn);
}

static int next_address(kvw_conn_t *conn, int attempt_err)
{
    conn->attempt_err = attempt_err;
    conn->address_at++;
    kvw__conn_retire(conn, conn->link.fd);
    conn->link.fd = -1;
    return attempt(conn);
}

int kvw__connect_go_on(kvw_conn_t *conn)
{
    int rc;

    if (kvw__conn_get_state(conn) == KVW_STATE_RESOLVING)
        return resolved(conn);
    if (conn->link.fd < 0)
        return 0;
    rc = conn->link.transport->connected(&conn->link);
    if (rc == KVW__UNDER_WAY)
        return 0;
    return rc == 0 ? connected(conn) : next_address(conn, -rc);
}

int kvw__connect_expire(kvw_conn_t *conn, int64_t now)
{
    kvw_state_t state = kvw__conn_get_state(conn);
    char span[32];

    kvw__text_span(conn->config.connect_timeout, span, sizeof(span));
    if (now >= conn->connect_by) {
        if (state == KVW_STATE_RESOLVING)
            return kvw__conn_die(conn, KVW_ETIMEOUT, "cannot resolve host '%s' within %s",
                                 conn->config.host, span);
        if (state == KVW_STATE_CONNECTING)
            return kvw__conn_die(conn, KVW_ETIMEOUT, "valkey server %s: no connection within %s",
                                 conn->peer, span);
        return kvw__conn_die(conn, KVW_ETIMEOUT,
                             "valkey server %s: connected, but no answer within %s", conn->peer,
                             span);
    }
    if (state != KVW_STATE_CONNECTING || now < conn->attempt_by)
        return 0;
    return conn->link.fd < 0 ? attempt(conn) : next_address(conn, ETIMEDOUT);
}
