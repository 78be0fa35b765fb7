/* Replies from bytes without a connection, for tests and tools. */
#ifndef EXT_PARSE_H
#define EXT_PARSE_H

#include "state.h"

/* _core.parse(data, shape=0, decode=False). */
PyObject *parse_replies(PyObject *module, PyObject *args, PyObject *kwargs);

#endif
