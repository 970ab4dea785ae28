/* forms.h - numbers words: equal words, and words of the same stem, have the same number.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_TEXTS_FORMS_H
#define TZ_SENTENCES_ALIGN_TEXTS_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

/* Hashes (tz_hash_text) of the word, in lower case unless forms are exact, and of the stem of the
 * word in lower case. */
typedef struct tz_form {
    uint64_t word, stem;
} tz_form;

typedef struct tz_forms tz_forms;

/* Stems are those of Snowball's English stemmer. exact: capitals make another word. NULL when
 * memory is out. */
tz_forms *tz_forms_new(bool exact);
void tz_forms_free(tz_forms *forms);
/* word: valid UTF-8. TZ_NO_MEMORY. */
tz_status tz_forms_find(tz_forms *forms, const char *word, size_t size, tz_form *ret_form);
/* The forms of several words that end with a zero byte: ret_form[words]. */
tz_status tz_forms_of(tz_forms *forms, const char *const *word, size_t words, tz_form *ret_form);

#endif
