/* Fuzz target for the parser and the shapes.
 *
 * Whatever the bytes are: nothing is read beyond them, nesting and counts are balanced, the same
 * bytes give the same items however they are split, and what a shape makes is as well-formed as
 * what went in. Run by libFuzzer, or by the driver in standalone.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kvwire/resp.h"
#include "kvwire/shape.h"

#define INPUT_MAX 65536
#define DEPTH_MAX 40
#define BULK_MAX 100000

/* An empty array makes two items of four bytes, and no input makes more of fewer. */
#define ITEMS_MAX (INPUT_MAX / 2 + 2)

#define REQUIRE(condition)                                                          \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- well-formedness ---------------------------------------------------------------------- */

/* The aggregates around the next item, and how many values each still expects (-1: streamed). */
typedef struct nesting {
    int depth;
    int64_t left[DEPTH_MAX + 8];
    uint8_t type[DEPTH_MAX + 8];
    uint8_t odd[DEPTH_MAX + 8]; /* an odd number of values has come */
} nesting_t;

static void count_value(nesting_t *nesting)
{
    int64_t *left;

    if (nesting->depth == 0)
        return;
    left = &nesting->left[nesting->depth - 1];
    REQUIRE(*left != 0);
    if (*left > 0)
        --*left;
    nesting->odd[nesting->depth - 1] ^= 1;
}

static void check_item(nesting_t *nesting, const kvw_item_t *item)
{
    int64_t per_element = 1;

    REQUIRE(!(item->flags & KVW_ITEM_LAST) || item->depth == 0);
    if (item->type == KVW_END) {
        REQUIRE(nesting->depth > 0);
        nesting->depth--;
        REQUIRE(nesting->left[nesting->depth] <= 0);
        REQUIRE(item->depth == nesting->depth);
        if (nesting->type[nesting->depth] == KVW_MAP ||
            nesting->type[nesting->depth] == KVW_ATTRIBUTE)
            REQUIRE(!nesting->odd[nesting->depth]);
        if (nesting->type[nesting->depth] != KVW_ATTRIBUTE)
            count_value(nesting);
        return;
    }
    REQUIRE(item->depth == nesting->depth);
    switch (item->type) {
    case KVW_MAP:
    case KVW_ATTRIBUTE:
        per_element = 2;
        /* fallthrough */
    case KVW_ARRAY:
    case KVW_SET:
    case KVW_PUSH:
    case KVW_PAIR:
        REQUIRE(item->type != KVW_PAIR || item->num == 2);
        REQUIRE(item->num < 0 ? item->len == 0 : item->len <= (uint64_t)item->num);
        REQUIRE(nesting->depth < DEPTH_MAX + 8);
        nesting->left[nesting->depth] = item->num < 0 ? -1 : item->num * per_element;
        nesting->type[nesting->depth] = item->type;
        nesting->odd[nesting->depth] = 0;
        nesting->depth++;
        break;
    case KVW_PART:
        break;
    default:
        if (!(item->flags & KVW_ITEM_OPEN))
            count_value(nesting);
        break;
    }
}

/* ---- parsing ------------------------------------------------------------------------------ */

/* What must not depend on how the bytes arrive. */
typedef struct record {
    kvw_item_t item; /* without its pointer; without len for an aggregate */
    uint64_t hash;   /* of the bytes */
} record_t;

typedef struct outcome {
    size_t count;
    int err;
    const char *reason;
    record_t records[ITEMS_MAX];
} outcome_t;

static uint64_t hash_bytes(const char *bytes, size_t len)
{
    uint64_t hash = 14695981039346656037u;

    for (size_t at = 0; at < len; at++)
        hash = (hash ^ (unsigned char)bytes[at]) * 1099511628211u;
    return hash;
}

static void add_record(outcome_t *outcome, const kvw_item_t *item, const char *body)
{
    const char *bytes = item->ptr != NULL ? item->ptr : body;
    record_t *record = &outcome->records[outcome->count++];

    REQUIRE(outcome->count <= ITEMS_MAX);
    memset(record, 0, sizeof(*record));
    record->item = *item;
    record->item.ptr = NULL;
    switch (item->type) {
    case KVW_SIMPLE:
    case KVW_ERROR:
    case KVW_BULK:
    case KVW_VERBATIM:
    case KVW_BIGNUM:
    case KVW_PART:
        record->hash = hash_bytes(bytes, item->len);
        break;
    default:
        record->item.len = 0;
        break;
    }
}

static int same_record(const record_t *one, const record_t *other)
{
    return one->hash == other->hash && one->item.type == other->item.type &&
           one->item.flags == other->item.flags && one->item.depth == other->item.depth &&
           one->item.num == other->item.num && one->item.len == other->item.len &&
           memcmp(&one->item.dbl, &other->item.dbl, sizeof(double)) == 0;
}

/* A small generator of our own: how the input is split follows from the input. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Strings of an aggregate, taken as a run. Returns what they took of the bytes. */
static size_t take_run(kvw_resp_t *parser, const char *bytes, size_t len, nesting_t *nesting,
                       outcome_t *outcome)
{
    kvw_item_t run[3];
    size_t used, count = kvw_resp_run(parser, bytes, len, &used, run, 3);

    REQUIRE(count <= 3 && used <= len && (count == 0) == (used == 0));
    for (size_t at = 0; at < count; at++) {
        REQUIRE(run[at].ptr >= bytes && run[at].ptr + run[at].len <= bytes + used);
        check_item(nesting, &run[at]);
        add_record(outcome, &run[at], NULL);
    }
    return used;
}

