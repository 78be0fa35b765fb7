/* Lanes: how threads share a connection.
 *
 * What holds at any moment that the mutex is free:
 *
 * 1. The leader is the one ticket with `leading` set, or there is none. Only the leader receives
 *    and takes events. It stays the leader until it leaves or goes to look for signals.
 * 2. A ticket is in the list exactly while its `waiting` is set. Whoever clears `waiting` (to
 *    finish it, to make it the leader, to have it send) takes it out of the list and signals it,
 *    all under the mutex; or the waiting thread does so itself when its time is up. So a wake-up
 *    is never given to a thread that does not wait, and never to one twice.
 * 3. While there is no leader, the list is empty: who gives up leadership hands it to the first in
 *    the list, and a thread that finds no leader does not join the list but leads. A thread that
 *    has been made the leader and then leaves without having looked passes leadership on.
 * 4. Bytes that are not sent have somebody to send them: a thread that is in kvw__conn_send, or
 *    their owner, which does so before it waits, or, when the socket takes no more, the thread that
 *    waits for that (`pushed`), or else the leader, which looks before each receive and receives
 * for no longer than a slice. A thread that stops sending while there is more makes another send.
 */
#include "os.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "conn_impl.h"
#include "kvwire/alloc.h"
#include "lane_impl.h"

/* How long a thread waits before it looks around: for signals, and for bytes left to send. */
#define SLICE 100000000

/* The same for one that waits for the socket to take more, and would not see its reply come. */
#define PUSH_SLICE 10000000

/* So many sends of other threads' commands, and one's own reply is looked for. */
#define SEND_ROUNDS 4

/* Besides kvw_wait_t: look again. */
#define AGAIN (-1)

/* ---- making ------------------------------------------------------------------------------- */

kvw_lane_t *kvw__lane_new(const kvw_config_t *config)
{
    kvw_lane_t *lane = kvw_malloc(sizeof(*lane));

    if (lane == NULL)
        return NULL;
    memset(lane, 0, sizeof(*lane));
    lane->conn = kvw_conn_new(config);
    if (lane->conn == NULL) {
        kvw_free(lane);
        return NULL;
    }
    kvw__fork_watch();
    lane->generation = kvw__fork_generation();
    pthread_mutex_init(&lane->mutex, NULL);
    lane->conn->guard = &lane->mutex;
    return lane;
}

void kvw__lane_free(kvw_lane_t *lane)
{
    kvw_conn_free(lane->conn);
    pthread_mutex_destroy(&lane->mutex);
    kvw_free(lane);
}

kvw_conn_t *kvw_lane_conn(kvw_lane_t *lane)
{
    return lane->conn;
}

void kvw__lane_after_fork(kvw_lane_t *lane)
{
    if (lane->generation == kvw__fork_generation())
        return;
    lane->generation = kvw__fork_generation();
    lane->leader = NULL;
    lane->first = lane->last = NULL;
    lane->pushed = 0;
    kvw__conn_leave_to_parent(lane->conn);
}

/* ---- those that wait ---------------------------------------------------------------------- */

static void join_list(kvw_lane_t *lane, kvw_ticket_t *ticket)
{
    ticket->waiting = 1;
    ticket->next = NULL;
    ticket->prev = lane->last;
    if (lane->last != NULL)
        lane->last->next = ticket;
    else
        lane->first = ticket;
    lane->last = ticket;
}

static void leave_list(kvw_lane_t *lane, kvw_ticket_t *ticket)
{
    ticket->waiting = 0;
    if (ticket->prev != NULL)
        ticket->prev->next = ticket->next;
    else
        lane->first = ticket->next;
    if (ticket->next != NULL)
        ticket->next->prev = ticket->prev;
    else
        lane->last = ticket->prev;
}

/* Have the ticket's thread look around, if it waits. */
static void wake(kvw_lane_t *lane, kvw_ticket_t *ticket)
{
    if (!ticket->waiting)
        return;
    leave_list(lane, ticket);
    pthread_cond_signal(ticket->signal);
}

