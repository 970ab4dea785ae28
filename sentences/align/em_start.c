/* em_start.c - what is learned from, numbered, and where learning begins.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sentences/align/em_own.h"

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
    void *const array[] = {em->form,     em->stop,      em->document_stem, em->abstract_stem,
                           em->pair,     em->number,    em->order,         em->alike,
                           em->fakes,    em->log_value, em->uses.jump,     em->uses.null,
                           em->uses.cell};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
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

tz_status tz_em_add(tz_em *em, const tz_passage *document, const tz_passage *abstract) {
    void *forms = em->form, *stops = em->stop, *pairs = em->pair;
    size_t n = document->words, m = abstract->words;
    bool grown = tz_grow(&forms, &em->form_capacity, em->forms + n + m + 1, sizeof *em->form);
    em->form = forms;
    grown = grown && tz_grow(&stops, &em->stop_capacity, em->forms + n + m + 1, sizeof *em->stop);
    em->stop = stops;
    grown = grown && tz_grow(&pairs, &em->pair_capacity, em->pairs + 1, sizeof *em->pair);
    em->pair = pairs;
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
    em->pair[em->pairs++] = (tz_em_pair){.at = em->forms, .n = n, .m = m, .opt_cover = cover};
    copy(em, document);
    copy(em, abstract);
    em->words += m;
    return TZ_OK;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* The words of all documents, or of all abstracts. */
static tz_status number_words(const tz_em *em, bool abstract, tz_numbers *numbers) {
    tz_status status = TZ_OK;
    for (size_t i = 0; i < em->pairs; i++) {
        const tz_em_pair *pair = &em->pair[i];
        const tz_form *form = em->form + pair->at + (abstract ? pair->n : 0);
        uint32_t number;
        for (size_t w = 0; w < (abstract ? pair->m : pair->n) && status == TZ_OK; w++)
            status = tz_numbers_add(numbers, form[w].word, &number);
    }
    return status;
}

static tz_status add_cell(tz_em *em, uint64_t document, uint64_t abstract, uint32_t *ret_number) {
    tz_aligner *a = &em->aligner;
    uint32_t y, x;
    tz_status status = tz_numbers_add(&a->document, document, &y);
    if (status == TZ_OK)
        status = tz_numbers_add(&a->abstract, abstract, &x);
    if (status == TZ_OK)
        status = tz_numbers_add(&a->cell, (uint64_t)y << 32 | x, ret_number);
    return status;
}

/* The cells of a pair, by place. */
static tz_status number_cells(tz_em *em, const tz_em_pair *pair, uint32_t *number) {
    const tz_form *document = em->form + pair->at, *abstract = document + pair->n;
    tz_status status = TZ_OK;
    for (size_t t = 0; t < pair->m; t++)
        for (size_t j = 0; j < pair->n && status == TZ_OK; j++)
            status = add_cell(em, document[j].word, abstract[t].word, number++);
    for (size_t e = 0; e < pair->longer && status == TZ_OK; e++) {
        const tz_place *place = &em->longer.place[pair->places + e];
        status = add_cell(em, tz_phrase_of(document + place->j, place->q).words,
                          tz_phrase_of(abstract + place->t, place->p).words, number++);
    }
    return status;
}

static tz_status find_places(tz_em *em, size_t *ret_cells) {
    const tz_aligner *a = &em->aligner;
    tz_status status = TZ_OK;
    size_t cells = 0;
    for (size_t i = 0; i < em->pairs && status == TZ_OK; i++) {
        tz_em_pair *pair = &em->pair[i];
        tz_passage document = {
            .form = em->form + pair->at, .opt_stop = em->stop + pair->at, .words = pair->n};
        tz_passage abstract = {.form = document.form + pair->n, .words = pair->m};
        pair->places = em->longer.count;
        status = tz_places_find(&document, &abstract, a->abstract_most, a->document_most, a->loose,
                                em->kin.wordnet ? &em->kin : NULL, &em->longer);
        pair->longer = em->longer.count - pair->places;
        pair->cells = cells;
        cells += pair->n * pair->m + pair->longer;
    }
    *ret_cells = cells;
    return status;
}

