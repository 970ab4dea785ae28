/* em.c - see em.h: a step. SPDX-License-Identifier: MIT */
#include "sentences/align/em/em.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "sentences/align/em/em_own.h"

enum { BATCH = 1 << 20 }; /* scores that stand side by side, unless one pair has more */

/* A pair of texts as a problem. */
typedef struct item {
    const tz_em_pair *pair;
    tz_layout layout;
    size_t at; /* of its arrays among those of the batch */
    tz_scores scores[TZ_LAYOUT_WEIGHTS];
    int32_t *index;
} item;

typedef struct batch {
    item *item;
    size_t count, size;
    tz_problem *problem;
    tz_output *output; /* [count * weights] */
    double *log_z;
} batch;

/* ---- Batches --------------------------------------------------------------------------------- */

/* The pairs first..last - 1 that are a batch: of one rule set. */
static tz_status gather(tz_em *em, size_t first, size_t last, batch *b) {
    const tz_aligner *a = &em->aligner;
    *b = (batch){0};
    for (size_t i = first; i < last; i++) {
        tz_layout layout;
        const tz_em_pair *pair = &em->pair[i];
        tz_status status = tz_layout_choose(a, pair->n, pair->m, pair->longer, &layout);
        if (status == TZ_OK)
            status = tz_buffer_grow(&em->problem, b->count + 1, sizeof(item));
        if (status != TZ_OK)
            return status;
        b->item = em->problem.data;
        if (b->count > 0 &&
            (b->size + layout.size > BATCH || layout.which != b->item[0].layout.which))
            break;
        b->item[b->count++] = (item){.pair = pair, .layout = layout, .at = b->size};
        b->size += layout.size;
    }
    tz_status status = tz_buffer_reserve(&em->score, b->size, sizeof(double));
    return status == TZ_OK ? tz_buffer_reserve(&em->uses_of, b->size, sizeof(double)) : status;
}

static void score(const tz_em *em, const item *it, double *score) {
    const tz_aligner *a = &em->aligner;
    const tz_layout *l = &it->layout;
    const tz_em_pair *pair = it->pair;
    const uint32_t *number = em->number + pair->cells;
    double base = tz_layout_log_length(l, a, 1);
    tz_layout_score(l, a, em->form + pair->at + pair->n, pair->opt_cover, score);
    for (size_t t = 0; t < pair->m; t++)
        for (size_t j = 0; j < pair->n; j++)
            score[(size_t)l->word + t * l->step + j] = base + em->block_value[*number++];
    for (size_t e = 0; e < pair->longer; e++) {
        const tz_place *place = &em->longer.place[pair->places + e];
        score[tz_layout_place(l, place, e)] =
            tz_layout_log_length(l, a, place->q) + em->block_value[*number++];
    }
}

/* The batch as problems, and where the expectations go. */
static tz_status pose(tz_em *em, tz_arena *arena, batch *b) {
    size_t weights = b->item[0].layout.weights;
    b->problem = tz_arena_array(arena, b->count, sizeof *b->problem);
    b->output = tz_arena_array(arena, b->count * weights, sizeof *b->output);
    b->log_z = tz_arena_array(arena, b->count, sizeof *b->log_z);
    if (!b->problem || !b->output || !b->log_z)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < b->count; i++) {
        item *it = &b->item[i];
        double *scores = (double *)em->score.data + it->at;
        it->index = tz_arena_array(arena, 4 * it->layout.longer, sizeof *it->index);
        if (!it->index)
            return TZ_NO_MEMORY;
        score(em, it, scores);
        tz_layout_index(&it->layout, em->longer.place + it->pair->places, it->index);
        tz_layout_scores(&it->layout, scores, it->index, it->scores);
        tz_layout_outputs(&it->layout, (double *)em->uses_of.data + it->at,
                          b->output + i * weights);
        b->problem[i] = (tz_problem){.lengths = it->layout.lengths, .scores = it->scores};
    }
    return TZ_OK;
}

static tz_status infer(tz_em *em, const batch *b, tz_error *error) {
    size_t which = b->item[0].layout.which;
    tz_status status = TZ_OK;
    if (!em->plan[which]) {
        status = tz_plan_new(b->item[0].layout.rules, tz_semiring_find("log", TZ_F64), 0,
                             &em->plan[which], error);
        if (status == TZ_OK)
            status = tz_charts_new(em->plan[which], &em->charts[which]);
    }
    tz_run_options options = {
        .outside = true, .threads = em->settings.threads, .charts = em->charts[which]};
    tz_answers answers = {.value = b->log_z, .marginals = b->output};
    return status == TZ_OK
               ? tz_run(em->plan[which], b->problem, b->count, &options, tz_answer, &answers, error)
               : status;
}

/* ---- Expectations ---------------------------------------------------------------------------- */

