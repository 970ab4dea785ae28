/* write_text.c - a sentence as text: --format=text. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "sentences/cli/analyse/write.h"

tz_status tz_write_compression(const tz_input_sentence *item, tz_text *text) {
    const tz_sentence *sentence = &item->analysed.sentence;
    size_t words = (size_t)sentence->words;
    bool *shown = calloc(words > 0 ? words : 1, sizeof *shown);
    if (!shown) {
        text->failed = true;
        return TZ_NO_MEMORY;
    }
    tz_analysed_shown(&item->analysed, item->token, shown);
    const tz_kept_tree tree = {sentence->head, item->analysed.name[TZ_DEPREL]};
    tz_detokenise(item->line, item->token, words, &tree, shown, text);
    free(shown);
    return text->failed ? TZ_NO_MEMORY : TZ_OK;
}

void tz_write_tags(const tz_input_sentence *item, tz_text *text) {
    const tz_analysed *a = &item->analysed;
    for (int32_t w = 1; w <= a->sentence.words; w++) {
        tz_text_put(text, w > 1 ? " " : "");
        tz_text_put(text, a->sentence.form[w]);
        tz_text_put(text, "/");
        tz_text_put(text, a->name[strcmp(a->name[TZ_UPOS][w], "_") != 0 ? TZ_UPOS : TZ_XPOS][w]);
    }
}
