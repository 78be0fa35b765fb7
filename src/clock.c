/* The monotonic clock. */
#include "os.h"

#include <time.h>

#include "clock.h"

int64_t kvw_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int kvw__poll_span(int64_t now, int64_t until, int most)
{
    int64_t span;

    if (until <= now)
        return 0;
    /* Divided first: `until` may be KVW_NEVER. */
    span = (until - now - 1) / 1000000 + 1;
    return span < most ? (int)span : most;
}
