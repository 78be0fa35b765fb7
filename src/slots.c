/* The queue of calls in flight. */
#include "os.h"

#include <string.h>

#include "clock.h"
#include "kvwire/alloc.h"
#include "slots.h"

#define CAPACITY_MIN 16

/* A ring that a burst has made larger than this is not kept. */
#define CAPACITY_KEEP 8192

void kvw__slots_init(kvw__slots_t *slots)
{
    memset(slots, 0, sizeof(*slots));
    slots->earliest = KVW_NEVER;
    slots->known = 1;
}

void kvw__slots_free(kvw__slots_t *slots)
{
    kvw_free(slots->ring);
    kvw__slots_init(slots);
}

int kvw__slots_reserve(kvw__slots_t *slots, size_t count)
{
    uint64_t used = kvw__slots_count(slots);
    uint64_t capacity = slots->ring == NULL ? 0 : slots->mask + 1;
    uint64_t wanted;
    kvw__slot_t *ring;

    if (used == 0 && capacity > CAPACITY_KEEP) {
        kvw_free(slots->ring);
        slots->ring = NULL;
        slots->mask = 0;
        capacity = 0;
    }
    wanted = capacity == 0 ? CAPACITY_MIN : capacity;
    if (count <= capacity - used)
        return 0;
    while (wanted - used < count)
        wanted *= 2;
    ring = kvw_malloc(wanted * sizeof(*ring));
    if (ring == NULL)
        return KVW_ENOMEM;
    for (uint64_t place = slots->head; place != slots->tail; place++)
        ring[place & (wanted - 1)] = *kvw__slots_at(slots, place);
    kvw_free(slots->ring);
    slots->ring = ring;
    slots->mask = wanted - 1;
    return 0;
}

/* ---- deadlines ---------------------------------------------------------------------------- */

/* Whether somebody waits for the slot, and not for ever. */
static int is_timed(const kvw__slot_t *slot)
{
    return slot->call.user != NULL && slot->call.deadline > 0 && slot->call.deadline != KVW_NEVER;
}

void kvw__slots_note(kvw__slots_t *slots, int64_t deadline)
{
    slots->mixed = 1;
    if (deadline < slots->earliest)
        slots->earliest = deadline;
}

void kvw__slots_stamp(kvw__slots_t *slots, int64_t now, int64_t timeout)
{
    int64_t deadline = kvw__later(now, timeout);

    for (; slots->stamped != slots->tail; slots->stamped++) {
        kvw__slot_t *slot = kvw__slots_at(slots, slots->stamped);

        if (slot->call.deadline > 0)
            continue;
        if (slot->call.deadline < 0) {
            slot->call.deadline = kvw__later(now, -slot->call.deadline);
            if (is_timed(slot))
                kvw__slots_note(slots, slot->call.deadline);
            continue;
        }
        slot->call.deadline = deadline;
        if (deadline < slots->latest)
            slots->mixed = 1;
        slots->latest = deadline;
        if (slots->known && deadline < slots->earliest && slot->call.user != NULL)
            slots->earliest = deadline;
    }
}

/* Find the first call whose deadline is not after `now`: 1 and *found, or 0, and then the earliest
 * deadline is known. */
static int find_expired(kvw__slots_t *slots, int64_t now, uint64_t *found)
{
    int64_t earliest = KVW_NEVER;

    if (slots->timed < slots->head)
        slots->timed = slots->head;
    for (uint64_t place = slots->timed; place != slots->tail; place++) {
        const kvw__slot_t *slot = kvw__slots_at(slots, place);

        if (is_timed(slot)) {
            if (slot->call.deadline <= now) {
                *found = place;
                return 1;
            }
            if (slot->call.deadline < earliest)
                earliest = slot->call.deadline;
            if (!slots->mixed)
                break; /* the others come later */
        } else if (place == slots->timed && slot->call.deadline > 0) {
            slots->timed++;
        }
    }
    slots->earliest = earliest;
    slots->known = 1;
    return 0;
}

int64_t kvw__slots_deadline(kvw__slots_t *slots)
{
    uint64_t none;

    if (!slots->known)
        find_expired(slots, INT64_MIN, &none);
    return slots->earliest;
}

/* ---- units -------------------------------------------------------------------------------- */

static uint64_t unit_begin(const kvw__slots_t *slots, uint64_t place)
{
    while (place > slots->head && kvw__slots_at(slots, place)->tied)
        place--;
    return place;
}

