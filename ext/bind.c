/* A call becomes wire arguments: quickly where it is plain, else by the declaration's bind(). */
#include "command.h"

#include "args.h"

/* ---- bound calls --------------------------------------------------------------------------- */

static void bound_init(Bound *bound, Command *command)
{
    bound->command = command;
    bound->argv = bound->inline_argv;
    bound->count = 0;
    bound->capacity = BOUND_INLINE;
    bound->held_count = 0;
    bound->shape = command->shape;
    bound->decode = -1;
    bound->block = -1.0;
    bound->wants_new = command->wants_new;
}

void bound_free(Bound *bound)
{
    for (int i = 0; i < bound->held_count; i++) {
        Held *held = &bound->held[i];
        Py_XDECREF(held->tuple);
        for (Py_ssize_t at = held->from; at < held->to; at++)
            Py_DECREF(bound->argv[at]);
    }
    bound->held_count = 0;
    if (bound->argv != bound->inline_argv)
        PyMem_Free(bound->argv);
    bound->argv = bound->inline_argv;
}

static int reserve(Bound *bound, Py_ssize_t more)
{
    if (bound->count + more <= bound->capacity)
        return 0;
    Py_ssize_t capacity = bound->count + more + 8;
    int is_inline = bound->argv == bound->inline_argv;
    PyObject **argv =
        PyMem_Realloc(is_inline ? NULL : bound->argv, (size_t)capacity * sizeof *argv);
    if (argv == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (is_inline)
        memcpy(argv, bound->inline_argv, (size_t)bound->count * sizeof *argv);
    bound->argv = argv;
    bound->capacity = capacity;
    return 0;
}

/* A list can change while its members are being converted, so they are held one by one. */
static int append_list(Bound *bound, PyObject *list)
{
    Py_ssize_t size = PyList_Size(list);
    if (reserve(bound, size) < 0)
        return -1;
    bound->held[bound->held_count++] = (Held){NULL, bound->count, bound->count + size};
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *member = PyList_GetItem(list, i);
        Py_INCREF(member);
        bound->argv[bound->count++] = member;
    }
    return 0;
}

static int append_tuple(Bound *bound, PyObject *tuple)
{
    Py_ssize_t size = PyTuple_Size(tuple);
    if (size < 0 || reserve(bound, size) < 0)
        return -1;
    Py_INCREF(tuple);
    bound->held[bound->held_count++] = (Held){tuple, 0, 0};
    for (Py_ssize_t i = 0; i < size; i++)
        bound->argv[bound->count++] = PyTuple_GetItem(tuple, i);
    return 0;
}

static int append_sequence(Bound *bound, PyObject *sequence)
{
    if (bound->held_count == (int)(sizeof bound->held / sizeof bound->held[0])) {
        PyErr_SetString(PyExc_SystemError, "a command has too many list parameters");
        return -1;
    }
    return PyList_Check(sequence) ? append_list(bound, sequence) : append_tuple(bound, sequence);
}

/* 0, or 1 when the value is none that `decode` takes. */
static int set_decode(Bound *bound, PyObject *value)
{
    if (value == Py_True || value == Py_False)
        bound->decode = value == Py_True;
    return value != Py_None && value != Py_True && value != Py_False;
}

/* ---- the slow way: the declaration's bind() ------------------------------------------------ */

/* (args, kwargs) of a call in the fast calling convention. */
static int pack_call(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, PyObject **tuple,
                     PyObject **dict)
{
    Py_ssize_t named = kwnames == NULL ? 0 : PyTuple_Size(kwnames);
    *dict = NULL;
    *tuple = PyTuple_New(nargs);
    if (*tuple == NULL)
        return -1;
    for (Py_ssize_t i = 0; i < nargs; i++) {
        Py_INCREF(args[i]);
        PyTuple_SetItem(*tuple, i, args[i]);
    }
    if (named == 0)
        return 0;
    *dict = PyDict_New();
    for (Py_ssize_t i = 0; *dict != NULL && i < named; i++)
        if (PyDict_SetItem(*dict, PyTuple_GetItem(kwnames, i), args[nargs + i]) < 0)
            Py_CLEAR(*dict);
    if (*dict == NULL)
        Py_CLEAR(*tuple);
    return *dict == NULL ? -1 : 0;
}

static int bind_slowly(Command *command, Bound *bound, PyObject *const *args, Py_ssize_t nargs,
                       PyObject *kwnames)
{
    PyObject *tuple, *dict, *result = NULL, *wire, *decode;
    bound_free(bound);
    bound_init(bound, command);
    if (pack_call(args, nargs, kwnames, &tuple, &dict) < 0)
        return -1;
    PyObject *bind = PyObject_GetAttr(command->spec, command->state->name_bind);
    if (bind != NULL) {
        result = PyObject_Call(bind, tuple, dict);
        Py_DECREF(bind);
    }
    Py_DECREF(tuple);
    Py_XDECREF(dict);
    if (result == NULL)
        return -1;
    int rc = -1;
    if (PyArg_ParseTuple(result, "OidO", &wire, &bound->shape, &bound->block, &decode) &&
        append_sequence(bound, wire) == 0) {
        set_decode(bound, decode);
        rc = 0;
    }
    Py_DECREF(result);
    return rc;
}

/* ---- the fast way -------------------------------------------------------------------------- */

/* Put each argument of the call to its parameter. 0, or 1 when only bind() can tell what is meant
 * or what is wrong. */
