/* Receive blocks: refcounted memory that never moves while something points into it.
 *
 * Only the reading side writes, and only past `used`; bytes before `used` do not change while
 * somebody else holds a reference. Who keeps a pointer into a block holds a reference to it. */
#ifndef KVWIRE_BUF_H
#define KVWIRE_BUF_H

#include <stddef.h>

#include "export.h"

KVW_BEGIN_DECLS

typedef struct kvw_block kvw_block_t;

/* A part of a block, with a reference of its own. */
typedef struct kvw_slice {
    kvw_block_t *block;
    const char *ptr;
    size_t len;
} kvw_slice_t;

/* A new block of `cap` bytes with one reference, which the caller owns; NULL when out of memory.
 * Any thread. */
KVW_API kvw_block_t *kvw_block_new(size_t cap);

/* Take or drop one reference; the last one frees the block. Any thread. */
KVW_API void kvw_block_ref(kvw_block_t *block);
KVW_API void kvw_block_unref(kvw_block_t *block);

/* Whether the caller's reference is the only one. Meaningful to the reading side. */
KVW_API int kvw_block_is_sole(const kvw_block_t *block);

/* The block's memory, its capacity, and how much of it holds received bytes. Reading side. */
KVW_API char *kvw_block_data(kvw_block_t *block);
KVW_API size_t kvw_block_cap(const kvw_block_t *block);
KVW_API size_t kvw_block_used(const kvw_block_t *block);
KVW_API void kvw_block_set_used(kvw_block_t *block, size_t used);

/* A slice of [ptr, ptr+len), which must lie in the block's used part; takes a reference that
 * kvw_slice_drop gives back. Reading side; dropping: any thread. */
KVW_API kvw_slice_t kvw_slice_take(kvw_block_t *block, const char *ptr, size_t len);
KVW_API void kvw_slice_drop(kvw_slice_t *slice);

KVW_END_DECLS

#endif
