/* Bytes coming in, and the items in them.
 *
 * Bytes are received into a block and parsed where they lie. What is unfinished at the block's end
 * is moved to its start, or to a new block when somebody holds on to this one. The body of a large
 * string does not go through the block: when it is complete there it is an item like any other, if
 * not, memory is asked for (KVW_ITEM_OPEN) and the rest is received straight into that. So that a
 * few bytes cannot ask for gigabytes, a length is only believed once a part of it has come; until
 * then the bytes collect in a buffer that grows with them. */
#include "os.h"

#include <errno.h>
#include <string.h>

#include "buf_impl.h"
#include "conn_impl.h"
#include "kvwire/alloc.h"

#define BLOCK_LEN 65536

/* Bodies from this length on are worth memory of their own. */
#define OPEN_MIN 32768

/* A length is believed up to this, or up to so many times what has come of it. */
#define BELIEVED_LEN ((size_t)1 << 20)
#define BELIEVED_TIMES 8

#define QUOTE_MAX 64

/* A spill that has grown larger than this is not kept. */
#define SPILL_KEEP 65536

/* ---- failing ------------------------------------------------------------------------------ */

size_t kvw__conn_at_hand(const kvw_conn_t *conn, const char **bytes)
{
    if (conn->block == NULL) {
        *bytes = "";
        return 0;
    }
    *bytes = conn->block->data + conn->read;
    return conn->block->used - conn->read;
}

static kvw_status_t die_of_memory(kvw_conn_t *conn)
{
    kvw__conn_die(conn, KVW_ENOMEM, "valkey server %s: out of memory for its reply", conn->peer);
    return KVW_STATUS_ERROR;
}

static kvw_status_t die_malformed(kvw_conn_t *conn)
{
    const char *reason, *bytes;
    size_t len = kvw__conn_at_hand(conn, &bytes);
    int err = kvw_resp_error(&conn->parser, &reason);
    char quote[QUOTE_MAX * 4 + 16];

    if (err == KVW_ENOMEM)
        return die_of_memory(conn);
    kvw__text_quote(conn, bytes, len, QUOTE_MAX, quote, sizeof(quote));
    if (kvw__conn_get_state(conn) == KVW_STATE_HANDSHAKE)
        kvw__conn_die(conn, err, "%s does not speak RESP: it sent '%s'", conn->peer, quote);
    else
        kvw__conn_die(conn, err, "valkey server %s sent a malformed reply (%s) at '%s'", conn->peer,
                      reason, quote);
    return KVW_STATUS_ERROR;
}

static kvw_status_t die_surplus(kvw_conn_t *conn)
{
    const char *bytes;
    size_t len = kvw__conn_at_hand(conn, &bytes);
    char quote[QUOTE_MAX * 4 + 16];

    kvw__text_quote(conn, bytes, len, QUOTE_MAX, quote, sizeof(quote));
    kvw__conn_die(conn, KVW_ESURPLUS,
                  "valkey server %s sent a reply that no command asked for: '%s'", conn->peer,
                  quote);
    return KVW_STATUS_ERROR;
}

/* ---- the spill ---------------------------------------------------------------------------- */

/* Make room for at least one more byte, for `wanted` when that is not more than there is already.
 */
static int spill_grow(kvw__spill_t *spill, size_t wanted)
{
    size_t cap = spill->cap < SPILL_KEEP ? SPILL_KEEP : spill->cap * 2;
    char *data;

    if (spill->len < spill->cap)
        return 0;
    if (cap - spill->len > wanted)
        cap = spill->len + wanted;
    data = kvw_realloc(spill->data, cap);
    if (data == NULL)
        return KVW_ENOMEM;
    spill->data = data;
    spill->cap = cap;
    return 0;
}

static int spill_append(kvw__spill_t *spill, const char *bytes, size_t len)
{
    while (len != 0) {
        size_t step;

        if (spill_grow(spill, len) != 0)
            return KVW_ENOMEM;
        step = len < spill->cap - spill->len ? len : spill->cap - spill->len;
        memcpy(spill->data + spill->len, bytes, step);
        spill->len += step;
        bytes += step;
        len -= step;
    }
    return 0;
}

static void spill_clear(kvw__spill_t *spill)
{
    spill->len = 0;
    if (spill->cap <= SPILL_KEEP)
        return;
    kvw_free(spill->data);
    *spill = (kvw__spill_t){NULL, 0, 0};
}

void kvw__conn_free_received(kvw_conn_t *conn)
{
    if (conn->block != NULL)
        kvw_block_unref(conn->block);
    conn->block = NULL;
    kvw_free(conn->spill.data);
    conn->spill = (kvw__spill_t){NULL, 0, 0};
}

/* ---- large bodies ------------------------------------------------------------------------- */

