#include "drain.h"

#include "probe.h"
#include "pump.h"
#include "wake.h"

/* How much one wake-up completes before other callbacks of the loop get their turn. */
#define DRAIN_LIMIT 256
/* After so many bytes, what has come is handed over before more is taken in: its callers may soon
 * be done with it, and then the memory of large values is used again while it is warm. */
#define HAND_OVER_BYTES 65536
/* Below so many commands an early flush costs more than it gains. */
#define FLUSH_MINIMUM 16

void drain_settle(void *context, Reply *reply)
{
    Link *link = context;
    if (link->ready_count == link->ready_capacity) {
        size_t capacity = link->ready_capacity == 0 ? 64 : link->ready_capacity * 2;
        Reply **ready = PyMem_Realloc(link->ready, capacity * sizeof *ready);
        if (ready == NULL) { /* No room in the batch: this one goes the plain way. */
            if (reply_schedule(reply) < 0)
                PyErr_Clear();
            Py_DECREF((PyObject *)reply);
            return;
        }
        link->ready = ready;
        link->ready_capacity = capacity;
    }
    link->ready[link->ready_count++] = reply;
}

void drain_clear(Link *link)
{
    while (link->ready_at < link->ready_count)
        Py_DECREF((PyObject *)link->ready[link->ready_at++]);
    PyMem_Free(link->ready);
    link->ready = NULL;
    link->ready_at = link->ready_count = link->ready_capacity = 0;
}

static void schedule(Link *link, Reply *reply)
{
    if (reply_schedule(reply) < 0)
        link_report(link, "kvwire: the callbacks of a reply could not be scheduled");
}

/* Wake the Task behind a finished reply at once, in its own context. The Task gets the sentinel, a
 * finished asyncio.Future, which it reads without a method call; it then resumes its coroutine,
 * and that takes the value from the reply itself. Legal since no Task is current here. Takes over
 * the reference, which goes before the Task runs: what it keeps is then for it alone to say. */
static int step(Link *link, Reply *reply)
{
    State *state = link->state;
    PyObject *callback = reply->callback;
    if (!link->direct || callback == NULL || reply->more != NULL || link->dead ||
        !PyCFunction_CheckExact(callback) ||
        PyCFunction_GetFunction(callback) != state->task_wakeup ||
        Py_TYPE(reply->context) != (PyTypeObject *)state->asyncio_Context) {
        schedule(link, reply);
        Py_DECREF((PyObject *)reply);
        return 0;
    }
    PyObject *context = reply->context;
    reply->callback = reply->context = NULL;
    Py_DECREF((PyObject *)reply);
    PyObject *result = wake_task(state, state->task_wakeup, callback, context, link->sentinel);
    Py_DECREF(callback);
    Py_DECREF(context);
    if (result != NULL) {
        Py_DECREF(result);
        return 0;
    }
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) || PyErr_ExceptionMatches(PyExc_SystemExit))
        return -1;
    link_report(link, "kvwire: stepping a task failed");
    return 0;
}

/* Whether asyncio has another class of Tasks than when it was probed. Who patches that (as
 * nest_asyncio does) may want to run a loop from inside of its tasks, and that cannot be done from
 * a task that is stepped inside of a loop's callback. */
static int is_patched(State *state)
{
    PyObject *task = PyObject_GetAttr(state->asyncio_module, state->name_Task);
    int patched = task != state->asyncio_Task;
    if (task == NULL)
        PyErr_Clear();
    Py_XDECREF(task);
    return patched;
}

/* A Task may be stepped only while none is current. A loop that runs callbacks inside of a task
 * (a patched one) gets the plain way. */
static int may_step(Link *link)
{
    if (!link->direct || is_patched(link->state))
        return 0;
    PyObject *task =
        PyObject_CallFunctionObjArgs(link->state->asyncio_current_task, link->loop, NULL);
    int none = task == Py_None;
    if (task == NULL)
        PyErr_Clear();
    Py_XDECREF(task);
    return none;
}

static int step_all(Link *link)
{
    int rc = 0;
    if (link->ready_count - link->ready_at == 0)
        return 0;
    uint8_t direct = link->direct;
    link->direct = (uint8_t)may_step(link);
    while (rc == 0 && link->ready_at < link->ready_count) {
        Reply *reply = link->ready[link->ready_at++];
        rc = step(link, reply);
    }
    if (link->ready_at == link->ready_count)
        link->ready_at = link->ready_count = 0;
    link->direct = direct;
    return rc;
}

