/* Batches. */
#include "os.h"

#include <stdint.h>

#include "conn_impl.h"
#include "kvwire/alloc.h"
#include "kvwire/batch.h"
#include "lane_impl.h"

#define CAPACITY_MIN 16

struct kvw_batch {
    kvw__writer_t commands;
    kvw__slot_t *slots; /* their places relative to the batch's beginning */
    size_t count, capacity;
};

kvw_batch_t *kvw_batch_new(void)
{
    kvw_batch_t *batch = kvw_malloc(sizeof(*batch));

    if (batch == NULL)
        return NULL;
    kvw__writer_init(&batch->commands);
    batch->slots = NULL;
    batch->count = batch->capacity = 0;
    return batch;
}

void kvw_batch_free(kvw_batch_t *batch)
{
    if (batch == NULL)
        return;
    kvw__segments_release(kvw__segments_take(&batch->commands.segments));
    kvw__writer_free(&batch->commands);
    kvw_free(batch->slots);
    kvw_free(batch);
}

static int reserve(kvw_batch_t *batch)
{
    size_t capacity = batch->capacity == 0 ? CAPACITY_MIN : batch->capacity * 2;
    kvw__slot_t *slots;

    if (batch->count < batch->capacity)
        return 0;
    slots = kvw_realloc(batch->slots, capacity * sizeof(*slots));
    if (slots == NULL)
        return KVW_ENOMEM;
    batch->slots = slots;
    batch->capacity = capacity;
    return 0;
}

int kvw_batch_add(kvw_batch_t *batch, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                  size_t count, const kvw_slot_t *slot)
{
    size_t at = batch->commands.len;
    size_t start = batch->commands.unsent;

    if (reserve(batch) != 0 || kvw__writer_command(&batch->commands, prefix, args, count) != 0)
        return KVW_ENOMEM;
    batch->slots[batch->count++] = (kvw__slot_t){.call = *slot, .start = start, .at = at};
    kvw__args_release_copied(args, count);
    return 0;
}

size_t kvw_batch_count(const kvw_batch_t *batch)
{
    return batch->count;
}

static void address(kvw_batch_t *batch, void *user, int64_t deadline)
{
    for (size_t at = 0; at < batch->count; at++) {
        batch->slots[at].call.user = user;
        batch->slots[at].call.deadline = deadline;
    }
}

int kvw_conn_submit_batch(kvw_conn_t *conn, kvw_batch_t *batch, void *user, int64_t deadline)
{
    int err;

    address(batch, user, deadline);
    err = kvw__conn_append(conn, &batch->commands, batch->slots, batch->count);
    if (err == KVW_EFORKED)
        return kvw__conn_die_forked(conn);
    if (err == 0)
        batch->count = 0;
    return err;
}

int kvw_lane_submit_batch(kvw_lane_t *lane, kvw_batch_t *batch, void *user, int64_t deadline)
{
    int err;

    address(batch, user, deadline);
    kvw__lane_lock(lane);
    err = kvw__conn_append(lane->conn, &batch->commands, batch->slots, batch->count);
    kvw__lane_unlock(lane);
    if (err == 0)
        batch->count = 0;
    return err;
}
