/* lm_words.h - different words, numbered from 0 in the order in which they were added.
 *
 * Open addressing; all text in one block. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LM_LM_WORDS_H
#define TZ_SENTENCES_LM_LM_WORDS_H

#include <trapeze/trapeze.h>

#define TZ_LM_NO_WORD UINT32_MAX

typedef struct tz_lm_words {
    size_t count;
    size_t *start; /* [count]: where each begins in text */
    char *text;    /* each with a zero byte */
    size_t size, text_capacity, start_capacity;
    uint32_t *slot; /* [slots], a power of two: word + 1; 0 is free */
    size_t slots;
} tz_lm_words;

/* Empty when zeroed. */
void tz_lm_words_free(tz_lm_words *words);
/* The number of a word; TZ_LM_NO_WORD where it has none. <UNK> is another name of <unk>. */
uint32_t tz_lm_words_find(const tz_lm_words *words, const char *text, size_t size);
/* The number of a word, which is added if it is new. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_lm_words_add(tz_lm_words *words, const char *text, size_t size, uint32_t *ret_word);
/* Adds <unk>, <s> and </s> to an empty list. */
tz_status tz_lm_words_special(tz_lm_words *words);

static inline const char *tz_lm_words_text(const tz_lm_words *words, uint32_t word) {
    return words->text + words->start[word];
}

#endif
