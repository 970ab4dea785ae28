/* template.h - feature templates: which atoms a feature conjoins.
 *
 * An atom is something that can be seen of a place in a sentence (the word two to the left, the tag
 * of the head, ...), as a hash. A template names atoms; a feature is a template with the values of
 * its atoms. Templates are lines of a table; a new feature is a new line. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_LEARN_TEMPLATE_H
#define TZ_LEARN_TEMPLATE_H

#include "learn/hash.h"

enum { TZ_TEMPLATE_ATOMS = 6, TZ_FEATURES = 128 };

typedef struct tz_template {
    const char *name; /* the atoms, as written */
    uint8_t atom[TZ_TEMPLATE_ATOMS];
    uint8_t atoms;
} tz_template;

/* TZ_TEMPLATE(HEAD_TAG, TAG) */
#define TZ_TEMPLATE(...)                                                                           \
    { #__VA_ARGS__, {__VA_ARGS__ }, sizeof((const uint8_t[]){__VA_ARGS__}) }

/* Where features go: collected, and handed on in portions whose order says nothing. */
typedef struct tz_features {
    void (*flush)(struct tz_features *features); /* takes key[0..count-1] */
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
    for (unsigned a = 0; a < template->atoms; a++) {
        key = tz_hash(key, atom[template->atom[a]]);
    }
    return tz_hash(key, number);
}

/* The hash of a table's templates: models made with others do not fit. */
uint64_t tz_templates_hash(const tz_template *table, size_t count);

#endif