static int assign(Command *command, Bound *bound, PyObject **values, Py_ssize_t *variadic,
                  PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    Py_ssize_t at = 0;
    *variadic = nargs;
    for (Py_ssize_t i = 0; i < command->param_count; i++) {
        values[i] = NULL;
        if (command->params[i].kind == VARIADIC) {
            *variadic = at;
            at = nargs;
        } else if (at < nargs) {
            if (command->params[i].kind == SLOW)
                return 1;
            values[i] = args[at++];
        }
    }
    if (at < nargs)
        return 1;
    Py_ssize_t named = kwnames == NULL ? 0 : PyTuple_Size(kwnames);
    for (Py_ssize_t k = 0; k < named; k++) {
        PyObject *name = PyTuple_GetItem(kwnames, k);
        Py_ssize_t i = 0;
        while (i < command->param_count && command->params[i].name != name)
            i++;
        if (i < command->param_count) {
            if (values[i] != NULL || command->params[i].kind == VARIADIC)
                return 1;
            values[i] = args[nargs + k];
        } else if (name != command->state->name_decode || set_decode(bound, args[nargs + k])) {
            return 1;
        }
    }
    return 0;
}

static int emit_plain(Bound *bound, PyObject *value)
{
    if (!args_is_plain(value))
        return 1;
    if (reserve(bound, 1) < 0)
        return -1;
    bound->argv[bound->count++] = value;
    return 0;
}

/* Append what a parameter's value stands for on the wire. As assign(), or -1 with an exception set.
 */
static int emit(Bound *bound, const Param *param, PyObject *value)
{
    switch (param->kind) {
    case REQUIRED:
        return value == NULL ? 1 : emit_plain(bound, value);
    case SPREAD:
        if (value == NULL)
            return 1;
        if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value))
            return emit_plain(bound, value);
        return PySequence_Size(value) == 0 ? 1 : append_sequence(bound, value);
    case DEFAULT:
        return emit_plain(bound, value == NULL ? param->token : value);
    case OPTIONAL:
        return value == NULL || value == Py_None ? 0 : emit_plain(bound, value);
    case TOKEN:
        if (value == NULL || value == Py_None)
            return 0;
        break;
    case FLAG:
        if (value == NULL || value == Py_None || value == Py_False)
            return 0;
        if (value != Py_True)
            return 1;
        break;
    default:
        if (value == NULL || value == Py_None)
            return 0;
        return value == Py_False && param->token != Py_None ? 0 : 1;
    }
    if (param->shape >= 0)
        bound->shape = param->shape;
    if (reserve(bound, 1) < 0)
        return -1;
    bound->argv[bound->count++] = param->token;
    return param->kind == TOKEN ? emit_plain(bound, value) : 0;
}

static int bind_fast(Command *command, Bound *bound, PyObject *const *args, Py_ssize_t nargs,
                     PyObject *kwnames)
{
    PyObject *values[COMMAND_PARAMS_MAX];
    Py_ssize_t variadic;
    int rc = assign(command, bound, values, &variadic, args, nargs, kwnames);
    int spread = 0;
    for (Py_ssize_t i = 0; rc == 0 && i < command->param_count; i++) {
        const Param *param = &command->params[i];
        if (param->kind != VARIADIC) {
            rc = emit(bound, param, values[i]);
            spread = param->kind == SPREAD;
            continue;
        }
        if (variadic == nargs && !spread)
            return 1;
        for (Py_ssize_t k = variadic; rc == 0 && k < nargs; k++)
            rc = emit_plain(bound, args[k]);
    }
    return rc;
}

/* The call has just the arguments that must be there, all plain: they go on the wire as they are.
 * As assign(). */
static int bind_plain(const Command *command, Bound *bound, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames)
{
    if (nargs != command->plain_count || kwnames != NULL)
        return 1;
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (!args_is_plain(args[i]))
            return 1;
        bound->argv[i] = args[i];
    }
    bound->count = nargs;
    return 0;
}

/* ---- both ---------------------------------------------------------------------------------- */

int command_bind(Command *command, Bound *bound, PyObject *const *args, Py_ssize_t nargs,
                 PyObject *kwnames)
{
    if (!command->compiled && command_compile(command) < 0)
        return -1;
    bound_init(bound, command);
    int rc = bind_plain(command, bound, args, nargs, kwnames);
    if (rc > 0 && command->flags == 0)
        rc = bind_fast(command, bound, args, nargs, kwnames);
    if (rc > 0)
        rc = bind_slowly(command, bound, args, nargs, kwnames);
    if (rc < 0)
        bound_free(bound);
    return rc;
}

int command_bind_any(State *state, Bound *bound, const char *method, PyObject *const *args,
                     Py_ssize_t nargs, PyObject *kwnames)
{
    bound_init(bound, state->commands[0]);
    if (nargs == 0) {
        PyErr_Format(PyExc_TypeError, "%s() needs the command's name", method);
        return -1;
    }
    Py_ssize_t named = kwnames == NULL ? 0 : PyTuple_Size(kwnames);
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GetItem(kwnames, i);
        if (PyUnicode_Compare(name, state->name_decode) != 0) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", method,
                         name);
            return -1;
        }
        if (set_decode(bound, args[nargs + i])) {
            PyErr_Format(PyExc_TypeError, "%s(): decode must be True, False or None", method);
            return -1;
        }
    }
    if (reserve(bound, nargs) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < nargs; i++)
        bound->argv[bound->count++] = args[i];
    return 0;
}
