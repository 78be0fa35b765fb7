/* What has been received goes to whom it belongs: events -> builder -> reply. */
#ifndef EXT_PUMP_H
#define EXT_PUMP_H

#include "reply.h"

/* Gets a reply that has ended, with the reference that its slots held. */
typedef void (*Settle)(void *context, Reply *reply);

enum { PUMP_FAILED = -1, PUMP_EMPTY = 0, PUMP_FULL = 1 };

/* Take events until there are no more (EMPTY), `limit` replies have ended (FULL), or the
 * connection has failed (FAILED: pump_drop is next). */
int pump(kvw_conn_t *conn, Builder *builder, size_t limit, Settle settle, void *context);

/* After a failure: end every call in flight with the connection's error. */
void pump_drop(kvw_conn_t *conn, Builder *builder, State *state, Settle settle, void *context);

/* End every call whose deadline has passed. Those replies are complete for their callers. */
void pump_expire(kvw_conn_t *conn, State *state, int64_t now, Settle settle, void *context);

#endif
