/* features_compress.c - see features_compress.h. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_compress.h"

void tz_families_add(tz_features *features, const tz_outline *outline,
                     const tz_family_templates *family, size_t families, const uint64_t *atom) {
    uint64_t number = 0;
    for (size_t f = 0; f < families; f++) {
        number = family[f].number > 0 ? family[f].number : number;
        for (size_t t = 0; !tz_without(outline, family[f].family) && t < family[f].templates; t++)
            tz_feature(features, tz_template_key(&family[f].template[t], number + t, atom));
        number += family[f].templates;
    }
}

uint64_t tz_families_hash(const tz_family_templates *family, size_t families) {
    uint64_t hash = tz_templates_hash(family->template, family->templates);
    for (size_t f = 1; f < families; f++)
        hash = tz_hash(hash, tz_templates_hash(family[f].template, family[f].templates));
    return hash;
}
