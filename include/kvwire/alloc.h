/* The allocator that the whole core uses; tests replace it by one that fails the N-th call. */
#ifndef KVWIRE_ALLOC_H
#define KVWIRE_ALLOC_H

#include <stddef.h>

#include "export.h"

KVW_BEGIN_DECLS

typedef struct kvw_allocator {
    void *(*malloc_fn)(size_t size);
    void *(*realloc_fn)(void *ptr, size_t size);
    void (*free_fn)(void *ptr);
} kvw_allocator_t;

/* Replace the allocator (NULL: back to the C library's). Only while nothing of the core is
 * allocated. Not thread safe. */
KVW_API void kvw_allocator_set(const kvw_allocator_t *allocator);

/* Thin calls of the current allocator. NULL on failure, kvw_free(NULL) does nothing. Any thread. */
KVW_API void *kvw_malloc(size_t size);
KVW_API void *kvw_realloc(void *ptr, size_t size);
KVW_API void kvw_free(void *ptr);

KVW_END_DECLS

#endif
