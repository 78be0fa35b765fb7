/* The results of a pipeline: one reply for many commands, plain or as a MULTI/EXEC transaction. */
#ifndef EXT_GROUP_H
#define EXT_GROUP_H

#include "command.h"
#include "build.h"

typedef struct Group {
    State *state;
    Command **commands;
    uint8_t *shapes; /* per command; a transaction's EXEC reply takes each element's from here */
    uint8_t *decode;
    Py_ssize_t count;
    PyObject *results;     /* list of what has come; a transaction's is EXEC's array */
    PyObject *first_error; /* with its `index` set */
    uint8_t transaction;
    uint8_t raise_first;
} Group;

/* A group that takes over the three arrays (PyMem_Malloc). NULL with an exception set (then the
 * arrays are still the caller's). */
Group *group_new(State *state, Command **commands, uint8_t *shapes, uint8_t *decode,
                 Py_ssize_t count, int transaction, int raise_first);
void group_free(Group *group);
int group_traverse(Group *group, visitproc visit, void *arg);

Decode group_decode(const Group *group, uint32_t index);

/* Whether the wire command at `index` is the last, MULTI and EXEC counted. */
int group_is_last(const Group *group, uint32_t index);

/* Take the value or exception of the wire command at `index`. */
void group_take(Group *group, uint32_t index, PyObject *value);

/* The exception that is to be raised instead of giving the results, borrowed, or NULL. */
PyObject *group_failure(const Group *group);

/* The list of results, converted, or the exception to raise with *failed set. A new reference, or
 * NULL with an exception set. Runs Python code. */
PyObject *group_outcome(Group *group, int *failed);

#endif
