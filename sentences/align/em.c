/* em.c - see em.h. SPDX-License-Identifier: MIT */
#include "sentences/align/em.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/grow.h"

static const double fake_null = 2, fake_jump = 0.01;

typedef struct text_pair {
    size_t at, n, m; /* form[at..]: the document, then the abstract */
} text_pair;

/* Expected numbers of uses. */
typedef struct expectations {
    double part[TZ_PARTS], nulls, jumps;
    double *jump, *null, *cell; /* of the aligner's distances, abstract words, cells */
} expectations;

struct tz_em {
    tz_aligner aligner;
    bool keep_null;
    tz_form *form;
    text_pair *pair;
    size_t forms, form_capacity, pairs, pair_capacity, words;
    expectations e;
    tz_plan *plan;
    tz_chart *chart;
    tz_buffer score, marginal;
};

tz_em *tz_em_new(void) {
    tz_em *em = calloc(1, sizeof *em);
    const tz_semiring *log_semiring = tz_semiring_find("log", TZ_F64);
    if (em && (tz_plan_new(tz_rules_find("align-hmm"), log_semiring, 0, &em->plan, NULL) != TZ_OK ||
               tz_chart_new(em->plan, &em->chart) != TZ_OK)) {
        tz_em_free(em);
        return NULL;
    }
    return em;
}

void tz_em_free(tz_em *em) {
    if (!em)
        return;
    tz_chart_free(em->chart);
    tz_plan_free(em->plan);
    tz_aligner_free(&em->aligner);
    tz_buffer_free(&em->score);
    tz_buffer_free(&em->marginal);
    free(em->e.jump);
    free(em->e.null);
    free(em->e.cell);
    free(em->form);
    free(em->pair);
    free(em);
}

const tz_aligner *tz_em_aligner(const tz_em *em) {
    return &em->aligner;
}

size_t tz_em_words(const tz_em *em) {
    return em->words;
}

tz_status tz_em_add(tz_em *em, const tz_form *document, size_t n, const tz_form *abstract,
                    size_t m) {
    void *forms = em->form, *pairs = em->pair;
    bool grown = tz_grow(&forms, &em->form_capacity, em->forms + n + m + 1, sizeof *em->form);
    em->form = forms;
    grown = grown && tz_grow(&pairs, &em->pair_capacity, em->pairs + 1, sizeof *em->pair);
    em->pair = pairs;
    if (!grown)
        return TZ_NO_MEMORY;
    tz_form *to = em->form + em->forms;
    if (n > 0)
        memcpy(to, document, n * sizeof *to);
    if (m > 0)
        memcpy(to + n, abstract, m * sizeof *to);
    em->pair[em->pairs++] = (text_pair){em->forms, n, m};
    em->forms += n + m;
    em->words += m;
    return tz_aligner_add(&em->aligner, document, n, abstract, m);
}

tz_status tz_em_start(tz_em *em, const tz_em_settings *settings) {
    tz_aligner *a = &em->aligner;
    if (a->abstract.count == 0 || a->document.count == 0)
        return TZ_NONE;
    em->keep_null = settings->keep_null;
    em->e.jump = calloc(2 * (size_t)a->reach + 2, sizeof *em->e.jump);
    em->e.null = calloc(a->abstract.count, sizeof *em->e.null);
    em->e.cell = calloc(a->cell.count + 1, sizeof *em->e.cell);
    return em->e.jump && em->e.null && em->e.cell ? tz_aligner_start(a, settings->null)
                                                  : TZ_NO_MEMORY;
}

/* ---- Expectations ---------------------------------------------------------------------------- */

/* Three arrays one after the other. */
static tz_status arrays(tz_buffer *buffer, size_t n, size_t m, tz_aligner_cells *ret_cells) {
    size_t rewrite = (n + 1) * (m + 1), all = rewrite + (m + 1) + (2 * n + 2);
    tz_status status = tz_buffer_reserve(buffer, all, sizeof(double));
    if (status != TZ_OK)
        return status;
    double *data = buffer->data;
    memset(data, 0, all * sizeof *data);
    *ret_cells = (tz_aligner_cells){data, data + rewrite, data + rewrite + m + 1};
    return TZ_OK;
}

static tz_status infer(tz_em *em, const text_pair *pair, const tz_aligner_cells *score,
                       const tz_aligner_cells *marginal, double *ret_log_z, tz_error *error) {
    int32_t lengths[] = {(int32_t)pair->m, (int32_t)pair->n};
    const tz_rules *rules = tz_rules_find("align-hmm");
    double *from[] = {score->rewrite, score->null, score->jump};
    double *to[] = {marginal->rewrite, marginal->null, marginal->jump};
    tz_scores scores[3];
    tz_output output[3];
    for (size_t w = 0; w < 3; w++) {
        tz_shape shape;
        tz_status status = tz_rules_shape(rules, w, lengths, &shape);
        if (status != TZ_OK)
            return status;
        scores[w] = tz_scores_dense(&shape, from[w]);
        output[w] = tz_output_dense(&shape, to[w]);
    }
    tz_problem problem = {.lengths = lengths, .scores = scores};
    tz_status status = tz_bind(em->chart, &problem, 1, error);
    status = status == TZ_OK ? tz_inside(em->chart) : status;
    status = status == TZ_OK ? tz_goal(em->chart, 0, ret_log_z) : status;
    status = status == TZ_OK ? tz_outside(em->chart) : status;
    return status == TZ_OK ? tz_marginals_all(em->chart, output) : status;
}

