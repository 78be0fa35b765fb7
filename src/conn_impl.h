/* A connection from inside, shared by the files that make it up:
 *
 *     conn.c        life: making, opening, closing, failing
 *     connect.c     from a name to a connected socket
 *     handshake.c   from a connected socket to an open connection
 *     conn_send.c   commands on their way out
 *     conn_recv.c   bytes coming in, and the items in them
 *     conn_next.c   the items of replies that somebody waits for
 *     conn_time.c   calls that end without a reply
 *
 * Behind a lane several threads use a connection at once. What they share (the sending half, the
 * queue of slots) is marked "guarded" below and touched with the guard held; the rest belongs to
 * the connection's one owner, the lane's leader. Without a lane there is no guard. */
#ifndef KVWIRE_CONN_IMPL_H
#define KVWIRE_CONN_IMPL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "fork.h"
#include "kvwire/buf.h"
#include "kvwire/conn.h"
#include "resolve.h"
#include "slots.h"
#include "transport.h"
#include "write.h"

#define KVW__MESSAGE_LEN 320
#define KVW__CODE_LEN 32

/* What a receive that waited returns when a signal came. */
#define KVW__INTERRUPTED INT64_MIN

/* Where the bytes of a large body go. */
typedef enum kvw__body_mode {
    KVW__BODY_NONE = 0,
    KVW__BODY_SPILL,   /* into conn->spill */
    KVW__BODY_OFFERED, /* nowhere yet: KVW_ITEM_OPEN has been or is being shown */
    KVW__BODY_LENT,    /* into the caller's memory */
    KVW__BODY_DROPPED  /* nowhere */
} kvw__body_mode_t;

/* A body that does not go through the block. Once it has a place to go to, and while `filled` is
 * less than `item.len`, the block holds no unread byte. */
typedef struct kvw__body {
    uint8_t mode;
    uint8_t shown; /* KVW_ITEM_OPEN has reached the caller */
    size_t filled;
    char *memory;
    kvw_item_t item; /* the item that it will be, as kvw_resp_body_item says */
} kvw__body_t;

/* Bytes that grow as data comes. */
typedef struct kvw__spill {
    char *data;
    size_t len, cap;
} kvw__spill_t;

/* Which reply of the handshake comes next. */
typedef enum kvw__step {
    KVW__STEP_HELLO,
    KVW__STEP_AUTH,
    KVW__STEP_SETNAME,
    KVW__STEP_SELECT,
    KVW__STEP_SETINFO
} kvw__step_t;

#define KVW__STEPS_MAX 4

typedef struct kvw__handshake {
    kvw__writer_t out;
    uint8_t steps[KVW__STEPS_MAX];
    uint8_t count, at;
    uint8_t last;      /* these are the last commands */
    uint8_t fall_back; /* the server has no HELLO */
    uint8_t protocol;
} kvw__handshake_t;

enum { KVW__HIDDEN_ATTRIBUTE = 1, KVW__HIDDEN_PUSH };

struct kvw_conn {
    atomic_int state;       /* kvw_state_t */
    pthread_mutex_t *guard; /* NULL: one thread at a time uses all of it */
    unsigned generation;    /* of kvw__fork_generation */
    kvw__link_t link;

    /* Sending; all guarded. Of two writers one is filled while the other is sent. */
    kvw__writer_t writers[2];
    kvw__slots_t slots;
    kvw__segments_t done; /* sent, and not yet released */
    atomic_int has_done;  /* whether `done` holds any; read without the guard */
    uint64_t queued;      /* bytes of all commands ever submitted */
    uint64_t committed;   /* of those up to the end of the writer being sent */
    uint64_t sent;        /* of those that the socket has taken; only the sender writes it */
    uint8_t filling;      /* the index of the writer being filled */
    uint8_t sending;      /* a thread sends; it alone touches the other writer */
    uint8_t blocked;      /* the socket takes no more for now */
    int send_err;         /* the errno that sending came to; receiving says the rest */

    /* Receiving; the owner's. */
    kvw_resp_t parser;
    kvw_block_t *block;
    size_t read; /* bytes of the block that the parser has had */
    kvw__body_t body;
    kvw__spill_t spill;
    kvw_shaper_t shaper;
    kvw_slot_t call;  /* of the reply under way */
    uint32_t element; /* of a KVW_SHAPE_EACH reply */
    uint16_t hidden_depth;
    uint8_t hidden; /* inside what is consumed unseen: KVW__HIDDEN_*, 0: not */
    uint8_t in_reply;
    uint8_t complete; /* the parser is through with the reply, the shaper perhaps not */
    uint8_t drained;  /* nothing at hand completes an item */
    uint8_t was_full;
    uint8_t spill_shown; /* the spill's content has been shown and is of no use any more */
    atomic_int gone;     /* nobody waits for the reply under way (set by other threads too) */

    /* Life; the owner's. */
    kvw_config_t config;
    void *user;
    void (*release_user)(void *user);
    char *peer;
    kvw__lookup_t *lookup;
    kvw__address_t *addresses;
    size_t address_count, address_at;
    int attempt_err;    /* the errno of the last attempt */
    int64_t connect_by; /* the deadline of it all */
    int64_t attempt_by; /* and of the present attempt */
    int wake_fd;        /* the lookup's end of its thread, -1: none */
    int retired_fd;     /* of no more use, and open so that it can be unregistered; -1: none */
    kvw__handshake_t handshake;
    int protocol;
    int err;
    char message[KVW__MESSAGE_LEN];
    char code[KVW__CODE_LEN];
};

/* ---- small things ------------------------------------------------------------------------- */

