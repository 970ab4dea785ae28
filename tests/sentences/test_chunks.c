/* test_chunks.c - are base phrases what one would mark by hand? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>

#include "sentences/features/outline/chunks.h"
#include "sentences/features/tables/hash.h"

enum { WORDS = 16 };

/* tags and heads of a sentence, and its chunks: "[...]" as the first word of each. */
typedef struct example {
    const char *tag[WORDS];
    int32_t head[WORDS], first[WORDS];
    uint8_t kind[WORDS];
} example;

static void check(const example *e) {
    uint64_t upos[WORDS + 1];
    int32_t head[WORDS + 1], chunk[WORDS + 1], n = 0;
    uint8_t kind[WORDS + 1];
    for (; n < WORDS && e->tag[n]; n++) {
        upos[n + 1] = tz_hash_text(e->tag[n], strlen(e->tag[n]));
        head[n + 1] = e->head[n];
    }
    tz_chunks(upos, head, n, chunk, kind);
    for (int32_t w = 1; w <= n; w++) {
        assert_int_equal(chunk[w], e->first[w - 1]);
        assert_int_equal(kind[w], e->kind[w - 1]);
    }
}

TEST(phrases) {
    enum { O = TZ_CHUNK_OTHER, N = TZ_CHUNK_NOUN, V = TZ_CHUNK_VERB, M = TZ_CHUNK_MODIFIER };
    /* [the old dog] [of] [my two neighbours] [has not been barking] [very loudly] [.] */
    check(&(example){
        {"DET", "ADJ", "NOUN", "ADP", "PRON", "NUM", "NOUN", "AUX", "PART", "AUX", "VERB", "ADV",
         "ADV", "PUNCT"},
        {3, 3, 11, 7, 7, 7, 3, 11, 11, 11, 0, 13, 11, 11},
        {1, 1, 1, 4, 5, 6, 6, 8, 8, 8, 8, 12, 12, 14},
        {N, N, N, O, N, N, N, V, V, V, V, M, M, O},
    });
    /* [red] [wine], the adjective hanging elsewhere: no phrase */
    check(&(example){{"ADJ", "NOUN"}, {0, 1}, {1, 2}, {M, N}});
    /* [Mary] ['s] [big house]: what is in the way ends a phrase */
    check(&(example){{"PROPN", "PART", "ADJ", "NOUN"}, {4, 1, 4, 0}, {1, 2, 3, 3}, {N, O, N, N}});
    check(&(example){{NULL}, {0}, {0}, {0}});
}
