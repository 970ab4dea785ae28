/* em_near.c - the part of rewriting that WordNet gives: distances, and how fast what is far becomes
 * unlikely.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "sentences/align/em/em_own.h"
#include "sentences/align/wordnet/decay.h"

void tz_em_use_wordnet(tz_em *em, const tz_wordnet *wordnet, unsigned abstract_most,
                       unsigned document_most) {
    em->kin.wordnet = wordnet;
    em->kin_abstract_most = abstract_most;
    em->kin_document_most = document_most;
}

void tz_em_near_free(tz_em *em) {
    tz_kin_free(&em->kin);
    free(em->near.distance);
    free(em->near.row);
    free(em->near.count);
    free(em->near.log_total);
    free(em->near.uses);
}

/* ---- The start ------------------------------------------------------------------------------- */

/* A phrase of the abstracts, if it is in WordNet, to the aligner. */
static tz_status add_phrase(tz_em *em, uint64_t phrase) {
    tz_near *near = &em->aligner.near;
    const tz_ancestor *ancestor;
    uint32_t sense[TZ_WORDNET_SENSES];
    size_t ancestors = tz_kin_find(&em->kin, phrase, &ancestor), senses = 0;
    if (ancestors == 0 || tz_numbers_find(&near->phrase, phrase) != TZ_NO_NUMBER)
        return TZ_OK;
    for (size_t s = 0; s < ancestors && senses < TZ_WORDNET_SENSES; s++)
        if (ancestor[s].edges == 0)
            sense[senses++] = ancestor[s].synset;
    return tz_near_add(near, phrase, sense, senses);
}

static tz_status add_phrases(tz_em *em) {
    unsigned most = em->aligner.abstract_most;
    tz_status status = TZ_OK;
    for (size_t i = 0; i < em->pairs; i++) {
        const tz_em_pair *pair = &em->pair[i];
        const tz_form *abstract = em->form + pair->at + pair->n;
        for (size_t t = 0; t < pair->m; t++)
            for (unsigned p = 1; p <= most && t + p <= pair->m && status == TZ_OK; p++)
                status = add_phrase(em, tz_phrase_of(abstract + t, p).words);
    }
    return status;
}

/* Rows are of those document phrases that are in WordNet. */
static void number_rows(tz_em *em) {
    const tz_aligner *a = &em->aligner;
    const tz_ancestor *ancestor;
    for (size_t y = 0; y < a->document.count; y++) {
        bool in = tz_kin_find(&em->kin, a->document.value[y], &ancestor) > 0;
        em->near.row[y] = in ? (uint32_t)em->near.rows++ : TZ_NO_NUMBER;
    }
}

/* No phrases that meet are so far apart. */
static size_t farthest(const tz_kin *kin) {
    size_t most = 0, ancestors = kin->phrase.count > 0 ? kin->from[kin->phrase.count] : 0;
    for (size_t a = 0; a < ancestors; a++)
        most = kin->ancestor[a].edges > most ? kin->ancestor[a].edges : most;
    return 2 * most + 1;
}

static void measure(tz_em *em, tz_meaning *meaning) {
    const tz_aligner *a = &em->aligner;
    tz_em_near *near = &em->near;
    for (size_t c = 0; c < a->cell.count; c++)
        near->distance[c] =
            (uint8_t)tz_kin_distance(&em->kin, a->document.value[a->cell.value[c] >> 32],
                                     a->abstract.value[(uint32_t)a->cell.value[c]]);
    for (size_t y = 0; y < a->document.count; y++) {
        const tz_ancestor *ancestor;
        size_t ancestors = tz_kin_find(&em->kin, a->document.value[y], &ancestor);
        if (ancestors == 0)
            continue;
        tz_meaning_ask(meaning, ancestor, ancestors);
        tz_near_count(meaning, near->distances, near->count + near->row[y] * near->distances);
    }
}

tz_status tz_em_near_start(tz_em *em, tz_error *error) {
    (void)error;
    tz_aligner *a = &em->aligner;
    tz_em_near *near = &em->near;
    if (!em->kin.wordnet)
        return TZ_OK;
    a->near.fingerprint = em->kin.wordnet->fingerprint;
    near->row = malloc((a->document.count + 1) * sizeof *near->row);
    near->distance = malloc(a->cell.count + 1);
    if (!near->row || !near->distance)
        return TZ_NO_MEMORY;
    number_rows(em);
    near->distances = farthest(&em->kin);
    near->count = calloc(near->rows + 1, near->distances * sizeof *near->count);
    near->log_total = calloc(near->rows + 1, sizeof *near->log_total);
    near->uses = calloc(near->rows + 1, sizeof *near->uses);
    tz_meaning meaning = {0};
    bool reserved = near->count && near->log_total && near->uses;
    tz_status status = reserved ? add_phrases(em) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_near_index(&a->near, em->kin.wordnet, &meaning);
    if (status == TZ_OK)
        measure(em, &meaning);
    tz_meaning_free(&meaning);
    return status;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

void tz_em_near_begin(tz_em *em) {
    tz_em_near *near = &em->near;
    for (size_t r = 0; r < near->rows; r++) {
        near->log_total[r] = tz_decay_log_total(near->count + r * near->distances, near->distances,
                                                em->aligner.near.eta);
        near->uses[r] = 0;
    }
    near->away = 0;
}

double tz_em_near_value(const tz_em *em, size_t cell, uint32_t y) {
    const tz_em_near *near = &em->near;
    return em->kin.wordnet && near->distance[cell] != TZ_WORDNET_FAR
               ? tz_near_value(&em->aligner.near, near->log_total[near->row[y]],
                               near->distance[cell], true)
               : 0;
}

void tz_em_near_use(tz_em *em, size_t cell, uint32_t y, double uses) {
    em->near.uses[em->near.row[y]] += uses;
    em->near.away += uses * em->near.distance[cell];
}

void tz_em_near_maximise(tz_em *em) {
    tz_em_near *near = &em->near;
    em->aligner.near.eta =
        tz_decay_fit(near->count, near->rows, near->distances, near->uses, near->away);
}
