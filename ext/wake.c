#include "wake.h"

#include <dlfcn.h>

/* PyContext_Enter and PyContext_Exit are public, but not in the limited API, which has only
 * Context.run(): that comes to the same by way of three calls with their tuples. So they are looked
 * up by name. Without them replies go the plain way, through the loop's call_soon(). */
void wake_load(State *state)
{
    void *interpreter = dlopen(NULL, RTLD_LAZY);
    if (interpreter == NULL)
        return;
    void *enter = dlsym(interpreter, "PyContext_Enter");
    void *leave = dlsym(interpreter, "PyContext_Exit");
    /* POSIX has dlsym() return functions as void *, which C has no cast for. */
    memcpy(&state->context_enter, &enter, sizeof enter);
    memcpy(&state->context_exit, &leave, sizeof leave);
    dlclose(interpreter);
}

int wake_can(const State *state)
{
    return state->context_enter != NULL && state->context_exit != NULL;
}

PyObject *wake_task(State *state, PyCFunction wakeup, PyObject *callback, PyObject *context,
                    PyObject *sentinel)
{
    if (state->context_enter(context) < 0)
        return NULL;
    PyObject *result = wakeup(PyCFunction_GetSelf(callback), sentinel);
    if (state->context_exit(context) < 0)
        Py_CLEAR(result);
    return result;
}
