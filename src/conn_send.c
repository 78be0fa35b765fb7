/* Commands on their way out.
 *
 * A writer is filled while the other is sent; when that one is through they change places. What
 * has changed places is committed: it will be sent as it is, unless the connection fails. What has
 * not can still be taken back. */
#include "os.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "conn_impl.h"
#include "kvwire/alloc.h"

#ifndef IOV_MAX
#define IOV_MAX 1024
#endif

/* ---- submitting --------------------------------------------------------------------------- */

/* Whether a command can be submitted: 0 or the sticky error. */
static int check(kvw_conn_t *conn)
{
    kvw_state_t state = kvw__conn_get_state(conn);

    if (state == KVW_STATE_CLOSED)
        return conn->err;
    return state != KVW_STATE_IDLE && kvw__conn_is_forked(conn) ? KVW_EFORKED : 0;
}

int kvw__conn_encode(kvw_conn_t *conn, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                     size_t count, const kvw_slot_t *slot)
{
    kvw__writer_t *writer = &conn->writers[conn->filling];
    size_t at = writer->len;
    size_t unsent = writer->unsent;
    int err = check(conn);

    if (err != 0)
        return err;
    if (kvw__slots_reserve(&conn->slots, 1) != 0 ||
        kvw__writer_command(writer, prefix, args, count) != 0)
        return KVW_ENOMEM;
    kvw__slots_push(&conn->slots, slot, conn->queued, at, 0);
    conn->queued += writer->unsent - unsent;
    return 0;
}

int kvw__conn_append(kvw_conn_t *conn, kvw__writer_t *commands, const kvw__slot_t *slots,
                     size_t count)
{
    kvw__writer_t *writer = &conn->writers[conn->filling];
    size_t at = writer->len;
    size_t unsent = commands->unsent;
    int err = check(conn);

    if (err != 0)
        return err;
    if (kvw__slots_reserve(&conn->slots, count) != 0 || kvw__writer_append(writer, commands) != 0)
        return KVW_ENOMEM;
    for (size_t place = 0; place < count; place++)
        kvw__slots_push(&conn->slots, &slots[place].call, conn->queued + slots[place].start,
                        at + slots[place].at, place != 0);
    conn->queued += unsent;
    return 0;
}

int kvw_conn_submit(kvw_conn_t *conn, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                    size_t count, const kvw_slot_t *slot)
{
    int err = kvw__conn_encode(conn, prefix, args, count, slot);

    if (err == KVW_EFORKED)
        return kvw__conn_die_forked(conn);
    if (err == 0)
        kvw__args_release_copied(args, count);
    return err;
}

/* ---- sending ------------------------------------------------------------------------------ */

/* Make the filled writer the one to be sent. */
static void commit(kvw_conn_t *conn, int64_t now)
{
    kvw__writer_t *writer = &conn->writers[conn->filling];

    if (conn->slots.cuts) {
        conn->queued -= kvw__slots_compact(&conn->slots, writer, &conn->done);
        if (conn->done.first != NULL)
            atomic_store_explicit(&conn->has_done, 1, memory_order_relaxed);
    }
    kvw__slots_stamp(&conn->slots, now, conn->config.call_timeout);
    kvw__slots_commit(&conn->slots);
    conn->committed = conn->queued;
    conn->filling ^= 1;
}

/* One system call with as many parts as it takes. */
static ssize_t send_gathered(kvw_conn_t *conn, const kvw__writer_t *writer)
{
    struct iovec parts[IOV_MAX];
    int count = kvw__writer_gather(writer, parts, IOV_MAX);

    return conn->link.transport->send(&conn->link, parts, count);
}

static ssize_t send_writer(kvw_conn_t *conn, const kvw__writer_t *writer)
{
    struct iovec part;

    if (writer->segments.first != NULL)
        return send_gathered(conn, writer);
    kvw__writer_gather(writer, &part, 1);
    return conn->link.transport->send(&conn->link, &part, 1);
}

/* Send with the guard held, which is given back around the system call. Returns whether there is
 * more to do. */
