/* measure.c - see measure.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/measure.h"

#include <stdlib.h>

/* A portion has the room for all trees of so many cubes of words, or of one sentence. */
enum { PORTION = 64, PORTION_CUBES = 1000000, STEPS = 100 };

void tz_deletion_agree(const tz_deletion_gold *gold, const uint8_t *keep,
                       tz_deletion_agreement *sum) {
    double both = 0, kept = 0, right = 0, wanted = 0, words = gold->tree->words;
    for (uint32_t w = 0; w < gold->tree->words; w++) {
        both += keep[w] && gold->keep[w];
        kept += keep[w] != 0;
        wanted += gold->keep[w] != 0;
        right += !keep[w] == !gold->keep[w];
    }
    sum->sentences++;
    sum->exact += right == words;
    sum->words += words;
    sum->right += right;
    sum->both += both;
    sum->kept += kept;
    sum->gold += wanted;
    sum->f1 += 2 * both / (kept + wanted);
}

/* A portion of sentences, decoded. */
typedef struct portion {
    tz_arena *arena;
    tz_deletion_item item[PORTION];
    size_t count;
} portion;

static tz_status add_parses(portion *p, const tz_deletion_measuring *how, size_t index,
                            tz_deletion_item *item) {
    tz_parses *parses = tz_arena_array(p->arena, 1, sizeof *parses);
    item->opt_parses = parses;
    return parses ? how->opt_parses(how->user, index, p->arena, parses) : TZ_NO_MEMORY;
}

/* gold[at] and following. */
static tz_status fill(portion *p, const tz_deletion_measuring *how, const tz_deletion_gold *gold,
                      size_t at, size_t count) {
    tz_status status = TZ_OK;
    size_t cubes = 0;
    while (at < count && p->count < PORTION && cubes < PORTION_CUBES && status == TZ_OK) {
        tz_deletion_item *item = &p->item[p->count++];
        size_t words = gold[at].tree->words;
        *item = (tz_deletion_item){.tree = gold[at].tree,
                                   .keep = tz_arena_array(p->arena, words, sizeof *item->keep),
                                   .opt_marginal =
                                       tz_arena_array(p->arena, words, sizeof *item->opt_marginal)};
        status = item->keep && item->opt_marginal ? TZ_OK : TZ_NO_MEMORY;
        if (status == TZ_OK && how->opt_parses) {
            status = add_parses(p, how, at, item);
            cubes += words * words * words;
        }
        at++;
    }
    return status;
}

static void agree_all(const portion *p, const tz_deletion_gold *gold, tz_deletion_agreement *sum) {
    for (size_t i = 0; i < p->count; i++)
        tz_deletion_agree(&gold[i], p->item[i].keep, sum);
}

/* At every threshold, what tz_deletion_decode keeps there. */
static void agree_by_threshold(const portion *p, const tz_deletion_gold *gold,
                               tz_deletion_agreement sum[STEPS + 1]) {
    for (size_t i = 0; i < p->count; i++) {
        const tz_deletion_item *item = &p->item[i];
        for (int t = 0; t <= STEPS; t++) {
            tz_deletion_keep(item->tree->words, item->opt_marginal, (double)t / STEPS, item->keep);
            tz_deletion_agree(&gold[i], item->keep, &sum[t]);
        }
    }
}

static tz_status measure_portion(tz_deletion_decoder *decoder, double threshold, bool held,
                                 portion *p, const tz_deletion_gold *gold,
                                 tz_deletion_figures *figures,
                                 tz_deletion_agreement by_threshold[STEPS + 1],
                                 tz_error *opt_error) {
    const tz_deletion_how marginal = {.by = TZ_DELETE_BY_MARGINALS, .threshold = threshold};
    const tz_deletion_how best = {.by = TZ_DELETE_BY_BEST};
    tz_status status = tz_deletion_decode(decoder, &marginal, p->item, p->count, opt_error);
    if (status != TZ_OK)
        return status;
    agree_all(p, gold, &figures->marginals);
    agree_by_threshold(p, gold, by_threshold);
    for (size_t i = 0; i < p->count; i++)
        figures->log_z += p->item[i].score;
    status = tz_deletion_decode(decoder, &best, p->item, p->count, opt_error);
    if (status != TZ_OK)
        return status;
    agree_all(p, gold, &figures->best);
    for (size_t i = 0; i < p->count && held; i++)
        for (uint32_t w = 0; w < gold[i].tree->words; w++)
            p->item[i].amount += gold[i].keep[w] != 0;
    if (held)
        status = tz_deletion_decode(decoder, &best, p->item, p->count, opt_error);
    if (status == TZ_OK && held)
        agree_all(p, gold, &figures->held);
    return status;
}

tz_status tz_deletions_measure(tz_deletions *model, const tz_deletion_gold *gold, size_t count,
                               const tz_deletion_measuring *how, tz_deletion_figures *ret,
                               tz_error *opt_error) {
    tz_deletion_agreement by_threshold[STEPS + 1] = {{0}};
    tz_deletion_decoder *decoder;
    tz_status status = tz_deletion_decoder_new(model, how->threads, &decoder, opt_error);
    *ret = (tz_deletion_figures){.threshold = model->threshold};
    for (size_t at = 0, next; at < count && status == TZ_OK; at = next) {
        portion p = {.arena = tz_arena_new()};
        status = p.arena ? fill(&p, how, gold, at, count) : TZ_NO_MEMORY;
        next = at + p.count;
        if (status == TZ_OK)
            status = measure_portion(decoder, model->threshold, how->held, &p, gold + at, ret,
                                     by_threshold, opt_error);
        tz_arena_free(p.arena);
    }
    tz_deletion_decoder_free(decoder);
    ret->log_z /= count > 0 ? (double)count : 1;
    if (status != TZ_OK || !how->tune)
        return status;
    int best = 0;
    for (int t = 1; t <= STEPS; t++)
        if (by_threshold[t].f1 > by_threshold[best].f1)
            best = t;
    model->threshold = ret->threshold = (double)best / STEPS;
    ret->marginals = by_threshold[best];
    return TZ_OK;
}
