/* number.h - doubles as JSON numbers that read back to the same double, in every locale.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NUMBER_H
#define TZ_IO_NUMBER_H

#include <stddef.h>

enum { TZ_NUMBER_SIZE = 32 };

/* Writes the number and a terminating zero; returns its length.
 * The shortest of %.15g, %.16g and %.17g that reads back, with '.' as the decimal point; whole
 * numbers below 2^63 in magnitude without an exponent, -0 as -0.0. -INFINITY is null; +INFINITY
 * and NaN, which JSON cannot say, are the strings "inf" and "nan". */
size_t tz_number_print(char text[TZ_NUMBER_SIZE], double number);

#endif
