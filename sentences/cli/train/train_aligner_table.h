/* train_aligner_table.h - prints the phrase pairs that an aligner has learned.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_TRAIN_ALIGNER_TABLE_H
#define TZ_SENTENCES_CLI_TRAIN_TRAIN_ALIGNER_TABLE_H

#include "sentences/align/em/em.h"

/* The words seen in training, as they were first written. */
typedef struct tz_seen_words {
    tz_numbers number; /* of tz_form.word */
    const char **text; /* [number.count] */
    size_t capacity;
    tz_arena *arena;
} tz_seen_words;

/* Adds the words of a text to zeroed words. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_seen_words_add(tz_seen_words *words, const tz_side *side, const tz_form *form);
void tz_seen_words_free(tz_seen_words *words);

/* Writes lines "document phrase TAB abstract phrase TAB t TAB uses", in the order of tz_em_table,
 * to a file that is replaced atomically. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_train_aligner_table(const char *path, const tz_em *em, const tz_seen_words *words,
                                 tz_error *error);

#endif
