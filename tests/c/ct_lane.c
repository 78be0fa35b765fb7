/* Lanes: threads that share connections. */
#include <signal.h>

#include "caller.h"

#define MOST_THREADS 16

static server_t server;

/* ---- many threads, few lanes -------------------------------------------------------------- */

typedef struct worker {
    kvw_pool_t *pool;
    unsigned number, calls;
    int wrong;
} worker_t;

static void *work(void *argument)
{
    worker_t *worker = argument;

    for (unsigned n = 0; n < worker->calls; n++) {
        char text[64];
        call_t call;

        sprintf(text, "thread %u call %u", worker->number, n);
        caller_call(worker->pool, &call, 30 * SECOND, "ECHO", text, NULL);
        worker->wrong += call.err != 0 || call.bytes == NULL || strcmp(call.bytes, text) != 0;
        call_end(&call);
    }
    return NULL;
}

static void test_sharing(void)
{
    static const unsigned threads[] = {1, 2, 3, 8, 16};

    for (size_t lanes = 1; lanes <= 4; lanes++) {
        for (size_t which = 0; which < sizeof(threads) / sizeof(threads[0]); which++) {
            kvw_pool_t *pool = caller_pool(server.port, lanes);
            worker_t workers[MOST_THREADS];
            pthread_t ids[MOST_THREADS];

            for (unsigned n = 0; n < threads[which]; n++) {
                workers[n] = (worker_t){pool, n, 1600 / threads[which], 0};
                pthread_create(&ids[n], NULL, work, &workers[n]);
            }
            for (unsigned n = 0; n < threads[which]; n++) {
                pthread_join(ids[n], NULL);
                CHECK_INT(workers[n].wrong, 0);
            }
            CHECK(kvw_pool_size(pool) <= lanes);
            CHECK(kvw_pool_size(pool) <= threads[which]);
            kvw_pool_free(pool);
        }
    }
}

/* ---- deadlines ---------------------------------------------------------------------------- */

static void *slow_call(void *argument)
{
    call_t call;

    caller_call(argument, &call, 5 * SECOND, "SLOW", "700", "late");
    CHECK_INT(call.err, 0);
    CHECK(call.bytes != NULL && strcmp(call.bytes, "late") == 0);
    call_end(&call);
    return NULL;
}

/* One lane. Behind a slow reply, short-lived callers give up; the slow one's and later ones get
 * their own. */
static void test_timeout(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 1);
    call_t call;
    int64_t begin;
    pthread_t thread;
    int commands;

    caller_call(pool, &call, SECOND, "ECHO", "warm", NULL);
    call_end(&call);

    /* Alone: this thread leads. */
    begin = kvw_now();
    caller_call(pool, &call, 50 * MILLISECOND, "SLOW", "500", "late");
    CHECK_INT(call.err, KVW_ETIMEOUT);
    CHECK_INT(call.maybe_executed, 1);
    CHECK(kvw_now() - begin >= 50 * MILLISECOND);
    CHECK(kvw_now() - begin < 450 * MILLISECOND);
    caller_call(pool, &call, 5 * SECOND, "ECHO", "next", NULL);
    CHECK(call.err == 0 && strcmp(call.bytes, "next") == 0);
    call_end(&call);
    CHECK_INT(kvw_pool_size(pool), 1);

    /* Behind one that leads. */
    commands = atomic_load(&server.commands);
    pthread_create(&thread, NULL, slow_call, pool);
    server_wait(&server, commands + 1);
    begin = kvw_now();
    caller_call(pool, &call, 50 * MILLISECOND, "ECHO", "in vain", NULL);
    CHECK_INT(call.err, KVW_ETIMEOUT);
    CHECK(kvw_now() - begin >= 50 * MILLISECOND);
    CHECK(kvw_now() - begin < 600 * MILLISECOND);
    caller_call(pool, &call, 5 * SECOND, "ECHO", "after", NULL);
    CHECK(call.err == 0 && strcmp(call.bytes, "after") == 0);
    call_end(&call);
    pthread_join(thread, NULL);
    CHECK_INT(kvw_pool_size(pool), 1);
    kvw_pool_free(pool);
}

