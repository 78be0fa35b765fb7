#include "probe.h"

#include "errors.h"
#include "wake.h"

/* The test, in the order of the loop's turns: a Task awaits a reply of ours; the Task has added its
 * callback, from which the C function behind every Task's wake-up is learnt; the reply is finished
 * and the Task stepped directly with the sentinel; the Task must then be done, with the value that
 * only the reply knew, and in its own context. */

static void finish(Link *link, int passed)
{
    PyErr_Clear();
    if (passed)
        link->state->probe = PROBE_PASSED;
    else /* a link that is closed meanwhile has shown nothing */
        link->state->probe = link->dead ? PROBE_UNKNOWN : PROBE_FAILED;
    probe_apply(link);
}

void probe_apply(Link *link)
{
    link->direct = 0;
    if (link->state->probe != PROBE_PASSED || link->sentinel == NULL)
        return;
    PyObject *debug = PyObject_CallMethodObjArgs(link->loop, link->state->name_get_debug, NULL);
    /* In debug mode the loop is to see each callback, so that it can report the slow ones. */
    link->direct = debug == Py_False;
    if (debug == NULL)
        PyErr_Clear();
    Py_XDECREF(debug);
}

static PyObject *make_sentinel(Link *link)
{
    State *state = link->state;
    PyObject *future = PyObject_CallMethodObjArgs(link->loop, state->name_create_future, NULL);
    if (future == NULL)
        return NULL;
    PyObject *result = PyObject_CallMethodObjArgs(future, state->name_set_result, Py_None, NULL);
    if (result == NULL)
        Py_CLEAR(future);
    Py_XDECREF(result);
    return future;
}

static int judge(Link *link, Reply *reply, PyObject *task)
{
    State *state = link->state;
    PyObject *callback = reply->callback;
    if (!wake_can(state) || callback == NULL || !PyCFunction_CheckExact(callback) ||
        PyCFunction_GetSelf(callback) != task || PyCFunction_GetFlags(callback) != METH_O ||
        Py_TYPE(task) != (PyTypeObject *)state->asyncio_Task)
        return 0;
    PyCFunction wakeup = PyCFunction_GetFunction(callback);
    PyObject *mark = PyUnicode_FromString("probe");
    if (mark == NULL)
        return 0;
    Py_INCREF(mark);
    reply_take(reply, 0, mark);
    PyObject *context = reply->context;
    reply->callback = reply->context = NULL;
    PyObject *stepped = wake_task(state, wakeup, callback, context, link->sentinel);
    Py_DECREF(callback);
    Py_DECREF(context);
    PyObject *result = NULL;
    if (stepped != NULL)
        result = PyObject_CallMethod(task, "result", NULL); /* fails unless the task is done */
    int passed = result != NULL && PyTuple_CheckExact(result) && PyTuple_Size(result) == 2 &&
                 PyTuple_GetItem(result, 0) == mark && PyTuple_GetItem(result, 1) == Py_True;
    Py_XDECREF(stepped);
    Py_XDECREF(result);
    Py_DECREF(mark);
    if (passed)
        state->task_wakeup = wakeup;
    return passed;
}

static PyObject *on_probe(PyObject *self, PyObject *unused)
{
    (void)unused;
    Link *link = (Link *)PyTuple_GetItem(self, 0);
    Reply *reply = (Reply *)PyTuple_GetItem(self, 1);
    PyObject *task = PyTuple_GetItem(self, 2);
    finish(link, judge(link, reply, task));
    if (reply->status == PENDING) { /* not woken by the test: let the Task end the plain way */
        Py_INCREF(Py_None);
        reply_take(reply, 0, Py_None);
        if (reply_schedule(reply) < 0)
            PyErr_Clear();
    }
    Py_RETURN_NONE;
}

static PyMethodDef on_probe_def = {"kvwire_probe", on_probe, METH_NOARGS, NULL};

/* The Task must be asyncio's own C class: anything else wakes in its own way. */
static PyObject *start_task(Link *link, Reply *reply)
{
    State *state = link->state;
    PyObject *module = PyImport_ImportModule("kvwire._probe");
    PyObject *coroutine = NULL, *task = NULL, *args = NULL, *kwargs = NULL;
    if (module != NULL)
        coroutine = PyObject_CallMethod(module, "probe", "O", (PyObject *)reply);
    if (coroutine != NULL) {
        args = PyTuple_Pack(1, coroutine);
        kwargs = Py_BuildValue("{sO}", "loop", link->loop);
    }
    if (args != NULL && kwargs != NULL)
        task = PyObject_Call(state->asyncio_Task, args, kwargs);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    Py_XDECREF(coroutine);
    Py_XDECREF(module);
    return task;
}

void probe_start(Link *link)
{
    State *state = link->state;
    if (link->sentinel == NULL && (link->sentinel = make_sentinel(link)) == NULL) {
        PyErr_Clear();
        return;
    }
    if (state->probe != PROBE_UNKNOWN) {
        probe_apply(link);
        return;
    }
    int started = 0;
    Reply *reply = reply_new(state, link, state->commands[0], 0);
    PyObject *task = reply == NULL ? NULL : start_task(link, reply);
    if (task != NULL) {
        PyObject *self = PyTuple_Pack(3, (PyObject *)link, (PyObject *)reply, task);
        PyObject *callback = self == NULL ? NULL : PyCFunction_NewEx(&on_probe_def, self, NULL);
        if (callback != NULL && link_call_soon(link, callback, NULL, NULL) == 0)
            started = 1;
        Py_XDECREF(callback);
        Py_XDECREF(self);
        Py_DECREF(task);
    }
    Py_XDECREF((PyObject *)reply);
    if (started)
        state->probe = PROBE_RUNNING;
    else
        finish(link, 0);
}
