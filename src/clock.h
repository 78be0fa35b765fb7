/* Moments and spans in nanoseconds; KVW_NEVER is later than every moment. */
#ifndef KVWIRE_CLOCK_H
#define KVWIRE_CLOCK_H

#include <stdint.h>

#include "kvwire/conn.h"

/* The moment `span` after `from`; KVW_NEVER when either is, or when it would overflow. */
static inline int64_t kvw__later(int64_t from, int64_t span)
{
    if (span < 0)
        span = 0;
    return span >= KVW_NEVER - from ? KVW_NEVER : from + span;
}

static inline int64_t kvw__earlier(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

/* For poll(): milliseconds from now until the moment, rounded up, at most `most`. */
int kvw__poll_span(int64_t now, int64_t until, int most);

#endif
