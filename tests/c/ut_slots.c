/* The queue of calls in flight. */
#include "failing.h"
#include "slots.h"
#include "test.h"

static char users[8]; /* their addresses stand for callers */

#define USER(n) ((void *)&users[n])

static kvw_slot_t call(void *user, uint32_t index, int64_t deadline)
{
    return (kvw_slot_t){.user = user, .index = index, .deadline = deadline};
}

static void commit(kvw__slots_t *slots, int64_t now, int64_t timeout)
{
    kvw__slots_stamp(slots, now, timeout);
    kvw__slots_commit(slots);
}

static void push(kvw__slots_t *slots, kvw_slot_t slot, uint64_t start, size_t at, int tied)
{
    CHECK_INT(kvw__slots_reserve(slots, 1), 0);
    kvw__slots_push(slots, &slot, start, at, tied);
}

/* Push `count` plain slots for one user, of ten bytes each. */
static void push_many(kvw__slots_t *slots, void *user, unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        push(slots, call(user, (uint32_t)slots->tail, 0), slots->tail * 10, slots->tail * 10, 0);
}

static int abandon(kvw__slots_t *slots, void *user)
{
    int head = 0;

    return kvw__slots_abandon(slots, user, &head);
}

static void test_order(void)
{
    kvw__slots_t slots;
    uint32_t expected = 0;

    kvw__slots_init(&slots);
    CHECK(kvw__slots_head(&slots) == NULL);
    /* In and out at different paces, so that the ring turns and grows while turned. */
    for (unsigned round = 0; round < 200; round++) {
        push_many(&slots, USER(0), 1 + round % 7);
        CHECK_INT(kvw__slots_head(&slots) == NULL, slots.head == slots.committed);
        commit(&slots, 0, KVW_NEVER);
        for (unsigned n = 0; n < round % 6 && kvw__slots_head(&slots) != NULL; n++) {
            CHECK_INT(kvw__slots_head(&slots)->call.index, expected);
            CHECK_INT(kvw__slots_head(&slots)->start, expected * 10);
            expected++;
            kvw__slots_pop(&slots);
        }
    }
    while (kvw__slots_head(&slots) != NULL) {
        CHECK_INT(kvw__slots_head(&slots)->call.index, expected++);
        kvw__slots_pop(&slots);
    }
    CHECK_INT(kvw__slots_count(&slots), 0);
    CHECK_INT(expected, slots.tail);
    kvw__slots_free(&slots);
}

static void test_deadlines_in_order(void)
{
    kvw__slots_t slots;

    kvw__slots_init(&slots);
    CHECK(kvw__slots_deadline(&slots) == KVW_NEVER);
    push_many(&slots, USER(0), 2);
    CHECK(kvw__slots_deadline(&slots) == KVW_NEVER); /* not on their way yet */
    commit(&slots, 100, 50);
    CHECK_INT(kvw__slots_deadline(&slots), 150);
    push_many(&slots, USER(1), 2);
    commit(&slots, 120, 50);
    CHECK_INT(kvw__slots_deadline(&slots), 150);
    kvw__slots_pop(&slots);
    CHECK_INT(kvw__slots_deadline(&slots), 150);
    CHECK_INT(abandon(&slots, USER(0)), KVW_ABANDON_FOUND | KVW_ABANDON_SENT);
    CHECK_INT(kvw__slots_deadline(&slots), 170);
    kvw__slots_pop(&slots);
    CHECK_INT(kvw__slots_deadline(&slots), 170);
    kvw__slots_pop(&slots);
    kvw__slots_pop(&slots);
    CHECK(kvw__slots_deadline(&slots) == KVW_NEVER);
    /* No timeout, or one beyond all time. */
    push_many(&slots, USER(0), 1);
    commit(&slots, 100, KVW_NEVER);
    push_many(&slots, USER(0), 1);
    commit(&slots, KVW_NEVER - 10, 20);
    CHECK(kvw__slots_deadline(&slots) == KVW_NEVER);
    kvw__slots_free(&slots);
}

