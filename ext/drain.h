/* A wake-up of the loop: receive, hand the replies over in one batch, step their tasks. */
#ifndef EXT_DRAIN_H
#define EXT_DRAIN_H

#include "link.h"

/* The descriptor is readable, or bytes of an earlier receive are left. 0, or -1 when a task raised
 * KeyboardInterrupt or SystemExit, which is set; the rest then goes on in a later turn. */
int drain_link(Link *link, int receive);

/* See whether the connection, on which nothing is in flight, still stands; it fails if not. */
void drain_look(Link *link);

/* Drain in the loop's next turn: what this one leaves, or what the loop may not tell. */
void drain_soon(Link *link);

/* Settle of pump.h for a link's replies: they are stepped at the end of the drain. */
void drain_settle(void *link, Reply *reply);

/* Hand all finished replies to their callbacks by call_soon (used outside of a drain). */
void drain_schedule(Link *link);

void drain_clear(Link *link);

#endif
