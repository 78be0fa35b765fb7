/* What the parser's files share. */
#ifndef KVWIRE_RESP_IMPL_H
#define KVWIRE_RESP_IMPL_H

#include <stddef.h>

#include "kvwire/resp.h"

enum {
    KVW__RESP_VALUE = 0, /* at the first byte of a value */
    KVW__RESP_CHUNK,     /* inside a streamed string, at the first byte of a chunk */
    KVW__RESP_BODY,      /* at the first byte of a body of body_len bytes */
    KVW__RESP_TAKEN      /* behind a body that the caller took, at its terminator */
};

/* Field by field: building the struct elsewhere and copying it costs more than all the rest. */
static inline void kvw__resp_set_item(const kvw_resp_t *parser, kvw_item_t *item, uint8_t type,
                                      uint8_t flags)
{
    item->type = type;
    item->flags = flags;
    item->depth = (uint16_t)parser->depth;
    item->num = 0;
    item->dbl = 0;
    item->ptr = NULL;
    item->len = 0;
}

#endif
