/* The command writer. */
#include "failing.h"
#include "test.h"
#include "write.h"

#include "kvwire/kvwire.h"

static int released;

static void count_release(void *hold)
{
    released += *(int *)hold;
}

/* What is unsent, in one piece. */
static size_t flatten(const kvw__writer_t *writer, char *out, int most)
{
    struct iovec parts[64];
    int count = kvw__writer_gather(writer, parts, most);
    size_t len = 0;

    for (int at = 0; at < count; at++) {
        memcpy(out + len, parts[at].iov_base, parts[at].iov_len);
        len += parts[at].iov_len;
    }
    out[len] = '\0';
    return len;
}

static kvw_arg_t word(const char *text)
{
    return (kvw_arg_t){.ptr = text, .len = strlen(text)};
}

static void drop(kvw__writer_t *writer)
{
    kvw__segments_release(kvw__segments_take(&writer->segments));
    kvw__writer_free(writer);
}

static void test_encoding(void)
{
    char prefix_bytes[64];
    const kvw_arg_t words[] = {word("CLIENT"), word("SETNAME")};
    size_t prefix_len = kvw_prefix_encode(words, 2, prefix_bytes, sizeof(prefix_bytes));
    const kvw_prefix_t prefix = {prefix_bytes, prefix_len, 2};
    const kvw_arg_t args[] = {word(""), word("0123456789"), {.ptr = "a\0b", .len = 3}};
    const char expected[] = "*5\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n$0\r\n\r\n$10\r\n0123456789\r\n"
                            "$3\r\na\0b\r\n";
    kvw__writer_t writer;
    char out[256];

    CHECK_INT(prefix_len, 25);
    CHECK_INT(kvw_prefix_encode(words, 2, NULL, 0), 25);
    kvw__writer_init(&writer);
    CHECK_INT(kvw__writer_command(&writer, &prefix, args, 3), 0);
    CHECK_INT(writer.unsent, sizeof(expected) - 1);
    CHECK_INT(flatten(&writer, out, 64), sizeof(expected) - 1);
    CHECK(memcmp(out, expected, sizeof(expected) - 1) == 0);
    drop(&writer);
}

/* Every length whose decimal form has another number of digits. */
static void test_counts(void)
{
    static const kvw_prefix_t none = {"", 0, 0};
    static char long_value[1000001];
    kvw__writer_t writer;

    for (size_t len = 9; len <= 1000000; len = len * 10 + 9) {
        for (size_t more = 0; more < 2; more++) {
            const kvw_arg_t args[] = {{.ptr = long_value, .len = len + more}};
            char head[40];
            struct iovec part;
            int head_len = snprintf(head, sizeof(head), "*1\r\n$%zu\r\n", len + more);

            kvw__writer_init(&writer);
            CHECK_INT(kvw__writer_command(&writer, &none, args, 1), 0);
            CHECK_INT(kvw__writer_gather(&writer, &part, 1), 1);
            CHECK_INT(part.iov_len, (size_t)head_len + len + more + 2);
            CHECK(memcmp(part.iov_base, head, (size_t)head_len) == 0);
            drop(&writer);
        }
    }
}

