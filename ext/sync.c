/* The synchronous client: the calling thread sends and receives for itself. */
#include "client.h"

#include "errors.h"
#include "group.h"
#include "pump.h"

static void release_builder(void *builder)
{
    builder_free(builder);
}

/* The builder lives with the connection, since a reply begun by one leader may be finished by the
 * next. */
static Builder *lane_builder(State *state, kvw_conn_t *conn)
{
    Builder *builder = kvw_conn_user(conn);
    if (builder == NULL && (builder = builder_new(state)) != NULL)
        kvw_conn_set_user(conn, builder, release_builder);
    return builder;
}

/* How often this thread is handing replies over. What it then runs (a destructor, a signal's
 * handler) may call the client, and must not wait on the very lane that this thread leads: such
 * calls take a lane of their own. */
static _Thread_local int pumping;

/* A reply has ended: wake the thread that waits for it. */
static void settle(void *lane, Reply *reply)
{
    if (reply->ticket != NULL)
        kvw_lane_finish(lane, reply->ticket);
    Py_DECREF((PyObject *)reply);
}

/* The caller stops waiting: its slots are dropped when their replies come. */
static int abandon(kvw_lane_t *lane, Reply *reply)
{
    int bits = kvw_lane_abandon(lane, reply);
    reply->ticket = NULL;
    if ((bits & KVW_ABANDON_FOUND) && reply_unhold(reply))
        Py_DECREF((PyObject *)reply);
    return (bits & KVW_ABANDON_SENT) != 0;
}

static void time_out(State *state, kvw_lane_t *lane, Reply *reply)
{
    kvw_lost_t lost = {.err = KVW_ETIMEOUT, .maybe_executed = abandon(lane, reply)};
    PyObject *exception = error_from_lost(state, kvw_lane_conn(lane), &lost);
    reply_fail(reply, exception != NULL ? exception : error_take());
}

/* As the leader, hand over what has come; after a failure, its error to all. */
static void hand_over(State *state, kvw_lane_t *lane)
{
    kvw_conn_t *conn = kvw_lane_conn(lane);
    Builder *builder = lane_builder(state, conn);
    if (builder == NULL) {
        PyErr_Clear();
        kvw_conn_fail(conn, KVW_ENOMEM, "no memory for replies");
    }
    pumping++;
    kvw_conn_release(conn);
    if (builder == NULL || pump(conn, builder, SIZE_MAX, settle, lane) == PUMP_FAILED)
        pump_drop(conn, builder, state, settle, lane);
    pumping--;
}

static void fail_forked(State *state, kvw_conn_t *conn, Reply *reply)
{
    PyObject *exception = error_from_conn(state, conn, KVW_EFORKED, 1);
    reply_fail(reply, exception != NULL ? exception : error_take());
}

/* Wait until the reply has ended. What a signal's handler raises goes to *interrupt, whatever has
 * become of the reply meanwhile. Returns whether the lane may serve others after it. */
static int wait(State *state, kvw_lane_t *lane, Reply *reply, kvw_ticket_t *ticket,
                PyObject **interrupt)
{
    kvw_conn_t *conn = kvw_lane_conn(lane);
    int whole = 1;
    for (;;) {
        kvw_wait_t outcome;
        PyThreadState *thread = PyEval_SaveThread();
        outcome = kvw_lane_wait(lane, ticket);
        PyEval_RestoreThread(thread);
        if (outcome == KVW_WAIT_DONE)
            break;
        if (outcome == KVW_WAIT_LEAD) {
            hand_over(state, lane);
            if (ticket->done)
                break;
        } else if (outcome == KVW_WAIT_FAILED) {
            hand_over(state, lane);
            if (reply->status == PENDING) /* a child process: the slots are the parent's */
                fail_forked(state, conn, reply);
            break;
        } else if (outcome == KVW_WAIT_TIMEOUT) {
            time_out(state, lane, reply);
            whole = 0;
            break;
        } else if (PyErr_CheckSignals() < 0) {
            *interrupt = error_take();
            abandon(lane, reply);
            whole = 0;
            break;
        }
    }
    kvw_lane_leave(lane, ticket);
    reply->ticket = NULL;
    return whole;
}