static inline kvw_state_t kvw__conn_get_state(const kvw_conn_t *conn)
{
    return (kvw_state_t)atomic_load_explicit(&conn->state, memory_order_acquire);
}

static inline void kvw__conn_set_state(kvw_conn_t *conn, kvw_state_t state)
{
    atomic_store_explicit(&conn->state, state, memory_order_release);
}

static inline void kvw__conn_guard(const kvw_conn_t *conn)
{
    if (conn->guard != NULL)
        pthread_mutex_lock(conn->guard);
}

static inline void kvw__conn_unguard(const kvw_conn_t *conn)
{
    if (conn->guard != NULL)
        pthread_mutex_unlock(conn->guard);
}

static inline int kvw__conn_is_forked(const kvw_conn_t *conn)
{
    return conn->generation != kvw__fork_generation();
}

/* ---- conn.c ------------------------------------------------------------------------------- */

/* Go on with whatever is under way before KVW_STATE_OPEN; once open send what has waited for that.
 * 0 or the sticky error. */
int kvw__conn_advance(kvw_conn_t *conn);

/* The descriptor is of no more use. It stays open until the next time, so that whoever watches it
 * can forget it before its number is given to another. */
void kvw__conn_retire(kvw_conn_t *conn, int fd);

/* Fail the connection with a sentence. Returns the sticky error, which may be an earlier one. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int kvw__conn_die(kvw_conn_t *conn, int err, const char *format, ...);

/* Fail for the reason that the connection is the parent process's. */
int kvw__conn_die_forked(kvw_conn_t *conn);

/* In a child process: close the copies of the descriptors and fail, and touch nothing else, because
 * other threads, which the child does not have, may have been in the middle of anything. Calls in
 * flight are forgotten: whoever waited for them is the parent's. */
void kvw__conn_leave_to_parent(kvw_conn_t *conn);

/* ---- conn_text.c -------------------------------------------------------------------------- */

/* An errno value in lower case. */
const char *kvw__text_errno(int err, char *out, size_t cap);

/* A span of time as one says it: "250 ms", "2.0 s". */
const char *kvw__text_span(int64_t span, char *out, size_t cap);

/* What the server sent, printable, its first `most` bytes at most, the password left out. */
const char *kvw__text_quote(const kvw_conn_t *conn, const char *bytes, size_t len, size_t most,
                            char *out, size_t cap);

/* ---- connect.c ---------------------------------------------------------------------------- */

/* Begin, go on with, or give up waiting for the present step, up to KVW_STATE_HANDSHAKE. Return 0
 * or the sticky error. */
int kvw__connect_start(kvw_conn_t *conn);
int kvw__connect_go_on(kvw_conn_t *conn);
int kvw__connect_expire(kvw_conn_t *conn, int64_t now);

/* Free what is only needed while connecting. */
void kvw__connect_free(kvw_conn_t *conn);

/* ---- handshake.c -------------------------------------------------------------------------- */

/* Prepare the first commands. */
int kvw__handshake_start(kvw_conn_t *conn);

/* Send and receive what can be; KVW_STATE_OPEN when it is over. 0 or the sticky error. */
int kvw__handshake_go_on(kvw_conn_t *conn);

/* Free it, what was secret wiped. */
void kvw__handshake_free(kvw_conn_t *conn);

/* ---- conn_send.c -------------------------------------------------------------------------- */

/* As kvw_conn_submit, but releases nothing. Guard held. KVW_EFORKED: kvw__conn_die_forked is due,
 * without the guard. */
int kvw__conn_encode(kvw_conn_t *conn, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                     size_t count, const kvw_slot_t *slot);

/* The same for `count` commands, encoded already, that must not be torn apart: the places in
 * `slots` are relative to the beginning of `commands`, which is empty afterwards. */
int kvw__conn_append(kvw_conn_t *conn, kvw__writer_t *commands, const kvw__slot_t *slots,
                     size_t count);

/* As kvw_conn_flush, in at most `rounds` sends. */
int kvw__conn_send(kvw_conn_t *conn, int64_t now, unsigned rounds);

/* Nothing is sent any more: hand the referenced memory back. Guard held. */
void kvw__conn_stop_sending(kvw_conn_t *conn);

/* ---- conn_recv.c -------------------------------------------------------------------------- */

/* As kvw_conn_recv; with `wait` for as long as kvw__socket_wait said, or KVW__INTERRUPTED. */
int64_t kvw__conn_receive(kvw_conn_t *conn, int wait);

/* Whether the bytes of a large body are still coming. */
static inline int kvw__conn_fills(const kvw_conn_t *conn)
{
    return conn->body.mode != KVW__BODY_NONE && conn->body.filled < conn->body.item.len;
}

/* The next item, attributes and pushes left out, streamed strings whole, large bodies offered. */
kvw_status_t kvw__conn_item(kvw_conn_t *conn, kvw_item_t *item);

/* The bytes at hand that have not been read. */
size_t kvw__conn_at_hand(const kvw_conn_t *conn, const char **bytes);

void kvw__conn_free_received(kvw_conn_t *conn);

/* ---- conn_next.c -------------------------------------------------------------------------- */

/* A reply begins: find whose it is. 0 or KVW_ESURPLUS. */
int kvw__conn_begin_reply(kvw_conn_t *conn);

/* A reply is complete. */
void kvw__conn_end_reply(kvw_conn_t *conn);

/* Whether somebody waits for the reply under way. */
static inline int kvw__conn_is_wanted(const kvw_conn_t *conn)
{
    return !atomic_load_explicit(&conn->gone, memory_order_relaxed);
}

#endif
