/* What a command means for a connection that is shared. */
#include "kvwire/conn.h"

#include "test.h"

#define WORDS_MAX 12

/* Split at spaces. */
static size_t split(const char *line, kvw_arg_t *words)
{
    size_t count = 0;

    while (*line != '\0') {
        size_t len = strcspn(line, " ");

        words[count++] = (kvw_arg_t){.ptr = line, .len = len};
        line += len;
        line += strspn(line, " ");
    }
    return count;
}

static int64_t block_of(const char *line)
{
    kvw_arg_t words[WORDS_MAX];
    size_t count = split(line, words);

    return kvw_command_block(words, count);
}

static int is_refused(const char *line)
{
    kvw_arg_t words[WORDS_MAX];
    size_t count = split(line, words);

    return kvw_command_refusal(words, count) != NULL;
}

static void blocking(void)
{
    static const struct {
        const char *line;
        int64_t time;
    } cases[] = {
        {"BLPOP q 1", 1000000000},
        {"blpop a b c 0.5", 500000000},
        {"BRPOP q 0", KVW_NEVER},
        {"BRPOP q inf", KVW_NEVER},
        {"BRPOP q 1e300", KVW_NEVER},
        {"BLPOP q 0x3", 3000000000},
        {"BLPOP q +.3e1", 3000000000},
        {"BLPOP q 3.", 3000000000},
        {"BLMOVE a b LEFT RIGHT 2", 2000000000},
        {"BRPOPLPUSH a b 3", 3000000000},
        {"BZPOPMIN z 4", 4000000000},
        {"BZPOPMAX z 4", 4000000000},
        {"BLMPOP 5 1 q LEFT", 5000000000},
        {"BZMPOP 0 1 z MIN", KVW_NEVER},
        {"WAIT 1 100", 100000000},
        {"WAITAOF 1 1 0", KVW_NEVER},
        {"XREAD BLOCK 10 STREAMS s $", 10000000},
        {"xread count 1 block 0 streams s $", KVW_NEVER},
        {"XREADGROUP GROUP g c COUNT 1 BLOCK 10 NOACK STREAMS s >", 10000000},
        {"XREADGROUP BLOCK 10 COUNT 1 GROUP g c STREAMS s >", 10000000},
        {"XREADGROUP COUNT BLOCK BLOCK 10 GROUP BLOCK STREAMS STREAMS s >", 10000000},
        /* They do not block. */
        {"XREAD STREAMS BLOCK 10", -1},
        {"XREADGROUP GROUP BLOCK 10 STREAMS s >", -1},
        {"XREAD BLOCK", -1},
        {"LPOP q 1", -1},
        {"BLPOPS q 1", -1},
        {"", -1},
        /* The server refuses them at once. */
        {"BLPOP", -1},
        {"BLPOP q soon", -1},
        {"BLPOP q 1s", -1},
        {"BLPOP q nan", -1},
        {"BLPOP q -1", -1},
    };

    for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
        if (!CHECK_INT(block_of(cases[at].line), cases[at].time))
            fprintf(stderr, "  of %s\n", cases[at].line);
    }
}

static void refused(void)
{
    CHECK(is_refused("SUBSCRIBE c"));
    CHECK(is_refused("client reply off"));
    CHECK(is_refused("Multi"));
    CHECK(!is_refused("CLIENT"));
    CHECK(!is_refused("CLIENT NO-TOUCH ON"));
    CHECK(!is_refused("MULTIPLY"));
    CHECK(!is_refused(""));
}

int main(void)
{
    blocking();
    refused();
    return test_result();
}
