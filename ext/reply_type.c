/* The reply as asyncio sees it: future, iterator and type. */
#include "reply.h"

#include "errors.h"
#include "group.h"
#include "link.h"
#include "stop.h"

/* ---- what asyncio asks of a future --------------------------------------------------------- */

static PyObject *py_add_done_callback(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                      PyObject *kwnames)
{
    return reply_add_callback((Reply *)self, args, nargs, kwnames);
}

/* Comparing runs other code, in which the callbacks may change or be called: what is compared is
 * held, and its place is looked up again. */
static int is_same(PyObject *held, PyObject *callback)
{
    Py_INCREF(held);
    int same = PyObject_RichCompareBool(held, callback, Py_EQ);
    Py_DECREF(held);
    return same;
}

static PyObject *py_remove_done_callback(PyObject *self, PyObject *callback)
{
    Reply *reply = (Reply *)self;
    Py_ssize_t removed = 0;
    PyObject *first = reply->callback;
    int same = first == NULL ? 0 : is_same(first, callback);
    if (same > 0 && reply->callback == first) {
        reply->callback = NULL;
        PyObject *context = reply->context;
        reply->context = NULL;
        Py_DECREF(first);
        Py_XDECREF(context);
        removed++;
    }
    for (Py_ssize_t i = 0; same >= 0 && reply->more != NULL && i < PyList_Size(reply->more);) {
        PyObject *pair = PyList_GetItem(reply->more, i);
        Py_INCREF(pair);
        same = is_same(PyTuple_GetItem(pair, 0), callback);
        PyObject *more = reply->more;
        int there = more != NULL && i < PyList_Size(more) && PyList_GetItem(more, i) == pair;
        if (same > 0 && there) {
            if (PyList_SetSlice(more, i, i + 1, NULL) < 0)
                same = -1;
            removed++;
        } else {
            i++;
        }
        Py_DECREF(pair);
    }
    return same < 0 ? NULL : PyLong_FromSsize_t(removed);
}

static PyObject *py_cancel(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"msg", NULL};
    Reply *reply = (Reply *)self;
    PyObject *message = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:cancel", names, &message))
        return NULL;
    if (reply->status != PENDING)
        Py_RETURN_FALSE;
    reply->status = CANCELLED;
    Py_XINCREF(message);
    EXT_SETREF(reply->cancel_message, message);
    if (reply->link != NULL) {
        Py_INCREF((PyObject *)reply);
        link_abandon(reply->link, reply);
        int rc = reply_schedule(reply);
        Py_DECREF((PyObject *)reply);
        if (rc < 0)
            return NULL;
    }
    Py_RETURN_TRUE;
}

static PyObject *py_done(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyBool_FromLong(((Reply *)self)->status != PENDING);
}

static PyObject *py_cancelled(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyBool_FromLong(((Reply *)self)->status == CANCELLED);
}

static PyObject *py_result(PyObject *self, PyObject *unused)
{
    (void)unused;
    return reply_result((Reply *)self);
}

static PyObject *py_exception(PyObject *self, PyObject *unused)
{
    (void)unused;
    Reply *reply = (Reply *)self;
    reply_convert(reply);
    switch (reply->status) {
    case PENDING:
        return reply_raise_invalid_state(reply, "Exception is not set.");
    case CANCELLED:
        return reply_result(reply);
    case FAILED:
        reply->retrieved = 1;
        Py_INCREF(reply->value);
        return reply->value;
    default:
        Py_RETURN_NONE;
    }
}

static PyObject *py_get_loop(PyObject *self, PyObject *unused)
{
    (void)unused;
    Reply *reply = (Reply *)self;
    if (reply->link != NULL) {
        Py_INCREF(reply->link->loop);
        return reply->link->loop;
    }
    if (state_load_asyncio(reply->state) < 0)
        return NULL;
    return PyObject_CallNoArgs(reply->state->asyncio_get_running_loop);
}

static PyObject *py_make_cancelled_error(PyObject *self, PyObject *unused)
{
    (void)unused;
    return reply_make_cancelled((Reply *)self);
}

