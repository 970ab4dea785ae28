/* decode.c - see decode.h. SPDX-License-Identifier: MIT */
#include "sentences/align/decode/decode.h"

#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "sentences/align/model/kin.h"
#include "sentences/align/model/layout.h"
#include "sentences/align/wordnet/decay.h"

enum { MAX, LOG, SEMIRINGS };

struct tz_align_decoder {
    const tz_aligner *aligner;
    tz_plan *plan[SEMIRINGS][TZ_LAYOUT_RULES];
    tz_chart *chart[SEMIRINGS][TZ_LAYOUT_RULES];
    tz_places longer;
    tz_buffer score, marginal, index;
    tz_kin kin;         /* of the pair at hand; its wordnet is NULL: without */
    tz_meaning meaning; /* of the aligner's phrases */
    tz_buffer total;    /* [kin.phrase.count]: log Z of phrases of the document */
};

/* A pair of texts, as it is decoded. */
typedef struct job {
    tz_align_decoder *decoder;
    tz_arena *arena;
    const tz_passage *document, *abstract;
    const tz_decode_settings *settings;
    tz_layout layout;
    tz_jump_cover cover; /* of the document, where jumps are scored by syntax */
    tz_scores scores[TZ_LAYOUT_WEIGHTS];
    tz_problem problem;
    double log_likelihood;
} job;

static tz_status use_wordnet(tz_align_decoder *d, const tz_wordnet *opt_wordnet) {
    const tz_near *near = &d->aligner->near;
    if (!opt_wordnet || opt_wordnet->fingerprint != near->fingerprint)
        return TZ_BAD_ARGUMENT;
    for (size_t p = 0; p < near->phrase.count; p++)
        for (size_t s = near->from[p]; s < near->from[p + 1]; s++)
            if (near->sense[s] >= opt_wordnet->synset.count)
                return TZ_BAD_ARGUMENT;
    d->kin.wordnet = opt_wordnet;
    return tz_near_index(near, opt_wordnet, &d->meaning);
}

tz_status tz_align_decoder_new(const tz_aligner *aligner, const tz_wordnet *opt_wordnet,
                               tz_align_decoder **ret_decoder) {
    *ret_decoder = calloc(1, sizeof **ret_decoder);
    if (!*ret_decoder)
        return TZ_NO_MEMORY;
    tz_align_decoder *d = *ret_decoder;
    d->aligner = aligner;
    tz_status status = aligner->near.fingerprint != 0 ? use_wordnet(d, opt_wordnet) : TZ_OK;
    if (status != TZ_OK) {
        tz_align_decoder_free(d);
        *ret_decoder = NULL;
    }
    return status;
}

void tz_align_decoder_free(tz_align_decoder *d) {
    if (!d)
        return;
    for (size_t s = 0; s < SEMIRINGS; s++) {
        for (size_t r = 0; r < TZ_LAYOUT_RULES; r++) {
            tz_chart_free(d->chart[s][r]);
            tz_plan_free(d->plan[s][r]);
        }
    }
    tz_places_free(&d->longer);
    tz_buffer_free(&d->score);
    tz_buffer_free(&d->marginal);
    tz_buffer_free(&d->index);
    tz_buffer_free(&d->total);
    tz_kin_free(&d->kin);
    tz_meaning_free(&d->meaning);
    free(d);
}

/* ---- The problem ----------------------------------------------------------------------------- */

/* What stands above the phrases of the pair in WordNet, and Z of those of the document. */
static tz_status find_kin(job *j) {
    tz_align_decoder *d = j->decoder;
    const tz_near *near = &d->aligner->near;
    uint32_t count[TZ_WORDNET_FAR];
    tz_kin_free(&d->kin);
    tz_status status = tz_kin_add(&d->kin, j->document, d->aligner->document_most);
    size_t phrases = d->kin.phrase.count;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&d->total, phrases + 1, sizeof(double));
    for (size_t y = 0; y < phrases && status == TZ_OK; y++) {
        const tz_ancestor *ancestor;
        size_t ancestors = tz_kin_find(&d->kin, d->kin.phrase.value[y], &ancestor);
        tz_meaning_ask(&d->meaning, ancestor, ancestors);
        tz_near_count(&d->meaning, TZ_WORDNET_FAR, count);
        ((double *)d->total.data)[y] = tz_decay_log_total(count, TZ_WORDNET_FAR, near->eta);
    }
    return status == TZ_OK ? tz_kin_add(&d->kin, j->abstract, d->aligner->abstract_most) : status;
}