/* The configuration's timeout, when the ticket has none of its own. */
static void test_default_deadline(void)
{
    kvw_config_t config = {.host = "127.0.0.1",
                           .port = server.port,
                           .connect_timeout = SECOND,
                           .call_timeout = 60 * MILLISECOND};
    kvw_pool_t *pool = kvw_pool_new(&config, 1);
    const kvw_arg_t args[] = {arg("SLOW"), arg("800"), arg("late")};
    int64_t begin = kvw_now();
    kvw_lane_t *lane;
    call_t call;

    CHECK_INT(kvw_pool_take(pool, &lane), 0);
    CHECK_INT(caller_submit(lane, &call, 0, args, 3), 0);
    caller_wait(lane, &call);
    CHECK_INT(call.err, KVW_ETIMEOUT);
    CHECK(kvw_now() - begin >= 60 * MILLISECOND);
    CHECK(kvw_now() - begin < 750 * MILLISECOND);
    kvw_pool_give(pool, lane, 0);
    kvw_pool_free(pool);
}

/* A caller goes while a large body is being received for it into lent memory. */
static void test_abandoned_body(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 1);

    for (int n = 0; n < 20; n++) {
        call_t call;

        caller_call(pool, &call, n * MILLISECOND / 2, "BIG", "3000000", NULL);
        CHECK(call.err == 0 || call.err == KVW_ETIMEOUT);
        call_end(&call);
    }
    for (int n = 0; n < 3; n++) {
        call_t call;

        caller_call(pool, &call, 20 * SECOND, "BIG", "100000", NULL);
        CHECK_INT(call.err, 0);
        CHECK_INT(call.len, 100000);
        for (size_t at = 0; at < call.len && at < 100000; at++) {
            if (!CHECK(call.bytes[at] == (char)(at * 7 + at / 251)))
                break;
        }
        call_end(&call);
    }
    CHECK_INT(kvw_pool_size(pool), 1);
    kvw_pool_free(pool);
}

/* ---- signals ------------------------------------------------------------------------------ */

static atomic_int signals, heard;

static void on_signal(int number)
{
    (void)number;
    atomic_fetch_add(&signals, 1);
}

static pthread_t main_thread;

/* Once the command has been sent, signals until one has been heard. */
static void *send_signals(void *argument)
{
    server_wait(&server, *(int *)argument);
    while (!atomic_load(&heard)) {
        pthread_kill(main_thread, SIGUSR1);
        server_sleep(2);
    }
    return NULL;
}

/* A signal brings the waiting thread back at once, and the wait can go on. */
static void test_signal(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    kvw_pool_t *pool = caller_pool(server.port, 1);
    const kvw_arg_t args[] = {arg("SLOW"), arg("1000"), arg("text")};
    int64_t begin = kvw_now();
    int commands = atomic_load(&server.commands) + 1;
    kvw_lane_t *lane;
    kvw_wait_t outcome;
    pthread_t thread;
    call_t call;

    sigaction(SIGUSR1, &action, NULL);
    main_thread = pthread_self();
    CHECK_INT(kvw_pool_take(pool, &lane), 0);
    CHECK_INT(caller_submit(lane, &call, KVW_NEVER, args, 3), 0);
    pthread_create(&thread, NULL, send_signals, &commands);
    do {
        outcome = kvw_lane_wait(lane, &call.ticket);
        if (outcome == KVW_WAIT_LEAD)
            caller_take_events(lane);
        /* It also comes back after a while without a signal. */
    } while (!call.ticket.done && (outcome == KVW_WAIT_LEAD || atomic_load(&signals) == 0));
    CHECK_INT(outcome, KVW_WAIT_SIGNAL);
    atomic_store(&heard, 1);
    CHECK(atomic_load(&signals) >= 1);
    CHECK_INT(call.ticket.leading, 0);
    CHECK(kvw_now() - begin < 900 * MILLISECOND);
    caller_wait(lane, &call);
    CHECK(call.err == 0 && strcmp(call.bytes, "text") == 0);
    call_end(&call);
    kvw_pool_give(pool, lane, 0);
    pthread_join(thread, NULL);
    kvw_pool_free(pool);
}