/* Give the body the bytes at hand, as many as are its own. */
static int absorb(kvw_conn_t *conn)
{
    kvw__body_t *body = &conn->body;
    const char *bytes;
    size_t len = kvw__conn_at_hand(conn, &bytes);

    if (len > body->item.len - body->filled)
        len = body->item.len - body->filled;
    if (len == 0)
        return 0;
    if (body->mode == KVW__BODY_LENT)
        memcpy(body->memory + body->filled, bytes, len);
    else if (body->mode == KVW__BODY_SPILL && spill_append(&conn->spill, bytes, len) != 0)
        return KVW_ENOMEM;
    body->filled += len;
    conn->read += len;
    return 0;
}

/* Whether so much has come of the body that memory may be asked for. */
static int is_believed(kvw_conn_t *conn)
{
    const char *bytes;
    size_t come = conn->body.filled + kvw__conn_at_hand(conn, &bytes);

    return conn->body.item.len <= BELIEVED_LEN || come >= conn->body.item.len / BELIEVED_TIMES;
}

/* The parser waits for a large body: decide where its bytes go. */
static void open_body(kvw_conn_t *conn)
{
    kvw__body_t *body = &conn->body;

    memset(body, 0, sizeof(*body));
    kvw_resp_body_item(&conn->parser, &body->item);
    kvw_resp_take_body(&conn->parser);
    if (conn->hidden || !kvw__conn_is_wanted(conn))
        body->mode = KVW__BODY_DROPPED;
    else if (body->item.type != KVW_PART && is_believed(conn))
        body->mode = KVW__BODY_OFFERED;
    else
        body->mode = KVW__BODY_SPILL;
}

void kvw_conn_lend(kvw_conn_t *conn, char *memory)
{
    kvw__body_t *body = &conn->body;

    if (body->mode != KVW__BODY_OFFERED)
        return;
    body->memory = memory;
    body->mode = memory != NULL ? KVW__BODY_LENT : KVW__BODY_DROPPED;
    if (memory != NULL && body->filled != 0)
        memcpy(memory, conn->spill.data, body->filled);
    if (body->item.type != KVW_PART)
        spill_clear(&conn->spill);
    absorb(conn); /* cannot fail: it allocates for a spill only */
}

/* Besides kvw_status_t. */
enum { BODY_COMPLETE = -2 };

/* Go on with a body that does not go through the block. MORE: bytes are missing; ITEM: *item is its
 * opening; ERROR; or BODY_COMPLETE. */
static int go_on_with_body(kvw_conn_t *conn, kvw_item_t *item)
{
    kvw__body_t *body = &conn->body;

    if (body->mode == KVW__BODY_OFFERED)
        kvw_conn_lend(conn, NULL); /* nobody took the offer */
    if (body->mode == KVW__BODY_SPILL && !kvw__conn_is_wanted(conn)) {
        body->mode = KVW__BODY_DROPPED;
        spill_clear(&conn->spill);
    }
    if (absorb(conn) != 0)
        return die_of_memory(conn);
    if (body->mode == KVW__BODY_SPILL && body->item.type != KVW_PART && is_believed(conn)) {
        body->mode = KVW__BODY_OFFERED;
        *item = body->item;
        item->flags |= KVW_ITEM_OPEN;
        return KVW_STATUS_ITEM;
    }
    return body->filled < body->item.len ? (int)KVW_STATUS_MORE : BODY_COMPLETE;
}

/* The item of a body that did not go through the block has come, without its bytes. */
static void close_body(kvw_conn_t *conn, kvw_item_t *item)
{
    kvw__body_t *body = &conn->body;

    if (body->mode == KVW__BODY_LENT || (body->mode == KVW__BODY_DROPPED && body->shown))
        item->flags |= KVW_ITEM_FILLED;
    item->ptr = body->memory;
    body->mode = KVW__BODY_NONE;
    body->memory = NULL;
}

/* ---- items -------------------------------------------------------------------------------- */

/* Whether the item is one that is consumed here, being part of an attribute or a push. */
static int hide(kvw_conn_t *conn, const kvw_item_t *item)
{
    if (conn->hidden) {
        if (item->type == KVW_END && item->depth == conn->hidden_depth)
            conn->hidden = 0;
        return 1;
    }
    if (item->type != KVW_ATTRIBUTE && item->type != KVW_PUSH)
        return 0;
    conn->hidden = item->type == KVW_PUSH ? KVW__HIDDEN_PUSH : KVW__HIDDEN_ATTRIBUTE;
    conn->hidden_depth = item->depth;
    return 1;
}

