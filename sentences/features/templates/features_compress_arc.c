/* features_compress_arc.c - what an arc of the compression's tree can be told by: above all what
 * the two words are to each other in the input tree (fidelity). SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_compress.h"

#define SEEN(OF)                                                                                   \
    OF(H, head->word)                                                                              \
    OF(HT, head->fine)                                                                             \
    OF(HC, head->coarse)                                                                           \
    OF(HL, head->label)                                                                            \
    OF(M, w->word)                                                                                 \
    OF(MT, w->fine)                                                                                \
    OF(MC, w->coarse)                                                                              \
    OF(ML, w->label)                                                                               \
    OF(SIDE, distance > 0)                                                                         \
    OF(DISTANCE, tz_count_bin(distance > 0 ? distance : -distance))                                \
    OF(RELATION, (uint64_t)relation << 1 | (h == 0))                                               \
    OF(PATH, path(head, w, relation))                                                              \
    OF(OLD, old->word) /* the modifier's head in the input tree */                                 \
    OF(OLD_T, old->fine)                                                                           \
    OF(OLD_L, old->label)                                                                          \
    OF(CHUNK, head->chunk_kind << 3 | w->chunk_kind << 1 | (head->chunk == w->chunk))              \
    OF(GRAMMAR, tz_grammar_bin(outline, h, m)) /* log probability, in bins */
enum { SEEN(TZ_ATOM_NAME) ATOMS };

static const tz_template templates[] = {
    TZ_TEMPLATE(SIDE, HT, MT), TZ_TEMPLATE(SIDE, H, MT),
    TZ_TEMPLATE(SIDE, HT, M),  TZ_TEMPLATE(SIDE, HC, MC, DISTANCE),
    TZ_TEMPLATE(H, M),         TZ_TEMPLATE(SIDE, HT, MT, DISTANCE),
};
static const tz_template fidelity[] = {
    TZ_TEMPLATE(RELATION),         TZ_TEMPLATE(RELATION, SIDE),     TZ_TEMPLATE(RELATION, ML),
    TZ_TEMPLATE(RELATION, ML, HT), TZ_TEMPLATE(RELATION, HL, ML),   TZ_TEMPLATE(RELATION, HT, MT),
    TZ_TEMPLATE(RELATION, PATH),   TZ_TEMPLATE(RELATION, DISTANCE),
};
static const tz_template chunks[] = {
    TZ_TEMPLATE(CHUNK),
    TZ_TEMPLATE(CHUNK, SIDE, MC),
    TZ_TEMPLATE(CHUNK, HC, MC),
};
static const tz_template grammar[] = {
    TZ_TEMPLATE(GRAMMAR),
    TZ_TEMPLATE(GRAMMAR, MC),
    TZ_TEMPLATE(GRAMMAR, HC, MC),
};
static const tz_family_templates families[] = {
    {TZ_FAMILIES, TZ_COMPRESS_ARC, TZ_TABLE(templates)},
    {TZ_FAMILY_FIDELITY, 0, TZ_TABLE(fidelity)},
    {TZ_FAMILY_CHUNK, 0, TZ_TABLE(chunks)},
    {TZ_FAMILY_GRAMMAR, 0, TZ_TABLE(grammar)},
};
enum { TABLES = sizeof families / sizeof *families };

uint64_t tz_templates_compress_arc(void) {
    return tz_families_hash(families, TABLES);
}

static uint64_t path(const tz_outline_word *head, const tz_outline_word *word,
                     tz_relation relation) {
    return relation == TZ_HEAD_OF     ? word->label
           : relation == TZ_ANCESTOR2 ? word->path[0]
           : relation == TZ_ANCESTOR3 ? word->path[1]
                                      : tz_hash(head->label, word->label);
}

void tz_features_compress_arc(const tz_sentence *sentence, const int32_t *index,
                              tz_features *features) {
    const tz_outline *outline = sentence->outline;
    int32_t h = index[0], m = index[1], distance = m - h;
    const tz_outline_word *head = &outline->word[h], *w = &outline->word[m];
    const tz_outline_word *old = &outline->word[w->head];
    tz_relation relation = tz_relation_of(outline, h, m);
    if (relation != TZ_HEAD_OF && h > 0 && tz_without(outline, TZ_FAMILY_OUTSIDE)) {
        features->impossible = true;
        return;
    }
    const uint64_t atom[ATOMS] = {SEEN(TZ_ATOM_AT)};
    tz_families_add(features, outline, families, TABLES, atom);
}
