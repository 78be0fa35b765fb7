/* Names become addresses without blocking: numeric ones at once, others in a short-lived thread.
 *
 * The thread and the one who asked share the lookup; either may let go of it first. */
#ifndef KVWIRE_RESOLVE_H
#define KVWIRE_RESOLVE_H

#include <stddef.h>
#include <stdint.h>

#include "transport.h"

#define KVW__ADDRESS_MAX 16

typedef struct kvw__lookup kvw__lookup_t;

/* The address that `host` is by itself: 1 and *address, or 0 when it is a name. */
int kvw__resolve_numeric(const char *host, uint16_t port, kvw__address_t *address);

/* Begin a lookup: 0 and *lookup, or KVW_ENOMEM, or KVW_ERESOLVE when no thread can be started.
 * *fd becomes readable when it is done and belongs to the caller. */
int kvw__lookup_start(const char *host, uint16_t port, kvw__lookup_t **lookup, int *fd);

/* Whether the lookup is done. Then *count addresses (at most KVW__ADDRESS_MAX) are at *addresses,
 * or, when *count is 0, *reason says why; all valid until kvw__lookup_drop. */
int kvw__lookup_done(kvw__lookup_t *lookup, const kvw__address_t **addresses, size_t *count,
                     const char **reason);

/* Let go of it, done or not. */
void kvw__lookup_drop(kvw__lookup_t *lookup);

#endif