/* A streamed string: its chunks collect in the spill. Returns 1 when *item is the whole string. */
static int join(kvw_conn_t *conn, kvw_item_t *item)
{
    if (item->type == KVW_PART) {
        if (item->ptr != NULL && kvw__conn_is_wanted(conn) &&
            spill_append(&conn->spill, item->ptr, item->len) != 0)
            return KVW_ENOMEM;
        return 0;
    }
    item->type = KVW_BULK;
    item->ptr = conn->spill.len != 0 ? conn->spill.data : "";
    item->len = conn->spill.len;
    conn->spill_shown = 1;
    return 1;
}

static int is_plain(const kvw_conn_t *conn, const kvw_item_t *item)
{
    if (conn->hidden || !conn->in_reply)
        return 0;
    switch (item->type) {
    case KVW_ATTRIBUTE:
    case KVW_PUSH:
    case KVW_PART:
    case KVW_STRING_END:
        return 0;
    default:
        return 1;
    }
}

size_t kvw_conn_run(kvw_conn_t *conn, kvw_item_t *items, size_t most)
{
    const char *bytes;
    size_t len, used, count;

    if (kvw__conn_get_state(conn) != KVW_STATE_OPEN || !conn->in_reply || conn->hidden ||
        conn->call.shape != KVW_SHAPE_RAW || conn->body.mode != KVW__BODY_NONE ||
        conn->spill_shown || !kvw__conn_is_wanted(conn))
        return 0;
    len = kvw__conn_at_hand(conn, &bytes);
    count = kvw_resp_run(&conn->parser, bytes, len, &used, items, most);
    conn->read += used;
    return count;
}

kvw_status_t kvw__conn_item(kvw_conn_t *conn, kvw_item_t *item)
{
    if (conn->spill_shown) {
        conn->spill_shown = 0;
        spill_clear(&conn->spill);
    }
    for (;;) {
        const char *bytes;
        size_t len, used;
        kvw_status_t status;
        int rc;

        if (conn->body.mode != KVW__BODY_NONE) {
            rc = go_on_with_body(conn, item);
            if (rc != BODY_COMPLETE) {
                conn->drained = rc == KVW_STATUS_MORE;
                return (kvw_status_t)rc;
            }
        }
        len = kvw__conn_at_hand(conn, &bytes);
        status = kvw_resp_next(&conn->parser, bytes, len, &used, item);
        conn->read += used;
        if (status == KVW_STATUS_MORE) {
            if (kvw_resp_body(&conn->parser) < OPEN_MIN) {
                conn->drained = 1;
                return status;
            }
            if (!conn->hidden && !conn->in_reply && kvw__conn_begin_reply(conn) != 0)
                return die_surplus(conn);
            open_body(conn);
            if (conn->body.mode == KVW__BODY_OFFERED) {
                *item = conn->body.item;
                item->flags |= KVW_ITEM_OPEN;
                return KVW_STATUS_ITEM;
            }
            continue;
        }
        if (status == KVW_STATUS_ERROR)
            return die_malformed(conn);
        if (conn->body.mode != KVW__BODY_NONE)
            close_body(conn, item);
        if (is_plain(conn, item))
            return status;
        if (hide(conn, item))
            continue;
        if (!conn->in_reply && kvw__conn_begin_reply(conn) != 0) {
            conn->read -= used; /* to be quoted */
            return die_surplus(conn);
        }
        if (item->type != KVW_PART && item->type != KVW_STRING_END)
            return status;
        rc = join(conn, item);
        if (rc < 0)
            return die_of_memory(conn);
        if (rc == 1)
            return status;
    }
}

/* ---- receiving ---------------------------------------------------------------------------- */

/* Move what has not been read to the start of a block with this capacity. */
static int renew_block(kvw_conn_t *conn, size_t cap)
{
    kvw_block_t *block = kvw_block_new(cap);
    const char *bytes;
    size_t len;

    if (block == NULL)
        return KVW_ENOMEM;
    len = kvw__conn_at_hand(conn, &bytes);
    if (len != 0)
        memcpy(kvw_block_data(block), bytes, len);
    kvw_block_set_used(block, len);
    if (conn->block != NULL)
        kvw_block_unref(conn->block);
    conn->block = block;
    conn->read = 0;
    return 0;
}

/* Make room in the block: *part is set to it. 0 or KVW_ENOMEM. */
static int make_room(kvw_conn_t *conn, struct iovec *part)
{
    const char *bytes;
    size_t len = kvw__conn_at_hand(conn, &bytes);
    size_t used = conn->read + len;
    size_t cap = conn->block != NULL ? kvw_block_cap(conn->block) : 0;
    int err = 0;

    if (cap == 0 || (cap > BLOCK_LEN && len < BLOCK_LEN / 2)) {
        err = renew_block(conn, BLOCK_LEN);
    } else if (len > cap / 2) {
        /* A line may be longer than a block; the parser bounds it. */
        if (cap - used < cap / 4)
            err = renew_block(conn, cap * 2);
    } else if (cap - used < cap / 2 || len == 0) {
        if (kvw_block_is_sole(conn->block)) {
            memmove(kvw_block_data(conn->block), bytes, len);
            kvw_block_set_used(conn->block, len);
            conn->read = 0;
        } else if (cap - used < cap / 2) {
            err = renew_block(conn, BLOCK_LEN);
        }
    }
    if (err != 0)
        return err;
    used = kvw_block_used(conn->block);
    part->iov_base = kvw_block_data(conn->block) + used;
    part->iov_len = kvw_block_cap(conn->block) - used;
    return 0;
}

