/* One connection to a Redis/Valkey server: a state machine that knows no event loop.
 *
 * The caller watches kvw_conn_fd for what kvw_conn_wants, calls kvw_conn_ready when it happens and
 * kvw_conn_expire when kvw_conn_deadline has passed, submits commands, and takes replies item by
 * item from kvw_conn_next. Replies are matched to commands by slot, in order; that happens in one
 * place (slots.c). The core calls nobody back, except to release memory that it was lent.
 *
 * A connection has one owner at a time: the thread that runs its event loop, or, behind a lane
 * (lane.h), the thread that leads it. No function of this header blocks. Times are nanoseconds of
 * kvw_now; a deadline of KVW_NEVER never passes. */
#ifndef KVWIRE_CONN_H
#define KVWIRE_CONN_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "export.h"
#include "resp.h"
#include "shape.h"

KVW_BEGIN_DECLS

#define KVW_NEVER INT64_MAX

/* Nanoseconds of the monotonic clock. Any thread. */
KVW_API int64_t kvw_now(void);

/* ---- configuration ------------------------------------------------------------------------ */

typedef enum kvw_transport { KVW_TRANSPORT_TCP = 0, KVW_TRANSPORT_UNIX = 1 } kvw_transport_t;

/* Where and how to connect. All strings are zero-terminated, optional ones may be NULL. */
typedef struct kvw_config {
    int transport;           /* kvw_transport_t */
    const char *host;        /* TCP: name or address */
    uint16_t port;           /* TCP */
    const char *path;        /* Unix */
    const char *username;    /* ACL user; NULL with a password means the default user */
    const char *password;    /* NULL: no authentication */
    int64_t db;              /* SELECT when not 0 */
    const char *client_name; /* CLIENT SETNAME */
    int protocol;            /* 0: RESP3, RESP2 where the server has no HELLO; or 2, or 3 */
    int64_t connect_timeout; /* for resolving, connecting and the handshake together; KVW_NEVER */
    int64_t call_timeout;    /* for each reply, from the moment it is flushed; KVW_NEVER */
    uint32_t max_depth;      /* 0: KVW_DEPTH_DEFAULT */
    int64_t max_bulk;        /* 0: KVW_BULK_MAX_DEFAULT */
} kvw_config_t;

typedef struct kvw_conn kvw_conn_t;

/* A connection that is not yet started; copies the configuration. NULL when out of memory. */
KVW_API kvw_conn_t *kvw_conn_new(const kvw_config_t *config);

/* Something of the caller's that lives and dies with the connection; release(user) is called by
 * kvw_conn_free (not when it is replaced). */
KVW_API void kvw_conn_set_user(kvw_conn_t *conn, void *user, void (*release)(void *user));
KVW_API void *kvw_conn_user(const kvw_conn_t *conn);

/* Close what is open and free everything. Slots still in flight must have been taken by
 * kvw_conn_drop first; lent and referenced memory is released. */
KVW_API void kvw_conn_free(kvw_conn_t *conn);

/* ---- life --------------------------------------------------------------------------------- */

typedef enum kvw_state {
    KVW_STATE_IDLE = 0,   /* not started */
    KVW_STATE_RESOLVING,  /* the name is looked up by a short-lived thread */
    KVW_STATE_CONNECTING, /* connect() is under way */
    KVW_STATE_HANDSHAKE,  /* HELLO, AUTH, SELECT, CLIENT SETNAME and SETINFO */
    KVW_STATE_OPEN,       /* commands flow */
    KVW_STATE_CLOSED      /* failed or closed; kvw_conn_error says why */
} kvw_state_t;

#define KVW_WANT_READ 1
#define KVW_WANT_WRITE 2

/* Begin to connect. Never blocks. Commands submitted before KVW_STATE_OPEN wait for it. Returns 0
 * or the sticky error (then the state is KVW_STATE_CLOSED). */
KVW_API int kvw_conn_start(kvw_conn_t *conn);