static kvw_lane_t *take_lane(SyncClient *client, int own, int wants_new)
{
    kvw_lane_t *lane;
    if (client->closed) {
        error_raise_closed(client->caller.state);
        return NULL;
    }
    int rc = !own        ? kvw_pool_take(client->pool, &lane)
             : wants_new ? kvw_pool_take_new(client->pool, &lane)
                         : kvw_pool_take_own(client->pool, &lane);
    if (rc == KVW_ECLOSED)
        error_raise_closed(client->caller.state);
    else if (rc < 0)
        error_raise_core(rc);
    return rc < 0 ? NULL : lane;
}

/* The submission was refused: the lane's connection has failed before anything was sent. */
static PyObject *refused(SyncClient *client, kvw_lane_t *lane, int err)
{
    PyObject *exception = error_from_conn(client->caller.state, kvw_lane_conn(lane), err, 0);
    if (exception != NULL) {
        error_raise(exception);
        Py_DECREF(exception);
    }
    kvw_pool_give(client->pool, lane, 1);
    return NULL;
}

/* What is to be submitted, for a lane of which only the submission's kind knows how. */
typedef struct Work {
    int (*submit)(kvw_lane_t *lane, struct Work *work);
    Reply *reply;
    kvw_slot_t slot;
    const kvw_prefix_t *prefix;
    Args *args;
    kvw_batch_t *batch;
    int own;       /* wants a lane for itself */
    int wants_new; /* which has just been opened */
} Work;

static int submit_call(kvw_lane_t *lane, Work *work)
{
    return kvw_lane_submit(lane, work->prefix, work->args->items, work->args->count, &work->slot);
}

static int submit_batch(kvw_lane_t *lane, Work *work)
{
    return kvw_lane_submit_batch(lane, work->batch, work->reply, work->slot.deadline);
}

/* A lane that is shared can fail between being taken and being given the call. Nothing has been
 * sent then, so another one is tried, once. */
#define ATTEMPTS 2

/* Submit, wait for the reply, give the lane back, and give the result. Takes over the reply. */
static PyObject *perform(SyncClient *client, Work *work)
{
    Reply *reply = work->reply;
    kvw_ticket_t ticket;
    kvw_ticket_init(&ticket, work->slot.deadline);
    reply->ticket = &ticket;
    kvw_lane_t *lane;
    int rc = 0;
    int own = work->own || pumping > 0;
    reply_hold(reply);
    for (int attempt = 1; (lane = take_lane(client, own, work->wants_new)) != NULL; attempt++) {
        rc = work->submit(lane, work);
        if (rc == 0 || rc == KVW_ENOMEM || attempt == ATTEMPTS)
            break;
        kvw_pool_give(client->pool, lane, 1);
    }
    if (lane == NULL || rc < 0) {
        if (reply_unhold(reply))
            Py_DECREF((PyObject *)reply);
        Py_DECREF((PyObject *)reply);
        return lane == NULL ? NULL : refused(client, lane, rc);
    }
    work->reply = NULL;
    if (work->args != NULL)
        args_free(work->args);
    PyObject *interrupt = NULL;
    int whole = wait(client->caller.state, lane, reply, &ticket, &interrupt);
    client->protocol = kvw_conn_protocol(kvw_lane_conn(lane));
    kvw_pool_give(client->pool, lane, own && !whole);
    PyObject *result = interrupt != NULL ? error_raise(interrupt) : reply_result(reply);
    Py_XDECREF(interrupt);
    Py_DECREF((PyObject *)reply);
    return result;
}

