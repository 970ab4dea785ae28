/* features_compress_sibling.c - what two neighbouring modifiers of a head can be told by: are they
 * siblings in the input tree as well? SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_compress.h"

enum {
    HT, /* fine and coarse tag, label in the input tree: of head, sibling, modifier */
    HC,
    ST,
    SC,
    SL,
    MT,
    MC,
    ML,
    SIDE,
    FIRST,    /* there is no sibling: the modifier is the first on its side */
    FAITHFUL, /* what the head is to each of the two */
    BETWEEN,  /* siblings that the input tree has between the two: none, some */
    ATOMS
};

static const tz_template templates[] = {
    TZ_TEMPLATE(FIRST, SIDE, ST, MT),
    TZ_TEMPLATE(FIRST, SIDE, HC, SC, MC),
    TZ_TEMPLATE(FIRST, SIDE, HT, ST, MT),
};
static const tz_template fidelity[] = {
    TZ_TEMPLATE(FIRST, FAITHFUL),
    TZ_TEMPLATE(FIRST, FAITHFUL, SL, ML),
    TZ_TEMPLATE(FIRST, FAITHFUL, SIDE, HC, SL, ML),
    TZ_TEMPLATE(FIRST, FAITHFUL, SL, MT),
    TZ_TEMPLATE(FIRST, FAITHFUL, ST, ML),
    TZ_TEMPLATE(FIRST, FAITHFUL, BETWEEN),
    TZ_TEMPLATE(FIRST, FAITHFUL, BETWEEN, SL, ML),
};
enum {
    TEMPLATES = sizeof templates / sizeof *templates,
    FIDELITY = sizeof fidelity / sizeof *fidelity
};

uint64_t tz_templates_compress_sibling(void) {
    return tz_hash(tz_templates_hash(templates, TEMPLATES), tz_templates_hash(fidelity, FIDELITY));
}

void tz_features_compress_sibling(const tz_sentence *sentence, const int32_t *index,
                                  tz_features *features) {
    const tz_outline *outline = sentence->outline;
    int32_t h = index[0], s = index[1], m = index[2];
    if (tz_without(outline, TZ_FAMILY_SIBLING) || (s < h ? m >= s : s > h && m <= s))
        return; /* a sibling stands between head and modifier */
    const tz_outline_word *head = &outline->word[h], *sibling = &outline->word[s];
    const tz_outline_word *w = &outline->word[m];
    bool first = s == h;
    tz_relation to_s = first ? TZ_UNRELATED : tz_relation_of(outline, h, s);
    bool neighbours = first || (m > s ? w->before == sibling->label : w->after == sibling->label);
    const uint64_t atom[ATOMS] = {
        [HT] = head->fine,
        [HC] = head->coarse,
        [ST] = first ? 0 : sibling->fine,
        [SC] = first ? 0 : sibling->coarse,
        [SL] = first ? 0 : sibling->label,
        [MT] = w->fine,
        [MC] = w->coarse,
        [ML] = w->label,
        [SIDE] = h < m,
        [FIRST] = first,
        [FAITHFUL] = (uint64_t)to_s << 4 | (uint64_t)tz_relation_of(outline, h, m),
        [BETWEEN] = neighbours,
    };
    tz_features_add(features, templates, TEMPLATES, TZ_COMPRESS_SIBLING, atom);
    if (!tz_without(outline, TZ_FAMILY_FIDELITY))
        tz_features_add(features, fidelity, FIDELITY, TZ_COMPRESS_SIBLING + TEMPLATES, atom);
}
