/* features_compress_bigram.c - what says that two words are neighbours in the compression: the
 * words themselves, and what is dropped between them. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_compress.h"

#define SEEN(OF)                                                                                   \
    OF(I, a->word)                                                                                 \
    OF(IT, a->fine)                                                                                \
    OF(IC, a->coarse)                                                                              \
    OF(IL, a->label)                                                                               \
    OF(J, b->word)                                                                                 \
    OF(JT, b->fine)                                                                                \
    OF(JC, b->coarse)                                                                              \
    OF(JL, b->label)                                                                               \
    OF(I_BEFORE_T, a[-1].fine)                                                                     \
    OF(J_AFTER_T, b[1].fine)                                                                       \
    OF(GAP, tz_count_bin(j - i - 1))                                                               \
    OF(RELATION, relation(outline, i, j))                                                          \
    OF(LM, tz_bigram_bin(outline, i, j)) /* log probability, in bins */                            \
    OF(FIRST, a[1].word)                 /* of the dropped words */                                \
    OF(FIRST_T, a[1].fine)                                                                         \
    OF(FIRST_L, a[1].label)                                                                        \
    OF(LAST, b[-1].word)                                                                           \
    OF(LAST_T, b[-1].fine)                                                                         \
    OF(LAST_L, b[-1].label)                                                                        \
    OF(TOPS, gaps ? add_tops(outline, i, j, features)                                              \
                  : 0) /* how many subtrees the dropped words are, whole ones or not */
enum { SEEN(TZ_ATOM_NAME) ATOMS };

static const tz_template templates[] = {
    TZ_TEMPLATE(GAP),
    TZ_TEMPLATE(I),
    TZ_TEMPLATE(J),
    TZ_TEMPLATE(I, J),
    TZ_TEMPLATE(I, JT),
    TZ_TEMPLATE(IT, J),
    TZ_TEMPLATE(IT, JT),
    TZ_TEMPLATE(I_BEFORE_T, IT, JT),
    TZ_TEMPLATE(IT, JT, J_AFTER_T),
    TZ_TEMPLATE(IL, JL),
    TZ_TEMPLATE(GAP, I),
    TZ_TEMPLATE(GAP, J),
    TZ_TEMPLATE(GAP, IT, JT),
    TZ_TEMPLATE(GAP, IC, JC),
    TZ_TEMPLATE(GAP, IL),
    TZ_TEMPLATE(GAP, JL),
    TZ_TEMPLATE(GAP, IL, JL),
    TZ_TEMPLATE(RELATION, GAP),
    TZ_TEMPLATE(RELATION, IL, JL),
    TZ_TEMPLATE(RELATION, IT, JT),
    TZ_TEMPLATE(RELATION, GAP, IL),
    TZ_TEMPLATE(RELATION, GAP, JL),
};
static const tz_template lm[] = {
    TZ_TEMPLATE(LM),
    TZ_TEMPLATE(LM, GAP),
    TZ_TEMPLATE(LM, IC, JC),
};
static const tz_template gap[] = {
    TZ_TEMPLATE(TOPS),
    TZ_TEMPLATE(TOPS, FIRST_L),
    TZ_TEMPLATE(TOPS, FIRST_T, LAST_T),
    TZ_TEMPLATE(FIRST),
    TZ_TEMPLATE(LAST),
    TZ_TEMPLATE(FIRST, LAST),
    TZ_TEMPLATE(FIRST_T, LAST_T),
    TZ_TEMPLATE(FIRST_L, LAST_L),
    TZ_TEMPLATE(I, FIRST),
    TZ_TEMPLATE(LAST, J),
    TZ_TEMPLATE(IT, FIRST),
    TZ_TEMPLATE(FIRST, JT),
    TZ_TEMPLATE(IT, FIRST_T),
    TZ_TEMPLATE(LAST_T, JT),
    TZ_TEMPLATE(FIRST_T, JT),
    TZ_TEMPLATE(IT, LAST_T),
    TZ_TEMPLATE(IT, FIRST_T, JT),
    TZ_TEMPLATE(IT, LAST_T, JT),
    TZ_TEMPLATE(IT, FIRST_T, LAST_T, JT),
    TZ_TEMPLATE(IL, FIRST_L, LAST_L, JL),
};