/* Small copied and large referenced arguments in every order, sent in pieces of every size. */
static void test_pieces(void)
{
    static const kvw_prefix_t none = {"", 0, 0};
    static char big[2][KVW_ARG_COPY_MAX + 2];
    static char whole[8 * KVW_ARG_COPY_MAX], sent[8 * KVW_ARG_COPY_MAX];
    int weight[3] = {1, 10, 100};
    const kvw_arg_t args[] = {
        {.ptr = big[0], .len = KVW_ARG_COPY_MAX + 1, .release = count_release, .hold = &weight[0]},
        {.ptr = "small", .len = 5, .release = count_release, .hold = &weight[1]},
        {.ptr = big[1], .len = KVW_ARG_COPY_MAX + 2, .release = count_release, .hold = &weight[2]},
    };
    const size_t steps[] = {1, 7, 4096, KVW_ARG_COPY_MAX + 1, 1 << 20};

    memset(big[0], 'x', sizeof(big[0]));
    memset(big[1], 'y', sizeof(big[1]));
    for (size_t which = 0; which < sizeof(steps) / sizeof(steps[0]); which++) {
        kvw__segments_t done;
        kvw__writer_t writer;
        size_t len, at = 0;

        released = 0;
        kvw__segments_init(&done);
        kvw__writer_init(&writer);
        CHECK_INT(kvw__writer_command(&writer, &none, args, 3), 0);
        CHECK_INT(kvw__writer_command(&writer, &none, args + 1, 1), 0);
        kvw__args_release_copied(args, 3);
        CHECK_INT(released, 10);
        len = flatten(&writer, whole, 64);
        CHECK_INT(len, writer.unsent);
        while (writer.unsent != 0) {
            size_t step = flatten(&writer, sent + at, 64);

            CHECK_INT(step, len - at);
            if (step > steps[which])
                step = steps[which];
            kvw__writer_sent(&writer, step, &done);
            at += step;
            if (writer.unsent == 0)
                CHECK_INT(writer.len, 0);
        }
        CHECK(memcmp(whole, sent, len) == 0);
        kvw__segments_release(kvw__segments_take(&done));
        CHECK_INT(released, 111);
        drop(&writer);
        CHECK_INT(released, 111);
    }
}

static void test_append(void)
{
    static const kvw_prefix_t none = {"", 0, 0};
    static char big[KVW_ARG_COPY_MAX + 1];
    static char expected[4 * sizeof(big)], out[4 * sizeof(big)];
    int weight = 1;
    const kvw_arg_t args[] = {
        word("a"), {.ptr = big, .len = sizeof(big), .release = count_release, .hold = &weight}};
    kvw__writer_t writer, other;
    size_t len;

    memset(big, 'x', sizeof(big));
    released = 0;
    kvw__writer_init(&writer);
    kvw__writer_init(&other);
    CHECK_INT(kvw__writer_command(&writer, &none, args, 2), 0);
    CHECK_INT(kvw__writer_command(&other, &none, args, 2), 0);
    len = flatten(&writer, expected, 64);
    memcpy(expected + len, expected, len);
    CHECK_INT(kvw__writer_append(&writer, &other), 0);
    CHECK_INT(other.unsent, 0);
    CHECK(other.segments.first == NULL);
    CHECK_INT(kvw__writer_append(&writer, &other), 0);
    CHECK_INT(writer.unsent, 2 * len);
    CHECK_INT(flatten(&writer, out, 64), 2 * len);
    CHECK(memcmp(out, expected, 2 * len) == 0);
    /* As far as the parts reach. */
    CHECK_INT(flatten(&writer, out, 1), 4 + 7 + 4 + 3);
    drop(&other);
    drop(&writer);
    CHECK_INT(released, 2);
}

/* Without memory nothing is added and nothing is released. */
static void test_no_memory(void)
{
    static const kvw_prefix_t none = {"", 0, 0};
    static char big[KVW_ARG_COPY_MAX + 1];
    int weight = 1, err;
    const kvw_arg_t args[] = {
        {.ptr = big, .len = sizeof(big), .release = count_release, .hold = &weight},
        {.ptr = big, .len = sizeof(big), .release = count_release, .hold = &weight}};
    long at = 0;

    released = 0;
    do {
        kvw__writer_t writer;

        failing_start(++at);
        kvw__writer_init(&writer);
        err = kvw__writer_command(&writer, &none, args, 2);
        CHECK(err == 0 || err == KVW_ENOMEM);
        if (err != 0) {
            CHECK_INT(writer.unsent, 0);
            CHECK_INT(writer.len, 0);
            CHECK(writer.segments.first == NULL);
            CHECK_INT(released, 0);
        }
        drop(&writer);
        CHECK_INT(failing_live, 0);
    } while (err != 0);
    failing_stop();
    CHECK_INT(at, 4);
    CHECK_INT(released, 2);
}

int main(void)
{
    test_encoding();
    test_counts();
    test_pieces();
    test_append();
    test_no_memory();
    return test_result();
}
