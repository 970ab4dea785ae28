/* features_compress_bigram.c - what says that two words are neighbours in the compression: the
 * words themselves, and what is dropped between them. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_compress.h"

enum {
    I, /* the two words; tags; labels in the input tree */
    IT,
    IC,
    IL,
    J,
    JT,
    JC,
    JL,
    I_BEFORE_T, /* tags of the words before and after both */
    J_AFTER_T,
    GAP, /* how many words are dropped */
    RELATION,
    LM,    /* log probability, in bins */
    FIRST, /* the first and the last dropped word */
    FIRST_T,
    FIRST_L,
    LAST,
    LAST_T,
    LAST_L,
    TOPS, /* how many subtrees the dropped words are, whole ones or not */
    ATOMS
};

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
enum {
    TEMPLATES = sizeof templates / sizeof *templates,
    LMS = sizeof lm / sizeof *lm,
    GAPS = sizeof gap / sizeof *gap
};

/* A subtree's top among the dropped words: its head is not dropped with it. */
enum { D, DT, DL, DH, DHT, WHOLE, D_FIRST, D_FIRST_T, SIZE, WHERE, PATH2, TOP_ATOMS };
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
enum { TOP_TEMPLATES = sizeof top_templates / sizeof *top_templates };

uint64_t tz_templates_compress_bigram(void) {
    uint64_t hash = tz_templates_hash(templates, TEMPLATES);
    hash = tz_hash(hash, tz_templates_hash(lm, LMS));
    hash = tz_hash(hash, tz_templates_hash(gap, GAPS));
    return tz_hash(hash, tz_templates_hash(top_templates, TOP_TEMPLATES));
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
        const uint64_t atom[TOP_ATOMS] = {
            [D] = w->word,
            [DT] = w->fine,
            [DL] = w->label,
            [DH] = head->word,
            [DHT] = head->fine,
            [WHOLE] = whole,
            [D_FIRST] = first->word,
            [D_FIRST_T] = first->fine,
            [SIZE] = w->size,
            [WHERE] = w->head == i ? 1 : w->head == j ? 2 : w->head < i ? 3 : 4,
            [PATH2] = w->path[0],
        };
        tz_features_add(features, top_templates, TOP_TEMPLATES, TZ_COMPRESS_TOP, atom);
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
    const uint64_t atom[ATOMS] = {
        [I] = a->word,
        [IT] = a->fine,
        [IC] = a->coarse,
        [IL] = a->label,
        [J] = b->word,
        [JT] = b->fine,
        [JC] = b->coarse,
        [JL] = b->label,
        [I_BEFORE_T] = a[-1].fine,
        [J_AFTER_T] = b[1].fine,
        [GAP] = tz_count_bin(j - i - 1),
        [RELATION] = relation(outline, i, j),
        [LM] = tz_bigram_bin(outline, i, j),
        [FIRST] = a[1].word,
        [FIRST_T] = a[1].fine,
        [FIRST_L] = a[1].label,
        [LAST] = b[-1].word,
        [LAST_T] = b[-1].fine,
        [LAST_L] = b[-1].label,
        [TOPS] = gaps ? add_tops(outline, i, j, features) : 0,
    };
    if (!tz_without(outline, TZ_FAMILY_BIGRAM)) {
        tz_features_add(features, templates, TEMPLATES, TZ_COMPRESS_BIGRAM, atom);
        if (outline->bigram && !tz_without(outline, TZ_FAMILY_LM))
            tz_features_add(features, lm, LMS, TZ_COMPRESS_BIGRAM + TEMPLATES, atom);
    }
    if (gaps)
        tz_features_add(features, gap, GAPS, TZ_COMPRESS_GAP, atom);
}