/* ---- failures ----------------------------------------------------------------------------- */

static void *failing_call(void *argument)
{
    call_t call;

    caller_call(argument, &call, 20 * SECOND, "HANG", NULL, NULL);
    CHECK(call.err == KVW_EEOF || call.err == KVW_EIO);
    CHECK_INT(call.maybe_executed, 1);
    call_end(&call);
    return NULL;
}

/* The connection ends under all of its callers; each learns of it, and the next call works. */
static void test_lost(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 2);
    int commands = atomic_load(&server.commands) + 1 + 8;
    pthread_t threads[8];
    call_t call;

    caller_call(pool, &call, 5 * SECOND, "ECHO", "warm", NULL);
    call_end(&call);
    for (int n = 0; n < 8; n++)
        pthread_create(&threads[n], NULL, failing_call, pool);
    server_wait(&server, commands);
    server_hang_up(&server);
    for (int n = 0; n < 8; n++)
        pthread_join(threads[n], NULL);
    caller_call(pool, &call, 5 * SECOND, "ECHO", "again", NULL);
    CHECK(call.err == 0 && strcmp(call.bytes, "again") == 0);
    call_end(&call);
    CHECK_INT(kvw_pool_size(pool), 1);
    kvw_pool_free(pool);
}

/* An idle lane that the server has closed is not used again. */
static void test_idle(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 1);

    for (int n = 0; n < 5; n++) {
        int accepted = atomic_load(&server.accepted);
        call_t call;

        caller_call(pool, &call, 5 * SECOND, "ECHO", "text", NULL);
        CHECK_INT(call.err, 0);
        call_end(&call);
        CHECK_INT(atomic_load(&server.accepted), accepted + 1);
        caller_call(pool, &call, 5 * SECOND, "ECHO", "text", NULL);
        CHECK_INT(call.err, 0);
        call_end(&call);
        CHECK_INT(atomic_load(&server.accepted), accepted + 1);
        server_hang_up(&server);
        while (atomic_load(&server.open) != 0)
            server_sleep(1);
    }
    kvw_pool_free(pool);
}

static void *refused_call(void *argument)
{
    call_t call;

    caller_call(argument, &call, 5 * SECOND, "ECHO", "x", NULL);
    CHECK_INT(call.err, KVW_ECONNECT);
    CHECK_INT(call.maybe_executed, 0);
    return NULL;
}

static void test_refused(void)
{
    server_t gone;
    kvw_pool_t *pool;
    pthread_t threads[6];
    call_t call;

    server_start(&gone);
    server_stop(&gone);
    pool = caller_pool(gone.port, 2);
    for (int n = 0; n < 6; n++)
        pthread_create(&threads[n], NULL, refused_call, pool);
    for (int n = 0; n < 6; n++)
        pthread_join(threads[n], NULL);
    CHECK_INT(kvw_pool_size(pool), 0);
    /* And when the server comes up again, the next call works. */
    server_start_on(&gone, gone.port);
    caller_call(pool, &call, 5 * SECOND, "ECHO", "x", NULL);
    CHECK_INT(call.err, 0);
    call_end(&call);
    kvw_pool_free(pool);
    server_stop(&gone);
}

/* ---- much to send ------------------------------------------------------------------------- */

enum { LENGTH = 3000000 };

static char *long_text;
static atomic_int long_released;

static void release_long(void *hold)
{
    (void)hold;
    atomic_fetch_add(&long_released, 1);
}