void drain_schedule(Link *link)
{
    while (link->ready_at < link->ready_count) {
        Reply *reply = link->ready[link->ready_at++];
        schedule(link, reply);
        Py_DECREF((PyObject *)reply);
    }
    link->ready_at = link->ready_count = 0;
}

void drain_soon(Link *link)
{
    PyObject *type, *value, *traceback;
    if (link->rest_scheduled)
        return;
    PyErr_Fetch(&type, &value, &traceback);
    if (link->dead) { /* and will not be called any more */
        drain_schedule(link);
    } else {
        link->rest_scheduled = 1;
        if (link_call_soon(link, link->on_rest, NULL, NULL) < 0) {
            link->rest_scheduled = 0;
            PyErr_Clear(); /* the loop is closed: nobody waits any more */
        }
    }
    PyErr_Restore(type, value, traceback);
}

static void flush(Link *link)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (kvw_conn_unflushed(link->conn) && !link->dead)
        link_flush(link);
    PyErr_Restore(type, value, traceback);
}

/* Whether to receive again at once. A loop that is not asyncio's own may stop to watch a descriptor
 * with an error (uvloop does), so that what came together with the error would be the last that is
 * heard of it: there, as long as replies are due, receiving goes on until there is nothing. */
static int may_hold_more(Link *link)
{
    if (kvw_conn_recv_was_full(link->conn) || kvw_conn_send_failed(link->conn))
        return 1;
    return !link->level_triggered && kvw_conn_in_flight(link->conn) > 0;
}

/* What is awaited next is sent in two halves, so that the server works on one while the other is
 * still being made: half of what has come, or, of values so large that they come few at a time, of
 * what is due. Once half is due anyway the server has that to work on, and sending what has come in
 * yet smaller pieces would only cost more. */
static size_t flush_goal(Link *link)
{
    size_t come = link->ready_count, due = kvw_conn_in_flight(link->conn);
    if (come / 2 >= FLUSH_MINIMUM)
        return due > come / 2 ? 0 : come / 2;
    return (come + due) / 2 >= FLUSH_MINIMUM ? (come + due) / 2 : 0;
}

/* Take in what there is, after receiving more if that is wanted. PUMP_*, and what came. */
static int take_in(Link *link, int receive, size_t most, int64_t *got)
{
    link->pumping = 1;
    *got = receive ? kvw_conn_recv(link->conn) : 0;
    int state = PUMP_FAILED;
    if (*got >= 0)
        state = pump(link->conn, link->builder, most, drain_settle, link);
    link->pumping = 0;
    return state;
}

void drain_look(Link *link)
{
    int64_t got;
    if (link->pumping || kvw_conn_state(link->conn) != KVW_STATE_OPEN)
        return;
    Py_INCREF((PyObject *)link);
    if (take_in(link, 1, 1, &got) != PUMP_FAILED &&
        kvw_conn_is_midway(link->conn) == KVW_MIDWAY_REPLY)
        kvw_conn_fail(link->conn, KVW_ESURPLUS, NULL);
    if (kvw_conn_state(link->conn) == KVW_STATE_CLOSED)
        link_fail(link);
    Py_DECREF((PyObject *)link);
}

int drain_link(Link *link, int receive)
{
    if (link->draining || link->dead)
        return 0;
    if (receive && link->rest_scheduled)
        return 0; /* that comes first, in this very turn; the descriptor stays readable */
    link->draining = 1;
    link->thread = PyThread_get_thread_ident();
    link->heard = kvw_now();
    size_t handed = 0, come = 0;
    int state = PUMP_EMPTY;
    int rc = step_all(link); /* what an interrupted drain has left */
    int more = rc == 0 && !link->dead;
    while (more) {
        int64_t got;
        state = take_in(link, receive, DRAIN_LIMIT - handed - link->ready_count, &got);
        more = state == PUMP_EMPTY && (got > 0 || !receive) && may_hold_more(link);
        receive = 1;
        come += more ? (size_t)got : 0;
        if (more && come < HAND_OVER_BYTES)
            continue;
        if (state == PUMP_FAILED)
            link_fail(link);
        if (handed == 0)
            link->flush_goal = flush_goal(link);
        handed += link->ready_count;
        come = 0;
        rc = step_all(link);
        more = more && rc == 0 && !link->dead;
    }
    link->flush_goal = 0;
    flush(link);
    link->draining = 0;
    if (rc < 0 || state == PUMP_FULL)
        drain_soon(link);
    return rc;
}
