/* Pools and fork: a child process makes lanes of its own and leaves the parent's alone. */
#include <sys/wait.h>

#include "caller.h"

#if defined(__SANITIZE_THREAD__)
#define NO_FORK 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_FORK 1
#endif
#endif

#ifdef NO_FORK

int main(void)
{
    puts("skipped: ThreadSanitizer does not follow a process that forks while it has threads");
    return 0;
}

#else

static server_t server;

static void check_call(kvw_pool_t *pool, const char *text)
{
    call_t call;

    caller_call(pool, &call, 5 * SECOND, "ECHO", text, NULL);
    CHECK_INT(call.err, 0);
    CHECK(call.bytes != NULL && strcmp(call.bytes, text) == 0);
    call_end(&call);
}

/* Ends the child. Another program takes its place, so that no tool looks for leaks: what the
 * parent's other threads were using is here and nobody's. */
static void end_child(void)
{
    execl("/bin/sh", "sh", "-c", test_failures != 0 ? "exit 1" : "exit 0", (char *)NULL);
    _exit(2);
}

/* Fork, run `child` there, and see that it was content. */
static void in_child(void (*child)(void *), void *argument)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        alarm(20); /* rather than hang */
        child(argument);
        end_child();
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_INT(status, 0);
}

/* ---- a pool that is idle ------------------------------------------------------------------ */

static void use_pool(void *pool)
{
    for (int n = 0; n < 3; n++)
        check_call(pool, "child");
    CHECK_INT(kvw_pool_size(pool), 1);
    kvw_pool_free(pool);
}

static void test_idle(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 2);
    kvw_lane_t *own;
    int accepted;

    check_call(pool, "parent");
    CHECK_INT(kvw_pool_take_own(pool, &own), 0);
    kvw_pool_give(pool, own, 0);
    accepted = atomic_load(&server.accepted);
    in_child(use_pool, pool);
    check_call(pool, "parent again");
    CHECK_INT(atomic_load(&server.accepted), accepted + 1); /* the child's */
    kvw_pool_free(pool);
}

static void close_pool(void *pool)
{
    kvw_pool_close(pool);
    CHECK_INT(kvw_pool_size(pool), 0);
    kvw_pool_free(pool);
}

static void test_close(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 2);

    check_call(pool, "parent");
    in_child(close_pool, pool);
    check_call(pool, "parent again");
    kvw_pool_free(pool);
}

/* ---- a pool that other threads use -------------------------------------------------------- */

static atomic_int stopping;

static void *work(void *pool)
{
    while (!atomic_load(&stopping))
        check_call(pool, "busy");
    return NULL;
}

static void test_busy(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 2);
    pthread_t threads[4];

    for (int n = 0; n < 4; n++)
        pthread_create(&threads[n], NULL, work, pool);
    for (int n = 0; n < 10; n++) {
        server_sleep(3);
        /* The lock that a binding holds over its own things, and over fork. */
        pthread_mutex_lock(&caller_lock);
        int status = 0;
        pid_t pid = fork();
        pthread_mutex_unlock(&caller_lock);
        if (pid == 0) {
            alarm(20);
            for (int calls = 0; calls < 3; calls++)
                check_call(pool, "child");
            CHECK(kvw_pool_size(pool) >= 1);
            end_child();
        }
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK_INT(status, 0);
    }
    atomic_store(&stopping, 1);
    for (int n = 0; n < 4; n++)
        pthread_join(threads[n], NULL);
    check_call(pool, "parent");
    kvw_pool_free(pool);
}

/* ---- a lane in the middle of a call ------------------------------------------------------- */

typedef struct held {
    kvw_pool_t *pool;
    kvw_lane_t *lane;
    call_t *call;
} held_t;

/* The thread that forked goes on in the child with the wait that it was in. */
static void go_on(void *argument)
{
    held_t *held = argument;
    const kvw_arg_t args[] = {arg("ECHO"), arg("x")};
    const char *text;
    call_t other;

    caller_wait(held->lane, held->call);
    CHECK_INT(held->call->err, KVW_EFORKED);
    CHECK_INT(kvw_conn_error(kvw_lane_conn(held->lane), &text), KVW_EFORKED);
    CHECK(strstr(text, "belongs to the parent process") != NULL);
    CHECK_INT(caller_submit(held->lane, &other, KVW_NEVER, args, 2), KVW_EFORKED);
    kvw_pool_give(held->pool, held->lane, 0);
    check_call(held->pool, "child");
    kvw_pool_free(held->pool);
}

static void test_held(void)
{
    kvw_pool_t *pool = caller_pool(server.port, 1);
    const kvw_arg_t args[] = {arg("SLOW"), arg("100"), arg("text")};
    call_t call;
    held_t held = {.pool = pool, .call = &call};

    check_call(pool, "parent");
    CHECK_INT(kvw_pool_take(pool, &held.lane), 0);
    CHECK_INT(caller_submit(held.lane, &call, kvw_now() + 10 * SECOND, args, 3), 0);
    in_child(go_on, &held);
    caller_wait(held.lane, &call);
    CHECK(call.err == 0 && strcmp(call.bytes, "text") == 0);
    call_end(&call);
    kvw_pool_give(pool, held.lane, 0);
    check_call(pool, "parent again");
    kvw_pool_free(pool);
}

int main(void)
{
    server_start(&server);
    test_idle();
    test_close();
    test_busy();
    test_held();
    server_stop(&server);
    return test_result();
}

#endif