static void *send_long(void *argument)
{
    kvw_pool_t *pool = argument;

    for (int n = 0; n < 5; n++) {
        const kvw_arg_t args[] = {arg("LENGTH"),
                                  {.ptr = long_text, .len = LENGTH, .release = release_long}};
        kvw_lane_t *lane;
        call_t call;

        CHECK_INT(kvw_pool_take(pool, &lane), 0);
        CHECK_INT(caller_submit(lane, &call, kvw_now() + 30 * SECOND, args, 2), 0);
        caller_wait(lane, &call);
        CHECK_INT(call.err, 0);
        CHECK_INT(call.num, LENGTH);
        kvw_pool_give(pool, lane, 0);
    }
    return NULL;
}

/* Commands larger than what the socket takes, from several threads on one lane, with small ones and
 * large replies in between: whoever sends, all of it leaves, and nobody waits for nothing. */
static void test_blocked(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 1);
    worker_t worker = {pool, 1, 50, 0};
    pthread_t threads[5];
    call_t call;

    long_text = malloc(LENGTH);
    memset(long_text, 'x', LENGTH);
    for (int n = 0; n < 4; n++)
        pthread_create(&threads[n], NULL, send_long, pool);
    pthread_create(&threads[4], NULL, work, &worker);
    for (int n = 0; n < 10; n++) {
        caller_call(pool, &call, 30 * SECOND, "BIG", "1000000", NULL);
        CHECK_INT(call.err, 0);
        CHECK_INT(call.len, 1000000);
        call_end(&call);
    }
    for (int n = 0; n < 5; n++)
        pthread_join(threads[n], NULL);
    CHECK_INT(worker.wrong, 0);
    CHECK_INT(atomic_load(&long_released), 20);
    kvw_pool_free(pool);
    free(long_text);
}

static int stalled_at;

static void *stuck_call(void *argument)
{
    const kvw_arg_t args[] = {arg("LENGTH"),
                              {.ptr = long_text, .len = LENGTH * 5, .release = release_long}};
    kvw_lane_t *lane;
    call_t call;

    server_wait(&server, stalled_at);
    CHECK_INT(kvw_pool_take(argument, &lane), 0);
    CHECK_INT(caller_submit(lane, &call, kvw_now() + 100 * MILLISECOND, args, 2), 0);
    caller_wait(lane, &call);
    CHECK_INT(call.err, KVW_ETIMEOUT);
    CHECK_INT(call.maybe_executed, 1);
    kvw_pool_give(argument, lane, 0);
    return NULL;
}

/* The socket takes no more while the server does something else, and the one whose bytes are stuck
 * gives up: those behind it still get theirs. */
static void test_stuck(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 1);
    kvw_lane_t *lane;
    pthread_t thread;
    call_t stall, call;
    const kvw_arg_t args[] = {arg("STALL"), arg("1000")};

    long_text = calloc(LENGTH, 5);
    atomic_store(&long_released, 0);
    caller_call(pool, &call, 5 * SECOND, "ECHO", "warm", NULL);
    call_end(&call);
    CHECK_INT(kvw_pool_take(pool, &lane), 0);
    CHECK_INT(caller_submit(lane, &stall, kvw_now() + 10 * SECOND, args, 2), 0);
    stalled_at = atomic_load(&server.commands) + 1;
    pthread_create(&thread, NULL, stuck_call, pool);
    caller_wait(lane, &stall);
    CHECK_INT(stall.err, 0);
    call_end(&stall);
    pthread_join(thread, NULL);
    caller_call(pool, &call, 20 * SECOND, "ECHO", "after", NULL);
    CHECK(call.err == 0 && strcmp(call.bytes, "after") == 0);
    call_end(&call);
    kvw_pool_give(pool, lane, 0);
    kvw_pool_free(pool);
    CHECK_INT(atomic_load(&long_released), 1);
    free(long_text);
}

/* ---- the pool ----------------------------------------------------------------------------- */

