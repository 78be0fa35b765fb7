/* The asynchronous client: one multiplexed connection per event loop. */
#include "client.h"

#include "drain.h"
#include "errors.h"
#include "group.h"
#include "link.h"

static Link *link_at(PyObject *links, Py_ssize_t index)
{
    return (Link *)PyList_GetItem(links, index);
}

/* Forget links that have failed, and close those whose loop is gone. Asking a loop runs its code,
 * in which the list may change, so that the two are done one after the other. */
static int sweep(AsyncClient *client)
{
    PyObject *links = PySequence_Tuple(client->links);
    PyObject *dead = links == NULL ? NULL : PyList_New(0);
    for (Py_ssize_t i = 0; dead != NULL && i < PyTuple_Size(links); i++) {
        Link *link = (Link *)PyTuple_GetItem(links, i);
        if (!link->dead && link_loop_is_closed(link))
            link_close(link);
    }
    int rc = dead == NULL ? -1 : 0;
    for (Py_ssize_t i = PyList_Size(client->links) - 1; rc == 0 && i >= 0; i--) {
        Link *link = link_at(client->links, i);
        if (!link->dead)
            continue;
        if (client->link == link)
            client->link = NULL;
        rc = PyList_Append(dead, (PyObject *)link); /* lives until the list is whole again */
        if (rc == 0)
            rc = PyList_SetSlice(client->links, i, i + 1, NULL);
    }
    Py_XDECREF(links);
    Py_XDECREF(dead);
    return rc;
}

/* Whether the link takes calls. A connection that nobody uses may have ended without the loop
 * having had the time to say so: whoever comes first looks himself, rather than send into it. */
static int is_usable(Link *link)
{
    if (!link->dead && kvw_conn_in_flight(link->conn) == 0)
        drain_look(link);
    return !link->dead;
}

/* The same for a task that is stepped by a drain, which has just received: only one that has held
 * up the loop meanwhile needs another look. */
#define HELD_UP 1000000

static int is_still_usable(Link *link)
{
    if (kvw_conn_in_flight(link->conn) > 0 || kvw_now() - link->heard < HELD_UP)
        return 1;
    return is_usable(link);
}

/* The loop's link, new where there is none. Returns a new reference. */
static Link *find_link(AsyncClient *client, PyObject *loop, int own, int wants_new)
{
    Py_ssize_t owns = 0;
    if (sweep(client) < 0)
        return NULL;
    for (Py_ssize_t i = 0; i < PyList_Size(client->links); i++) {
        Link *link = link_at(client->links, i);
        owns += link->own;
        if (link->loop != loop || link->own != own ||
            (own && (wants_new || kvw_conn_in_flight(link->conn) > 0)))
            continue;
        Py_INCREF((PyObject *)link);
        if (is_usable(link))
            return link;
        Py_DECREF((PyObject *)link);
    }
    Link *link = link_new(client->caller.state, loop, &client->options.config, own);
    if (link == NULL)
        return NULL;
    link->surplus = own && owns >= client->options.max_connections;
    int rc = PyList_Append(client->links, (PyObject *)link);
    if (rc == 0 && client->closed) { /* by the loop's code, called by the new link */
        error_raise_closed(client->caller.state);
        rc = -1;
    }
    if (rc == 0)
        return link;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    link_close(link);
    Py_DECREF((PyObject *)link);
    PyErr_Restore(type, value, traceback);
    return NULL;
}

/* The link for a call of the running loop. Returns a new reference. */
static Link *take_link(AsyncClient *client, int own, int wants_new)
{
    State *state = client->caller.state;
    if (client->closed || client->links == NULL) {
        error_raise_closed(state);
        return NULL;
    }
    Link *link = client->link;
    /* A task that is stepped by a drain runs in that link's loop, as long as the thread is the
     * same. */
    if (!own && link != NULL && !link->dead && link->draining &&
        link->thread == PyThread_get_thread_ident() && is_still_usable(link)) {
        Py_INCREF((PyObject *)link);
        return link;
    }
    if (state_load_asyncio(state) < 0)
        return NULL;
    PyObject *loop = PyObject_CallNoArgs(state->asyncio_get_running_loop);
    if (loop == NULL)
        return NULL;
    link = client->link;
    Py_XINCREF((PyObject *)link);
    if (own || link == NULL || link->loop != loop || !is_usable(link)) {
        Py_XDECREF((PyObject *)link);
        link = find_link(client, loop, own, wants_new);
    }
    Py_DECREF(loop);
    if (link != NULL && !own && !client->closed)
        client->link = link;
    return link;
}