static int send_once(kvw_conn_t *conn, int64_t now)
{
    kvw__writer_t *writer = &conn->writers[conn->filling ^ 1];
    ssize_t len;

    if (writer->unsent == 0) {
        if (conn->writers[conn->filling].unsent == 0)
            return 0;
        writer = &conn->writers[conn->filling];
        commit(conn, now);
        if (writer->unsent == 0)
            return 1; /* all of it has been taken back */
    }
    kvw__conn_unguard(conn);
    len = send_writer(conn, writer);
    kvw__conn_guard(conn);
    conn->blocked = len == -EAGAIN;
    if (len < 0) {
        if (len == -EAGAIN)
            return 0;
        /* What the server said before, receiving still finds; then it finds the end. */
        conn->send_err = (int)-len;
        conn->link.transport->shutdown(&conn->link);
        return 0;
    }
    conn->sent += (uint64_t)len;
    kvw__writer_sent(writer, (size_t)len, &conn->done);
    if (conn->done.first != NULL)
        atomic_store_explicit(&conn->has_done, 1, memory_order_relaxed);
    return 1;
}

int kvw__conn_send(kvw_conn_t *conn, int64_t now, unsigned rounds)
{
    kvw_state_t state;

    kvw__conn_guard(conn);
    /* A call's time runs also while it waits behind what the socket does not take. */
    if (kvw__conn_get_state(conn) == KVW_STATE_OPEN)
        kvw__slots_stamp(&conn->slots, now, conn->config.call_timeout);
    if (!conn->sending && kvw__conn_get_state(conn) == KVW_STATE_OPEN && conn->send_err == 0) {
        conn->sending = 1;
        while (rounds-- != 0 && send_once(conn, now) &&
               kvw__conn_get_state(conn) == KVW_STATE_OPEN) {
        }
        conn->sending = 0;
        if (kvw__conn_get_state(conn) == KVW_STATE_CLOSED)
            kvw__conn_stop_sending(conn);
    }
    state = kvw__conn_get_state(conn);
    kvw__conn_unguard(conn);
    return state == KVW_STATE_CLOSED ? conn->err : 0;
}

int kvw_conn_flush(kvw_conn_t *conn, int64_t now)
{
    if (kvw__conn_is_forked(conn) && kvw__conn_get_state(conn) != KVW_STATE_IDLE)
        return kvw__conn_die_forked(conn);
    return kvw__conn_send(conn, now, UINT_MAX);
}

void kvw__conn_stop_sending(kvw_conn_t *conn)
{
    for (int at = 0; at < 2; at++) {
        kvw__segments_move(&conn->done, &conn->writers[at].segments);
        kvw__writer_free(&conn->writers[at]);
    }
    if (conn->done.first != NULL)
        atomic_store_explicit(&conn->has_done, 1, memory_order_relaxed);
    conn->blocked = 0;
}

/* ---- looking at it ------------------------------------------------------------------------ */

int kvw_conn_unflushed(const kvw_conn_t *conn)
{
    return conn->writers[conn->filling].unsent != 0;
}

size_t kvw_conn_unsent(const kvw_conn_t *conn)
{
    return conn->writers[0].unsent + conn->writers[1].unsent;
}

int kvw_conn_send_failed(const kvw_conn_t *conn)
{
    return conn->send_err != 0;
}

size_t kvw_conn_in_flight(const kvw_conn_t *conn)
{
    return (size_t)kvw__slots_count(&conn->slots);
}

/* ---- what is over ------------------------------------------------------------------------- */

void kvw_conn_release(kvw_conn_t *conn)
{
    kvw__segment_t *chain;

    if (!atomic_load_explicit(&conn->has_done, memory_order_relaxed))
        return;
    kvw__conn_guard(conn);
    chain = kvw__segments_take(&conn->done);
    atomic_store_explicit(&conn->has_done, 0, memory_order_relaxed);
    kvw__conn_unguard(conn);
    /* Detached first: what is called may use the connection. */
    kvw__segments_release(chain);
}

int kvw_conn_abandon(kvw_conn_t *conn, const void *user)
{
    int head = 0, bits;

    if (user == NULL)
        return 0;
    kvw__conn_guard(conn);
    bits = kvw__slots_abandon(&conn->slots, user, &head);
    if (head)
        atomic_store_explicit(&conn->gone, 1, memory_order_relaxed);
    kvw__conn_unguard(conn);
    return bits;
}