/* Stems of all phrases, and what is alike. */
static void describe(tz_em *em) {
    tz_aligner *a = &em->aligner;
    for (size_t i = 0; i < em->pairs; i++) {
        const tz_em_pair *pair = &em->pair[i];
        const tz_form *document = em->form + pair->at, *abstract = document + pair->n;
        for (size_t j = 0; j < pair->n; j++)
            em->document_stem[tz_numbers_find(&a->document, document[j].word)] = document[j].stem;
        for (size_t t = 0; t < pair->m; t++)
            em->abstract_stem[tz_numbers_find(&a->abstract, abstract[t].word)] = abstract[t].stem;
        for (size_t e = 0; e < pair->longer; e++) {
            const tz_place *place = &em->longer.place[pair->places + e];
            tz_phrase y = tz_phrase_of(document + place->j, place->q);
            tz_phrase x = tz_phrase_of(abstract + place->t, place->p);
            em->document_stem[tz_numbers_find(&a->document, y.words)] = y.stems;
            em->abstract_stem[tz_numbers_find(&a->abstract, x.words)] = x.stems;
        }
    }
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

static void count_alike(tz_em *em) {
    tz_aligner *a = &em->aligner;
    for (size_t i = 0; i < em->pairs; i++) {
        const tz_em_pair *pair = &em->pair[i];
        const tz_form *document = em->form + pair->at;
        for (size_t j = 0; j < pair->n; j++)
            em->alike[tz_numbers_find(&a->document, document[j].word)] =
                tz_aligner_alike(a, document + j, 1);
        for (size_t e = 0; e < pair->longer; e++) {
            const tz_place *place = &em->longer.place[pair->places + e];
            em->alike[tz_numbers_find(&a->document,
                                      tz_phrase_of(document + place->j, place->q).words)] =
                tz_aligner_alike(a, document + place->j, place->q);
        }
    }
}

static int compare(const void *a, const void *b) {
    const tz_em_pair *const *x = a, *const *y = b;
    if ((*x)->n != (*y)->n)
        return (*x)->n < (*y)->n ? -1 : 1;
    if ((*x)->m != (*y)->m)
        return (*x)->m < (*y)->m ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

static tz_status sort(tz_em *em) {
    const tz_em_pair **pair = malloc((em->pairs + 1) * sizeof *pair);
    em->order = malloc((em->pairs + 1) * sizeof *em->order);
    if (pair && em->order) {
        for (size_t i = 0; i < em->pairs; i++)
            pair[i] = &em->pair[i];
        qsort(pair, em->pairs, sizeof *pair, compare);
        for (size_t i = 0; i < em->pairs; i++)
            em->order[i] = (size_t)(pair[i] - em->pair);
    }
    free(pair);
    return pair && em->order ? TZ_OK : TZ_NO_MEMORY;
}

static tz_status number_all(tz_em *em) {
    tz_aligner *a = &em->aligner;
    size_t cells;
    tz_status status = number_words(em, false, &a->document);
    if (status == TZ_OK)
        status = number_words(em, true, &a->abstract);
    a->vocabulary = a->abstract.count;
    a->document_words = a->document.count;
    if (status == TZ_OK && (a->vocabulary == 0 || a->document_words == 0))
        return TZ_NONE;
    if (status == TZ_OK)
        status = find_places(em, &cells);
    if (status != TZ_OK)
        return status;
    em->number = malloc((cells + 1) * sizeof *em->number);
    if (!em->number)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < em->pairs && status == TZ_OK; i++)
        status = number_cells(em, &em->pair[i], em->number + em->pair[i].cells);
    return status == TZ_OK ? sort(em) : status;
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
    em->uses.cell = calloc(cells, sizeof *em->uses.cell);
    em->uses.null = calloc(a->vocabulary + 1, sizeof *em->uses.null);
    em->uses.jump = calloc(tz_jumps_count(&a->jumps), sizeof *em->uses.jump);
    return em->abstract_stem && em->document_stem && a->null_count && a->total && a->count &&
                   em->alike && em->fakes && em->log_value && em->uses.cell && em->uses.null &&
                   em->uses.jump
               ? TZ_OK
               : TZ_NO_MEMORY;
}

static tz_status start_jumps(tz_em *em) {
    size_t longest = 0;
    bool syntax = em->settings.jump == TZ_JUMP_SYNTAX;
    for (size_t i = 0; i < em->pairs && syntax; i++)
        if (!em->pair[i].opt_cover || em->pair[i].opt_cover->words != em->pair[i].n)
            return TZ_BAD_ARGUMENT;
    if (syntax)
        return tz_jumps_start_syntax(&em->aligner.jumps, &em->labels);
    for (size_t i = 0; i < em->pairs; i++)
        longest = em->pair[i].n > longest ? em->pair[i].n : longest;
    return tz_jumps_start(&em->aligner.jumps, em->settings.jump, longest);
}

tz_status tz_em_start(tz_em *em, const tz_em_settings *settings) {
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
    tz_status status = number_all(em);
    if (status == TZ_OK)
        status = start_jumps(em);
    if (status == TZ_OK)
        status = reserve(em);
    if (status != TZ_OK)
        return status;
    describe(em);
    status = count_stems(em);
    if (status != TZ_OK)
        return status;
    count_alike(em);
    status = tz_em_near_start(em);
    if (status == TZ_OK)
        start_parameters(em);
    return status;
}
