#include "pump.h"

#include "errors.h"

int pump(kvw_conn_t *conn, Builder *builder, size_t limit, Settle settle, void *context)
{
    kvw_event_t event;
    size_t ended = 0;
    for (;;) {
        if (ended == limit)
            return PUMP_FULL;
        kvw_status_t status = kvw_conn_next(conn, &event);
        if (status != KVW_STATUS_ITEM)
            return status == KVW_STATUS_MORE ? PUMP_EMPTY : PUMP_FAILED;
        Reply *reply = event.slot.user;
        uint32_t index = event.slot.index;
        PyObject *value;
        if (reply == NULL) {
            Decode none = {0, NULL, 0};
            if (builder_take(builder, conn, &event, none, &value) == BUILD_FAILED)
                PyErr_Clear(); /* nobody waits for it */
            continue;
        }
        int last = (event.item.flags & KVW_ITEM_LAST) != 0;
        /* Building may run other code, which may abandon the reply and so take its reference. */
        Py_INCREF((PyObject *)reply);
        int rc = builder_take(builder, conn, &event, reply_decode(reply, index), &value);
        if (rc == BUILD_FAILED && !last) {
            builder_spoil(builder, error_take());
        } else if (rc != BUILD_MORE) {
            if (rc == BUILD_FAILED)
                value = error_take();
            reply_take(reply, index, value);
            if (reply_is_last(reply, index) && reply_unhold(reply)) {
                ended++;
                settle(context, reply);
            }
        }
        Py_DECREF((PyObject *)reply);
    }
}

static void lose(kvw_conn_t *conn, State *state, const kvw_lost_t *lost, Settle settle,
                 void *context)
{
    Reply *reply = lost->slot.user;
    Py_INCREF((PyObject *)reply);
    if (reply->status == PENDING) {
        PyObject *exception = error_from_lost(state, conn, lost);
        reply_fail(reply, exception != NULL ? exception : error_take());
    }
    if (reply_is_last(reply, lost->slot.index) && reply_unhold(reply))
        settle(context, reply);
    Py_DECREF((PyObject *)reply);
}

void pump_drop(kvw_conn_t *conn, Builder *builder, State *state, Settle settle, void *context)
{
    kvw_lost_t lost;
    builder_reset(builder);
    while (kvw_conn_drop(conn, &lost))
        lose(conn, state, &lost, settle, context);
}

void pump_expire(kvw_conn_t *conn, State *state, int64_t now, Settle settle, void *context)
{
    kvw_lost_t lost;
    while (kvw_conn_expire(conn, now, &lost))
        lose(conn, state, &lost, settle, context);
}
