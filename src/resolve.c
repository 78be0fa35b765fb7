/* Looking up names. */
#include "os.h"

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kvwire/alloc.h"
#include "kvwire/error.h"
#include "resolve.h"

/* What libraries behind getaddrinfo() need, and no more: address space is scarce in containers. */
#define STACK_LEN ((size_t)512 * 1024)

struct kvw__lookup {
    atomic_int refs; /* the thread's and the asker's */
    atomic_int done; /* all below is set */
    int fd;          /* the thread's end */
    char service[8];
    const char *reason;
    size_t count;
    kvw__address_t addresses[KVW__ADDRESS_MAX];
    char host[]; /* last, for it is as long as it is */
};

static void set_service(char service[8], uint16_t port)
{
    snprintf(service, 8, "%u", (unsigned)port);
}

static int copy_address(kvw__address_t *to, const struct addrinfo *from)
{
    if (from->ai_addrlen > sizeof(to->storage))
        return 0;
    memset(to, 0, sizeof(*to));
    memcpy(&to->storage, from->ai_addr, from->ai_addrlen);
    to->len = from->ai_addrlen;
    return 1;
}

int kvw__resolve_numeric(const char *host, uint16_t port, kvw__address_t *address)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *list;
    char service[8];
    int found;

    set_service(service, port);
    if (getaddrinfo(host, service, &hints, &list) != 0)
        return 0;
    found = copy_address(address, list);
    freeaddrinfo(list);
    return found;
}

static void look_up(kvw__lookup_t *lookup)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    struct addrinfo *list;
    int rc = getaddrinfo(lookup->host, lookup->service, &hints, &list);

    if (rc == EAI_NONAME) {
        lookup->reason = "no such host";
        return;
    }
    if (rc != 0) {
        lookup->reason = rc == EAI_AGAIN ? "the name server does not answer" : gai_strerror(rc);
        return;
    }
    for (const struct addrinfo *at = list; at != NULL; at = at->ai_next) {
        if (lookup->count < KVW__ADDRESS_MAX)
            lookup->count += (size_t)copy_address(&lookup->addresses[lookup->count], at);
    }
    if (lookup->count == 0)
        lookup->reason = "it has no address";
    freeaddrinfo(list);
}

static void *run(void *argument)
{
    kvw__lookup_t *lookup = argument;
    kvw__link_t wake = {.fd = lookup->fd};
    char byte = 0;
    struct iovec part = {&byte, 1};

    look_up(lookup);
    atomic_store_explicit(&lookup->done, 1, memory_order_release);
    kvw__lookup_drop(lookup);
    /* A byte and not just the end, of which a child process may hold a copy. */
    kvw__socket_send(&wake, &part, 1);
    kvw__socket_close(&wake);
    return NULL;
}

void kvw__lookup_drop(kvw__lookup_t *lookup)
{
    if (atomic_fetch_sub_explicit(&lookup->refs, 1, memory_order_acq_rel) == 1)
        kvw_free(lookup);
}

/* Detached, and deaf to signals: those are for the threads that the program made. */
static int start_thread(kvw__lookup_t *lookup)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    int err;

    if (pthread_attr_init(&attributes) != 0)
        return -1;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_LEN);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    err = pthread_create(&thread, &attributes, run, lookup);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return err == 0 ? 0 : -1;
}

int kvw__lookup_start(const char *host, uint16_t port, kvw__lookup_t **lookup, int *fd)
{
    size_t len = strlen(host);
    kvw__lookup_t *made = kvw_malloc(sizeof(*made) + len + 1);
    int fds[2];

    if (made == NULL)
        return KVW_ENOMEM;
    memset(made, 0, sizeof(*made));
    memcpy(made->host, host, len + 1);
    set_service(made->service, port);
    atomic_init(&made->refs, 2);
    if (kvw__socket_pair(fds) != 0) {
        kvw_free(made);
        return KVW_ERESOLVE;
    }
    made->fd = fds[1];
    if (start_thread(made) != 0) {
        close(fds[0]);
        close(fds[1]);
        kvw_free(made);
        return KVW_ERESOLVE;
    }
    *lookup = made;
    *fd = fds[0];
    return 0;
}

int kvw__lookup_done(kvw__lookup_t *lookup, const kvw__address_t **addresses, size_t *count,
                     const char **reason)
{
    if (!atomic_load_explicit(&lookup->done, memory_order_acquire))
        return 0;
    *addresses = lookup->addresses;
    *count = lookup->count;
    *reason = lookup->reason;
    return 1;
}
