/* Shapes: rewrite a reply's items while they pass.
 *
 * A shape concerns the reply's root, its elements, or one aggregate (the target: the root, or the
 * second element of a two-element root) whose elements become the entries of a map or pairs. All
 * else passes untouched. Whether pairs come nested or flat shows only in the target's first
 * element, so that the target is kept for one step. */
#include <string.h>

#include "kvwire/shape.h"
#include "num.h"

typedef enum shape_mode {
    MODE_PASS = 0, /* nothing more to do */
    MODE_ROOT,     /* the reply's first item is due */
    MODE_ELEMENTS, /* among the root's elements */
    MODE_TARGET,   /* the target's first item is due */
    MODE_DECIDE,   /* the target waits in held[0] for its first element */
    MODE_FLAT,     /* among elements that become pairs two by two */
    MODE_NESTED,   /* among elements that are pairs */
    MODE_ENTRIES   /* among the keys and values of a streamed array that became a map */
} shape_mode_t;

/* ---- conversions of one item, which leave any other item as it is -------------------------- */

/* A string that is here as a whole, not one that arrives in lent memory. */
static int is_string(const kvw_item_t *item)
{
    return (item->type == KVW_BULK || item->type == KVW_SIMPLE) &&
           !(item->flags & (KVW_ITEM_OPEN | KVW_ITEM_FILLED));
}

static void become(kvw_item_t *item, uint8_t type, int64_t num, double dbl)
{
    item->type = type;
    item->flags &= (uint8_t)~KVW_ITEM_TEXT;
    item->num = num;
    item->dbl = dbl;
    item->ptr = NULL;
    item->len = 0;
}

static void to_ok(kvw_item_t *item)
{
    if (item->type == KVW_SIMPLE && item->len == 2 && memcmp(item->ptr, "OK", 2) == 0)
        become(item, KVW_BOOL, 1, 0);
}

static void to_bool(kvw_item_t *item)
{
    if (item->type == KVW_INT)
        become(item, KVW_BOOL, item->num != 0, 0);
}

static void to_double(kvw_item_t *item)
{
    double dbl;

    if (item->type == KVW_INT)
        become(item, KVW_DOUBLE, 0, (double)item->num);
    else if (is_string(item) && kvw__double_parse(item->ptr, item->len, &dbl))
        become(item, KVW_DOUBLE, 0, dbl);
}

static void to_text(kvw_item_t *item)
{
    switch (item->type) {
    case KVW_BULK:
    case KVW_SIMPLE:
    case KVW_VERBATIM:
    case KVW_PART:
        item->flags |= KVW_ITEM_TEXT;
        break;
    default:
        break;
    }
}

static void to_set(kvw_item_t *item)
{
    if (item->type == KVW_ARRAY)
        item->type = KVW_SET;
}

/* A cursor is a number without sign and can be larger than an int64_t. */
static void to_cursor(kvw_item_t *item)
{
    int64_t num;

    if (!is_string(item) || item->len == 0)
        return;
    for (size_t at = 0; at < item->len; at++) {
        if (item->ptr[at] < '0' || item->ptr[at] > '9')
            return;
    }
    if (kvw__int_parse(item->ptr, item->len, &num))
        become(item, KVW_INT, num, 0);
    else
        item->type = KVW_BIGNUM;
}

/* ---- what each shape does ----------------------------------------------------------------- */

typedef void convert_t(kvw_item_t *item);

enum { TARGET_NONE = 0, TARGET_MAP, TARGET_PAIRS };

#define EVERY (-1)

typedef struct rule {
    convert_t *root;    /* for the root, and that is all */
    int64_t count;      /* the elements that a root must have, 0: any; with 2 it becomes a pair */
    convert_t *element; /* for the root's elements */
    int64_t index;      /* which of them */
    uint8_t target;     /* the root when count is 0, else its second element */
    convert_t *second;  /* for the second element of each of the target's pairs */
} rule_t;

