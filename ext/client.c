#include "client.h"

#include "errors.h"

/* ---- options ------------------------------------------------------------------------------- */

static const char *keep_string(Options *options, int at, PyObject *value)
{
    if (value == NULL || value == Py_None)
        return NULL;
    const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
    if (text != NULL) {
        Py_INCREF(value);
        EXT_SETREF(options->keep[at], value);
    }
    return text;
}

/* Seconds or None as nanoseconds. */
static int read_seconds(PyObject *value, int64_t *out)
{
    if (value == Py_None) {
        *out = KVW_NEVER;
        return 0;
    }
    double seconds = PyFloat_AsDouble(value);
    if (seconds == -1.0 && PyErr_Occurred())
        return -1;
    *out = seconds >= 9e9 ? KVW_NEVER : (int64_t)(seconds * 1e9);
    return 0;
}

int options_read(Options *options, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"transport",
                            "host",
                            "port",
                            "path",
                            "username",
                            "password",
                            "db",
                            "client_name",
                            "protocol",
                            "connect_timeout",
                            "timeout",
                            "decode",
                            "max_connections",
                            NULL};
    PyObject *host = NULL, *path = NULL, *username = NULL, *password = NULL, *name = NULL;
    PyObject *connect_timeout = Py_None, *timeout = Py_None;
    int transport = 0, port = 6379, protocol = 0;
    long long db = 0;
    options->max_connections = 8;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$iOiOOOLOiOOpn", names, &transport, &host,
                                     &port, &path, &username, &password, &db, &name, &protocol,
                                     &connect_timeout, &timeout, &options->decode,
                                     &options->max_connections))
        return -1;
    kvw_config_t *config = &options->config;
    config->transport = transport;
    config->port = (uint16_t)port;
    config->db = db;
    config->protocol = protocol;
    config->host = keep_string(options, 0, host);
    config->path = keep_string(options, 1, path);
    config->username = keep_string(options, 2, username);
    config->password = keep_string(options, 3, password);
    config->client_name = keep_string(options, 4, name);
    if (PyErr_Occurred() || read_seconds(connect_timeout, &config->connect_timeout) < 0 ||
        read_seconds(timeout, &config->call_timeout) < 0)
        return -1;
    if (config->host == NULL && transport == KVW_TRANSPORT_TCP)
        config->host = "localhost";
    if (transport == KVW_TRANSPORT_UNIX && config->path == NULL) {
        PyErr_SetString(PyExc_ValueError, "a Unix socket needs a path");
        return -1;
    }
    if (options->max_connections < 1) {
        PyErr_SetString(PyExc_ValueError, "max_connections must be at least 1");
        return -1;
    }
    return 0;
}

void options_clear(Options *options)
{
    for (size_t i = 0; i < sizeof options->keep / sizeof options->keep[0]; i++)
        Py_CLEAR(options->keep[i]);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Only the module's own classes know the module, so the search goes up to the first of them. */
int caller_init(PyObject *self, Face face)
{
    Caller *caller = (Caller *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject *module = NULL;
    while (type != NULL && (module = PyType_GetModule(type)) == NULL) {
        PyErr_Clear();
        type = PyType_GetSlot(type, Py_tp_base);
    }
    if (module == NULL) {
        PyErr_SetString(PyExc_SystemError, "no module state");
        return -1;
    }
    Py_INCREF(module);
    EXT_SETREF(caller->module, module);
    caller->state = PyModule_GetState(module);
    caller->face = face;
    return 0;
}

int client_inspect(const Args *args, Bound *bound)
{
    if (bound->command->prefix.words != 0)
        return 0;
    const char *reason = kvw_command_refusal(args->items, args->count);
    if (reason != NULL) {
        PyErr_Format(PyExc_ValueError, "%s(): %s", bound->command->method, reason);
        return -1;
    }
    int64_t block = kvw_command_block(args->items, args->count);
    bound->wants_new = kvw_command_wants_new(args->items, args->count);
    if (block >= 0)
        bound->block = block == KVW_NEVER ? 0.0 : (double)block * 1e-9;
    return 0;
}

kvw_slot_t client_slot(const Bound *bound, const Options *options, void *user)
{
    kvw_slot_t slot = {.user = user, .shape = (uint8_t)bound->shape};
    if (bound->block == 0.0) {
        slot.deadline = KVW_NEVER;
    } else if (bound->block > 0.0) {
        /* The server answers at the latest when the block ends; the time limit is for the rest. */
        int64_t limit = options->config.call_timeout;
        slot.deadline = limit > KVW_NEVER / 2 || bound->block > 4e9
                            ? KVW_NEVER
                            : -((int64_t)(bound->block * 1e9) + limit);
    }
    return slot;
}

static PyObject *call(PyObject *self, Bound *bound, int connecting)
{
    Caller *caller = (Caller *)self;
    if (bound->decode < 0)
        bound->decode = caller->decode;
    PyObject *result;
    switch (caller->face) {
    case FACE_SYNC:
        result = sync_call((SyncClient *)self, bound, connecting);
        break;
    case FACE_ASYNC:
        result = async_call((AsyncClient *)self, bound, connecting);
        break;
    default:
        result = pipeline_append(self, bound);
    }
    bound_free(bound);
    return result;
}

State *caller_state(PyObject *self)
{
    State *state = ((Caller *)self)->state;
    if (state == NULL)
        PyErr_Format(PyExc_RuntimeError, "%S has not been initialised: call super().__init__()",
                     (PyObject *)Py_TYPE(self));
    return state;
}

PyObject *client_call(PyObject *self, size_t number, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames)
{
    Bound bound;
    State *state = caller_state(self);
    if (state == NULL || command_bind(state->commands[number], &bound, args, nargs, kwnames) < 0)
        return NULL;
    return call(self, &bound, 0);
}

PyObject *client_execute(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    Bound bound;
    State *state = caller_state(self);
    if (state == NULL || command_bind_any(state, &bound, "execute", args, nargs, kwnames) < 0)
        return NULL;
    return call(self, &bound, 0);
}

PyObject *client_connect(PyObject *self, PyObject *unused)
{
    (void)unused;
    State *state = caller_state(self);
    PyObject *ping = state == NULL ? NULL : PyBytes_FromString("PING");
    Bound bound;
    PyObject *result = NULL;
    if (ping != NULL && command_bind_any(state, &bound, "connect", &ping, 1, NULL) == 0)
        result = call(self, &bound, 1);
    Py_XDECREF(ping);
    return result;
}

PyObject *client_get_peer(PyObject *self, void *unused)
{
    (void)unused;
    Caller *caller = (Caller *)self;
    if (caller_state(self) == NULL)
        return NULL;
    const Options *options = caller->face == FACE_SYNC ? &((SyncClient *)self)->options
                                                       : &((AsyncClient *)self)->options;
    if (options->config.transport == KVW_TRANSPORT_UNIX)
        return PyUnicode_FromString(options->config.path);
    const char *host = options->config.host;
    const char *format = strchr(host, ':') != NULL ? "[%s]:%d" : "%s:%d";
    return PyUnicode_FromFormat(format, host, (int)options->config.port);
}