/* The leader does not lead any more. */
static void give_up(kvw_lane_t *lane, kvw_ticket_t *ticket)
{
    kvw_ticket_t *heir = lane->first;

    if (!ticket->leading)
        return;
    ticket->leading = 0;
    lane->leader = heir;
    if (heir == NULL)
        return;
    heir->leading = 1;
    wake(lane, heir);
}

static void init_cond(pthread_cond_t *cond)
{
#ifdef __APPLE__
    pthread_cond_init(cond, NULL);
#else
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attributes);
    pthread_condattr_destroy(&attributes);
#endif
}

/* Wait until signalled or until `until`. Returns 0 when signalled. */
static int wait_cond(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t now, int64_t until)
{
#ifdef __APPLE__
    int64_t span = until - now;
    struct timespec limit = {.tv_sec = (time_t)(span / 1000000000), .tv_nsec = span % 1000000000};

    return pthread_cond_timedwait_relative_np(cond, mutex, &limit);
#else
    struct timespec limit = {.tv_sec = (time_t)(until / 1000000000), .tv_nsec = until % 1000000000};

    (void)now;
    return pthread_cond_timedwait(cond, mutex, &limit);
#endif
}

/* ---- the three ways to wait --------------------------------------------------------------- */

static int64_t deadline_of(const kvw_ticket_t *ticket)
{
    return ticket->deadline > 0 ? ticket->deadline : KVW_NEVER;
}

/* Another thread leads: wait to be woken. The mutex is held, and given back. */
static int follow(kvw_lane_t *lane, kvw_ticket_t *ticket, int64_t now)
{
    int64_t until = kvw__earlier(deadline_of(ticket), kvw__later(now, SLICE));
    pthread_cond_t cond;
    int in_vain;

    init_cond(&cond);
    ticket->signal = &cond;
    join_list(lane, ticket);
    while (ticket->waiting && wait_cond(&cond, &lane->mutex, now, until) == 0) {
    }
    in_vain = ticket->waiting;
    if (in_vain)
        leave_list(lane, ticket);
    ticket->signal = NULL;
    kvw__lane_unlock(lane);
    pthread_cond_destroy(&cond);
    return in_vain && until < deadline_of(ticket) ? (int)KVW_WAIT_SIGNAL : AGAIN;
}

/* Another thread leads, and the socket takes no more: wait until it does. The mutex is held, and
 * given back. */
static int push(kvw_lane_t *lane, kvw_ticket_t *ticket, int64_t now)
{
    int64_t until = kvw__earlier(deadline_of(ticket), kvw__later(now, PUSH_SLICE));
    struct pollfd watched = {.fd = kvw_conn_fd(lane->conn), .events = POLLOUT};
    int rc;

    lane->pushed = 1;
    kvw__lane_unlock(lane);
    rc = poll(&watched, 1, kvw__poll_span(now, until, 1000));
    kvw__lane_lock(lane);
    lane->pushed = 0;
    kvw__lane_unlock(lane);
    return rc < 0 ? (int)KVW_WAIT_SIGNAL : AGAIN;
}

/* A signal came, or may have come, while this thread led. Its handler may use the lane, so somebody
 * else leads. */
static int interrupted(kvw_lane_t *lane, kvw_ticket_t *ticket)
{
    kvw__lane_lock(lane);
    give_up(lane, ticket);
    kvw__lane_unlock(lane);
    return KVW_WAIT_SIGNAL;
}

static short poll_events(int wants)
{
    return (short)((wants & KVW_WANT_READ ? POLLIN : 0) | (wants & KVW_WANT_WRITE ? POLLOUT : 0));
}

/* Once open, a receive waits for a slice by itself, without a poll() before it. */
static void set_up(kvw_lane_t *lane)
{
    kvw_conn_t *conn = lane->conn;
    int err;

    if (lane->waits || kvw__conn_get_state(conn) != KVW_STATE_OPEN)
        return;
    lane->waits = 1;
    err = kvw__socket_wait(conn->link.fd, SLICE);
    if (err != 0) {
        char text[80];

        kvw__conn_die(conn, KVW_EIO, "valkey server %s: the socket refuses an option: %s",
                      conn->peer, kvw__text_errno(-err, text, sizeof(text)));
    }
}

