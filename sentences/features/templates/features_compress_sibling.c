/* features_compress_sibling.c - what two neighbouring modifiers of a head can be told by: are they
 * siblings in the input tree as well? SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_compress.h"

#define SEEN(OF)                                                                                   \
    OF(HT, head->fine)                                                                             \
    OF(HC, head->coarse)                                                                           \
    OF(ST, first ? 0 : sibling->fine)                                                              \
    OF(SC, first ? 0 : sibling->coarse)                                                            \
    OF(SL, first ? 0 : sibling->label)                                                             \
    OF(MT, w->fine)                                                                                \
    OF(MC, w->coarse)                                                                              \
    OF(ML, w->label)                                                                               \
    OF(SIDE, h < m)                                                                                \
    OF(FIRST, first)                                                                               \
    OF(FAITHFUL,                                                                                   \
       (uint64_t)to_s << 4 |                                                                       \
           (uint64_t)tz_relation_of(outline, h, m)) /* what the head is to each of the two */      \
    OF(BETWEEN, neighbours) /* no siblings of the input tree stand between the two */
enum { SEEN(TZ_ATOM_NAME) ATOMS };

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
static const tz_family_templates families[] = {
    {TZ_FAMILY_SIBLING, TZ_COMPRESS_SIBLING, TZ_TABLE(templates)},
    {TZ_FAMILY_FIDELITY, 0, TZ_TABLE(fidelity)},
};
enum { TABLES = sizeof families / sizeof *families };

uint64_t tz_templates_compress_sibling(void) {
    return tz_families_hash(families, TABLES);
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
    const uint64_t atom[ATOMS] = {SEEN(TZ_ATOM_AT)};
    tz_families_add(features, outline, families, TABLES, atom);
}
