/* Error codes of the core: 0 is success, every failure is negative. */
#ifndef KVWIRE_ERROR_H
#define KVWIRE_ERROR_H

#include "export.h"

KVW_BEGIN_DECLS

/* One list makes the enum, the names and the messages. */
#define KVW_ERRNO_MAP(XX)                               \
    XX(NOMEM, 1, "out of memory")                       \
    XX(INVAL, 2, "invalid argument")                    \
    XX(PROTOCOL, 3, "malformed reply")                  \
    XX(DEPTH, 4, "reply nested too deeply")             \
    XX(TOOBIG, 5, "announced length above the limit")   \
    XX(SURPLUS, 6, "a reply that no command asked for") \
    XX(RESOLVE, 7, "host name does not resolve")        \
    XX(CONNECT, 8, "could not connect")                 \
    XX(TIMEOUT, 9, "timed out")                         \
    XX(EOF, 10, "connection closed by the server")      \
    XX(IO, 11, "connection failed")                     \
    XX(AUTH, 12, "authentication refused")              \
    XX(HANDSHAKE, 13, "handshake refused")              \
    XX(CLOSED, 14, "connection closed by the client")   \
    XX(FORKED, 15, "connection belongs to the parent process")

typedef enum kvw_err {
    KVW_OK = 0,
#define KVW_XX(name, number, message) KVW_E##name = -(number),
    KVW_ERRNO_MAP(KVW_XX)
#undef KVW_XX
} kvw_err_t;

/* The code's name without prefix ("TIMEOUT"), "OK" for 0, or "UNKNOWN". Static memory. Any
 * thread. */
KVW_API const char *kvw_err_name(int err);

/* The code's message in lower case, "success" for 0, or "unknown error". Static memory. Any
 * thread. */
KVW_API const char *kvw_err_message(int err);

KVW_END_DECLS

#endif
