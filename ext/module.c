/* The module kvwire._core: its state, its types, and a few functions for the facade and tests. */
#include "args.h"
#include "client.h"
#include "errors.h"
#include "link.h"
#include "parse.h"
#include "stop.h"
#include "wake.h"

/* ---- asyncio ------------------------------------------------------------------------------- */

int state_load_asyncio(State *state)
{
    if (state->asyncio_Task != NULL)
        return 0;
    PyObject *asyncio = PyImport_ImportModule("asyncio");
    PyObject *contextvars = PyImport_ImportModule("contextvars");
    int rc = -1;
    if (asyncio != NULL && contextvars != NULL) {
#define XX(module, name)               \
    if (state->asyncio_##name == NULL) \
        state->asyncio_##name = PyObject_GetAttrString(module, #name);
        XX(asyncio, get_running_loop)
        XX(asyncio, current_task)
        XX(asyncio, CancelledError)
        XX(asyncio, InvalidStateError)
        XX(contextvars, copy_context)
        XX(contextvars, Context)
#undef XX
        if (state->asyncio_SelectorLoop == NULL)
            state->asyncio_SelectorLoop = PyObject_GetAttrString(asyncio, "SelectorEventLoop");
        if (state->asyncio_module == NULL) {
            Py_INCREF(asyncio);
            state->asyncio_module = asyncio;
        }
        wake_load(state);
        if (state->asyncio_get_running_loop && state->asyncio_current_task &&
            state->asyncio_CancelledError && state->asyncio_InvalidStateError &&
            state->asyncio_SelectorLoop && state->asyncio_copy_context && state->asyncio_Context)
            state->asyncio_Task = PyObject_GetAttrString(asyncio, "Task");
        rc = state->asyncio_Task == NULL ? -1 : 0;
    }
    Py_XDECREF(contextvars);
    Py_XDECREF(asyncio);
    return rc;
}

/* ---- functions ----------------------------------------------------------------------------- */

static PyObject *py_setup(PyObject *module, PyObject *errors)
{
    State *state = PyModule_GetState(module);
#define XX(name)                                                 \
    {                                                            \
        PyObject *class = PyObject_GetAttrString(errors, #name); \
        if (class == NULL)                                       \
            return NULL;                                         \
        EXT_SETREF(state->error_##name, class);                  \
    }
    EXT_ERRORS(XX)
#undef XX
    Py_RETURN_NONE;
}

static PyObject *py_install(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    return command_install(module, args, nargs);
}

static PyObject *py_encode(PyObject *module, PyObject *const *objects, Py_ssize_t nargs)
{
    (void)module;
    Args args;
    if (args_gather(&args, "encode", objects, (size_t)nargs, 1) < 0)
        return NULL;
    char header[32];
    int header_len = snprintf(header, sizeof header, "*%zd\r\n", nargs);
    size_t len = kvw_prefix_encode(args.items, args.count, NULL, 0);
    PyObject *wire = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)len + header_len);
    if (wire != NULL) {
        char *out = PyBytes_AsString(wire);
        memcpy(out, header, (size_t)header_len);
        kvw_prefix_encode(args.items, args.count, out + header_len, len);
    }
    args_release(&args);
    return wire;
}

static PyMethodDef module_methods[] = {
    {"setup", py_setup, METH_O,
     "setup($module, errors, /)\n--\n\nHand over the exception classes."},
    {"install", EXT_FASTCALL(py_install), METH_FASTCALL,
     "install($module, cls, commands, /)\n--\n\nPut the commands on a class as methods."},
    {"parse", EXT_FASTCALL(parse_replies), METH_VARARGS | METH_KEYWORDS,
     "parse($module, /, data, shape=0, decode=False)\n--\n\n"
     "The complete replies in some bytes as Python objects."},
    {"encode", EXT_FASTCALL(py_encode), METH_FASTCALL,
     "encode($module, /, *args)\n--\n\nThe wire form of a command."},
    {0},
};

/* ---- state --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    kvw_shape_t shape;
} SHAPES[] = {
    {"raw", KVW_SHAPE_RAW},
    {"ok", KVW_SHAPE_OK},
    {"bool", KVW_SHAPE_BOOL},
    {"double", KVW_SHAPE_DOUBLE},
    {"text", KVW_SHAPE_TEXT},
    {"set", KVW_SHAPE_SET},
    {"map", KVW_SHAPE_MAP},
    {"bools", KVW_SHAPE_BOOLS},
    {"doubles", KVW_SHAPE_DOUBLES},
    {"pairs", KVW_SHAPE_PAIRS},
    {"scored", KVW_SHAPE_SCORED},
    {"scan", KVW_SHAPE_SCAN},
    {"scan_map", KVW_SHAPE_SCAN_MAP},
    {"scan_scored", KVW_SHAPE_SCAN_SCORED},
    {"keyed", KVW_SHAPE_KEYED},
    {"keyed_scored", KVW_SHAPE_KEYED_SCORED},
    {"tuple2", KVW_SHAPE_TUPLE2},
    {"scored3", KVW_SHAPE_SCORED3},
    {"rank_score", KVW_SHAPE_RANK_SCORE},
};

static int add_shapes(PyObject *module)
{
    PyObject *shapes = PyDict_New();
    int rc = shapes == NULL ? -1 : 0;
    for (size_t i = 0; rc == 0 && i < sizeof SHAPES / sizeof SHAPES[0]; i++) {
        PyObject *number = PyLong_FromLong(SHAPES[i].shape);
        rc = number == NULL ? -1 : PyDict_SetItemString(shapes, SHAPES[i].name, number);
        Py_XDECREF(number);
    }
    if (rc == 0)
        rc = PyModule_AddObjectRef(module, "SHAPES", shapes);
    Py_XDECREF(shapes);
    return rc;
}

static int add_type(PyObject *module, PyTypeObject **place, PyType_Spec *spec, PyObject *base)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, base);
    if (type == NULL)
        return -1;
    *place = (PyTypeObject *)type;
    return PyModule_AddType(module, *place);
}

static int module_exec(PyObject *module)
{
    State *state = PyModule_GetState(module);
    state->module = module;
#define XX(text)                                            \
    state->name_##text = PyUnicode_InternFromString(#text); \
    if (state->name_##text == NULL)                         \
        return -1;
    EXT_NAMES(XX)
#undef XX
    if (add_type(module, &state->type_Reply, &reply_spec, NULL) < 0 ||
        add_type(module, &state->type_Link, &link_spec, NULL) < 0 ||
        add_type(module, &state->type_SyncClient, &sync_spec, NULL) < 0 ||
        add_type(module, &state->type_AsyncClient, &async_spec, NULL) < 0 ||
        add_type(module, &state->type_SyncPipeline, &sync_pipeline_spec, NULL) < 0 ||
        add_type(module, &state->type_AsyncPipeline, &async_pipeline_spec, NULL) < 0)
        return -1;
    state->reply_alloc = (allocfunc)PyType_GetSlot(state->type_Reply, Py_tp_alloc);
    stop_load(state);
    if (add_shapes(module) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "VERSION", KVW_VERSION_STRING);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    State *state = PyModule_GetState(module);
    if (state == NULL)
        return 0;
#define XX(name) Py_VISIT(state->error_##name);
    EXT_ERRORS(XX)
#undef XX
#define XX(name) Py_VISIT(state->type_##name);
    EXT_TYPES(XX)
#undef XX
#define XX(name) Py_VISIT(state->asyncio_##name);
    EXT_ASYNCIO(XX)
#undef XX
    Py_VISIT(state->stop_iteration);
    return command_traverse_all(state, visit, arg);
}

/* There is no m_clear: everything here is needed by objects that outlive the module's clearing,
 * and the cycles that go through it are broken by the types. */
static void module_free(void *module)
{
    State *state = PyModule_GetState(module);
    if (state == NULL)
        return;
#define XX(name) Py_CLEAR(state->error_##name);
    EXT_ERRORS(XX)
#undef XX
#define XX(name) Py_CLEAR(state->asyncio_##name);
    EXT_ASYNCIO(XX)
#undef XX
    Py_CLEAR(state->stop_iteration);
    Py_CLEAR(state->context_names);
    command_free_all(state);
    reply_drop_spares(state);
#define XX(name) Py_CLEAR(state->type_##name);
    EXT_TYPES(XX)
#undef XX
#define XX(text) Py_CLEAR(state->name_##text);
    EXT_NAMES(XX)
#undef XX
}

/* ---- definition ---------------------------------------------------------------------------- */

static PyModuleDef_Slot module_slots[3] = {{Py_mod_exec, module_exec}};

static PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT,         .m_name = "kvwire._core",    .m_doc = "The C core of kvwire.",
    .m_size = sizeof(State),       .m_methods = module_methods, .m_slots = module_slots,
    .m_traverse = module_traverse, .m_free = module_free,
};

PyMODINIT_FUNC PyInit__core(void)
{
    if (EXT_HAS_PER_INTERPRETER_GIL())
        module_slots[1] =
            (PyModuleDef_Slot){EXT_SLOT_MULTIPLE_INTERPRETERS, EXT_PER_INTERPRETER_GIL};
    return PyModuleDef_Init(&module_def);
}
