/* A link's life, and what the event loop calls of it. */
#include "link.h"

#include "drain.h"
#include "errors.h"
#include "probe.h"
#include "pump.h"

/* ---- what the loop calls ------------------------------------------------------------------- */

static PyObject *py_on_flush(PyObject *self, PyObject *unused)
{
    (void)unused;
    Link *link = (Link *)self;
    link->flush_scheduled = 0;
    if (!link->dead)
        link_flush(link);
    Py_RETURN_NONE;
}

/* All others wait behind a reply that has stopped to come. One that comes slowly goes on, and so
 * does one of which the loop has just not heard. */
static void give_up_stopped(Link *link)
{
    if (!kvw_conn_is_midway(link->conn))
        return;
    int64_t got = kvw_conn_recv(link->conn);
    if (got == 0)
        kvw_conn_fail(link->conn, KVW_EIO, "the server stopped in the middle of a message");
    else if (got > 0)
        drain_soon(link);
}

static PyObject *py_on_timer(PyObject *self, PyObject *unused)
{
    (void)unused;
    Link *link = (Link *)self;
    Py_CLEAR(link->timer);
    if (link->dead)
        Py_RETURN_NONE;
    int64_t now = kvw_now();
    pump_expire(link->conn, link->state, now, drain_settle, link);
    if (link->ready_count > link->ready_at && now - link->heard > link->patience)
        give_up_stopped(link);
    if (kvw_conn_state(link->conn) == KVW_STATE_CLOSED) {
        link_fail(link);
    } else if (link->own && link->ready_count > 0) {
        link_close(link); /* the late reply of a blocking command is for nobody */
    } else if (link_watch(link) < 0 || link_arm(link) < 0) { /* perhaps the next address's turn */
        link_give_up(link);
    }
    if (!link->draining)
        drain_schedule(link);
    Py_RETURN_NONE;
}

/* A connection may be open after any step of connecting, the very first included. */
static void check_open(Link *link)
{
    if (kvw_conn_state(link->conn) == KVW_STATE_OPEN)
        probe_start(link);
}

/* While connecting the descriptor may change or be closed inside, so it is given back to the loop
 * first; once open it stays registered for the connection's life. */
static void connecting(Link *link)
{
    link_unwatch(link);
    int rc = kvw_conn_ready(link->conn);
    kvw_conn_release(link->conn);
    if (rc < 0) {
        link_fail(link);
        return;
    }
    if (link_watch(link) < 0 || link_arm(link) < 0)
        link_give_up(link);
    else
        check_open(link);
}

/* Close the link if it is kept for nothing but calls that have ended. */
static void close_unused(Link *link)
{
    if ((link->orphan || link->surplus) && !link->dead && kvw_conn_in_flight(link->conn) == 0)
        link_close(link);
}

