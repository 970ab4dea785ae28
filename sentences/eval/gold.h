/* gold.h - reads sentences with right compressions, and compressions of them from other files: JSON
 * Lines of records (record.h).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_GOLD_H
#define TZ_SENTENCES_EVAL_GOLD_H

#include "base/lines.h"
#include "sentences/eval/compression.h"
#include "sentences/eval/matching.h"

enum { TZ_GOLD_LINE = 1 << 24 }; /* bytes of a line */

typedef struct tz_gold_sentence {
    const char *id; /* or NULL */
    size_t line;
    tz_source source;
} tz_gold_sentence;

typedef struct tz_gold {
    size_t count;
    tz_gold_sentence *sentence; /* of the first file, in its order */
    const char *file;
    size_t words, references;
    /* private */
    size_t capacity;
    tz_numbering numbering;
    tz_lm_words forms;
    struct tz_arena *arena;
} tz_gold;

/* Reads GOLD: sentences with at least one compression each. Blank lines are skipped. The name of
 * the lines is borrowed until tz_gold_free, which also takes a tz_gold that is zeroed or whose
 * reading failed. TZ_IO with FILE:LINE, TZ_NO_MEMORY. */
tz_status tz_gold_read(tz_lines *lines, tz_gold *ret_gold, tz_error *error);
void tz_gold_free(tz_gold *gold);

/* Reads compressions of the same sentences, matched as in matching.h: (*ret_output)[count], in
 * GOLD's memory. text: lines of text instead of records, an empty line for an empty compression.
 * Errors as above; also for a record whose words are not GOLD's or that has more than one
 * compression, and for missing, surplus or repeated sentences. */
tz_status tz_gold_outputs(tz_gold *gold, tz_lines *lines, bool text, tz_compression **ret_output,
                          tz_error *error);

/* Reads further references, one or more in each record, matched likewise. */
tz_status tz_gold_references(tz_gold *gold, tz_lines *lines, tz_error *error);

#endif
