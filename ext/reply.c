#include "reply.h"

#include "errors.h"
#include "group.h"
#include "link.h"

/* ---- making -------------------------------------------------------------------------------- */

/* Every call makes a reply and soon drops it; using it again spares most of what that costs. */
static Reply *take_spare(State *state)
{
    PyObject *spare = state->spares[--state->spare_count];
    memset((char *)spare + sizeof(PyObject), 0, sizeof(Reply) - sizeof(PyObject));
    PyObject_Init(spare, state->type_Reply);
    PyObject_GC_Track(spare);
    return (Reply *)spare;
}

void reply_free(State *state, Reply *reply)
{
    if (state != NULL && state->spare_count < SPARES_MAX)
        state->spares[state->spare_count++] = (PyObject *)reply;
    else
        PyObject_GC_Del(reply);
}

void reply_drop_spares(State *state)
{
    while (state->spare_count > 0)
        PyObject_GC_Del(state->spares[--state->spare_count]);
}

static Reply *allocate(State *state, Link *link)
{
    Reply *reply = state->spare_count > 0 ? take_spare(state)
                                          : (Reply *)state->reply_alloc(state->type_Reply, 0);
    if (reply == NULL)
        return NULL;
    reply->state = state;
    Py_XINCREF((PyObject *)link);
    reply->link = link;
    return reply;
}

Reply *reply_new(State *state, Link *link, Command *command, int decode)
{
    Reply *reply = allocate(state, link);
    if (reply != NULL) {
        reply->command = command;
        reply->decode = decode != 0;
    }
    return reply;
}

Reply *reply_new_done(State *state, Link *link, PyObject *value)
{
    Reply *reply = allocate(state, link);
    if (reply == NULL) {
        Py_DECREF(value);
        return NULL;
    }
    reply->value = value;
    reply->status = DONE;
    return reply;
}

void reply_hold(Reply *reply)
{
    Py_INCREF((PyObject *)reply);
    reply->held = 1;
}

int reply_unhold(Reply *reply)
{
    int held = reply->held;
    reply->held = 0;
    return held;
}

/* ---- ending -------------------------------------------------------------------------------- */

Decode reply_decode(const Reply *reply, uint32_t index)
{
    if (reply->group != NULL)
        return group_decode(reply->group, index);
    return (Decode){reply->decode, NULL, 0};
}

int reply_is_last(const Reply *reply, uint32_t index)
{
    return reply->group == NULL || group_is_last(reply->group, index);
}

static void end(Reply *reply, Status status, PyObject *value)
{
    reply->status = (uint8_t)status;
    reply->value = value;
}

void reply_take(Reply *reply, uint32_t index, PyObject *value)
{
    if (reply->status != PENDING) {
        Py_DECREF(value);
        return;
    }
    if (reply->group != NULL) {
        group_take(reply->group, index, value);
        if (!group_is_last(reply->group, index))
            return;
        PyObject *failure = group_failure(reply->group);
        Py_XINCREF(failure);
        reply->raw = failure == NULL;
        end(reply, failure != NULL ? FAILED : DONE, failure);
    } else if (reply->any) {
        Py_DECREF(value);
        Py_INCREF(Py_None);
        end(reply, DONE, Py_None);
    } else if (PyExceptionInstance_Check(value)) {
        end(reply, FAILED, value);
    } else {
        reply->raw = reply->command->post != NULL;
        end(reply, DONE, value);
    }
}

void reply_convert(Reply *reply)
{
    if (!reply->raw)
        return;
    int failed = 0;
    PyObject *value;
    Py_INCREF((PyObject *)reply);
    if (reply->group != NULL)
        value = group_outcome(reply->group, &failed);
    else
        value = PyObject_CallFunctionObjArgs(reply->command->post, reply->value, NULL);
    if (value == NULL) {
        failed = 1;
        value = error_take();
    }
    if (reply->raw) { /* the conversion may have led here a second time */
        reply->raw = 0;
        reply->status = failed ? FAILED : DONE;
        EXT_SETREF(reply->value, value);
    } else {
        Py_DECREF(value);
    }
    Py_DECREF((PyObject *)reply);
}

void reply_fail(Reply *reply, PyObject *exception)
{
    if (reply->status == PENDING)
        end(reply, FAILED, exception);
    else
        Py_DECREF(exception);
}

/* ---- outcomes ------------------------------------------------------------------------------ */

PyObject *reply_make_cancelled(Reply *reply)
{
    State *state = reply->state;
    if (state_load_asyncio(state) < 0)
        return NULL;
    if (reply->cancel_message == NULL || reply->cancel_message == Py_None)
        return PyObject_CallNoArgs(state->asyncio_CancelledError);
    return PyObject_CallFunctionObjArgs(state->asyncio_CancelledError, reply->cancel_message, NULL);
}