static const rule_t rules[KVW_SHAPE_COUNT] = {
    [KVW_SHAPE_OK] = {.root = to_ok},
    [KVW_SHAPE_BOOL] = {.root = to_bool},
    [KVW_SHAPE_DOUBLE] = {.root = to_double},
    [KVW_SHAPE_TEXT] = {.root = to_text},
    [KVW_SHAPE_SET] = {.root = to_set},
    [KVW_SHAPE_MAP] = {.target = TARGET_MAP},
    [KVW_SHAPE_BOOLS] = {.element = to_bool, .index = EVERY},
    [KVW_SHAPE_DOUBLES] = {.element = to_double, .index = EVERY},
    [KVW_SHAPE_PAIRS] = {.target = TARGET_PAIRS},
    [KVW_SHAPE_SCORED] = {.target = TARGET_PAIRS, .second = to_double},
    [KVW_SHAPE_SCAN] = {.count = 2, .element = to_cursor, .index = 0},
    [KVW_SHAPE_SCAN_MAP] = {.count = 2, .element = to_cursor, .index = 0, .target = TARGET_MAP},
    [KVW_SHAPE_SCAN_SCORED] =
        {.count = 2, .element = to_cursor, .index = 0, .target = TARGET_PAIRS, .second = to_double},
    [KVW_SHAPE_KEYED] = {.count = 2},
    [KVW_SHAPE_KEYED_SCORED] = {.count = 2, .target = TARGET_PAIRS, .second = to_double},
    [KVW_SHAPE_TUPLE2] = {.count = 2},
    [KVW_SHAPE_SCORED3] = {.count = 3, .element = to_double, .index = 2},
    [KVW_SHAPE_RANK_SCORE] = {.count = 2, .element = to_double, .index = 1},
};

/* ---- the walk ----------------------------------------------------------------------------- */

void kvw_shaper_begin(kvw_shaper_t *shaper, kvw_shape_t shape, unsigned base)
{
    shaper->shape = (uint8_t)shape;
    shaper->mode = shape == KVW_SHAPE_RAW ? MODE_PASS : MODE_ROOT;
    shaper->base = (uint8_t)base;
    shaper->level = (uint8_t)base;
    shaper->open = 0;
    shaper->held_count = 0;
    shaper->seen = 0;
}

static void hold(kvw_shaper_t *shaper, const kvw_item_t *item)
{
    shaper->held[shaper->held_count++] = *item;
}

static int is_aggregate(const kvw_item_t *item)
{
    switch (item->type) {
    case KVW_ARRAY:
    case KVW_SET:
    case KVW_MAP:
    case KVW_PAIR:
    case KVW_PUSH:
        return 1;
    default:
        return 0;
    }
}

/* An item right inside the aggregate whose elements are counted. Returns whether it begins an
 * element; shaper->open then says whether more of the element is to come. */
static int step_element(kvw_shaper_t *shaper, const kvw_item_t *item)
{
    int begins = !shaper->open;

    shaper->open = is_aggregate(item) || item->type == KVW_PART || (item->flags & KVW_ITEM_OPEN);
    return begins;
}

static int target_item(kvw_shaper_t *shaper, kvw_item_t *item)
{
    shaper->mode = MODE_PASS;
    shaper->seen = 0;
    shaper->open = 0;
    if (rules[shaper->shape].target == TARGET_MAP) {
        if (item->type != KVW_ARRAY)
            return 1;
        if (item->num < 0)
            shaper->mode = MODE_ENTRIES;
        else if (item->num % 2 != 0)
            return KVW_EPROTOCOL;
        else
            item->num /= 2;
        item->type = KVW_MAP;
        item->len /= 2;
        return 1;
    }
    if (item->type == KVW_MAP) {
        item->type = KVW_ARRAY;
        shaper->mode = MODE_FLAT;
    } else if (item->type == KVW_ARRAY && item->num != 0) {
        shaper->mode = MODE_DECIDE;
        shaper->held[0] = *item;
        return 0;
    }
    return 1;
}

static int root_item(kvw_shaper_t *shaper, kvw_item_t *item)
{
    const rule_t *rule = &rules[shaper->shape];

    if (rule->root != NULL) {
        rule->root(item);
        /* A large string comes twice, and its second item is as much the root as its first. */
        if (!(item->flags & KVW_ITEM_OPEN) && item->type != KVW_PART)
            shaper->mode = MODE_PASS;
        return 1;
    }
    if (rule->count == 0 && rule->target != TARGET_NONE)
        return target_item(shaper, item);
    shaper->mode = MODE_PASS;
    if (item->type != KVW_ARRAY || (rule->count != 0 && item->num != rule->count))
        return 1;
    if (rule->count == 2)
        item->type = KVW_PAIR;
    if (rule->element != NULL || rule->target != TARGET_NONE)
        shaper->mode = MODE_ELEMENTS;
    return 1;
}

