/* Checks that print where they stand and what they saw. A failed check does not end the test; the
 * program's exit code is test_result(). */
#ifndef KVWIRE_TEST_H
#define KVWIRE_TEST_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int test_failures;

#define CHECK(condition) test_check((condition) != 0, __FILE__, __LINE__, #condition)

#define CHECK_INT(actual, expected) \
    test_check_int((int64_t)(actual), (int64_t)(expected), __FILE__, __LINE__, #actual)

#define CHECK_STR(actual, expected) test_check_str(actual, expected, __FILE__, __LINE__, #actual)

static inline int test_check(int good, const char *file, int line, const char *text)
{
    if (!good) {
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
        test_failures++;
    }
    return good;
}

static inline int test_check_int(int64_t actual, int64_t expected, const char *file, int line,
                                 const char *text)
{
    if (actual != expected) {
        fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, text, (long long)actual,
                (long long)expected);
        test_failures++;
    }
    return actual == expected;
}

static inline int test_check_str(const char *actual, const char *expected, const char *file,
                                 int line, const char *text)
{
    if (strcmp(actual, expected) != 0) {
        fprintf(stderr, "%s:%d: %s is\n%s\nand not\n%s\n", file, line, text, actual, expected);
        test_failures++;
        return 0;
    }
    return 1;
}

static inline int test_result(void)
{
    if (test_failures != 0)
        fprintf(stderr, "%d checks failed\n", test_failures);
    return test_failures != 0;
}

#endif
