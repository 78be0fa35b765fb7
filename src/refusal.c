/* Commands that a shared connection cannot take. */
#include <string.h>
#include <strings.h>

#include "kvwire/conn.h"

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
