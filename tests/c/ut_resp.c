/* The parser: the cases of tests/cases/resp.md, split in every way, and what a file cannot hold. */
#include "cases.h"
#include "failing.h"
#include "guard.h"
#include "test.h"

/* How the input arrives: `first` bytes, then `step` more each time. */
typedef struct arrival {
    size_t first, step;
    int take;   /* the caller takes bodies elsewhere */
    size_t run; /* as many strings at a time, where there are */
} arrival_t;

#define RUN_MAX 4

static void check_item(const kvw_item_t *item, int nesting, const char *bytes, size_t len)
{
    switch (item->type) {
    case KVW_ARRAY:
    case KVW_SET:
    case KVW_PUSH:
        CHECK(item->len <= len / 3);
        CHECK(item->num < 0 ? item->len == 0 : item->len <= (uint64_t)item->num);
        break;
    case KVW_MAP:
    case KVW_ATTRIBUTE:
        CHECK(item->len <= len / 6);
        CHECK(item->num < 0 ? item->len == 0 : item->len <= (uint64_t)item->num);
        break;
    default:
        CHECK(item->ptr == NULL ||
              (item->ptr >= bytes && item->len <= (size_t)(bytes + len - item->ptr)));
        break;
    }
    CHECK_INT(item->depth, item->type == KVW_END ? nesting - 1 : nesting);
    CHECK(!(item->flags & KVW_ITEM_LAST) || item->depth == 0);
}

static int nesting_after(const kvw_item_t *item, int nesting)
{
    switch (item->type) {
    case KVW_ARRAY:
    case KVW_SET:
    case KVW_PUSH:
    case KVW_MAP:
    case KVW_ATTRIBUTE:
        return nesting + 1;
    case KVW_END:
        return nesting - 1;
    default:
        return nesting;
    }
}

/* Parse `input` as it arrives and log the items, then `more` when a value is unfinished, or the
 * error. */
static void parse(const char *input, size_t len, arrival_t arrival, text_t *log)
{
    kvw_resp_t parser;
    kvw_item_t item;
    size_t at = 0, used;
    size_t end = arrival.first < len ? arrival.first : len;
    int nesting = 0, complete = 1;
    const char *body = NULL;
    kvw_item_t announced;
    const char *reason, *again;

    text_clear(log);
    kvw_resp_init(&parser, 0, 0);
    for (;;) {
        const char *bytes = guarded(input + at, end - at);
        kvw_status_t status;
        size_t count;
        kvw_item_t run[RUN_MAX];

        count = kvw_resp_run(&parser, bytes, end - at, &used, run, arrival.run);
        CHECK(count <= arrival.run && used <= end - at && (count == 0) == (used == 0));
        for (size_t place = 0; place < count; place++) {
            CHECK(run[place].type == KVW_BULK && run[place].depth != 0);
            check_item(&run[place], nesting, bytes, used);
            text_add_item(log, &run[place], NULL);
        }
        at += used;
        if (count != 0) {
            complete = 0;
            continue;
        }
        status = kvw_resp_next(&parser, bytes, end - at, &used, &item);
        CHECK(used <= end - at);
        if (status == KVW_STATUS_ERROR) {
            int err = kvw_resp_error(&parser, &reason);

            text_add(log, "error %s: %s\n", kvw_err_name(err), reason);
            CHECK_INT(kvw_resp_next(&parser, ":1\r\n", 4, &used, &item), KVW_STATUS_ERROR);
            CHECK_INT(used, 0);
            CHECK_INT(kvw_resp_error(&parser, &again), err);
            CHECK_STR(again, reason);
            break;
        }
        at += used;
        complete &= used == 0;
        if (status == KVW_STATUS_ITEM) {
            check_item(&item, nesting, bytes, end - (at - used));
            nesting = nesting_after(&item, nesting);
            text_add_item(log, &item, body);
            if (body != NULL) {
                CHECK_INT(item.type, announced.type);
                CHECK_INT(item.flags & ~KVW_ITEM_LAST, announced.flags);
                CHECK_INT(item.depth, announced.depth);
                CHECK_INT(item.num, announced.num);
                CHECK_INT(item.len, announced.len);
                body = NULL;
            }
            complete = item.flags & KVW_ITEM_LAST;
            continue;
        }
        if (arrival.take && kvw_resp_body(&parser) >= 0) {
            if (len - at < (uint64_t)kvw_resp_body(&parser))
                break;
            kvw_resp_body_item(&parser, &announced);
            body = input + at;
            at += (size_t)kvw_resp_body(&parser);
            kvw_resp_take_body(&parser);
            CHECK_INT(kvw_resp_body(&parser), -1);
            if (end < at)
                end = at;
            continue;
        }
        if (end == len)
            break;
        end = arrival.step < len - end ? end + arrival.step : len;
    }
    if (kvw_resp_error(&parser, NULL) == 0 && (!complete || at != len))
        text_add(log, "more\n");
    kvw_resp_reset(&parser);
    CHECK_INT(kvw_resp_error(&parser, NULL), 0);
}

