/* The shapes: the cases of tests/cases/shape.md. */
#include "kvwire/shape.h"

#include "cases.h"
#include "test.h"

/* KVW_SHAPE_EACH is not among them: a connection resolves it before a shape sees an item. */
static const char *const shape_names[KVW_SHAPE_COUNT] = {
    [KVW_SHAPE_RAW] = "RAW",
    [KVW_SHAPE_OK] = "OK",
    [KVW_SHAPE_BOOL] = "BOOL",
    [KVW_SHAPE_DOUBLE] = "DOUBLE",
    [KVW_SHAPE_TEXT] = "TEXT",
    [KVW_SHAPE_SET] = "SET",
    [KVW_SHAPE_MAP] = "MAP",
    [KVW_SHAPE_BOOLS] = "BOOLS",
    [KVW_SHAPE_DOUBLES] = "DOUBLES",
    [KVW_SHAPE_PAIRS] = "PAIRS",
    [KVW_SHAPE_SCORED] = "SCORED",
    [KVW_SHAPE_SCAN] = "SCAN",
    [KVW_SHAPE_SCAN_MAP] = "SCAN_MAP",
    [KVW_SHAPE_SCAN_SCORED] = "SCAN_SCORED",
    [KVW_SHAPE_KEYED] = "KEYED",
    [KVW_SHAPE_KEYED_SCORED] = "KEYED_SCORED",
    [KVW_SHAPE_TUPLE2] = "TUPLE2",
    [KVW_SHAPE_SCORED3] = "SCORED3",
    [KVW_SHAPE_RANK_SCORE] = "RANK_SCORE",
};

static kvw_shape_t shape_named(const char *name)
{
    for (int shape = 0; shape < KVW_SHAPE_COUNT; shape++) {
        if (shape_names[shape] != NULL && strcmp(shape_names[shape], name) == 0)
            return (kvw_shape_t)shape;
    }
    CHECK_STR(name, "the name of a shape");
    return KVW_SHAPE_RAW;
}

/* Pass one item through the shape, as a connection does; 0 when the shape refused it. */
static int pass(kvw_shaper_t *shaper, kvw_item_t item, text_t *log)
{
    int passed = kvw_shaper_item(shaper, &item);

    if (passed < 0) {
        text_add(log, "error %s\n", kvw_err_name(passed));
        return 0;
    }
    if (passed == 0)
        return 1;
    text_add_item(log, &item, NULL);
    while (kvw_shaper_more(shaper, &item))
        text_add_item(log, &item, NULL);
    return 1;
}

/* As pass, for a string that arrives in lent memory. */
static int pass_lent(kvw_shaper_t *shaper, kvw_item_t item, text_t *log)
{
    kvw_item_t opening = item;

    opening.ptr = item.ptr = NULL;
    opening.flags = (uint8_t)((opening.flags & ~KVW_ITEM_LAST) | KVW_ITEM_OPEN);
    item.flags |= KVW_ITEM_FILLED;
    return pass(shaper, opening, log) && pass(shaper, item, log);
}

static void run_case(const test_case_t *test)
{
    static text_t log;
    char option[64];
    unsigned base;
    size_t lent;
    kvw_resp_t parser;
    kvw_shaper_t shaper;
    kvw_item_t item;
    size_t at = 0, used;
    int good = 1;

    case_option(test, "base", option, sizeof(option));
    base = (unsigned)strtoul(option, NULL, 10);
    case_option(test, "lent", option, sizeof(option));
    lent = option[0] != '\0' ? strtoul(option, NULL, 10) : SIZE_MAX;
    case_option(test, "shape", option, sizeof(option));

    text_clear(&log);
    kvw_resp_init(&parser, 0, 0);
    kvw_shaper_begin(&shaper, shape_named(option), base);
    while (good && kvw_resp_next(&parser, test->input.bytes + at, test->input.len - at, &used,
                                 &item) == KVW_STATUS_ITEM) {
        at += used;
        if (item.depth < base)
            text_add_item(&log, &item, NULL);
        else if (item.type == KVW_BULK && item.len >= lent)
            good = pass_lent(&shaper, item, &log);
        else
            good = pass(&shaper, item, &log);
    }
    CHECK_INT(kvw_resp_error(&parser, NULL), 0);
    kvw_resp_reset(&parser);
    if (!CHECK_STR(log.bytes, test->items.bytes))
        fprintf(stderr, "in the case: %s\n", test->name);
}

/* What a caller allocates up front follows the count of what the shape makes. */
static void elements_to_allocate_for(void)
{
    kvw_shaper_t shaper;
    kvw_item_t item = {.type = KVW_ARRAY, .num = 1000, .len = 100};

    kvw_shaper_begin(&shaper, KVW_SHAPE_MAP, 0);
    CHECK_INT(kvw_shaper_item(&shaper, &item), 1);
    CHECK_INT(item.num, 500);
    CHECK_INT(item.len, 50);

    item = (kvw_item_t){.type = KVW_ARRAY, .num = 1000, .len = 100};
    kvw_shaper_begin(&shaper, KVW_SHAPE_PAIRS, 0);
    CHECK_INT(kvw_shaper_item(&shaper, &item), 0);
    CHECK_INT(kvw_shaper_more(&shaper, &item), 0);
    item = (kvw_item_t){.type = KVW_INT, .depth = 1};
    CHECK_INT(kvw_shaper_item(&shaper, &item), 1);
    CHECK_INT(item.num, 500);
    CHECK_INT(item.len, 50);
    CHECK_INT(kvw_shaper_more(&shaper, &item), 1);
    CHECK_INT(item.type, KVW_PAIR);
    CHECK_INT(item.len, 2);
}

int main(void)
{
    run_cases("shape.md", run_case, 70);
    elements_to_allocate_for();
    return test_result();
}
