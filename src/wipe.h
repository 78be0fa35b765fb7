/* Overwriting memory that held a secret. */
#ifndef KVWIRE_WIPE_H
#define KVWIRE_WIPE_H

#include <stddef.h>

/* Volatile, so that no compiler leaves it out because the memory is freed next. */
static inline void kvw__wipe(void *memory, size_t len)
{
    volatile unsigned char *byte = memory;

    while (len-- != 0)
        *byte++ = 0;
}

#endif