/* wn(x | y) */
static double near_value(const tz_align_decoder *d, uint64_t y, uint64_t x) {
    const tz_near *near = &d->aligner->near;
    unsigned distance = tz_kin_distance(&d->kin, y, x);
    if (distance == TZ_WORDNET_FAR)
        return 0;
    double total = ((const double *)d->total.data)[tz_numbers_find(&d->kin.phrase, y)];
    bool known = tz_numbers_find(&near->phrase, x) != TZ_NO_NUMBER;
    return tz_near_value(near, total, distance, known);
}

static double rewrite(const job *j, const tz_place *place, double part[TZ_PARTS]) {
    tz_rewrite known;
    const tz_form *document = j->document->form + place->j;
    const tz_form *abstract = j->abstract->form + place->t;
    tz_aligner_look_up(j->decoder->aligner, document, place->q, abstract, place->p, &known);
    if (j->decoder->kin.wordnet)
        known.near = near_value(j->decoder, tz_phrase_of(document, place->q).words,
                                tz_phrase_of(abstract, place->p).words);
    return tz_parts_value(j->decoder->aligner, &known, part);
}

static void score(job *j, double *score) {
    const tz_aligner *a = j->decoder->aligner;
    const tz_layout *l = &j->layout;
    double part[TZ_PARTS];
    tz_layout_score(l, a, j->abstract->form, &j->cover, score);
    for (uint32_t t = 0; t < j->abstract->words; t++) {
        for (uint32_t k = 0; k < j->document->words; k++) {
            score[(size_t)l->word + t * l->step + k] =
                tz_layout_log_length(l, a, 1) + log(rewrite(j, &(tz_place){t, k, 1, 1}, part));
        }
    }
    for (size_t e = 0; e < l->longer; e++) {
        const tz_place *place = &j->decoder->longer.place[e];
        score[tz_layout_place(l, place, e)] =
            tz_layout_log_length(l, a, place->q) + log(rewrite(j, place, part));
    }
}

static tz_status find_cover(job *j) {
    tz_labels labels = j->decoder->aligner->jumps.labels; /* does not grow */
    tz_status status = j->document->opt_tree || j->document->words == 0
                           ? tz_cover_new(j->arena, j->document->opt_tree, j->document->trees,
                                          &labels, false, &j->cover)
                           : TZ_BAD_ARGUMENT;
    return status == TZ_OK && j->cover.words != j->document->words ? TZ_BAD_ARGUMENT : status;
}

static tz_status pose(job *j) {
    tz_align_decoder *d = j->decoder;
    const tz_aligner *a = d->aligner;
    d->longer.count = 0;
    tz_status status = d->kin.wordnet ? find_kin(j) : TZ_OK;
    if (status == TZ_OK)
        status = tz_places_find(j->document, j->abstract, a->abstract_most, a->document_most,
                                a->loose, d->kin.wordnet ? &d->kin : NULL, &d->longer);
    if (status == TZ_OK)
        status = tz_layout_choose(a, j->document->words, j->abstract->words, d->longer.count,
                                  &j->layout);
    if (status == TZ_OK && a->jumps.kind == TZ_JUMP_SYNTAX)
        status = find_cover(j);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&d->score, j->layout.size + 1, sizeof(double));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&d->index, 4 * d->longer.count + 1, sizeof(int32_t));
    if (status != TZ_OK)
        return status;
    score(j, d->score.data);
    tz_layout_index(&j->layout, d->longer.place, d->index.data);
    tz_layout_scores(&j->layout, d->score.data, d->index.data, j->scores);
    j->problem = (tz_problem){.lengths = j->layout.lengths, .scores = j->scores};
    return TZ_OK;
}

