/* A handler that runs in the child and counts. */
#include "os.h"

#include <pthread.h>

#include "fork.h"

atomic_uint kvw__fork_count;

static void count_fork(void)
{
    atomic_fetch_add_explicit(&kvw__fork_count, 1, memory_order_relaxed);
}

static void watch(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

void kvw__fork_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, watch);
}
