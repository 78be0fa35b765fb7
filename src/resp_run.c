/* Runs of strings in a list, which is what large replies are made of. */
#include <string.h>

#include "resp_impl.h"

/* The line before a string, `$128\r\n`. Values of one length follow each other more often than not,
 * so that the line is compared with the last one before it is read: eight bytes at once, of which
 * the line's own count. A longer line is left to kvw_resp_next. */
#define HEAD_MAX 8

typedef struct head {
    uint64_t bytes, mask;
    size_t len, body;
} head_t;

static uint64_t eight_bytes(const char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof(word));
    return word;
}

static int is_same(const head_t *head, const char *bytes)
{
    return ((eight_bytes(bytes) ^ head->bytes) & head->mask) == 0;
}

static int read_head(head_t *head, const char *bytes, int64_t max_bulk)
{
    char mask[HEAD_MAX] = {0};
    size_t body = 0, at = 1;

    if (bytes[0] != '$')
        return 0;
    while (at < HEAD_MAX - 2 && (unsigned char)(bytes[at] - '0') < 10)
        body = body * 10 + (size_t)(bytes[at++] - '0');
    if (at == 1 || bytes[at] != '\r' || bytes[at + 1] != '\n' || (int64_t)body > max_bulk)
        return 0;
    memset(mask, 0xff, at + 2);
    head->bytes = eight_bytes(bytes);
    head->mask = eight_bytes(mask);
    head->len = at + 2;
    head->body = body;
    return 1;
}

size_t kvw_resp_run(kvw_resp_t *parser, const char *bytes, size_t len, size_t *used,
                    kvw_item_t *items, size_t most)
{
    const char *at = bytes, *end = bytes + len;
    head_t head = {.mask = UINT64_MAX}; /* no line: its first byte would have to be 0 */
    kvw_level_t *level;
    size_t count = 0;

    *used = 0;
    if (parser->depth == 0 || parser->state != KVW__RESP_VALUE || parser->err != 0)
        return 0;
    level = &parser->levels[parser->depth - 1];
    if (level->left <= 0)
        return 0;
    if ((uint64_t)level->left < most)
        most = (size_t)level->left;
    while (count < most && end - at >= HEAD_MAX &&
           (is_same(&head, at) || read_head(&head, at, parser->max_bulk))) {
        const char *body = at + head.len;

        if ((size_t)(end - body) < head.body + 2 || body[head.body] != '\r' ||
            body[head.body + 1] != '\n')
            break;
        kvw__resp_set_item(parser, &items[count], KVW_BULK, 0);
        items[count].ptr = body;
        items[count].len = head.body;
        at = body + head.body + 2;
        count++;
    }
    if (count == 0)
        return 0;
    level->left -= (int64_t)count;
    level->annotated = 0;
    parser->scanned = 0;
    *used = (size_t)(at - bytes);
    return count;
}
