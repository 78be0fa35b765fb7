/* Numbers as text. Doubles are compared bit by bit with the C library's reading. */
#include <math.h>
#include <stdlib.h>

#include "num.h"
#include "test.h"

static int int_of(const char *text, int64_t *value)
{
    return kvw__int_parse(text, strlen(text), value);
}

static int double_of(const char *text, double *value)
{
    return kvw__double_parse(text, strlen(text), value);
}

static void integers(void)
{
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {
        {"0", 0},
        {"-0", 0},
        {"+7", 7},
        {"-7", -7},
        {"0000000000000000000000000012", 12},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
    };
    static const char *const bad[] = {
        "",
        "-",
        "+",
        "--1",
        "+-1",
        " 1",
        "1 ",
        "1a",
        "0x1",
        "1.0",
        "1e3",
        "\xd9\xa1",
        "1\n",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "99999999999999999999999999",
    };
    int64_t value;

    for (size_t at = 0; at < sizeof(good) / sizeof(good[0]); at++) {
        CHECK(int_of(good[at].text, &value));
        CHECK_INT(value, good[at].value);
    }
    for (size_t at = 0; at < sizeof(bad) / sizeof(bad[0]); at++) {
        if (!CHECK(!int_of(bad[at], &value)))
            fprintf(stderr, "for \"%s\"\n", bad[at]);
    }
    CHECK(!kvw__int_parse("1\0", 2, &value));
    CHECK(kvw__int_parse("123", 2, &value) && value == 12);
}

static void integers_out_and_in(void)
{
    static const int64_t edges[] = {0, 9, 10, 99, 100, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    char out[KVW__INT_LEN], expected[32];
    int64_t value, back;

    for (int round = 0; round < 20000; round++) {
        size_t len;
        int length;

        if (round < (int)(sizeof(edges) / sizeof(edges[0])))
            value = edges[round];
        else
            value = (int64_t)((uint64_t)mrand48() << 32 ^ (uint64_t)mrand48()) >> round % 64;
        len = kvw__int_format(value, out);
        length = snprintf(expected, sizeof(expected), "%lld", (long long)value);
        CHECK_INT(len, length);
        CHECK(memcmp(out, expected, len) == 0);
        CHECK(kvw__int_parse(out, len, &back));
        CHECK_INT(back, value);
    }
}

static void check_double(const char *text)
{
    double value = 0, expected = strtod(text, NULL);

    if (!CHECK(double_of(text, &value)) || !CHECK(memcmp(&value, &expected, sizeof(value)) == 0))
        fprintf(stderr, "for \"%s\": %.17g, not %.17g\n", text, value, expected);
}

static void doubles(void)
{
    static const char *const good[] = {
        "0",
        "-0",
        "0.0",
        "-0.000",
        "0e5",
        "1",
        "+1.5",
        "0.1",
        "0.3",
        "0.30000000000000004",
        "123456789012345678",
        "9007199254740993",
        "9007199254740993.0000000000000000000000000001",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "8.5e22",
        "00000000000000000000001.5",
        "0.00000000000000000000000000001",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e308",
        "1e309",
        "-1e309",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "1E+5",
        "1e+0000000000000000000000000000005",
        "1e99999999999999999999999999",
        "1e-99999999999999999999999999",
        "0e99999999999999999999999999",
    };
    static const char *const bad[] = {
        "",    "-",   ".",    "1.",   ".5",     "e5",       "1e",  "1e+", "1e5.5", "1.5.5",
        "- 1", " 1",  "1 ",   "0x1",  "1,5",    "infinity", "INF", "Nan", "+inf",  "+nan",
        "--1", "+-1", "inf ", "infx", "nan(1)", "1_0",      "1f",  "1d",  "in",    "-i",
    };
    double value;

    for (size_t at = 0; at < sizeof(good) / sizeof(good[0]); at++)
        check_double(good[at]);
    for (size_t at = 0; at < sizeof(bad) / sizeof(bad[0]); at++) {
        if (!CHECK(!double_of(bad[at], &value)))
            fprintf(stderr, "for \"%s\"\n", bad[at]);
    }
    CHECK(double_of("inf", &value) && isinf(value) && value > 0);
    CHECK(double_of("-inf", &value) && isinf(value) && value < 0);
    CHECK(double_of("nan", &value) && isnan(value));
    CHECK(double_of("-nan", &value) && isnan(value));
}

/* Every bit pattern that is a number, as servers write it, and with more and fewer digits. */
static void random_doubles(void)
{
    static const char *const formats[] = {"%.17g", "%.16g", "%.15g", "%.3g", "%.25e", "%.40g"};
    char text[512];

    for (int round = 0; round < 60000; round++) {
        uint64_t bits = (uint64_t)mrand48() << 32 ^ (uint64_t)(uint32_t)mrand48();
        double value;

        memcpy(&value, &bits, sizeof(value));
        if (isnan(value) || isinf(value))
            continue;
        snprintf(text, sizeof(text), formats[round % 6], value);
        check_double(text);
        snprintf(text, sizeof(text), "%.*f", round % 20, (double)mrand48() / (1 + round % 1000));
        check_double(text);
    }
}

/* Halfway cases whose last digit decides, far behind where a double's own digits end. */
static void long_doubles(void)
{
    static char text[30000];
    static const double around[] = {1.0, 0.1, 5e-324, 2.2250738585072014e-308, 1e-300, 1e300};

    for (size_t at = 0; at < sizeof(around) / sizeof(around[0]); at++) {
        double low = around[at];
        double high = nextafter(low, INFINITY);
        long double half = ((long double)low + (long double)high) / 2;
        int len = snprintf(text, sizeof(text), "%.1200Lf", half);
        double value;

        /* Where a long double is no longer than a double (also under valgrind) it cannot hold the
         * point halfway. */
        if (half == (long double)low || half == (long double)high)
            continue;
        CHECK(double_of(text, &value));
        CHECK(value == low || value == high);
        check_double(text);
        text[len] = '1';
        text[len + 1] = '\0';
        check_double(text);
        CHECK(double_of(text, &value) && value == high);
        memset(text + len, '0', 1000);
        memcpy(text + len + 1000, "1", 2);
        CHECK(double_of(text, &value) && value == high);
    }
    /* Large exponents that zeros or digits undo. */
    memset(text, '0', sizeof(text));
    memcpy(text, "0.", 2);
    strcpy(text + 20000, "25e20000");
    check_double(text);
    memset(text, '9', 20000);
    strcpy(text + 20000, "e-19999");
    check_double(text);
}

int main(void)
{
    srand48(1);
    integers();
    integers_out_and_in();
    doubles();
    random_doubles();
    long_doubles();
    return test_result();
}
