/* A block from inside, for the receiving half: what every item asks of it, without a call. */
#ifndef KVWIRE_BUF_IMPL_H
#define KVWIRE_BUF_IMPL_H

#include <stdatomic.h>
#include <stddef.h>

#include "kvwire/buf.h"

struct kvw_block {
    atomic_size_t refs;
    size_t cap;
    size_t used;
    char data[];
};

#endif