static int element_item(kvw_shaper_t *shaper, kvw_item_t *item)
{
    const rule_t *rule = &rules[shaper->shape];

    if (item->depth > shaper->base + 1)
        return 1;
    if (item->depth == shaper->base) {
        shaper->mode = MODE_PASS;
        return 1;
    }
    step_element(shaper, item);
    if (shaper->open)
        return 1;
    if (rule->element != NULL && (rule->index == EVERY || rule->index == shaper->seen))
        rule->element(item);
    shaper->seen++;
    if (rule->target != TARGET_NONE) {
        shaper->mode = MODE_TARGET;
        shaper->level = (uint8_t)(shaper->base + 1);
    }
    return 1;
}

static int flat_item(kvw_shaper_t *shaper, kvw_item_t *item)
{
    const rule_t *rule = &rules[shaper->shape];
    const uint16_t around_pair = (uint16_t)(shaper->level + 1);
    int is_second = (int)(shaper->seen % 2);
    int begins;

    if (item->depth == shaper->level) {
        shaper->mode = MODE_PASS;
        return is_second ? KVW_EPROTOCOL : 1;
    }
    if (item->depth++ > around_pair)
        return 1;
    begins = step_element(shaper, item);
    if (!shaper->open) {
        shaper->seen++;
        if (is_second) {
            kvw_item_t end = {.type = KVW_END, .depth = around_pair};

            if (rule->second != NULL)
                rule->second(item);
            hold(shaper, &end);
        }
    }
    if (begins && !is_second) {
        hold(shaper, item);
        *item = (kvw_item_t){.type = KVW_PAIR, .depth = around_pair, .num = 2, .len = 2};
    }
    return 1;
}

static int nested_item(kvw_shaper_t *shaper, kvw_item_t *item)
{
    const rule_t *rule = &rules[shaper->shape];

    switch (item->depth - shaper->level) {
    case 0:
        shaper->mode = MODE_PASS;
        return 1;
    case 1:
        /* Only in what became a pair are elements counted from 0. */
        shaper->seen = 2;
        shaper->open = 0;
        if (item->type == KVW_ARRAY && item->num == 2) {
            item->type = KVW_PAIR;
            shaper->seen = 0;
        }
        return 1;
    case 2:
        step_element(shaper, item);
        if (!shaper->open) {
            if (shaper->seen == 1 && rule->second != NULL)
                rule->second(item);
            shaper->seen++;
        }
        return 1;
    default:
        return 1;
    }
}

/* The target's first element, or its end, says what the target is. */
static int decide_item(kvw_shaper_t *shaper, kvw_item_t *item)
{
    kvw_item_t target = shaper->held[0];
    kvw_item_t next = *item;

    *item = target;
    if (next.depth == shaper->level || is_aggregate(&next)) {
        shaper->mode = MODE_PASS;
        if (next.type == KVW_ARRAY && next.num == 2) {
            shaper->mode = MODE_NESTED;
            nested_item(shaper, &next);
        }
        hold(shaper, &next);
        return 1;
    }
    if (target.num > 0) {
        if (target.num % 2 != 0)
            return KVW_EPROTOCOL;
        item->num = target.num / 2;
        item->len = target.len / 2;
    }
    shaper->mode = MODE_FLAT;
    flat_item(shaper, &next);
    shaper->held[1] = shaper->held[0];
    shaper->held[0] = next;
    shaper->held_count = 2;
    return 1;
}

static int entry_item(kvw_shaper_t *shaper, const kvw_item_t *item)
{
    if (item->depth == shaper->level) {
        shaper->mode = MODE_PASS;
        return shaper->seen % 2 != 0 ? KVW_EPROTOCOL : 1;
    }
    if (item->depth == shaper->level + 1) {
        step_element(shaper, item);
        shaper->seen += !shaper->open;
    }
    return 1;
}

int kvw_shaper_item(kvw_shaper_t *shaper, kvw_item_t *item)
{
    switch ((shape_mode_t)shaper->mode) {
    case MODE_ROOT:
        return root_item(shaper, item);
    case MODE_ELEMENTS:
        return element_item(shaper, item);
    case MODE_TARGET:
        return target_item(shaper, item);
    case MODE_DECIDE:
        return decide_item(shaper, item);
    case MODE_FLAT:
        return flat_item(shaper, item);
    case MODE_NESTED:
        return nested_item(shaper, item);
    case MODE_ENTRIES:
        return entry_item(shaper, item);
    case MODE_PASS:
        break;
    }
    return 1;
}

int kvw_shaper_more(kvw_shaper_t *shaper, kvw_item_t *item)
{
    if (shaper->held_count == 0)
        return 0;
    *item = shaper->held[0];
    shaper->held[0] = shaper->held[1];
    shaper->held_count--;
    return 1;
}
