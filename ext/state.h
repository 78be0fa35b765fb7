/* Module state: types, exceptions, interned names and cached callables of one interpreter. */
#ifndef EXT_STATE_H
#define EXT_STATE_H

#include "compat.h"

typedef struct Command Command;

/* Names that are compared by pointer or looked up often. */
#define EXT_NAMES(XX)            \
    XX(Task)                     \
    XX(_asyncio_future_blocking) \
    XX(add_done_callback)        \
    XX(add_reader)               \
    XX(add_writer)               \
    XX(bind)                     \
    XX(call_exception_handler)   \
    XX(call_later)               \
    XX(call_soon)                \
    XX(call_soon_threadsafe)     \
    XX(cancel)                   \
    XX(compile)                  \
    XX(context)                  \
    XX(create_future)            \
    XX(decode)                   \
    XX(doc)                      \
    XX(exception)                \
    XX(get_debug)                \
    XX(get_loop)                 \
    XX(index)                    \
    XX(is_closed)                \
    XX(maybe_executed)           \
    XX(name)                     \
    XX(remove_reader)            \
    XX(remove_writer)            \
    XX(set_result)

/* Exception classes that the facade hands over by setup(). */
#define EXT_ERRORS(XX)  \
    XX(ConnectionError) \
    XX(TimeoutError)    \
    XX(ProtocolError)   \
    XX(ServerError)     \
    XX(AuthenticationError)

/* Types of this module. */
#define EXT_TYPES(XX) \
    XX(Reply)         \
    XX(Link)          \
    XX(SyncClient)    \
    XX(AsyncClient)   \
    XX(SyncPipeline)  \
    XX(AsyncPipeline)

/* Callables of asyncio and contextvars, fetched when the first asynchronous client connects. */
#define EXT_ASYNCIO(XX)   \
    XX(get_running_loop)  \
    XX(current_task)      \
    XX(copy_context)      \
    XX(CancelledError)    \
    XX(InvalidStateError) \
    XX(SelectorLoop)      \
    XX(module)            \
    XX(Context)           \
    XX(Task)

/* Whether completed replies may step their tasks directly (probe.c). */
enum { PROBE_UNKNOWN, PROBE_RUNNING, PROBE_PASSED, PROBE_FAILED };

/* With a sanitizer few, so that it sees what uses a reply that has ended. */
#ifndef SPARES_MAX
#define SPARES_MAX 256
#endif

/* A StopIteration that is larger is none that we know. */
#define STOP_SIZE_MAX 256

typedef struct State {
    PyObject *module; /* borrowed: the state is the module's */
#define XX(name) PyObject *name_##name;
    EXT_NAMES(XX)
#undef XX
#define XX(name) PyObject *error_##name;
    EXT_ERRORS(XX)
#undef XX
#define XX(name) PyTypeObject *type_##name;
    EXT_TYPES(XX)
#undef XX
#define XX(name) PyObject *asyncio_##name;
    EXT_ASYNCIO(XX)
#undef XX
    allocfunc reply_alloc;        /* a slot of type_Reply, which every call needs */
    PyObject *spares[SPARES_MAX]; /* replies that have ended, to be used again (reply.c) */
    size_t spare_count;
    PyObject *stop_iteration;          /* reused while nobody else holds it (stop.c) */
    size_t stop_offset;                /* of the value in a StopIteration, 0: not known */
    char stop_pristine[STOP_SIZE_MAX]; /* what stands before the value of an unused one */
    PyObject *context_names;           /* ("context",) as a Task passes it */
    Command **commands;
    Py_ssize_t command_count;
    PyObject *command_index; /* dict: id(spec) -> index into commands */
    int probe;
    PyCFunction task_wakeup;          /* what the probe learnt */
    int (*context_enter)(PyObject *); /* of the interpreter, NULL: not to be had (wake.c) */
    int (*context_exit)(PyObject *);
} State;

/* Fetch what EXT_ASYNCIO lists; a no-op once done. 0, or -1 with an exception set. */
int state_load_asyncio(State *state);

#endif
