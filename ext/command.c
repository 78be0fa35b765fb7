#include "command.h"

#include "client.h"

/* ---- compiling ----------------------------------------------------------------------------- */

static int compile_words(PyObject *tuple, kvw_prefix_t *prefix)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    kvw_arg_t *words = PyMem_Calloc((size_t)count + 1, sizeof *words);
    if (words == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int rc = 0;
    for (Py_ssize_t i = 0; rc == 0 && i < count; i++) {
        char *ptr;
        Py_ssize_t len;
        rc = PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, i), &ptr, &len);
        words[i].ptr = ptr;
        words[i].len = (size_t)len;
    }
    if (rc == 0) {
        size_t need = kvw_prefix_encode(words, (size_t)count, NULL, 0);
        char *bytes = PyMem_Malloc(need + 1);
        if (bytes == NULL) {
            PyErr_NoMemory();
            rc = -1;
        } else {
            kvw_prefix_encode(words, (size_t)count, bytes, need);
            *prefix = (kvw_prefix_t){bytes, need, (size_t)count};
        }
    }
    PyMem_Free(words);
    return rc;
}

static void free_params(Param *params, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_CLEAR(params[i].name);
        Py_CLEAR(params[i].token);
    }
    PyMem_Free(params);
}

static Param *compile_params(PyObject *tuple)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count > COMMAND_PARAMS_MAX) {
        PyErr_SetString(PyExc_SystemError, "a command has too many parameters");
        return NULL;
    }
    Param *params = PyMem_Calloc((size_t)count + 1, sizeof *params);
    if (params == NULL)
        return (Param *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++) {
        Param *param = &params[i];
        if (!PyArg_ParseTuple(PyTuple_GetItem(tuple, i), "UiOi", &param->name, &param->kind,
                              &param->token, &param->shape)) {
            free_params(params, i);
            return NULL;
        }
        Py_INCREF(param->name);
        PyUnicode_InternInPlace(&param->name);
        Py_INCREF(param->token);
    }
    return params;
}

/* How many parameters must be given, if these come first and the others stand for nothing when they
 * are left out; else -1. */
static Py_ssize_t count_plain(const Param *params, Py_ssize_t count, int flags)
{
    Py_ssize_t plain = 0;
    while (plain < count && params[plain].kind == REQUIRED)
        plain++;
    for (Py_ssize_t i = plain; i < count; i++)
        if (params[i].kind == REQUIRED || params[i].kind == VARIADIC || params[i].kind == SPREAD ||
            params[i].kind == DEFAULT)
            return -1;
    return flags == 0 && plain <= BOUND_INLINE ? plain : -1;
}

/* All of it or nothing: a command whose compilation has failed is compiled again at its next call.
 */
static int take_compiled(Command *command, PyObject *result)
{
    PyObject *words, *params, *post;
    int shape, flags;
    if (!PyArg_ParseTuple(result, "O!O!iOi", &PyTuple_Type, &words, &PyTuple_Type, &params, &shape,
                          &post, &flags))
        return -1;
    kvw_prefix_t prefix;
    Param *taken = compile_params(params);
    if (taken == NULL)
        return -1;
    if (compile_words(words, &prefix) < 0) {
        free_params(taken, PyTuple_Size(params));
        return -1;
    }
    command->prefix = prefix;
    command->params = taken;
    command->param_count = PyTuple_Size(params);
    command->plain_count = count_plain(taken, command->param_count, flags);
    command->shape = shape;
    command->flags = flags;
    if (post != Py_None) {
        Py_INCREF(post);
        command->post = post;
    }
    command->compiled = 1;
    return 0;
}

int command_compile(Command *command)
{
    PyObject *compile = PyObject_GetAttr(command->spec, command->state->name_compile);
    if (compile == NULL)
        return -1;
    PyObject *result = PyObject_CallNoArgs(compile);
    Py_DECREF(compile);
    if (result == NULL)
        return -1;
    /* compile() is Python code, so that another thread may have been here meanwhile. */
    int rc = command->compiled ? 0 : take_compiled(command, result);
    Py_DECREF(result);
    return rc;
}

/* ---- methods ------------------------------------------------------------------------------- */

/* A method descriptor reaches its C function without saying which method it is, so each command
 * has a C function of its own that knows its number. */
