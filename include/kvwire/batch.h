/* Batches: commands encoded ahead, with the slots for their replies, to be submitted as one.
 *
 * A batch belongs to one thread at a time and to no connection until it is submitted. */
#ifndef KVWIRE_BATCH_H
#define KVWIRE_BATCH_H

#include <stddef.h>

#include "conn.h"
#include "export.h"
#include "lane.h"

KVW_BEGIN_DECLS

typedef struct kvw_batch kvw_batch_t;

/* An empty batch, NULL when out of memory. Freeing releases the arguments it still holds. */
KVW_API kvw_batch_t *kvw_batch_new(void);
KVW_API void kvw_batch_free(kvw_batch_t *batch);

/* Append a command; arguments as in kvw_conn_submit. Of the slot only index, shape, shapes and
 * flags count. Returns 0 or KVW_ENOMEM, with nothing added and no argument released. */
KVW_API int kvw_batch_add(kvw_batch_t *batch, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                          size_t count, const kvw_slot_t *slot);

/* How many commands it holds. */
KVW_API size_t kvw_batch_count(const kvw_batch_t *batch);

/* Put the whole batch behind what is pending, with nothing of others in between, all slots with
 * this user and deadline (as in kvw_slot_t). It is taken back (kvw_conn_abandon) as a whole or not
 * at all. On success the batch is empty and its held arguments are the connection's; on failure
 * neither has changed. */
KVW_API int kvw_conn_submit_batch(kvw_conn_t *conn, kvw_batch_t *batch, void *user,
                                  int64_t deadline);
KVW_API int kvw_lane_submit_batch(kvw_lane_t *lane, kvw_batch_t *batch, void *user,
                                  int64_t deadline);

KVW_END_DECLS

#endif
