/* em_start.c - what is learned from, numbered, and where learning begins.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sentences/align/em/em_own.h"

tz_em_settings tz_em_defaults(void) {
    return (tz_em_settings){
        .abstract_most = 2, .document_most = 2, .prior = {2, 4, 3}, .null = 0.16, .threads = 1};
}

tz_em *tz_em_new(void) {
    return calloc(1, sizeof(tz_em));
}

void tz_em_free(tz_em *em) {
    if (!em)
        return;
    for (size_t r = 0; r < TZ_LAYOUT_RULES; r++) {
        tz_charts_free(em->charts[r]);
        tz_plan_free(em->plan[r]);
    }
    void *const array[] = {em->form,      em->stop,        em->document_stem, em->abstract_stem,
                           em->pair,      em->number,      em->block,         em->cell,
                           em->alike,     em->fakes,       em->log_value,     em->uses.cell,
                           em->part.cell, em->block_value, em->rest_row};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    tz_sums_free(em->sums);
    tz_em_near_free(em);
    tz_arena_free(em->arena);
    tz_labels_free(&em->labels);
    tz_aligner_free(&em->aligner);
    tz_places_free(&em->longer);
    tz_buffer_free(&em->score);
    tz_buffer_free(&em->uses_of);
    tz_buffer_free(&em->problem);
    free(em);
}

const tz_aligner *tz_em_aligner(const tz_em *em) {
    return &em->aligner;
}

size_t tz_em_words(const tz_em *em) {
    return em->words;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void copy(tz_em *em, const tz_passage *passage) {
    for (size_t w = 0; w < passage->words; w++) {
        em->form[em->forms] = passage->form[w];
        em->stop[em->forms++] = passage->opt_stop ? passage->opt_stop[w] : (uint32_t)passage->words;
    }
}

static tz_status add_trees(tz_em *em, const tz_passage *document, tz_jump_cover **ret_cover) {
    if (!em->arena && !(em->arena = tz_arena_new()))
        return TZ_NO_MEMORY;
    *ret_cover = tz_arena_array(em->arena, 1, sizeof **ret_cover);
    return *ret_cover ? tz_cover_new(em->arena, document->opt_tree, document->trees, &em->labels,
                                     true, *ret_cover)
                      : TZ_NO_MEMORY;
}

void tz_em_at(tz_em *em, uint64_t position) {
    em->position = position;
}

tz_status tz_em_add(tz_em *em, const tz_passage *document, const tz_passage *abstract) {
    size_t n = document->words, m = abstract->words;
    bool grown = TZ_GROW(em->form, &em->form_capacity, em->forms + n + m + 1) &&
                 TZ_GROW(em->stop, &em->stop_capacity, em->forms + n + m + 1) &&
                 TZ_GROW(em->pair, &em->pair_capacity, em->pairs + 1);
    tz_jump_cover *cover = NULL;
    tz_status status = grown ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK && document->opt_tree)
        status = add_trees(em, document, &cover);
    if (status == TZ_OK && em->kin.wordnet)
        status = tz_kin_add(&em->kin, document, em->kin_document_most);
    if (status == TZ_OK && em->kin.wordnet)
        status = tz_kin_add(&em->kin, abstract, em->kin_abstract_most);
    if (status != TZ_OK)
        return status;
    em->pair[em->pairs++] = (tz_em_pair){
        .position = em->position++, .at = em->forms, .n = n, .m = m, .opt_cover = cover};
    copy(em, document);
    copy(em, abstract);
    em->words += m;
    return TZ_OK;
}

/* ---- What is known of words and phrases ----------------------------------------------------- */

static void know(uint64_t *stem, uint8_t *known, uint32_t number, uint64_t value) {
    stem[number] = value;
    known[number] = 1;
}

