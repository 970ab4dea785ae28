/* em_maximise.c - the prior, and the parameters that expected numbers of uses make best.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include "sentences/align/em/em_own.h"

/* Sum of fake counts times log probabilities, less that of the prior's mode. Cells that are not
 * seen have their fake count alone, the same in every step. */
double tz_em_log_prior(const tz_em *em) {
    const tz_aligner *a = &em->aligner;
    double sum = em->unseen_gain, any = a->prior[TZ_PRIOR_ANY];
    if (a->kind != TZ_ALIGNER_MODEL1)
        sum += tz_jumps_log_prior(&a->jumps);
    for (size_t x = 0; x < a->vocabulary && any > 0; x++)
        sum += any * log(a->null_count[x] / a->null_total * (double)a->vocabulary);
    for (size_t y = 0; y < a->document.count; y++)
        if (em->fakes[y] > 0)
            sum -= em->fakes[y] * log(a->total[y] / em->fakes[y]);
    for (size_t c = 0; c < a->cell.count; c++) {
        tz_rewrite cell = tz_em_cell(em, c);
        double fake = tz_em_fake(em, &cell);
        if (fake > 0)
            sum += fake * log(a->count[c] / fake);
    }
    return sum;
}

/* How often each part was used; uses of a cell become those by the table. */
static void share_uses(tz_em *em, double used[TZ_PARTS]) {
    const tz_aligner *a = &em->aligner;
    for (size_t c = 0; c < a->cell.count; c++) {
        tz_rewrite cell = tz_em_cell(em, c);
        double part[TZ_PARTS], uses = em->uses.cell[c], value = tz_parts_value(a, &cell, part);
        for (size_t k = 0; k < TZ_PARTS && uses > 0; k++)
            used[k] += uses * (part[k] / value);
        if (uses > 0 && part[TZ_PART_NEAR] > 0)
            tz_em_near_use(em, c, cell.row, uses * (part[TZ_PART_NEAR] / value));
        em->uses.cell[c] = uses > 0 ? uses * (part[TZ_PART_TABLE] / value) : 0;
    }
}

static void maximise_rewriting(tz_em *em) {
    tz_aligner *a = &em->aligner;
    double used[TZ_PARTS] = {0}, all = 0;
    share_uses(em, used);
    for (size_t y = 0; y < a->document.count; y++)
        a->total[y] = em->fakes[y];
    for (size_t c = 0; c < a->cell.count; c++) {
        tz_rewrite cell = tz_em_cell(em, c);
        a->count[c] = em->uses.cell[c] + tz_em_fake(em, &cell);
        a->total[cell.row] += em->uses.cell[c];
    }
    for (size_t k = 0; k < TZ_PARTS; k++)
        all += used[k];
    for (size_t k = 0; k < TZ_PARTS && all > 0; k++)
        a->part[k] = used[k] / all;
    a->unseen = em->unseen_gain = 0;
}

static void maximise_null(tz_em *em) {
    tz_aligner *a = &em->aligner;
    const tz_em_uses *uses = &em->uses;
    double any = a->prior[TZ_PRIOR_ANY];
    if (any == 0 && *uses->nulls == 0)
        return;
    for (size_t x = 0; x < a->vocabulary; x++)
        a->null_count[x] = uses->null[x] + any;
    a->null_total = *uses->nulls + any * (double)a->vocabulary;
}

static void maximise_length(tz_em *em) {
    tz_aligner *a = &em->aligner;
    double all = 0;
    for (unsigned q = 0; q < a->document_most; q++)
        all += em->uses.length[q];
    for (unsigned q = 0; q < a->document_most && all > 0; q++)
        a->length[q] = em->uses.length[q] / all;
}

void tz_em_maximise(tz_em *em) {
    static const double least = 1e-12; /* so that any text can be aligned */
    tz_aligner *a = &em->aligner;
    maximise_rewriting(em);
    if (em->kin.wordnet)
        tz_em_near_maximise(em);
    maximise_null(em);
    if (a->length_kind == TZ_LENGTH_TRAINED)
        maximise_length(em);
    if (a->kind == TZ_ALIGNER_MODEL1)
        return;
    tz_jumps_fit(&a->jumps, em->uses.jump);
    if (!em->settings.keep_null)
        a->null = fmax(least, *em->uses.nulls / (*em->uses.nulls + *em->uses.jumps));
}
