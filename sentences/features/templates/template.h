/* template.h - feature templates: which atoms a feature conjoins.
 *
 * An atom is a property of a place in a sentence (the word two to the left, the tag of the head,
 * ...), as a hash. A template names atoms; a feature is a template with the values of its atoms.
 * Templates are lines of a table; a new feature is a new line. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TEMPLATES_TEMPLATE_H
#define TZ_SENTENCES_FEATURES_TEMPLATES_TEMPLATE_H

#include "sentences/features/sentence/corpus.h"
#include "sentences/features/tables/hash.h"

enum {
    TZ_TEMPLATE_ATOMS = 6, /* of one template */
    TZ_TEMPLATES = 128,    /* of a set */
    TZ_ATOMS = 64,         /* of a set */
    TZ_FEATURES = 128
};

typedef struct tz_template {
    const char *name; /* the atoms, as written */
    uint8_t atom[TZ_TEMPLATE_ATOMS];
    uint8_t atoms;
} tz_template;

/* TZ_TEMPLATE(HEAD_TAG, TAG) */
#define TZ_TEMPLATE(...)                                                                           \
    { #__VA_ARGS__, {__VA_ARGS__ }, sizeof((const uint8_t[]){__VA_ARGS__}) }

/* The atoms of a place are one list, OF(ATOM, value) for each. These make of it the atoms' names,
 * their values in an array, and assignments to `atom`. */
#define TZ_ATOM_NAME(name, value) name,
#define TZ_ATOM_AT(name, value)   [name] = (value),
#define TZ_ATOM_IS(name, value)   atom[name] = (value);

/* Collects features and hands them on in portions, in no particular order. */
typedef struct tz_features {
    void (*flush)(struct tz_features *features); /* takes key[0..count-1] */
    bool impossible; /* set for a part whose cells no derivation may use: they score -INFINITY */
    size_t count;
    uint64_t key[TZ_FEATURES];
} tz_features;

static inline void tz_feature(tz_features *features, uint64_t key) {
    features->key[features->count++] = key;
    if (features->count == TZ_FEATURES) {
        features->flush(features);
        features->count = 0;
    }
}

/* The feature of a template for these atoms. `number` tells templates apart, over all tables of a
 * model. */
static inline uint64_t tz_template_key(const tz_template *template, uint64_t number,
                                       const uint64_t *atom) {
    uint64_t key = number;
    for (unsigned a = 0; a < template->atoms; a++)
        key = tz_hash(key, atom[template->atom[a]]);
    return tz_hash(key, number);
}

/* ---- Sets of templates ----------------------------------------------------------------------- */

/* The places where a set's atoms are seen. */
typedef struct tz_look {
    int32_t place[TZ_MAX_RANK]; /* -1..words+1 */
    /* Numbers below 16 that every feature is conjoined with: it occurs once with each. A number
     * changes only the last bits of a hash, and so stays within a cache line of weights. */
    uint8_t with[2];
} tz_look;

/* Templates over several places of a sentence, each of whose atoms is seen at one of them. The hash
 * of such a feature is the sum of one *stem* for each place. So hashing takes time in proportion to
 * the number of words, and each feature, of a pair or triple of words, takes only additions. */
typedef struct tz_template_set {
    const char *name; /* unique among sets */
    const tz_template *template;
    size_t templates;
    unsigned places;
    uint8_t atoms[TZ_MAX_RANK]; /* seen at each place; those of place 0 have the lowest numbers */
    unsigned withs;             /* of tz_look.with: 1 or 2 */
    /* The places for the indices of a part. False: there are none, no derivation uses those
     * cells. */
    bool (*look)(const tz_sentence *sentence, const int32_t *index, tz_look *ret_look);
    /* Writes the atoms that are seen at a position in the role of place number `place`. */
    void (*see)(const tz_sentence *sentence, unsigned place, int32_t position, uint64_t *atom);
} tz_template_set;

/* tz_template_set.look for a label of one word, the first index. */
bool tz_look_at_word(const tz_sentence *sentence, const int32_t *index, tz_look *ret_look);

/* The direction and distance from a to b, in 7 bins, as a number 2..15 for tz_look.with. */
static inline uint8_t tz_reach(int32_t a, int32_t b) {
    static const int32_t bound[] = {1, 2, 3, 4, 5, 10};
    int32_t distance = a < b ? b - a : a - b;
    unsigned bin = 0;
    while (bin < sizeof bound / sizeof *bound && distance > bound[bin])
        bin++;
    return (uint8_t)(2 + bin * 2 + (a < b));
}

/* The stems of one place: stem[0..templates-1]. Cost: the atoms of the templates. */
void tz_stems(const tz_template_set *set, const tz_sentence *sentence, unsigned place,
              int32_t position, uint64_t *ret_stem);

/* The hash of a table's templates, and of a set. A model fits only the templates it was made
 * with. */
uint64_t tz_templates_hash(const tz_template *table, size_t count);
uint64_t tz_template_set_hash(const tz_template_set *set);

#endif