/* Stems of the phrases of this rank's pairs. known: of documents, of abstracts. */
static void find_stems(tz_em *em, uint8_t *const known[2]) {
    const tz_aligner *a = &em->aligner;
    uint64_t *of[] = {em->document_stem, em->abstract_stem};
    for (size_t i = 0; i < em->pairs; i++) {
        const tz_em_pair *pair = &em->pair[i];
        const tz_form *document = em->form + pair->at, *abstract = document + pair->n;
        for (size_t j = 0; j < pair->n; j++)
            know(of[0], known[0], tz_numbers_find(&a->document, document[j].word),
                 document[j].stem);
        for (size_t t = 0; t < pair->m; t++)
            know(of[1], known[1], tz_numbers_find(&a->abstract, abstract[t].word),
                 abstract[t].stem);
        for (size_t e = 0; e < pair->longer; e++) {
            const tz_place *place = &em->longer.place[pair->places + e];
            tz_phrase y = tz_phrase_of(document + place->j, place->q);
            tz_phrase x = tz_phrase_of(abstract + place->t, place->p);
            know(of[0], known[0], tz_numbers_find(&a->document, y.words), y.stems);
            know(of[1], known[1], tz_numbers_find(&a->abstract, x.words), x.stems);
        }
    }
}

/* Stems of all phrases. */
static tz_status describe(tz_em *em, tz_error *error) {
    const tz_aligner *a = &em->aligner;
    uint8_t *known[] = {calloc(a->document.count + 1, 1), calloc(a->abstract.count + 1, 1)};
    tz_status status = known[0] && known[1] ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK)
        find_stems(em, known);
    if (status == TZ_OK)
        status = tz_em_tell(em->document_stem, known[0], a->document.count, error);
    if (status == TZ_OK)
        status = tz_em_tell(em->abstract_stem, known[1], a->abstract.count, error);
    free(known[0]);
    free(known[1]);
    return status;
}

static tz_status count_stems(tz_em *em) {
    tz_aligner *a = &em->aligner;
    a->members = calloc(a->vocabulary + 1, sizeof *a->members);
    tz_status status = a->members ? TZ_OK : TZ_NO_MEMORY;
    for (size_t x = 0; x < a->vocabulary && status == TZ_OK; x++) {
        uint32_t number;
        status = tz_numbers_add(&a->stem, em->abstract_stem[x], &number);
        if (status == TZ_OK)
            a->members[number]++;
    }
    return status;
}

static tz_status count_alike(tz_em *em, tz_error *error) {
    tz_aligner *a = &em->aligner;
    uint8_t *known = calloc(a->document.count + 1, 1);
    if (!known)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < em->pairs; i++) {
        const tz_em_pair *pair = &em->pair[i];
        const tz_form *document = em->form + pair->at;
        for (size_t j = 0; j < pair->n; j++) {
            uint32_t y = tz_numbers_find(&a->document, document[j].word);
            em->alike[y] = tz_aligner_alike(a, document + j, 1);
            known[y] = 1;
        }
        for (size_t e = 0; e < pair->longer; e++) {
            const tz_place *place = &em->longer.place[pair->places + e];
            const tz_form *first = document + place->j;
            uint32_t y = tz_numbers_find(&a->document, tz_phrase_of(first, place->q).words);
            em->alike[y] = tz_aligner_alike(a, first, place->q);
            known[y] = 1;
        }
    }
    tz_status status = tz_em_tell((uint64_t *)(void *)em->alike, known, a->document.count, error);
    free(known);
    return status;
}

/* ---- The start ------------------------------------------------------------------------------- */

tz_rewrite tz_em_cell(const tz_em *em, size_t cell) {
    const tz_aligner *a = &em->aligner;
    uint32_t y = (uint32_t)(a->cell.value[cell] >> 32), x = (uint32_t)a->cell.value[cell];
    return (tz_rewrite){.same = a->document.value[y] == a->abstract.value[x],
                        .stem = em->document_stem[y] == em->abstract_stem[x],
                        .words = y < a->document_words && x < a->vocabulary,
                        .row = y,
                        .column = x,
                        .cell = (uint32_t)cell,
                        .alike = em->alike[y],
                        .near = tz_em_near_value(em, cell, y)};
}