static PyObject *get_blocking(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(((Reply *)self)->blocking);
}

static int set_blocking(PyObject *self, PyObject *value, void *unused)
{
    (void)unused;
    int truth = value == NULL ? 0 : PyObject_IsTrue(value);
    if (truth < 0)
        return -1;
    ((Reply *)self)->blocking = truth != 0;
    return 0;
}

static PyObject *get_loop_attribute(PyObject *self, void *unused)
{
    return py_get_loop(self, unused);
}

static PyObject *get_cancel_message(PyObject *self, void *unused)
{
    (void)unused;
    PyObject *message = ((Reply *)self)->cancel_message;
    if (message == NULL)
        Py_RETURN_NONE;
    Py_INCREF(message);
    return message;
}

/* ---- the iterator that `await` drives ------------------------------------------------------ */

/* It has no send(), throw() and close(): `await` needs none, and with them asyncio would take the
 * reply for a coroutine. */

static PyObject *reply_iternext(PyObject *self)
{
    Reply *reply = (Reply *)self;
    switch (reply->status) {
    case PENDING:
        if (reply->blocking) { /* what it was handed to has not looked at it */
            PyErr_SetString(PyExc_RuntimeError, "await wasn't used with future");
            return NULL;
        }
        reply->blocking = 1;
        Py_INCREF(self);
        return self;
    case DONE:
        if (!reply->raw)
            return stop_with(reply->state, reply->value);
        reply_convert(reply);
        return reply_iternext(self);
    default:
        return reply_result(reply);
    }
}

static PyObject *reply_self(PyObject *self)
{
    Py_INCREF(self);
    return self;
}

/* A Task asks every awaitable for the same three attributes at each await; answering them here
 * spares the method objects. The last is answered with the link's callable only when the Task has
 * just cleared the blocking flag, since it then calls it at once. */
static PyObject *reply_getattro(PyObject *self, PyObject *name)
{
    Reply *reply = (Reply *)self;
    State *state = reply->state;
    if (name == state->name__asyncio_future_blocking)
        return PyBool_FromLong(reply->blocking);
    if (reply->link != NULL) {
        PyObject *method = NULL;
        if (name == state->name_get_loop) {
            reply->blocking = 0; /* who asks has seen the flag, also when the loop is not theirs */
            method = reply->link->get_loop;
        } else if (name == state->name_add_done_callback && reply->adding) {
            reply->adding = 0;
            Py_INCREF(self);
            EXT_SETREF(reply->link->adding, reply);
            method = reply->link->add_callback;
        }
        if (method != NULL) {
            Py_INCREF(method);
            return method;
        }
    }
    reply->adding = 0;
    return PyObject_GenericGetAttr(self, name);
}

static int reply_setattro(PyObject *self, PyObject *name, PyObject *value)
{
    Reply *reply = (Reply *)self;
    if (name == reply->state->name__asyncio_future_blocking && value == Py_False) {
        reply->blocking = 0;
        reply->adding = reply->link != NULL && reply->link->add_callback != NULL;
        return 0;
    }
    return PyObject_GenericSetAttr(self, name, value);
}

/* ---- type ---------------------------------------------------------------------------------- */

static PyObject *reply_repr(PyObject *self)
{
    static const char *const words[] = {"pending", "done", "failed", "cancelled"};
    Reply *reply = (Reply *)self;
    const char *method = "reply";
    if (reply->group != NULL)
        method = "pipeline";
    else if (reply->command != NULL)
        method = reply->command->method;
    return PyUnicode_FromFormat("<kvwire.Reply %s %s>", method, words[reply->status]);
}

