/* What the command methods live on: the clients' and pipelines' common head, and its options. */
#ifndef EXT_CLIENT_H
#define EXT_CLIENT_H

#include "args.h"
#include "command.h"

typedef enum Face { FACE_SYNC = 1, FACE_ASYNC, FACE_PIPELINE } Face;

/* Every type that commands are installed on begins like this. */
typedef struct Caller {
    PyObject_HEAD State *state;
    PyObject *module; /* keeps the state alive, also when the garbage collector takes types apart */
    int face;
    int decode; /* the client's default */
} Caller;

/* The options that both clients have. Strings are held by `keep`. */
typedef struct Options {
    kvw_config_t config;
    PyObject *keep[5];
    int decode;
    Py_ssize_t max_connections;
} Options;

typedef struct SyncClient {
    Caller caller;
    Options options;
    kvw_pool_t *pool;
    int closed;
    int protocol; /* of the last connection used, 0 before the first */
} SyncClient;

typedef struct AsyncClient {
    Caller caller;
    Options options;
    struct Link *link; /* the last used, borrowed from `links` */
    PyObject *links;   /* list of every Link, of all loops */
    int closed;
} AsyncClient;

/* The method of command number `number` was called on `self` (command.c). */
PyObject *client_call(PyObject *self, size_t number, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames);

/* Read the constructor's keywords. 0, or -1 with an exception set. */
int options_read(Options *options, PyObject *args, PyObject *kwargs);
void options_clear(Options *options);

/* Find the module state of a client or pipeline by its class, and make its head. 0, or -1 with an
 * exception set. */
int caller_init(PyObject *self, Face face);

/* The state of a client or pipeline, NULL with a RuntimeError set when its __init__ has not run. */
State *caller_state(PyObject *self);

/* What the words of execute() mean for a shared connection; of the table's commands it is known. 0,
 * with bound->block set when the command blocks, or -1 with a ValueError set when it is refused. */
int client_inspect(const Args *args, Bound *bound);

/* A slot for a call: shape and deadline from how it is bound. */
kvw_slot_t client_slot(const Bound *bound, const Options *options, void *user);

/* One call on each face. Takes neither reference; `connecting` marks connect(), whose reply may be
 * anything. Returns the value (sync) or the awaitable (asyncio). */
PyObject *sync_call(SyncClient *client, Bound *bound, int connecting);
PyObject *async_call(AsyncClient *client, Bound *bound, int connecting);

/* A pipeline's commands, encoded: on each face. Takes over `group`, empties `batch`. */
struct Group;
PyObject *sync_submit(SyncClient *client, kvw_batch_t *batch, struct Group *group);
PyObject *async_submit(AsyncClient *client, kvw_batch_t *batch, struct Group *group);

/* The pipeline's method was called: append. Returns the pipeline itself. */
PyObject *pipeline_append(PyObject *self, Bound *bound);

/* Methods that both clients share. */
PyObject *client_execute(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames);
PyObject *client_connect(PyObject *self, PyObject *unused);
PyObject *client_get_peer(PyObject *self, void *unused);

extern PyType_Spec sync_spec, async_spec, sync_pipeline_spec, async_pipeline_spec;

#endif
