/* How a finished awaitable hands its value to `await`: the StopIteration that ends an iterator. */
#ifndef EXT_STOP_H
#define EXT_STOP_H

#include "state.h"

/* Learn where StopIteration.value is kept. Without that it works all the same. */
void stop_load(State *state);

/* What tp_iternext is to return for a value: NULL, with a StopIteration set unless it is None. */
PyObject *stop_with(State *state, PyObject *value);

#endif