static void test_deadlines_mixed(void)
{
    kvw__slots_t slots;
    kvw_lost_t lost;
    int head = 0;

    kvw__slots_init(&slots);
    push(&slots, call(USER(0), 0, 0), 0, 0, 0);
    push(&slots, call(USER(1), 1, 60), 10, 10, 0); /* counts at once */
    CHECK_INT(kvw__slots_deadline(&slots), 60);
    commit(&slots, 50, 100);
    CHECK_INT(kvw__slots_deadline(&slots), 60);
    push(&slots, call(USER(2), 2, 55), 20, 20, 0);
    push(&slots, call(USER(3), 3, KVW_NEVER), 30, 30, 0);
    CHECK_INT(kvw__slots_deadline(&slots), 55);
    commit(&slots, 51, 100);
    CHECK_INT(kvw__slots_expire(&slots, 54, &lost, &head), 0);
    CHECK_INT(kvw__slots_expire(&slots, 60, &lost, &head), 1);
    CHECK_INT(lost.slot.index, 1);
    CHECK_INT(lost.maybe_executed, 1);
    CHECK_INT(kvw__slots_expire(&slots, 60, &lost, &head), 1);
    CHECK_INT(lost.slot.index, 2);
    CHECK_INT(kvw__slots_expire(&slots, 60, &lost, &head), 0);
    CHECK_INT(head, 0);
    CHECK_INT(kvw__slots_deadline(&slots), 150);
    CHECK_INT(kvw__slots_expire(&slots, 150, &lost, &head), 1);
    CHECK_INT(lost.slot.index, 0);
    CHECK_INT(head, 1);
    CHECK(kvw__slots_deadline(&slots) == KVW_NEVER);
    /* They stay in the queue, nobody's. */
    CHECK_INT(kvw__slots_count(&slots), 4);
    CHECK(kvw__slots_head(&slots)->call.user == NULL);
    while (kvw__slots_head(&slots) != NULL)
        kvw__slots_pop(&slots);
    CHECK_INT(slots.mixed, 0);
    kvw__slots_free(&slots);
}

/* A time that begins with the flush, and calls whose flush the socket does not take yet. */
static void test_deadlines_before_the_send(void)
{
    kvw__slots_t slots;
    kvw_lost_t lost;
    int head = 0;

    kvw__slots_init(&slots);
    push(&slots, call(USER(0), 0, 0), 0, 0, 0);
    push(&slots, call(USER(1), 1, -500), 10, 10, 0);
    push(&slots, call(USER(2), 2, -KVW_NEVER), 20, 20, 0);
    CHECK(kvw__slots_deadline(&slots) == KVW_NEVER);
    CHECK_INT(kvw__slots_expire(&slots, KVW_NEVER - 1, &lost, &head), 0);
    commit(&slots, 1000, 100);
    CHECK_INT(kvw__slots_deadline(&slots), 1100);
    push(&slots, call(USER(3), 3, 0), 30, 0, 0);
    kvw__slots_stamp(&slots, 1050, 100);
    push(&slots, call(USER(4), 4, -20), 40, 10, 0);
    kvw__slots_stamp(&slots, 1060, 100);
    CHECK_INT(kvw__slots_deadline(&slots), 1080);
    CHECK_INT(kvw__slots_expire(&slots, 1200, &lost, &head), 1);
    CHECK_INT(lost.slot.index, 0);
    CHECK_INT(lost.maybe_executed, 1);
    CHECK_INT(kvw__slots_expire(&slots, 1200, &lost, &head), 1);
    CHECK_INT(lost.slot.index, 3);
    CHECK_INT(lost.maybe_executed, 0); /* taken back */
    CHECK_INT(kvw__slots_expire(&slots, 1200, &lost, &head), 1);
    CHECK_INT(lost.slot.index, 4);
    CHECK_INT(lost.maybe_executed, 0);
    CHECK_INT(kvw__slots_expire(&slots, 1200, &lost, &head), 0);
    CHECK_INT(kvw__slots_deadline(&slots), 1500);
    CHECK_INT(kvw__slots_expire(&slots, 1500, &lost, &head), 1);
    CHECK_INT(lost.slot.index, 1);
    CHECK_INT(kvw__slots_expire(&slots, KVW_NEVER - 1, &lost, &head), 0);
    kvw__slots_free(&slots);
}