static PyObject *raise_cancelled(Reply *reply)
{
    PyObject *exception = reply_make_cancelled(reply);
    if (exception != NULL) {
        error_raise(exception);
        Py_DECREF(exception);
    }
    return NULL;
}

/* The same exception may be raised for several awaiters; each traceback starts anew. */
static PyObject *raise_failed(Reply *reply)
{
    reply->retrieved = 1;
    PyException_SetTraceback(reply->value, Py_None);
    return error_raise(reply->value);
}

PyObject *reply_raise_invalid_state(Reply *reply, const char *message)
{
    if (state_load_asyncio(reply->state) == 0)
        PyErr_SetString(reply->state->asyncio_InvalidStateError, message);
    return NULL;
}

PyObject *reply_result(Reply *reply)
{
    reply_convert(reply);
    switch (reply->status) {
    case DONE:
        Py_INCREF(reply->value);
        return reply->value;
    case FAILED:
        return raise_failed(reply);
    case CANCELLED:
        return raise_cancelled(reply);
    default:
        return reply_raise_invalid_state(reply, "Result is not set.");
    }
}

/* ---- callbacks ----------------------------------------------------------------------------- */

/* A reply that was there from the start may have no connection; its loop is the running one. */
static int call_soon(Reply *reply, PyObject *callback, PyObject *context)
{
    State *state = reply->state;
    if (reply->link != NULL)
        return link_call_soon(reply->link, callback, (PyObject *)reply, context);
    if (state_load_asyncio(state) < 0)
        return -1;
    PyObject *loop = PyObject_CallNoArgs(state->asyncio_get_running_loop);
    if (loop == NULL)
        return -1;
    PyObject *method = PyObject_GetAttr(loop, state->name_call_soon);
    int rc =
        method == NULL ? -1 : loop_call_soon(state, method, callback, (PyObject *)reply, context);
    Py_XDECREF(method);
    Py_DECREF(loop);
    return rc;
}

int reply_schedule(Reply *reply)
{
    PyObject *callback = reply->callback, *context = reply->context, *more = reply->more;
    reply->callback = reply->context = reply->more = NULL;
    int rc = 0;
    if (callback != NULL)
        rc = call_soon(reply, callback, context);
    Py_XDECREF(callback);
    Py_XDECREF(context);
    for (Py_ssize_t i = 0; more != NULL && rc == 0 && i < PyList_Size(more); i++) {
        PyObject *pair = PyList_GetItem(more, i);
        rc = call_soon(reply, PyTuple_GetItem(pair, 0), PyTuple_GetItem(pair, 1));
    }
    Py_XDECREF(more);
    return rc;
}

static int add_callback(Reply *reply, PyObject *callback, PyObject *context)
{
    if (reply->status != PENDING)
        return call_soon(reply, callback, context);
    if (reply->callback == NULL && reply->more == NULL) {
        Py_INCREF(callback);
        Py_INCREF(context);
        reply->callback = callback;
        reply->context = context;
        return 0;
    }
    if (reply->more == NULL && (reply->more = PyList_New(0)) == NULL)
        return -1;
    PyObject *pair = PyTuple_Pack(2, callback, context);
    int rc = pair == NULL ? -1 : PyList_Append(reply->more, pair);
    Py_XDECREF(pair);
    return rc;
}

/* Whether the keywords are ("context",). Every Task passes the same tuple, so that the last one
 * seen is kept. */
static int is_context(State *state, PyObject *kwnames)
{
    if (kwnames == state->context_names)
        return 1;
    if (PyTuple_Size(kwnames) != 1 ||
        PyUnicode_Compare(PyTuple_GetItem(kwnames, 0), state->name_context) != 0)
        return 0;
    Py_INCREF(kwnames);
    EXT_SETREF(state->context_names, kwnames);
    return 1;
}

PyObject *reply_add_callback(Reply *reply, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames)
{
    if (nargs != 1 || (kwnames != NULL && !is_context(reply->state, kwnames))) {
        PyErr_SetString(PyExc_TypeError,
                        "add_done_callback() takes a callback and optionally context=");
        return NULL;
    }
    if (state_load_asyncio(reply->state) < 0)
        return NULL;
    int rc;
    if (kwnames != NULL && args[1] != Py_None) {
        rc = add_callback(reply, args[0], args[1]);
    } else {
        PyObject *context = PyObject_CallNoArgs(reply->state->asyncio_copy_context);
        rc = context == NULL ? -1 : add_callback(reply, args[0], context);
        Py_XDECREF(context);
    }
    if (rc < 0)
        return NULL;
    Py_RETURN_NONE;
}
