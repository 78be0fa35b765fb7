/* What a command means for a connection that is shared: some have no place on it, and some would
 * hold up all others. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kvwire/conn.h"

/* ---- refused ------------------------------------------------------------------------------ */

#define REPLIES " would change how many replies come on a connection that all callers share"
#define STATE " would change a connection that all callers share"

static const struct refusal {
    const char *command, *subcommand, *sentence;
} refusals[] = {
    {"SUBSCRIBE", NULL, "SUBSCRIBE" REPLIES "; publish and subscribe are not there yet"},
    {"PSUBSCRIBE", NULL, "PSUBSCRIBE" REPLIES "; publish and subscribe are not there yet"},
    {"SSUBSCRIBE", NULL, "SSUBSCRIBE" REPLIES "; publish and subscribe are not there yet"},
    {"UNSUBSCRIBE", NULL, "UNSUBSCRIBE" REPLIES "; publish and subscribe are not there yet"},
    {"PUNSUBSCRIBE", NULL, "PUNSUBSCRIBE" REPLIES "; publish and subscribe are not there yet"},
    {"SUNSUBSCRIBE", NULL, "SUNSUBSCRIBE" REPLIES "; publish and subscribe are not there yet"},
    {"CLIENT", "REPLY", "CLIENT REPLY" REPLIES},
    {"MONITOR", NULL, "MONITOR" REPLIES},
    {"SYNC", NULL, "SYNC" REPLIES},
    {"PSYNC", NULL, "PSYNC" REPLIES},
    {"MULTI", NULL, "MULTI" STATE "; use pipeline(transaction=True)"},
    {"EXEC", NULL, "EXEC" STATE "; use pipeline(transaction=True)"},
    {"DISCARD", NULL, "DISCARD" STATE "; use pipeline(transaction=True)"},
    {"WATCH", NULL, "WATCH" STATE "; it is not there yet"},
    {"UNWATCH", NULL, "UNWATCH" STATE "; it is not there yet"},
    {"SELECT", NULL, "SELECT" STATE "; give the client its db when it is made"},
    {"HELLO", NULL, "HELLO" STATE "; give the client its protocol when it is made"},
    {"AUTH", NULL, "AUTH" STATE "; give the client its password when it is made"},
    {"RESET", NULL, "RESET" STATE},
    {"QUIT", NULL, "QUIT" STATE "; close the client instead"},
};

static int is_word(const kvw_arg_t *arg, const char *word)
{
    return arg->len == strlen(word) && strncasecmp(arg->ptr, word, arg->len) == 0;
}

const char *kvw_command_refusal(const kvw_arg_t *words, size_t count)
{
    for (size_t at = 0; count != 0 && at < sizeof(refusals) / sizeof(refusals[0]); at++) {
        const struct refusal *refusal = &refusals[at];

        if (!is_word(&words[0], refusal->command))
            continue;
        if (refusal->subcommand == NULL || (count > 1 && is_word(&words[1], refusal->subcommand)))
            return refusal->sentence;
    }
    return NULL;
}

/* ---- blocking ----------------------------------------------------------------------------- */

/* Where a blocking command has its time, and how much its unit is. */
enum { FIRST, LAST, OPTION };

#define SECOND 1000000000.0
#define MILLISECOND 1000000.0

static const struct blocking {
    const char *command;
    int place;
    double unit;
} blockings[] = {
    {"BLPOP", LAST, SECOND},        {"BRPOP", LAST, SECOND},
    {"BLMOVE", LAST, SECOND},       {"BRPOPLPUSH", LAST, SECOND},
    {"BZPOPMIN", LAST, SECOND},     {"BZPOPMAX", LAST, SECOND},
    {"BLMPOP", FIRST, SECOND},      {"BZMPOP", FIRST, SECOND},
    {"WAIT", LAST, MILLISECOND},    {"WAITAOF", LAST, MILLISECOND},
    {"XREAD", OPTION, MILLISECOND}, {"XREADGROUP", OPTION, MILLISECOND},
};

/* The word that says for how long, NULL when the command does not block. */
static const kvw_arg_t *find_time(const struct blocking *blocking, const kvw_arg_t *words,
                                  size_t count)
{
    if (blocking->place == FIRST)
        return count > 1 ? &words[1] : NULL;
    if (blocking->place == LAST)
        return count > 1 ? &words[count - 1] : NULL;
    for (size_t at = 1; at + 1 < count && !is_word(&words[at], "STREAMS"); at++) {
        if (is_word(&words[at], "BLOCK"))
            return &words[at + 1];
        if (is_word(&words[at], "GROUP"))
            at += 2;
        else if (is_word(&words[at], "COUNT"))
            at += 1;
    }
    return NULL;
}

/* Read the time as the server does, which takes whatever the C library takes. */
static int read_time(const kvw_arg_t *word, double *time)
{
    char text[64];
    char *end;

    if (word->len == 0 || word->len >= sizeof(text))
        return 0;
    memcpy(text, word->ptr, word->len);
    text[word->len] = '\0';
    *time = strtod(text, &end);
    return end == text + word->len && *time >= 0;
}

int64_t kvw_command_block(const kvw_arg_t *words, size_t count)
{
    for (size_t at = 0; count != 0 && at < sizeof(blockings) / sizeof(blockings[0]); at++) {
        const struct blocking *blocking = &blockings[at];
        const kvw_arg_t *word;
        double time;

        if (!is_word(&words[0], blocking->command))
            continue;
        word = find_time(blocking, words, count);
        /* What is no time is refused by the server, at once. */
        if (word == NULL || !read_time(word, &time))
            return -1;
        return time == 0 || time * blocking->unit >= 9e18 ? KVW_NEVER
                                                          : (int64_t)(time * blocking->unit);
    }
    return -1;
}

int kvw_command_wants_new(const kvw_arg_t *words, size_t count)
{
    return count != 0 && (is_word(&words[0], "WAIT") || is_word(&words[0], "WAITAOF"));
}
