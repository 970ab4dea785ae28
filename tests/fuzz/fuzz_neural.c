/* fuzz_neural.c - neural scores whose checksum is right: read, and asked about a sentence.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "fuzz.h"
#include "sentences/neural/neural.h"

enum { WORDS = 5 };

/* Words with a tree, of which most are not in any vocabulary. */
static void make(tz_arena *arena, tz_sentence *ret) {
    static const char *const form[WORDS] = {"The", "bridge", "\xc3\x84", "closed", "."};
    static const char *const tag[WORDS] = {"DET", "NOUN", "NOUN", "VERB", "PUNCT"};
    static const int32_t head[WORDS] = {2, 4, 2, 0, 4};
    FUZZ_CHECK(tz_sentence_new(arena, WORDS, ret) == TZ_OK);
    for (int32_t w = 1; w <= WORDS; w++) {
        FUZZ_CHECK(tz_sentence_form(arena, ret, w, form[w - 1]) == TZ_OK);
        tz_sentence_column(ret, w, TZ_UPOS, tag[w - 1]);
        tz_sentence_column(ret, w, TZ_XPOS, "_");
        tz_sentence_column(ret, w, TZ_DEPREL, tag[w - 1]);
        ret->head[w] = head[w - 1];
    }
    FUZZ_CHECK(tz_outline_new(arena, NULL, ret) == TZ_OK);
}

void fuzz_target(const uint8_t *data, size_t size) {
    FREED(unsigned char, bytes) = fuzz_sealed(data, size, &size);
    OWN(tz_neural, neural) = NULL;
    tz_error error;
    tz_status status = tz_neural_read("input", bytes, size, &neural, &error);
    if (status != TZ_OK) {
        fuzz_check_error(status, &error);
    } else {
        OWN(tz_arena, arena) = tz_arena_new();
        OWNED(tz_neural_scores, scores) = {0};
        tz_sentence sentence;
        FUZZ_CHECK(arena && tz_neural_section(bytes, size));
        make(arena, &sentence);
        FUZZ_CHECK(tz_neural_score(neural, &sentence, &scores) == TZ_OK);
        for (int32_t i = 0; i <= WORDS; i++)
            for (int32_t j = i + 1; j <= WORDS; j++)
                FUZZ_CHECK(isfinite(scores.arc[i * (WORDS + 1) + j]));
        for (int32_t i = 0; i <= WORDS && scores.bigram; i++)
            for (int32_t j = i + 1; j <= WORDS + 1; j++)
                FUZZ_CHECK(isfinite(scores.bigram[i * (WORDS + 2) + j]));
    }
}
