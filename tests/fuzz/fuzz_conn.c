/* Fuzz target for a connection: any calls, from any server, ended in any way.
 *
 * The input is a program: calls are submitted, abandoned, expire; the server answers rightly,
 * wrongly, in pieces or not at all. Whatever happens, every call ends exactly once, in order, with
 * a reply or without; lent arguments are given back exactly once; lent memory is not written to
 * when it is not lent. Run by libFuzzer, or by the driver in standalone.c. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "kvwire/kvwire.h"

#define CALLS_MAX 512
#define BODY_MAX 3000000
#define TIMEOUT ((int64_t)1000000000)

#define REQUIRE(condition)                                                          \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A caller, of one command or of a batch. */
typedef struct call {
    unsigned commands, ended;
    int lent, released; /* its large argument */
    int gone;
} call_t;

typedef struct world {
    kvw_conn_t *conn;
    int server;
    const uint8_t *data;
    size_t len;
    call_t calls[CALLS_MAX];
    unsigned count;
    unsigned last; /* the call that ended last by a reply */
    char *memory;  /* lent for a body */
    int64_t now;
} world_t;

static char argument[KVW_ARG_COPY_MAX + 1];

static uint8_t next_byte(world_t *world)
{
    if (world->len == 0)
        return 0;
    world->len--;
    return *world->data++;
}

/* ---- both ends ---------------------------------------------------------------------------- */

static struct sockaddr_un server_address;
static int listener = -1;

static void remove_socket(void)
{
    unlink(server_address.sun_path);
    *strrchr(server_address.sun_path, '/') = '\0';
    rmdir(server_address.sun_path);
}

static void start_listening(void)
{
    char directory[] = "/tmp/kvwire-fuzz-XXXXXX";

    REQUIRE(mkdtemp(directory) != NULL);
    server_address.sun_family = AF_UNIX;
    snprintf(server_address.sun_path, sizeof(server_address.sun_path), "%s/socket", directory);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(listener, (struct sockaddr *)&server_address, sizeof(server_address)) == 0);
    REQUIRE(listen(listener, 4) == 0);
    atexit(remove_socket);
}

static void drain_server(world_t *world)
{
    char bytes[65536];

    while (world->server >= 0 && recv(world->server, bytes, sizeof(bytes), MSG_DONTWAIT) > 0) {
    }
}

