/* number.h - numbers as text that reads back to the same number, in every locale.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_NUMBER_H
#define TZ_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { TZ_NUMBER_SIZE = 32 };

/* Writes the number and a terminating zero; returns its length.
 * The shortest of %.15g, %.16g and %.17g that reads back, with '.' as the decimal point; whole
 * numbers below 2^63 in magnitude without an exponent, -0 as -0.0. -INFINITY is null; +INFINITY
 * and NaN, which JSON cannot say, are the strings "inf" and "nan". */
size_t tz_number_print(char text[TZ_NUMBER_SIZE], double number);
/* The same for a float: the shortest of %.7g, %.8g and %.9g. */
size_t tz_number_print_float(char text[TZ_NUMBER_SIZE], float number);

/* Reads a decimal number, all of text[0..size-1] and fewer than TZ_NUMBER_SIZE bytes: an optional
 * sign, digits with a '.' in or around them or none, an optional exponent. False where it is none.
 * The nearest double; +-INFINITY beyond the largest. */
bool tz_number_read(const char *text, size_t size, double *ret_number);

#endif