static int reply_traverse(PyObject *self, visitproc visit, void *arg)
{
    Reply *reply = (Reply *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(reply->link);
    Py_VISIT(reply->value);
    Py_VISIT(reply->callback);
    Py_VISIT(reply->context);
    Py_VISIT(reply->more);
    Py_VISIT(reply->cancel_message);
    return reply->group == NULL ? 0 : group_traverse(reply->group, visit, arg);
}

/* The link stays: it keeps the module and so the state alive. */
static int reply_clear(PyObject *self)
{
    Reply *reply = (Reply *)self;
    reply->raw = 0;
    Py_CLEAR(reply->callback);
    Py_CLEAR(reply->context);
    Py_CLEAR(reply->more);
    Py_CLEAR(reply->cancel_message);
    Py_CLEAR(reply->value);
    return 0;
}

/* An exception that nobody has seen is told to the loop's handler, as asyncio.Future does; once the
 * loop is closed nobody could have seen it. */
static void report_unseen(Reply *reply)
{
    if (reply->status != FAILED || reply->retrieved || reply->link == NULL ||
        reply->value == NULL || link_loop_is_closed(reply->link))
        return;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    error_raise(reply->value);
    link_report(reply->link, "kvwire: the error of a call was never retrieved");
    PyErr_Restore(type, value, traceback);
}

static void reply_dealloc(PyObject *self)
{
    Reply *reply = (Reply *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (reply->weakrefs != NULL)
        PyObject_ClearWeakRefs(self);
    report_unseen(reply);
    reply_clear(self);
    group_free(reply->group);
    /* The link keeps the state alive, until it goes itself; without one the state may be gone. */
    Link *link = reply->link;
    reply_free(link != NULL ? reply->state : NULL, reply);
    Py_DECREF(type);
    Py_XDECREF((PyObject *)link);
}

static PyMethodDef reply_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"add_done_callback", EXT_FASTCALL(py_add_done_callback), METH_FASTCALL | METH_KEYWORDS,
     "add_done_callback($self, fn, /, *, context=None)\n--\n\nAs asyncio.Future's."},
    {"remove_done_callback", py_remove_done_callback, METH_O,
     "remove_done_callback($self, fn, /)\n--\n\nAs asyncio.Future's."},
    {"cancel", EXT_FASTCALL(py_cancel), METH_VARARGS | METH_KEYWORDS,
     "cancel($self, msg=None)\n--\n\n"
     "Cancel the wait. The command may run all the same; its reply will be dropped."},
    {"done", py_done, METH_NOARGS, "done($self, /)\n--\n\nAs asyncio.Future's."},
    {"cancelled", py_cancelled, METH_NOARGS, "cancelled($self, /)\n--\n\nAs asyncio.Future's."},
    {"result", py_result, METH_NOARGS, "result($self, /)\n--\n\nAs asyncio.Future's."},
    {"exception", py_exception, METH_NOARGS, "exception($self, /)\n--\n\nAs asyncio.Future's."},
    {"get_loop", py_get_loop, METH_NOARGS, "get_loop($self, /)\n--\n\nAs asyncio.Future's."},
    {"_make_cancelled_error", py_make_cancelled_error, METH_NOARGS, NULL},
    {0},
};

static PyGetSetDef reply_getset[] = {
    {"_asyncio_future_blocking", get_blocking, set_blocking, NULL, NULL},
    {"_loop", get_loop_attribute, NULL, NULL, NULL},
    {"_cancel_message", get_cancel_message, NULL, NULL, NULL},
    {0},
};

static PyMemberDef reply_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Reply, weakrefs), READONLY, NULL},
    {0},
};

static PyType_Slot reply_slots[] = {
    {Py_tp_doc, "The reply to a command: an awaitable that behaves as asyncio.Future does."},
    {Py_tp_dealloc, reply_dealloc},
    {Py_tp_traverse, reply_traverse},
    {Py_tp_clear, reply_clear},
    {Py_tp_repr, reply_repr},
    {Py_tp_getattro, reply_getattro},
    {Py_tp_setattro, reply_setattro},
    {Py_am_await, reply_self},
    {Py_tp_iter, reply_self},
    {Py_tp_iternext, reply_iternext},
    {Py_tp_methods, reply_methods},
    {Py_tp_getset, reply_getset},
    {Py_tp_members, reply_members},
    {0, NULL},
};

PyType_Spec reply_spec = {
    .name = "kvwire._core.Reply",
    .basicsize = sizeof(Reply),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = reply_slots,
};
