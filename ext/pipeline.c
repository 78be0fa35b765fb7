/* Pipelines: commands encoded as they are called, sent in one go, answered by one reply. */
#include "client.h"

#include "errors.h"
#include "group.h"
#include "reply.h"

typedef struct Pipeline {
    Caller caller;
    PyObject *client;
    kvw_batch_t *batch;
    Command **commands;
    uint8_t *shapes, *decode;
    Py_ssize_t count, capacity;
    int transaction;
} Pipeline;

static const kvw_prefix_t MULTI = {"$5\r\nMULTI\r\n", 11, 1};
static const kvw_prefix_t EXEC = {"$4\r\nEXEC\r\n", 10, 1};

static void forget(Pipeline *pipeline)
{
    PyMem_Free(pipeline->commands);
    PyMem_Free(pipeline->shapes);
    PyMem_Free(pipeline->decode);
    pipeline->commands = NULL;
    pipeline->shapes = pipeline->decode = NULL;
    pipeline->count = pipeline->capacity = 0;
}

static void reset(Pipeline *pipeline)
{
    forget(pipeline);
    kvw_batch_free(pipeline->batch);
    pipeline->batch = NULL;
}

static int grow(Pipeline *pipeline)
{
    if (pipeline->count < pipeline->capacity)
        return 0;
    size_t capacity = pipeline->capacity == 0 ? 16 : (size_t)pipeline->capacity * 2;
    Command **commands = PyMem_Realloc(pipeline->commands, capacity * sizeof *commands);
    if (commands != NULL)
        pipeline->commands = commands;
    uint8_t *shapes = PyMem_Realloc(pipeline->shapes, capacity);
    if (shapes != NULL)
        pipeline->shapes = shapes;
    uint8_t *decode = PyMem_Realloc(pipeline->decode, capacity);
    if (decode != NULL)
        pipeline->decode = decode;
    if (commands == NULL || shapes == NULL || decode == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    pipeline->capacity = (Py_ssize_t)capacity;
    return 0;
}

static int add_word(Pipeline *pipeline, const kvw_prefix_t *word, const kvw_slot_t *slot)
{
    int rc = kvw_batch_add(pipeline->batch, word, NULL, 0, slot);
    if (rc < 0)
        error_raise_core(rc);
    return rc;
}

/* The batch, begun with MULTI for a transaction. */
static int begin(Pipeline *pipeline)
{
    if (pipeline->batch != NULL)
        return 0;
    pipeline->batch = kvw_batch_new();
    if (pipeline->batch == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    kvw_slot_t slot = {0};
    return pipeline->transaction ? add_word(pipeline, &MULTI, &slot) : 0;
}

static int check_block(const Pipeline *pipeline, const Bound *bound)
{
    if (bound->block < 0.0 || pipeline->transaction)
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "%s() may block and would hold up the shared connection: call it on the "
                 "client, or in a transaction, where it does not wait",
                 bound->command->method);
    return -1;
}

PyObject *pipeline_append(PyObject *self, Bound *bound)
{
    Pipeline *pipeline = (Pipeline *)self;
    Args args;
    if (args_gather(&args, bound->command->method, bound->argv, (size_t)bound->count, 1) < 0)
        return NULL;
    if (client_inspect(&args, bound) < 0 || check_block(pipeline, bound) < 0 ||
        begin(pipeline) < 0 || grow(pipeline) < 0) {
        args_release(&args);
        return NULL;
    }
    /* Adding to the batch releases buffers, which may run other code, so that all is in place
     * before and nothing is touched behind it. */
    Py_ssize_t place = pipeline->count++;
    pipeline->commands[place] = bound->command;
    pipeline->shapes[place] = (uint8_t)bound->shape;
    pipeline->decode[place] = bound->decode != 0;
    kvw_slot_t slot = {.index = (uint32_t)(place + (pipeline->transaction != 0))};
    if (!pipeline->transaction)
        slot.shape = (uint8_t)bound->shape;
    int rc = kvw_batch_add(pipeline->batch, &bound->command->prefix, args.items, args.count, &slot);
    if (rc < 0) {
        pipeline->count = place;
        args_release(&args);
        return error_raise_core(rc);
    }
    args_free(&args);
    Py_INCREF(self);
    return self;
}

/* Give the collected commands away as a group; the pipeline is then empty but for its batch. */
static Group *take_group(Pipeline *pipeline, int raise_first)
{
    Group *group = group_new(pipeline->caller.state, pipeline->commands, pipeline->shapes,
                             pipeline->decode, pipeline->count, pipeline->transaction, raise_first);
    if (group == NULL)
        return NULL;
    pipeline->commands = NULL;
    pipeline->shapes = pipeline->decode = NULL;
    forget(pipeline);
    kvw_slot_t slot = {.index = (uint32_t)(group->count + 1),
                       .shape = KVW_SHAPE_EACH,
                       .shapes = group->shapes,
                       .shape_count = (uint32_t)group->count};
    if (group->transaction && add_word(pipeline, &EXEC, &slot) < 0) {
        group_free(group);
        return NULL;
    }
    return group;
}

static PyObject *py_execute(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"raise_on_error", NULL};
    Pipeline *pipeline = (Pipeline *)self;
    int raise_on_error = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|p:execute", names, &raise_on_error))
        return NULL;
    if (caller_state(self) == NULL)
        return NULL;
    int sync = ((Caller *)pipeline->client)->face == FACE_SYNC;
    if (pipeline->count == 0) {
        PyObject *empty = PyList_New(0);
        if (empty == NULL || sync)
            return empty;
        return (PyObject *)reply_new_done(pipeline->caller.state, NULL, empty);
    }
    kvw_batch_t *batch = pipeline->batch;
    Group *group = take_group(pipeline, raise_on_error);
    PyObject *result = NULL;
    /* What follows may run other code, to which the pipeline is empty already. */
    pipeline->batch = NULL;
    if (group != NULL)
        result = sync ? sync_submit((SyncClient *)pipeline->client, batch, group)
                      : async_submit((AsyncClient *)pipeline->client, batch, group);
    kvw_batch_free(batch);
    return result;
}