/* Binds the problem to the chart for it, and runs inside. */
static tz_status inside(const job *j, int semiring, tz_chart **ret_chart, tz_error *error) {
    static const char *const names[SEMIRINGS] = {"max", "log"};
    tz_align_decoder *d = j->decoder;
    tz_plan **plan = &d->plan[semiring][j->layout.which];
    tz_chart **chart = &d->chart[semiring][j->layout.which];
    tz_status status = TZ_OK;
    if (!*plan)
        status =
            tz_plan_new(j->layout.rules, tz_semiring_find(names[semiring], TZ_F64), 0, plan, error);
    if (status == TZ_OK && !*chart)
        status = tz_chart_new(*plan, chart);
    if (status == TZ_OK)
        status = tz_bind(*chart, &j->problem, 1, error);
    *ret_chart = *chart;
    return status == TZ_OK ? tz_inside(*chart) : status;
}

/* Expected uses, laid out as the scores. */
static tz_status marginals(job *j, tz_error *error) {
    tz_align_decoder *d = j->decoder;
    tz_output outputs[TZ_LAYOUT_WEIGHTS];
    tz_chart *chart;
    tz_status status = tz_buffer_reserve(&d->marginal, j->layout.size + 1, sizeof(double));
    if (status == TZ_OK)
        status = inside(j, LOG, &chart, error);
    if (status == TZ_OK)
        status = tz_goal(chart, 0, &j->log_likelihood);
    if (status == TZ_OK)
        status = tz_outside(chart);
    if (status != TZ_OK)
        return status;
    tz_layout_outputs(&j->layout, d->marginal.data, outputs);
    return tz_marginals_all(chart, outputs);
}

/* ---- The best alignments --------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const tz_phrase_pair *x = &((const tz_decoded_phrase *)a)->pair;
    const tz_phrase_pair *y = &((const tz_decoded_phrase *)b)->pair;
    if (x->abstract[0] != y->abstract[0])
        return x->abstract[0] < y->abstract[0] ? -1 : 1;
    return (x->document[0] > y->document[0]) - (x->document[0] < y->document[0]);
}

static tz_place place_of(const tz_phrase_pair *pair) {
    return (tz_place){.t = pair->abstract[0],
                      .j = pair->document[0],
                      .p = (uint8_t)(pair->abstract[1] - pair->abstract[0]),
                      .q = (uint8_t)(pair->document[1] - pair->document[0])};
}

static tz_phrase_pair pair_of(const tz_place *place) {
    return (tz_phrase_pair){.document = {place->j, place->j + place->q},
                            .abstract = {place->t, place->t + place->p}};
}

static int compare_places(const void *a, const void *b) {
    const tz_place *x = a, *y = b;
    const uint32_t key[4][2] = {{x->t, y->t}, {x->j, y->j}, {x->p, y->p}, {x->q, y->q}};
    size_t k = 0;
    while (k < 3 && key[k][0] == key[k][1])
        k++;
    return (key[k][0] > key[k][1]) - (key[k][0] < key[k][1]);
}

static double marginal(const job *j, const tz_place *place) {
    const double *all = j->decoder->marginal.data;
    const tz_place *list = j->decoder->longer.place;
    if (place->p == 1 && place->q == 1)
        return all[(size_t)j->layout.word + place->t * j->layout.step + place->j];
    const tz_place *found = bsearch(place, list, j->layout.longer, sizeof *list, compare_places);
    return all[tz_layout_place(&j->layout, place, (size_t)(found - list))];
}

static void describe(const job *j, tz_decoded_phrase *phrase) {
    tz_place place = place_of(&phrase->pair);
    double sum = rewrite(j, &place, phrase->share);
    phrase->posterior = marginal(j, &place);
    for (size_t k = 0; k < TZ_PARTS; k++)
        phrase->share[k] /= sum;
}

static tz_status read_derivation(const job *j, const tz_derivation *derivation, tz_decoded *ret) {
    const tz_decode_settings *s = j->settings;
    ret->score = derivation->score;
    ret->phrase = tz_arena_array(j->arena, derivation->uses, sizeof *ret->phrase);
    tz_phrase_pair *pair = tz_arena_array(j->arena, derivation->uses, sizeof *pair);
    if (!ret->phrase || !pair)
        return TZ_NO_MEMORY;
    tz_place place;
    for (size_t u = 0; u < derivation->uses; u++)
        if (tz_layout_use(&j->layout, &derivation->use[u], &place))
            ret->phrase[ret->phrases++].pair = pair_of(&place);
    qsort(ret->phrase, ret->phrases, sizeof *ret->phrase, compare);
    for (size_t f = 0; f < ret->phrases; f++) {
        pair[f] = ret->phrase[f].pair;
        if (s->posteriors)
            describe(j, &ret->phrase[f]);
    }
    return tz_links_of_phrases(j->arena, pair, ret->phrases,
                               s->all_links ? NULL : j->document->form,
                               s->all_links ? NULL : j->abstract->form, &ret->links);
}

static tz_status best(const job *j, tz_decoded *ret, size_t *ret_count, tz_error *error) {
    tz_chart *chart;
    const tz_derivation *derivation;
    tz_kbest *list = NULL;
    bool several = j->settings->most > 1;
    tz_status status = inside(j, MAX, &chart, error);
    if (status == TZ_OK && several)
        status = tz_kbest_new(chart, 0, false, &list, NULL);
    while (status == TZ_OK && *ret_count < j->settings->most) {
        status = several ? tz_kbest_next(list, &derivation)
                         : tz_best(chart, 0, TZ_GOAL, NULL, &derivation);
        if (status == TZ_OK)
            status = read_derivation(j, derivation, &ret[*ret_count]);
        if (status == TZ_OK)
            ++*ret_count;
    }
    tz_kbest_free(list);
    return status;
}

/* ---- Links by their posteriors --------------------------------------------------------------- */