/* The connection refuses: the awaitable has failed before anything was sent. Want of memory is this
 * call's alone. */
static void refuse(Reply *reply, Link *link, int err)
{
    PyObject *exception = error_from_conn(link->state, link->conn, err, 0);
    reply_fail(reply, exception != NULL ? exception : error_take());
    if (!link->dead && kvw_conn_state(link->conn) == KVW_STATE_CLOSED)
        link_fail(link);
}

/* The held reply was given to the connection, or not. Takes over both references. */
static PyObject *submitted(Link *link, Reply *reply, int rc)
{
    if (rc < 0) {
        if (reply_unhold(reply))
            Py_DECREF((PyObject *)reply);
        refuse(reply, link, rc);
    } else if (link_submitted(link) < 0) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        link_abandon(link, reply);
        PyErr_Restore(type, value, traceback);
        Py_DECREF((PyObject *)reply);
        reply = NULL;
    }
    Py_DECREF((PyObject *)link);
    return (PyObject *)reply;
}

PyObject *async_call(AsyncClient *client, Bound *bound, int connecting)
{
    State *state = client->caller.state;
    Args args;
    if (args_gather(&args, bound->command->method, bound->argv, (size_t)bound->count, 1) < 0)
        return NULL;
    Link *link = NULL;
    if (client_inspect(&args, bound) == 0)
        link = take_link(client, bound->block >= 0.0, bound->wants_new);
    Reply *reply = link == NULL ? NULL : reply_new(state, link, bound->command, bound->decode);
    if (reply == NULL) {
        args_release(&args);
        Py_XDECREF((PyObject *)link);
        return NULL;
    }
    reply->any = connecting != 0;
    kvw_slot_t slot = client_slot(bound, &client->options, reply);
    reply_hold(reply);
    int rc = kvw_conn_submit(link->conn, &bound->command->prefix, args.items, args.count, &slot);
    if (rc < 0)
        args_release(&args);
    else
        args_free(&args);
    return submitted(link, reply, rc);
}

PyObject *async_submit(AsyncClient *client, kvw_batch_t *batch, Group *group)
{
    Link *link = take_link(client, 0, 0);
    Reply *reply = link == NULL ? NULL : reply_new(client->caller.state, link, NULL, 0);
    if (reply == NULL) {
        Py_XDECREF((PyObject *)link);
        group_free(group);
        return NULL;
    }
    reply->group = group;
    reply_hold(reply);
    return submitted(link, reply, kvw_conn_submit_batch(link->conn, batch, reply, 0));
}

/* ---- type ---------------------------------------------------------------------------------- */

static int async_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    AsyncClient *client = (AsyncClient *)self;
    if (client->links != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a client is initialised once");
        return -1;
    }
    if (options_read(&client->options, args, kwargs) < 0)
        return -1;
    client->links = PyList_New(0);
    if (client->links == NULL)
        return -1;
    client->caller.decode = client->options.decode;
    return caller_init(self, FACE_ASYNC);
}

/* Take the list away from the client, so that nothing done with its links can reach it. */
static PyObject *take_links(AsyncClient *client)
{
    PyObject *links = client->links;
    client->links = PyList_New(0);
    client->link = NULL;
    if (client->links == NULL)
        PyErr_Clear();
    return links;
}