static uint64_t unit_end(const kvw__slots_t *slots, uint64_t place)
{
    do
        place++;
    while (place < slots->tail && kvw__slots_at(slots, place)->tied);
    return place;
}

/* Mark the unit [begin, end) to be taken back, if that can be done: it has not gone to the socket,
 * and nobody waits for any of it beyond `now`. Returns whether it was. */
static int cut_unit(kvw__slots_t *slots, uint64_t begin, uint64_t end, int64_t now)
{
    if (begin < slots->committed)
        return 0;
    for (uint64_t place = begin; place != end; place++) {
        const kvw__slot_t *slot = kvw__slots_at(slots, place);

        if (slot->call.user != NULL && (!is_timed(slot) || slot->call.deadline > now))
            return 0;
    }
    for (uint64_t place = begin; place != end; place++)
        kvw__slots_at(slots, place)->cut = 1;
    slots->cuts = 1;
    return 1;
}

static void lose_caller(kvw__slots_t *slots, kvw__slot_t *slot)
{
    if (is_timed(slot) && slot->call.deadline <= slots->earliest)
        slots->known = 0;
    slot->call.user = NULL;
}

void kvw__slots_forget_head(kvw__slots_t *slots)
{
    lose_caller(slots, kvw__slots_at(slots, slots->head));
}

int kvw__slots_abandon(kvw__slots_t *slots, const void *user, int *head)
{
    uint64_t end = slots->tail;
    int bits = 0;
    int found = 0;

    for (uint64_t place = slots->tail; place-- != slots->head;) {
        kvw__slot_t *slot = kvw__slots_at(slots, place);

        if (slot->call.user == user) {
            lose_caller(slots, slot);
            found = 1;
            if (place == slots->head)
                *head = 1;
        }
        if (slot->tied && place != slots->head)
            continue;
        /* The first of a unit, which ends at `end`. */
        if (found) {
            bits |= KVW_ABANDON_FOUND;
            if (slot->tied || !cut_unit(slots, place, end, INT64_MIN))
                bits |= KVW_ABANDON_SENT;
        }
        end = place;
        found = 0;
    }
    return bits;
}

int kvw__slots_expire(kvw__slots_t *slots, int64_t now, kvw_lost_t *lost, int *head)
{
    kvw__slot_t *slot;
    uint64_t place;

    if ((slots->known && slots->earliest > now) || !find_expired(slots, now, &place))
        return 0;
    slot = kvw__slots_at(slots, place);
    if (place >= slots->committed && !slot->cut)
        cut_unit(slots, unit_begin(slots, place), unit_end(slots, place), now);
    lost->slot = slot->call;
    lost->maybe_executed = !slot->cut;
    if (place == slots->head)
        *head = 1;
    lose_caller(slots, slot);
    return 1;
}

/* ---- taking back -------------------------------------------------------------------------- */

size_t kvw__slots_compact(kvw__slots_t *slots, kvw__writer_t *writer, kvw__segments_t *done)
{
    kvw__segments_t kept;
    kvw__segment_t *segment = kvw__segments_take(&writer->segments);
    uint64_t to = slots->committed;
    size_t out = 0, removed = 0;

    kvw__segments_init(&kept);
    for (uint64_t place = slots->committed; place != slots->tail; place++) {
        kvw__slot_t *slot = kvw__slots_at(slots, place);
        size_t begin = slot->at;
        size_t end = place + 1 == slots->tail ? writer->len : kvw__slots_at(slots, place + 1)->at;
        size_t len = end - begin;

        while (segment != NULL && segment->at < end) {
            kvw__segment_t *next = segment->next;

            if (slot->cut) {
                removed += segment->len;
                kvw__segments_append(done, segment);
            } else {
                segment->at -= begin - out;
                kvw__segments_append(&kept, segment);
            }
            segment = next;
        }
        if (slot->cut) {
            removed += len;
            continue;
        }
        memmove(writer->buf + out, writer->buf + begin, len);
        slot->at = out;
        slot->start -= removed;
        out += len;
        *kvw__slots_at(slots, to++) = *slot;
    }
    kvw__segments_move(&writer->segments, &kept);
    writer->len = out;
    writer->unsent -= removed;
    slots->tail = to;
    slots->cuts = 0;
    slots->known = 0;
    slots->timed = slots->head;
    slots->stamped = slots->committed;
    return removed;
}
