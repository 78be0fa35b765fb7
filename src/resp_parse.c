/* The RESP parser: a loop over the caller's bytes and a stack of open aggregates.
 *
 * A value's line is consumed as a whole or not at all. A string's line is consumed before its body
 * has come, so that the caller can receive a large body elsewhere. Nothing is decided on bytes that
 * a smaller read would not have shown: every split of the input gives the same items. */
#include <limits.h>
#include <string.h>

#include "kvwire/alloc.h"
#include "num.h"
#include "resp_impl.h"

/* Depths must fit kvw_item_t.depth, also when a shape adds levels of its own. */
#define DEPTH_LIMIT (UINT16_MAX - 8)

/* The shortest value of all is `_\r\n`. */
#define VALUE_LEN_MIN 3

#define STREAMED (-1)

/* What a call reads from, and how far it has come. */
typedef struct input {
    const char *bytes; /* the first unconsumed one */
    size_t len;
} input_t;

void kvw_resp_init(kvw_resp_t *parser, uint32_t max_depth, int64_t max_bulk)
{
    memset(parser, 0, sizeof(*parser));
    parser->levels = parser->inline_levels;
    parser->cap = KVW_DEPTH_INLINE;
    if (max_depth == 0)
        max_depth = KVW_DEPTH_DEFAULT;
    parser->max_depth = max_depth < DEPTH_LIMIT ? max_depth : DEPTH_LIMIT;
    if (max_bulk <= 0)
        max_bulk = KVW_BULK_MAX_DEFAULT;
    /* A body and its terminator must be addressable. */
    if ((uint64_t)max_bulk > SIZE_MAX / 2)
        max_bulk = (int64_t)(SIZE_MAX / 2);
    parser->max_bulk = max_bulk;
}

void kvw_resp_reset(kvw_resp_t *parser)
{
    if (parser->levels != parser->inline_levels)
        kvw_free(parser->levels);
    kvw_resp_init(parser, parser->max_depth, parser->max_bulk);
}

int64_t kvw_resp_body(const kvw_resp_t *parser)
{
    return parser->state == KVW__RESP_BODY ? parser->body_len : -1;
}

void kvw_resp_take_body(kvw_resp_t *parser)
{
    if (parser->state == KVW__RESP_BODY)
        parser->state = KVW__RESP_TAKEN;
}

int kvw_resp_error(const kvw_resp_t *parser, const char **reason)
{
    if (reason != NULL)
        *reason = parser->reason;
    return parser->err;
}

static kvw_status_t fail(kvw_resp_t *parser, int err, const char *reason)
{
    parser->err = err;
    parser->reason = reason;
    return KVW_STATUS_ERROR;
}

static kvw_status_t malformed(kvw_resp_t *parser, const char *reason)
{
    return fail(parser, KVW_EPROTOCOL, reason);
}

static void consume(kvw_resp_t *parser, input_t *in, size_t len)
{
    in->bytes += len;
    in->len -= len;
    parser->scanned = 0;
}

/* ---- items -------------------------------------------------------------------------------- */

/* A value begins where one is due: count it in the aggregate around it. Returns the flag for an
 * item that is a value by itself. */
static uint8_t count_value(kvw_resp_t *parser)
{
    kvw_level_t *level;

    if (parser->depth == 0)
        return KVW_ITEM_LAST;
    level = &parser->levels[parser->depth - 1];
    if (level->left != STREAMED)
        level->left--;
    else
        level->odd ^= 1;
    level->annotated = 0;
    return 0;
}

/* An item that is a value by itself. */
static void set_num(kvw_resp_t *parser, kvw_item_t *item, uint8_t type, int64_t num)
{
    kvw__resp_set_item(parser, item, type, count_value(parser));
    item->num = num;
}

static void set_text(kvw_resp_t *parser, kvw_item_t *item, uint8_t type, const char *text,
                     size_t len)
{
    kvw__resp_set_item(parser, item, type, count_value(parser));
    item->ptr = text;
    item->len = len;
}

/* ---- aggregates --------------------------------------------------------------------------- */

static int grow_levels(kvw_resp_t *parser)
{
    uint32_t cap = parser->cap * 2;
    int is_inline = parser->levels == parser->inline_levels;
    kvw_level_t *levels;

    levels = kvw_realloc(is_inline ? NULL : parser->levels, cap * sizeof(*levels));
    if (levels == NULL)
        return KVW_ENOMEM;
    if (is_inline)
        memcpy(levels, parser->inline_levels, sizeof(parser->inline_levels));
    parser->levels = levels;
    parser->cap = cap;
    return 0;
}

