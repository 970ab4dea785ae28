/* template.c - see template.h. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/template.h"

#include <string.h>

uint64_t tz_templates_hash(const tz_template *table, size_t count) {
    uint64_t hash = count;
    for (size_t t = 0; t < count; t++)
        hash = tz_hash(hash, tz_hash_text(table[t].name, strlen(table[t].name)));
    return hash;
}

static uint64_t salt(const tz_template_set *set) {
    return tz_hash_text(set->name, strlen(set->name));
}

uint64_t tz_template_set_hash(const tz_template_set *set) {
    return tz_hash(salt(set), tz_templates_hash(set->template, set->templates));
}

void tz_stems(const tz_template_set *set, const tz_sentence *sentence, unsigned place,
              int32_t position, uint64_t *ret_stem) {
    uint64_t atom[TZ_ATOMS], seed = salt(set);
    unsigned first = 0;
    for (unsigned p = 0; p < place; p++)
        first += set->atoms[p];
    set->see(sentence, place, position, atom);
    for (size_t t = 0; t < set->templates; t++) {
        const tz_template *template = &set->template[t];
        uint64_t stem = tz_hash(seed, t << 2 | place);
        for (unsigned a = 0; a < template->atoms; a++)
            if (template->atom[a] - first < set->atoms[place]) /* unsigned: and not below */
                stem = tz_hash(stem, atom[template->atom[a]]);
        ret_stem[t] = tz_hash(stem, seed);
    }
}

bool tz_look_at_word(const tz_sentence *sentence, const int32_t *index, tz_look *ret_look) {
    (void)sentence;
    *ret_look = (tz_look){.place = {index[0]}};
    return index[0] > 0;
}
