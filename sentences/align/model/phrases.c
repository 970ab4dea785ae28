/* phrases.c - see phrases.h. SPDX-License-Identifier: MIT */
#include "sentences/align/model/phrases.h"

#include <stdlib.h>

#include "base/grow.h"
#include "sentences/align/model/kin.h"
#include "sentences/features/tables/hash.h"

tz_status tz_passage_of(tz_arena *arena, tz_forms *forms, const tz_side *side,
                        tz_passage *ret_passage) {
    tz_form *form = tz_arena_array(arena, side->words, sizeof *form);
    uint32_t *stop = tz_arena_array(arena, side->words, sizeof *stop);
    if (!form || !stop)
        return TZ_NO_MEMORY;
    size_t word = 0;
    for (size_t s = 0; s < side->sentences; s++)
        while (word < side->opt_end[s])
            stop[word++] = (uint32_t)side->opt_end[s];
    *ret_passage = (tz_passage){.form = form,
                                .opt_stop = side->sentences > 0 ? stop : NULL,
                                .words = side->words,
                                .opt_word = side->word};
    return tz_forms_of(forms, side->word, side->words, form);
}

tz_phrase tz_phrase_of(const tz_form *form, unsigned length) {
    if (length == 1)
        return (tz_phrase){form->word, form->stem, 1};
    tz_phrase phrase = {length, length, length};
    for (unsigned w = 0; w < length; w++) {
        phrase.words = tz_hash(phrase.words, form[w].word);
        phrase.stems = tz_hash(phrase.stems, form[w].stem);
    }
    return phrase;
}

void tz_places_free(tz_places *places) {
    free(places->place);
    *places = (tz_places){0};
}

static tz_status add(tz_places *places, tz_place place) {
    if (!TZ_GROW(places->place, &places->capacity, places->count + 1))
        return TZ_NO_MEMORY;
    places->place[places->count++] = place;
    return TZ_OK;
}

static unsigned room(const tz_passage *passage, size_t word, unsigned most) {
    size_t left = (passage->opt_stop ? passage->opt_stop[word] : passage->words) - word;
    return left < most ? (unsigned)left : most;
}

/* Which of the longer phrases at a place are wanted? */
typedef struct wanted {
    bool all;
    const tz_kin *opt_kin;
    const tz_form *document, *abstract; /* at the place */
} wanted;

static bool is_wanted(const wanted *w, unsigned p, unsigned q, unsigned alike) {
    if (w->all || (p == q && p <= alike))
        return true;
    return w->opt_kin && tz_kin_distance(w->opt_kin, tz_phrase_of(w->document, q).words,
                                         tz_phrase_of(w->abstract, p).words) < TZ_WORDNET_FAR;
}

static tz_status add_longer(tz_places *places, tz_place at, unsigned p_most, unsigned q_most,
                            const wanted *w) {
    unsigned alike = 0, most = p_most < q_most ? p_most : q_most;
    tz_status status = TZ_OK;
    while (alike < most && w->document[alike].stem == w->abstract[alike].stem)
        alike++;
    if (!w->all && !w->opt_kin && alike < 2)
        return TZ_OK;
    for (unsigned p = 1; p <= p_most; p++) {
        for (unsigned q = p == 1 ? 2 : 1; q <= q_most && status == TZ_OK; q++) {
            at.p = (uint8_t)p;
            at.q = (uint8_t)q;
            if (is_wanted(w, p, q, alike))
                status = add(places, at);
        }
    }
    return status;
}

tz_status tz_places_find(const tz_passage *document, const tz_passage *abstract, unsigned P,
                         unsigned Q, bool all, const tz_kin *opt_kin, tz_places *places) {
    tz_status status = TZ_OK;
    for (size_t t = 0; t < abstract->words; t++) {
        size_t left = abstract->words - t;
        unsigned p = left < P ? (unsigned)left : P;
        for (size_t j = 0; j < document->words && status == TZ_OK; j++) {
            wanted w = {all, opt_kin, document->form + j, abstract->form + t};
            status = add_longer(places, (tz_place){.t = (uint32_t)t, .j = (uint32_t)j}, p,
                                room(document, j, Q), &w);
        }
    }
    return status;
}