static kvw_status_t open_aggregate(kvw_resp_t *parser, const input_t *in, kvw_item_t *item,
                                   uint8_t type, int64_t count)
{
    const int64_t per_element = type == KVW_MAP || type == KVW_ATTRIBUTE ? 2 : 1;
    size_t room = in->len / (size_t)(VALUE_LEN_MIN * per_element);

    if (parser->depth == parser->max_depth)
        return fail(parser, KVW_EDEPTH, "aggregates nested too deeply");
    if (count > INT64_MAX / 2)
        return fail(parser, KVW_ETOOBIG, "more elements announced than can be counted");
    if (parser->depth == parser->cap && grow_levels(parser) != 0)
        return fail(parser, KVW_ENOMEM, "no memory for the depth stack");

    kvw__resp_set_item(parser, item, type, 0);
    item->num = count;
    if (count != STREAMED)
        item->len = (uint64_t)count < room ? (size_t)count : room;
    if (type != KVW_ATTRIBUTE)
        count_value(parser);
    parser->levels[parser->depth++] = (kvw_level_t){
        .left = count == STREAMED ? STREAMED : count * per_element,
        .type = type,
    };
    return KVW_STATUS_ITEM;
}

static kvw_status_t close_aggregate(kvw_resp_t *parser, kvw_item_t *item)
{
    uint8_t type = parser->levels[--parser->depth].type;
    uint8_t flags = 0;

    if (type != KVW_ATTRIBUTE)
        flags = parser->depth == 0 ? KVW_ITEM_LAST : 0;
    else if (parser->depth != 0)
        parser->levels[parser->depth - 1].annotated = 1;
    kvw__resp_set_item(parser, item, KVW_END, flags);
    return KVW_STATUS_ITEM;
}

/* The line `.`, which ends a streamed aggregate. */
static kvw_status_t close_streamed(kvw_resp_t *parser, kvw_item_t *item)
{
    const kvw_level_t *level = &parser->levels[parser->depth - 1];

    if (level->odd && (level->type == KVW_MAP || level->type == KVW_ATTRIBUTE))
        return malformed(parser, "streamed map ends behind a key");
    if (level->annotated)
        return malformed(parser, "attribute without a value");
    return close_aggregate(parser, item);
}

/* ---- strings with a length ---------------------------------------------------------------- */

/* Read a body and its terminator. The terminator is checked byte by byte as it comes. */
static kvw_status_t read_body(kvw_resp_t *parser, input_t *in, kvw_item_t *item)
{
    uint8_t type = parser->body_type;
    size_t body = (size_t)parser->body_len;
    size_t end = parser->state == KVW__RESP_BODY ? body : 0;

    if (in->len > end && in->bytes[end] != '\r')
        return malformed(parser, "string without terminator");
    if (in->len < end + 2)
        return KVW_STATUS_MORE;
    if (in->bytes[end + 1] != '\n')
        return malformed(parser, "string without terminator");

    kvw__resp_set_item(parser, item, type, type == KVW_PART ? 0 : count_value(parser));
    if (type == KVW_VERBATIM) {
        item->flags |= KVW_ITEM_TEXT;
        item->num = parser->body_format;
    }
    item->ptr = parser->state == KVW__RESP_BODY ? in->bytes : NULL;
    item->len = body;
    parser->state = type == KVW_PART ? KVW__RESP_CHUNK : KVW__RESP_VALUE;
    consume(parser, in, end + 2);
    return KVW_STATUS_ITEM;
}

/* The line (of `line_len` bytes, line end included) announces a body of `len` bytes. */
static kvw_status_t open_body(kvw_resp_t *parser, input_t *in, kvw_item_t *item, uint8_t type,
                              size_t line_len, int64_t len)
{
    if (len > parser->max_bulk)
        return fail(parser, KVW_ETOOBIG, "string longer than the limit");
    if (type == KVW_VERBATIM) {
        /* The format belongs to the line: what is left is the text alone. */
        const unsigned char *format = (const unsigned char *)in->bytes + line_len;

        if (len < 4)
            return malformed(parser, "verbatim string without format");
        if (in->len < line_len + 4)
            return KVW_STATUS_MORE;
        if (format[3] != ':')
            return malformed(parser, "verbatim string without format");
        parser->body_format = format[0] | (uint32_t)format[1] << 8 | (uint32_t)format[2] << 16;
        line_len += 4;
        len -= 4;
    }
    consume(parser, in, line_len);
    parser->state = KVW__RESP_BODY;
    parser->body_type = type;
    parser->body_len = len;
    return read_body(parser, in, item);
}