/* clang-format off */
#define ENTRY(n)                                                                                   \
    static PyObject *entry_##n(PyObject *self, PyObject *const *args, Py_ssize_t nargs,            \
                               PyObject *kwnames)                                                  \
    {                                                                                              \
        return client_call(self, 0x##n, args, nargs, kwnames);                                     \
    }
#define NAME(n) entry_##n,
#define SIXTEEN(XX, n)                                                                             \
    XX(n##0) XX(n##1) XX(n##2) XX(n##3) XX(n##4) XX(n##5) XX(n##6) XX(n##7)                        \
    XX(n##8) XX(n##9) XX(n##a) XX(n##b) XX(n##c) XX(n##d) XX(n##e) XX(n##f)
#define ALL(XX)                                                                                    \
    SIXTEEN(XX, 0) SIXTEEN(XX, 1) SIXTEEN(XX, 2) SIXTEEN(XX, 3) SIXTEEN(XX, 4) SIXTEEN(XX, 5)      \
    SIXTEEN(XX, 6) SIXTEEN(XX, 7) SIXTEEN(XX, 8) SIXTEEN(XX, 9) SIXTEEN(XX, a) SIXTEEN(XX, b)      \
    SIXTEEN(XX, c) SIXTEEN(XX, d) SIXTEEN(XX, e) SIXTEEN(XX, f) SIXTEEN(XX, 10) SIXTEEN(XX, 11)    \
    SIXTEEN(XX, 12) SIXTEEN(XX, 13) SIXTEEN(XX, 14) SIXTEEN(XX, 15) SIXTEEN(XX, 16)                \
    SIXTEEN(XX, 17) SIXTEEN(XX, 18) SIXTEEN(XX, 19) SIXTEEN(XX, 1a) SIXTEEN(XX, 1b)                \
    SIXTEEN(XX, 1c) SIXTEEN(XX, 1d) SIXTEEN(XX, 1e) SIXTEEN(XX, 1f)
/* clang-format on */

typedef PyObject *(*Entry)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);

ALL(ENTRY)
static const Entry ENTRIES[] = {ALL(NAME)};
#define ENTRY_COUNT ((Py_ssize_t)(sizeof ENTRIES / sizeof ENTRIES[0]))

static Command *command_new(State *state, PyObject *spec, PyObject *name, PyObject *doc)
{
    if (state->command_count == ENTRY_COUNT) {
        PyErr_SetString(PyExc_SystemError, "the command table is larger than this build allows");
        return NULL;
    }
    const char *method = PyUnicode_AsUTF8AndSize(name, NULL);
    const char *text = method == NULL ? NULL : PyUnicode_AsUTF8AndSize(doc, NULL);
    if (text == NULL)
        return NULL;
    Command *command = PyMem_Calloc(1, sizeof *command);
    if (command == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    Py_XINCREF(spec);
    Py_INCREF(name);
    Py_INCREF(doc);
    command->state = state;
    command->spec = spec;
    command->name = name;
    command->doc = doc;
    command->method = method;
    const kvw_arg_t word = {.ptr = method, .len = strlen(method)};
    command->wants_new = kvw_command_wants_new(&word, 1);
    Py_ssize_t number = state->command_count++;
    command->def =
        (PyMethodDef){method, EXT_FASTCALL(ENTRIES[number]), METH_FASTCALL | METH_KEYWORDS, text};
    state->commands[number] = command;
    return command;
}

/* Make the table's memory, and command 0: the nameless one behind execute(). */
static int prepare(State *state)
{
    if (state->commands != NULL)
        return 0;
    state->commands = PyMem_Calloc((size_t)ENTRY_COUNT, sizeof *state->commands);
    state->command_index = PyDict_New();
    PyObject *name = PyUnicode_FromString("execute");
    PyObject *doc = PyUnicode_FromString("");
    Command *command = NULL;
    if (state->commands != NULL && state->command_index != NULL && name != NULL && doc != NULL)
        command = command_new(state, NULL, name, doc);
    Py_XDECREF(name);
    Py_XDECREF(doc);
    if (command == NULL)
        return -1;
    command->compiled = 1;
    command->prefix = (kvw_prefix_t){"", 0, 0};
    return 0;
}

/* The command of a declaration, made at its first installation. */
static Command *lookup(State *state, PyObject *spec)
{
    PyObject *key = PyLong_FromVoidPtr(spec);
    if (key == NULL)
        return NULL;
    Command *command = NULL;
    PyObject *number = PyDict_GetItemWithError(state->command_index, key);
    if (number != NULL) {
        command = state->commands[PyLong_AsSsize_t(number)];
    } else if (!PyErr_Occurred()) {
        PyObject *name = PyObject_GetAttr(spec, state->name_name);
        PyObject *doc = name == NULL ? NULL : PyObject_GetAttr(spec, state->name_doc);
        number = PyLong_FromSsize_t(state->command_count);
        if (doc != NULL && number != NULL && PyDict_SetItem(state->command_index, key, number) == 0)
            command = command_new(state, spec, name, doc);
        Py_XDECREF(number);
        Py_XDECREF(name);
        Py_XDECREF(doc);
    }
    Py_DECREF(key);
    return command;
}

PyObject *command_install(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    State *state = PyModule_GetState(module);
    if (nargs != 2 || !PyType_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "install() takes a class and its commands");
        return NULL;
    }
    if (prepare(state) < 0)
        return NULL;
    PyObject *commands = PySequence_Tuple(args[1]);
    if (commands == NULL)
        return NULL;
    int rc = 0;
    for (Py_ssize_t i = 0; rc == 0 && i < PyTuple_Size(commands); i++) {
        Command *command = lookup(state, PyTuple_GetItem(commands, i));
        PyObject *method = NULL;
        if (command != NULL)
            method = PyDescr_NewMethod((PyTypeObject *)args[0], &command->def);
        rc = method == NULL ? -1 : PyObject_SetAttr(args[0], command->name, method);
        Py_XDECREF(method);
    }
    Py_DECREF(commands);
    if (rc < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- life ---------------------------------------------------------------------------------- */

void command_free_all(State *state)
{
    for (Py_ssize_t i = 0; i < state->command_count; i++) {
        Command *command = state->commands[i];
        free_params(command->params, command->param_count);
        if (command->spec != NULL) /* command 0 has a literal */
            PyMem_Free((void *)command->prefix.bytes);
        Py_CLEAR(command->spec);
        Py_CLEAR(command->name);
        Py_CLEAR(command->doc);
        Py_CLEAR(command->post);
        PyMem_Free(command);
    }
    state->command_count = 0;
    PyMem_Free(state->commands);
    state->commands = NULL;
    Py_CLEAR(state->command_index);
}

int command_traverse_all(State *state, visitproc visit, void *arg)
{
    for (Py_ssize_t i = 0; i < state->command_count; i++) {
        Py_VISIT(state->commands[i]->spec);
        Py_VISIT(state->commands[i]->post);
    }
    return 0;
}
