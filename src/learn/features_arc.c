/* features_arc.c - what an arc can be told by. A new feature is a line of `templates`; what it
 * needs to see that is not there yet is an atom.
 *
 * After McDonald, Crammer & Pereira 2005 (Online large-margin training of dependency parsers, ACL),
 * table 1. Tags are the fine ones (XPOS), and many templates come once more with the coarse ones
 * (UPOS). Every feature stands alone and conjoined with the arc's direction and distance.
 * SPDX-License-Identifier: MIT */
#include "learn/features_arc.h"

enum {
    H, /* the head's word (in lower case), fine tag, coarse tag */
    HT,
    HC,
    M,
    MT,
    MC,
    H_LEFT, /* fine tags beside them */
    H_RIGHT,
    M_LEFT,
    M_RIGHT,
    HC_LEFT, /* coarse tags beside them */
    HC_RIGHT,
    MC_LEFT,
    MC_RIGHT,
    HW_RIGHT, /* words beside them */
    MW_LEFT,
    MW_RIGHT,
    H4, /* the first letters of the words */
    M4,
    H_SUFFIX,
    M_SUFFIX,
    M_SHAPE,
    ATOMS,
    B = ATOMS, /* tags of a word between */
    BC,
    ALL_ATOMS
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
    TZ_TEMPLATE(HT, H_RIGHT, M_LEFT, MT),
    TZ_TEMPLATE(H_LEFT, HT, M_LEFT, MT),
    TZ_TEMPLATE(HT, H_RIGHT, MT, M_RIGHT),
    TZ_TEMPLATE(H_LEFT, HT, MT, M_RIGHT),
    TZ_TEMPLATE(HT, H_RIGHT, MT),
    TZ_TEMPLATE(H_LEFT, HT, MT),
    TZ_TEMPLATE(HT, M_LEFT, MT),
    TZ_TEMPLATE(HT, MT, M_RIGHT),
    TZ_TEMPLATE(HC, HC_RIGHT, MC_LEFT, MC),
    TZ_TEMPLATE(HC_LEFT, HC, MC_LEFT, MC),
    TZ_TEMPLATE(HC, HC_RIGHT, MC, MC_RIGHT),
    TZ_TEMPLATE(HC_LEFT, HC, MC, MC_RIGHT),
    TZ_TEMPLATE(HC_LEFT, HC, HC_RIGHT, MC),
    TZ_TEMPLATE(HC, MC_LEFT, MC, MC_RIGHT),
    TZ_TEMPLATE(HT, MW_LEFT, MT),
    TZ_TEMPLATE(HT, MT, MW_RIGHT),
    TZ_TEMPLATE(HT, M, MW_RIGHT),
    TZ_TEMPLATE(H, MW_LEFT, MT),
    TZ_TEMPLATE(HT, HW_RIGHT, MT),
};
enum { TEMPLATES = sizeof templates / sizeof *templates };

/* For each different tag between the ends. */
static const tz_template between[] = {
    TZ_TEMPLATE(HT, B, MT),
    TZ_TEMPLATE(HC, BC, MC),
};
enum { BETWEEN = sizeof between / sizeof *between };

uint64_t tz_templates_arc(void) {
    return tz_hash(tz_templates_hash(templates, TEMPLATES), tz_templates_hash(between, BETWEEN));
}

/* Words from head to modifier, in bins; never 0. */
static uint64_t distance_bin(int32_t distance) {
    static const int32_t bound[] = {1, 2, 3, 4, 5, 10};
    uint64_t bin = 1;
    for (size_t b = 0; b < sizeof bound / sizeof *bound && distance > bound[b]; b++) {
        bin++;
    }
    return bin;
}

static void add(tz_features *features, uint64_t key, uint64_t reach) {
    tz_feature(features, key);
    tz_feature(features, tz_hash(key, reach));
}

void tz_features_arc(const tz_sentence *sentence, const int32_t *arc, tz_features *features) {
    int32_t h = arc[0], m = arc[1];
    const tz_word *head = &sentence->word[h], *word = &sentence->word[m];
    uint64_t atom[ALL_ATOMS] = {
        [H] = head->lower,
        [HT] = head->xpos,
        [HC] = head->upos,
        [M] = word->lower,
        [MT] = word->xpos,
        [MC] = word->upos,
        [H_LEFT] = head[-1].xpos,
        [H_RIGHT] = head[1].xpos,
        [M_LEFT] = word[-1].xpos,
        [M_RIGHT] = word[1].xpos,
        [HC_LEFT] = head[-1].upos,
        [HC_RIGHT] = head[1].upos,
        [MC_LEFT] = word[-1].upos,
        [MC_RIGHT] = word[1].upos,
        [HW_RIGHT] = head[1].lower,
        [MW_LEFT] = word[-1].lower,
        [MW_RIGHT] = word[1].lower,
        [H4] = head->prefix[3],
        [M4] = word->prefix[3],
        [H_SUFFIX] = head->suffix[2],
        [M_SUFFIX] = word->suffix[2],
        [M_SHAPE] = word->shape,
    };
    int32_t low = h < m ? h : m, high = h < m ? m : h;
    uint64_t reach = distance_bin(high - low) << 1 | (h < m);
    for (uint64_t t = 0; t < TEMPLATES; t++) {
        add(features, tz_template_key(&templates[t], t, atom), reach);
    }
    for (int32_t b = low + 1; b < high; b++) {
        const tz_word *middle = &sentence->word[b];
        atom[B] = middle->xpos;
        atom[BC] = middle->upos;
        if (sentence->same_fine[b] <= low) {
            add(features, tz_template_key(&between[0], TEMPLATES, atom), reach);
        }
        if (sentence->same_coarse[b] <= low) {
            add(features, tz_template_key(&between[1], TEMPLATES + 1, atom), reach);
        }
    }
}