static void take_in(tz_em *em, const text_pair *pair, const tz_aligner_cells *marginal) {
    const tz_aligner *a = &em->aligner;
    expectations *e = &em->e;
    const tz_form *document = em->form + pair->at, *abstract = document + pair->n;
    for (size_t t = 0; t < pair->m; t++) {
        uint32_t x = tz_numbers_find(&a->abstract, abstract[t].word);
        e->null[x] += marginal->null[t + 1];
        e->nulls += marginal->null[t + 1];
        for (size_t j = 0; j < pair->n; j++) {
            double part[TZ_PARTS], uses = marginal->rewrite[(t + 1) * (pair->n + 1) + j + 1];
            double all = tz_aligner_rewrite(a, &document[j], &abstract[t], part);
            uint32_t y = tz_numbers_find(&a->document, document[j].word);
            uint32_t cell = tz_numbers_find(&a->cell, (uint64_t)y << 32 | x);
            for (size_t k = 0; k < TZ_PARTS; k++)
                e->part[k] += uses * part[k] / all;
            e->cell[cell] += uses * part[TZ_PART_TABLE] / all;
        }
    }
    for (size_t d = 0; d < 2 * pair->n + 2; d++) {
        e->jump[d + (size_t)a->reach - pair->n] += marginal->jump[d];
        e->jumps += marginal->jump[d];
    }
}

static void forget(tz_em *em) {
    expectations *e = &em->e;
    const tz_aligner *a = &em->aligner;
    memset(e->jump, 0, (2 * (size_t)a->reach + 2) * sizeof *e->jump);
    memset(e->null, 0, a->abstract.count * sizeof *e->null);
    memset(e->cell, 0, a->cell.count * sizeof *e->cell);
    memset(e->part, 0, sizeof e->part);
    e->nulls = e->jumps = 0;
}

/* ---- The prior ------------------------------------------------------------------------------- */

static tz_form row_form(const tz_aligner *a, size_t y) {
    return (tz_form){a->document.value[y], a->document_stem[y]};
}

static double cell_fake(const tz_aligner *a, size_t cell) {
    size_t y = a->cell.value[cell] >> 32, x = (uint32_t)a->cell.value[cell];
    tz_form document = row_form(a, y);
    return tz_aligner_fake(&document, &(tz_form){a->abstract.value[x], a->abstract_stem[x]});
}

/* Sum of fake counts times log probabilities. Cells that are not seen have their fake count alone,
 * the same in every step. */
static double log_prior(const tz_aligner *a) {
    double sum = 0;
    for (size_t x = 0; x < a->abstract.count; x++)
        sum += fake_null * log(a->null_count[x] / a->null_total);
    for (size_t d = 0; d < 2 * (size_t)a->reach + 2; d++)
        sum += fake_jump * log(a->jump[d]);
    for (size_t y = 0; y < a->document.count; y++) {
        tz_form form = row_form(a, y);
        sum -= tz_aligner_fakes(a, &form) * log(a->total[y]);
    }
    for (size_t c = 0; c < a->cell.count; c++)
        sum += cell_fake(a, c) * log(a->count[c]);
    return sum;
}

/* ---- Maximisation ---------------------------------------------------------------------------- */

static void maximise_all(tz_em *em) {
    tz_aligner *a = &em->aligner;
    const expectations *e = &em->e;
    double parts = 0;
    for (size_t k = 0; k < TZ_PARTS; k++)
        parts += e->part[k];
    for (size_t k = 0; k < TZ_PARTS && parts > 0; k++)
        a->part[k] = e->part[k] / parts;
    for (size_t y = 0; y < a->document.count; y++) {
        tz_form form = row_form(a, y);
        a->total[y] = tz_aligner_fakes(a, &form);
    }
    for (size_t c = 0; c < a->cell.count; c++) {
        a->count[c] = e->cell[c] + cell_fake(a, c);
        a->total[a->cell.value[c] >> 32] += e->cell[c];
    }
    for (size_t x = 0; x < a->abstract.count; x++)
        a->null_count[x] = e->null[x] + fake_null;
    a->null_total = e->nulls + fake_null * (double)a->abstract.count;
    size_t distances = 2 * (size_t)a->reach + 2;
    double jumps = e->jumps + fake_jump * (double)distances;
    for (size_t d = 0; d < distances; d++)
        a->jump[d] = (e->jump[d] + fake_jump) / jumps;
    a->floor = fake_jump / jumps;
    if (!em->keep_null)
        a->null = e->nulls / (e->nulls + e->jumps);
}

tz_status tz_em_step(tz_em *em, bool maximise, tz_em_report *ret_report, tz_error *error) {
    double sum = 0;
    forget(em);
    for (size_t p = 0; p < em->pairs; p++) {
        const text_pair *pair = &em->pair[p];
        const tz_form *document = em->form + pair->at;
        tz_aligner_cells score, marginal;
        double log_z;
        tz_status status = arrays(&em->score, pair->n, pair->m, &score);
        if (status == TZ_OK)
            status = arrays(&em->marginal, pair->n, pair->m, &marginal);
        if (status != TZ_OK)
            return status;
        tz_aligner_score(&em->aligner, document, pair->n, document + pair->n, pair->m, &score);
        status = infer(em, pair, &score, &marginal, &log_z, error);
        if (status != TZ_OK)
            return status;
        sum += log_z;
        take_in(em, pair, &marginal);
    }
    *ret_report = (tz_em_report){sum, sum + log_prior(&em->aligner)};
    if (maximise)
        maximise_all(em);
    return TZ_OK;
}
