/* Calls that end without a reply: their deadline has passed, or the connection has failed. */
#include "os.h"

#include "clock.h"
#include "conn_impl.h"

int64_t kvw_conn_deadline(const kvw_conn_t *conn)
{
    /* Looking up the earliest deadline remembers it; nothing else changes. */
    kvw__slots_t *slots = (kvw__slots_t *)(uintptr_t)&conn->slots;
    kvw_state_t state = kvw__conn_get_state(conn);
    int64_t earliest;

    if (state == KVW_STATE_CLOSED)
        return KVW_NEVER;
    kvw__conn_guard(conn);
    earliest = kvw__slots_deadline(slots);
    kvw__conn_unguard(conn);
    if (state == KVW_STATE_CONNECTING)
        earliest = kvw__earlier(earliest, conn->attempt_by);
    if (state != KVW_STATE_OPEN)
        earliest = kvw__earlier(earliest, conn->connect_by);
    return earliest;
}

int kvw_conn_expire(kvw_conn_t *conn, int64_t now, kvw_lost_t *lost)
{
    kvw_state_t state = kvw__conn_get_state(conn);
    int head = 0, found;

    if (state == KVW_STATE_CLOSED)
        return 0;
    kvw__conn_guard(conn);
    found = kvw__slots_expire(&conn->slots, now, lost, &head);
    if (head)
        atomic_store_explicit(&conn->gone, 1, memory_order_relaxed);
    kvw__conn_unguard(conn);
    if (found) {
        lost->err = KVW_ETIMEOUT;
        return 1;
    }
    if (state != KVW_STATE_OPEN && state != KVW_STATE_IDLE) {
        kvw__connect_expire(conn, now);
        kvw__conn_advance(conn);
    }
    return 0;
}

int kvw_conn_drop(kvw_conn_t *conn, kvw_lost_t *lost)
{
    int found = 0;

    if (kvw__conn_get_state(conn) != KVW_STATE_CLOSED)
        return 0;
    kvw__conn_guard(conn);
    while (!found && kvw__slots_count(&conn->slots) != 0) {
        const kvw__slot_t *slot = kvw__slots_at(&conn->slots, conn->slots.head);

        if (slot->call.user != NULL) {
            /* While a thread sends, all that is committed may be on its way. */
            uint64_t sent = conn->sending ? conn->committed : conn->sent;

            lost->slot = slot->call;
            lost->err = conn->err;
            lost->maybe_executed = slot->start < sent;
            found = 1;
        }
        kvw__slots_pop(&conn->slots);
    }
    kvw__conn_unguard(conn);
    return found;
}
