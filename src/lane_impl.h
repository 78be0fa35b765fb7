/* A lane from inside, shared by lane.c, pool.c and batch.c. */
#ifndef KVWIRE_LANE_IMPL_H
#define KVWIRE_LANE_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

#include "kvwire/lane.h"

struct kvw_lane {
    pthread_mutex_t mutex; /* also the connection's guard */
    kvw_conn_t *conn;
    unsigned generation; /* of kvw__fork_generation */

    /* Guarded by the mutex. */
    kvw_ticket_t *leader;
    kvw_ticket_t *first, *last; /* those that wait to be woken, the longest waiting first */
    uint8_t pushed;             /* a thread waits for the socket to take more */

    atomic_uchar closing; /* the pool has been closed: the leader ends the connection */

    uint8_t waits; /* the socket is set up for receives that wait; the leader's */

    /* The pool's, guarded by its mutex. */
    kvw_lane_t *next, **link; /* in one of the pool's lists; link is NULL: in none */
    size_t users;
    uint8_t own;
    uint8_t failed; /* noticed, and not counted as one that can be shared any more */
};

static inline void kvw__lane_lock(kvw_lane_t *lane)
{
    pthread_mutex_lock(&lane->mutex);
}

static inline void kvw__lane_unlock(kvw_lane_t *lane)
{
    pthread_mutex_unlock(&lane->mutex);
}

/* A lane with a connection that is not started. NULL when out of memory. */
kvw_lane_t *kvw__lane_new(const kvw_config_t *config);

void kvw__lane_free(kvw_lane_t *lane);

/* Whether an idle lane can still be used: the server has not closed it nor sent what nobody asked
 * for. One short system call. */
int kvw__lane_is_usable(kvw_lane_t *lane);

/* In a child process: leave the lane's connection to the parent. Does nothing the second time. */
void kvw__lane_after_fork(kvw_lane_t *lane);

#endif
