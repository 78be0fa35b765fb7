/* A link's dealings with its event loop: what it watches, when it wakes, when it sends. */
#include "link.h"

#include "drain.h"
#include "errors.h"

/* ---- calls to the loop --------------------------------------------------------------------- */

int loop_call_soon(State *state, PyObject *call_soon, PyObject *callback, PyObject *argument,
                   PyObject *context)
{
    PyObject *result = NULL;
    if (context == NULL) {
        result = PyObject_CallFunctionObjArgs(call_soon, callback, argument, NULL);
    } else {
        PyObject *args = PyTuple_Pack(2, callback, argument);
        PyObject *kwargs = PyDict_New();
        if (args != NULL && kwargs != NULL &&
            PyDict_SetItem(kwargs, state->name_context, context) == 0)
            result = PyObject_Call(call_soon, args, kwargs);
        Py_XDECREF(args);
        Py_XDECREF(kwargs);
    }
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

int link_call_soon(Link *link, PyObject *callback, PyObject *argument, PyObject *context)
{
    State *state = link->state;
    /* The bound method is made anew once the link has been closed. */
    PyObject *call_soon = link->call_soon;
    Py_XINCREF(call_soon);
    if (call_soon == NULL) {
        call_soon = PyObject_GetAttr(link->loop, state->name_call_soon);
        if (call_soon == NULL)
            return -1;
    }
    int rc = loop_call_soon(state, call_soon, callback, argument, context);
    Py_DECREF(call_soon);
    if (rc < 0 && link_loop_is_closed(link)) {
        PyErr_Clear(); /* nobody can be waiting in a loop that is closed */
        return 0;
    }
    return rc;
}

int link_loop_is_closed(Link *link)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *closed = PyObject_CallMethodObjArgs(link->loop, link->state->name_is_closed, NULL);
    int is_closed = closed == Py_True;
    if (closed == NULL)
        PyErr_Clear();
    Py_XDECREF(closed);
    PyErr_Restore(type, value, traceback);
    return is_closed;
}

void link_report(Link *link, const char *message)
{
    PyObject *exception = error_take();
    PyObject *details = Py_BuildValue("{ssss}", "message", message, "source", "kvwire");
    PyObject *result = NULL;
    if (exception != NULL && details != NULL &&
        PyDict_SetItem(details, link->state->name_exception, exception) == 0)
        result = PyObject_CallMethodObjArgs(link->loop, link->state->name_call_exception_handler,
                                            details, NULL);
    if (result == NULL)
        PyErr_Clear();
    Py_XDECREF(result);
    Py_XDECREF(details);
    Py_XDECREF(exception);
}

/* ---- watching ------------------------------------------------------------------------------ */

static int tell_loop(Link *link, PyObject *method, PyObject *callback)
{
    PyObject *fd = PyLong_FromLong(link->fd);
    if (fd == NULL)
        return -1;
    PyObject *result = PyObject_CallMethodObjArgs(link->loop, method, fd, callback, NULL);
    Py_DECREF(fd);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int set_registered(Link *link, int wants)
{
    State *state = link->state;
    int change = wants ^ link->registered, rc = 0;
    if (rc == 0 && (change & KVW_WANT_READ))
        rc = wants & KVW_WANT_READ ? tell_loop(link, state->name_add_reader, link->on_readable)
                                   : tell_loop(link, state->name_remove_reader, NULL);
    if (rc == 0 && (change & KVW_WANT_WRITE))
        rc = wants & KVW_WANT_WRITE ? tell_loop(link, state->name_add_writer, link->on_writable)
                                    : tell_loop(link, state->name_remove_writer, NULL);
    if (rc == 0)
        link->registered = wants;
    return rc;
}

void link_unwatch(Link *link)
{
    if (link->fd >= 0 && link->registered != 0 && !link_loop_is_closed(link)) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        if (set_registered(link, 0) < 0)
            PyErr_Clear();
        PyErr_Restore(type, value, traceback);
    }
    link->registered = 0;
    link->fd = -1;
}

int link_watch(Link *link)
{
    int fd = kvw_conn_fd(link->conn);
    int wants = kvw_conn_wants(link->conn);
    if (fd != link->fd)
        link_unwatch(link);
    if (fd < 0 || link->dead)
        return 0;
    link->fd = fd;
    return wants == link->registered ? 0 : set_registered(link, wants);
}

void link_give_up(Link *link)
{
    link_report(link, "kvwire: the event loop refused a call");
    kvw_conn_fail(link->conn, KVW_EIO, "the event loop refused to watch the connection");
    link_fail(link);
}

/* ---- deadlines ----------------------------------------------------------------------------- */

/* A timer that fires a little late is worth not having to move it. */
#define TIMER_SLACK 1000000

int link_arm(Link *link)
{
    int64_t deadline = kvw_conn_deadline(link->conn);
    if (deadline == KVW_NEVER || link->dead)
        return 0;
    State *state = link->state;
    if (link->timer != NULL) {
        if (link->timer_at <= deadline + TIMER_SLACK)
            return 0;
        PyObject *result = PyObject_CallMethodObjArgs(link->timer, state->name_cancel, NULL);
        Py_CLEAR(link->timer);
        if (result == NULL)
            return -1;
        Py_DECREF(result);
    }
    int64_t now = kvw_now();
    double delay = deadline > now ? (double)(deadline - now) * 1e-9 : 0.0;
    PyObject *seconds = PyFloat_FromDouble(delay);
    if (seconds == NULL)
        return -1;
    link->timer = PyObject_CallMethodObjArgs(link->loop, state->name_call_later, seconds,
                                             link->on_timer, NULL);
    Py_DECREF(seconds);
    link->timer_at = deadline;
    return link->timer == NULL ? -1 : 0;
}

/* ---- sending ------------------------------------------------------------------------------- */

void link_flush(Link *link)
{
    link->unflushed = 0;
    int rc = kvw_conn_flush(link->conn, kvw_now());
    kvw_conn_release(link->conn);
    if (rc < 0)
        link_fail(link);
    else if (link_watch(link) < 0 || link_arm(link) < 0)
        link_give_up(link);
    else if (kvw_conn_send_failed(link->conn))
        drain_soon(link); /* not every loop says that a descriptor is broken */
}

int link_submitted(Link *link)
{
    link->unflushed++;
    if (link->draining && link->thread == PyThread_get_thread_ident()) {
        if (link->flush_goal != 0 && link->unflushed >= link->flush_goal) {
            link->flush_goal = 0;
            link_flush(link);
        }
        return 0; /* the drain flushes when it ends */
    }
    if (link->flush_scheduled || link->dead || kvw_conn_state(link->conn) != KVW_STATE_OPEN)
        return 0;
    link->flush_scheduled = 1;
    int rc = link_call_soon(link, link->on_flush, NULL, NULL);
    if (rc < 0)
        link->flush_scheduled = 0;
    return rc;
}
