/* The command writer: commands in wire form on their way to a socket.
 *
 * Small arguments are copied into one growing buffer. A large one stays where it lies and is
 * remembered as a segment, with its place in the buffer; sending gathers buffer and segments. A
 * segment's memory is given back by whoever owns the writer, never by the writer itself. */
#ifndef KVWIRE_WRITE_H
#define KVWIRE_WRITE_H

#include <stddef.h>
#include <sys/uio.h>

#include "kvwire/conn.h"

typedef struct kvw__segment {
    struct kvw__segment *next;
    size_t at; /* its bytes come behind so many of the buffer */
    const char *ptr;
    size_t len;
    void (*release)(void *hold);
    void *hold;
} kvw__segment_t;

/* A list with its end at hand; must not be moved. */
typedef struct kvw__segments {
    kvw__segment_t *first, **last;
} kvw__segments_t;

typedef struct kvw__writer {
    char *buf;
    size_t len, cap;
    kvw__segments_t segments;
    size_t at;         /* bytes of the buffer that have been sent */
    size_t segment_at; /* and of the first segment */
    size_t unsent;     /* bytes still to be sent, segments included */
} kvw__writer_t;

void kvw__segments_init(kvw__segments_t *list);
void kvw__segments_append(kvw__segments_t *list, kvw__segment_t *segment);

/* Move all of `from` to the end of `to`. */
void kvw__segments_move(kvw__segments_t *to, kvw__segments_t *from);

/* Take the list's content away as a plain chain. */
kvw__segment_t *kvw__segments_take(kvw__segments_t *list);

/* Call the release functions of a chain, and free it. */
void kvw__segments_release(kvw__segment_t *chain);

void kvw__writer_init(kvw__writer_t *writer);

/* Free the buffer. The segments must have been taken. */
void kvw__writer_free(kvw__writer_t *writer);

/* As kvw__writer_free, with what the buffer held wiped. */
void kvw__writer_wipe(kvw__writer_t *writer);

/* Make room for `len` more bytes in the buffer. 0 or KVW_ENOMEM. */
int kvw__writer_reserve(kvw__writer_t *writer, size_t len);

/* Append a command. 0, or KVW_ENOMEM with nothing changed. No argument is released here. */
int kvw__writer_command(kvw__writer_t *writer, const kvw_prefix_t *prefix, const kvw_arg_t *args,
                        size_t count);

/* Append all that `from`, of which nothing has been sent, holds, and leave it empty. 0, or
 * KVW_ENOMEM with nothing changed. */
int kvw__writer_append(kvw__writer_t *writer, kvw__writer_t *from);

/* Describe what is unsent, as far as `most` parts reach. Returns how many there are. */
int kvw__writer_gather(const kvw__writer_t *writer, struct iovec *parts, int most);

/* `len` bytes have been sent; segments that are through go to `done`. */
void kvw__writer_sent(kvw__writer_t *writer, size_t len, kvw__segments_t *done);

/* Release the arguments that kvw__writer_command has copied although they had a release. */
void kvw__args_release_copied(const kvw_arg_t *args, size_t count);

#endif
