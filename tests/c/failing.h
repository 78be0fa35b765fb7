/* An allocator that counts, and fails the N-th allocation when told to. */
#ifndef KVWIRE_TEST_FAILING_H
#define KVWIRE_TEST_FAILING_H

#include <stdlib.h>

#include "kvwire/alloc.h"

static long failing_calls;  /* allocations asked for since failing_start */
static long failing_at;     /* the one to fail, counted from 1; 0: none */
static long failing_live;   /* allocations not freed */
static size_t failing_most; /* the largest size asked for */

static inline int failing_step(size_t size)
{
    if (size > failing_most)
        failing_most = size;
    return ++failing_calls == failing_at;
}

static inline void *failing_malloc(size_t size)
{
    void *ptr = failing_step(size) ? NULL : malloc(size);

    failing_live += ptr != NULL;
    return ptr;
}

static inline void *failing_realloc(void *old, size_t size)
{
    void *ptr = failing_step(size) ? NULL : realloc(old, size);

    failing_live += old == NULL && ptr != NULL;
    return ptr;
}

static inline void failing_free(void *ptr)
{
    failing_live -= ptr != NULL;
    free(ptr);
}

/* From now on use this allocator and fail its `at`-th allocation. */
static inline void failing_start(long at)
{
    static const kvw_allocator_t allocator = {failing_malloc, failing_realloc, failing_free};

    failing_calls = 0;
    failing_at = at;
    failing_live = 0;
    failing_most = 0;
    kvw_allocator_set(&allocator);
}

static inline void failing_stop(void)
{
    kvw_allocator_set(NULL);
}

#endif
