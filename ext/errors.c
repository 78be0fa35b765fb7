#include "errors.h"

/* An exception of the class with this message. Its __init__, being Python code, is left out: a
 * signal's handler could run there, and what that raises would become the reply of whoever waits
 * for the error. The classes have defaults for all that it would set. */
static PyObject *make_bare(PyObject *class, PyObject *message)
{
    newfunc make_new = (newfunc)PyType_GetSlot((PyTypeObject *)class, Py_tp_new);
    PyObject *args = message == NULL ? NULL : PyTuple_Pack(1, message);
    PyObject *exception = args == NULL ? NULL : make_new((PyTypeObject *)class, args, NULL);
    /* OSError's classes leave their arguments to __init__. */
    if (exception != NULL && PyObject_SetAttrString(exception, "args", args) < 0)
        Py_CLEAR(exception);
    Py_XDECREF(args);
    return exception;
}

static PyObject *make(State *state, PyObject *class, const char *text, int maybe_executed)
{
    PyObject *message = PyUnicode_FromString(text);
    PyObject *exception = make_bare(class, message);
    Py_XDECREF(message);
    if (exception == NULL)
        return NULL;
    PyObject *flag = maybe_executed ? Py_True : Py_False;
    if (PyObject_SetAttr(exception, state->name_maybe_executed, flag) < 0) {
        Py_DECREF(exception);
        return NULL;
    }
    return exception;
}

PyObject *error_from_conn(State *state, kvw_conn_t *conn, int err, int maybe_executed)
{
    const char *message = NULL;
    int sticky = kvw_conn_error(conn, &message);
    if (sticky == 0 || message == NULL || message[0] == '\0')
        message = kvw_err_message(err);
    switch (err) {
    case KVW_ENOMEM:
        return PyObject_CallFunction(PyExc_MemoryError, "s", message);
    case KVW_ETIMEOUT:
        return make(state, state->error_TimeoutError, message, maybe_executed);
    case KVW_EPROTOCOL:
    case KVW_EDEPTH:
    case KVW_ETOOBIG:
    case KVW_ESURPLUS:
        return make(state, state->error_ProtocolError, message, maybe_executed);
    case KVW_EAUTH: {
        PyObject *exception = make(state, state->error_AuthenticationError, message, 0);
        if (exception != NULL) {
            PyObject *code = PyUnicode_FromString(kvw_conn_error_code(conn));
            if (code == NULL || PyObject_SetAttrString(exception, "_code", code) < 0)
                Py_CLEAR(exception);
            Py_XDECREF(code);
        }
        return exception;
    }
    default:
        return make(state, state->error_ConnectionError, message, maybe_executed);
    }
}

PyObject *error_from_lost(State *state, kvw_conn_t *conn, const kvw_lost_t *lost)
{
    const char *unused;
    if (lost->err == KVW_ETIMEOUT && kvw_conn_error(conn, &unused) == 0) {
        char message[320];
        snprintf(message, sizeof message, "%.240s: no reply within the call's time limit",
                 kvw_conn_peer(conn));
        return make(state, state->error_TimeoutError, message, lost->maybe_executed);
    }
    return error_from_conn(state, conn, lost->err, lost->maybe_executed);
}

PyObject *error_from_server(State *state, const char *text, size_t len)
{
    static const char noauth[] = "NOAUTH ";
    int wants_login = len >= sizeof noauth - 1 && memcmp(text, noauth, sizeof noauth - 1) == 0;
    PyObject *message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)len, "backslashreplace");
    PyObject *exception = make_bare(
        wants_login ? state->error_AuthenticationError : state->error_ServerError, message);
    Py_XDECREF(message);
    return exception;
}

PyObject *error_raise_closed(State *state)
{
    PyObject *exception = make(state, state->error_ConnectionError, "the client is closed", 0);
    if (exception != NULL) {
        error_raise(exception);
        Py_DECREF(exception);
    }
    return NULL;
}

PyObject *error_raise_core(int err)
{
    if (err == KVW_ENOMEM)
        return PyErr_NoMemory();
    PyErr_SetString(PyExc_RuntimeError, kvw_err_message(err));
    return NULL;
}

PyObject *error_take(void)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value == NULL) { /* Cannot happen by the contract; an exception must not become none. */
        value = PyObject_CallFunction(PyExc_SystemError, "s", "error without an exception");
    } else if (traceback != NULL) {
        PyException_SetTraceback(value, traceback);
    }
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}

PyObject *error_raise(PyObject *exception)
{
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    return NULL;
}
