/* fuzz_corpus.c - treebanks as learning sees them: tags, heads, and the trees of what is kept.
 *
 * SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "fuzz.h"
#include "sentences/features/outline/outline.h"

static void check(tz_arena *arena, tz_sentence *sentence, const tz_labels *tags) {
    bool heads = true;
    for (int32_t w = 1; w <= sentence->words; w++) {
        heads = heads && sentence->head[w] >= 0;
        FUZZ_CHECK(sentence->tag[w] >= 0 && (size_t)sentence->tag[w] < tags->count);
        FUZZ_CHECK(sentence->same_fine[w] < w && sentence->same_coarse[w] < w);
        if (sentence->compression == NULL)
            continue;
        int32_t head = sentence->compression[w];
        FUZZ_CHECK(head >= -1 && head <= sentence->words && head != w);
        FUZZ_CHECK(head <= 0 || sentence->compression[head] >= 0);
    }
    if (heads && sentence->words <= 40)
        FUZZ_CHECK(tz_outline_new(arena, NULL, sentence) == TZ_OK);
}

void fuzz_target(const uint8_t *data, size_t size) {
    OWNED(tz_labels, tags) = {0}, fine = {0}, label = {0};
    tz_error error;
    const tz_corpus_options options = {
        .keep_rows = true,
        .grow = true,
        .labels = {[TZ_UPOS] = &tags, [TZ_XPOS] = &fine, [TZ_DEPREL] = &label}};
    fuzz_text in = fuzz_lines(data, size, TZ_CONLLU_LINE);
    OWN(tz_conllu, conllu) = tz_conllu_new(in.lines);
    OWN(tz_arena, arena) = tz_arena_new();
    OWNED(tz_corpus, corpus) = {0};
    FUZZ_CHECK(conllu != NULL && arena != NULL);
    tz_status status = tz_corpus_read(conllu, &options, &corpus, &error);
    if (status != TZ_OK)
        fuzz_check_error(status, &error);
    for (size_t s = 0; s < corpus.count; s++)
        check(arena, &corpus.sentence[s], &tags);
    fuzz_lines_free(&in);
}
