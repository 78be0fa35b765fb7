#include "group.h"

#include "errors.h"

Group *group_new(State *state, Command **commands, uint8_t *shapes, uint8_t *decode,
                 Py_ssize_t count, int transaction, int raise_first)
{
    Group *group = PyMem_Calloc(1, sizeof *group);
    if (group == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    group->results = PyList_New(0);
    if (group->results == NULL) {
        PyMem_Free(group);
        return NULL;
    }
    group->state = state;
    group->commands = commands;
    group->shapes = shapes;
    group->decode = decode;
    group->count = count;
    group->transaction = transaction != 0;
    group->raise_first = raise_first != 0;
    return group;
}

void group_free(Group *group)
{
    if (group == NULL)
        return;
    Py_CLEAR(group->results);
    Py_CLEAR(group->first_error);
    PyMem_Free(group->commands);
    PyMem_Free(group->shapes);
    PyMem_Free(group->decode);
    PyMem_Free(group);
}

int group_traverse(Group *group, visitproc visit, void *arg)
{
    Py_VISIT(group->results);
    Py_VISIT(group->first_error);
    return 0;
}

/* On the wire a transaction is MULTI, its commands, EXEC. */
static int is_exec(const Group *group, uint32_t index)
{
    return group->transaction && (Py_ssize_t)index == group->count + 1;
}

Decode group_decode(const Group *group, uint32_t index)
{
    if (!group->transaction)
        return (Decode){group->decode[index], NULL, 0};
    return (Decode){0, is_exec(group, index) ? group->decode : NULL, group->count};
}

/* Say at which place of the pipeline the exception arose; the first one is kept. */
static void note_error(Group *group, Py_ssize_t place, PyObject *exception)
{
    PyObject *number = PyLong_FromSsize_t(place);
    if (number == NULL || PyObject_SetAttr(exception, group->state->name_index, number) < 0)
        PyErr_Clear(); /* an exception class without the attribute keeps its message */
    Py_XDECREF(number);
    if (group->first_error == NULL) {
        Py_INCREF(exception);
        group->first_error = exception;
    }
}

/* The transaction was refused as a whole: there are no results, so the error is raised in any
 * case. The cause is the error of the command that could not be queued, where there is one. */
static void take_refusal(Group *group, PyObject *error)
{
    group->raise_first = 1;
    if (group->first_error == NULL)
        group->first_error = error;
    else
        Py_DECREF(error);
}

static void take_exec(Group *group, PyObject *value)
{
    if (!PyList_CheckExact(value) && !PyExceptionInstance_Check(value)) {
        /* Null: nothing was executed, since a watched key has changed. */
        static const char text[] =
            "EXECABORT the transaction was discarded: a watched key has changed";
        Py_DECREF(value);
        value = error_from_server(group->state, text, sizeof text - 1);
        if (value == NULL)
            value = error_take();
    }
    if (!PyList_CheckExact(value)) {
        take_refusal(group, value);
        return;
    }
    for (Py_ssize_t i = 0; i < group->count; i++) {
        PyObject *element = PyList_GetItem(value, i);
        if (PyExceptionInstance_Check(element))
            note_error(group, i, element);
    }
    Py_DECREF(group->results);
    group->results = value;
}

void group_take(Group *group, uint32_t index, PyObject *value)
{
    if (!group->transaction) {
        if (PyExceptionInstance_Check(value))
            note_error(group, (Py_ssize_t)index, value);
        if (PyList_Append(group->results, value) < 0)
            note_error(group, (Py_ssize_t)index, error_take());
        Py_DECREF(value);
    } else if (is_exec(group, index)) {
        take_exec(group, value);
    } else if (index == 0 && PyExceptionInstance_Check(value)) {
        take_refusal(group, value); /* MULTI itself, which has no place among the commands */
    } else {
        if (PyExceptionInstance_Check(value))
            note_error(group, (Py_ssize_t)index - 1, value);
        Py_DECREF(value);
    }
}

int group_is_last(const Group *group, uint32_t index)
{
    return (Py_ssize_t)index + 1 == group->count + (group->transaction ? 2 : 0);
}

PyObject *group_failure(const Group *group)
{
    return group->raise_first ? group->first_error : NULL;
}

/* Apply the declaration's own conversion: a new reference. That the reply is none to its command is
 * a value here, too; any other exception (of a signal's handler) is the whole call's: NULL, and it
 * is set. */
static PyObject *convert(const Command *command, PyObject *value)
{
    if (command->post == NULL || PyExceptionInstance_Check(value)) {
        Py_INCREF(value);
        return value;
    }
    PyObject *converted = PyObject_CallFunctionObjArgs(command->post, value, NULL);
    if (converted != NULL || !PyErr_ExceptionMatches(command->state->error_ProtocolError))
        return converted;
    return error_take();
}

PyObject *group_outcome(Group *group, int *failed)
{
    PyObject *results = PyList_New(group->count);
    for (Py_ssize_t i = 0; results != NULL && i < group->count; i++) {
        PyObject *raw = PyList_GetItem(group->results, i); /* NULL: there was no memory for it */
        PyObject *value = raw == NULL ? NULL : convert(group->commands[i], raw);
        if (value == NULL) {
            Py_CLEAR(results);
            break;
        }
        if (PyExceptionInstance_Check(value))
            note_error(group, i, value);
        PyList_SetItem(results, i, value);
    }
    if (results == NULL)
        return NULL;
    PyObject *error = group_failure(group);
    *failed = error != NULL;
    if (error == NULL)
        return results;
    Py_DECREF(results);
    Py_INCREF(error);
    return error;
}
