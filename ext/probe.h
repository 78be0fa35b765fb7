/* The self-test behind direct stepping: does a Task of this interpreter wake as we think? */
#ifndef EXT_PROBE_H
#define EXT_PROBE_H

#include "link.h"

/* Begin the test in the link's loop, unless it has been made. It takes a few turns of the loop,
 * during which replies go the plain way (call_soon). */
void probe_start(Link *link);

/* Whether the link may step tasks directly, now that the state of the test is known. */
void probe_apply(Link *link);

#endif
