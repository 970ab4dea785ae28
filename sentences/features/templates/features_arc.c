/* features_arc.c - what an arc can be told by. A new feature is a line of `templates`; what it
 * needs to see that is not there yet is an atom.
 *
 * After McDonald, Crammer & Pereira 2005 (Online large-margin training of dependency parsers, ACL),
 * table 1. Tags are the fine ones (XPOS), and many templates come once more with the coarse ones
 * (UPOS). Every feature stands alone and conjoined with the arc's direction and distance.
 * SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_arc.h"

#define HEAD(OF)                                                                                   \
    OF(H, w->lower) /* at the head */                                                              \
    OF(HT, w->xpos)                                                                                \
    OF(HC, w->upos)                                                                                \
    OF(HT_LEFT, w[-1].xpos)                                                                        \
    OF(HT_RIGHT, w[1].xpos)                                                                        \
    OF(HC_LEFT, w[-1].upos)                                                                        \
    OF(HC_RIGHT, w[1].upos)                                                                        \
    OF(H_RIGHT, w[1].lower)                                                                        \
    OF(H4, w->prefix[3])                                                                           \
    OF(H_SUFFIX, w->suffix[2])
#define MODIFIER(OF)                                                                               \
    OF(M, w->lower) /* at the modifier */                                                          \
    OF(MT, w->xpos)                                                                                \
    OF(MC, w->upos)                                                                                \
    OF(MT_LEFT, w[-1].xpos)                                                                        \
    OF(MT_RIGHT, w[1].xpos)                                                                        \
    OF(MC_LEFT, w[-1].upos)                                                                        \
    OF(MC_RIGHT, w[1].upos)                                                                        \
    OF(M_LEFT, w[-1].lower)                                                                        \
    OF(M_RIGHT, w[1].lower)                                                                        \
    OF(M4, w->prefix[3])                                                                           \
    OF(M_SUFFIX, w->suffix[2])                                                                     \
    OF(M_SHAPE, w->shape)
enum {
    HEAD(TZ_ATOM_NAME) HEAD_ATOMS,
    BEFORE_MODIFIER = HEAD_ATOMS - 1,
    MODIFIER(TZ_ATOM_NAME) ATOMS
};

static const tz_template templates[] = {
    /* One end. */
    TZ_TEMPLATE(H, HT),
    TZ_TEMPLATE(H),
    TZ_TEMPLATE(HT),
    TZ_TEMPLATE(M, MT),
    TZ_TEMPLATE(M),
    TZ_TEMPLATE(MT),
    /* Both ends. */
    TZ_TEMPLATE(H, HT, M, MT),
    TZ_TEMPLATE(HT, M, MT),
    TZ_TEMPLATE(H, M, MT),
    TZ_TEMPLATE(H, HT, MT),
    TZ_TEMPLATE(H, HT, M),
    TZ_TEMPLATE(H, M),
    TZ_TEMPLATE(HT, MT),
    TZ_TEMPLATE(HC, MC),
    TZ_TEMPLATE(H, MC),
    TZ_TEMPLATE(HC, M),
    TZ_TEMPLATE(H4, M4),
    TZ_TEMPLATE(H4, MT),
    TZ_TEMPLATE(HT, M4),
    TZ_TEMPLATE(HT, MT, M_SUFFIX),
    TZ_TEMPLATE(H_SUFFIX, HT, MT),
    TZ_TEMPLATE(HT, MT, M_SHAPE),
    /* The words beside them. */
    TZ_TEMPLATE(HT, HT_RIGHT, MT_LEFT, MT),
    TZ_TEMPLATE(HT_LEFT, HT, MT_LEFT, MT),
    TZ_TEMPLATE(HT, HT_RIGHT, MT, MT_RIGHT),
    TZ_TEMPLATE(HT_LEFT, HT, MT, MT_RIGHT),
    TZ_TEMPLATE(HT, HT_RIGHT, MT),
    TZ_TEMPLATE(HT_LEFT, HT, MT),
    TZ_TEMPLATE(HT, MT_LEFT, MT),
    TZ_TEMPLATE(HT, MT, MT_RIGHT),
    TZ_TEMPLATE(HC, HC_RIGHT, MC_LEFT, MC),
    TZ_TEMPLATE(HC_LEFT, HC, MC_LEFT, MC),
    TZ_TEMPLATE(HC, HC_RIGHT, MC, MC_RIGHT),
    TZ_TEMPLATE(HC_LEFT, HC, MC, MC_RIGHT),
    TZ_TEMPLATE(HC_LEFT, HC, HC_RIGHT, MC),
    TZ_TEMPLATE(HC, MC_LEFT, MC, MC_RIGHT),
    TZ_TEMPLATE(HT, M_LEFT, MT),
    TZ_TEMPLATE(HT, MT, M_RIGHT),
    TZ_TEMPLATE(HT, M, M_RIGHT),
    TZ_TEMPLATE(H, M_LEFT, MT),
    TZ_TEMPLATE(HT, H_RIGHT, MT),
};
enum { TEMPLATES = sizeof templates / sizeof *templates };

static bool look(const tz_sentence *sentence, const int32_t *arc, tz_look *ret_look) {
    (void)sentence;
    int32_t h = arc[0], m = arc[1];
    if (m == 0 || h == m)
        return false;
    *ret_look = (tz_look){{h, m}, {0, tz_reach(h, m)}};
    return true;
}

static void see(const tz_sentence *sentence, unsigned place, int32_t position, uint64_t *atom) {
    const tz_word *w = &sentence->word[position];
    switch (place) {
    case 0:
        HEAD(TZ_ATOM_IS)
        break;
    case 1:
        MODIFIER(TZ_ATOM_IS)
        break;
    }
}

const tz_template_set tz_arc_set = {
    .name = "arc",
    .template = templates,
    .templates = TEMPLATES,
    .places = 2,
    .atoms = {HEAD_ATOMS, ATOMS - HEAD_ATOMS},
    .withs = 2,
    .look = look,
    .see = see,
};

/* ---- Words between --------------------------------------------------------------------------- */

/* Of each different tag between the ends, with those of the ends. */
void tz_features_between(const tz_sentence *sentence, const int32_t *arc, tz_features *features) {
    enum { FINE, COARSE };
    int32_t h = arc[0], m = arc[1], low = h < m ? h : m, high = h < m ? m : h;
    const tz_word *head = &sentence->word[h], *word = &sentence->word[m];
    uint64_t fine = tz_hash(tz_hash(FINE, head->xpos), word->xpos);
    uint64_t coarse = tz_hash(tz_hash(COARSE, head->upos), word->upos);
    for (int32_t b = low + 1; b < high; b++) {
        if (sentence->same_fine[b] <= low) {
            uint64_t key = tz_hash(tz_hash(fine, sentence->word[b].xpos), FINE);
            tz_feature(features, key);
            tz_feature(features, key ^ tz_reach(h, m));
        }
        if (sentence->same_coarse[b] <= low) {
            uint64_t key = tz_hash(tz_hash(coarse, sentence->word[b].upos), COARSE);
            tz_feature(features, key);
            tz_feature(features, key ^ tz_reach(h, m));
        }
    }
}

uint64_t tz_templates_between(void) {
    static const char name[] = "H BETWEEN M, of fine and of coarse tags";
    return tz_hash_text(name, sizeof name);
}