static void server_send(world_t *world, const char *bytes, size_t len)
{
    if (world->server >= 0)
        (void)!send(world->server, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void open_world(world_t *world, const uint8_t *data, size_t len)
{
    const kvw_config_t config = {.transport = KVW_TRANSPORT_UNIX,
                                 .path = server_address.sun_path,
                                 .protocol = 2,
                                 .connect_timeout = KVW_NEVER,
                                 .call_timeout = TIMEOUT,
                                 .max_depth = 40,
                                 .max_bulk = BODY_MAX};

    memset(world, 0, sizeof(*world));
    world->data = data;
    world->len = len;
    world->now = kvw_now();
    world->conn = kvw_conn_new(&config);
    REQUIRE(world->conn != NULL);
    /* Commands may come before the connection is open, too. */
    if (next_byte(world) % 2 == 0) {
        REQUIRE(kvw_conn_start(world->conn) == 0);
        world->server = accept(listener, NULL, NULL);
        server_send(world, "+OK\r\n+OK\r\n", 10);
        REQUIRE(kvw_conn_ready(world->conn) == 0);
        REQUIRE(kvw_conn_state(world->conn) == KVW_STATE_OPEN);
    } else {
        REQUIRE(kvw_conn_start(world->conn) == 0);
        world->server = accept(listener, NULL, NULL);
    }
}

/* ---- calls -------------------------------------------------------------------------------- */

static void release_argument(void *hold)
{
    ((call_t *)hold)->released++;
}

static void end_command(call_t *call)
{
    call->ended++;
    REQUIRE(call->ended <= call->commands);
}

static kvw_slot_t make_slot(world_t *world, call_t *call, uint32_t index)
{
    static const uint8_t each[] = {KVW_SHAPE_OK, KVW_SHAPE_PAIRS, KVW_SHAPE_DOUBLE};
    uint8_t choice = next_byte(world);

    return (kvw_slot_t){.user = call,
                        .index = index,
                        .shape = choice % KVW_SHAPE_COUNT,
                        .shapes = each,
                        .shape_count = 3,
                        .deadline = choice < 240 ? 0 : world->now + choice * (TIMEOUT / 300)};
}

static void submit(world_t *world, unsigned commands)
{
    static const kvw_prefix_t none = {"", 0, 0};
    call_t *call = &world->calls[world->count];
    int is_large = next_byte(world) % 8 == 0;
    const kvw_arg_t args[] = {{.ptr = "GET", .len = 3},
                              {.ptr = argument,
                               .len = is_large ? sizeof(argument) : 5,
                               .release = release_argument,
                               .hold = call}};
    kvw_batch_t *batch = NULL;
    int err = 0;

    if (world->count == CALLS_MAX)
        return;
    *call = (call_t){.commands = commands, .lent = (int)commands};
    if (commands == 1) {
        kvw_slot_t slot = make_slot(world, call, 0);

        err = kvw_conn_submit(world->conn, &none, args, 2, &slot);
    } else {
        batch = kvw_batch_new();
        for (uint32_t index = 0; index < commands; index++) {
            kvw_slot_t slot = make_slot(world, call, index);

            REQUIRE(kvw_batch_add(batch, &none, args, 2, &slot) == 0);
        }
        err = kvw_conn_submit_batch(world->conn, batch, call, 0);
        kvw_batch_free(batch);
    }
    REQUIRE(err == 0 || kvw_conn_state(world->conn) == KVW_STATE_CLOSED);
    if (err == 0) {
        world->count++;
        REQUIRE(call->released == (is_large ? 0 : call->lent));
    } else {
        REQUIRE(call->released == (batch != NULL ? call->lent : 0));
    }
}

static void abandon(world_t *world)
{
    call_t *call;
    int bits;

    if (world->count == 0)
        return;
    call = &world->calls[next_byte(world) % world->count];
    bits = kvw_conn_abandon(world->conn, call);
    REQUIRE(((bits & KVW_ABANDON_FOUND) != 0) == (call->ended < call->commands));
    call->ended = call->commands;
    call->gone |= bits != 0;
}

static void expire(world_t *world)
{
    int is_open = kvw_conn_state(world->conn) == KVW_STATE_OPEN;
    kvw_lost_t lost;

    world->now += next_byte(world) * (TIMEOUT / 100);
    while (kvw_conn_expire(world->conn, world->now, &lost)) {
        REQUIRE(lost.err == KVW_ETIMEOUT);
        end_command(lost.slot.user);
    }
    /* One that becomes open here gives deadlines by the true time. */
    REQUIRE(!is_open || kvw_conn_deadline(world->conn) > world->now);
}

/* ---- replies ------------------------------------------------------------------------------ */

static void take_run(world_t *world)
{
    kvw_item_t items[3];
    size_t count = kvw_conn_run(world->conn, items, next_byte(world) % 4);

    for (size_t place = 0; place < count; place++) {
        REQUIRE(items[place].type == KVW_BULK && items[place].flags == 0);
        for (size_t at = 0; at < items[place].len; at++)
            world->now += items[place].ptr[at] == 0 && items[place].ptr[0] == 1;
    }
}

static void take_events(world_t *world)
{
    kvw_event_t event;
    kvw_status_t status;

    while ((status = kvw_conn_next(world->conn, &event)) == KVW_STATUS_ITEM) {
        const kvw_item_t *item = &event.item;
        call_t *call = event.slot.user;

        if (item->flags & KVW_ITEM_OPEN) {
            REQUIRE(world->memory == NULL);
            REQUIRE(item->len <= BODY_MAX);
            switch (next_byte(world) % 4) {
            case 0:
                kvw_conn_lend(world->conn, NULL);
                break;
            case 1:
                break;
            default:
                world->memory = malloc(item->len);
                kvw_conn_lend(world->conn, world->memory);
                break;
            }
        }
        if (item->flags & KVW_ITEM_FILLED) {
            REQUIRE(item->ptr == world->memory);
            free(world->memory);
            world->memory = NULL;
        } else if (item->ptr != NULL && item->len != 0) {
            /* Every byte can be read. */
            for (size_t at = 0; at < item->len; at++)
                world->now += item->ptr[at] == 0 && item->ptr[0] == 1;
        }
        if (call == NULL) {
            REQUIRE(item->flags & KVW_ITEM_FILLED);
            continue;
        }
        REQUIRE(!call->gone);
        REQUIRE((unsigned)(call - world->calls) >= world->last);
        if (!(item->flags & (KVW_ITEM_LAST | KVW_ITEM_OPEN)) && next_byte(world) % 2 == 0)
            take_run(world);
        if (item->flags & KVW_ITEM_LAST) {
            world->last = (unsigned)(call - world->calls);
            end_command(call);
        } else if (next_byte(world) == 255) {
            kvw_conn_skip(world->conn);
            end_command(call);
        }
    }
    REQUIRE((status == KVW_STATUS_ERROR) == (kvw_conn_state(world->conn) == KVW_STATE_CLOSED));
}

static void send_canned(world_t *world)
{
    static const char *const replies[] = {
        "+OK\r\n",
        ":1\r\n",
        "$5\r\nvalue\r\n",
        "_\r\n",
        "-ERR no\r\n",
        "*2\r\n$1\r\na\r\n$3\r\n2.5\r\n",
        "*0\r\n",
        "*2\r\n*2\r\n+a\r\n:1\r\n*2\r\n+b\r\n:2\r\n",
        "%1\r\n+a\r\n:1\r\n",
        "|1\r\n+a\r\n+b\r\n:1\r\n",
        ">1\r\n+push\r\n",
        "$?\r\n;3\r\nabc\r\n;0\r\n",
        "*?\r\n:1\r\n.\r\n",
        "*2\r\n$1\r\n0\r\n*2\r\n+a\r\n+b\r\n",
        "=5\r\ntxt:x\r\n",
    };
    uint8_t choice = next_byte(world);
    const char *reply = replies[choice % (sizeof(replies) / sizeof(replies[0]))];

    server_send(world, reply, strlen(reply));
}

/* A large body, or a part of one, so that the rest must come from the input. */
static void send_large(world_t *world)
{
    static const char *const heads[] = {"$40000\r\n", "!40000\r\n", "$2000000\r\n",
                                        "$?\r\n;40000\r\n", "*2\r\n$40000\r\n"};
    static char bytes[40002];
    const char *head = heads[next_byte(world) % 5];
    size_t len = next_byte(world) % 2 ? sizeof(bytes) : 1000;

    memset(bytes, 'x', sizeof(bytes));
    memcpy(bytes + sizeof(bytes) - 2, "\r\n", 2);
    server_send(world, head, strlen(head));
    if (next_byte(world) % 2) {
        kvw_conn_ready(world->conn);
        take_events(world);
    }
    server_send(world, bytes, len);
}

static void send_raw(world_t *world)
{
    size_t len = next_byte(world) % 64;

    if (len > world->len)
        len = world->len;
    server_send(world, (const char *)world->data, len);
    world->data += len;
    world->len -= len;
}

/* ---- the program -------------------------------------------------------------------------- */

static void step(world_t *world)
{
    switch (next_byte(world) % 16) {
    case 0:
    case 1:
    case 2:
        submit(world, 1);
        break;
    case 3:
        submit(world, 2 + next_byte(world) % 3);
        break;
    case 4:
        kvw_conn_flush(world->conn, world->now);
        break;
    case 5:
        send_raw(world);
        break;
    case 6:
    case 7:
        send_canned(world);
        break;
    case 8:
        send_large(world);
        break;
    case 9:
        abandon(world);
        break;
    case 10:
        expire(world);
        break;
    case 11:
        kvw_conn_release(world->conn);
        drain_server(world);
        break;
    case 12:
        kvw_conn_recv(world->conn);
        break;
    case 13:
        if (next_byte(world) > 200 && world->server >= 0) {
            close(world->server);
            world->server = -1;
        }
        break;
    default:
        kvw_conn_ready(world->conn);
        take_events(world);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static world_t world;
    kvw_lost_t lost;

    if (listener < 0)
        start_listening();
    open_world(&world, data, size);
    while (world.len != 0)
        step(&world);
    kvw_conn_close(world.conn);
    free(world.memory);
    while (kvw_conn_drop(world.conn, &lost))
        end_command(lost.slot.user);
    for (unsigned at = 0; at < world.count; at++)
        REQUIRE(world.calls[at].ended == world.calls[at].commands);
    kvw_conn_free(world.conn);
    for (unsigned at = 0; at < world.count; at++)
        REQUIRE(world.calls[at].released == world.calls[at].lent);
    if (world.server >= 0)
        close(world.server);
    return 0;
}