static void take_in(tz_em *em, const item *it, double *marginal) {
    const tz_aligner *a = &em->aligner;
    const tz_layout *l = &it->layout;
    const tz_em_pair *pair = it->pair;
    const uint32_t *number = em->number + pair->cells;
    const tz_form *abstract = em->form + pair->at + pair->n;
    const tz_em_uses *uses = &em->part;
    for (size_t t = 0; t < pair->m; t++) {
        double null = marginal[(size_t)l->null + t];
        uses->null[tz_numbers_find(&a->abstract, abstract[t].word)] += null;
        *uses->nulls += null;
        for (size_t j = 0; j < pair->n; j++) {
            double use = marginal[(size_t)l->word + t * l->step + j];
            uses->cell[*number++] += use;
            uses->length[0] += use;
        }
    }
    for (size_t e = 0; e < pair->longer; e++) {
        const tz_place *place = &em->longer.place[pair->places + e];
        double use = marginal[tz_layout_place(l, place, e)];
        uses->cell[*number++] += use;
        uses->length[place->q - 1] += use;
    }
    *uses->jumps += tz_layout_take_jumps(l, a, pair->opt_cover, marginal, uses->jump);
}

enum { VALUES = 4096 }; /* cells at a time */

static void find_values(void *of, size_t portion) {
    tz_em *em = of;
    size_t cells = em->aligner.cell.count, first = portion * VALUES;
    for (size_t c = first; c < cells && c < first + VALUES; c++) {
        double part[TZ_PARTS];
        tz_rewrite cell = tz_em_cell(em, c);
        em->log_value[c] = log(tz_parts_value(&em->aligner, &cell, part));
    }
}

static void begin(tz_em *em) {
    tz_sums_clear(em->sums);
    tz_em_near_begin(em);
    tz_parallel(em->settings.threads, (em->aligner.cell.count + VALUES - 1) / VALUES, find_values,
                em);
}

/* One batch of pairs *at..last - 1; moves *at behind it. */
static tz_status expect(tz_em *em, size_t *at, size_t last, tz_error *error) {
    batch b = {0};
    tz_arena *arena = tz_arena_new();
    tz_status status = arena ? gather(em, *at, last, &b) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = pose(em, arena, &b);
    if (status == TZ_OK)
        status = infer(em, &b, error);
    for (size_t i = 0; i < b.count && status == TZ_OK; i++) {
        *em->part.log_likelihood += b.log_z[i];
        take_in(em, &b.item[i], (double *)em->uses_of.data + b.item[i].at);
    }
    *at += b.count;
    tz_arena_free(arena);
    return status;
}

/* The expectations of a block. */
static tz_status expect_block(tz_em *em, const tz_em_block *b, tz_error *error) {
    tz_status status = TZ_OK;
    memset(em->part.cell, 0, b->cells * sizeof *em->part.cell);
    memset(em->part.rest, 0, em->rests * sizeof *em->part.rest);
    for (size_t c = 0; c < b->cells; c++)
        em->block_value[c] = em->log_value[em->cell[b->cell + c]];
    for (size_t at = b->first; at < b->last && status == TZ_OK;)
        status = expect(em, &at, b->last, error);
    return status;
}

/* A round: this rank's block, or none. */
static tz_status add_block(tz_em *em, const tz_em_block *opt_block, tz_error *error) {
    const tz_em_block *b = opt_block;
    tz_sums_part part[2] = {{0}};
    if (b) {
        part[0] = (tz_sums_part){em->cell + b->cell, em->part.cell, b->cells};
        part[1] = (tz_sums_part){em->rest_row, em->part.rest, em->rests};
    }
    return tz_sums_add(em->sums, part, b ? 2 : 0, error);
}

/* TZ_NONE where any rank is to end it. */
static tz_status report(const tz_em *em, size_t done, tz_error *error) {
    const tz_em_settings *s = &em->settings;
    bool end = s->opt_progress && !s->opt_progress(s->user, done, em->pairs);
    tz_status status = tz_ranks_any(end, &end, error);
    return status == TZ_OK && end ? TZ_NONE : status;
}

tz_status tz_em_step(tz_em *em, bool maximise, tz_em_report *ret_report, tz_error *error) {
    size_t done = 0;
    tz_status status = TZ_OK;
    begin(em);
    for (size_t round = 0, b = 0; round < em->rounds && status == TZ_OK; round++) {
        bool mine = b < em->blocks && em->block[b].round == round;
        if (mine)
            status = expect_block(em, &em->block[b], error);
        if (status == TZ_OK)
            status = add_block(em, mine ? &em->block[b] : NULL, error);
        done = mine ? em->block[b].last : done;
        b += mine;
        if (status == TZ_OK)
            status = report(em, done, error);
    }
    if (status == TZ_OK)
        status = tz_sums_all(em->sums, em->uses.cell, error);
    if (status != TZ_OK)
        return status;
    double sum = *em->uses.log_likelihood;
    *ret_report = (tz_em_report){sum, sum + tz_em_log_prior(em)};
    if (maximise)
        tz_em_maximise(em);
    return TZ_OK;
}
