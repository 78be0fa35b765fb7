/* A small server in threads of this process, for callers that block.
 *
 *     ECHO text      the text
 *     BIG n          n bytes
 *     LENGTH text    its length
 *     SLOW ms text   the text, after so many milliseconds
 *     HANG           nothing, ever; later commands are answered
 *     CLOSE          closes the connection
 *     STALL ms       reads nothing for so long, then OK
 *
 * HELLO and CLIENT are answered as a server does; anything else is an error. */
#ifndef KVWIRE_TEST_SERVER_H
#define KVWIRE_TEST_SERVER_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "kvwire/kvwire.h"
#include "test.h"

#define SERVER_MOST 256
#define SERVER_WORDS 8

typedef struct server {
    int listener;
    uint16_t port;
    pthread_t acceptor;
    pthread_mutex_t mutex;
    int fds[SERVER_MOST]; /* of the connections, -1 where they have ended */
    pthread_t threads[SERVER_MOST];
    int count;
    atomic_int open;     /* connections at present */
    atomic_int accepted; /* connections ever */
    atomic_int commands; /* commands read, those of handshakes left out */
} server_t;

typedef struct server_client {
    server_t *server;
    int fd, index;
    char *bytes;
    size_t at, len, cap;
} server_client_t;

static inline void server_sleep(long milliseconds)
{
    struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};

    nanosleep(&span, NULL);
}

/* Have at least `len` bytes at hand: 1, or 0 when the peer has gone. */
static inline int server_need(server_client_t *client, size_t len)
{
    while (client->len - client->at < len) {
        ssize_t got;

        if (client->cap - client->len < 65536) {
            if (client->len != client->at)
                memmove(client->bytes, client->bytes + client->at, client->len - client->at);
            client->len -= client->at;
            client->at = 0;
            if (client->cap - client->len < 65536) {
                client->cap = client->cap * 2 + 131072;
                client->bytes = realloc(client->bytes, client->cap);
            }
        }
        got = recv(client->fd, client->bytes + client->len, client->cap - client->len, 0);
        if (got <= 0)
            return 0;
        client->len += (size_t)got;
    }
    return 1;
}

/* Read `*n\r\n` or `$n\r\n`: the number, or -1. */
static inline long server_count(server_client_t *client)
{
    size_t len = 0;
    long count;

    do {
        if (!server_need(client, ++len))
            return -1;
    } while (client->bytes[client->at + len - 1] != '\n');
    count = strtol(client->bytes + client->at + 1, NULL, 10);
    client->at += len;
    return count;
}

/* Read one command: how many words it has, or -1. Words end with a zero byte and must be freed. */
static inline int server_command(server_client_t *client, char *words[SERVER_WORDS],
                                 size_t lens[SERVER_WORDS])
{
    long count = server_count(client);
    int at;

    for (at = 0; at < count && at < SERVER_WORDS; at++) {
        long len = server_count(client);

        if (len < 0 || !server_need(client, (size_t)len + 2))
            break;
        words[at] = malloc((size_t)len + 1);
        memcpy(words[at], client->bytes + client->at, (size_t)len);
        words[at][len] = '\0';
        lens[at] = (size_t)len;
        client->at += (size_t)len + 2;
    }
    if (at == count)
        return at;
    while (at-- > 0)
        free(words[at]);
    return -1;
}

static inline void server_send(server_client_t *client, const char *bytes, size_t len)
{
    while (len != 0) {
        ssize_t sent = send(client->fd, bytes, len, MSG_NOSIGNAL);

        if (sent <= 0)
            return;
        bytes += sent;
        len -= (size_t)sent;
    }
}

static inline void server_say(server_client_t *client, const char *text)
{
    server_send(client, text, strlen(text));
}

static inline void server_bulk(server_client_t *client, const char *bytes, size_t len)
{
    char *reply = malloc(len + 32);
    int head = sprintf(reply, "$%zu\r\n", len);

    memcpy(reply + head, bytes, len);
    memcpy(reply + head + len, "\r\n", 2);
    server_send(client, reply, (size_t)head + len + 2);
    free(reply);
}

