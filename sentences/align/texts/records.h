/* records.h - the records of a file: JSON Lines, one JSON array of objects, or other lines.
 *
 * The first character that is no blank decides: { begins JSON Lines, whose blank lines are skipped;
 * [ begins an array, which may take many lines. A line of columns (columns.h) begins a file of
 * columns, in which each sentence is an object with "id" and "links". Otherwise every line is a
 * record.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_TEXTS_RECORDS_H
#define TZ_SENTENCES_ALIGN_TEXTS_RECORDS_H

#include "base/arena.h"
#include "base/lines.h"
#include "base/text.h"
#include "io/json/json.h"

typedef enum tz_records_kind {
    TZ_RECORDS_UNKNOWN, /* nothing but blank lines so far */
    TZ_RECORDS_JSON_LINES,
    TZ_RECORDS_JSON_ARRAY,
    TZ_RECORDS_COLUMNS,
    TZ_RECORDS_LINES,
} tz_records_kind;

/* At the beginning when zeroed but for `lines`, which are borrowed. */
typedef struct tz_records {
    tz_lines *lines;
    tz_records_kind kind;
    size_t line;       /* where the record read last begins */
    size_t blank;      /* lines at the beginning that are yet to be given */
    const char *rest;  /* of an array: what is not read of the line at hand */
    bool some, closed; /* of an array: there was an object, the end; of columns: a sentence, */
    uint32_t sentence; /* behind which this one comes next */
    tz_text object;
} tz_records;

/* The next record: an object, or a line with *ret_object NULL. Both are the arena's. TZ_NONE at the
 * end. TZ_IO with FILE:LINE: the next call goes on after the error, where that is possible;
 * TZ_NO_MEMORY. */
tz_status tz_records_next(tz_records *records, tz_arena *arena, const json_t **ret_object,
                          const char **ret_line, tz_error *error);
void tz_records_free(tz_records *records);

/* TZ_BAD_ARGUMENT about the record read last becomes TZ_IO with FILE:LINE; others stay. */
tz_status tz_records_locate(const tz_records *records, tz_status status, tz_error *error);

#endif
