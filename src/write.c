/* Commands in wire form. */
#include "os.h"

#include <stdint.h>
#include <string.h>

#include "kvwire/alloc.h"
#include "num.h"
#include "wipe.h"
#include "write.h"

/* `*` or `$`, a number, the line end. */
#define COUNT_LEN (1 + KVW__INT_LEN + 2)

/* A buffer that a burst has made larger than this is not kept. */
#define KEEP_MAX ((size_t)1 << 20)

#define CAP_MIN 1024

/* ---- segments ----------------------------------------------------------------------------- */

void kvw__segments_init(kvw__segments_t *list)
{
    list->first = NULL;
    list->last = &list->first;
}

void kvw__segments_append(kvw__segments_t *list, kvw__segment_t *segment)
{
    segment->next = NULL;
    *list->last = segment;
    list->last = &segment->next;
}

void kvw__segments_move(kvw__segments_t *to, kvw__segments_t *from)
{
    if (from->first == NULL)
        return;
    *to->last = from->first;
    to->last = from->last;
    kvw__segments_init(from);
}

kvw__segment_t *kvw__segments_take(kvw__segments_t *list)
{
    kvw__segment_t *chain = list->first;

    kvw__segments_init(list);
    return chain;
}

void kvw__segments_release(kvw__segment_t *chain)
{
    while (chain != NULL) {
        kvw__segment_t *next = chain->next;

        chain->release(chain->hold);
        kvw_free(chain);
        chain = next;
    }
}

/* ---- the writer --------------------------------------------------------------------------- */

void kvw__writer_init(kvw__writer_t *writer)
{
    memset(writer, 0, sizeof(*writer));
    kvw__segments_init(&writer->segments);
}

void kvw__writer_free(kvw__writer_t *writer)
{
    kvw_free(writer->buf);
    kvw__writer_init(writer);
}

void kvw__writer_wipe(kvw__writer_t *writer)
{
    if (writer->buf != NULL)
        kvw__wipe(writer->buf, writer->cap);
    kvw__writer_free(writer);
}

int kvw__writer_reserve(kvw__writer_t *writer, size_t len)
{
    size_t cap = writer->cap < CAP_MIN ? CAP_MIN : writer->cap;
    char *buf;

    if (len <= writer->cap - writer->len)
        return 0;
    if (len > SIZE_MAX / 4 - writer->len)
        return KVW_ENOMEM;
    while (cap - writer->len < len)
        cap *= 2;
    buf = kvw_realloc(writer->buf, cap);
    if (buf == NULL)
        return KVW_ENOMEM;
    writer->buf = buf;
    writer->cap = cap;
    return 0;
}

static char *put_count(char *out, char sign, size_t count)
{
    *out++ = sign;
    if (count < 10) {
        *out++ = (char)('0' + count);
    } else if (count < 100) {
        *out++ = (char)('0' + count / 10);
        *out++ = (char)('0' + count % 10);
    } else if (count < 1000) {
        *out++ = (char)('0' + count / 100);
        *out++ = (char)('0' + count / 10 % 10);
        *out++ = (char)('0' + count % 10);
    } else {
        out += kvw__int_format((int64_t)count, out);
    }
    *out++ = '\r';
    *out++ = '\n';
    return out;
}

static int is_referenced(const kvw_arg_t *arg)
{
    return arg->len > KVW_ARG_COPY_MAX && arg->release != NULL;
}

/* The most that the command can take in the buffer, and in *referenced how many arguments have a
 * segment of their own; SIZE_MAX when that is more than there is. */
static size_t room_needed(const kvw_prefix_t *prefix, const kvw_arg_t *args, size_t count,
                          size_t *referenced)
{
    const size_t most = SIZE_MAX / 4;
    size_t room = COUNT_LEN + prefix->len;

    *referenced = 0;
    for (size_t at = 0; at < count; at++) {
        if (args[at].len > most || room > most)
            return SIZE_MAX;
        room += COUNT_LEN + 2;
        if (is_referenced(&args[at]))
            ++*referenced;
        else
            room += args[at].len;
    }
    return room;
}

static void free_chain(kvw__segment_t *chain)
{
    while (chain != NULL) {
        kvw__segment_t *next = chain->next;

        kvw_free(chain);
        chain = next;
    }
}

/* A chain of so many empty segments: 0 and *chain, or KVW_ENOMEM. */
static int make_segments(size_t count, kvw__segment_t **chain)
{
    for (size_t made = 0; made < count; made++) {
        kvw__segment_t *segment = kvw_malloc(sizeof(*segment));

        if (segment == NULL) {
            free_chain(*chain);
            return KVW_ENOMEM;
        }
        segment->next = *chain;
        *chain = segment;
    }
    return 0;
}

