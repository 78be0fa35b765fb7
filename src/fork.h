/* Which side of fork() this process is on. */
#ifndef KVWIRE_FORK_H
#define KVWIRE_FORK_H

#include <stdatomic.h>

/* Private to fork.c. */
extern atomic_uint kvw__fork_count;

/* Begin to count forks; needed once before the first generation that is kept. Any thread. */
void kvw__fork_watch(void);

/* A number that differs between a process and its children. Any thread. */
static inline unsigned kvw__fork_generation(void)
{
    return atomic_load_explicit(&kvw__fork_count, memory_order_relaxed);
}

#endif
