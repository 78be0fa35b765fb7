/* The replaceable allocator. */
#include <stdlib.h>

#include "kvwire/alloc.h"

static kvw_allocator_t current = {malloc, realloc, free};

void kvw_allocator_set(const kvw_allocator_t *allocator)
{
    if (allocator != NULL)
        current = *allocator;
    else
        current = (kvw_allocator_t){malloc, realloc, free};
}

void *kvw_malloc(size_t size)
{
    return current.malloc_fn(size);
}

void *kvw_realloc(void *ptr, size_t size)
{
    return current.realloc_fn(ptr, size);
}

void kvw_free(void *ptr)
{
    if (ptr != NULL)
        current.free_fn(ptr);
}