static PyObject *py_aclose(PyObject *self, PyObject *unused)
{
    (void)unused;
    AsyncClient *client = (AsyncClient *)self;
    State *state = caller_state(self);
    if (state == NULL || state_load_asyncio(state) < 0)
        return NULL;
    PyObject *loop = PyObject_CallNoArgs(state->asyncio_get_running_loop);
    if (loop == NULL)
        return NULL;
    client->closed = 1;
    PyObject *links = take_links(client);
    Link *mine = NULL;
    for (Py_ssize_t i = 0; links != NULL && i < PyList_Size(links); i++) {
        Link *link = link_at(links, i);
        if (link->loop != loop && !link_loop_is_closed(link)) {
            link_close_from_anywhere(link);
        } else {
            mine = link->loop == loop ? link : mine;
            link_close(link);
        }
    }
    Py_INCREF(Py_None);
    Reply *reply = reply_new_done(state, mine, Py_None);
    Py_XDECREF(links);
    Py_DECREF(loop);
    return (PyObject *)reply;
}

static PyObject *get_closed(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(((AsyncClient *)self)->closed);
}

static PyObject *get_connected(PyObject *self, void *unused)
{
    (void)unused;
    AsyncClient *client = (AsyncClient *)self;
    int connected = 0;
    for (Py_ssize_t i = 0; client->links != NULL && i < PyList_Size(client->links); i++)
        connected |= !link_at(client->links, i)->dead;
    return PyBool_FromLong(connected);
}

static PyObject *get_protocol(PyObject *self, void *unused)
{
    (void)unused;
    AsyncClient *client = (AsyncClient *)self;
    int protocol = 0;
    for (Py_ssize_t i = 0; client->links != NULL && i < PyList_Size(client->links); i++)
        if (protocol == 0)
            protocol = kvw_conn_protocol(link_at(client->links, i)->conn);
    return PyLong_FromLong(protocol);
}

static int async_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Caller *)self)->module);
    Py_VISIT(((AsyncClient *)self)->links);
    return 0;
}

/* Calls in flight keep their links alive; those end when their last reply has come. */
static int async_clear(PyObject *self)
{
    AsyncClient *client = (AsyncClient *)self;
    PyObject *links = client->links;
    client->links = NULL;
    client->link = NULL;
    for (Py_ssize_t i = 0; links != NULL && i < PyList_Size(links); i++)
        link_orphan(link_at(links, i));
    Py_XDECREF(links);
    return 0;
}

static void async_dealloc(PyObject *self)
{
    AsyncClient *client = (AsyncClient *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject *error_type, *value, *traceback;
    PyObject_GC_UnTrack(self);
    PyErr_Fetch(&error_type, &value, &traceback);
    async_clear(self);
    PyErr_Restore(error_type, value, traceback);
    options_clear(&client->options);
    Py_CLEAR(client->caller.module);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef async_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"execute", EXT_FASTCALL(client_execute), METH_FASTCALL | METH_KEYWORDS,
     "execute($self, /, *args, decode=None)\n--\n\n"
     "Send any command, its name first; the awaitable gives the server's reply as it is."},
    {"connect", client_connect, METH_NOARGS,
     "connect($self, /)\n--\n\nConnect now; otherwise the first call does."},
    {"aclose", py_aclose, METH_NOARGS,
     "aclose($self, /)\n--\n\n"
     "Close the connections of all loops. What is in flight fails, further calls raise."},
    {0},
};

static PyGetSetDef async_getset[] = {
    {"closed", get_closed, NULL, "Whether aclose() has been called.", NULL},
    {"connected", get_connected, NULL, "Whether the client holds a connection now.", NULL},
    {"protocol", get_protocol, NULL, "RESP version in use: 2, 3, or 0 before connecting.", NULL},
    {"peer", client_get_peer, NULL, "The server's address: host:port, or the socket's path.", NULL},
    {0},
};

static PyType_Slot async_slots[] = {
    {Py_tp_doc, "The core of an asynchronous client."},
    {Py_tp_init, async_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, async_dealloc},
    {Py_tp_traverse, async_traverse},
    {Py_tp_clear, async_clear},
    {Py_tp_methods, async_methods},
    {Py_tp_getset, async_getset},
    {0, NULL},
};

PyType_Spec async_spec = {
    .name = "kvwire._core.AsyncClient",
    .basicsize = sizeof(AsyncClient),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = async_slots,
};