KVW_API kvw_state_t kvw_conn_state(const kvw_conn_t *conn);

/* The descriptor to watch, -1 when there is none. It changes while connecting (the resolver's, one
 * per address, the socket's), in kvw_conn_ready and kvw_conn_expire, and never once the state is
 * KVW_STATE_OPEN. The connection owns it. So that a loop can forget a descriptor before its number
 * is given to another, the one before stays open until the next of those calls, and that of a
 * connection that has failed until the next kvw_conn_close or kvw_conn_free (the conversation ends
 * at once). */
KVW_API int kvw_conn_fd(const kvw_conn_t *conn);

/* What to watch the descriptor for: KVW_WANT_* bits. */
KVW_API int kvw_conn_wants(const kvw_conn_t *conn);

/* The descriptor is ready: go on with resolving, connecting or the handshake, and send what has
 * waited for that; once open send what the socket did not take before, and receive exactly once, as
 * kvw_conn_recv. Returns 0 or the sticky error. Replies may then be taken with kvw_conn_next. */
KVW_API int kvw_conn_ready(kvw_conn_t *conn);

/* Close at once. What is in flight fails with KVW_ECLOSED and is to be taken by kvw_conn_drop. The
 * descriptor of a connection that has failed or been closed before is closed now. */
KVW_API void kvw_conn_close(kvw_conn_t *conn);

/* Fail the connection with `err` as if the server had caused it; no effect once it has failed. */
KVW_API void kvw_conn_fail(kvw_conn_t *conn, int err, const char *message);

/* The sticky error, 0 while there is none; *message (may be NULL) is a sentence that names the
 * server and what was wrong, valid until kvw_conn_free. */
KVW_API int kvw_conn_error(const kvw_conn_t *conn, const char **message);

/* The server's error code ("WRONGPASS") when it refused the handshake, else "". */
KVW_API const char *kvw_conn_error_code(const kvw_conn_t *conn);

/* 2 or 3 once open, else 0. */
KVW_API int kvw_conn_protocol(const kvw_conn_t *conn);

/* "host:port" or the path, for messages; valid until kvw_conn_free. */
KVW_API const char *kvw_conn_peer(const kvw_conn_t *conn);

/* ---- commands ----------------------------------------------------------------------------- */

/* One argument. Up to KVW_ARG_COPY_MAX bytes are copied at once. Longer ones with a `release` are
 * sent from where they lie; release(hold) is called exactly once when that is over, by
 * kvw_conn_release or kvw_conn_free. Short ones are released before kvw_conn_submit returns. */
#define KVW_ARG_COPY_MAX 8192

typedef struct kvw_arg {
    const char *ptr;
    size_t len;
    void (*release)(void *hold); /* NULL: copy whatever the length */
    void *hold;
} kvw_arg_t;

/* The command's fixed words, encoded once by kvw_prefix_encode ("$3\r\nSET\r\n"). */
typedef struct kvw_prefix {
    const char *bytes;
    size_t len;
    size_t words;
} kvw_prefix_t;

/* Encode `words` as bulks into `out` (of `cap` bytes). Returns the length needed. Any thread. */
KVW_API size_t kvw_prefix_encode(const kvw_arg_t *words, size_t count, char *out, size_t cap);

/* What the reply to a command is for. */
typedef struct kvw_slot {
    void *user;       /* the caller's; NULL: nobody waits, the reply is dropped */
    uint32_t index;   /* the caller's: the place in a pipeline */
    uint8_t shape;    /* kvw_shape_t */
    uint8_t flags;    /* the caller's */
    int64_t deadline; /* 0: call_timeout after the flush; below 0: so many nanoseconds after it
                         instead; KVW_NEVER; or a moment of kvw_now */
    /* With KVW_SHAPE_EACH: the shapes of the reply's elements, in order; an array of another length
     * ends the connection. The memory stays the caller's and is not looked at any more once the
     * slot has left the queue or been abandoned. */
    const uint8_t *shapes;
    uint32_t shape_count;
} kvw_slot_t;