/* Random deadlines against a plain search. */
static void test_deadlines_random(void)
{
    enum { MOST = 64 };
    kvw__slots_t slots;
    uint64_t seed = 88172645463325252u;

    kvw__slots_init(&slots);
    for (unsigned round = 0; round < 20000; round++) {
        int64_t expected = KVW_NEVER;
        int head = 0;
        kvw_lost_t lost;

        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        switch (seed % 6) {
        case 0:
        case 1:
            if (kvw__slots_count(&slots) < MOST)
                push(&slots,
                     call(USER(seed / 8 % 8), round,
                          seed / 64 % 3 == 0 ? (int64_t)(round + seed / 256 % 100) : 0),
                     slots.tail * 10, 0, 0);
            break;
        case 2:
            commit(&slots, round, seed / 64 % 4 == 0 ? 20 : 50);
            break;
        case 3:
            if (kvw__slots_head(&slots) != NULL)
                kvw__slots_pop(&slots);
            break;
        case 4:
            if (seed / 64 % 20 == 0)
                abandon(&slots, USER(seed / 8 % 8));
            break;
        default:
            if (kvw__slots_expire(&slots, (int64_t)round - 10, &lost, &head)) {
                CHECK(lost.slot.deadline <= (int64_t)round - 10);
                CHECK(lost.slot.user != NULL);
            } else {
                CHECK(kvw__slots_deadline(&slots) > (int64_t)round - 10);
            }
            break;
        }
        for (uint64_t place = slots.head; place != slots.tail; place++) {
            const kvw_slot_t *slot = &kvw__slots_at(&slots, place)->call;

            if (slot->user != NULL && slot->deadline != 0 && slot->deadline < expected)
                expected = slot->deadline;
        }
        if (!CHECK_INT(kvw__slots_deadline(&slots), expected))
            break;
    }
    kvw__slots_free(&slots);
}

/* ---- taking back -------------------------------------------------------------------------- */

static int released;

static void count_release(void *hold)
{
    released += *(int *)hold;
}

/* Commands as a connection writes them: each in the writer and with its slot. */
static void write_command(kvw__writer_t *writer, kvw__slots_t *slots, const char *word,
                          const char *big, int *weight, void *user, int tied)
{
    static const kvw_prefix_t none = {"", 0, 0};
    const kvw_arg_t args[] = {
        {.ptr = word, .len = strlen(word)},
        {.ptr = big, .len = KVW_ARG_COPY_MAX + 1, .release = count_release, .hold = weight}};
    uint64_t start = writer->unsent;
    size_t at = writer->len;

    CHECK_INT(kvw__writer_command(writer, &none, args, big != NULL ? 2 : 1), 0);
    push(slots, call(user, (uint32_t)slots->tail, 0), start, at, tied);
}

/* The first letters of the commands that are left, and whether all else fits together. */
static void check_left(const kvw__writer_t *writer, const kvw__slots_t *slots, const char *expected)
{
    char left[32];
    size_t count = 0;
    uint64_t start = 0;
    const kvw__segment_t *segment = writer->segments.first;

    for (uint64_t place = slots->committed; place != slots->tail; place++) {
        const kvw__slot_t *slot = kvw__slots_at(slots, place);
        size_t end = place + 1 == slots->tail ? writer->len : kvw__slots_at(slots, place + 1)->at;

        CHECK(memcmp(writer->buf + end - 2, "\r\n", 2) == 0);
        CHECK(memcmp(writer->buf + slot->at, segment != NULL && segment->at < end ? "*2" : "*1",
                     2) == 0);
        left[count++] = writer->buf[slot->at + 8];
        CHECK_INT(slot->start, start);
        start += end - slot->at;
        if (segment != NULL && segment->at < end) {
            CHECK(memcmp(writer->buf + segment->at - 7, "$8193\r\n", 7) == 0);
            start += segment->len;
            segment = segment->next;
        }
    }
    left[count] = '\0';
    CHECK_STR(left, expected);
    CHECK_INT(writer->unsent, start);
    CHECK(segment == NULL);
}