static void run_case(const test_case_t *test)
{
    static text_t log;
    const char *input = test->input.bytes;
    size_t len = test->input.len;
    int good;

    parse(input, len, (arrival_t){len, len, 0, 0}, &log);
    good = CHECK_STR(log.bytes, test->items.bytes);
    for (size_t step = 1; step <= 3 && good; step++) {
        parse(input, len, (arrival_t){step, step, 0, 0}, &log);
        good = CHECK_STR(log.bytes, test->items.bytes);
        parse(input, len, (arrival_t){step, step, 1, 0}, &log);
        good &= CHECK_STR(log.bytes, test->items.bytes);
    }
    for (size_t run = 1; run <= RUN_MAX && good; run += RUN_MAX - 1) {
        for (size_t cut = 0; cut <= len && good; cut++) {
            parse(input, len, (arrival_t){cut, len, 0, run}, &log);
            good = CHECK_STR(log.bytes, test->items.bytes);
        }
    }
    for (size_t cut = 0; cut <= len && good; cut++) {
        parse(input, len, (arrival_t){cut, len, 0, 0}, &log);
        good = CHECK_STR(log.bytes, test->items.bytes);
        parse(input, len, (arrival_t){cut, len, 1, 0}, &log);
        good &= CHECK_STR(log.bytes, test->items.bytes);
    }
    if (!good)
        fprintf(stderr, "in the case: %s\n", test->name);
}

/* ---- what is too large for a file --------------------------------------------------------- */

/* Give all bytes, take all items; returns the last status and counts the items. */
static kvw_status_t drain(kvw_resp_t *parser, const char *bytes, size_t len, size_t *items)
{
    kvw_item_t item;
    kvw_status_t status;
    size_t used;

    *items = 0;
    while ((status = kvw_resp_next(parser, bytes, len, &used, &item)) == KVW_STATUS_ITEM) {
        bytes += used;
        len -= used;
        (*items)++;
    }
    return status;
}

static void nested(char *out, size_t levels)
{
    for (size_t level = 0; level < levels; level++)
        memcpy(out + 4 * level, "*1\r\n", 4);
    memcpy(out + 4 * levels, ":1\r\n", 4);
}

static void deep_nesting(void)
{
    static char bytes[4 * 100000 + 4];
    kvw_resp_t parser;
    size_t items;

    nested(bytes, 1000);
    kvw_resp_init(&parser, 0, 0);
    CHECK_INT(drain(&parser, bytes, 4 * 1000 + 4, &items), KVW_STATUS_MORE);
    CHECK_INT(items, 1000 + 1 + 1000);
    kvw_resp_reset(&parser);

    nested(bytes, 100000);
    CHECK_INT(drain(&parser, bytes, 4 * KVW_DEPTH_DEFAULT, &items), KVW_STATUS_MORE);
    CHECK_INT(items, KVW_DEPTH_DEFAULT);
    CHECK_INT(drain(&parser, bytes, 4, &items), KVW_STATUS_ERROR);
    CHECK_INT(kvw_resp_error(&parser, NULL), KVW_EDEPTH);
    kvw_resp_reset(&parser);

    for (int round = 0; round < 1000; round++) {
        CHECK_INT(drain(&parser, bytes, sizeof(bytes), &items), KVW_STATUS_ERROR);
        CHECK_INT(items, KVW_DEPTH_DEFAULT);
        CHECK_INT(kvw_resp_error(&parser, NULL), KVW_EDEPTH);
        kvw_resp_reset(&parser);
    }

    kvw_resp_init(&parser, UINT32_MAX, 0);
    CHECK_INT(drain(&parser, bytes, sizeof(bytes), &items), KVW_STATUS_ERROR);
    CHECK_INT(kvw_resp_error(&parser, NULL), KVW_EDEPTH);
    CHECK(items < UINT16_MAX);
    kvw_resp_reset(&parser);
}

static void depth_limit_of_one(void)
{
    kvw_resp_t parser;
    size_t items;

    kvw_resp_init(&parser, 1, 0);
    CHECK_INT(drain(&parser, "*2\r\n:1\r\n:2\r\n*0\r\n", 16, &items), KVW_STATUS_MORE);
    CHECK_INT(items, 6);
    CHECK_INT(drain(&parser, "*1\r\n*0\r\n", 8, &items), KVW_STATUS_ERROR);
    CHECK_INT(kvw_resp_error(&parser, NULL), KVW_EDEPTH);
    kvw_resp_reset(&parser);
}

