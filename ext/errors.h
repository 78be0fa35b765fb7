/* From the core's codes to Python exceptions. Makers return a new exception and run no Python code;
 * raisers return NULL. */
#ifndef EXT_ERRORS_H
#define EXT_ERRORS_H

#include "state.h"

#include "kvwire/kvwire.h"

/* The exception for a failed or finished connection, or for one of its calls. */
PyObject *error_from_conn(State *state, kvw_conn_t *conn, int err, int maybe_executed);

/* The exception for a call that ended without its reply. `seconds` is its time limit. */
PyObject *error_from_lost(State *state, kvw_conn_t *conn, const kvw_lost_t *lost);

/* The exception for what the server said ("CODE text"). */
PyObject *error_from_server(State *state, const char *text, size_t len);

/* A kvwire.ConnectionError that says that nothing was executed. */
PyObject *error_raise_closed(State *state);

/* A plain error of the core outside a connection (memory, arguments). */
PyObject *error_raise_core(int err);

/* Take the current exception as a normalised instance with its traceback. Never NULL. */
PyObject *error_take(void);

/* Raise `exception` (an instance, borrowed). Always returns NULL. */
PyObject *error_raise(PyObject *exception);

#endif
