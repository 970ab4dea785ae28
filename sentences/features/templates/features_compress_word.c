/* features_compress_word.c - what says that a word is kept, whatever it depends on.
 * SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_compress.h"

#define SEEN(OF)                                                                                   \
    OF(W, w->word)                                                                                 \
    OF(T, w->fine)                                                                                 \
    OF(C, w->coarse)                                                                               \
    OF(L, w->label)                                                                                \
    OF(HW, head->word)                                                                             \
    OF(HT, head->fine)                                                                             \
    OF(HL, head->label)                                                                            \
    OF(LEFT, w[-1].word)                                                                           \
    OF(RIGHT, w[1].word)                                                                           \
    OF(LEFT_T, w[-1].fine)                                                                         \
    OF(LEFT2_T, w[-2].fine)                                                                        \
    OF(RIGHT_T, w[1].fine)                                                                         \
    OF(RIGHT2_T, w[2].fine)                                                                        \
    OF(LEFT_L, w[-1].label)                                                                        \
    OF(RIGHT_L, w[1].label)                                                                        \
    OF(PATH2, w->path[0]) /* labels up the tree */                                                 \
    OF(PATH3, w->path[1])                                                                          \
    OF(BEFORE, w->before) /* labels of siblings */                                                 \
    OF(AFTER, w->after)                                                                            \
    OF(SIDE, distance > 0)                                                                         \
    OF(DISTANCE, tz_count_bin(distance > 0 ? distance : -distance))                                \
    OF(DEPTH, w->depth > 7 ? 7 : (uint64_t)w->depth)                                               \
    OF(SIZE, w->size) /* of its subtree */                                                         \
    OF(FROM_START, tz_count_bin(m - 1))                                                            \
    OF(FROM_END, tz_count_bin(sentence->words - m))                                                \
    OF(CAPITAL, w->capital)                                                                        \
    OF(PLACE, (uint64_t)w->bracketed << 1 | w->quoted)                                             \
    OF(STEM, w->stem)                                                                              \
    OF(SYMBOL, w->symbol)                                                                          \
    OF(NEGATED, w->negated)                                                                        \
    OF(CHUNK, w->chunk_kind << 2 | first << 1 | last)
enum { SEEN(TZ_ATOM_NAME) ATOMS };

static const tz_template templates[] = {
    TZ_TEMPLATE(W),
    TZ_TEMPLATE(T),
    TZ_TEMPLATE(W, T),
    TZ_TEMPLATE(STEM),
    TZ_TEMPLATE(STEM, L),
    TZ_TEMPLATE(SYMBOL, T),
    TZ_TEMPLATE(NEGATED, L),
    TZ_TEMPLATE(CAPITAL, T),
    TZ_TEMPLATE(PLACE),
    TZ_TEMPLATE(PLACE, L),
    /* Windows. */
    TZ_TEMPLATE(LEFT_T, T),
    TZ_TEMPLATE(T, RIGHT_T),
    TZ_TEMPLATE(LEFT_T, T, RIGHT_T),
    TZ_TEMPLATE(LEFT2_T, LEFT_T, T),
    TZ_TEMPLATE(T, RIGHT_T, RIGHT2_T),
    TZ_TEMPLATE(LEFT, W),
    TZ_TEMPLATE(W, RIGHT),
    TZ_TEMPLATE(LEFT, T),
    TZ_TEMPLATE(T, RIGHT),
    TZ_TEMPLATE(LEFT_L, L),
    TZ_TEMPLATE(L, RIGHT_L),
    TZ_TEMPLATE(LEFT_L, L, RIGHT_L),
    /* The tree. */
    TZ_TEMPLATE(L),
    TZ_TEMPLATE(L, T),
    TZ_TEMPLATE(L, W),
    TZ_TEMPLATE(C, L, HT),
    TZ_TEMPLATE(T, L, HL),
    TZ_TEMPLATE(W, HW),
    TZ_TEMPLATE(W, HT),
    TZ_TEMPLATE(L, HW),
    TZ_TEMPLATE(L, HW, T),
    TZ_TEMPLATE(PATH2),
    TZ_TEMPLATE(PATH2, T),
    TZ_TEMPLATE(PATH2, W),
    TZ_TEMPLATE(PATH3),
    TZ_TEMPLATE(PATH3, T),
    TZ_TEMPLATE(DEPTH, L),
    TZ_TEMPLATE(DEPTH, T),
    TZ_TEMPLATE(SIZE, L),
    TZ_TEMPLATE(SIZE, L, HT, SIDE),
    TZ_TEMPLATE(SIZE, PATH2),
    TZ_TEMPLATE(SIDE, L, HT, T),
    TZ_TEMPLATE(SIDE, L, DISTANCE),
    TZ_TEMPLATE(BEFORE, L),
    TZ_TEMPLATE(L, AFTER),
    TZ_TEMPLATE(BEFORE, L, AFTER, SIDE),
    TZ_TEMPLATE(BEFORE, L, HT),
    TZ_TEMPLATE(L, AFTER, HT),
    /* The place in the sentence. */
    TZ_TEMPLATE(FROM_START),
    TZ_TEMPLATE(FROM_START, L),
    TZ_TEMPLATE(FROM_START, T),
    TZ_TEMPLATE(FROM_START, DEPTH, L),
    TZ_TEMPLATE(FROM_END, L),
    TZ_TEMPLATE(FROM_END, T),
};
static const tz_template chunk_templates[] = {
    TZ_TEMPLATE(CHUNK, T),
    TZ_TEMPLATE(CHUNK, L),
    TZ_TEMPLATE(CHUNK, LEFT_T, RIGHT_T),
};
static const tz_family_templates families[] = {
    {TZ_FAMILY_WORD, TZ_COMPRESS_WORD, TZ_TABLE(templates)},
    {TZ_FAMILY_CHUNK, 0, TZ_TABLE(chunk_templates)},
};
enum { TABLES = sizeof families / sizeof *families };

uint64_t tz_templates_compress_word(void) {
    return tz_families_hash(families, TABLES);
}

uint64_t tz_compress_keep(void) {
    return tz_hash(TZ_COMPRESS_KEEP, TZ_COMPRESS_KEEP);
}

void tz_features_compress_word(const tz_sentence *sentence, const int32_t *index,
                               tz_features *features) {
    const tz_outline *outline = sentence->outline;
    int32_t m = index[0];
    const tz_outline_word *w = &outline->word[m], *head = &outline->word[w->head];
    int32_t distance = m - w->head;
    uint64_t first = w->chunk == m, last = w[1].chunk != w->chunk;
    const uint64_t atom[ATOMS] = {SEEN(TZ_ATOM_AT)};
    tz_feature(features, tz_compress_keep());
    tz_families_add(features, outline, families, TABLES, atom);
}
