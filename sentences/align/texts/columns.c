/* columns.c - see columns.h. SPDX-License-Identifier: MIT */
#include "sentences/align/texts/columns.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const char blanks[] = " \t\r\n";

enum { COLUMNS = 5, NUMBERS = 3, DIGITS = 9 };

static bool read_whole(const char *field, size_t size, uint32_t *ret) {
    *ret = 0;
    for (size_t i = 0; i < size && field[i] >= '0' && field[i] <= '9'; i++)
        *ret = 10 * *ret + (uint32_t)(field[i] - '0');
    return size > 0 && size <= DIGITS && strspn(field, "0123456789") >= size;
}

bool tz_column_link_read(const char *line, tz_column_link *ret_link) {
    const char *field[COLUMNS];
    size_t size[COLUMNS], fields = 0;
    for (const char *at = line + strspn(line, blanks); *at; at += strspn(at, blanks)) {
        if (fields == COLUMNS)
            return false;
        field[fields] = at;
        size[fields] = strcspn(at, blanks);
        at += size[fields++];
    }
    uint32_t *number[NUMBERS] = {&ret_link->sentence, &ret_link->document, &ret_link->abstract};
    for (size_t n = 0; n < NUMBERS; n++)
        if (n == fields || !read_whole(field[n], size[n], number[n]))
            return false;
    size_t next = NUMBERS;
    bool letter = next < fields && size[next] == 1 && strchr("SPsp", field[next][0]);
    ret_link->possible = letter && strchr("Pp", field[next][0]);
    next += letter;
    double sure;
    if (next < fields && size[next] < TZ_NUMBER_SIZE)
        next += tz_number_read(field[next], size[next], &sure);
    return next == fields;
}

void tz_column_link_put(const tz_column_link *link, tz_text *text) {
    char words[32];
    if (link->document == 0 || link->abstract == 0)
        return;
    snprintf(words, sizeof words, " %lu%c%lu", (unsigned long)link->document - 1,
             link->possible ? 'p' : '-', (unsigned long)link->abstract - 1);
    tz_text_put(text, words);
}
