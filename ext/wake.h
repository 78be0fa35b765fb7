/* Waking a Task from the loop's own callbacks, in the Task's context. */
#ifndef EXT_WAKE_H
#define EXT_WAKE_H

#include "state.h"

/* Find what it takes in the running interpreter. */
void wake_load(State *state);

/* Whether it was found. */
int wake_can(const State *state);

/* Call callback(sentinel) in the context, `wakeup` being the callback's C function: one of a single
 * argument, as every Task's wake-up is. A new reference, or NULL with an exception set. */
PyObject *wake_task(State *state, PyCFunction wakeup, PyObject *callback, PyObject *context,
                    PyObject *sentinel);

#endif
