/* phrases.c - see phrases.h. SPDX-License-Identifier: MIT */
#include "sentences/align/phrases.h"

#include <stdlib.h>

#include "base/grow.h"
#include "sentences/features/hash.h"

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
    *ret_passage = (tz_passage){form, side->sentences > 0 ? stop : NULL, side->words};
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
    void *array = places->place;
    bool grown = tz_grow(&array, &places->capacity, places->count + 1, sizeof place);
    places->place = array;
    if (!grown)
        return TZ_NO_MEMORY;
    places->place[places->count++] = place;
    return TZ_OK;
}

static unsigned room(const tz_passage *passage, size_t word, unsigned most) {
    size_t left = (passage->opt_stop ? passage->opt_stop[word] : passage->words) - word;
    return left < most ? (unsigned)left : most;
}

static tz_status add_all(tz_places *places, tz_place at, unsigned p_most, unsigned q_most) {
    tz_status status = TZ_OK;
    for (unsigned p = 1; p <= p_most; p++) {
        for (unsigned q = p == 1 ? 2 : 1; q <= q_most && status == TZ_OK; q++) {
            at.p = (uint8_t)p;
            at.q = (uint8_t)q;
            status = add(places, at);
        }
    }
    return status;
}

static tz_status add_alike(tz_places *places, tz_place at, unsigned most, const tz_form *document,
                           const tz_form *abstract) {
    tz_status status = TZ_OK;
    for (unsigned w = 0; w < most && document[w].stem == abstract[w].stem && status == TZ_OK; w++) {
        at.p = at.q = (uint8_t)(w + 1);
        if (w > 0)
            status = add(places, at);
    }
    return status;
}

tz_status tz_places_find(const tz_passage *document, const tz_passage *abstract, unsigned P,
                         unsigned Q, bool all, tz_places *places) {
    tz_status status = TZ_OK;
    for (size_t t = 0; t < abstract->words; t++) {
        size_t left = abstract->words - t;
        unsigned p = left < P ? (unsigned)left : P;
        for (size_t j = 0; j < document->words && status == TZ_OK; j++) {
            unsigned q = room(document, j, Q);
            tz_place at = {.t = (uint32_t)t, .j = (uint32_t)j};
            status =
                all ? add_all(places, at, p, q)
                    : add_alike(places, at, p < q ? p : q, document->form + j, abstract->form + t);
        }
    }
    return status;
}
