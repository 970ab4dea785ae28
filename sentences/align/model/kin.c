/* kin.c - see kin.h. SPDX-License-Identifier: MIT */
#include "sentences/align/model/kin.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void tz_kin_free(tz_kin *kin) {
    tz_numbers_free(&kin->phrase);
    free(kin->from);
    free(kin->ancestor);
    tz_buffer_free(&kin->path);
    *kin = (tz_kin){.wordnet = kin->wordnet};
}

static tz_status look_up(tz_kin *kin, const char *const *word, unsigned length, size_t *ret_count) {
    uint32_t sense[TZ_WORDNET_SENSES];
    size_t senses;
    tz_status status = tz_wordnet_find(kin->wordnet, word, length, sense, &senses);
    return status == TZ_OK
               ? tz_wordnet_ancestors(kin->wordnet, sense, senses, &kin->path, ret_count)
               : status;
}

static tz_status add(tz_kin *kin, const tz_form *form, const char *const *word, unsigned length) {
    uint64_t phrase = tz_phrase_of(form, length).words;
    uint32_t number;
    size_t count, before = kin->phrase.count;
    if (tz_numbers_find(&kin->phrase, phrase) != TZ_NO_NUMBER)
        return TZ_OK;
    tz_status status = look_up(kin, word, length, &count);
    bool grown = status == TZ_OK && TZ_GROW(kin->from, &kin->from_capacity, before + 2);
    if (grown)
        kin->from[0] = 0;
    size_t end = grown ? kin->from[before] + count : 0;
    grown = grown && TZ_GROW(kin->ancestor, &kin->capacity, end + 1);
    if (!grown)
        return status == TZ_OK ? TZ_NO_MEMORY : status;
    status = tz_numbers_add(&kin->phrase, phrase, &number);
    if (status != TZ_OK)
        return status;
    if (count > 0)
        memcpy(kin->ancestor + kin->from[before], kin->path.data, count * sizeof *kin->ancestor);
    kin->from[before + 1] = end;
    return TZ_OK;
}

tz_status tz_kin_add(tz_kin *kin, const tz_passage *passage, unsigned most) {
    tz_status status = TZ_OK;
    for (size_t w = 0; w < passage->words; w++) {
        size_t room = (passage->opt_stop ? passage->opt_stop[w] : passage->words) - w;
        for (unsigned length = 1; length <= most && length <= room && status == TZ_OK; length++)
            status = add(kin, passage->form + w, passage->opt_word + w, length);
    }
    return status;
}

size_t tz_kin_find(const tz_kin *kin, uint64_t phrase, const tz_ancestor **ret_ancestor) {
    uint32_t number = tz_numbers_find(&kin->phrase, phrase);
    *ret_ancestor = NULL;
    if (number == TZ_NO_NUMBER)
        return 0;
    *ret_ancestor = kin->ancestor + kin->from[number];
    return kin->from[number + 1] - kin->from[number];
}

unsigned tz_kin_distance(const tz_kin *kin, uint64_t y, uint64_t x) {
    const tz_ancestor *of_y, *of_x;
    size_t ys = tz_kin_find(kin, y, &of_y), xs = ys > 0 ? tz_kin_find(kin, x, &of_x) : 0;
    return xs > 0 ? tz_wordnet_distance(of_y, ys, of_x, xs) : TZ_WORDNET_FAR;
}
