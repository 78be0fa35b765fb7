/* Receive blocks: header and memory in one allocation, counted atomically. */
#include <stdint.h>

#include "buf_impl.h"
#include "kvwire/alloc.h"

kvw_block_t *kvw_block_new(size_t cap)
{
    kvw_block_t *block;

    if (cap > SIZE_MAX - sizeof(*block))
        return NULL;
    block = kvw_malloc(sizeof(*block) + cap);
    if (block == NULL)
        return NULL;
    atomic_init(&block->refs, 1);
    block->cap = cap;
    block->used = 0;
    return block;
}

void kvw_block_ref(kvw_block_t *block)
{
    /* Whoever takes a reference already reaches the block through one, so nothing needs ordering.
     */
    atomic_fetch_add_explicit(&block->refs, 1, memory_order_relaxed);
}

void kvw_block_unref(kvw_block_t *block)
{
    /* Release orders this holder's reads before the drop, acquire the free behind all of them. */
    if (atomic_fetch_sub_explicit(&block->refs, 1, memory_order_acq_rel) == 1)
        kvw_free(block);
}

int kvw_block_is_sole(const kvw_block_t *block)
{
    /* Acquire: the other holders' reads are over before the reading side writes again. */
    return atomic_load_explicit(&block->refs, memory_order_acquire) == 1;
}

char *kvw_block_data(kvw_block_t *block)
{
    return block->data;
}

size_t kvw_block_cap(const kvw_block_t *block)
{
    return block->cap;
}

size_t kvw_block_used(const kvw_block_t *block)
{
    return block->used;
}

void kvw_block_set_used(kvw_block_t *block, size_t used)
{
    block->used = used;
}

kvw_slice_t kvw_slice_take(kvw_block_t *block, const char *ptr, size_t len)
{
    kvw_block_ref(block);
    return (kvw_slice_t){block, ptr, len};
}

void kvw_slice_drop(kvw_slice_t *slice)
{
    if (slice->block != NULL)
        kvw_block_unref(slice->block);
    *slice = (kvw_slice_t){NULL, NULL, 0};
}
