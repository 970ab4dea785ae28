/* features_compress_word.c - what says that a word is kept, whatever it depends on.
 * SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_compress.h"

enum {
    W, /* the word, tags, the label of its arc; the same of its head; of its neighbours */
    T,
    C,
    L,
    HW,
    HT,
    HL,
    LEFT,
    RIGHT,
    LEFT_T,
    LEFT2_T,
    RIGHT_T,
    RIGHT2_T,
    LEFT_L,
    RIGHT_L,
    PATH2, /* labels up the tree */
    PATH3,
    BEFORE, /* labels of siblings */
    AFTER,
    SIDE, /* of its head, and how far away that is */
    DISTANCE,
    DEPTH,
    SIZE, /* of its subtree */
    FROM_START,
    FROM_END,
    CAPITAL,
    PLACE, /* between brackets or quotation marks? */
    STEM,
    SYMBOL,
    NEGATED,
    CHUNK, /* kind of its base phrase, and its place in it */
    ATOMS
};

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
enum {
    TEMPLATES = sizeof templates / sizeof *templates,
    CHUNKS = sizeof chunk_templates / sizeof *chunk_templates
};

uint64_t tz_templates_compress_word(void) {
    return tz_hash(tz_templates_hash(templates, TEMPLATES),
                   tz_templates_hash(chunk_templates, CHUNKS));
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
    const uint64_t atom[ATOMS] = {
        [W] = w->word,
        [T] = w->fine,
        [C] = w->coarse,
        [L] = w->label,
        [HW] = head->word,
        [HT] = head->fine,
        [HL] = head->label,
        [LEFT] = w[-1].word,
        [RIGHT] = w[1].word,
        [LEFT_T] = w[-1].fine,
        [LEFT2_T] = w[-2].fine,
        [RIGHT_T] = w[1].fine,
        [RIGHT2_T] = w[2].fine,
        [LEFT_L] = w[-1].label,
        [RIGHT_L] = w[1].label,
        [PATH2] = w->path[0],
        [PATH3] = w->path[1],
        [BEFORE] = w->before,
        [AFTER] = w->after,
        [SIDE] = distance > 0,
        [DISTANCE] = tz_count_bin(distance > 0 ? distance : -distance),
        [DEPTH] = w->depth > 7 ? 7 : (uint64_t)w->depth,
        [SIZE] = w->size,
        [FROM_START] = tz_count_bin(m - 1),
        [FROM_END] = tz_count_bin(sentence->words - m),
        [CAPITAL] = w->capital,
        [PLACE] = (uint64_t)w->bracketed << 1 | w->quoted,
        [STEM] = w->stem,
        [SYMBOL] = w->symbol,
        [NEGATED] = w->negated,
        [CHUNK] = w->chunk_kind << 2 | first << 1 | last,
    };
    tz_feature(features, tz_compress_keep());
    if (!tz_without(outline, TZ_FAMILY_WORD))
        tz_features_add(features, templates, TEMPLATES, TZ_COMPRESS_WORD, atom);
    if (!tz_without(outline, TZ_FAMILY_CHUNK))
        tz_features_add(features, chunk_templates, CHUNKS, TZ_COMPRESS_WORD + TEMPLATES, atom);
}
