/* Against a real server, where one is installed. */
#include <signal.h>
#include <sys/wait.h>

#include "peer.h"

static char directory[] = "/tmp/kvwire-test-XXXXXX";
static char socket_path[64];
static pid_t server_pid;

static const char *find_program(void)
{
    static char path[4096];
    static const char *const names[] = {"valkey-server", "redis-server"};
    const char *dirs = getenv("PATH");

    for (size_t n = 0; dirs != NULL && n < 2; n++) {
        for (const char *at = dirs; *at != '\0';) {
            size_t len = strcspn(at, ":");

            snprintf(path, sizeof(path), "%.*s/%s", (int)len, at, names[n]);
            if (access(path, X_OK) == 0)
                return path;
            at += len + (at[len] == ':');
        }
    }
    return NULL;
}

static void start_server(const char *program)
{
    if (mkdtemp(directory) == NULL)
        peer_fail("mkdtemp");
    snprintf(socket_path, sizeof(socket_path), "%s/socket", directory);
    server_pid = fork();
    if (server_pid == 0) {
        if (freopen("/dev/null", "w", stdout) == NULL)
            _exit(126);
        execl(program, program, "--port", "0", "--unixsocket", socket_path, "--save", "",
              "--appendonly", "no", "--requirepass", "secret", "--dir", directory, (char *)NULL);
        _exit(127);
    }
    for (int n = 0; n < 1000 && access(socket_path, F_OK) != 0; n++)
        usleep(10000);
}

static void stop_server(void)
{
    kill(server_pid, SIGTERM);
    waitpid(server_pid, NULL, 0);
    unlink(socket_path);
    rmdir(directory);
}

static kvw_config_t server_config(void)
{
    return (kvw_config_t){.transport = KVW_TRANSPORT_UNIX,
                          .path = socket_path,
                          .password = "secret",
                          .connect_timeout = 5 * SECOND,
                          .call_timeout = 5 * SECOND};
}

static kvw_conn_t *open_with(const kvw_config_t *config)
{
    kvw_conn_t *conn = kvw_conn_new(config);

    kvw_conn_start(conn);
    conn_settle(conn);
    return conn;
}

/* Submit a command given as words with spaces between. */
static void send_words(kvw_conn_t *conn, const char *words, void *user, int shape)
{
    static const kvw_prefix_t none = {"", 0, 0};
    kvw_slot_t slot = {.user = user, .shape = (uint8_t)shape};
    kvw_arg_t args[8];
    size_t count = 0;

    while (*words != '\0') {
        size_t len = strcspn(words, " ");

        args[count++] = (kvw_arg_t){.ptr = words, .len = len};
        words += len + (words[len] == ' ');
    }
    CHECK_INT(kvw_conn_submit(conn, &none, args, count, &slot), 0);
}

static int next_event(kvw_conn_t *conn, kvw_event_t *event)
{
    kvw_status_t status;

    while ((status = kvw_conn_next(conn, event)) == KVW_STATUS_MORE) {
        if (conn_step(conn) != 0)
            return 0;
    }
    return CHECK_INT(status, KVW_STATUS_ITEM);
}

/* A reply of one item, as text. */
static void check_reply(kvw_conn_t *conn, const char *words, const char *expected)
{
    kvw_event_t event;
    char text[128];
    int user;

    send_words(conn, words, &user, KVW_SHAPE_RAW);
    flush(conn);
    if (!next_event(conn, &event))
        return;
    CHECK(event.item.flags & KVW_ITEM_LAST);
    if (event.item.type == KVW_INT)
        snprintf(text, sizeof(text), "%lld", (long long)event.item.num);
    else
        snprintf(text, sizeof(text), "%.*s", (int)event.item.len,
                 event.item.ptr != NULL ? event.item.ptr : "");
    CHECK_STR(text, expected);
}

static void test_basics(void)
{
    for (int protocol = 0; protocol <= 3; protocol++) {
        kvw_config_t config = server_config();
        kvw_conn_t *conn;

        if (protocol == 1)
            continue;
        config.protocol = protocol;
        config.db = 3;
        config.client_name = "tester";
        conn = open_with(&config);
        CHECK_INT(kvw_conn_state(conn), KVW_STATE_OPEN);
        CHECK_INT(kvw_conn_protocol(conn), protocol == 2 ? 2 : 3);
        check_reply(conn, "CLIENT GETNAME", "tester");
        check_reply(conn, "SET key value", "OK");
        check_reply(conn, "GET key", "value");
        check_reply(conn, "GET missing", "");
        check_reply(conn, "INCRBY counter 5", protocol == 0 ? "5" : protocol == 2 ? "10" : "15");
        check_reply(conn, "NOSUCH", "ERR unknown command 'NOSUCH', with args beginning with: ");
        check_reply(conn, "MOVE key 4", "1");
        check_reply(conn, "SELECT 4", "OK");
        check_reply(conn, "DEL key", "1");
        kvw_conn_free(conn);
    }
}

