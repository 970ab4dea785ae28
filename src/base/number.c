/* number.c - numbers as text. SPDX-License-Identifier: MIT */
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

static bool digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t copy(char text[TZ_NUMBER_SIZE], const char *constant) {
    size_t size = strlen(constant);
    memcpy(text, constant, size + 1);
    return size;
}

static size_t print_whole(char text[TZ_NUMBER_SIZE], double number) {
    char reversed[TZ_NUMBER_SIZE];
    size_t digits = 0, size = 0;
    uint64_t rest = (uint64_t)fabs(number);
    do {
        reversed[digits++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        text[size++] = '-';
    while (digits > 0)
        text[size++] = reversed[--digits];
    text[size] = '\0';
    return size;
}

/* The shortest of %.FIRSTg ... %.LASTg that reads back, as a float or as a double. */
static size_t print_shortest(char text[TZ_NUMBER_SIZE], double number, int first, int last,
                             bool single) {
    /* The locale's decimal point is the one thing in the output that is neither digit, sign nor
     * exponent; it may be several bytes. Reading back is in the same locale. */
    char local[2 * TZ_NUMBER_SIZE];
    for (int precision = first; precision <= last; precision++) {
        snprintf(local, sizeof local, "%.*g", precision, number);
        if (precision == last ||
            (single ? (double)strtof(local, NULL) : strtod(local, NULL)) == number)
            break;
    }
    size_t size = 0;
    bool point = false;
    for (const char *c = local; *c != '\0' && size < TZ_NUMBER_SIZE - 1; c++)
        if (digit(*c) || *c == '-' || *c == '+' || *c == 'e')
            text[size++] = *c;
        else if (!point)
            text[size++] = '.', point = true;
    text[size] = '\0';
    return size;
}

static size_t print(char text[TZ_NUMBER_SIZE], double number, int first, int last, bool single) {
    if (isnan(number))
        return copy(text, "\"nan\"");
    if (isinf(number))
        return copy(text, number < 0 ? "null" : "\"inf\"");
    if (number == 0)
        return copy(text, signbit(number) ? "-0.0" : "0");
    if (fabs(number) < 9223372036854775808.0 && trunc(number) == number)
        return print_whole(text, number);
    return print_shortest(text, number, first, last, single);
}

size_t tz_number_print(char text[TZ_NUMBER_SIZE], double number) {
    return print(text, number, 15, 17, false);
}

size_t tz_number_print_float(char text[TZ_NUMBER_SIZE], float number) {
    return print(text, (double)number, 7, 9, true);
}

static size_t digits(const char *text) {
    size_t count = 0;
    while (digit(text[count]))
        count++;
    return count;
}

bool tz_number_read(const char *text, size_t size, double *ret_number) {
    char copied[TZ_NUMBER_SIZE], local[TZ_NUMBER_SIZE + 16];
    if (size >= sizeof copied)
        return false;
    memcpy(copied, text, size);
    copied[size] = '\0';
    const char *at = copied + (copied[0] == '-' || copied[0] == '+');
    size_t whole = digits(at), part = 0;
    at += whole;
    const char *point = at;
    if (*at == '.') {
        part = digits(at + 1);
        at += 1 + part;
    }
    const char *rest = at;
    if (whole + part == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '-' || at[1] == '+');
        if (digits(at) == 0)
            return false;
        at += digits(at);
    }
    if (at != copied + size)
        return false;
    /* strtod, with the locale's decimal point where ours is. */
    const char *local_point = rest > point ? localeconv()->decimal_point : "";
    snprintf(local, sizeof local, "%.*s%s%s", (int)(point - copied), copied, local_point,
             point + (rest > point));
    *ret_number = strtod(local, NULL);
    return true;
}
