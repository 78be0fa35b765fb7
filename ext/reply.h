/* The reply to come: what every call waits for.
 *
 * For asyncio it is the awaitable itself: one object that is slot, future and iterator at once and
 * behaves as asyncio.Future does. A sync call uses the same object without a loop. Whoever holds
 * the slot (the connection) owns one reference. */
#ifndef EXT_REPLY_H
#define EXT_REPLY_H

#include "command.h"
#include "build.h"

typedef struct Link Link;
typedef struct Group Group;

typedef enum Status { PENDING, DONE, FAILED, CANCELLED } Status;

typedef struct Reply {
    PyObject_HEAD State *state;
    Link *link;         /* asyncio: the connection, strong; NULL for sync calls */
    PyObject *value;    /* the result, or the exception of a failed one */
    PyObject *callback; /* the first callback and its context; further ones are in `more` */
    PyObject *context;
    PyObject *more;
    PyObject *cancel_message;
    PyObject *weakrefs;
    Command *command;
    Group *group;         /* a pipeline's results, owned; NULL for a single command */
    kvw_ticket_t *ticket; /* sync: what the calling thread waits with */
    uint8_t status;
    uint8_t blocking; /* _asyncio_future_blocking */
    uint8_t adding;   /* a Task is about to call add_done_callback (reply_add_fast) */
    uint8_t decode;
    uint8_t any;       /* connect(): whatever the server replies will do, the result is None */
    uint8_t held;      /* the slots own a reference (reply_hold) */
    uint8_t retrieved; /* somebody has seen the exception */
    uint8_t raw;       /* done, and the value is still to be converted (reply_convert) */
} Reply;

/* A pending reply to one command. `link` is taken by a new reference, NULL for a sync call. */
Reply *reply_new(State *state, Link *link, Command *command, int decode);

/* A reply that is already there. Takes over `value`. */
Reply *reply_new_done(State *state, Link *link, PyObject *value);

/* Free the memory of a reply that has no content and no references any more, or keep it for the
 * next one where the state is at hand (NULL: it may be gone). */
void reply_free(State *state, Reply *reply);

/* Free what is kept. */
void reply_drop_spares(State *state);

/* The slots' reference. It is taken before a submission, since that may run other code, and goes to
 * whoever ends the reply's last slot: of several that find it ended only one gets it. */
void reply_hold(Reply *reply);

/* Whether the reference was still the slots'; it is then the caller's. */
int reply_unhold(Reply *reply);

/* The bulk decoding that the reply wants for the command at `index`. */
Decode reply_decode(const Reply *reply, uint32_t index);

/* Whether the slot at `index` is the reply's last: with it goes the slots' reference. */
int reply_is_last(const Reply *reply, uint32_t index);

/* One command's value (or its exception, see builder_take) has come; takes it over. With the last
 * one the reply is done or failed. A reply that has ended meanwhile stays as it is. */
void reply_take(Reply *reply, uint32_t index, PyObject *value);

/* Make the value of a reply that is done what its caller gets: whoever is given the result does so
 * first. The declaration's conversion is Python code, which could raise what a signal's handler
 * raises; so it runs in the task or thread that the result is for, and not where replies are handed
 * over. A conversion that fails makes the reply a failed one. */
void reply_convert(Reply *reply);

/* The call has ended without its reply. Takes over `exception`. */
void reply_fail(Reply *reply, PyObject *exception);

/* Give the result to the caller of a sync call: a new reference, or NULL with the exception set. */
PyObject *reply_result(Reply *reply);

/* Hand the callbacks of a finished reply to the loop by call_soon. 0 or -1. */
int reply_schedule(Reply *reply);

/* add_done_callback(fn, *, context=None) for a Task, on the reply whose `adding` is set. */
PyObject *reply_add_callback(Reply *reply, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames);

/* A new CancelledError with the message of cancel(). */
PyObject *reply_make_cancelled(Reply *reply);

/* Raise asyncio.InvalidStateError. Returns NULL. */
PyObject *reply_raise_invalid_state(Reply *reply, const char *message);

extern PyType_Spec reply_spec;

#endif