/* Encode a command behind what is pending and put its slot in the queue. Nothing is sent before
 * kvw_conn_flush. On failure nothing was added, and no argument is released. Returns 0, KVW_ENOMEM
 * or the sticky error. Behind a lane use kvw_lane_submit. */
KVW_API int kvw_conn_submit(kvw_conn_t *conn, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                            size_t count, const kvw_slot_t *slot);

/* Send what is pending, as far as the socket takes it (all of it in one system call where it
 * can); slots without a deadline get theirs from `now`. What is left makes kvw_conn_wants ask for
 * KVW_WANT_WRITE. Returns 0 or the sticky error. */
KVW_API int kvw_conn_flush(kvw_conn_t *conn, int64_t now);

/* Whether something waits for kvw_conn_flush; how many bytes are pending or being sent. These and
 * kvw_conn_in_flight are the owner's; behind a lane, the leader's for a hint. */
KVW_API int kvw_conn_unflushed(const kvw_conn_t *conn);
KVW_API size_t kvw_conn_unsent(const kvw_conn_t *conn);

/* Whether the socket has refused to send. The connection stays open until receiving, which is due
 * now, has told what the server still said, and why. */
KVW_API int kvw_conn_send_failed(const kvw_conn_t *conn);

/* Call the release functions of what has been sent. Where those need a lock (CPython's GIL), it
 * must be held. Cheap when there is nothing. Behind a lane: any of its users. */
KVW_API void kvw_conn_release(kvw_conn_t *conn);

/* Slots whose replies have not been completed, those that nobody waits for included. */
KVW_API size_t kvw_conn_in_flight(const kvw_conn_t *conn);

/* The user of the slot at this place of the queue, 0 the oldest, below kvw_conn_in_flight; NULL
 * when nobody waits for it. */
KVW_API void *kvw_conn_user_at(const kvw_conn_t *conn, size_t place);

/* Why a command whose words are given has no place on a connection that several callers share: it
 * would change what others' replies are, or how many (SUBSCRIBE, CLIENT REPLY, MULTI, SELECT...). A
 * sentence in static memory, NULL when nothing is against it. Any thread. */
KVW_API const char *kvw_command_refusal(const kvw_arg_t *words, size_t count);

/* For how many nanoseconds the server may hold back the reply to a command whose words are given
 * (BLPOP and its kin, WAIT, XREAD BLOCK): such a command wants a connection of its own. KVW_NEVER:
 * for ever; -1: the command does not block. Any thread. */
KVW_API int64_t kvw_command_block(const kvw_arg_t *words, size_t count);

/* Whether what a command says depends on when its own connection was last used (WAIT, WAITAOF: the
 * writes up to then are waited for): it wants one that has just been opened. Any thread. */
KVW_API int kvw_command_wants_new(const kvw_arg_t *words, size_t count);

/* The caller of every slot with this `user` has gone: their replies will be dropped, a reply under
 * way included. Searches the queue from its end. Returns KVW_ABANDON_* bits: FOUND when such slots
 * were in the queue (whatever the slot's `user` owned is the caller's again; without it the one
 * who takes the events has it), SENT when bytes of them have left or may still leave. Without SENT
 * the commands are taken back and never sent. A batch goes or stays as a whole. Behind a lane the
 * binding sees to it that nobody takes events meanwhile (CPython: the GIL, held over the events and
 * what is done with them). */
#define KVW_ABANDON_FOUND 1
#define KVW_ABANDON_SENT 2
KVW_API int kvw_conn_abandon(kvw_conn_t *conn, const void *user);

/* ---- replies ------------------------------------------------------------------------------ */

/* An item of a reply, and whose it is. */
typedef struct kvw_event {
    kvw_item_t item; /* KVW_ITEM_LAST: the reply is complete, its slot has left the queue */
    kvw_slot_t slot;
} kvw_event_t;

/* Receive once, without blocking, into the current block or the lent memory. Returns the bytes
 * received, 0 when there are none, or the sticky error. */