static PyObject *py_execute_command(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    Pipeline *pipeline = (Pipeline *)self;
    Bound bound;
    State *state = caller_state(self);
    if (state == NULL ||
        command_bind_any(state, &bound, "execute_command", args, nargs, kwnames) < 0)
        return NULL;
    if (bound.decode < 0)
        bound.decode = pipeline->caller.decode;
    PyObject *result = pipeline_append(self, &bound);
    bound_free(&bound);
    return result;
}

static PyObject *py_reset(PyObject *self, PyObject *unused)
{
    (void)unused;
    reset((Pipeline *)self);
    Py_RETURN_NONE;
}

static Py_ssize_t pipeline_length(PyObject *self)
{
    return ((Pipeline *)self)->count;
}

/* A pipeline is true even when it is empty. */
static int pipeline_bool(PyObject *self)
{
    (void)self;
    return 1;
}

static int pipeline_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"client", "transaction", NULL};
    Pipeline *pipeline = (Pipeline *)self;
    PyObject *client;
    int transaction = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|p:pipeline", names, &client, &transaction))
        return -1;
    if (caller_init(self, FACE_PIPELINE) < 0)
        return -1;
    State *state = pipeline->caller.state;
    int is_async = PyType_IsSubtype(Py_TYPE(self), state->type_AsyncPipeline);
    PyTypeObject *wanted = is_async ? state->type_AsyncClient : state->type_SyncClient;
    if (!PyType_IsSubtype(Py_TYPE(client), wanted) || ((Caller *)client)->face == 0) {
        PyErr_SetString(PyExc_TypeError, "a pipeline needs a client of its own kind");
        pipeline->caller.state = NULL;
        return -1;
    }
    reset(pipeline);
    Py_INCREF(client);
    EXT_SETREF(pipeline->client, client);
    pipeline->caller.decode = ((Caller *)client)->decode;
    pipeline->transaction = transaction;
    return 0;
}

static int pipeline_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Caller *)self)->module);
    Py_VISIT(((Pipeline *)self)->client);
    return 0;
}

static int pipeline_clear(PyObject *self)
{
    Py_CLEAR(((Pipeline *)self)->client);
    return 0;
}

static void pipeline_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    reset((Pipeline *)self);
    pipeline_clear(self);
    Py_CLEAR(((Caller *)self)->module);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

#define EXECUTE_DOC                                                                              \
    "execute($self, raise_on_error=True)\n--\n\n"                                                \
    "Send all commands in one go and give the list of their results. The first error is raised " \
    "with its place as .index, or all stand in their places with raise_on_error=False."

static PyMethodDef pipeline_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"execute", EXT_FASTCALL(py_execute), METH_VARARGS | METH_KEYWORDS, EXECUTE_DOC},
    {"execute_command", EXT_FASTCALL(py_execute_command), METH_FASTCALL | METH_KEYWORDS,
     "execute_command($self, /, *args, decode=None)\n--\n\nAppend any command, its name first."},
    {"reset", py_reset, METH_NOARGS, "reset($self, /)\n--\n\nForget what has been appended."},
    {0},
};

static PyType_Slot pipeline_slots[] = {
    {Py_tp_doc, "The core of a pipeline."},
    {Py_tp_init, pipeline_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, pipeline_dealloc},
    {Py_tp_traverse, pipeline_traverse},
    {Py_tp_clear, pipeline_clear},
    {Py_tp_methods, pipeline_methods},
    {Py_sq_length, pipeline_length},
    {Py_nb_bool, pipeline_bool},
    {0, NULL},
};

PyType_Spec sync_pipeline_spec = {
    .name = "kvwire._core.SyncPipeline",
    .basicsize = sizeof(Pipeline),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = pipeline_slots,
};

PyType_Spec async_pipeline_spec = {
    .name = "kvwire._core.AsyncPipeline",
    .basicsize = sizeof(Pipeline),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = pipeline_slots,
};
