/* forms.c - see forms.h. SPDX-License-Identifier: MIT */
#include "sentences/align/forms.h"

#include <libstemmer.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sentences/features/hash.h"
#include "sentences/features/words.h"

struct tz_forms {
    struct sb_stemmer *stemmer;
    tz_text lower; /* of the word at hand */
    bool exact;
};

tz_forms *tz_forms_new(bool exact) {
    tz_forms *forms = calloc(1, sizeof *forms);
    if (!forms)
        return NULL;
    *forms = (tz_forms){.stemmer = sb_stemmer_new("english", NULL), .exact = exact};
    if (forms->stemmer)
        return forms;
    free(forms);
    return NULL;
}

void tz_forms_free(tz_forms *forms) {
    if (!forms)
        return;
    sb_stemmer_delete(forms->stemmer);
    tz_text_free(&forms->lower);
    free(forms);
}

tz_status tz_forms_find(tz_forms *forms, const char *word, size_t size, tz_form *ret_form) {
    tz_text *lower = &forms->lower;
    tz_text_clear(lower);
    tz_text_add_lower(lower, word, size);
    if (lower->failed || lower->size > INT_MAX)
        return TZ_NO_MEMORY;
    const sb_symbol *text = (const sb_symbol *)lower->data;
    const sb_symbol *stem =
        lower->size > 0 ? sb_stemmer_stem(forms->stemmer, text, (int)lower->size) : text;
    if (lower->size > 0 && !stem)
        return TZ_NO_MEMORY;
    size_t stem_size = lower->size > 0 ? (size_t)sb_stemmer_length(forms->stemmer) : 0;
    *ret_form =
        (tz_form){forms->exact ? tz_hash_text(word, size) : tz_hash_text(lower->data, lower->size),
                  tz_hash_text((const char *)stem, stem_size)};
    return TZ_OK;
}

tz_status tz_forms_of(tz_forms *forms, const char *const *word, size_t words, tz_form *ret_form) {
    tz_status status = TZ_OK;
    for (size_t w = 0; w < words && status == TZ_OK; w++)
        status = tz_forms_find(forms, word[w], strlen(word[w]), &ret_form[w]);
    return status;
}