/* Parse the input in pieces, each in memory of just its size. `items` keeps the items when the
 * input is one piece (`whole`); then their pointers point into `data`. */
static void parse(const char *data, size_t size, int whole, outcome_t *outcome, kvw_item_t *items)
{
    uint64_t random = hash_bytes(data, size) | 1;
    size_t piece_max = whole ? size : 1 + next_random(&random) % 40;
    size_t at = 0, end = whole ? size : 0;
    nesting_t nesting = {0};
    const char *body = NULL;
    kvw_resp_t parser;
    kvw_status_t status = KVW_STATUS_MORE;

    outcome->count = 0;
    kvw_resp_init(&parser, DEPTH_MAX, BULK_MAX);
    while (status != KVW_STATUS_ERROR) {
        size_t len = end - at, used;
        char *copy = whole ? NULL : malloc(len);
        const char *bytes = whole ? data + at : copy;
        kvw_item_t item;

        REQUIRE(whole || copy != NULL || len == 0);
        if (!whole && len != 0)
            memcpy(copy, data + at, len);
        used = whole ? 0 : take_run(&parser, bytes, len, &nesting, outcome);
        at += used;
        status = kvw_resp_next(&parser, bytes + used, len - used, &used, &item);
        REQUIRE(used <= end - at);
        at += used;
        if (status == KVW_STATUS_ITEM) {
            REQUIRE(item.ptr == NULL || (item.ptr >= bytes && item.ptr + item.len <= bytes + len));
            check_item(&nesting, &item);
            if (items != NULL)
                items[outcome->count] = item;
            add_record(outcome, &item, body);
        } else if (status == KVW_STATUS_MORE) {
            int64_t wanted = kvw_resp_body(&parser);

            if (!whole && wanted >= 0 && (uint64_t)wanted <= size - at && random % 2 == 0) {
                body = data + at;
                at += (size_t)wanted;
                end = at > end ? at : end;
                kvw_resp_take_body(&parser);
            } else if (end == size) {
                free(copy);
                break;
            } else {
                size_t piece = 1 + next_random(&random) % piece_max;

                end = piece < size - end ? end + piece : size;
            }
        }
        free(copy);
    }
    outcome->err = kvw_resp_error(&parser, &outcome->reason);
    REQUIRE((status == KVW_STATUS_ERROR) == (outcome->err != 0));
    kvw_resp_reset(&parser);
}

/* ---- shapes ------------------------------------------------------------------------------- */

/* One item through the shape; 0 when the shape refuses the reply. *last: the item that came out
 * last completes the reply. */
static int shape_item(kvw_shaper_t *shaper, kvw_item_t item, nesting_t *nesting, int *last)
{
    int passed = kvw_shaper_item(shaper, &item);

    if (passed <= 0)
        return passed == 0;
    do {
        REQUIRE(!*last);
        check_item(nesting, &item);
        *last = item.flags & KVW_ITEM_LAST;
    } while (kvw_shaper_more(shaper, &item));
    return 1;
}

/* Take the reply at items[at..count) through a shape; returns where the next one starts. Pushes and
 * attributes never reach a shape. */
static size_t shape_reply(const kvw_item_t *items, size_t at, size_t count, kvw_shape_t shape,
                          int lent)
{
    int skipping = -1; /* the depth around the attribute or push that is passed over */
    int good = 1, last = 0;
    nesting_t nesting = {0};
    kvw_shaper_t shaper;

    kvw_shaper_begin(&shaper, shape, 0);
    for (; at < count && !last && good; at++) {
        kvw_item_t item = items[at];

        if (skipping >= 0) {
            if (item.type == KVW_END && item.depth == skipping)
                skipping = -1;
        } else if (item.type == KVW_ATTRIBUTE || item.type == KVW_PUSH) {
            skipping = item.depth;
        } else if (lent && item.type == KVW_BULK && item.len % 2 == 0) {
            kvw_item_t opening = item;

            opening.ptr = item.ptr = NULL;
            opening.flags = KVW_ITEM_OPEN;
            item.flags |= KVW_ITEM_FILLED;
            good = shape_item(&shaper, opening, &nesting, &last) &&
                   shape_item(&shaper, item, &nesting, &last);
        } else {
            good = shape_item(&shaper, item, &nesting, &last);
        }
    }
    REQUIRE(!last || nesting.depth == 0);
    while (at < count && !last && !(items[at - 1].flags & KVW_ITEM_LAST))
        at++;
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static outcome_t whole, split;
    static kvw_item_t items[ITEMS_MAX];
    char *copy;

    if (size == 0 || size > INPUT_MAX)
        return 0;
    copy = malloc(size);
    REQUIRE(copy != NULL);
    memcpy(copy, data, size);
    parse(copy, size, 1, &whole, items);
    parse(copy, size, 0, &split, NULL);
    REQUIRE(whole.count == split.count);
    REQUIRE(whole.err == split.err && whole.reason == split.reason);
    for (size_t at = 0; at < whole.count; at++)
        REQUIRE(same_record(&whole.records[at], &split.records[at]));
    for (int shape = 0; shape < KVW_SHAPE_COUNT; shape++) {
        for (int lent = 0; lent <= 1; lent++) {
            for (size_t at = 0; at < whole.count;)
                at = shape_reply(items, at, whole.count, (kvw_shape_t)shape, lent);
        }
    }
    free(copy);
    return 0;
}
