/* features_compress_arc.c - what an arc of the compression's tree can be told by: above all what
 * the two words are to each other in the input tree (fidelity). SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_compress.h"

enum {
    H, /* head and modifier: word, tags, label in the input tree */
    HT,
    HC,
    HL,
    M,
    MT,
    MC,
    ML,
    SIDE,
    DISTANCE,
    RELATION,
    PATH, /* labels from the modifier up to the head, or of both where the head is not above it */
    OLD,  /* the modifier's head in the input tree */
    OLD_T,
    OLD_L,
    CHUNK,   /* same chunk?, and the kinds of the ends' chunks */
    GRAMMAR, /* log probability, in bins */
    ATOMS
};

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
enum {
    TEMPLATES = sizeof templates / sizeof *templates,
    FIDELITY = sizeof fidelity / sizeof *fidelity,
    CHUNKS = sizeof chunks / sizeof *chunks,
    GRAMMARS = sizeof grammar / sizeof *grammar,
    FIRST_FIDELITY = TZ_COMPRESS_ARC + TEMPLATES,
    FIRST_CHUNK = FIRST_FIDELITY + FIDELITY,
    FIRST_GRAMMAR = FIRST_CHUNK + CHUNKS
};

uint64_t tz_templates_compress_arc(void) {
    uint64_t hash = tz_templates_hash(templates, TEMPLATES);
    hash = tz_hash(hash, tz_templates_hash(fidelity, FIDELITY));
    hash = tz_hash(hash, tz_templates_hash(chunks, CHUNKS));
    return tz_hash(hash, tz_templates_hash(grammar, GRAMMARS));
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
    const uint64_t atom[ATOMS] = {
        [H] = head->word,
        [HT] = head->fine,
        [HC] = head->coarse,
        [HL] = head->label,
        [M] = w->word,
        [MT] = w->fine,
        [MC] = w->coarse,
        [ML] = w->label,
        [SIDE] = distance > 0,
        [DISTANCE] = tz_count_bin(distance > 0 ? distance : -distance),
        [RELATION] = (uint64_t)relation << 1 | (h == 0),
        [PATH] = path(head, w, relation),
        [OLD] = old->word,
        [OLD_T] = old->fine,
        [OLD_L] = old->label,
        [CHUNK] = head->chunk_kind << 3 | w->chunk_kind << 1 | (head->chunk == w->chunk),
        [GRAMMAR] = tz_grammar_bin(outline, h, m),
    };
    tz_features_add(features, templates, TEMPLATES, TZ_COMPRESS_ARC, atom);
    if (!tz_without(outline, TZ_FAMILY_FIDELITY))
        tz_features_add(features, fidelity, FIDELITY, FIRST_FIDELITY, atom);
    if (!tz_without(outline, TZ_FAMILY_CHUNK))
        tz_features_add(features, chunks, CHUNKS, FIRST_CHUNK, atom);
    if (outline->grammar && !tz_without(outline, TZ_FAMILY_GRAMMAR))
        tz_features_add(features, grammar, GRAMMARS, FIRST_GRAMMAR, atom);
}