double tz_em_fake(const tz_em *em, const tz_rewrite *rewrite) {
    return tz_aligner_fake(&em->aligner, rewrite) + (rewrite->words ? 0 : em->settings.base);
}

/* f (log(f + 1) - log f) */
static double gain(double fake) {
    return fake > 0 ? fake * log1p(1 / fake) : 0;
}

/* Fake counts of all words of the vocabulary, in the row of a word; unless prior[ANY] is 0 and only
 * cells that are seen count. */
static void start_row(tz_em *em, size_t y) {
    const tz_aligner *a = &em->aligner;
    const double *prior = a->prior;
    double vocabulary = (double)a->vocabulary, alike = em->alike[y];
    double same = tz_numbers_find(&a->abstract, a->document.value[y]) < a->vocabulary;
    if (y >= a->document_words || prior[TZ_PRIOR_ANY] == 0)
        return;
    em->fakes[y] = prior[TZ_PRIOR_ANY] * vocabulary + prior[TZ_PRIOR_SAME] * same +
                   prior[TZ_PRIOR_STEM] * alike;
    if (a->unseen > 0) {
        em->unseen_gain +=
            (vocabulary - alike) * gain(prior[TZ_PRIOR_ANY]) +
            (alike - same) * gain(prior[TZ_PRIOR_ANY] + prior[TZ_PRIOR_STEM]) +
            same * gain(prior[TZ_PRIOR_ANY] + prior[TZ_PRIOR_SAME] + prior[TZ_PRIOR_STEM]);
        a->total[y] = vocabulary;
    }
}

static void start_cells(tz_em *em) {
    tz_aligner *a = &em->aligner;
    for (size_t c = 0; c < a->cell.count; c++) {
        tz_rewrite cell = tz_em_cell(em, c);
        double fake = tz_em_fake(em, &cell);
        bool counted = cell.words && a->prior[TZ_PRIOR_ANY] > 0;
        a->count[c] = fake + a->unseen;
        if (counted && a->unseen > 0)
            em->unseen_gain -= gain(fake);
        if (!counted) {
            em->fakes[cell.row] += fake;
            a->total[cell.row] += a->unseen;
        }
    }
    for (size_t y = 0; y < a->document.count; y++)
        a->total[y] += em->fakes[y];
}

static void start_parameters(tz_em *em) {
    tz_aligner *a = &em->aligner;
    const tz_em_settings *s = &em->settings;
    double any = a->prior[TZ_PRIOR_ANY];
    size_t parts = em->kin.wordnet ? TZ_PARTS : TZ_PART_NEAR; /* which is the last */
    a->null = s->null;
    for (size_t k = 0; k < parts; k++)
        a->part[k] = a->kind == TZ_ALIGNER_SEMI ? 1 / (double)parts : k == TZ_PART_TABLE;
    for (unsigned q = 0; q < a->document_most; q++)
        a->length[q] = a->length_kind == TZ_LENGTH_NONE ? 1 : 1 / (double)a->document_most;
    for (size_t x = 0; x < a->vocabulary; x++)
        a->null_count[x] = any > 0 ? any : 1;
    a->null_total = (any > 0 ? any : 1) * (double)a->vocabulary;
    for (size_t y = 0; y < a->document.count; y++)
        start_row(em, y);
    start_cells(em);
}

tz_em_uses tz_em_uses_in(const tz_em *em, double *cell, double *rest) {
    double *jump = rest + em->aligner.vocabulary;
    double *length = jump + tz_jumps_count(&em->aligner.jumps), *last = length + TZ_MOST_PHRASE;
    return (tz_em_uses){.cell = cell,
                        .rest = rest,
                        .null = rest,
                        .jump = jump,
                        .length = length,
                        .nulls = last,
                        .jumps = last + 1,
                        .log_likelihood = last + 2};
}

