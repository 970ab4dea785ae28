/* matching.h - matches the records of a second file with those of the first: by id if all ids of
 * the first differ and the second's first record has one, else by order; ids must then be equal
 * where both have one.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_MATCHING_H
#define TZ_SENTENCES_EVAL_MATCHING_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/lines.h"
#include "sentences/lm/lm_words.h"

typedef struct tz_numbered {
    const char *id; /* or NULL */
    size_t line;
} tz_numbered;

/* The first file's records. Empty when zeroed but for `file` and `what`. */
typedef struct tz_numbering {
    const char *file;
    const char *what; /* what a record is: "sentence" */
    size_t count, capacity;
    tz_numbered *record;
    bool repeated; /* an id occurs twice, or a record has none */
    tz_lm_words ids;
} tz_numbering;

/* id is borrowed. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_numbering_add(tz_numbering *numbering, const char *id, size_t line);
void tz_numbering_free(tz_numbering *numbering);

typedef struct tz_matching {
    const tz_numbering *first;
    const char *file; /* the second */
    size_t *line;     /* [first->count]: where each has been found; 0: not yet */
    size_t count;     /* found so far */
    bool by_id;
} tz_matching;

/* Memory is the arena's; the names are borrowed. TZ_NO_MEMORY. */
tz_status tz_matching_start(tz_matching *matching, tz_arena *arena, const tz_numbering *first,
                            const char *file);
/* The number, in the first file, of the record on `line` of the second. TZ_IO with FILE:LINE. */
tz_status tz_matching_find(tz_matching *matching, const char *opt_id, size_t line,
                           size_t *ret_which, tz_error *error);
/* TZ_IO where a record of the first file has not been found. */
tz_status tz_matching_end(const tz_matching *matching, tz_error *error);

#endif
