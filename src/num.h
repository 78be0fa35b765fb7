/* Numbers as text: strict parsing and formatting, independent of the locale. */
#ifndef KVWIRE_NUM_H
#define KVWIRE_NUM_H

#include <stddef.h>
#include <stdint.h>

/* The longest decimal form of an int64_t, its sign included. No terminator is written or needed. */
#define KVW__INT_LEN 20

/* Read all of [text, text+len) as an integer: an optional sign and digits. Returns 1 and sets
 * *value, or 0 when it is anything else or does not fit. */
int kvw__int_parse(const char *text, size_t len, int64_t *value);

/* Read all of [text, text+len) as a double, correctly rounded: an optional sign, digits, optionally
 * a point and digits, optionally an exponent; or inf, -inf, nan, -nan. Returns 1 and sets *value,
 * or 0 when it is anything else. */
int kvw__double_parse(const char *text, size_t len, double *value);

/* Write `value` into `out`, which holds at least KVW__INT_LEN bytes. Returns the length. */
size_t kvw__int_format(int64_t value, char *out);

#endif