static void test_compact(void)
{
    static char big[KVW_ARG_COPY_MAX + 1];
    int weight[] = {1, 10, 100, 1000};

    /* Whose commands are taken back, one bit each, of five callers. */
    for (unsigned mask = 0; mask < 32; mask++) {
        kvw__slots_t slots;
        kvw__writer_t writer;
        kvw__segments_t done;
        const char letters[] = "abcde";
        char expected[8];
        size_t count = 0, before, removed;
        int sum = 0;

        released = 0;
        kvw__slots_init(&slots);
        kvw__writer_init(&writer);
        kvw__segments_init(&done);
        write_command(&writer, &slots, "a", big, &weight[0], USER(0), 0);
        write_command(&writer, &slots, "b", NULL, NULL, USER(1), 0);
        write_command(&writer, &slots, "c", big, &weight[1], USER(2), 0);
        write_command(&writer, &slots, "d", big, &weight[2], USER(3), 0);
        write_command(&writer, &slots, "e", NULL, NULL, USER(4), 0);
        for (int n = 0; n < 5; n++) {
            if (mask >> n & 1) {
                CHECK_INT(abandon(&slots, USER(n)), KVW_ABANDON_FOUND);
                CHECK_INT(abandon(&slots, USER(n)), 0);
                sum += n == 0 ? 1 : n == 2 ? 10 : n == 3 ? 100 : 0;
            } else {
                expected[count++] = letters[n];
            }
        }
        expected[count] = '\0';
        CHECK_INT(slots.cuts, mask != 0);
        before = writer.unsent;
        removed = kvw__slots_compact(&slots, &writer, &done);
        CHECK_INT(removed, before - writer.unsent);
        check_left(&writer, &slots, expected);
        kvw__segments_release(kvw__segments_take(&done));
        CHECK_INT(released, sum);
        kvw__segments_release(kvw__segments_take(&writer.segments));
        CHECK_INT(released, 111);
        kvw__writer_free(&writer);
        kvw__slots_free(&slots);
    }
}

