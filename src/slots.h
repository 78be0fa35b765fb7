/* The queue of calls in flight: the one place where a reply meets the command it answers.
 *
 * Slots stand in the order of their commands. A slot remembers where in the connection's outgoing
 * stream its command begins, so that "may have been sent" can be answered exactly. A slot leaves
 * the queue at the head, when its reply is complete; a call that nobody waits for any more keeps
 * its slot, and its reply is dropped. Only a command that has not been handed to the socket at all
 * can be taken back (kvw__slots_compact).
 *
 * Commands that must not be torn apart (a batch: MULTI to EXEC) form a unit: all slots of a unit
 * but the first are `tied`. A unit is taken back as a whole or not at all. */
#ifndef KVWIRE_SLOTS_H
#define KVWIRE_SLOTS_H

#include <stdint.h>

#include "kvwire/conn.h"
#include "write.h"

typedef struct kvw__slot {
    kvw_slot_t call;
    uint64_t start; /* the command's first byte in the outgoing stream */
    size_t at;      /* the same in the buffer of its writer */
    uint8_t tied;   /* belongs together with the slot before it */
    uint8_t cut;    /* to be taken back before the next send */
} kvw__slot_t;

/* Places count up for ever; a slot's is `place & mask` in the ring. */
typedef struct kvw__slots {
    kvw__slot_t *ring;
    uint64_t mask; /* the capacity less 1; 0 while there is none */
    uint64_t head, tail;
    uint64_t committed; /* slots from here on have not been handed to the socket */
    uint64_t stamped;   /* slots before this one have a deadline that is a moment, or none */
    uint64_t timed;     /* no slot before this one has or will get a deadline that matters */
    int64_t earliest;   /* the earliest deadline, when that is known */
    int64_t latest;     /* of the deadlines given by kvw__slots_stamp */
    uint8_t known;
    uint8_t mixed; /* deadlines do not stand in order */
    uint8_t cuts;  /* some slots are to be cut */
} kvw__slots_t;

void kvw__slots_init(kvw__slots_t *slots);
void kvw__slots_free(kvw__slots_t *slots);

/* Make room for `count` more. 0 or KVW_ENOMEM. */
int kvw__slots_reserve(kvw__slots_t *slots, size_t count);

/* Note a deadline of a slot that is not in line with the others. */
void kvw__slots_note(kvw__slots_t *slots, int64_t deadline);

/* All slots are to go to the socket as soon as it takes them: give those whose deadline is no
 * moment yet theirs. */
void kvw__slots_stamp(kvw__slots_t *slots, int64_t now, int64_t timeout);

/* All slots, which are stamped, go to the socket. */
static inline void kvw__slots_commit(kvw__slots_t *slots)
{
    slots->committed = slots->tail;
}

/* Take the cut slots out, their commands out of the writer (which holds those of all slots not yet
 * committed) and their segments into `done`. Returns how many bytes of the stream went away. */
size_t kvw__slots_compact(kvw__slots_t *slots, kvw__writer_t *writer, kvw__segments_t *done);

/* Everybody with this `user` has gone. Returns KVW_ABANDON_* bits; *head is set to 1 when the
 * first slot was among them. */
int kvw__slots_abandon(kvw__slots_t *slots, const void *user, int *head);

/* The caller of the first slot has gone. */
void kvw__slots_forget_head(kvw__slots_t *slots);

/* The earliest deadline of a slot that somebody waits for. */
int64_t kvw__slots_deadline(kvw__slots_t *slots);

/* Take one call whose deadline has passed: 1 and *lost (without `err`), or 0. *head as above. */
int kvw__slots_expire(kvw__slots_t *slots, int64_t now, kvw_lost_t *lost, int *head);

static inline uint64_t kvw__slots_count(const kvw__slots_t *slots)
{
    return slots->tail - slots->head;
}

static inline kvw__slot_t *kvw__slots_at(const kvw__slots_t *slots, uint64_t place)
{
    return &slots->ring[place & slots->mask];
}

/* The oldest slot whose command has gone to the socket, NULL when there is none. */
static inline kvw__slot_t *kvw__slots_head(const kvw__slots_t *slots)
{
    return slots->head < slots->committed ? kvw__slots_at(slots, slots->head) : NULL;
}

/* Append a slot, for which kvw__slots_reserve has made room. */
static inline void kvw__slots_push(kvw__slots_t *slots, const kvw_slot_t *call, uint64_t start,
                                   size_t at, int tied)
{
    kvw__slot_t *slot = kvw__slots_at(slots, slots->tail++);

    slot->call = *call;
    slot->start = start;
    slot->at = at;
    slot->tied = tied != 0;
    slot->cut = 0;
    if (call->deadline > 0 && call->deadline != KVW_NEVER && call->user != NULL)
        kvw__slots_note(slots, call->deadline);
}

/* Remove the oldest slot. */
static inline void kvw__slots_pop(kvw__slots_t *slots)
{
    const kvw__slot_t *slot = kvw__slots_at(slots, slots->head++);

    if (slot->call.deadline == slots->earliest && slots->earliest != KVW_NEVER)
        slots->known = 0;
    if (slots->head == slots->tail)
        slots->mixed = 0;
}

#endif
