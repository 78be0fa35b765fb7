/* What the core can do without a language on top of it: the ceiling for every binding.
 *
 *     ceiling [--mode get|set|mget|lane] [--depth N] [--ops N] [--size BYTES] [--windowed] HOST
 * PORT
 *
 * N commands are kept in flight on one connection: in lockstep (all are sent, all are answered, and
 * again), or windowed (each reply makes room for the next command; what a wake-up makes room for
 * leaves in one send). An MGET asks for N keys. `lane` is one thread that makes one call after the
 * other through a pool. Printed are microseconds per command: the process's CPU time, its user and
 * its system part, and the time on the wall. */
#define _POSIX_C_SOURCE 200809L

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "kvwire/kvwire.h"

enum { KEYS = 1000, KEY_MAX = 24 };

typedef enum work { MODE_GET, MODE_SET, MODE_MGET, MODE_LANE } work_t;

typedef struct options {
    work_t mode;
    size_t depth, ops, size;
    int windowed;
    kvw_config_t config;
} options_t;

static char keys[KEYS][KEY_MAX];
static kvw_arg_t key_args[KEYS];
static char *value;

static void die(const char *what)
{
    fprintf(stderr, "ceiling: %s\n", what);
    exit(1);
}

/* ---- options ------------------------------------------------------------------------------ */

static work_t read_mode(const char *name)
{
    static const char *const names[] = {"get", "set", "mget", "lane"};

    for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++) {
        if (strcmp(name, names[at]) == 0)
            return (work_t)at;
    }
    die("the mode is one of get, set, mget, lane");
    return MODE_GET;
}

static size_t read_number(const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);

    if (*end != '\0' || number == 0)
        die("a number above 0 is needed");
    return number;
}

static options_t read_options(int count, char **words)
{
    options_t options = {.depth = 200, .ops = 1000000, .size = 128};
    const char *places[2];
    int found = 0;

    for (int at = 1; at < count; at++) {
        const char *next = at + 1 < count ? words[at + 1] : "";

        if (strcmp(words[at], "--windowed") == 0) {
            options.windowed = 1;
        } else if (strncmp(words[at], "--", 2) != 0) {
            if (found == 2)
                die("one host and one port");
            places[found++] = words[at];
        } else {
            if (strcmp(words[at], "--mode") == 0)
                options.mode = read_mode(next);
            else if (strcmp(words[at], "--depth") == 0)
                options.depth = read_number(next);
            else if (strcmp(words[at], "--ops") == 0)
                options.ops = read_number(next);
            else if (strcmp(words[at], "--size") == 0)
                options.size = read_number(next);
            else
                die("unknown option");
            at++;
        }
    }
    if (found != 2)
        die("usage: ceiling [--mode get|set|mget|lane] [--depth N] [--ops N] [--size BYTES] "
            "[--windowed] HOST PORT");
    options.config.host = places[0];
    options.config.port = (uint16_t)read_number(places[1]);
    options.config.connect_timeout = 2000000000;
    options.config.call_timeout = 5000000000;
    return options;
}

/* ---- one connection ----------------------------------------------------------------------- */

static void check(const kvw_conn_t *conn)
{
    const char *message;

    if (kvw_conn_error(conn, &message) != 0)
        die(message);
}

static void wait_for(const kvw_conn_t *conn)
{
    int wants = kvw_conn_wants(conn);
    struct pollfd watched = {.fd = kvw_conn_fd(conn)};

    watched.events =
        (short)((wants & KVW_WANT_READ ? POLLIN : 0) | (wants & KVW_WANT_WRITE ? POLLOUT : 0));
    if (poll(&watched, 1, 5000) <= 0)
        die("the server does not answer");
}

static kvw_conn_t *open_connection(const kvw_config_t *config)
{
    kvw_conn_t *conn = kvw_conn_new(config);

    if (conn == NULL)
        die("out of memory");
    kvw_conn_start(conn);
    while (kvw_conn_state(conn) != KVW_STATE_OPEN) {
        check(conn);
        wait_for(conn);
        kvw_conn_ready(conn);
    }
    return conn;
}

static kvw_prefix_t make_prefix(const char *word)
{
    static char bytes[4][32];
    static int made;
    const kvw_arg_t words[] = {{.ptr = word, .len = strlen(word)}};
    char *out = bytes[made++];

    return (kvw_prefix_t){out, kvw_prefix_encode(words, 1, out, sizeof(bytes[0])), 1};
}

/* ---- commands ----------------------------------------------------------------------------- */

static kvw_prefix_t get, set, mget;

