/* One connection in one event loop: reader and writer registration, flushing, deadlines. */
#ifndef EXT_LINK_H
#define EXT_LINK_H

#include "reply.h"

struct Link {
    PyObject_HEAD State *state;
    PyObject *module; /* keeps the state alive, also when the garbage collector takes types apart */
    PyObject *loop;
    kvw_conn_t *conn;
    Builder *builder;

    /* Callables made once: ours for the loop, and the loop's for us. */
    PyObject *on_readable, *on_writable, *on_flush, *on_timer, *on_rest;
    PyObject *get_loop, *add_callback;
    PyObject *call_soon;
    PyObject *sentinel; /* a finished asyncio.Future: what Tasks are woken with (drain.c) */

    PyObject *timer; /* the handle of call_later, and when it fires */
    int64_t timer_at;

    int fd;         /* as registered with the loop, -1: not */
    int registered; /* KVW_WANT_* bits */

    Reply **ready; /* finished replies whose tasks are still to be stepped */
    size_t ready_at, ready_count, ready_capacity;
    size_t unflushed;     /* commands submitted since the last flush */
    size_t flush_goal;    /* flush in mid-drain at so many, 0: not any more in this drain */
    unsigned long thread; /* of the loop, as far as is known: of the last drain */
    int64_t heard;        /* when the last drain began */
    int64_t patience;     /* so long a reply may stop before its connection is given up */
    Reply *adding;        /* the reply that a Task is about to add its callback to */
    PyObject *weakrefs;

    uint8_t own;     /* for blocking commands: one call at a time */
    uint8_t surplus; /* one of many such: not kept behind its call */
    uint8_t draining;
    uint8_t pumping;         /* bytes are taken in: what runs now must not do so, too */
    uint8_t level_triggered; /* the loop calls as long as the descriptor is readable or broken */
    uint8_t direct;          /* finished replies may step their tasks at once (probe.c) */
    uint8_t flush_scheduled, rest_scheduled;
    uint8_t orphan; /* the client is gone: close when nothing is in flight */
    uint8_t dead;   /* failed or closed */
};

/* A link of the running loop that has begun to connect, NULL with an exception set. */
Link *link_new(State *state, PyObject *loop, const kvw_config_t *config, int own);

/* Something was submitted: see to it that it leaves with this turn of the loop. 0 or -1. */
int link_submitted(Link *link);

/* Send what is pending now and see to what follows from it. */
void link_flush(Link *link);

/* Make the loop watch what the connection wants. */
int link_watch(Link *link);
void link_unwatch(Link *link);

/* Keep a timer for the connection's earliest deadline. */
int link_arm(Link *link);

/* The loop refuses a call that must not fail: the link is of no use any more. */
void link_give_up(Link *link);

/* The connection has failed: everything in flight ends with its error. */
void link_fail(Link *link);

/* Close; what is in flight fails. Any thread that holds the loop, or none when the loop is closed.
 */
void link_close(Link *link);

/* Close in the loop's own thread, whichever this one is. */
void link_close_from_anywhere(Link *link);

/* The client is gone. Closes as soon as nothing is in flight, from whichever thread. */
void link_orphan(Link *link);

/* The caller of `reply` has gone. */
void link_abandon(Link *link, Reply *reply);

/* Whether the link's loop has been closed. */
int link_loop_is_closed(Link *link);

/* call_soon(callback, argument, context=context), a loop's bound method; argument and context may
 * be NULL. 0 or -1. */
int loop_call_soon(State *state, PyObject *call_soon, PyObject *callback, PyObject *argument,
                   PyObject *context);

/* The same in the link's loop. */
int link_call_soon(Link *link, PyObject *callback, PyObject *argument, PyObject *context);

/* Report an exception (the current one) that nobody can be given. */
void link_report(Link *link, const char *message);

extern PyType_Spec link_spec;

#endif