/* Matrices by word of the abstract, then of the document. */
typedef struct matrix {
    double *posterior;
    tz_decoded_phrase **link; /* those that are likely */
} matrix;

/* Calls with each place, and the links of its words. */
typedef void visit(const job *j, const tz_place *place, const matrix *to, size_t cell);

static void visit_links(const job *j, const tz_place *place, const matrix *to, visit *visit) {
    tz_phrase_pair pair = pair_of(place);
    bool diagonal =
        !j->settings->all_links && tz_phrases_same(&pair, j->document->form, j->abstract->form);
    for (unsigned p = 0; p < place->p; p++)
        for (unsigned q = 0; q < place->q; q++)
            if (!diagonal || p == q)
                visit(j, place, to, (place->t + p) * j->document->words + place->j + q);
}

static void visit_all(const job *j, const matrix *to, visit *visit) {
    for (uint32_t t = 0; t < j->abstract->words; t++)
        for (uint32_t k = 0; k < j->document->words; k++)
            visit_links(j, &(tz_place){t, k, 1, 1}, to, visit);
    for (size_t e = 0; e < j->layout.longer; e++)
        visit_links(j, &j->decoder->longer.place[e], to, visit);
}

static void add_posterior(const job *j, const tz_place *place, const matrix *to, size_t cell) {
    to->posterior[cell] += marginal(j, place);
}

static void add_share(const job *j, const tz_place *place, const matrix *to, size_t cell) {
    tz_decoded_phrase *link = to->link[cell];
    double part[TZ_PARTS], uses = marginal(j, place);
    if (!link || uses == 0)
        return;
    double sum = rewrite(j, place, part);
    for (size_t k = 0; k < TZ_PARTS; k++)
        link->share[k] += uses / link->posterior * (part[k] / sum);
}