static kvw_status_t open_chunk(kvw_resp_t *parser, input_t *in, kvw_item_t *item, size_t line_len,
                               int64_t len)
{
    if (len == 0) {
        kvw__resp_set_item(parser, item, KVW_STRING_END, parser->depth == 0 ? KVW_ITEM_LAST : 0);
        consume(parser, in, line_len);
        parser->state = KVW__RESP_VALUE;
        return KVW_STATUS_ITEM;
    }
    if (len > parser->max_bulk - parser->stream_len)
        return fail(parser, KVW_ETOOBIG, "streamed string longer than the limit");
    parser->stream_len += len;
    return open_body(parser, in, item, KVW_PART, line_len, len);
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Find the end of the line: 1 and *end (the place of its CR), 0 when it has not come, -1 when it
 * is malformed. */
static int find_line_end(kvw_resp_t *parser, const input_t *in, size_t *end)
{
    const size_t most = 1 + KVW_LINE_MAX + 1; /* the type, the text, the CR */
    size_t window = in->len < most ? in->len : most;
    size_t from = parser->scanned < window ? parser->scanned : window;
    const char *cr = memchr(in->bytes + from, '\r', window - from);
    size_t stop = cr != NULL ? (size_t)(cr - in->bytes) : window;

    if (memchr(in->bytes + from, '\n', stop - from) != NULL) {
        malformed(parser, "line feed without carriage return");
        return -1;
    }
    parser->scanned = stop;
    if (cr == NULL) {
        if (window < most)
            return 0;
        malformed(parser, "line too long");
        return -1;
    }
    if (stop + 1 == in->len)
        return 0;
    if (in->bytes[stop + 1] != '\n') {
        malformed(parser, "carriage return without line feed");
        return -1;
    }
    *end = stop;
    return 1;
}

/* The whole line `<type><digits>\r\n`, when it is at hand and short: its length and *num, else 0,
 * and then the long way decides. */
static size_t short_number(const input_t *in, int64_t *num)
{
    const size_t most = in->len < 19 ? in->len : 19; /* 18 digits cannot overflow */
    int64_t sum = 0;
    size_t at = 1;

    while (at < most && (unsigned char)(in->bytes[at] - '0') < 10)
        sum = sum * 10 + (in->bytes[at++] - '0');
    if (at == 1 || at + 1 >= in->len || in->bytes[at] != '\r' || in->bytes[at + 1] != '\n')
        return 0;
    *num = sum;
    return at + 2;
}

static int is_digits(const char *text, size_t len)
{
    size_t at = 0;

    while (at < len && (unsigned char)(text[at] - '0') < 10)
        at++;
    return at == len && len != 0;
}

enum {
    TYPE_KNOWN = 1,
    TYPE_NUMBER = 2, /* a number follows */
    TYPE_PLACED = 4  /* allowed in some places only */
};

static const uint8_t types[256] = {
    ['+'] = TYPE_KNOWN,
    ['-'] = TYPE_KNOWN,
    ['_'] = TYPE_KNOWN,
    ['#'] = TYPE_KNOWN,
    [','] = TYPE_KNOWN,
    ['('] = TYPE_KNOWN,
    [':'] = TYPE_KNOWN | TYPE_NUMBER,
    ['$'] = TYPE_KNOWN | TYPE_NUMBER,
    ['!'] = TYPE_KNOWN | TYPE_NUMBER,
    ['='] = TYPE_KNOWN | TYPE_NUMBER,
    ['*'] = TYPE_KNOWN | TYPE_NUMBER,
    ['%'] = TYPE_KNOWN | TYPE_NUMBER,
    ['~'] = TYPE_KNOWN | TYPE_NUMBER,
    ['|'] = TYPE_KNOWN | TYPE_NUMBER,
    ['>'] = TYPE_KNOWN | TYPE_NUMBER | TYPE_PLACED,
    [';'] = TYPE_KNOWN | TYPE_NUMBER | TYPE_PLACED,
    ['.'] = TYPE_KNOWN | TYPE_PLACED,
};

/* What is wrong with a value that starts with this byte here, NULL when nothing is. */
static const char *misplaced(const kvw_resp_t *parser, char byte)
{
    if (parser->state == KVW__RESP_CHUNK)
        return byte == ';' ? NULL : "streamed string interrupted";
    switch (byte) {
    case '>':
        return parser->depth == 0 ? NULL : "push inside a reply";
    case '.':
        if (parser->depth != 0 && parser->levels[parser->depth - 1].left == STREAMED)
            return NULL;
        return "end of a streamed aggregate outside of one";
    case ';':
        return "chunk outside a streamed string";
    default:
        return types[(unsigned char)byte] != 0 ? NULL : "unknown type";
    }
}

static uint8_t aggregate_type(char byte)
{
    switch (byte) {
    case '*':
        return KVW_ARRAY;
    case '%':
        return KVW_MAP;
    case '~':
        return KVW_SET;
    case '>':
        return KVW_PUSH;
    default:
        return KVW_ATTRIBUTE;
    }
}

/* A line with a number that is not negative, of any type that has one. */
static kvw_status_t numbered(kvw_resp_t *parser, input_t *in, kvw_item_t *item, size_t line_len,
                             int64_t num)
{
    char byte = in->bytes[0];

    switch (byte) {
    case ':':
        consume(parser, in, line_len);
        set_num(parser, item, KVW_INT, num);
        return KVW_STATUS_ITEM;
    case '$':
        return open_body(parser, in, item, KVW_BULK, line_len, num);
    case '!':
        return open_body(parser, in, item, KVW_ERROR, line_len, num);
    case '=':
        return open_body(parser, in, item, KVW_VERBATIM, line_len, num);
    case ';':
        return open_chunk(parser, in, item, line_len, num);
    default:
        consume(parser, in, line_len);
        return open_aggregate(parser, in, item, aggregate_type(byte), num);
    }
}

/* Where a length is due: digits, or `-1` for the null forms, or `?` for the streamed ones. The
 * streamed string has no item of its own; its first chunk is read at once. */
static kvw_status_t length_line(kvw_resp_t *parser, input_t *in, kvw_item_t *item, size_t end)
{
    char byte = in->bytes[0];
    const char *text = in->bytes + 1;
    size_t len = end - 1;
    int64_t num;

    if (is_digits(text, len)) {
        if (!kvw__int_parse(text, len, &num))
            return fail(parser, KVW_ETOOBIG, "length too large for an integer");
        return numbered(parser, in, item, end + 2, num);
    }
    if ((byte == '$' || byte == '*') && len == 2 && memcmp(text, "-1", 2) == 0) {
        consume(parser, in, end + 2);
        set_num(parser, item, KVW_NULL, 0);
        return KVW_STATUS_ITEM;
    }
    if (len != 1 || text[0] != '?' || byte == '!' || byte == '=' || byte == ';')
        return malformed(parser, "length is not a number");
    consume(parser, in, end + 2);
    if (byte != '$')
        return open_aggregate(parser, in, item, aggregate_type(byte), STREAMED);
    count_value(parser);
    parser->state = KVW__RESP_CHUNK;
    parser->stream_len = 0;
    return KVW_STATUS_MORE;
}

/* Every line that short_number does not know. */
static kvw_status_t long_line(kvw_resp_t *parser, input_t *in, kvw_item_t *item)
{
    const char *text = in->bytes + 1;
    size_t end, len, sign;
    int64_t num;
    double dbl;
    int found = find_line_end(parser, in, &end);

    if (found <= 0)
        return found == 0 ? KVW_STATUS_MORE : KVW_STATUS_ERROR;
    len = end - 1;
    switch (in->bytes[0]) {
    case '+':
        set_text(parser, item, KVW_SIMPLE, text, len);
        item->flags |= KVW_ITEM_TEXT;
        break;
    case '-':
        set_text(parser, item, KVW_ERROR, text, len);
        break;
    case ':':
        if (!kvw__int_parse(text, len, &num))
            return malformed(parser, "integer malformed or out of range");
        set_num(parser, item, KVW_INT, num);
        break;
    case '_':
        if (len != 0)
            return malformed(parser, "null with content");
        set_num(parser, item, KVW_NULL, 0);
        break;
    case '#':
        if (len != 1 || (text[0] != 't' && text[0] != 'f'))
            return malformed(parser, "boolean is neither t nor f");
        set_num(parser, item, KVW_BOOL, text[0] == 't');
        break;
    case ',':
        if (!kvw__double_parse(text, len, &dbl))
            return malformed(parser, "malformed double");
        set_num(parser, item, KVW_DOUBLE, 0);
        item->dbl = dbl;
        break;
    case '(':
        sign = len != 0 && (text[0] == '-' || text[0] == '+');
        if (!is_digits(text + sign, len - sign))
            return malformed(parser, "malformed big number");
        set_text(parser, item, KVW_BIGNUM, text, len);
        break;
    case '.':
        if (len != 0)
            return malformed(parser, "end of a streamed aggregate with content");
        if (close_streamed(parser, item) == KVW_STATUS_ERROR)
            return KVW_STATUS_ERROR;
        break;
    default:
        return length_line(parser, in, item, end);
    }
    consume(parser, in, end + 2);
    return KVW_STATUS_ITEM;
}

/* Read from the first byte of a value or chunk. */
static kvw_status_t read_line(kvw_resp_t *parser, input_t *in, kvw_item_t *item)
{
    uint8_t type = types[(unsigned char)in->bytes[0]];
    size_t line_len;
    int64_t num;

    if (parser->state == KVW__RESP_CHUNK || type == 0 || (type & TYPE_PLACED)) {
        const char *wrong = misplaced(parser, in->bytes[0]);

        if (wrong != NULL)
            return malformed(parser, wrong);
    }
    if ((type & TYPE_NUMBER) && (line_len = short_number(in, &num)) != 0)
        return numbered(parser, in, item, line_len, num);
    return long_line(parser, in, item);
}

static kvw_status_t read_item(kvw_resp_t *parser, input_t *in, kvw_item_t *item)
{
    kvw_status_t status;

    if (parser->state == KVW__RESP_BODY || parser->state == KVW__RESP_TAKEN)
        return read_body(parser, in, item);
    if (parser->state == KVW__RESP_VALUE && parser->depth != 0 &&
        parser->levels[parser->depth - 1].left == 0)
        return close_aggregate(parser, item);
    if (in->len == 0)
        return KVW_STATUS_MORE;
    status = read_line(parser, in, item);
    /* The line that opens a streamed string makes no item: go on with its first chunk. */
    if (status == KVW_STATUS_MORE && parser->state == KVW__RESP_CHUNK && in->len != 0)
        status = read_line(parser, in, item);
    return status;
}

/* The most frequent value by far, without the detours of the general way. */
static size_t whole_bulk(kvw_resp_t *parser, const char *bytes, size_t len, kvw_item_t *item)
{
    const size_t most = len < 9 ? len : 9; /* 8 digits at most */
    kvw_level_t *level = parser->depth != 0 ? &parser->levels[parser->depth - 1] : NULL;
    size_t body = 0, at = 1;

    if (len == 0 || bytes[0] != '$' || parser->state != KVW__RESP_VALUE || parser->err != 0 ||
        (level != NULL && level->left <= 0))
        return 0;
    while (at < most && (unsigned char)(bytes[at] - '0') < 10)
        body = body * 10 + (size_t)(bytes[at++] - '0');
    if (at == 1 || len - at < body + 4 || (int64_t)body > parser->max_bulk)
        return 0;
    if (bytes[at] != '\r' || bytes[at + 1] != '\n' || bytes[at + 2 + body] != '\r' ||
        bytes[at + 3 + body] != '\n')
        return 0;
    if (level != NULL) {
        level->left--;
        level->annotated = 0;
    }
    kvw__resp_set_item(parser, item, KVW_BULK, level == NULL ? KVW_ITEM_LAST : 0);
    item->ptr = bytes + at + 2;
    item->len = body;
    parser->scanned = 0;
    return at + body + 4;
}

void kvw_resp_body_item(const kvw_resp_t *parser, kvw_item_t *item)
{
    uint8_t text = parser->body_type == KVW_VERBATIM ? KVW_ITEM_TEXT : 0;

    kvw__resp_set_item(parser, item, parser->body_type, text);
    item->num = parser->body_type == KVW_VERBATIM ? parser->body_format : 0;
    item->len = (size_t)parser->body_len;
}

/* Kept out of kvw_resp_next, which would otherwise save and restore for it what it does not need.
 */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static kvw_status_t
next_item(kvw_resp_t *parser, const char *bytes, size_t len, size_t *used, kvw_item_t *item)
{
    input_t in = {bytes, len};
    kvw_status_t status = read_item(parser, &in, item);

    *used = len - in.len;
    return status;
}

kvw_status_t kvw_resp_next(kvw_resp_t *parser, const char *bytes, size_t len, size_t *used,
                           kvw_item_t *item)
{
    *used = whole_bulk(parser, bytes, len, item);
    if (*used != 0)
        return KVW_STATUS_ITEM;
    if (parser->err != 0)
        return KVW_STATUS_ERROR;
    return next_item(parser, bytes, len, used, item);
}
