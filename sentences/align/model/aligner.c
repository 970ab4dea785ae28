/* aligner.c - see aligner.h. SPDX-License-Identifier: MIT */
#include "sentences/align/model/aligner.h"

#include <stdlib.h>

const char *tz_aligner_kind_name(tz_aligner_kind kind) {
    static const char *const names[TZ_ALIGNER_KINDS] = {"semi", "hmm", "model1"};
    return kind < TZ_ALIGNER_KINDS ? names[kind] : NULL;
}

const char *tz_length_name(tz_phrase_length kind) {
    static const char *const names[TZ_LENGTH_KINDS] = {"trained", "uniform", "none"};
    return kind < TZ_LENGTH_KINDS ? names[kind] : NULL;
}

void tz_aligner_free(tz_aligner *a) {
    void *const array[] = {a->null_count, a->total, a->count, a->members};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    tz_jumps_free(&a->jumps);
    tz_near_free(&a->near);
    tz_numbers_free(&a->abstract);
    tz_numbers_free(&a->document);
    tz_numbers_free(&a->cell);
    tz_numbers_free(&a->stem);
    *a = (tz_aligner){0};
}

/* ---- Stems ----------------------------------------------------------------------------------- */

double tz_aligner_alike(const tz_aligner *a, const tz_form *form, unsigned length) {
    double product = 1;
    for (unsigned w = 0; w < length; w++) {
        uint32_t number = tz_numbers_find(&a->stem, form[w].stem);
        product *= number == TZ_NO_NUMBER ? 0 : (double)a->members[number];
    }
    return product;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* The same, where words of the abstract that training did not see are in the vocabulary, too. */
static double alike(const tz_aligner *a, const tz_form *abstract, unsigned length) {
    double product = 1;
    for (unsigned w = 0; w < length; w++) {
        bool unseen = tz_numbers_find(&a->abstract, abstract[w].word) == TZ_NO_NUMBER;
        product *= tz_aligner_alike(a, &abstract[w], 1) + (unseen ? 1 : 0);
    }
    return product;
}

void tz_aligner_look_up(const tz_aligner *a, const tz_form *document, unsigned q,
                        const tz_form *abstract, unsigned p, tz_rewrite *ret) {
    tz_phrase y = tz_phrase_of(document, q), x = tz_phrase_of(abstract, p);
    *ret = (tz_rewrite){.same = y.words == x.words,
                        .stem = y.stems == x.stems,
                        .words = p == 1 && q == 1,
                        .row = tz_numbers_find(&a->document, y.words),
                        .column = tz_numbers_find(&a->abstract, x.words),
                        .cell = TZ_NO_NUMBER};
    if (ret->row != TZ_NO_NUMBER && ret->column != TZ_NO_NUMBER)
        ret->cell = tz_numbers_find(&a->cell, (uint64_t)ret->row << 32 | ret->column);
    if (ret->stem)
        ret->alike = alike(a, abstract, p);
}

double tz_aligner_fake(const tz_aligner *a, const tz_rewrite *r) {
    return (r->words ? a->prior[TZ_PRIOR_ANY] : 0) + (r->same ? a->prior[TZ_PRIOR_SAME] : 0) +
           (r->stem ? a->prior[TZ_PRIOR_STEM] : 0);
}

double tz_aligner_from_nowhere(const tz_aligner *a, const tz_form *abstract) {
    uint32_t x = tz_numbers_find(&a->abstract, abstract->word);
    double fake = a->prior[TZ_PRIOR_ANY] > 0 ? a->prior[TZ_PRIOR_ANY] : 1;
    return x == TZ_NO_NUMBER ? fake / (a->null_total + fake) : a->null_count[x] / a->null_total;
}