/* As the leader, go on with connecting. */
static int connect_step(kvw_lane_t *lane, kvw_ticket_t *ticket, int64_t now)
{
    kvw_conn_t *conn = lane->conn;
    int64_t until = kvw__earlier(conn->connect_by, conn->attempt_by);
    struct pollfd watched = {.fd = kvw_conn_fd(conn), .events = poll_events(kvw_conn_wants(conn))};
    int rc;

    until = kvw__earlier(until, deadline_of(ticket));
    until = kvw__earlier(until, kvw__later(now, SLICE));
    rc = poll(&watched, watched.fd >= 0 ? 1 : 0, kvw__poll_span(now, until, 1000));
    if (rc < 0)
        return interrupted(lane, ticket);
    if (rc > 0) {
        kvw_conn_ready(conn);
    } else {
        kvw__connect_expire(conn, kvw_now());
        kvw__conn_advance(conn);
    }
    set_up(lane);
    return rc == 0 && kvw__conn_get_state(conn) < KVW_STATE_OPEN ? interrupted(lane, ticket)
                                                                 : AGAIN;
}

/* As the leader, receive. `blocked`: nobody else sees to the bytes that the socket did not take. */
static int receive_step(kvw_lane_t *lane, kvw_ticket_t *ticket, int64_t now, int blocked)
{
    kvw_conn_t *conn = lane->conn;
    int is_filling = conn->body.mode == KVW__BODY_LENT && kvw__conn_fills(conn);
    int wait = !blocked && deadline_of(ticket) >= kvw__later(now, SLICE);
    int64_t received;

    if (!conn->drained && !is_filling)
        return KVW_WAIT_LEAD;
    if (!wait) {
        int64_t until = kvw__earlier(deadline_of(ticket), kvw__later(now, SLICE));
        struct pollfd watched = {.fd = kvw_conn_fd(conn),
                                 .events = (short)(blocked ? POLLIN | POLLOUT : POLLIN)};
        int rc = poll(&watched, 1, kvw__poll_span(now, until, 1000));

        if (rc < 0)
            return interrupted(lane, ticket);
        if (rc == 0 || !(watched.revents & ~POLLOUT))
            return AGAIN;
    }
    received = kvw__conn_receive(conn, wait);
    if (received == KVW__INTERRUPTED || (received == 0 && wait))
        return interrupted(lane, ticket);
    return received > 0 && !is_filling ? (int)KVW_WAIT_LEAD : AGAIN;
}

static int lead(kvw_lane_t *lane, kvw_ticket_t *ticket, int64_t now, int blocked)
{
    if (atomic_load_explicit(&lane->closing, memory_order_relaxed) &&
        kvw__conn_get_state(lane->conn) != KVW_STATE_CLOSED)
        kvw_conn_close(lane->conn);
    switch (kvw__conn_get_state(lane->conn)) {
    case KVW_STATE_IDLE:
        kvw_conn_start(lane->conn);
        set_up(lane);
        return AGAIN;
    case KVW_STATE_CLOSED:
        return KVW_WAIT_FAILED;
    case KVW_STATE_OPEN:
        return receive_step(lane, ticket, now, blocked);
    default:
        return connect_step(lane, ticket, now);
    }
}

/* ---- the wait ----------------------------------------------------------------------------- */

/* Whether there are bytes that nobody sends although the socket may take them. */
static int has_more_to_send(const kvw_conn_t *conn)
{
    return kvw__conn_get_state(conn) == KVW_STATE_OPEN && !conn->sending && !conn->blocked &&
           conn->send_err == 0 && kvw_conn_unsent(conn) != 0;
}

