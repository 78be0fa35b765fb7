/* Lanes: connections for callers that block, shared by threads.
 *
 * A pool keeps a bounded number of lanes. A thread takes one, submits, waits and gives it back; as
 * long as lanes are free each thread has one to itself and does its own send and receive. Beyond
 * the bound threads share: each sends its own command, and one of those that wait, the leader,
 * receives for all. Leadership passes on when the leader's reply is there. There is no I/O thread.
 *
 * A lane's mutex is held for memory operations only, never across a system call or a call out. */
#ifndef KVWIRE_LANE_H
#define KVWIRE_LANE_H

#include <stddef.h>
#include <stdint.h>

#include "conn.h"
#include "export.h"

KVW_BEGIN_DECLS

typedef struct kvw_pool kvw_pool_t;
typedef struct kvw_lane kvw_lane_t;

/* A call that a thread waits for. Lives in the caller's memory; the fields are the lane's. */
typedef struct kvw_ticket {
    int done;    /* set by kvw_lane_finish */
    int leading; /* this thread leads the lane */
    int waiting;
    int64_t deadline;
    struct kvw_ticket *next, *prev;
    void *signal;
} kvw_ticket_t;

/* A pool of at most `max_lanes` lanes that share; copies the configuration. NULL: out of memory.
 * Any thread from here on, where not said otherwise. Functions that take a pool may free lanes and
 * so call release functions (of arguments, of kvw_conn_set_user): hold the lock that those need.
 * In a child process the parent's lanes are left alone and new ones are made. */
KVW_API kvw_pool_t *kvw_pool_new(const kvw_config_t *config, size_t max_lanes);

/* Close every idle lane; lanes in use are closed when they are given back, and own ones (whose
 * calls may wait for ever) at once, so that their calls end within 100 ms. No further take succeeds
 * (KVW_ECLOSED). */
KVW_API void kvw_pool_close(kvw_pool_t *pool);

/* Close, and free once the last lane has been given back. */
KVW_API void kvw_pool_free(kvw_pool_t *pool);

/* How many lanes exist, own ones included. */
KVW_API size_t kvw_pool_size(const kvw_pool_t *pool);

/* Take a lane: an idle one (the last used first), else a new one below the bound, else the one in
 * use with the fewest callers. An idle lane that the server has closed is replaced before use. 0
 * and *lane, or KVW_ENOMEM or KVW_ECLOSED. Does not connect: the first wait does. Never blocks. */
KVW_API int kvw_pool_take(kvw_pool_t *pool, kvw_lane_t **lane);

/* Take a lane that nobody shares and that the bound does not count, for blocking commands. */
KVW_API int kvw_pool_take_own(kvw_pool_t *pool, kvw_lane_t **lane);

/* The same, and never one that has been used before. */
KVW_API int kvw_pool_take_new(kvw_pool_t *pool, kvw_lane_t **lane);

/* Give a lane back. A failed one is freed with its last user. `broken` closes an own lane whose
 * reply may still come (its call timed out or was interrupted). */
KVW_API void kvw_pool_give(kvw_pool_t *pool, kvw_lane_t *lane, int broken);

/* Encode a command and put its slot in the lane's queue; as kvw_conn_submit. */
KVW_API int kvw_lane_submit(kvw_lane_t *lane, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                            size_t count, const kvw_slot_t *slot);

typedef enum kvw_wait {
    KVW_WAIT_DONE = 0, /* the ticket is done */
    KVW_WAIT_LEAD,     /* this thread leads, and something arrived: take the events (kvw_conn_next
                          of kvw_lane_conn), kvw_lane_finish what they complete, wait again */
    KVW_WAIT_FAILED,   /* this thread leads, and the connection has failed: kvw_conn_drop all,
                          finishing every ticket, then kvw_lane_leave */
    KVW_WAIT_TIMEOUT,  /* the ticket's deadline has passed: kvw_lane_abandon, kvw_lane_leave */
    KVW_WAIT_SIGNAL    /* a signal may have come: run its handler, then wait again or abandon;
                          another thread may lead by now */
} kvw_wait_t;

/* Make a ticket ready for kvw_lane_wait. `deadline`: a moment of kvw_now, KVW_NEVER, or 0 for the
 * configuration's call_timeout from when a wait first finds the lane connected, or below 0 for so
 * many nanoseconds from then. The deadlines of a lane's slots are of no consequence. */
KVW_API void kvw_ticket_init(kvw_ticket_t *ticket, int64_t deadline);

/* Wait. BLOCKS; call it without any lock (CPython's GIL in particular). Connects when the lane is
 * new, sends what is pending, and receives when this thread leads. The connect deadline is the
 * configuration's and comes out as KVW_WAIT_FAILED. Comes back with KVW_WAIT_SIGNAL after
 * 100 ms in which nothing happened. In a child process a parent's lane fails with nothing to drop:
 * a ticket that is not done then ends with kvw_conn_error. */
KVW_API kvw_wait_t kvw_lane_wait(kvw_lane_t *lane, kvw_ticket_t *ticket);

/* The leader says that a ticket is done and wakes its thread. */
KVW_API void kvw_lane_finish(kvw_lane_t *lane, kvw_ticket_t *ticket);

/* End a wait: gives up leadership, if held, to a thread that waits. Once per ticket, always. */
KVW_API void kvw_lane_leave(kvw_lane_t *lane, kvw_ticket_t *ticket);

/* As kvw_conn_abandon; the replies will be dropped by whoever leads. */
KVW_API int kvw_lane_abandon(kvw_lane_t *lane, const void *user);

/* The lane's connection. Only its leader may call kvw_conn_next, lend, skip and drop on it; any of
 * its users kvw_conn_release, kvw_conn_peer and kvw_conn_protocol, and kvw_conn_error once the lane
 * has failed. */
KVW_API kvw_conn_t *kvw_lane_conn(kvw_lane_t *lane);

KVW_END_DECLS

#endif