static void test_pool(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 2);
    kvw_lane_t *lanes[4], *own, *other;
    call_t call;

    CHECK_INT(kvw_pool_size(pool), 0);
    for (int n = 0; n < 4; n++)
        CHECK_INT(kvw_pool_take(pool, &lanes[n]), 0);
    CHECK_INT(kvw_pool_size(pool), 2);
    CHECK(lanes[0] != lanes[1]);
    CHECK(lanes[2] != lanes[3]); /* shared evenly */
    kvw_pool_give(pool, lanes[2], 0);
    CHECK_INT(kvw_pool_take(pool, &other), 0);
    CHECK(other == lanes[2]); /* it has the fewest users */
    kvw_pool_give(pool, other, 0);

    /* Own lanes are beyond the bound, shared with nobody, and used again. */
    CHECK_INT(kvw_pool_take_own(pool, &own), 0);
    CHECK(own != lanes[0] && own != lanes[1]);
    CHECK_INT(kvw_pool_take_own(pool, &other), 0);
    CHECK(other != own);
    CHECK_INT(kvw_pool_size(pool), 4);
    kvw_pool_give(pool, other, 0);
    CHECK_INT(kvw_pool_size(pool), 4);
    CHECK_INT(kvw_pool_take_own(pool, &lanes[2]), 0);
    CHECK(lanes[2] == other);
    kvw_pool_give(pool, other, 1); /* a reply may still come */
    CHECK_INT(kvw_pool_size(pool), 3);

    /* The lane used last is taken first. */
    kvw_pool_give(pool, lanes[0], 0);
    kvw_pool_give(pool, lanes[1], 0);
    kvw_pool_give(pool, lanes[3], 0);
    CHECK_INT(kvw_pool_take(pool, &other), 0);
    CHECK(other == lanes[3]);

    /* Closed: what is in use lives on until it is given back. */
    kvw_pool_close(pool);
    CHECK_INT(kvw_pool_take(pool, &lanes[0]), KVW_ECLOSED);
    CHECK_INT(kvw_pool_take_own(pool, &lanes[0]), KVW_ECLOSED);
    CHECK_INT(kvw_pool_size(pool), 2);
    {
        const kvw_arg_t args[] = {arg("ECHO"), arg("last")};

        CHECK_INT(caller_submit(other, &call, kvw_now() + 5 * SECOND, args, 2), 0);
        caller_wait(other, &call);
        CHECK(call.err == 0 && strcmp(call.bytes, "last") == 0);
        call_end(&call);
    }
    kvw_pool_free(pool);
    kvw_pool_give(pool, own, 0);
    kvw_pool_give(pool, other, 0); /* frees the pool */
}

static void test_batch(void)
{
    static const kvw_prefix_t none = {"", 0, 0};
    kvw_pool_t *pool = caller_pool(server.port, 1);
    kvw_batch_t *batch = kvw_batch_new();
    kvw_lane_t *lane;
    call_t call;

    for (uint32_t n = 0; n < 100; n++) {
        const kvw_arg_t args[] = {arg("ECHO"), arg("text")};
        kvw_slot_t slot = {.index = n};

        CHECK_INT(kvw_batch_add(batch, &none, args, 2, &slot), 0);
    }
    memset(&call, 0, sizeof(call));
    kvw_ticket_init(&call.ticket, kvw_now() + 5 * SECOND);
    CHECK_INT(kvw_pool_take(pool, &lane), 0);
    CHECK_INT(kvw_lane_submit_batch(lane, batch, &call, KVW_NEVER), 0);
    for (uint32_t next = 0; next < 100;) {
        kvw_event_t event;

        if (!CHECK_INT(kvw_lane_wait(lane, &call.ticket), KVW_WAIT_LEAD))
            break;
        while (kvw_conn_next(kvw_lane_conn(lane), &event) == KVW_STATUS_ITEM) {
            CHECK_INT(event.slot.index, next++);
            CHECK(event.slot.user == &call);
        }
    }
    kvw_lane_leave(lane, &call.ticket);
    kvw_pool_give(pool, lane, 0);
    kvw_batch_free(batch);
    kvw_pool_free(pool);
}

int main(void)
{
    server_start(&server);
    test_sharing();
    test_timeout();
    test_default_deadline();
    test_abandoned_body();
    test_signal();
    test_lost();
    test_idle();
    test_refused();
    test_blocked();
    test_stuck();
    test_pool();
    test_batch();
    server_stop(&server);
    return test_result();
}
