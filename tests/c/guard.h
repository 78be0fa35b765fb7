/* Memory that ends exactly at a page which cannot be read: reading one byte too many crashes. */
#ifndef KVWIRE_TEST_GUARD_H
#define KVWIRE_TEST_GUARD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GUARD_SIZE ((size_t)1 << 20)

/* Copy the bytes so that they end at the guard page. Valid until the next call. */
static inline const char *guarded(const char *bytes, size_t len)
{
    static char *end;

    if (end == NULL) {
        char *memory =
            mmap(NULL, 2 * GUARD_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (memory == MAP_FAILED || mprotect(memory + GUARD_SIZE, GUARD_SIZE, PROT_NONE) != 0) {
            perror("guard page");
            abort();
        }
        end = memory + GUARD_SIZE;
    }
    if (len > GUARD_SIZE) {
        fprintf(stderr, "more than the guarded memory holds\n");
        abort();
    }
    return memmove(end - len, bytes, len);
}

#endif
