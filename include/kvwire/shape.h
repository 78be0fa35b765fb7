/* Shapes: what a command's reply becomes, the same under RESP2 and RESP3.
 *
 * A shape rewrites a reply's items while they pass, so that every binding gets the same values:
 * RESP2's flat arrays become maps, pairs and sets, its numbers in strings become numbers. What a
 * shape does not fit (an error, a null, another type) passes as it is. */
#ifndef KVWIRE_SHAPE_H
#define KVWIRE_SHAPE_H

#include <stdint.h>

#include "export.h"
#include "resp.h"

KVW_BEGIN_DECLS

typedef enum kvw_shape {
    KVW_SHAPE_RAW = 0,
    KVW_SHAPE_OK,          /* the status OK -> true */
    KVW_SHAPE_BOOL,        /* an integer -> false when 0, else true */
    KVW_SHAPE_DOUBLE,      /* a number in a string, or an integer -> double */
    KVW_SHAPE_TEXT,        /* a string -> text */
    KVW_SHAPE_SET,         /* an array -> set */
    KVW_SHAPE_MAP,         /* a flat array -> map */
    KVW_SHAPE_BOOLS,       /* an array of integers -> of booleans */
    KVW_SHAPE_DOUBLES,     /* an array of numbers in strings -> of doubles */
    KVW_SHAPE_PAIRS,       /* a flat array, one of two-element arrays, or a map -> array of pairs */
    KVW_SHAPE_SCORED,      /* as PAIRS, the second of each a double */
    KVW_SHAPE_SCAN,        /* [cursor, array] -> pair of integer and array */
    KVW_SHAPE_SCAN_MAP,    /* [cursor, flat array] -> pair of integer and map */
    KVW_SHAPE_SCAN_SCORED, /* [cursor, flat array] -> pair of integer and array of scored pairs */
    KVW_SHAPE_KEYED,       /* [key, array of values] -> pair of key and array (LMPOP) */
    KVW_SHAPE_KEYED_SCORED, /* [key, array of pairs] -> pair of key and scored pairs (ZMPOP) */
    KVW_SHAPE_TUPLE2,       /* a two-element array -> pair (BLPOP) */
    KVW_SHAPE_SCORED3,      /* [key, member, score] -> array, the score a double (BZPOPMIN) */
    KVW_SHAPE_RANK_SCORE,   /* [rank, score] -> pair of rank and double (ZRANK WITHSCORE) */
    KVW_SHAPE_EACH, /* of a connection's slot only: element i takes shape i of its `shapes` */
    KVW_SHAPE_COUNT
} kvw_shape_t;

/* The state of one reply on its way through a shape. The fields are private to shape.c. */
typedef struct kvw_shaper {
    uint8_t shape, mode, base;
    uint8_t level; /* depth of the aggregate that is rewritten */
    uint8_t open;  /* an element has begun and is not complete */
    uint8_t held_count;
    int64_t seen; /* elements completed */
    kvw_item_t held[2];
} kvw_shaper_t;

/* Begin a reply. `base` is the depth of its root: 0, or 1 for an element of EXEC's array. */
KVW_API void kvw_shaper_begin(kvw_shaper_t *shaper, kvw_shape_t shape, unsigned base);

/* Rewrite *item in place. Some shapes make several items of one (a pair's opening before its
 * first member, its KVW_END behind the second): what is to come after *item is kept in the shaper
 * and given by kvw_shaper_more. Some must see the next item first (whether pairs come nested or
 * flat) and keep this one. Returns 1 when *item is to be passed on, 0 when it was kept, or a
 * negative code when the reply contradicts itself (an odd number of elements for a map). */
KVW_API int kvw_shaper_item(kvw_shaper_t *shaper, kvw_item_t *item);

/* Take the next kept item: 1 when *item was set, 0 when none is kept. */
KVW_API int kvw_shaper_more(kvw_shaper_t *shaper, kvw_item_t *item);

KVW_END_DECLS

#endif
