/* A caller that blocks, as a binding makes one of lane.h: one lock (CPython has the GIL) is held
 * over the events and what is done with them, and over everything but the wait. */
#ifndef KVWIRE_TEST_CALLER_H
#define KVWIRE_TEST_CALLER_H

#include <pthread.h>
#include <stdlib.h>

#include "server.h"

#define SECOND ((int64_t)1000000000)
#define MILLISECOND ((int64_t)1000000)

typedef struct call {
    kvw_ticket_t ticket;
    int err; /* 0, or why there is no reply */
    int maybe_executed;
    int type;
    int64_t num;
    char *bytes; /* of a string or error, ending with a zero byte; freed by call_end */
    size_t len;
} call_t;

static pthread_mutex_t caller_lock = PTHREAD_MUTEX_INITIALIZER;

static inline void call_end(call_t *call)
{
    free(call->bytes);
    call->bytes = NULL;
}

static inline void call_take(call_t *call, const kvw_item_t *item)
{
    call->type = item->type;
    call->num = item->num;
    call->len = item->len;
    if (item->ptr == NULL || (item->flags & KVW_ITEM_FILLED))
        return;
    call->bytes = malloc(item->len + 1);
    memcpy(call->bytes, item->ptr, item->len);
    call->bytes[item->len] = '\0';
}

/* The leader's work. The memory lent for a body is the connection's `user`, since its caller may go
 * while it is being filled. */
static inline void caller_take_events(kvw_lane_t *lane)
{
    kvw_conn_t *conn = kvw_lane_conn(lane);
    kvw_event_t event;

    while (kvw_conn_next(conn, &event) == KVW_STATUS_ITEM) {
        call_t *call = event.slot.user;

        if (event.item.flags & KVW_ITEM_OPEN) {
            char *memory = malloc(event.item.len + 1);

            memory[event.item.len] = '\0';
            kvw_conn_set_user(conn, memory, free);
            kvw_conn_lend(conn, memory);
            continue;
        }
        if (event.item.flags & KVW_ITEM_FILLED) {
            char *memory = kvw_conn_user(conn);

            kvw_conn_set_user(conn, NULL, NULL);
            if (call == NULL)
                free(memory);
            else
                call->bytes = memory;
        }
        if (call == NULL)
            continue;
        call_take(call, &event.item);
        if (event.item.flags & KVW_ITEM_LAST)
            kvw_lane_finish(lane, &call->ticket);
    }
}

static inline void caller_drop(kvw_lane_t *lane)
{
    kvw_lost_t lost;

    while (kvw_conn_drop(kvw_lane_conn(lane), &lost)) {
        call_t *call = lost.slot.user;

        call->err = lost.err;
        call->maybe_executed = lost.maybe_executed;
        kvw_lane_finish(lane, &call->ticket);
    }
}

/* What a wait has come to. The lock is held. */
static inline void caller_look(kvw_lane_t *lane, call_t *call, kvw_wait_t outcome)
{
    kvw_conn_t *conn = kvw_lane_conn(lane);

    if (outcome == KVW_WAIT_LEAD)
        caller_take_events(lane);
    if (outcome == KVW_WAIT_FAILED ||
        (outcome == KVW_WAIT_LEAD && kvw_conn_state(conn) == KVW_STATE_CLOSED)) {
        caller_drop(lane);
        if (!call->ticket.done) { /* in a child process */
            call->err = kvw_conn_error(conn, NULL);
            call->ticket.done = 1;
        }
    }
    if (outcome == KVW_WAIT_TIMEOUT) {
        call->err = KVW_ETIMEOUT;
        call->maybe_executed = (kvw_lane_abandon(lane, call) & KVW_ABANDON_SENT) != 0;
        call->ticket.done = 1;
    }
    kvw_conn_release(conn);
}

/* Wait for a call that has been submitted. */
static inline void caller_wait(kvw_lane_t *lane, call_t *call)
{
    int done;

    do {
        kvw_wait_t outcome = kvw_lane_wait(lane, &call->ticket);

        pthread_mutex_lock(&caller_lock);
        caller_look(lane, call, outcome);
        done = call->ticket.done;
        pthread_mutex_unlock(&caller_lock);
    } while (!done);
    kvw_lane_leave(lane, &call->ticket);
}

static inline int caller_submit(kvw_lane_t *lane, call_t *call, int64_t deadline,
                                const kvw_arg_t *args, size_t count)
{
    static const kvw_prefix_t none = {"", 0, 0};
    kvw_slot_t slot = {.user = call, .deadline = KVW_NEVER};

    memset(call, 0, sizeof(*call));
    kvw_ticket_init(&call->ticket, deadline);
    return kvw_lane_submit(lane, &none, args, count, &slot);
}

static inline kvw_arg_t arg(const char *text)
{
    return (kvw_arg_t){.ptr = text, .len = strlen(text)};
}

/* One whole call on a pool: up to three words, NULL for none. */
static inline void caller_call(kvw_pool_t *pool, call_t *call, int64_t timeout, const char *first,
                               const char *second, const char *third)
{
    kvw_arg_t args[3];
    size_t count = 0;
    kvw_lane_t *lane;
    int err;

    args[count++] = arg(first);
    if (second != NULL)
        args[count++] = arg(second);
    if (third != NULL)
        args[count++] = arg(third);
    pthread_mutex_lock(&caller_lock);
    memset(call, 0, sizeof(*call));
    err = kvw_pool_take(pool, &lane);
    if (err == 0) {
        err = caller_submit(lane, call, timeout == KVW_NEVER ? KVW_NEVER : kvw_now() + timeout,
                            args, count);
        pthread_mutex_unlock(&caller_lock);
        if (err == 0)
            caller_wait(lane, call);
        pthread_mutex_lock(&caller_lock);
        kvw_pool_give(pool, lane, 0);
    }
    pthread_mutex_unlock(&caller_lock);
    if (err != 0)
        call->err = err;
}

static inline kvw_pool_t *caller_pool(uint16_t port, size_t max_lanes)
{
    kvw_config_t config = {.host = "127.0.0.1",
                           .port = port,
                           .connect_timeout = 5 * SECOND,
                           .call_timeout = 5 * SECOND};

    return kvw_pool_new(&config, max_lanes);
}

#endif