/* Where the next bytes go: at most two places. Returns how many, or KVW_ENOMEM. */
static int destinations(kvw_conn_t *conn, struct iovec parts[2])
{
    kvw__body_t *body = &conn->body;
    size_t left = body->item.len - body->filled;
    int count = 0;

    if (kvw__conn_fills(conn) && body->mode == KVW__BODY_LENT) {
        parts[count].iov_base = body->memory + body->filled;
        parts[count++].iov_len = left;
    } else if (kvw__conn_fills(conn) && body->mode == KVW__BODY_SPILL) {
        kvw__spill_t *spill = &conn->spill;
        size_t room;

        if (spill_grow(spill, left) != 0)
            return KVW_ENOMEM;
        room = spill->cap - spill->len;
        parts[count].iov_base = spill->data + spill->len;
        parts[count++].iov_len = room < left ? room : left;
        if (room < left)
            return count;
    }
    return make_room(conn, &parts[count]) != 0 ? KVW_ENOMEM : count + 1;
}

/* `len` bytes have come into the first `count` of `parts`. */
static void distribute(kvw_conn_t *conn, const struct iovec parts[2], size_t len)
{
    kvw__body_t *body = &conn->body;

    if (kvw__conn_fills(conn) && body->mode != KVW__BODY_DROPPED) {
        size_t own = len < parts[0].iov_len ? len : parts[0].iov_len;

        body->filled += own;
        if (body->mode == KVW__BODY_SPILL)
            conn->spill.len += own;
        len -= own;
    }
    if (len != 0)
        kvw_block_set_used(conn->block, kvw_block_used(conn->block) + len);
}

static int die_of_end(kvw_conn_t *conn, ssize_t received)
{
    int is_shaking = kvw__conn_get_state(conn) == KVW_STATE_HANDSHAKE;
    const char *when = is_shaking ? " during the handshake" : "";
    char text[80];

    if (received == 0)
        return kvw__conn_die(conn, KVW_EEOF, "valkey server %s closed the connection%s", conn->peer,
                             when);
    return kvw__conn_die(conn, KVW_EIO, "valkey server %s: %s%s", conn->peer,
                         kvw__text_errno((int)-received, text, sizeof(text)), when);
}

int64_t kvw__conn_receive(kvw_conn_t *conn, int wait)
{
    struct iovec parts[2];
    kvw_state_t state = kvw__conn_get_state(conn);
    ssize_t received;
    size_t room = 0;
    int count;

    if (state == KVW_STATE_CLOSED)
        return conn->err;
    if (state != KVW_STATE_OPEN && state != KVW_STATE_HANDSHAKE)
        return 0;
    if (kvw__conn_is_forked(conn))
        return kvw__conn_die_forked(conn);
    if (conn->body.mode == KVW__BODY_OFFERED)
        kvw_conn_lend(conn, NULL);
    count = destinations(conn, parts);
    if (count < 0) {
        die_of_memory(conn);
        return conn->err;
    }
    received = conn->link.transport->recv(&conn->link, parts, count, wait);
    conn->was_full = 0;
    if (received == -EINTR)
        return KVW__INTERRUPTED;
    if (received == -EAGAIN)
        return 0;
    if (received <= 0)
        return die_of_end(conn, received);
    for (int at = 0; at < count; at++)
        room += parts[at].iov_len;
    conn->was_full = (size_t)received == room;
    conn->drained = 0;
    distribute(conn, parts, (size_t)received);
    return received;
}

int64_t kvw_conn_recv(kvw_conn_t *conn)
{
    return kvw__conn_receive(conn, 0);
}

int kvw_conn_is_midway(const kvw_conn_t *conn)
{
    const char *bytes;

    if (conn->in_reply || conn->hidden)
        return conn->hidden == KVW__HIDDEN_PUSH ? KVW_MIDWAY_PUSH : KVW_MIDWAY_REPLY;
    if (kvw_resp_body(&conn->parser) >= 0)
        return KVW_MIDWAY_REPLY;
    if (kvw__conn_at_hand(conn, &bytes) == 0)
        return 0;
    return bytes[0] == '>' ? KVW_MIDWAY_PUSH : KVW_MIDWAY_REPLY;
}

int kvw_conn_recv_was_full(const kvw_conn_t *conn)
{
    return conn->was_full;
}
