/* forms.c - see forms.h. SPDX-License-Identifier: MIT */
#include "sentences/align/texts/forms.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sentences/features/sentence/words.h"
#include "sentences/features/tables/hash.h"
#include "sentences/text/stem.h"

struct tz_forms {
    tz_text lower, stem; /* of the word at hand */
    bool exact;
};

tz_forms *tz_forms_new(bool exact) {
    tz_forms *forms = calloc(1, sizeof *forms);
    if (forms)
        forms->exact = exact;
    return forms;
}

void tz_forms_free(tz_forms *forms) {
    if (!forms)
        return;
    tz_text_free(&forms->lower);
    tz_text_free(&forms->stem);
    free(forms);
}

tz_status tz_forms_find(tz_forms *forms, const char *word, size_t size, tz_form *ret_form) {
    tz_text *lower = &forms->lower;
    tz_text_clear(lower);
    tz_text_add_lower(lower, word, size);
    tz_text_clear(&forms->stem);
    tz_text_add(&forms->stem, lower->data, lower->size); /* as long as the stem at most */
    if (lower->failed || forms->stem.failed)
        return TZ_NO_MEMORY;
    char *stem = forms->stem.data;
    size_t stem_size = lower->size > 0 ? tz_stem(lower->data, lower->size, stem) : 0;
    *ret_form =
        (tz_form){forms->exact ? tz_hash_text(word, size) : tz_hash_text(lower->data, lower->size),
                  tz_hash_text(stem, stem_size)};
    return TZ_OK;
}

tz_status tz_forms_of(tz_forms *forms, const char *const *word, size_t words, tz_form *ret_form) {
    tz_status status = TZ_OK;
    for (size_t w = 0; w < words && status == TZ_OK; w++)
        status = tz_forms_find(forms, word[w], strlen(word[w]), &ret_form[w]);
    return status;
}
