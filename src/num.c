/* Numbers as text. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num.h"

static int is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

int kvw__int_parse(const char *text, size_t len, int64_t *value)
{
    size_t at = 0;
    int negative = 0;
    uint64_t limit = INT64_MAX;
    uint64_t sum = 0;

    if (len != 0 && (text[0] == '-' || text[0] == '+')) {
        negative = text[0] == '-';
        at = 1;
    }
    if (at == len)
        return 0;
    limit += (uint64_t)negative;
    for (; at < len; at++) {
        uint64_t digit;

        if (!is_digit(text[at]))
            return 0;
        digit = (uint64_t)(text[at] - '0');
        if (sum > (limit - digit) / 10)
            return 0;
        sum = sum * 10 + digit;
    }
    /* Through -(sum - 1) - 1, because -INT64_MIN does not exist. */
    *value = negative && sum != 0 ? -(int64_t)(sum - 1) - 1 : (int64_t)sum;
    return 1;
}

size_t kvw__int_format(int64_t value, char *out)
{
    char reversed[KVW__INT_LEN];
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    size_t count = 0;
    size_t at = 0;

    do {
        reversed[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0)
        out[at++] = '-';
    while (count != 0)
        out[at++] = reversed[--count];
    return at;
}

/* The point halfway between two doubles has at most 767 significant digits. Beyond that many it
 * only matters whether another digit but 0 follows. */
#define DIGITS_MAX 768

/* A decimal number, taken apart: digits[0..count) times 10 to the power of `exponent`. */
typedef struct decimal {
    size_t count;
    int64_t exponent;
    uint64_t leading; /* the first DIGITS_EXACT digits as a number */
    char digits[DIGITS_MAX + 1 + 1 + KVW__INT_LEN + 1]; /* a sticky digit, `e`, exponent, zero */
    int dropped; /* a digit but 0 came after DIGITS_MAX others */
} decimal_t;

#define DIGITS_EXACT 19

static void add_digit(decimal_t *decimal, char digit, int fraction)
{
    if (decimal->count == 0 && digit == '0') {
        decimal->exponent -= fraction;
        return;
    }
    if (decimal->count == DIGITS_MAX) {
        decimal->dropped |= digit != '0';
        decimal->exponent += !fraction;
        return;
    }
    if (decimal->count < DIGITS_EXACT)
        decimal->leading = decimal->leading * 10 + (uint64_t)(digit - '0');
    decimal->digits[decimal->count++] = digit;
    decimal->exponent -= fraction;
}

/* Add the digits at text[at..]; returns where they end. */
static size_t add_digits(decimal_t *decimal, const char *text, size_t len, size_t at, int fraction)
{
    while (at < len && is_digit(text[at]))
        add_digit(decimal, text[at++], fraction);
    return at;
}

/* Read the exponent behind an `e`. One too large for any double stays large enough to count as
 * such, however many digits before the point or zeros behind it stand against it. */
static int parse_exponent(const char *text, size_t len, int64_t *exponent)
{
    const int64_t enough = INT64_MAX / 100;
    size_t at = 0;
    int negative = 0;
    int64_t sum = 0;

    if (len != 0 && (text[0] == '-' || text[0] == '+')) {
        negative = text[0] == '-';
        at = 1;
    }
    if (at == len)
        return 0;
    for (; at < len; at++) {
        if (!is_digit(text[at]))
            return 0;
        if (sum < enough)
            sum = sum * 10 + (text[at] - '0');
    }
    *exponent = negative ? -sum : sum;
    return 1;
}

static double decimal_value(decimal_t *decimal)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int64_t beyond = 99999;
    int64_t exponent = decimal->exponent;
    size_t count = decimal->count;

    if (count == 0)
        return 0.0;
    /* Both numbers are exact, so that the one operation rounds once, and rightly. */
    if (FLT_EVAL_METHOD == 0 && count <= DIGITS_EXACT && decimal->leading <= (uint64_t)1 << 53) {
        if (exponent >= 0 && exponent <= 22)
            return (double)decimal->leading * powers[exponent];
        if (exponent < 0 && exponent >= -22)
            return (double)decimal->leading / powers[-exponent];
    }
    if (decimal->dropped) {
        decimal->digits[count++] = '1';
        exponent--;
    }
    if (exponent > beyond)
        exponent = beyond;
    else if (exponent < -beyond)
        exponent = -beyond;
    decimal->digits[count++] = 'e';
    count += kvw__int_format(exponent, decimal->digits + count);
    decimal->digits[count] = '\0';
    /* No point is left in it, so the locale's does not matter. */
    return strtod(decimal->digits, NULL);
}

/* inf and nan, the sign aside. Servers before Redis 7.2 write a NaN as their C library does, -nan
 * included. */
static int parse_special(const char *text, size_t len, double *value)
{
    if (len != 3)
        return 0;
    if (memcmp(text, "inf", 3) == 0)
        *value = (double)INFINITY;
    else if (memcmp(text, "nan", 3) == 0)
        *value = (double)NAN;
    else
        return 0;
    return 1;
}

int kvw__double_parse(const char *text, size_t len, double *value)
{
    decimal_t decimal;
    size_t at = 0;
    size_t start;
    int64_t exponent;
    double result;

    if (len != 0 && (text[0] == '-' || text[0] == '+'))
        at = 1;
    if (at == len)
        return 0;
    if (!is_digit(text[at])) {
        if (text[0] == '+' || !parse_special(text + at, len - at, &result))
            return 0;
        *value = text[0] == '-' ? -result : result;
        return 1;
    }
    decimal.count = 0;
    decimal.exponent = 0;
    decimal.leading = 0;
    decimal.dropped = 0;
    at = add_digits(&decimal, text, len, at, 0);
    if (at < len && text[at] == '.') {
        start = ++at;
        at = add_digits(&decimal, text, len, at, 1);
        if (at == start)
            return 0;
    }
    if (at < len) {
        if (text[at] != 'e' && text[at] != 'E')
            return 0;
        if (!parse_exponent(text + at + 1, len - at - 1, &exponent))
            return 0;
        decimal.exponent += exponent;
    }
    result = decimal_value(&decimal);
    *value = text[0] == '-' ? -result : result;
    return 1;
}