static void test_refused(void)
{
    kvw_config_t config = server_config();
    kvw_conn_t *conn;
    const char *text;

    for (int protocol = 2; protocol <= 3; protocol++) {
        config.protocol = protocol;
        config.password = "wrong-one";
        conn = open_with(&config);
        CHECK_INT(kvw_conn_error(conn, &text), KVW_EAUTH);
        CHECK_STR(kvw_conn_error_code(conn), "WRONGPASS");
        CHECK(strstr(text, "wrong-one") == NULL);
        kvw_conn_free(conn);
        config.password = NULL;
        config.db = 1; /* without one, nothing in RESP2's handshake needs a login */
        conn = open_with(&config);
        CHECK_INT(kvw_conn_error(conn, &text), KVW_EAUTH);
        CHECK_STR(kvw_conn_error_code(conn), "NOAUTH");
        kvw_conn_free(conn);
        config.password = "secret";
        config.db = 1000;
        conn = open_with(&config);
        CHECK_INT(kvw_conn_error(conn, &text), KVW_EHANDSHAKE);
        CHECK_STR(kvw_conn_error_code(conn), "ERR");
        kvw_conn_free(conn);
        config.db = 0;
    }
}

/* Many commands in flight, replies in order, some of them abandoned. */
static void test_pipeline(void)
{
    enum { COUNT = 20000 };
    kvw_config_t config = server_config();
    kvw_conn_t *conn = open_with(&config);
    static char users[COUNT];
    unsigned expected = 0;

    for (unsigned n = 0; n < COUNT; n++) {
        char words[64];

        sprintf(words, "ECHO %u", n);
        send_words(conn, words, &users[n], KVW_SHAPE_RAW);
        if (n % 1000 == 999)
            flush(conn);
        if (n % 7 == 3)
            kvw_conn_abandon(conn, &users[n]);
    }
    flush(conn);
    while (expected < COUNT) {
        kvw_event_t event;

        if (expected % 7 == 3) {
            expected++;
            continue;
        }
        if (!next_event(conn, &event))
            break;
        CHECK(event.slot.user == &users[expected]);
        CHECK_INT(strtoul(event.item.ptr, NULL, 10), expected);
        expected++;
    }
    kvw_conn_free(conn);
}

static char big[10 << 20], memory[10 << 20];
static int released;

static void count_release(void *hold)
{
    (void)hold;
    released++;
}

static void test_big(void)
{
    static const size_t sizes[] = {8192, 8193, 32767, 32768, 65536, 1 << 20, 10 << 20};
    static const kvw_prefix_t none = {"", 0, 0};
    kvw_config_t config = server_config();
    kvw_conn_t *conn = open_with(&config);

    for (size_t n = 0; n < sizeof(big); n++)
        big[n] = (char)(n * 7 + n / 251);
    for (size_t at = 0; at < sizeof(sizes) / sizeof(sizes[0]); at++) {
        const kvw_arg_t args[] = {
            arg("SET"),
            arg("big"),
            {.ptr = big, .len = sizes[at], .release = count_release, .hold = big}};
        int user;
        kvw_slot_t slot = {.user = &user};
        kvw_event_t event;
        const char *value;

        released = 0;
        CHECK_INT(kvw_conn_submit(conn, &none, args, 3, &slot), 0);
        flush(conn);
        CHECK(next_event(conn, &event));
        CHECK_INT(event.item.type, KVW_SIMPLE);
        kvw_conn_release(conn);
        CHECK_INT(released, 1);
        memset(memory, 0, sizes[at]);
        send_words(conn, "GET big", &user, KVW_SHAPE_RAW);
        flush(conn);
        CHECK(next_event(conn, &event));
        if (event.item.flags & KVW_ITEM_OPEN) {
            kvw_conn_lend(conn, memory);
            CHECK(next_event(conn, &event));
        }
        value = event.item.ptr;
        CHECK_INT(event.item.len, sizes[at]);
        CHECK(memcmp(value, big, sizes[at]) == 0);
    }
    kvw_conn_free(conn);
}

static void test_transaction(void)
{
    static const uint8_t shapes[] = {KVW_SHAPE_OK, KVW_SHAPE_MAP};
    kvw_config_t config = server_config();
    kvw_conn_t *conn;
    char types[64] = "";
    kvw_event_t event;
    int user;
    kvw_slot_t slot = {.user = &user, .shape = KVW_SHAPE_EACH, .shapes = shapes, .shape_count = 2};
    static const kvw_prefix_t none = {"", 0, 0};
    const kvw_arg_t args[] = {arg("EXEC")};

    config.protocol = 2;
    conn = open_with(&config);
    check_reply(conn, "HSET hash field value", "1");
    send_words(conn, "MULTI", NULL, 0);
    send_words(conn, "SET a b", NULL, 0);
    send_words(conn, "HGETALL hash", NULL, 0);
    kvw_conn_submit(conn, &none, args, 1, &slot);
    flush(conn);
    do {
        if (!next_event(conn, &event))
            break;
        sprintf(types + strlen(types), "%d ", event.item.type);
    } while (!(event.item.flags & KVW_ITEM_LAST));
    {
        char expected[64];

        sprintf(expected, "%d %d %d %d %d %d %d ", KVW_ARRAY, KVW_BOOL, KVW_MAP, KVW_BULK, KVW_BULK,
                KVW_END, KVW_END);
        CHECK_STR(types, expected);
    }
    kvw_conn_free(conn);
}

int main(void)
{
    const char *program = find_program();

    if (program == NULL) {
        puts("skipped: neither valkey-server nor redis-server is on the PATH");
        return 0;
    }
    start_server(program);
    test_basics();
    test_refused();
    test_pipeline();
    test_big();
    test_transaction();
    stop_server();
    return test_result();
}
