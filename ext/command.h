/* Commands of the table as C-level methods: a call is bound to its wire arguments without a Python
 * frame where it is plain, and by the declaration's own bind() where it is not. */
#ifndef EXT_COMMAND_H
#define EXT_COMMAND_H

#include "state.h"

#include "kvwire/kvwire.h"

typedef struct Param {
    PyObject *name;
    PyObject *token;
    int kind;
    int shape; /* of the reply when this parameter is given, -1: no change */
} Param;

struct Command {
    State *state;
    PyObject *spec, *name, *doc;
    const char *method; /* UTF-8 of name */
    PyMethodDef def;
    int compiled;
    kvw_prefix_t prefix; /* the fixed words, encoded */
    Param *params;
    Py_ssize_t param_count;
    Py_ssize_t plain_count; /* so many positional arguments, if plain, are the wire's; -1: never */
    int shape, flags;
    int wants_new; /* a connection that has just been opened */
    PyObject *post;
};

/* The kinds of parameters that compile() names; what each emits stands in emit() of bind.c. */
enum { REQUIRED, OPTIONAL, TOKEN, FLAG, VARIADIC, SLOW, SPREAD, DEFAULT };

/* Flags of compile(). Either means that every call goes through bind(). */
enum { COMMAND_BLOCKING = 1, COMMAND_BIND = 2 };

#define COMMAND_PARAMS_MAX 48

/* Take the declaration apart, at a command's first call. 0, or -1 with an exception set. */
int command_compile(Command *command);

#define BOUND_INLINE 16

/* A sequence among a call's arguments: a tuple that holds its members, or, where that is NULL, the
 * place of members that argv itself holds. */
typedef struct Held {
    PyObject *tuple;
    Py_ssize_t from, to;
} Held;

/* A call bound to its wire arguments (borrowed from the call unless `held`). */
typedef struct Bound {
    Command *command;
    PyObject **argv;
    Py_ssize_t count, capacity;
    Held held[2];
    int held_count;
    int shape;
    int decode;   /* 0, 1, or -1: the client's default */
    double block; /* seconds that the server may block, 0: for ever, -1: it does not */
    int wants_new;
    PyObject *inline_argv[BOUND_INLINE];
} Bound;

/* Bind a call: 0, or -1 with the declaration's TypeError or ValueError set. */
int command_bind(Command *command, Bound *bound, PyObject *const *args, Py_ssize_t nargs,
                 PyObject *kwnames);

/* Bind what execute(*args, decode=None) was given: any command, its words included. `state` has
 * the nameless command for it. */
int command_bind_any(State *state, Bound *bound, const char *method, PyObject *const *args,
                     Py_ssize_t nargs, PyObject *kwnames);

void bound_free(Bound *bound);

/* _core.install(cls, commands). */
PyObject *command_install(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

void command_free_all(State *state);
int command_traverse_all(State *state, visitproc visit, void *arg);

#endif
