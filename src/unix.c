/* Unix sockets. */
#include "os.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "transport.h"

int kvw__unix_address(const char *path, kvw__address_t *address)
{
    struct sockaddr_un *un = (struct sockaddr_un *)&address->storage;
    size_t len = strlen(path);

    if (len >= sizeof(un->sun_path))
        return -ENAMETOOLONG;
    memset(address, 0, sizeof(*address));
    un->sun_family = AF_UNIX;
    memcpy(un->sun_path, path, len + 1);
    address->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + 1);
    return 0;
}

static int unix_connect(kvw__link_t *link, const kvw__address_t *address)
{
    int fd = kvw__socket_new(AF_UNIX);

    if (fd < 0)
        return fd;
    link->fd = fd;
    return kvw__socket_connect(link, address);
}

const kvw__transport_t kvw__unix = {
    .connect = unix_connect,
    .connected = kvw__socket_connected,
    .send = kvw__socket_send,
    .recv = kvw__socket_recv,
    .shutdown = kvw__socket_shutdown,
    .close = kvw__socket_close,
};