int kvw__writer_command(kvw__writer_t *writer, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                        size_t count)
{
    size_t referenced;
    size_t room = room_needed(prefix, args, count, &referenced);
    kvw__segment_t *spare = NULL;
    char *out, *start;

    if (kvw__writer_reserve(writer, room) != 0 || make_segments(referenced, &spare) != 0)
        return KVW_ENOMEM;
    start = writer->buf + writer->len;
    out = put_count(start, '*', prefix->words + count);
    if (prefix->len != 0)
        memcpy(out, prefix->bytes, prefix->len);
    out += prefix->len;
    for (size_t at = 0; at < count; at++) {
        const kvw_arg_t *arg = &args[at];

        out = put_count(out, '$', arg->len);
        if (is_referenced(arg)) {
            kvw__segment_t *segment = spare;

            spare = segment->next;
            segment->at = (size_t)(out - writer->buf);
            segment->ptr = arg->ptr;
            segment->len = arg->len;
            segment->release = arg->release;
            segment->hold = arg->hold;
            kvw__segments_append(&writer->segments, segment);
            writer->unsent += arg->len;
        } else if (arg->len != 0) {
            memcpy(out, arg->ptr, arg->len);
            out += arg->len;
        }
        *out++ = '\r';
        *out++ = '\n';
    }
    writer->unsent += (size_t)(out - start);
    writer->len += (size_t)(out - start);
    return 0;
}

int kvw__writer_append(kvw__writer_t *writer, kvw__writer_t *from)
{
    if (kvw__writer_reserve(writer, from->len) != 0)
        return KVW_ENOMEM;
    if (from->len != 0)
        memcpy(writer->buf + writer->len, from->buf, from->len);
    for (kvw__segment_t *segment = from->segments.first; segment != NULL; segment = segment->next)
        segment->at += writer->len;
    kvw__segments_move(&writer->segments, &from->segments);
    writer->len += from->len;
    writer->unsent += from->unsent;
    from->len = 0;
    from->unsent = 0;
    return 0;
}

int kvw__writer_gather(const kvw__writer_t *writer, struct iovec *parts, int most)
{
    const kvw__segment_t *segment = writer->segments.first;
    size_t at = writer->at;
    size_t skip = writer->segment_at;
    int count = 0;

    while (count < most) {
        size_t end = segment != NULL ? segment->at : writer->len;

        if (at < end) {
            parts[count].iov_base = writer->buf + at;
            parts[count].iov_len = end - at;
            at = end;
        } else if (segment != NULL) {
            parts[count].iov_base = (char *)(uintptr_t)segment->ptr + skip;
            parts[count].iov_len = segment->len - skip;
            skip = 0;
            segment = segment->next;
        } else {
            break;
        }
        count++;
    }
    return count;
}

void kvw__writer_sent(kvw__writer_t *writer, size_t len, kvw__segments_t *done)
{
    writer->unsent -= len;
    while (len != 0) {
        kvw__segment_t *segment = writer->segments.first;
        size_t end = segment != NULL ? segment->at : writer->len;
        size_t step;

        if (writer->at < end) {
            step = len < end - writer->at ? len : end - writer->at;
            writer->at += step;
        } else {
            step =
                len < segment->len - writer->segment_at ? len : segment->len - writer->segment_at;
            writer->segment_at += step;
            if (writer->segment_at == segment->len) {
                writer->segment_at = 0;
                writer->segments.first = segment->next;
                if (segment->next == NULL)
                    writer->segments.last = &writer->segments.first;
                kvw__segments_append(done, segment);
            }
        }
        len -= step;
    }
    if (writer->unsent != 0)
        return;
    writer->len = 0;
    writer->at = 0;
    if (writer->cap > KEEP_MAX)
        kvw__writer_free(writer);
}

void kvw__args_release_copied(const kvw_arg_t *args, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        if (args[at].release != NULL && !is_referenced(&args[at]))
            args[at].release(args[at].hold);
    }
}

size_t kvw_prefix_encode(const kvw_arg_t *words, size_t count, char *out, size_t cap)
{
    size_t needed = 0;

    for (size_t at = 0; at < count; at++) {
        char head[COUNT_LEN];
        size_t head_len = (size_t)(put_count(head, '$', words[at].len) - head);

        if (needed <= cap && head_len + words[at].len + 2 <= cap - needed) {
            memcpy(out + needed, head, head_len);
            if (words[at].len != 0)
                memcpy(out + needed + head_len, words[at].ptr, words[at].len);
            memcpy(out + needed + head_len + words[at].len, "\r\n", 2);
        }
        needed += head_len + words[at].len + 2;
    }
    return needed;
}
