/* The events of one connection become Python objects, in one pass. */
#ifndef EXT_BUILD_H
#define EXT_BUILD_H

#include "state.h"

#include "kvwire/kvwire.h"

/* How one reply's strings come: as they are, or decoded; per element for a transaction's. */
typedef struct Decode {
    int all;             /* decode every bulk string as UTF-8 */
    const uint8_t *each; /* of the elements of a KVW_SHAPE_EACH reply, NULL otherwise */
    Py_ssize_t count;    /* of those elements */
} Decode;

typedef struct Builder Builder;

Builder *builder_new(State *state);
void builder_free(Builder *builder);

enum { BUILD_FAILED = -1, BUILD_MORE = 0, BUILD_DONE = 1 };

/* Take one event of `conn`. DONE: *value is the complete reply, a new reference (a server error
 * is an exception instance). FAILED: a Python exception is set, the value is given up, and the
 * caller says builder_spoil unless the event was the last. Large bodies are lent their final object
 * here. */
int builder_take(Builder *builder, kvw_conn_t *conn, const kvw_event_t *event, Decode decode,
                 PyObject **value);

/* As builder_take for an item that has no connection behind it and never opens a body. */
int builder_take_item(Builder *builder, const kvw_item_t *item, Decode decode, PyObject **value);

/* The reply under way is spoilt, by an exception that is taken over: its rest is consumed unseen,
 * and with its last event builder_take fails with that exception. The call ends only then, so that
 * the connection is whole for the next one. */
void builder_spoil(Builder *builder, PyObject *exception);

/* Forget an unfinished reply. */
void builder_reset(Builder *builder);

#endif