/* Returns 0 when the connection is to be closed. */
static inline int server_answer(server_client_t *client, char **words, const size_t *lens)
{
    char text[64];

    if (strcmp(words[0], "ECHO") == 0) {
        server_bulk(client, words[1], lens[1]);
    } else if (strcmp(words[0], "BIG") == 0) {
        size_t len = strtoul(words[1], NULL, 10);
        char *bytes = malloc(len + 1);

        for (size_t n = 0; n < len; n++)
            bytes[n] = (char)(n * 7 + n / 251);
        server_bulk(client, bytes, len);
        free(bytes);
    } else if (strcmp(words[0], "LENGTH") == 0) {
        sprintf(text, ":%zu\r\n", lens[1]);
        server_say(client, text);
    } else if (strcmp(words[0], "SLOW") == 0) {
        server_sleep(strtol(words[1], NULL, 10));
        server_bulk(client, words[2], lens[2]);
    } else if (strcmp(words[0], "STALL") == 0) {
        server_sleep(strtol(words[1], NULL, 10));
        server_say(client, "+OK\r\n");
    } else if (strcmp(words[0], "HELLO") == 0) {
        server_say(client, "%1\r\n$5\r\nproto\r\n:3\r\n");
    } else if (strcmp(words[0], "CLIENT") == 0) {
        server_say(client, "+OK\r\n");
    } else if (strcmp(words[0], "CLOSE") == 0) {
        return 0;
    } else if (strcmp(words[0], "HANG") != 0) {
        server_say(client, "-ERR unknown command\r\n");
    }
    return 1;
}

static inline void *server_serve(void *argument)
{
    server_client_t *client = argument;
    server_t *server = client->server;
    char *words[SERVER_WORDS];
    size_t lens[SERVER_WORDS];
    int count, more = 1;

    while (more && (count = server_command(client, words, lens)) > 0) {
        if (strcmp(words[0], "HELLO") != 0 && strcmp(words[0], "CLIENT") != 0)
            atomic_fetch_add(&server->commands, 1);
        more = server_answer(client, words, lens);
        while (count-- > 0)
            free(words[count]);
    }
    pthread_mutex_lock(&server->mutex);
    server->fds[client->index] = -1;
    close(client->fd);
    pthread_mutex_unlock(&server->mutex);
    atomic_fetch_sub(&server->open, 1);
    free(client->bytes);
    free(client);
    return NULL;
}

static inline void *server_accept(void *argument)
{
    server_t *server = argument;

    for (;;) {
        int fd = accept(server->listener, NULL, NULL);
        server_client_t *client;

        if (fd < 0)
            return NULL;
        client = calloc(1, sizeof(*client));
        client->server = server;
        client->fd = fd;
        pthread_mutex_lock(&server->mutex);
        client->index = server->count++;
        server->fds[client->index] = fd;
        pthread_mutex_unlock(&server->mutex);
        atomic_fetch_add(&server->open, 1);
        atomic_fetch_add(&server->accepted, 1);
        if (server->count > SERVER_MOST ||
            pthread_create(&server->threads[client->index], NULL, server_serve, client) != 0)
            abort();
    }
}

/* Start on `port`, or on a free one when that is 0. */
static inline void server_start_on(server_t *server, uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof(address);
    int on = 1;

    memset(server, 0, sizeof(*server));
    pthread_mutex_init(&server->mutex, NULL);
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(server->listener, (struct sockaddr *)&address, len) < 0 ||
        listen(server->listener, 64) < 0 ||
        getsockname(server->listener, (struct sockaddr *)&address, &len) < 0 ||
        pthread_create(&server->acceptor, NULL, server_accept, server) != 0) {
        perror("server");
        abort();
    }
    server->port = ntohs(address.sin_port);
}

static inline void server_start(server_t *server)
{
    server_start_on(server, 0);
}

/* Wait until so many commands have been read. */
static inline void server_wait(server_t *server, int commands)
{
    while (atomic_load(&server->commands) < commands)
        server_sleep(1);
}

/* End the connections that are open. */
static inline void server_hang_up(server_t *server)
{
    pthread_mutex_lock(&server->mutex);
    for (int n = 0; n < server->count; n++) {
        if (server->fds[n] >= 0)
            shutdown(server->fds[n], SHUT_RDWR);
    }
    pthread_mutex_unlock(&server->mutex);
}

static inline void server_stop(server_t *server)
{
    shutdown(server->listener, SHUT_RDWR);
    pthread_join(server->acceptor, NULL);
    close(server->listener);
    server_hang_up(server);
    for (int n = 0; n < server->count; n++)
        pthread_join(server->threads[n], NULL);
    pthread_mutex_destroy(&server->mutex);
}

#endif