static void submit(kvw_conn_t *conn, const options_t *options, size_t number)
{
    kvw_slot_t slot = {.user = conn};
    kvw_arg_t args[2] = {key_args[number % KEYS], {.ptr = value, .len = options->size}};
    int err;

    if (options->mode == MODE_MGET)
        err = kvw_conn_submit(conn, &mget, key_args, options->depth, &slot);
    else if (options->mode == MODE_SET)
        err = kvw_conn_submit(conn, &set, args, 2, &slot);
    else
        err = kvw_conn_submit(conn, &get, args, 1, &slot);
    if (err != 0)
        check(conn);
}

static void flush(kvw_conn_t *conn)
{
    if (kvw_conn_flush(conn, kvw_now()) != 0)
        check(conn);
    kvw_conn_release(conn);
}

/* Take what is at hand. Returns how many replies that completed. */
static size_t take(kvw_conn_t *conn)
{
    static char *memory;
    size_t complete = 0;
    kvw_event_t event;

    while (kvw_conn_next(conn, &event) == KVW_STATUS_ITEM) {
        complete += event.item.flags & KVW_ITEM_LAST;
        if (event.item.flags & KVW_ITEM_OPEN) {
            if (memory == NULL)
                memory = malloc(event.item.len);
            kvw_conn_lend(conn, memory);
        }
    }
    check(conn);
    return complete;
}

static void run(kvw_conn_t *conn, const options_t *options, size_t ops)
{
    size_t most = options->mode == MODE_MGET ? 1 : options->depth;
    size_t submitted = 0, complete = 0;

    while (complete < ops) {
        if (options->windowed || complete == submitted) {
            while (submitted < ops && submitted - complete < most)
                submit(conn, options, submitted++);
            flush(conn);
        }
        wait_for(conn);
        kvw_conn_ready(conn);
        complete += take(conn);
    }
}

/* ---- one thread, one call after the other ------------------------------------------------- */

static void call(kvw_pool_t *pool, size_t number)
{
    kvw_slot_t slot = {.deadline = KVW_NEVER};
    kvw_ticket_t ticket;
    kvw_lane_t *lane;
    kvw_event_t event;

    kvw_ticket_init(&ticket, kvw_now() + 5000000000);
    slot.user = &ticket;
    if (kvw_pool_take(pool, &lane) != 0 ||
        kvw_lane_submit(lane, &get, &key_args[number % KEYS], 1, &slot) != 0)
        die("no lane");
    while (kvw_lane_wait(lane, &ticket) == KVW_WAIT_LEAD) {
        while (kvw_conn_next(kvw_lane_conn(lane), &event) == KVW_STATUS_ITEM) {
            if (event.item.flags & KVW_ITEM_LAST)
                kvw_lane_finish(lane, event.slot.user);
        }
        if (ticket.done)
            break;
    }
    if (!ticket.done)
        check(kvw_lane_conn(lane));
    kvw_lane_leave(lane, &ticket);
    kvw_pool_give(pool, lane, 0);
}

/* ---- measuring ---------------------------------------------------------------------------- */

typedef struct times {
    double user, system, wall;
} times_t;

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static times_t now(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (times_t){seconds(usage.ru_utime), seconds(usage.ru_stime), (double)kvw_now() * 1e-9};
}

static void report(const options_t *options, times_t begin, times_t end)
{
    static const char *const names[] = {"get", "set", "mget", "lane"};
    double scale = 1e6 / (double)options->ops;
    double user = (end.user - begin.user) * scale;
    double system = (end.system - begin.system) * scale;

    printf("%s depth %zu%s: cpu %.3f us (user %.3f, system %.3f), wall %.3f us\n",
           names[options->mode], options->depth, options->windowed ? " windowed" : "",
           user + system, user, system, (end.wall - begin.wall) * scale);
}

int main(int count, char **words)
{
    options_t options = read_options(count, words);
    options_t filling = {.mode = MODE_SET, .depth = 100, .size = options.size};
    kvw_conn_t *conn = open_connection(&options.config);
    times_t begin;

    value = calloc(1, options.size);
    if (value == NULL)
        die("out of memory");
    if (options.mode == MODE_MGET && options.depth > KEYS)
        options.depth = KEYS;
    for (int at = 0; at < KEYS; at++) {
        int len = snprintf(keys[at], KEY_MAX, "k%zu:%d", options.size, at);

        key_args[at] = (kvw_arg_t){.ptr = keys[at], .len = (size_t)len};
    }
    get = make_prefix("GET");
    set = make_prefix("SET");
    mget = make_prefix("MGET");
    run(conn, &filling, KEYS);
    if (options.mode == MODE_LANE) {
        kvw_pool_t *pool = kvw_pool_new(&options.config, 1);

        if (pool == NULL)
            die("out of memory");
        call(pool, 0);
        begin = now();
        for (size_t at = 0; at < options.ops; at++)
            call(pool, at);
        report(&options, begin, now());
        kvw_pool_free(pool);
    } else {
        begin = now();
        run(conn, &options, options.ops);
        report(&options, begin, now());
    }
    kvw_conn_free(conn);
    free(value);
    return 0;
}
