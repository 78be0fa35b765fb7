/* RESP2/RESP3 replies as a stream of items: a pure function of bytes.
 *
 * The parser knows no socket and keeps no bytes: the caller hands it what it has, the parser says
 * how much it used and which item that was, or that it needs more. Item pointers point into the
 * caller's bytes. It is iterative, its only allocation is the depth stack, and no allocation
 * follows from an announced length. Specification: the RESP3 text (redis-specifications,
 * protocol/RESP3.md) and the Valkey protocol page. */
#ifndef KVWIRE_RESP_H
#define KVWIRE_RESP_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "export.h"

KVW_BEGIN_DECLS

typedef enum kvw_type {
    KVW_NULL = 1,   /* `_`, `$-1`, `*-1` */
    KVW_SIMPLE,     /* ptr, len */
    KVW_ERROR,      /* ptr, len: simple or blob error, without its leading sign */
    KVW_BULK,       /* ptr, len */
    KVW_VERBATIM,   /* ptr, len of the text; num holds the three format bytes, first lowest */
    KVW_INT,        /* num */
    KVW_BIGNUM,     /* ptr, len: an optional sign and at least one digit, digits only */
    KVW_DOUBLE,     /* dbl: inf and nan included */
    KVW_BOOL,       /* num: 0 or 1 */
    KVW_ARRAY,      /* num elements follow (-1: streamed), then KVW_END */
    KVW_SET,        /* as KVW_ARRAY */
    KVW_PUSH,       /* as KVW_ARRAY */
    KVW_PAIR,       /* as KVW_ARRAY with num == 2; made by shapes only, never by the parser */
    KVW_MAP,        /* num key-value pairs follow (-1: streamed), then KVW_END */
    KVW_ATTRIBUTE,  /* as KVW_MAP; what it annotates follows its KVW_END */
    KVW_PART,       /* ptr, len: a chunk of a streamed string (`$?`); KVW_STRING_END closes it */
    KVW_STRING_END, /* the streamed string is complete */
    KVW_END         /* the innermost open aggregate is complete */
} kvw_type_t;

/* The item completes a top-level value (an attribute at top level does not). */
#define KVW_ITEM_LAST 0x01u
/* A body of `len` bytes is on its way and memory is wanted for it: see kvw_conn_lend. */
#define KVW_ITEM_OPEN 0x02u
/* The body has been received into the lent memory, or dropped when none was lent. */
#define KVW_ITEM_FILLED 0x04u
/* The bytes are text by the protocol's or the command's word: give a str. */
#define KVW_ITEM_TEXT 0x08u

typedef struct kvw_item {
    uint8_t type;   /* kvw_type_t */
    uint8_t flags;  /* KVW_ITEM_* */
    uint16_t depth; /* open aggregates around the item; of KVW_END: around its aggregate */
    int64_t num;
    double dbl;
    const char *ptr;
    size_t len; /* for an aggregate: the most elements (pairs) to allocate for up front, which is
                   the count as far as the bytes at hand can hold that many */
} kvw_item_t;

/* What a call of kvw_resp_next or kvw_conn_next came to: three outcomes, never two. */
typedef enum kvw_status {
    KVW_STATUS_MORE = 0,  /* the bytes at hand do not complete an item */
    KVW_STATUS_ITEM = 1,  /* *item is set */
    KVW_STATUS_ERROR = -1 /* sticky: every further call answers the same */
} kvw_status_t;

#define KVW_DEPTH_INLINE 16
#define KVW_DEPTH_DEFAULT 1024
#define KVW_BULK_MAX_DEFAULT ((int64_t)1 << 32)
/* A line (simple string, error, number) longer than this is a protocol error. */
#define KVW_LINE_MAX 1048576

typedef struct kvw_level {
    int64_t left; /* values still to come, -1 while streamed */
    uint8_t type;
    uint8_t odd;       /* streamed maps: a key waits for its value */
    uint8_t annotated; /* an attribute waits for the value it annotates */
} kvw_level_t;

/* The fields are private to resp_parse.c; the struct is public so that it can be embedded. */
typedef struct kvw_resp {
    kvw_level_t *levels;
    kvw_level_t inline_levels[KVW_DEPTH_INLINE];
    uint32_t depth, cap, max_depth;
    int8_t state;
    uint8_t body_type;
    int err;
    uint32_t body_format; /* of a verbatim string */
    int64_t body_len, max_bulk;
    int64_t stream_len; /* bytes of the streamed string so far */
    size_t scanned;     /* bytes of an unfinished line already searched for its end */
    const char *reason;
} kvw_resp_t;

/* Make the parser ready. max_depth 0 and max_bulk 0 mean the defaults; max_bulk bounds a streamed
 * string as a whole too. Owns nothing yet. The struct must not be moved or copied from here on. */
KVW_API void kvw_resp_init(kvw_resp_t *parser, uint32_t max_depth, int64_t max_bulk);

/* Free the depth stack; the parser is then as after kvw_resp_init. */
KVW_API void kvw_resp_reset(kvw_resp_t *parser);

/* Read the next item of [bytes, bytes+len). ITEM: *used bytes were consumed (of KVW_END: possibly
 * none) and *item is set, its pointer valid as long as the caller's bytes. MORE: *used bytes were
 * consumed all the same (a bulk's header, say) and may not be handed in again; the rest must be
 * handed in again with more behind it. ERROR: see kvw_resp_error. One thread at a time. */
KVW_API kvw_status_t kvw_resp_next(kvw_resp_t *parser, const char *bytes, size_t len, size_t *used,
                                   kvw_item_t *item);

/* Read as many of the next items, up to `most`, as are strings of an open array, set, push or map
 * and at hand as a whole: their number and, in *used, their length on the wire. Where that is 0
 * kvw_resp_next says what there is; it may be 0 where kvw_resp_next would give a string. */
KVW_API size_t kvw_resp_run(kvw_resp_t *parser, const char *bytes, size_t len, size_t *used,
                            kvw_item_t *items, size_t most);

/* After MORE: the length of the body (of a bulk, verbatim, blob error or chunk) that the parser
 * waits for, else -1. Its first byte is the first unconsumed one. */
KVW_API int64_t kvw_resp_body(const kvw_resp_t *parser);

/* After MORE with kvw_resp_body >= 0: *item is set to what the body will come as (type, depth, len,
 * text flag; ptr NULL). */
KVW_API void kvw_resp_body_item(const kvw_resp_t *parser, kvw_item_t *item);

/* After MORE with kvw_resp_body >= 0: the caller takes the body elsewhere. The next byte handed in
 * is the terminator's; the item then comes with ptr NULL and the body's length. */
KVW_API void kvw_resp_take_body(kvw_resp_t *parser);

/* The sticky error code (0: none) and, when `reason` is not NULL, what was wrong in static text. */
KVW_API int kvw_resp_error(const kvw_resp_t *parser, const char **reason);

KVW_END_DECLS

#endif