/* One look around. Returns a kvw_wait_t or AGAIN. */
static int wait_step(kvw_lane_t *lane, kvw_ticket_t *ticket, int64_t now)
{
    kvw_conn_t *conn = lane->conn;
    kvw_state_t state;
    int blocked;

    kvw__conn_send(conn, now, SEND_ROUNDS);
    kvw__lane_lock(lane);
    if (has_more_to_send(conn)) {
        if (!ticket->done || lane->first == NULL) {
            kvw__lane_unlock(lane);
            return AGAIN;
        }
        wake(lane, lane->first); /* it goes on where this one stops */
    }
    if (ticket->done) {
        kvw__lane_unlock(lane);
        return KVW_WAIT_DONE;
    }
    state = kvw__conn_get_state(conn);
    if (ticket->deadline <= 0 && state == KVW_STATE_OPEN)
        ticket->deadline =
            kvw__later(now, ticket->deadline < 0 ? -ticket->deadline : conn->config.call_timeout);
    if (deadline_of(ticket) <= now) {
        kvw__lane_unlock(lane);
        return KVW_WAIT_TIMEOUT;
    }
    blocked = conn->blocked && !lane->pushed;
    if (lane->leader == NULL) {
        lane->leader = ticket;
        ticket->leading = 1;
    } else if (!ticket->leading) {
        return blocked ? push(lane, ticket, now) : follow(lane, ticket, now);
    }
    kvw__lane_unlock(lane);
    return lead(lane, ticket, now, blocked);
}

kvw_wait_t kvw_lane_wait(kvw_lane_t *lane, kvw_ticket_t *ticket)
{
    int outcome;

    kvw__lane_after_fork(lane);
    do
        outcome = wait_step(lane, ticket, kvw_now());
    while (outcome == AGAIN);
    return (kvw_wait_t)outcome;
}

/* ---- the rest ----------------------------------------------------------------------------- */

void kvw_ticket_init(kvw_ticket_t *ticket, int64_t deadline)
{
    memset(ticket, 0, sizeof(*ticket));
    ticket->deadline = deadline;
}

int kvw_lane_submit(kvw_lane_t *lane, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                    size_t count, const kvw_slot_t *slot)
{
    int err;

    kvw__lane_after_fork(lane);
    kvw__lane_lock(lane);
    err = kvw__conn_encode(lane->conn, prefix, args, count, slot);
    kvw__lane_unlock(lane);
    if (err == 0)
        kvw__args_release_copied(args, count);
    return err;
}

void kvw_lane_finish(kvw_lane_t *lane, kvw_ticket_t *ticket)
{
    kvw__lane_lock(lane);
    ticket->done = 1;
    wake(lane, ticket);
    kvw__lane_unlock(lane);
}

void kvw_lane_leave(kvw_lane_t *lane, kvw_ticket_t *ticket)
{
    kvw__lane_after_fork(lane);
    kvw__lane_lock(lane);
    if (lane->leader == ticket)
        give_up(lane, ticket);
    kvw__lane_unlock(lane);
}

int kvw_lane_abandon(kvw_lane_t *lane, const void *user)
{
    kvw__lane_after_fork(lane);
    return kvw_conn_abandon(lane->conn, user);
}

int kvw__lane_is_usable(kvw_lane_t *lane)
{
    kvw_conn_t *conn = lane->conn;
    kvw_event_t event;

    switch (kvw__conn_get_state(conn)) {
    case KVW_STATE_CLOSED:
        return 0;
    case KVW_STATE_OPEN:
        break;
    default:
        return conn->connect_by > kvw_now();
    }
    if (conn->body.mode == KVW__BODY_LENT)
        return 1; /* the next leader is to be told when the memory is free */
    do {
        if (kvw__conn_receive(conn, 0) < 0)
            return 0;
        if (!conn->drained && kvw_conn_next(conn, &event) != KVW_STATUS_MORE)
            return 0;
    } while (conn->was_full);
    return kvw_conn_in_flight(conn) != 0 || kvw_conn_is_midway(conn) != KVW_MIDWAY_REPLY;
}
