/* Test cases from Markdown files: an input, and the items expected of it.
 *
 * A case is a heading, optionally lines `name: value`, a block fenced with ```input and one fenced
 * with ```items. In an input \r \n \t \\ \xHH stand for bytes, and line ends for nothing. */
#ifndef KVWIRE_TEST_CASES_H
#define KVWIRE_TEST_CASES_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kvwire/resp.h"
#include "test.h"

/* A text that grows by appending, up to a bound no test comes near. */
typedef struct text {
    size_t len;
    char bytes[1 << 16];
} text_t;

static inline void text_clear(text_t *text)
{
    text->len = 0;
    text->bytes[0] = '\0';
}

__attribute__((format(printf, 2, 3))) static inline void text_add(text_t *text, const char *format,
                                                                  ...)
{
    size_t room = sizeof(text->bytes) - text->len;
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(text->bytes + text->len, room, format, args);
    va_end(args);
    if (len < 0 || (size_t)len >= room) {
        fprintf(stderr, "text too long\n");
        abort();
    }
    text->len += (size_t)len;
}

static inline void text_add_quoted(text_t *text, const char *bytes, size_t len)
{
    text_add(text, "\"");
    for (size_t at = 0; at < len; at++) {
        unsigned char byte = (unsigned char)bytes[at];

        if (byte == '\r')
            text_add(text, "\\r");
        else if (byte == '\n')
            text_add(text, "\\n");
        else if (byte < ' ' || byte > '~')
            text_add(text, "\\x%02x", byte);
        else
            text_add(text, "%c", byte);
    }
    text_add(text, "\"");
}

/* ---- an item as a line -------------------------------------------------------------------- */

static inline const char *item_name(uint8_t type)
{
    static const char *const names[] = {
        [KVW_NULL] = "NULL",
        [KVW_SIMPLE] = "SIMPLE",
        [KVW_ERROR] = "ERROR",
        [KVW_BULK] = "BULK",
        [KVW_VERBATIM] = "VERBATIM",
        [KVW_INT] = "INT",
        [KVW_BIGNUM] = "BIGNUM",
        [KVW_DOUBLE] = "DOUBLE",
        [KVW_BOOL] = "BOOL",
        [KVW_ARRAY] = "ARRAY",
        [KVW_SET] = "SET",
        [KVW_PUSH] = "PUSH",
        [KVW_PAIR] = "PAIR",
        [KVW_MAP] = "MAP",
        [KVW_ATTRIBUTE] = "ATTRIBUTE",
        [KVW_PART] = "PART",
        [KVW_STRING_END] = "STRING_END",
        [KVW_END] = "END",
    };

    return names[type];
}

/* Two spaces for each level, the type, the value, the flags. `body` stands in for the bytes of a
 * string that the parser did not see. */
static inline void text_add_item(text_t *text, const kvw_item_t *item, const char *body)
{
    const char *bytes = item->ptr != NULL ? item->ptr : body;

    text_add(text, "%*s%s", 2 * item->depth, "", item_name(item->type));
    switch (item->type) {
    case KVW_VERBATIM:
        text_add(text, " %c%c%c", (int)(item->num & 0xff), (int)(item->num >> 8 & 0xff),
                 (int)(item->num >> 16 & 0xff));
        /* fallthrough */
    case KVW_SIMPLE:
    case KVW_ERROR:
    case KVW_BULK:
    case KVW_BIGNUM:
    case KVW_PART:
        text_add(text, " ");
        if (bytes != NULL)
            text_add_quoted(text, bytes, item->len);
        else
            text_add(text, "%zu bytes", item->len);
        break;
    case KVW_INT:
    case KVW_BOOL:
        text_add(text, " %lld", (long long)item->num);
        break;
    case KVW_DOUBLE:
        text_add(text, " %.17g", item->dbl);
        break;
    case KVW_ARRAY:
    case KVW_SET:
    case KVW_PUSH:
    case KVW_PAIR:
    case KVW_MAP:
    case KVW_ATTRIBUTE:
        if (item->num < 0)
            text_add(text, " ?");
        else
            text_add(text, " %lld", (long long)item->num);
        break;
    default:
        break;
    }
    text_add(text, "%s%s%s%s\n", item->flags & KVW_ITEM_OPEN ? " open" : "",
             item->flags & KVW_ITEM_FILLED ? " filled" : "",
             item->flags & KVW_ITEM_TEXT ? " text" : "",
             item->flags & KVW_ITEM_LAST ? " last" : "");
}

/* ---- reading cases ------------------------------------------------------------------------ */

typedef struct test_case {
    char name[256];
    char options[256]; /* the lines `name: value` */
    text_t input;
    text_t items;
} test_case_t;

static inline int case_hex(char digit)
{
    return digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
}

static inline void case_add_input(text_t *input, const char *line)
{
    while (*line != '\0' && *line != '\n') {
        char byte = *line++;

        if (byte == '\\') {
            byte = *line++;
            if (byte == 'x') {
                byte = (char)(case_hex(line[0]) * 16 + case_hex(line[1]));
                line += 2;
            } else {
                byte = (char)(byte == 'r' ? '\r' : byte == 'n' ? '\n' : byte == 't' ? '\t' : byte);
            }
        }
        input->bytes[input->len++] = byte;
    }
}

/* Read the next case of the file: 1, or 0 at its end. */
static inline int case_next(FILE *file, test_case_t *test)
{
    enum { OUTSIDE, INPUT, ITEMS } block = OUTSIDE;
    char line[4096];

    test->name[0] = '\0';
    test->options[0] = '\0';
    text_clear(&test->input);
    text_clear(&test->items);
    while (fgets(line, sizeof(line), file) != NULL) {
        if (block == ITEMS && strncmp(line, "```", 3) == 0)
            return 1;
        if (block == ITEMS)
            text_add(&test->items, "%s", line);
        else if (strncmp(line, "```input", 8) == 0)
            block = INPUT;
        else if (strncmp(line, "```items", 8) == 0)
            block = ITEMS;
        else if (strncmp(line, "```", 3) == 0)
            block = OUTSIDE;
        else if (block == INPUT)
            case_add_input(&test->input, line);
        else if (strncmp(line, "### ", 4) == 0)
            snprintf(test->name, sizeof(test->name), "%.*s", (int)strcspn(line + 4, "\n"),
                     line + 4);
        else if (test->name[0] != '\0' && strchr(line, ':') != NULL)
            strncat(test->options, line, sizeof(test->options) - strlen(test->options) - 1);
    }
    return 0;
}

/* The value of `name: ` among the options, copied to `out`; empty when it is not there. */
static inline void case_option(const test_case_t *test, const char *name, char *out, size_t size)
{
    const char *at = strstr(test->options, name);

    out[0] = '\0';
    if (at != NULL && at[strlen(name)] == ':') {
        at += strlen(name) + 1;
        at += strspn(at, " ");
        snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
    }
}

/* Run every case of a file of KVW_TESTS_DIR, of which there are more than `most`. */
static inline void run_cases(const char *name, void (*run)(const test_case_t *test), int most)
{
    static test_case_t test;
    char path[512];
    FILE *file;
    int count = 0;

    snprintf(path, sizeof(path), "%s/cases/%s", KVW_TESTS_DIR, name);
    file = fopen(path, "r");
    if (!CHECK(file != NULL))
        return;
    while (case_next(file, &test)) {
        run(&test);
        count++;
    }
    CHECK(count > most);
    fclose(file);
}

#endif