KVW_API int64_t kvw_conn_recv(kvw_conn_t *conn);

/* What has begun to come and is not complete, as far as it has been looked at: 0, a reply (with
 * nothing in flight it can only be one that nobody asked for), or a push (harmless while nothing is
 * due; when its rest stays away, the next replies are lost as a part of it). */
#define KVW_MIDWAY_REPLY 1
#define KVW_MIDWAY_PUSH 2
KVW_API int kvw_conn_is_midway(const kvw_conn_t *conn);

/* Whether the last receive filled all the room there was, so that more is likely at hand. */
KVW_API int kvw_conn_recv_was_full(const kvw_conn_t *conn);

/* The next item for somebody who waits. The handshake's replies, attributes, pushes and replies
 * that nobody waits for are consumed and never shown; streamed strings come whole. Pointers in
 * the event are valid until the next call of any function of the connection. MORE: receive first.
 * ERROR: the connection has failed (an unfinished reply stays unfinished): kvw_conn_drop next.
 *
 * With KVW_ITEM_OPEN the body of `item.len` bytes has begun to arrive and is large: call
 * kvw_conn_lend before anything else. */
KVW_API kvw_status_t kvw_conn_next(kvw_conn_t *conn, kvw_event_t *event);

/* The strings that follow the event just shown inside the same aggregate, as far as they are at
 * hand as a whole and the reply has no shape: at most `most` of them, returns how many; with 0, or
 * for what comes behind them, kvw_conn_next. Their pointers are valid as an event's are. It saves
 * large replies most of the calls. */
KVW_API size_t kvw_conn_run(kvw_conn_t *conn, kvw_item_t *items, size_t most);

/* Lend the memory for the body just opened: `item.len` bytes that must stay valid until the item
 * comes again with KVW_ITEM_FILLED (then ptr is the memory) or the connection fails; it is never
 * written to after that, nor after kvw_conn_close. NULL: drop the body; the item then comes with
 * ptr NULL. What has arrived is copied there, the rest is received straight into it.
 *
 * When the caller goes meanwhile (kvw_conn_abandon, kvw_conn_skip, kvw_conn_expire) the memory
 * stays in use: the item comes all the same, with slot.user NULL, and is the last that is shown of
 * that reply. At most one body is lent at a time. Between its two items a shape may put openings (a
 * KVW_PAIR), so keep the memory beside the value being built. */
KVW_API void kvw_conn_lend(kvw_conn_t *conn, char *memory);

/* The rest of the reply under way is of no use to its caller (a value could not be built): its
 * remaining items are consumed unseen, the slot leaves the queue when it is complete. */
KVW_API void kvw_conn_skip(kvw_conn_t *conn);

/* ---- deadlines and failure ---------------------------------------------------------------- */

/* The earliest moment at which kvw_conn_expire has something to do. */
KVW_API int64_t kvw_conn_deadline(const kvw_conn_t *conn);

/* A call that ended without its reply. */
typedef struct kvw_lost {
    kvw_slot_t slot;
    int err;            /* KVW_ETIMEOUT, or the connection's error */
    int maybe_executed; /* 0: no byte of the command can have reached the server */
} kvw_lost_t;

/* Take one call whose deadline has passed: 1 when *lost is set, 0 when there is none (any more).
 * Its slot stays, so that its late reply is dropped; but a command that has not been handed to the
 * socket is taken back and never sent (maybe_executed is 0). While connecting: goes on with the
 * next address when the present one has had its share of the time (kvw_conn_fd changes), and fails
 * the connection with KVW_ETIMEOUT when the whole time is over (see kvw_conn_state). */
KVW_API int kvw_conn_expire(kvw_conn_t *conn, int64_t now, kvw_lost_t *lost);

/* After a failure or close: take one call that was in flight: 1, or 0 when none is left. Slots
 * that nobody waits for are passed over. */
KVW_API int kvw_conn_drop(kvw_conn_t *conn, kvw_lost_t *lost);

KVW_END_DECLS

#endif