/* The posteriors of all links. */
static tz_status sum_up(const job *j, matrix *ret) {
    size_t cells = j->document->words * j->abstract->words;
    *ret = (matrix){tz_arena_array(j->arena, cells, sizeof *ret->posterior),
                    tz_arena_array(j->arena, cells, sizeof *ret->link)};
    if (!ret->posterior || !ret->link)
        return TZ_NO_MEMORY;
    visit_all(j, ret, add_posterior);
    return TZ_OK;
}

static tz_status above(const job *j, const matrix *all, double threshold, tz_links *ret) {
    size_t n = j->document->words, count = 0, cells = n * j->abstract->words;
    for (size_t c = 0; c < cells; c++)
        count += all->posterior[c] > threshold;
    *ret = (tz_links){0, tz_arena_array(j->arena, count, sizeof *ret->link)};
    if (!ret->link)
        return TZ_NO_MEMORY;
    for (size_t c = 0; c < cells; c++)
        if (all->posterior[c] > threshold)
            ret->link[ret->count++] = (tz_link){(uint32_t)(c % n), (uint32_t)(c / n)};
    tz_links_sort(ret);
    return TZ_OK;
}

/* Links of a probability above 0.5, and phrase pairs of their words. */
static tz_status by_posterior(const job *j, const matrix *all, tz_decoded *ret) {
    tz_status status = above(j, all, 0.5, &ret->links);
    if (status != TZ_OK)
        return status;
    ret->phrase = tz_arena_array(j->arena, ret->links.count, sizeof *ret->phrase);
    if (!ret->phrase)
        return TZ_NO_MEMORY;
    for (; ret->phrases < ret->links.count; ret->phrases++) {
        const tz_link *link = &ret->links.link[ret->phrases];
        tz_place place = {link->abstract, link->document, 1, 1};
        size_t cell = place.t * j->document->words + place.j;
        all->link[cell] = &ret->phrase[ret->phrases];
        *all->link[cell] = (tz_decoded_phrase){pair_of(&place), all->posterior[cell], {0}};
    }
    if (j->settings->posteriors)
        visit_all(j, all, add_share);
    if (ret->phrases > 0)
        qsort(ret->phrase, ret->phrases, sizeof *ret->phrase, compare);
    return TZ_OK;
}

/* ---------------------------------------------------------------------------------------------- */

/* Nothing can make the abstract. */
static tz_status nothing(const job *j, tz_decoded *ret, size_t *ret_count) {
    *ret_count = 1;
    *ret = (tz_decoded){.score = -INFINITY, .log_likelihood = -INFINITY};
    return tz_links_of_phrases(j->arena, NULL, 0, NULL, NULL, &ret->links);
}

tz_status tz_decode_phrases(tz_align_decoder *decoder, tz_arena *arena, const tz_passage *document,
                            const tz_passage *abstract, const tz_decode_settings *settings,
                            tz_decoded *ret_decoded, size_t *ret_count, tz_error *error) {
    job j = {.decoder = decoder,
             .arena = arena,
             .document = document,
             .abstract = abstract,
             .settings = settings};
    *ret_count = 0;
    for (size_t i = 0; i < settings->most; i++)
        ret_decoded[i] = (tz_decoded){.score = 0};
    matrix all;
    tz_links likely = {0};
    bool links = settings->posterior || settings->likely;
    tz_status status = pose(&j);
    if (status == TZ_OK && (links || settings->posteriors))
        status = marginals(&j, error);
    if (status == TZ_OK && links)
        status = sum_up(&j, &all);
    if (status == TZ_OK && settings->likely)
        status = above(&j, &all, 0.1, &likely);
    if (status == TZ_OK && settings->posterior) {
        *ret_count = 1;
        status = by_posterior(&j, &all, ret_decoded);
    } else if (status == TZ_OK) {
        status = best(&j, ret_decoded, ret_count, error);
    }
    if (status == TZ_NONE && *ret_count == 0)
        return nothing(&j, ret_decoded, ret_count);
    for (size_t i = 0; i < *ret_count; i++) {
        ret_decoded[i].log_likelihood = j.log_likelihood;
        ret_decoded[i].likely = likely;
    }
    return status == TZ_NONE ? TZ_OK : status;
}