static PyObject *ready(Link *link, int receive)
{
    if (link->dead)
        Py_RETURN_NONE;
    int rc = 0;
    Py_INCREF((PyObject *)link); /* what is called may close the link and let go of it */
    if (kvw_conn_state(link->conn) != KVW_STATE_OPEN) {
        connecting(link);
    } else {
        if (!receive)
            link_flush(link);
        rc = drain_link(link, receive);
        close_unused(link);
    }
    Py_DECREF((PyObject *)link);
    if (rc < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *py_on_readable(PyObject *self, PyObject *unused)
{
    (void)unused;
    return ready((Link *)self, 1);
}

static PyObject *py_on_writable(PyObject *self, PyObject *unused)
{
    (void)unused;
    return ready((Link *)self, 0);
}

static PyObject *py_on_rest(PyObject *self, PyObject *unused)
{
    (void)unused;
    Link *link = (Link *)self;
    link->rest_scheduled = 0;
    if (link->dead) {
        drain_schedule(link);
        Py_RETURN_NONE;
    }
    Py_INCREF((PyObject *)link);
    int rc = drain_link(link, 0);
    close_unused(link);
    Py_DECREF((PyObject *)link);
    if (rc < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *py_get_loop(PyObject *self, PyObject *unused)
{
    (void)unused;
    Py_INCREF(((Link *)self)->loop);
    return ((Link *)self)->loop;
}

static PyObject *py_add_callback(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    Link *link = (Link *)self;
    Reply *reply = link->adding;
    link->adding = NULL;
    if (reply == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "add_done_callback() of another reply");
        return NULL;
    }
    PyObject *result = reply_add_callback(reply, args, nargs, kwnames);
    Py_DECREF((PyObject *)reply);
    return result;
}

static PyObject *py_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    link_close((Link *)self);
    Py_RETURN_NONE;
}

static PyObject *py_orphan(PyObject *self, PyObject *unused)
{
    (void)unused;
    Link *link = (Link *)self;
    link->orphan = 1;
    close_unused(link);
    Py_RETURN_NONE;
}

static PyMethodDef on_readable_def = {"kvwire_readable", py_on_readable, METH_NOARGS, NULL};
static PyMethodDef on_writable_def = {"kvwire_writable", py_on_writable, METH_NOARGS, NULL};
static PyMethodDef on_flush_def = {"kvwire_flush", py_on_flush, METH_NOARGS, NULL};
static PyMethodDef on_timer_def = {"kvwire_timer", py_on_timer, METH_NOARGS, NULL};
static PyMethodDef on_rest_def = {"kvwire_rest", py_on_rest, METH_NOARGS, NULL};
static PyMethodDef get_loop_def = {"get_loop", py_get_loop, METH_NOARGS, NULL};
static PyMethodDef add_callback_def = {"add_done_callback", EXT_FASTCALL(py_add_callback),
                                       METH_FASTCALL | METH_KEYWORDS, NULL};

/* ---- life ---------------------------------------------------------------------------------- */

static int make_callables(Link *link)
{
    PyObject *self = (PyObject *)link;
    link->on_readable = PyCFunction_NewEx(&on_readable_def, self, NULL);
    link->on_writable = PyCFunction_NewEx(&on_writable_def, self, NULL);
    link->on_flush = PyCFunction_NewEx(&on_flush_def, self, NULL);
    link->on_timer = PyCFunction_NewEx(&on_timer_def, self, NULL);
    link->on_rest = PyCFunction_NewEx(&on_rest_def, self, NULL);
    link->get_loop = PyCFunction_NewEx(&get_loop_def, self, NULL);
    link->add_callback = PyCFunction_NewEx(&add_callback_def, self, NULL);
    link->call_soon = PyObject_GetAttr(link->loop, link->state->name_call_soon);
    return link->on_readable && link->on_writable && link->on_flush && link->on_timer &&
                   link->on_rest && link->get_loop && link->add_callback && link->call_soon
               ? 0
               : -1;
}

static int know_loop(Link *link)
{
    int is_own = PyObject_IsInstance(link->loop, link->state->asyncio_SelectorLoop);
    link->level_triggered = is_own > 0;
    return is_own < 0 ? -1 : 0;
}

Link *link_new(State *state, PyObject *loop, const kvw_config_t *config, int own)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(state->type_Link, Py_tp_alloc);
    Link *link = (Link *)alloc(state->type_Link, 0);
    if (link == NULL)
        return NULL;
    link->state = state;
    Py_INCREF(state->module);
    link->module = state->module;
    link->fd = -1;
    link->own = own != 0;
    link->patience = config->call_timeout / 2;
    link->thread = PyThread_get_thread_ident();
    Py_INCREF(loop);
    link->loop = loop;
    link->builder = builder_new(state);
    if (link->builder != NULL && (link->conn = kvw_conn_new(config)) == NULL)
        PyErr_NoMemory();
    if (link->conn == NULL || make_callables(link) < 0 || know_loop(link) < 0) {
        link->dead = 1;
        Py_DECREF((PyObject *)link);
        return NULL;
    }
    /* An error that is known at once is told to whoever submits. */
    if (kvw_conn_start(link->conn) == 0 && (link_watch(link) < 0 || link_arm(link) < 0)) {
        link_close(link);
        Py_DECREF((PyObject *)link);
        return NULL;
    }
    check_open(link);
    return link;
}

/* Without the cached callables the link is in no reference cycle of its own making. */
static void drop_callables(Link *link)
{
    Py_CLEAR(link->on_readable);
    Py_CLEAR(link->on_writable);
    Py_CLEAR(link->on_flush);
    Py_CLEAR(link->on_timer);
    Py_CLEAR(link->on_rest);
    Py_CLEAR(link->get_loop);
    Py_CLEAR(link->add_callback);
    Py_CLEAR(link->call_soon);
    Py_CLEAR(link->sentinel);
    Py_CLEAR(link->adding);
}

void link_fail(Link *link)
{
    if (link->dead)
        return;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    link->dead = 1;
    link_unwatch(link);
    if (link->timer != NULL) {
        PyObject *result = PyObject_CallMethodObjArgs(link->timer, link->state->name_cancel, NULL);
        if (result == NULL)
            PyErr_Clear();
        Py_XDECREF(result);
        Py_CLEAR(link->timer);
    }
    if (link->state->probe == PROBE_RUNNING)
        link->state->probe = PROBE_UNKNOWN;
    pump_drop(link->conn, link->builder, link->state, drain_settle, link);
    kvw_conn_close(link->conn);
    kvw_conn_release(link->conn);
    if (!link->draining)
        drain_schedule(link);
    drop_callables(link);
    PyErr_Restore(type, value, traceback);
}

void link_close(Link *link)
{
    Py_INCREF((PyObject *)link);
    if (!link->dead)
        kvw_conn_close(link->conn);
    link_fail(link);
    Py_DECREF((PyObject *)link);
}

static PyObject *make_method(Link *link, PyMethodDef *def)
{
    return PyCFunction_NewEx(def, (PyObject *)link, NULL);
}

static PyMethodDef close_def = {"kvwire_close", py_close, METH_NOARGS, NULL};
static PyMethodDef orphan_def = {"kvwire_orphan", py_orphan, METH_NOARGS, NULL};

/* Have the loop's own thread do it; a loop that is closed has none. */
static void in_loop(Link *link, PyMethodDef *def)
{
    PyObject *method = make_method(link, def);
    PyObject *result = NULL;
    if (method != NULL)
        result = PyObject_CallMethodObjArgs(link->loop, link->state->name_call_soon_threadsafe,
                                            method, NULL);
    if (result == NULL) {
        PyErr_Clear();
        link_close(link);
    }
    Py_XDECREF(result);
    Py_XDECREF(method);
}

void link_close_from_anywhere(Link *link)
{
    in_loop(link, &close_def);
}

/* Called by the client's destructor, at any moment. In the loop's own thread nothing is asked of
 * the loop, if bytes are not just being taken in: in debug mode it would look at the stack, which
 * need not be whole just then. */
void link_orphan(Link *link)
{
    if (link->dead)
        return;
    if (link->thread != PyThread_get_thread_ident() || link->pumping) {
        in_loop(link, &orphan_def);
        return;
    }
    link->orphan = 1;
    close_unused(link);
}

void link_abandon(Link *link, Reply *reply)
{
    if (link->dead)
        return;
    int bits = kvw_conn_abandon(link->conn, reply);
    if (link->own)
        link_close(link); /* the server may still act on it; nobody else is to get that reply */
    if ((bits & KVW_ABANDON_FOUND) && reply_unhold(reply))
        Py_DECREF((PyObject *)reply);
}

static int link_traverse(PyObject *self, visitproc visit, void *arg)
{
    Link *link = (Link *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(link->module);
    Py_VISIT(link->loop);
    Py_VISIT(link->on_readable);
    Py_VISIT(link->on_writable);
    Py_VISIT(link->on_flush);
    Py_VISIT(link->on_timer);
    Py_VISIT(link->on_rest);
    Py_VISIT(link->get_loop);
    Py_VISIT(link->add_callback);
    Py_VISIT(link->call_soon);
    Py_VISIT(link->sentinel);
    Py_VISIT(link->timer);
    Py_VISIT(link->adding);
    for (size_t i = link->ready_at; i < link->ready_count; i++)
        Py_VISIT(link->ready[i]);
    /* A pipeline's slots stand together and own one reference between them. */
    Reply *last = NULL;
    for (size_t i = 0; link->conn != NULL && i < kvw_conn_in_flight(link->conn); i++) {
        Reply *reply = kvw_conn_user_at(link->conn, i);
        if (reply != NULL && reply != last && reply->held)
            Py_VISIT(reply);
        last = reply;
    }
    return 0;
}

static int link_clear(PyObject *self)
{
    Link *link = (Link *)self;
    if (link->conn != NULL && !link->dead) {
        kvw_conn_close(link->conn);
        link_fail(link);
    }
    drop_callables(link);
    drain_clear(link);
    Py_CLEAR(link->timer);
    return 0;
}

static void link_dealloc(PyObject *self)
{
    Link *link = (Link *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (link->weakrefs != NULL)
        PyObject_ClearWeakRefs(self);
    link_clear(self);
    if (link->conn != NULL)
        kvw_conn_free(link->conn);
    builder_free(link->builder);
    Py_CLEAR(link->loop);
    Py_CLEAR(link->module);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMemberDef link_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Link, weakrefs), READONLY, NULL},
    {0},
};

static PyType_Slot link_slots[] = {
    {Py_tp_doc, "A connection of an asynchronous client in one event loop."},
    {Py_tp_dealloc, link_dealloc},
    {Py_tp_traverse, link_traverse},
    {Py_tp_clear, link_clear},
    {Py_tp_members, link_members},
    {0, NULL},
};

PyType_Spec link_spec = {
    .name = "kvwire._core.Link",
    .basicsize = sizeof(Link),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = link_slots,
};
