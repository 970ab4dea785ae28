/* features_label.c - what an arc's label can be told by, once the tree is known. A new feature is a
 * line of `templates`; what it needs to see that is not there yet is an atom.
 *
 * After McDonald, Lerman & Pereira 2006 (Multilingual dependency analysis with a two-stage
 * discriminative parser, CoNLL), section 3. Every feature stands alone and conjoined with the arc's
 * direction and distance. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_label.h"

#define HEAD(OF)                                                                                   \
    OF(H, w->lower) /* at the head */                                                              \
    OF(HT, w->xpos)                                                                                \
    OF(HC, w->upos)                                                                                \
    OF(H4, w->prefix[3])                                                                           \
    OF(HT_LEFT, w[-1].xpos)                                                                        \
    OF(HT_RIGHT, w[1].xpos)                                                                        \
    OF(G, above->lower) /* its own head */                                                         \
    OF(GT, above->xpos)                                                                            \
    OF(H_CHILDREN, children(sentence, h, 1, sentence->words)) /* how many modify it */
#define MODIFIER(OF)                                                                               \
    OF(M, w->lower) /* at the modifier */                                                          \
    OF(MT, w->xpos)                                                                                \
    OF(MC, w->upos)                                                                                \
    OF(M_FORM, w->form)                                                                            \
    OF(M4, w->prefix[3])                                                                           \
    OF(M_SUFFIX2, w->suffix[1])                                                                    \
    OF(M_SUFFIX3, w->suffix[2])                                                                    \
    OF(M_SHAPE, w->shape)                                                                          \
    OF(MT_LEFT, w[-1].xpos)                                                                        \
    OF(MT_RIGHT, w[1].xpos)                                                                        \
    OF(M_LEFT, w[-1].lower)                                                                        \
    OF(M_RIGHT, w[1].lower)                                                                        \
    OF(M_CHILDREN, children(sentence, m, 1, sentence->words))                                      \
    OF(S_LEFT, left->lower) /* the head's modifier next to it */                                   \
    OF(ST_LEFT, left->xpos)                                                                        \
    OF(S_RIGHT, right->lower)                                                                      \
    OF(ST_RIGHT, right->xpos)                                                                      \
    OF(M_ORDER, inside ? children(sentence, sentence->head[m], 1, m - 1) : 0)
enum {
    HEAD(TZ_ATOM_NAME) HEAD_ATOMS,
    BEFORE_MODIFIER = HEAD_ATOMS - 1,
    MODIFIER(TZ_ATOM_NAME) ATOMS
};

static const tz_template templates[] = {
    TZ_TEMPLATE(HT, MT),
    TZ_TEMPLATE(HC, MC),
    TZ_TEMPLATE(H, M),
    TZ_TEMPLATE(H, MT),
    TZ_TEMPLATE(H, MC),
    TZ_TEMPLATE(HT, M),
    TZ_TEMPLATE(HC, M),
    TZ_TEMPLATE(H4, MC),
    TZ_TEMPLATE(HC, M4),
    TZ_TEMPLATE(H4, M4),
    TZ_TEMPLATE(H, HT, MT),
    TZ_TEMPLATE(HT, M, MT),
    TZ_TEMPLATE(M_FORM),
    TZ_TEMPLATE(MT, M_SUFFIX2),
    TZ_TEMPLATE(HC, MC, M_SUFFIX3),
    TZ_TEMPLATE(HC, MC, M_SHAPE),
    TZ_TEMPLATE(HT, HT_LEFT, MT),
    TZ_TEMPLATE(HT, HT_RIGHT, MT),
    TZ_TEMPLATE(HT, MT_LEFT, MT),
    TZ_TEMPLATE(HT, MT, MT_RIGHT),
    TZ_TEMPLATE(HT, MT_LEFT, MT, MT_RIGHT),
    TZ_TEMPLATE(HC, M_LEFT, MC),
    TZ_TEMPLATE(HC, MC, M_RIGHT),
    TZ_TEMPLATE(GT, HT, MT),
    TZ_TEMPLATE(G, HC, MC),
    TZ_TEMPLATE(GT, HC, M),
    TZ_TEMPLATE(H, MT, ST_LEFT),
    TZ_TEMPLATE(H, MT, ST_RIGHT),
    TZ_TEMPLATE(HT, MT, ST_LEFT),
    TZ_TEMPLATE(HT, MT, ST_RIGHT),
    TZ_TEMPLATE(HT, MT, ST_LEFT, ST_RIGHT),
    TZ_TEMPLATE(HC, MC, S_LEFT),
    TZ_TEMPLATE(HC, MC, S_RIGHT),
    TZ_TEMPLATE(HT, MT, M_ORDER),
    TZ_TEMPLATE(HT, MT, M_CHILDREN),
    TZ_TEMPLATE(HT, H_CHILDREN, MT),
};
enum { TEMPLATES = sizeof templates / sizeof *templates };