static void announced_lengths_allocate_nothing(void)
{
    static const char *const inputs[] = {
        "*4294967295\r\n", "*3333333333\r\n", "*4611686018427387903\r\n", "%4294967295\r\n",
        "~4294967295\r\n", ">4294967295\r\n", "$4294967296\r\n",          "=4294967296\r\n",
    };

    for (size_t at = 0; at < sizeof(inputs) / sizeof(inputs[0]); at++) {
        kvw_resp_t parser;
        kvw_item_t item;
        size_t used;

        failing_start(1);
        kvw_resp_init(&parser, 0, 0);
        if (kvw_resp_next(&parser, inputs[at], strlen(inputs[at]), &used, &item) == KVW_STATUS_ITEM)
            CHECK_INT(item.len, 0);
        CHECK_INT(kvw_resp_error(&parser, NULL), 0);
        CHECK_INT(failing_calls, 0);
        kvw_resp_reset(&parser);
        failing_stop();
    }
}

static void elements_to_allocate_for(void)
{
    static char bytes[1024] = "*1000000\r\n";
    kvw_resp_t parser;
    kvw_item_t item;
    size_t used;

    kvw_resp_init(&parser, 0, 0);
    CHECK_INT(kvw_resp_next(&parser, bytes, 10 + 31, &used, &item), KVW_STATUS_ITEM);
    CHECK_INT(used, 10);
    CHECK_INT(item.len, 10);
    kvw_resp_reset(&parser);
    memcpy(bytes, "%5000\r\n", 7);
    CHECK_INT(kvw_resp_next(&parser, bytes, 7 + 31, &used, &item), KVW_STATUS_ITEM);
    CHECK_INT(item.len, 5);
    kvw_resp_reset(&parser);
    memcpy(bytes, "*3\r\n", 4);
    CHECK_INT(kvw_resp_next(&parser, bytes, 500, &used, &item), KVW_STATUS_ITEM);
    CHECK_INT(item.len, 3);
    kvw_resp_reset(&parser);
}

/* A line of `len` bytes behind its type, complete or not: the error, 0 for an item, 1 for more. */
static int parse_line(char type, size_t len, int complete, size_t step)
{
    static char bytes[KVW_LINE_MAX + 64];
    kvw_resp_t parser;
    kvw_item_t item;
    size_t used, total = 1 + len;
    kvw_status_t status = KVW_STATUS_MORE;

    bytes[0] = type;
    memset(bytes + 1, '7', len);
    if (complete) {
        memcpy(bytes + total, "\r\n", 2);
        total += 2;
    }
    kvw_resp_init(&parser, 0, 0);
    for (size_t end = step; status == KVW_STATUS_MORE; end += step) {
        status = kvw_resp_next(&parser, bytes, end < total ? end : total, &used, &item);
        if (end >= total)
            break;
    }
    return status == KVW_STATUS_ERROR ? kvw_resp_error(&parser, NULL) : status == KVW_STATUS_MORE;
}

static void long_lines(void)
{
    static const size_t steps[] = {1, 1000, KVW_LINE_MAX + 64};

    for (size_t at = 0; at < 3; at++) {
        CHECK_INT(parse_line('+', KVW_LINE_MAX, 1, steps[at]), 0);
        CHECK_INT(parse_line('(', KVW_LINE_MAX, 1, steps[at]), 0);
        CHECK_INT(parse_line('+', KVW_LINE_MAX, 0, steps[at]), 1);
        CHECK_INT(parse_line('+', KVW_LINE_MAX + 1, 1, steps[at]), KVW_EPROTOCOL);
        CHECK_INT(parse_line('+', KVW_LINE_MAX + 1, 0, steps[at]), KVW_EPROTOCOL);
        CHECK_INT(parse_line(',', KVW_LINE_MAX, 1, steps[at]), 0);
        CHECK_INT(parse_line(':', KVW_LINE_MAX, 1, steps[at]), KVW_EPROTOCOL);
        CHECK_INT(parse_line('$', KVW_LINE_MAX, 1, steps[at]), KVW_ETOOBIG);
    }
}

/* What has been searched for the line's end is not searched again. */
static void unfinished_line_is_searched_once(void)
{
    kvw_resp_t parser;
    kvw_item_t item;
    size_t used;

    kvw_resp_init(&parser, 0, 0);
    CHECK_INT(kvw_resp_next(&parser, "+abcdefgh", 9, &used, &item), KVW_STATUS_MORE);
    CHECK_INT(parser.scanned, 9);
    CHECK_INT(kvw_resp_next(&parser, "+abcdefghi\r", 11, &used, &item), KVW_STATUS_MORE);
    CHECK_INT(parser.scanned, 10);
    CHECK_INT(kvw_resp_next(&parser, "+abcdefghi\r\n", 12, &used, &item), KVW_STATUS_ITEM);
    CHECK_INT(parser.scanned, 0);
    kvw_resp_reset(&parser);
}