/* A subtree's top among the dropped words: its head is not dropped with it. */
#define TOP(OF)                                                                                    \
    OF(D, w->word)                                                                                 \
    OF(DT, w->fine)                                                                                \
    OF(DL, w->label)                                                                               \
    OF(DH, head->word)                                                                             \
    OF(DHT, head->fine)                                                                            \
    OF(WHOLE, whole)                                                                               \
    OF(D_FIRST, first->word)                                                                       \
    OF(D_FIRST_T, first->fine)                                                                     \
    OF(SIZE, w->size)                                                                              \
    OF(WHERE, w->head == i ? 1 : w->head == j ? 2 : w->head < i ? 3 : 4)                           \
    OF(PATH2, w->path[0])
enum { TOP(TZ_ATOM_NAME) TOP_ATOMS };
static const tz_template top_templates[] = {
    TZ_TEMPLATE(WHOLE),
    TZ_TEMPLATE(WHOLE, DL),
    TZ_TEMPLATE(WHOLE, DL, DT),
    TZ_TEMPLATE(WHOLE, D),
    TZ_TEMPLATE(WHOLE, DL, DHT),
    TZ_TEMPLATE(WHOLE, DL, D_FIRST),
    TZ_TEMPLATE(WHOLE, DL, D_FIRST_T, DHT),
    TZ_TEMPLATE(WHOLE, DL, SIZE),
    TZ_TEMPLATE(WHOLE, DL, DH),
    TZ_TEMPLATE(WHOLE, D, DH),
    TZ_TEMPLATE(WHOLE, PATH2),
    TZ_TEMPLATE(WHOLE, WHERE, DL),
    TZ_TEMPLATE(WHOLE, WHERE, DL, DH),
    TZ_TEMPLATE(WHOLE, WHERE, DL, DHT, DT),
};

static const tz_family_templates families[] = {
    {TZ_FAMILY_BIGRAM, TZ_COMPRESS_BIGRAM, TZ_TABLE(templates)},
    {TZ_FAMILY_LM, 0, TZ_TABLE(lm)},
    {TZ_FAMILY_GAP, TZ_COMPRESS_GAP, TZ_TABLE(gap)},
    {TZ_FAMILY_GAP, TZ_COMPRESS_TOP, TZ_TABLE(top_templates)},
};
enum { PAIRS = 0, GAPS = 2, TOPS_OF_GAPS = 3, TABLES = 4 };

uint64_t tz_templates_compress_bigram(void) {
    return tz_families_hash(families, TABLES);
}

/* Of the words dropped between i and j. Returns what they are together. */
static uint64_t add_tops(const tz_outline *outline, int32_t i, int32_t j, tz_features *features) {
    uint64_t tops = 0, kinds = 0;
    for (int32_t k = i + 1; k < j; k++) {
        const tz_outline_word *w = &outline->word[k];
        if (w->head > i && w->head < j)
            continue;
        bool whole = w->first > i && w->last < j;
        const tz_outline_word *head = &outline->word[w->head];
        const tz_outline_word *first = &outline->word[w->first > i ? w->first : i + 1];
        const uint64_t atom[TOP_ATOMS] = {TOP(TZ_ATOM_AT)};
        tz_families_add(features, outline, families + TOPS_OF_GAPS, 1, atom);
        tops += tops < 3;
        kinds |= whole ? 1 : 2;
    }
    return tops << 2 | kinds;
}

/* What the two words are to each other in the input tree; where neither is above the other, how
 * many of them have their head to the left. */
static uint64_t relation(const tz_outline *outline, int32_t i, int32_t j) {
    enum { LAST_WORD = 32, APART = 16 };
    if (j > outline->words)
        return LAST_WORD;
    tz_relation relation = tz_relation_of(outline, i, j);
    if (i == 0 || relation != TZ_UNRELATED)
        return relation;
    return APART + (uint64_t)(outline->word[i].head < i) + (uint64_t)(outline->word[j].head < j);
}

void tz_features_compress_bigram(const tz_sentence *sentence, const int32_t *index,
                                 tz_features *features) {
    const tz_outline *outline = sentence->outline;
    int32_t i = index[0], j = index[1];
    const tz_outline_word *a = &outline->word[i], *b = &outline->word[j];
    bool gaps = j > i + 1 && !tz_without(outline, TZ_FAMILY_GAP);
    const uint64_t atom[ATOMS] = {SEEN(TZ_ATOM_AT)};
    if (!tz_without(outline, TZ_FAMILY_BIGRAM))
        tz_families_add(features, outline, families + PAIRS, GAPS - PAIRS, atom);
    if (gaps)
        tz_families_add(features, outline, families + GAPS, 1, atom);
}