static bool look(const tz_sentence *sentence, const int32_t *index, tz_look *ret_look) {
    int32_t m = index[0], h = m > 0 ? sentence->head[m] : -1;
    if (h < 0)
        return false;
    *ret_look = (tz_look){{h, m}, {0, tz_reach(h, m)}};
    return true;
}

/* How many of these words modify h; 3: three or more. */
static uint64_t children(const tz_sentence *sentence, int32_t h, int32_t first, int32_t last) {
    uint64_t count = 0;
    for (int32_t c = first; c <= last && count < 3; c++)
        count += sentence->head[c] == h;
    return count;
}

/* The next word in a direction that modifies the same head; without one, a place outside. */
static const tz_word *sibling(const tz_sentence *sentence, int32_t m, int32_t step) {
    int32_t s = m + step;
    while (s >= 1 && s <= sentence->words && sentence->head[s] != sentence->head[m])
        s += step;
    return &sentence->word[s >= 1 && s <= sentence->words ? s : -1];
}

static void see_head(const tz_sentence *sentence, int32_t h, uint64_t *atom) {
    const tz_word *w = &sentence->word[h];
    bool inside = h >= 1 && h <= sentence->words && sentence->head[h] >= 0;
    const tz_word *above = &sentence->word[inside ? sentence->head[h] : -1];
    HEAD(TZ_ATOM_IS)
}

static void see_modifier(const tz_sentence *sentence, int32_t m, uint64_t *atom) {
    const tz_word *w = &sentence->word[m];
    bool inside = m >= 1 && m <= sentence->words;
    const tz_word *left = inside ? sibling(sentence, m, -1) : w;
    const tz_word *right = inside ? sibling(sentence, m, 1) : w;
    MODIFIER(TZ_ATOM_IS)
}

static void see(const tz_sentence *sentence, unsigned place, int32_t position, uint64_t *atom) {
    (place == 0 ? see_head : see_modifier)(sentence, position, atom);
}

const tz_template_set tz_label_set = {
    .name = "label",
    .template = templates,
    .templates = TEMPLATES,
    .places = 2,
    .atoms = {HEAD_ATOMS, ATOMS - HEAD_ATOMS},
    .withs = 2,
    .look = look,
    .see = see,
};

/* ---- The word's modifiers -------------------------------------------------------------------- */

void tz_features_children(const tz_sentence *sentence, const int32_t *index,
                          tz_features *features) {
    enum { WORD, TAG, WORD_ALONE, WORD_UNDER };
    int32_t m = index[0];
    const tz_word *w = &sentence->word[m], *head = &sentence->word[sentence->head[m]];
    for (int32_t c = 1; c <= sentence->words; c++) {
        if (sentence->head[c] == m) {
            const tz_word *child = &sentence->word[c];
            uint64_t side = c > m, tags = tz_hash(tz_hash(w->upos, head->upos), side);
            tz_feature(features, tz_hash(tz_hash(tags, child->lower), WORD));
            tz_feature(features, tz_hash(tz_hash(tags, child->xpos), TAG));
            tz_feature(features, tz_hash(tz_hash(w->xpos, child->lower), WORD_ALONE));
            tz_feature(features, tz_hash(tz_hash(head->lower, child->lower), WORD_UNDER));
        }
    }
}

uint64_t tz_templates_children(void) {
    static const char name[] = "HC MC SIDE C, HC MC SIDE CT, MT C, H C of each modifier C";
    return tz_hash_text(name, sizeof name);
}
