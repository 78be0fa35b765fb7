#include "stop.h"

/* Making a StopIteration for each value costs more than all else that a reply does. So one is used
 * again as long as nobody else holds it: its value is written where the running interpreter keeps
 * it, which is looked for at the start. Where that is not found each value gets a new one. */

/* A StopIteration that is kept holds on to its value until the next one: not to a large one. */
#define REUSE_MAX 4096

static int is_small(PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    if (type == &PyBytes_Type)
        return PyBytes_Size(value) <= REUSE_MAX;
    return type == &PyLong_Type || type == &PyBool_Type || type == &PyFloat_Type;
}

static PyObject **place(PyObject *stop, size_t offset)
{
    return (PyObject **)(void *)((char *)stop + offset);
}

/* The offset of the value in a StopIteration, or 0: the only word in it that changes with the
 * attribute, and with which the attribute changes. An exception may be set as well. `first` is what
 * the value is now. */
static size_t find_value(PyObject *stop, PyObject *first, PyObject *second)
{
    PyObject *size = PyObject_GetAttrString(PyExc_StopIteration, "__basicsize__");
    size_t end = size == NULL ? 0 : PyLong_AsSize_t(size), found = 0, count = 0;
    Py_XDECREF(size);
    if (PyErr_Occurred() || end > STOP_SIZE_MAX)
        return 0;
    for (size_t at = sizeof(PyObject); at + sizeof(PyObject *) <= end; at += sizeof(PyObject *)) {
        if (*place(stop, at) == first) {
            found = at;
            count++;
        }
    }
    if (count != 1 || PyObject_SetAttrString(stop, "value", second) < 0 ||
        *place(stop, found) != second)
        return 0;
    *place(stop, found) = first;
    PyObject *read = PyObject_GetAttrString(stop, "value");
    int same = read == first;
    Py_XDECREF(read);
    *place(stop, found) = second;
    return same ? found : 0;
}

void stop_load(State *state)
{
    PyObject *first = PyUnicode_FromString("first"), *second = PyUnicode_FromString("second");
    PyObject *stop = NULL;
    if (first != NULL && second != NULL)
        stop = PyObject_CallNoArgs(PyExc_StopIteration);
    if (stop != NULL && PyObject_SetAttrString(stop, "value", first) == 0)
        state->stop_offset = find_value(stop, first, second);
    PyErr_Clear();
    Py_XDECREF(stop);
    Py_XDECREF(second);
    Py_XDECREF(first);
}

/* What stands before the value: arguments (none), traceback, context, notes and the like. Whoever
 * catches a StopIteration by hand changes it there. */
static int is_pristine(const State *state, PyObject *stop)
{
    size_t len = state->stop_offset - sizeof(PyObject);
    return memcmp((char *)stop + sizeof(PyObject), state->stop_pristine, len) == 0;
}

/* A StopIteration that may be used again, or NULL with an exception set. */
static PyObject *make_reusable(State *state)
{
    PyObject *stop = PyObject_CallNoArgs(PyExc_StopIteration);
    if (stop == NULL)
        return NULL;
    memcpy(state->stop_pristine, (char *)stop + sizeof(PyObject),
           state->stop_offset - sizeof(PyObject));
    Py_INCREF(stop);
    EXT_SETREF(state->stop_iteration, stop);
    return stop;
}

/* A new reference to a StopIteration with the value, or NULL with an exception set. One that is
 * used again has no arguments beside the value, since those could not be changed as cheaply. */
static PyObject *make_stop(State *state, PyObject *value)
{
    PyObject *stop = state->stop_iteration;
    if (state->stop_offset == 0 || !is_small(value) || (stop != NULL && Py_REFCNT(stop) != 1))
        return PyObject_CallFunctionObjArgs(PyExc_StopIteration, value, NULL);
    if (stop != NULL && is_pristine(state, stop)) {
        Py_INCREF(stop); /* before the old value goes: that may be a user's, and run code */
    } else if ((stop = make_reusable(state)) == NULL) {
        return NULL;
    }
    Py_INCREF(value);
    EXT_SETREF(*place(stop, state->stop_offset), value);
    return stop;
}

/* PyErr_Restore leaves out the chaining that PyErr_SetObject does, and the instance is made here so
 * that tuples and exceptions are not taken apart. */
PyObject *stop_with(State *state, PyObject *value)
{
    if (value == Py_None || value == NULL)
        return NULL;
    PyObject *stop = make_stop(state, value);
    if (stop == NULL)
        return NULL;
    Py_INCREF(PyExc_StopIteration);
    PyErr_Restore(PyExc_StopIteration, stop, NULL);
    return NULL;
}
