/* warn.c - what is allowed in a rule file and may not be what was meant.
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "rules/read/read.h"

enum { MOST = 100 /* of a file: each takes its line to be counted */ };

struct tz_noted {
    struct tz_noted *next; /* in order of the file */
    const char *at;
    char *text;
};
typedef struct tz_noted tz_noted;

bool tz_warn(tz_reader *reader, const char *at, const char *format, ...) {
    char text[512];
    if (reader->warnings == MOST)
        return true;
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= sizeof text)
        size = sizeof text - 1;
    tz_noted *made = tz_arena_array(reader->scratch, 1, sizeof *made);
    char *kept = tz_arena_text(reader->arena, text, (size_t)size);
    if (made == NULL || kept == NULL)
        return tz_no_memory(reader);
    tz_noted **place = &reader->warning;
    while (*place != NULL && (*place)->at <= at)
        place = &(*place)->next;
    *made = (tz_noted){*place, at, kept};
    *place = made;
    reader->warnings++;
    return true;
}

static bool warn_of_lengths(tz_reader *reader) {
    for (size_t s = 0; s < reader->names; s++) {
        const tz_name *name = &reader->name[s];
        if (name->kind == TZ_NAME_LENGTH && !reader->length_used[name->which] &&
            !tz_warn(reader, name->span.at,
                     "length \"%.*s\" stands nowhere else: no domain, rule or goal depends on it",
                     (int)name->span.size, name->span.at))
            return false;
    }
    return true;
}

void tz_keep_warnings(tz_reader *reader, bool good) {
    if (reader->status == TZ_NO_MEMORY || (good && !warn_of_lengths(reader)))
        return;
    tz_warning *kept = tz_arena_array(reader->arena, reader->warnings, sizeof *kept), *to = kept;
    if (kept == NULL) {
        tz_no_memory(reader);
        return;
    }
    for (const tz_noted *from = reader->warning; from != NULL; from = from->next, to++)
        *to =
            (tz_warning){tz_line_of(reader, from->at), tz_column_of(reader, from->at), from->text};
    reader->rules->warning = kept;
    reader->rules->warnings = reader->warnings;
}
