/* The items of replies that somebody waits for. */
#include "os.h"

#include "conn_impl.h"

/* ---- a reply begins and ends -------------------------------------------------------------- */

int kvw__conn_begin_reply(kvw_conn_t *conn)
{
    const kvw__slot_t *slot;

    conn->in_reply = 1;
    conn->complete = 0;
    if (kvw__conn_get_state(conn) == KVW_STATE_HANDSHAKE) {
        atomic_store_explicit(&conn->gone, 1, memory_order_relaxed);
        return 0;
    }
    kvw__conn_guard(conn);
    slot = kvw__slots_head(&conn->slots);
    /* What has not been sent cannot have been answered. While a thread sends, it may have been. */
    if (slot == NULL || (slot->start >= conn->sent && !conn->sending)) {
        kvw__conn_unguard(conn);
        return KVW_ESURPLUS;
    }
    conn->call = slot->call;
    atomic_store_explicit(&conn->gone, slot->call.user == NULL, memory_order_relaxed);
    kvw__conn_unguard(conn);
    conn->element = 0;
    /* The root of a transaction's reply stays as it is; its elements begin at depth 1. */
    if (conn->call.shape == KVW_SHAPE_EACH)
        kvw_shaper_begin(&conn->shaper, KVW_SHAPE_RAW, 0);
    else if (conn->call.shape != KVW_SHAPE_RAW)
        kvw_shaper_begin(&conn->shaper, (kvw_shape_t)conn->call.shape, 0);
    return 0;
}

void kvw__conn_end_reply(kvw_conn_t *conn)
{
    conn->in_reply = 0;
    conn->complete = 0;
    if (kvw__conn_get_state(conn) == KVW_STATE_HANDSHAKE)
        return;
    kvw__conn_guard(conn);
    kvw__slots_pop(&conn->slots);
    kvw__conn_unguard(conn);
}

/* ---- shaping ------------------------------------------------------------------------------ */

/* Whether the item can be at the root of a transaction's reply: an array of as many elements as it
 * has commands, or null or an error instead. */
static int is_transaction(const kvw_conn_t *conn, const kvw_item_t *item)
{
    switch (item->type) {
    case KVW_ARRAY:
        return item->num < 0 || item->num == (int64_t)conn->call.shape_count;
    case KVW_END:
        return conn->element == conn->call.shape_count;
    default:
        return item->type == KVW_NULL || item->type == KVW_ERROR;
    }
}

/* As kvw_shaper_item, for each element of a transaction's reply by itself. */
static int shape_item(kvw_conn_t *conn, kvw_item_t *item)
{
    const kvw_slot_t *call = &conn->call;

    if (call->shape == KVW_SHAPE_EACH) {
        if (item->depth == 0)
            return is_transaction(conn, item) ? 1 : KVW_EPROTOCOL;
        if (item->depth == 1 && item->type != KVW_END && !(item->flags & KVW_ITEM_FILLED)) {
            uint8_t shape = KVW_SHAPE_RAW;

            if (conn->element < call->shape_count)
                shape = call->shapes[conn->element];
            conn->element++;
            kvw_shaper_begin(&conn->shaper, (kvw_shape_t)shape, 1);
        }
    }
    return kvw_shaper_item(&conn->shaper, item);
}

/* ---- the events --------------------------------------------------------------------------- */

static kvw_status_t show(kvw_conn_t *conn, kvw_event_t *event)
{
    event->slot = conn->call;
    if (event->item.flags & KVW_ITEM_OPEN)
        conn->body.shown = 1;
    if (event->item.flags & KVW_ITEM_LAST)
        kvw__conn_end_reply(conn);
    return KVW_STATUS_ITEM;
}

/* An item that nobody waits for. Returns whether it is shown all the same, because the memory lent
 * for it is free again. */
static int pass_over(kvw_conn_t *conn, kvw_event_t *event)
{
    int is_return = (event->item.flags & KVW_ITEM_FILLED) && event->item.ptr != NULL;

    if (is_return) {
        event->slot = conn->call;
        event->slot.user = NULL;
    }
    if (event->item.flags & KVW_ITEM_LAST)
        kvw__conn_end_reply(conn);
    return is_return;
}

/* What the shaper has kept. Returns whether *event is to be shown. */
static int take_kept(kvw_conn_t *conn, kvw_event_t *event)
{
    if (!conn->in_reply || conn->call.shape == KVW_SHAPE_RAW)
        return 0;
    if (kvw__conn_is_wanted(conn) && kvw_shaper_more(&conn->shaper, &event->item))
        return 1;
    /* The caller went while the reply's last item was kept. */
    if (conn->complete)
        kvw__conn_end_reply(conn);
    return 0;
}

kvw_status_t kvw_conn_next(kvw_conn_t *conn, kvw_event_t *event)
{
    kvw_item_t *item = &event->item;
    kvw_state_t state = kvw__conn_get_state(conn);

    if (state != KVW_STATE_OPEN)
        return state == KVW_STATE_CLOSED ? KVW_STATUS_ERROR : KVW_STATUS_MORE;
    if (take_kept(conn, event))
        return show(conn, event);
    for (;;) {
        kvw_status_t status = kvw__conn_item(conn, item);
        int rc;

        if (status != KVW_STATUS_ITEM)
            return status;
        if (!kvw__conn_is_wanted(conn)) {
            if (pass_over(conn, event))
                return status;
            continue;
        }
        if (conn->call.shape == KVW_SHAPE_RAW)
            return show(conn, event);
        conn->complete = (item->flags & KVW_ITEM_LAST) != 0;
        rc = shape_item(conn, item);
        if (rc == 1)
            return show(conn, event);
        if (rc < 0) {
            kvw__conn_die(conn, rc, "valkey server %s: the reply contradicts %s", conn->peer,
                          conn->call.shape == KVW_SHAPE_EACH && item->depth == 0
                              ? "the transaction: it has more or fewer results than commands"
                              : "itself: keys and values do not come in pairs");
            return KVW_STATUS_ERROR;
        }
    }
}

void kvw_conn_skip(kvw_conn_t *conn)
{
    if (!conn->in_reply || kvw__conn_get_state(conn) != KVW_STATE_OPEN)
        return;
    kvw__conn_guard(conn);
    kvw__slots_forget_head(&conn->slots);
    atomic_store_explicit(&conn->gone, 1, memory_order_relaxed);
    kvw__conn_unguard(conn);
}
