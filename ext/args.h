/* Python arguments as the core's: str (UTF-8), bytes, any C-contiguous buffer, int and float. */
#ifndef EXT_ARGS_H
#define EXT_ARGS_H

#include "state.h"

#include "kvwire/kvwire.h"

#define ARGS_INLINE 16
#define ARGS_NUMBER_MAX 40

/* Arguments ready for kvw_conn_submit. Pointers point into the Python objects, which the caller
 * keeps alive until the submission, or into `numbers`. */
typedef struct Args {
    kvw_arg_t *items;
    size_t count;
    char *numbers;
    kvw_arg_t inline_items[ARGS_INLINE];
    char inline_numbers[ARGS_INLINE][ARGS_NUMBER_MAX];
} Args;

/* Convert `count` objects. `method` names the call in messages; arguments are counted from
 * `first`. 0, or -1 with a TypeError or so set and nothing held. */
int args_gather(Args *args, const char *method, PyObject *const *objects, size_t count,
                size_t first);

/* Free the memory of the conversion itself, once the submission has taken the arguments. */
void args_free(Args *args);

/* The submission has failed: release what the arguments hold, and free. */
void args_release(Args *args);

/* Whether the object's type is one that args_gather takes without a look at its value. */
int args_is_plain(PyObject *object);

#endif
