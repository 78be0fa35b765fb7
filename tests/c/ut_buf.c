/* Blocks and slices: references, and what happens without memory. */
#include <pthread.h>

#include "kvwire/buf.h"

#include "failing.h"
#include "test.h"

static void one_block(void)
{
    kvw_block_t *block = kvw_block_new(100);

    if (!CHECK(block != NULL))
        return;
    CHECK_INT(kvw_block_cap(block), 100);
    CHECK_INT(kvw_block_used(block), 0);
    memset(kvw_block_data(block), 'x', 100);
    kvw_block_set_used(block, 100);
    CHECK_INT(kvw_block_used(block), 100);
    CHECK(kvw_block_is_sole(block));
    kvw_block_ref(block);
    CHECK(!kvw_block_is_sole(block));
    kvw_block_unref(block);
    CHECK(kvw_block_is_sole(block));
    kvw_block_unref(block);
    CHECK_INT(failing_live, 0);
}

static void slices_keep_their_block(void)
{
    kvw_block_t *block = kvw_block_new(16);
    kvw_slice_t one, two;

    if (!CHECK(block != NULL))
        return;
    memcpy(kvw_block_data(block), "hello world", 11);
    kvw_block_set_used(block, 11);
    one = kvw_slice_take(block, kvw_block_data(block), 5);
    two = kvw_slice_take(block, kvw_block_data(block) + 6, 5);
    CHECK(!kvw_block_is_sole(block));
    kvw_block_unref(block);
    kvw_slice_drop(&one);
    CHECK(one.block == NULL && one.ptr == NULL && one.len == 0);
    kvw_slice_drop(&one);
    CHECK_INT(failing_live, 1);
    CHECK(kvw_block_is_sole(two.block));
    CHECK(memcmp(two.ptr, "world", 5) == 0);
    kvw_slice_drop(&two);
    CHECK_INT(failing_live, 0);
}

static void no_memory(void)
{
    failing_start(1);
    CHECK(kvw_block_new(100) == NULL);
    CHECK_INT(failing_calls, 1);
    failing_start(0);
    CHECK(kvw_block_new(SIZE_MAX) == NULL);
    CHECK(kvw_block_new(SIZE_MAX - 8) == NULL);
    CHECK_INT(failing_calls, 0);
    kvw_free(NULL);
    CHECK_INT(failing_live, 0);
}

static void *take_and_drop(void *block)
{
    for (int round = 0; round < 100000; round++) {
        kvw_slice_t slice = kvw_slice_take(block, kvw_block_data(block), 1);

        kvw_slice_drop(&slice);
    }
    kvw_block_unref(block);
    return NULL;
}

static void many_threads(void)
{
    kvw_block_t *block = kvw_block_new(1);
    pthread_t threads[4];

    if (!CHECK(block != NULL))
        return;
    for (int at = 0; at < 4; at++) {
        kvw_block_ref(block);
        CHECK_INT(pthread_create(&threads[at], NULL, take_and_drop, block), 0);
    }
    for (int at = 0; at < 4; at++)
        CHECK_INT(pthread_join(threads[at], NULL), 0);
    CHECK(kvw_block_is_sole(block));
    kvw_block_unref(block);
    CHECK_INT(failing_live, 0);
}

int main(void)
{
    failing_start(0);
    one_block();
    slices_keep_their_block();
    many_threads();
    no_memory();
    failing_stop();
    return test_result();
}