/* MULTI to EXEC goes or stays as a whole. */
static void test_units(void)
{
    kvw__slots_t slots;
    kvw__writer_t writer;
    kvw__segments_t done;
    kvw_lost_t lost;
    int head = 0;

    kvw__slots_init(&slots);
    kvw__writer_init(&writer);
    kvw__segments_init(&done);
    write_command(&writer, &slots, "a", NULL, NULL, USER(0), 0);
    write_command(&writer, &slots, "m", NULL, NULL, USER(1), 0);
    write_command(&writer, &slots, "n", NULL, NULL, NULL, 1);
    write_command(&writer, &slots, "x", NULL, NULL, USER(1), 1);
    write_command(&writer, &slots, "b", NULL, NULL, USER(0), 0);
    CHECK_INT(abandon(&slots, USER(1)), KVW_ABANDON_FOUND);
    kvw__slots_compact(&slots, &writer, &done);
    check_left(&writer, &slots, "ab");

    /* Two callers in one unit: it stays until both have gone. */
    write_command(&writer, &slots, "m", NULL, NULL, USER(1), 0);
    write_command(&writer, &slots, "x", NULL, NULL, USER(2), 1);
    CHECK_INT(abandon(&slots, USER(1)), KVW_ABANDON_FOUND | KVW_ABANDON_SENT);
    CHECK_INT(slots.cuts, 0);
    CHECK_INT(abandon(&slots, USER(2)), KVW_ABANDON_FOUND);
    kvw__slots_compact(&slots, &writer, &done);
    check_left(&writer, &slots, "ab");

    /* A unit whose first part is already complete. */
    write_command(&writer, &slots, "m", NULL, NULL, USER(1), 0);
    write_command(&writer, &slots, "x", NULL, NULL, USER(1), 1);
    commit(&slots, 0, KVW_NEVER);
    kvw__slots_pop(&slots);
    kvw__slots_pop(&slots);
    kvw__slots_pop(&slots);
    CHECK_INT(abandon(&slots, USER(1)), KVW_ABANDON_FOUND | KVW_ABANDON_SENT);
    CHECK_INT(slots.cuts, 0);
    kvw__slots_pop(&slots);

    /* What nobody waited for from the start is not taken back. */
    kvw__writer_free(&writer);
    write_command(&writer, &slots, "f", NULL, NULL, NULL, 0);
    write_command(&writer, &slots, "g", NULL, NULL, USER(1), 0);
    CHECK_INT(abandon(&slots, USER(1)), KVW_ABANDON_FOUND);
    kvw__slots_compact(&slots, &writer, &done);
    check_left(&writer, &slots, "f");
    commit(&slots, 0, KVW_NEVER);
    kvw__slots_pop(&slots);

    /* Deadlines: all of a unit at once, and not when a part of it has more time. */
    kvw__writer_free(&writer);
    for (int n = 0; n < 2; n++) {
        write_command(&writer, &slots, "m", NULL, NULL, USER(1), 0);
        write_command(&writer, &slots, "x", NULL, NULL, USER(2), 1);
    }
    for (uint64_t place = slots.head; place != slots.tail; place++) {
        kvw__slots_at(&slots, place)->call.deadline = place + 1 == slots.tail ? 70 : 50;
        kvw__slots_note(&slots, 50);
    }
    CHECK_INT(kvw__slots_expire(&slots, 60, &lost, &head), 1);
    CHECK_INT(lost.maybe_executed, 0);
    CHECK_INT(kvw__slots_expire(&slots, 60, &lost, &head), 1);
    CHECK_INT(lost.maybe_executed, 0);
    CHECK_INT(kvw__slots_expire(&slots, 60, &lost, &head), 1);
    CHECK_INT(lost.maybe_executed, 1);
    CHECK_INT(kvw__slots_expire(&slots, 60, &lost, &head), 0);
    kvw__slots_compact(&slots, &writer, &done);
    check_left(&writer, &slots, "mx");

    CHECK(done.first == NULL);
    kvw__writer_free(&writer);
    kvw__slots_free(&slots);
}

/* A burst does not keep its memory for ever. */
static void test_burst(void)
{
    kvw__slots_t slots;

    kvw__slots_init(&slots);
    push_many(&slots, USER(0), 100000);
    CHECK(slots.mask >= 100000 - 1);
    commit(&slots, 0, KVW_NEVER);
    for (uint32_t n = 0; n < 99999; n++)
        kvw__slots_pop(&slots);
    push_many(&slots, USER(0), 1);
    CHECK(slots.mask >= 100000 - 1);
    commit(&slots, 0, KVW_NEVER);
    CHECK_INT(kvw__slots_head(&slots)->call.index, 99999);
    kvw__slots_pop(&slots);
    kvw__slots_pop(&slots);
    push_many(&slots, USER(0), 1);
    CHECK(slots.mask < 100);
    commit(&slots, 0, KVW_NEVER);
    CHECK_INT(kvw__slots_head(&slots)->call.index, 100001);
    kvw__slots_free(&slots);
}

static void test_no_memory(void)
{
    kvw__slots_t slots;

    kvw__slots_init(&slots);
    failing_start(2);
    push_many(&slots, USER(0), 16);
    CHECK_INT(kvw__slots_reserve(&slots, 1), KVW_ENOMEM);
    CHECK_INT(kvw__slots_reserve(&slots, 100), 0);
    push_many(&slots, USER(0), 100);
    for (uint32_t n = 0; n < 116; n++) {
        CHECK_INT(kvw__slots_at(&slots, slots.head)->call.index, n);
        slots.head++;
    }
    kvw__slots_free(&slots);
    CHECK_INT(failing_live, 0);
    failing_stop();
}

int main(void)
{
    test_order();
    test_deadlines_in_order();
    test_deadlines_mixed();
    test_deadlines_before_the_send();
    test_deadlines_random();
    test_compact();
    test_units();
    test_burst();
    test_no_memory();
    return test_result();
}
