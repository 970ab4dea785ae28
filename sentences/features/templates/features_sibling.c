/* features_sibling.c - what two neighbouring modifiers of a head can be told by. A new feature is a
 * line of `templates`; what it needs to see that is not there yet is an atom.
 *
 * After McDonald & Pereira 2006 (Online learning of approximate dependency parsing algorithms,
 * EACL), section 3.1, and Carreras 2007 (Experiments with a higher-order projective dependency
 * parser, EMNLP-CoNLL), section 3. Every feature stands conjoined with the direction, and with
 * direction and distance of the modifiers. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_sibling.h"

#define HEAD(OF)                                                                                   \
    OF(H, w->lower) /* at the head */                                                              \
    OF(HT, w->xpos)                                                                                \
    OF(HC, w->upos)
#define SIBLING(OF)                                                                                \
    OF(S, w->lower) /* at the sibling, or outside the sentence */                                  \
    OF(ST, w->xpos)                                                                                \
    OF(SC, w->upos)                                                                                \
    OF(ST_LEFT, w[-1].xpos)                                                                        \
    OF(ST_RIGHT, w[1].xpos)
#define MODIFIER(OF)                                                                               \
    OF(M, w->lower) /* at the modifier */                                                          \
    OF(MT, w->xpos)                                                                                \
    OF(MC, w->upos)                                                                                \
    OF(MT_LEFT, w[-1].xpos)                                                                        \
    OF(MT_RIGHT, w[1].xpos)
enum {
    HEAD(TZ_ATOM_NAME) HEAD_ATOMS,
    BEFORE_SIBLING = HEAD_ATOMS - 1,
    SIBLING(TZ_ATOM_NAME) SIBLING_END,
    BEFORE_MODIFIER = SIBLING_END - 1,
    MODIFIER(TZ_ATOM_NAME) ATOMS
};

static const tz_template templates[] = {
    TZ_TEMPLATE(HT, ST, MT),
    TZ_TEMPLATE(HC, SC, MC),
    TZ_TEMPLATE(ST, MT),
    TZ_TEMPLATE(SC, MC),
    TZ_TEMPLATE(S, MT),
    TZ_TEMPLATE(ST, M),
    TZ_TEMPLATE(S, M),
    TZ_TEMPLATE(H, ST, MT),
    TZ_TEMPLATE(HT, S, MT),
    TZ_TEMPLATE(HT, ST, M),
    TZ_TEMPLATE(H, SC, MC),
    TZ_TEMPLATE(HC, S, MC),
    TZ_TEMPLATE(HC, SC, M),
    TZ_TEMPLATE(HC, S, M),
    TZ_TEMPLATE(H, S, MC),
    TZ_TEMPLATE(H, SC, M),
    TZ_TEMPLATE(HT, ST, ST_RIGHT, MT),
    TZ_TEMPLATE(HT, ST_LEFT, ST, MT),
    TZ_TEMPLATE(HT, ST, MT_LEFT, MT),
    TZ_TEMPLATE(HT, ST, MT, MT_RIGHT),
};
enum { TEMPLATES = sizeof templates / sizeof *templates };

static bool look(const tz_sentence *sentence, const int32_t *triple, tz_look *ret_look) {
    (void)sentence;
    int32_t h = triple[0], s = triple[1], m = triple[2];
    bool right = h < m, none = s == h;
    if (m == 0 || h == m || (right ? s < h || s >= m : s > h || s <= m))
        return false;
    *ret_look = (tz_look){{h, none ? -1 : s, m}, {right, tz_reach(s, m)}};
    return true;
}

static void see(const tz_sentence *sentence, unsigned place, int32_t position, uint64_t *atom) {
    const tz_word *w = &sentence->word[position];
    switch (place) {
    case 0:
        HEAD(TZ_ATOM_IS)
        break;
    case 1:
        SIBLING(TZ_ATOM_IS)
        break;
    case 2:
        MODIFIER(TZ_ATOM_IS)
        break;
    }
}

const tz_template_set tz_sibling_set = {
    .name = "sibling",
    .template = templates,
    .templates = TEMPLATES,
    .places = 3,
    .atoms = {HEAD_ATOMS, SIBLING_END - HEAD_ATOMS, ATOMS - SIBLING_END},
    .withs = 2,
    .look = look,
    .see = see,
};
