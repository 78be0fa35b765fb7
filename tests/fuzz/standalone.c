/* Runs a fuzz target without libFuzzer: every file of a corpus as it is, then random mutations of
 * them. The same seed gives the same inputs.
 *
 *     fuzz_NAME RUNS SEED CORPUS...       where CORPUS is a file or a directory
 *
 * When a run fails its number and its input are printed. */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_MAX 4096
#define FILES_MAX 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Present in a build with a sanitizer. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

typedef struct input {
    size_t len;
    uint8_t bytes[INPUT_MAX];
} input_t;

static input_t *corpus;
static size_t corpus_count;
static input_t current;
static long current_run;

static void report(void)
{
    fprintf(stderr, "run %ld, input of %zu bytes:\n", current_run, current.len);
    for (size_t at = 0; at < current.len; at++) {
        uint8_t byte = current.bytes[at];

        if (byte == '\r')
            fputs("\\r", stderr);
        else if (byte == '\n')
            fputs("\\n", stderr);
        else if (byte < ' ' || byte > '~' || byte == '\\')
            fprintf(stderr, "\\x%02x", byte);
        else
            fputc(byte, stderr);
    }
    fputc('\n', stderr);
}

static void on_signal(int number)
{
    report();
    signal(number, SIG_DFL);
    raise(number);
}

static void run(void)
{
    /* In memory of its own size, so that a sanitizer sees what is read beyond it. */
    uint8_t *copy = malloc(current.len != 0 ? current.len : 1);

    if (copy == NULL)
        abort();
    memcpy(copy, current.bytes, current.len);
    LLVMFuzzerTestOneInput(copy, current.len);
    free(copy);
    current_run++;
}

/* ---- the corpus --------------------------------------------------------------------------- */

static void load_file(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        perror(path);
        exit(2);
    }
    if (corpus_count < FILES_MAX) {
        input_t *input = &corpus[corpus_count++];

        input->len = fread(input->bytes, 1, INPUT_MAX, file);
    }
    fclose(file);
}

static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

/* In the order of names, so that a seed means the same everywhere. */
static void load(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, by_name);
    char name[4096];

    if (count < 0) {
        load_file(path);
        return;
    }
    for (int at = 0; at < count; at++) {
        if (entries[at]->d_name[0] != '.') {
            snprintf(name, sizeof(name), "%s/%s", path, entries[at]->d_name);
            load_file(name);
        }
        free(entries[at]);
    }
    free(entries);
}

/* ---- mutation ----------------------------------------------------------------------------- */

static uint64_t random_state;

static size_t random_below(size_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return bound != 0 ? (size_t)(random_state >> 11) % bound : 0;
}

/* Make room at `at` for `len` bytes from `bytes`, as far as the input may grow. */
static void insert(size_t at, const uint8_t *bytes, size_t len)
{
    if (len > INPUT_MAX - current.len)
        len = INPUT_MAX - current.len;
    memmove(current.bytes + at + len, current.bytes + at, current.len - at);
    memcpy(current.bytes + at, bytes, len);
    current.len += len;
}

static void mutate(void)
{
    static const char *const tokens[] = {
        "\r\n",        "*1\r\n",  "*2\r\n",      "*0\r\n",      "*-1\r\n",
        "$-1\r\n",     "$?\r\n",  ";1\r\na\r\n", ";0\r\n",      "*?\r\n",
        "%?\r\n",      ".\r\n",   "%1\r\n",      "|1\r\n",      "~1\r\n",
        ">1\r\n",      "_\r\n",   "#t\r\n",      ":1\r\n",      ",1.5\r\n",
        "(12\r\n",     "+OK\r\n", "-ERR\r\n",    "$1\r\na\r\n", "=5\r\ntxt:a\r\n",
        "!1\r\ne\r\n", "-1",      "?",           "4294967296",  "9223372036854775807",
        "inf",
    };
    uint8_t other[64];
    size_t at = random_below(current.len + 1);
    size_t len = random_below(sizeof(other));

    switch (random_below(7)) {
    case 0: /* one byte becomes any other */
        if (at < current.len)
            current.bytes[at] = (uint8_t)random_below(256);
        break;
    case 1: /* one byte becomes one that means something */
        if (at < current.len)
            current.bytes[at] = (uint8_t) "+-:$*%~|>_#,(!=;.?0123459\r\n"[random_below(27)];
        break;
    case 2: /* a part goes */
        len = len < current.len - at ? len : current.len - at;
        memmove(current.bytes + at, current.bytes + at + len, current.len - at - len);
        current.len -= len;
        break;
    case 3: /* a part comes twice */
        len = len < current.len - at ? len : current.len - at;
        memcpy(other, current.bytes + at, len);
        insert(at, other, len);
        break;
    case 4: { /* a part of another file */
        const input_t *file = &corpus[random_below(corpus_count)];
        size_t from = random_below(file->len);

        insert(at, file->bytes + from, len < file->len - from ? len : file->len - from);
        break;
    }
    case 5: { /* something of the protocol */
        const char *token = tokens[random_below(sizeof(tokens) / sizeof(tokens[0]))];

        insert(at, (const uint8_t *)token, strlen(token));
        break;
    }
    default: /* the end goes */
        current.len = at;
        break;
    }
}

int main(int argc, char **argv)
{
    long runs;

    if (argc < 4) {
        fprintf(stderr, "usage: %s RUNS SEED CORPUS...\n", argv[0]);
        return 2;
    }
    runs = strtol(argv[1], NULL, 10);
    random_state = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
    corpus = malloc(FILES_MAX * sizeof(*corpus));
    if (corpus == NULL)
        return 2;
    for (int at = 3; at < argc; at++)
        load(argv[at]);
    if (corpus_count == 0) {
        fprintf(stderr, "no corpus\n");
        return 2;
    }
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(report);
    signal(SIGABRT, on_signal);

    for (size_t at = 0; at < corpus_count; at++) {
        current = corpus[at];
        run();
    }
    while (current_run < runs) {
        current = corpus[random_below(corpus_count)];
        for (size_t times = 1 + random_below(6); times != 0; times--)
            mutate();
        run();
    }
    printf("%ld runs\n", current_run);
    free(corpus);
    return 0;
}