static void limits(void)
{
    kvw_resp_t parser;
    size_t items;

    kvw_resp_init(&parser, 0, 10);
    CHECK_INT(drain(&parser, "$10\r\n0123456789\r\n", 17, &items), KVW_STATUS_MORE);
    CHECK_INT(items, 1);
    CHECK_INT(drain(&parser, "$?\r\n;6\r\n012345\r\n;4\r\n6789\r\n;0\r\n", 30, &items),
              KVW_STATUS_MORE);
    CHECK_INT(items, 3);
    CHECK_INT(drain(&parser, "$11\r\n", 5, &items), KVW_STATUS_ERROR);
    CHECK_INT(kvw_resp_error(&parser, NULL), KVW_ETOOBIG);
    kvw_resp_reset(&parser);
    CHECK_INT(drain(&parser, "$?\r\n;6\r\n012345\r\n;5\r\n", 20, &items), KVW_STATUS_ERROR);
    CHECK_INT(kvw_resp_error(&parser, NULL), KVW_ETOOBIG);
    kvw_resp_reset(&parser);
    CHECK_INT(drain(&parser, "!11\r\n", 5, &items), KVW_STATUS_ERROR);
    CHECK_INT(kvw_resp_error(&parser, NULL), KVW_ETOOBIG);
    kvw_resp_reset(&parser);
}

static void failing_allocations(void)
{
    static char bytes[4 * 300 + 4];
    kvw_status_t status = KVW_STATUS_ERROR;
    long failed = 0;
    size_t items;

    nested(bytes, 300);
    while (status == KVW_STATUS_ERROR) {
        kvw_resp_t parser;

        failing_start(failed + 1);
        kvw_resp_init(&parser, 0, 0);
        status = drain(&parser, bytes, sizeof(bytes), &items);
        if (status == KVW_STATUS_ERROR) {
            CHECK_INT(kvw_resp_error(&parser, NULL), KVW_ENOMEM);
            CHECK_INT(drain(&parser, ":1\r\n", 4, &items), KVW_STATUS_ERROR);
            failed++;
        }
        kvw_resp_reset(&parser);
        CHECK_INT(failing_live, 0);
        failing_stop();
        if (failed > 100)
            break;
    }
    CHECK_INT(status, KVW_STATUS_MORE);
    CHECK_INT(items, 300 + 1 + 300);
    CHECK_INT(failed, 5); /* 16 levels are inline; then 32, 64, 128, 256, 512 */
}

static void body_taken_elsewhere(void)
{
    kvw_resp_t parser;
    kvw_item_t item;
    size_t used;

    kvw_resp_init(&parser, 0, 0);
    CHECK_INT(kvw_resp_body(&parser), -1);
    CHECK_INT(kvw_resp_next(&parser, "$5\r\nhe", 6, &used, &item), KVW_STATUS_MORE);
    CHECK_INT(used, 4);
    CHECK_INT(kvw_resp_body(&parser), 5);
    kvw_resp_take_body(&parser);
    CHECK_INT(kvw_resp_body(&parser), -1);
    CHECK_INT(kvw_resp_next(&parser, "\r", 1, &used, &item), KVW_STATUS_MORE);
    CHECK_INT(used, 0);
    CHECK_INT(kvw_resp_next(&parser, "\r\n:1", 4, &used, &item), KVW_STATUS_ITEM);
    CHECK_INT(used, 2);
    CHECK_INT(item.type, KVW_BULK);
    CHECK_INT(item.len, 5);
    CHECK(item.ptr == NULL);
    CHECK_INT(item.flags, KVW_ITEM_LAST);
    CHECK_INT(kvw_resp_next(&parser, "$1\r\n", 4, &used, &item), KVW_STATUS_MORE);
    kvw_resp_take_body(&parser);
    CHECK_INT(kvw_resp_next(&parser, "x", 1, &used, &item), KVW_STATUS_ERROR);
    kvw_resp_reset(&parser);
}

int main(void)
{
    run_cases("resp.md", run_case, 100);
    deep_nesting();
    depth_limit_of_one();
    announced_lengths_allocate_nothing();
    elements_to_allocate_for();
    long_lines();
    unfinished_line_is_searched_once();
    limits();
    failing_allocations();
    body_taken_elsewhere();
    return test_result();
}
