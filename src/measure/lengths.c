/* lengths.c - see lengths.h. SPDX-License-Identifier: MIT */
#include "measure/lengths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"

enum { MOST = 1 << 24 };

/* 0, 1 or 2 numbers of a line; -1: it is something else. */
static int numbers(char *line, long number[2]) {
    int count = 0;
    line[strcspn(line, "#\r\n")] = '\0';
    for (char *at = line + strspn(line, " \t"); *at != '\0'; at += strspn(at, " \t")) {
        char *end;
        errno = 0;
        long value = strtol(at, &end, 10);
        if (count == 2 || end == at || errno != 0 || value < 0 ||
            (*end != '\0' && *end != ' ' && *end != '\t'))
            return -1;
        number[count++] = value;
        at = end;
    }
    return count;
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

void tz_sort_lengths(int32_t *lengths, size_t count) {
    qsort(lengths, count, sizeof *lengths, ascending);
}

static tz_status fail(tz_error *error, tz_status status, const char *path, size_t line,
                      const char *what) {
    return line > 0 ? tz_fail(error, status, "%.300s:%zu: %s", path, line, what)
                    : tz_fail(error, status, "%.300s: %s", path, what);
}

tz_status tz_read_lengths(const char *path, int32_t **ret_lengths, size_t *ret_count,
                          tz_error *ret_error) {
    *ret_lengths = NULL;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return fail(ret_error, TZ_IO, path, 0, strerror(errno));
    int32_t *lengths = NULL;
    size_t count = 0, room = 0, at = 0;
    tz_status status = TZ_OK;
    char line[256];
    while (status == TZ_OK && fgets(line, sizeof line, file) != NULL) {
        long number[2] = {0, 1};
        int found = numbers(line, number);
        at++;
        if (found < 0 || number[0] > TZ_MAX_LENGTH)
            status = fail(ret_error, TZ_IO, path, at,
                          "a line is a length (0 to 1048576), or a length and how often it occurs");
        else if (found > 0 && number[1] > MOST - (long)count)
            status = fail(ret_error, TZ_TOO_LARGE, path, at, "more than 16777216 lengths");
        if (status != TZ_OK || found == 0)
            continue;
        void *more = lengths;
        if (!tz_grow(&more, &room, count + (size_t)number[1], sizeof *lengths)) {
            status = fail(ret_error, TZ_NO_MEMORY, path, 0, "out of memory");
            continue;
        }
        lengths = more;
        for (long i = 0; i < number[1]; i++)
            lengths[count++] = (int32_t)number[0];
    }
    if (status == TZ_OK && ferror(file))
        status = fail(ret_error, TZ_IO, path, 0, strerror(errno));
    if (status == TZ_OK && count == 0)
        status = fail(ret_error, TZ_IO, path, 0, "there is no length in it");
    fclose(file);
    if (status != TZ_OK) {
        free(lengths);
        return status;
    }
    tz_sort_lengths(lengths, count);
    *ret_lengths = lengths;
    *ret_count = count;
    return TZ_OK;
}

void tz_pick_lengths(const int32_t *lengths, size_t count, size_t wanted, uint64_t seed,
                     int32_t *ret_lengths) {
    for (size_t i = 0; i < wanted; i++) {
        double at = ((double)i + 0.5) / (double)wanted * (double)count;
        ret_lengths[i] = lengths[(size_t)at < count ? (size_t)at : count - 1];
    }
    /* Fisher & Yates, with a linear congruential generator's upper bits (Knuth). */
    for (size_t i = wanted; i-- > 1;) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t j = (size_t)((seed >> 33) % (i + 1));
        int32_t swap = ret_lengths[i];
        ret_lengths[i] = ret_lengths[j];
        ret_lengths[j] = swap;
    }
}