PyObject *sync_call(SyncClient *client, Bound *bound, int connecting)
{
    Args args;
    if (args_gather(&args, bound->command->method, bound->argv, (size_t)bound->count, 1) < 0)
        return NULL;
    Reply *reply = NULL;
    if (client_inspect(&args, bound) == 0)
        reply = reply_new(client->caller.state, NULL, bound->command, bound->decode);
    if (reply == NULL) {
        args_release(&args);
        return NULL;
    }
    reply->any = connecting != 0;
    Work work = {.submit = submit_call,
                 .reply = reply,
                 .slot = client_slot(bound, &client->options, reply),
                 .prefix = &bound->command->prefix,
                 .args = &args,
                 .own = bound->block >= 0.0,
                 .wants_new = bound->wants_new};
    PyObject *result = perform(client, &work);
    if (work.reply != NULL) /* not submitted */
        args_release(&args);
    return result;
}

PyObject *sync_submit(SyncClient *client, kvw_batch_t *batch, Group *group)
{
    Reply *reply = reply_new(client->caller.state, NULL, NULL, 0);
    if (reply == NULL) {
        group_free(group);
        return NULL;
    }
    reply->group = group;
    Work work = {.submit = submit_batch, .reply = reply, .batch = batch};
    return perform(client, &work);
}

/* ---- type ---------------------------------------------------------------------------------- */

static int sync_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    SyncClient *client = (SyncClient *)self;
    if (client->pool != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a client is initialised once");
        return -1;
    }
    if (options_read(&client->options, args, kwargs) < 0)
        return -1;
    client->pool = kvw_pool_new(&client->options.config, (size_t)client->options.max_connections);
    if (client->pool == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    client->caller.decode = client->options.decode;
    return caller_init(self, FACE_SYNC);
}

static PyObject *py_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    SyncClient *client = (SyncClient *)self;
    client->closed = 1;
    if (client->pool != NULL)
        kvw_pool_close(client->pool);
    Py_RETURN_NONE;
}

static PyObject *get_closed(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(((SyncClient *)self)->closed);
}

static PyObject *get_connected(PyObject *self, void *unused)
{
    (void)unused;
    SyncClient *client = (SyncClient *)self;
    return PyBool_FromLong(client->pool != NULL && kvw_pool_size(client->pool) > 0);
}

static PyObject *get_protocol(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((SyncClient *)self)->protocol);
}

static int sync_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Caller *)self)->module);
    return 0;
}

static void sync_dealloc(PyObject *self)
{
    SyncClient *client = (SyncClient *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (client->pool != NULL)
        kvw_pool_free(client->pool);
    options_clear(&client->options);
    Py_CLEAR(client->caller.module);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef sync_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"execute", EXT_FASTCALL(client_execute), METH_FASTCALL | METH_KEYWORDS,
     "execute($self, /, *args, decode=None)\n--\n\n"
     "Send any command, its name first, and return the server's reply as it is."},
    {"connect", client_connect, METH_NOARGS,
     "connect($self, /)\n--\n\nConnect now; otherwise the first call does."},
    {"close", py_close, METH_NOARGS,
     "close($self, /)\n--\n\nClose all connections. Further calls raise ConnectionError."},
    {0},
};

static PyGetSetDef sync_getset[] = {
    {"closed", get_closed, NULL, "Whether close() has been called.", NULL},
    {"connected", get_connected, NULL, "Whether the client holds a connection now.", NULL},
    {"protocol", get_protocol, NULL, "RESP version in use: 2, 3, or 0 before connecting.", NULL},
    {"peer", client_get_peer, NULL, "The server's address: host:port, or the socket's path.", NULL},
    {0},
};

static PyType_Slot sync_slots[] = {
    {Py_tp_doc, "The core of a synchronous client."},
    {Py_tp_init, sync_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, sync_dealloc},
    {Py_tp_traverse, sync_traverse},
    {Py_tp_methods, sync_methods},
    {Py_tp_getset, sync_getset},
    {0, NULL},
};

PyType_Spec sync_spec = {
    .name = "kvwire._core.SyncClient",
    .basicsize = sizeof(SyncClient),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = sync_slots,
};
