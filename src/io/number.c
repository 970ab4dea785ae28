/* number.c - doubles as JSON numbers. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"

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

size_t tz_number_print(char text[TZ_NUMBER_SIZE], double number) {
    if (isnan(number))
        return copy(text, "\"nan\"");
    if (isinf(number))
        return copy(text, number < 0 ? "null" : "\"inf\"");
    if (number == 0)
        return copy(text, signbit(number) ? "-0.0" : "0");
    if (fabs(number) < 9223372036854775808.0 && trunc(number) == number)
        return print_whole(text, number);

    /* The locale's decimal point is the one thing in the output that is neither digit, sign nor
     * exponent; it may be several bytes. Reading back is in the same locale. */
    char local[2 * TZ_NUMBER_SIZE];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(local, sizeof local, "%.*g", precision, number);
        if (precision == 17 || strtod(local, NULL) == number)
            break;
    }
    size_t size = 0;
    bool point = false;
    for (const char *c = local; *c != '\0' && size < TZ_NUMBER_SIZE - 1; c++) {
        if (digit(*c) || *c == '-' || *c == '+' || *c == 'e')
            text[size++] = *c;
        else if (!point)
            text[size++] = '.', point = true;
    }
    text[size] = '\0';
    return size;
}
