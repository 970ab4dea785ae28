/* split.h - splits a line of text into sentences: by rules, or by rules and a model together.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_SPLIT_H
#define TZ_SENTENCES_LEARN_SPLIT_H

#include "sentences/learn/model.h"
#include "sentences/text/boundaries.h"

struct tz_arena;

/* Labels of a word of a paragraph: its sentence goes on, or ends with it. */
enum { TZ_SPLIT_IN, TZ_SPLIT_END, TZ_SPLIT_LABELS };
extern const char *const tz_split_label[TZ_SPLIT_LABELS];

typedef struct tz_line_splitter tz_line_splitter;

/* opt_model: a model of tz_sentence_splitter; NULL: by rules alone. opt_words: the model of
 * tz_word_tokeniser whose tokens opt_model was trained on; NULL: tokens by rules. Both are
 * borrowed. TZ_NO_MEMORY, TZ_IO (the Unicode library lacks its data). */
tz_status tz_line_splitter_new(const tz_model *opt_model, const tz_model *opt_words,
                               tz_line_splitter **ret_splitter, tz_error *opt_error);
void tz_line_splitter_free(tz_line_splitter *splitter);

/* Splits a line, as tz_split_line splits it without its footnote marks (marks.h): these stay with
 * what they stand behind. A dateline (layout.h) is a sentence of its own. Cost: linear, and with a
 * model that of features. */
tz_status tz_line_split(tz_line_splitter *splitter, const char *text, size_t size,
                        const tz_token **ret_sentence, size_t *ret_count);

/* The words of a line as a model of ends sees them, none where it is blank; *ret_token is the
 * splitter's until the next call. UPOS: whether a sentence ends there by rules, and whether white
 * space, nothing or the line's end follows. Memory is the arena's. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_line_words(tz_line_splitter *splitter, struct tz_arena *arena, const char *text,
                        size_t size, tz_sentence *ret_words, const tz_token **ret_token);

#endif