static tz_status reserve_uses(tz_em *em) {
    const tz_aligner *a = &em->aligner;
    size_t cells = a->cell.count, most = 0;
    for (size_t b = 0; b < em->blocks; b++)
        most = em->block[b].cells > most ? em->block[b].cells : most;
    em->rests = a->vocabulary + tz_jumps_count(&a->jumps) + TZ_MOST_PHRASE + 3;
    if (cells + em->rests >= UINT32_MAX)
        return TZ_TOO_LARGE;
    double *all = calloc(cells + em->rests, sizeof *all);
    double *part = calloc(most + em->rests, sizeof *part);
    em->uses = tz_em_uses_in(em, all, all ? all + cells : NULL);
    em->part = tz_em_uses_in(em, part, part ? part + most : NULL);
    em->block_value = calloc(most + 1, sizeof *em->block_value);
    em->rest_row = calloc(em->rests, sizeof *em->rest_row);
    if (!all || !part || !em->block_value || !em->rest_row)
        return TZ_NO_MEMORY;
    for (size_t r = 0; r < em->rests; r++)
        em->rest_row[r] = (uint32_t)(cells + r);
    return tz_sums_new(cells + em->rests, 1, &em->sums);
}

static tz_status reserve(tz_em *em) {
    tz_aligner *a = &em->aligner;
    size_t rows = a->document.count + 1, cells = a->cell.count + 1;
    em->abstract_stem = calloc(a->abstract.count + 1, sizeof *em->abstract_stem);
    em->document_stem = calloc(rows, sizeof *em->document_stem);
    a->null_count = calloc(a->vocabulary + 1, sizeof *a->null_count);
    a->total = calloc(rows, sizeof *a->total);
    a->count = calloc(cells, sizeof *a->count);
    em->alike = calloc(rows, sizeof *em->alike);
    em->fakes = calloc(rows, sizeof *em->fakes);
    em->log_value = calloc(cells, sizeof *em->log_value);
    return em->abstract_stem && em->document_stem && a->null_count && a->total && a->count &&
                   em->alike && em->fakes && em->log_value
               ? reserve_uses(em)
               : TZ_NO_MEMORY;
}

static tz_status start_jumps(tz_em *em) {
    bool syntax = em->settings.jump == TZ_JUMP_SYNTAX;
    for (size_t i = 0; i < em->pairs && syntax; i++)
        if (!em->pair[i].opt_cover || em->pair[i].opt_cover->words != em->pair[i].n)
            return TZ_BAD_ARGUMENT;
    if (syntax)
        return tz_jumps_start_syntax(&em->aligner.jumps, &em->labels);
    return tz_jumps_start(&em->aligner.jumps, em->settings.jump, em->longest);
}

tz_status tz_em_start(tz_em *em, const tz_em_settings *settings, tz_error *error) {
    tz_aligner *a = &em->aligner;
    em->settings = *settings;
    a->kind = settings->kind;
    a->length_kind = settings->length;
    a->exact = settings->exact;
    bool single = a->kind != TZ_ALIGNER_SEMI, some = settings->base > 0;
    a->abstract_most = single ? 1 : settings->abstract_most;
    a->document_most = single ? 1 : settings->document_most;
    for (size_t k = 0; k < TZ_PRIORS; k++) {
        a->prior[k] = single ? k == TZ_PRIOR_SAME : settings->prior[k];
        some |= a->prior[k] > 0;
    }
    a->unseen = settings->mean || single || !some ? 1 : 0;
    a->loose = a->unseen > 0 || settings->base > 0;
    tz_status status = tz_em_deal(em, error);
    if (status == TZ_OK)
        status = tz_em_number(em, error);
    if (status == TZ_OK)
        status = start_jumps(em);
    if (status == TZ_OK)
        status = reserve(em);
    if (status == TZ_OK)
        status = describe(em, error);
    if (status == TZ_OK)
        status = count_stems(em);
    if (status == TZ_OK)
        status = count_alike(em, error);
    if (status == TZ_OK)
        status = tz_em_near_start(em, error);
    if (status == TZ_OK)
        start_parameters(em);
    return status;
}
