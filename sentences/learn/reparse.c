/* reparse.c - see reparse.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/reparse.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/lines.h"
#include "base/threads.h"
#include "sentences/features/tables/hash.h"

/* One sentence of a call. */
typedef struct slot {
    float *arc;   /* [n + 1][n + 1] */
    float *told;  /* as tz_neural_scores.label */
    int32_t *own; /* each word's label */
    size_t arcs, tolds, owns;
    int32_t length;
    tz_scores scores;
    tz_status status;
} slot;

struct tz_reparser {
    tz_neural *neural;
    int32_t *label; /* the labeller's number of each of its labels */
    tz_plan *plan;
    unsigned threads;
    tz_neural_scores *room; /* of each thread */
    slot *slot;
    tz_problem *problem;
    size_t slots, problems;
    const tz_sentence *const *sentence; /* of the call */
    int32_t *const *head;
};

/* The number of the label of this hash; all of them, if there is none. */
static size_t find_label(const tz_labels *labels, uint32_t hash) {
    size_t l = 0;
    while (l < labels->count &&
           (uint32_t)tz_hash_text(labels->name[l], strlen(labels->name[l])) != hash)
        l++;
    return l;
}

/* Which of the labeller's labels the neural ones are. */
static tz_status match_labels(const tz_pack *pack, const tz_labels *labels, tz_reparser *reparser,
                              tz_error *opt_error) {
    const tz_neural *neural = reparser->neural;
    size_t count = neural->size.labels;
    reparser->label = calloc(count + 1, sizeof *reparser->label);
    if (!reparser->label)
        return TZ_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        size_t l = find_label(labels, neural->label[k]);
        if (l == labels->count)
            return tz_bad_input(opt_error, pack->path, 0,
                                "the section %s tells labels that the labeller does not know; "
                                "train both on the same treebank",
                                tz_neural_parser_name);
        reparser->label[k] = (int32_t)l;
    }
    return TZ_OK;
}

tz_status tz_reparser_new(const tz_pack *pack, const tz_labels *labels, unsigned threads,
                          tz_reparser **ret_reparser, tz_error *opt_error) {
    *ret_reparser = NULL;
    tz_reparser *reparser = calloc(1, sizeof *reparser);
    if (!reparser)
        return TZ_NO_MEMORY;
    reparser->threads = threads;
    tz_status status = tz_pack_neural(pack, tz_neural_parser_name, &reparser->neural, opt_error);
    if (status == TZ_OK)
        status = match_labels(pack, labels, reparser, opt_error);
    if (status == TZ_OK) {
        reparser->room = calloc(threads, sizeof *reparser->room);
        status = reparser->room ? TZ_OK : TZ_NO_MEMORY;
    }
    if (status == TZ_OK)
        status = tz_plan_new(tz_rules_find("eisner-single-root"), tz_semiring_find("max", TZ_F32),
                             0, &reparser->plan, opt_error);
    if (status != TZ_OK) {
        tz_reparser_free(reparser);
        return status;
    }
    *ret_reparser = reparser;
    return TZ_OK;
}

void tz_reparser_free(tz_reparser *reparser) {
    if (reparser) {
        for (size_t s = 0; s < reparser->slots; s++) {
            free(reparser->slot[s].arc);
            free(reparser->slot[s].told);
            free(reparser->slot[s].own);
        }
        for (unsigned t = 0; t < reparser->threads && reparser->room; t++)
            tz_neural_scores_free(&reparser->room[t]);
        free(reparser->room);
        free(reparser->label);
        free(reparser->slot);
        free(reparser->problem);
        tz_plan_free(reparser->plan);
        tz_neural_free(reparser->neural);
        free(reparser);
    }
}

static void score_one(void *of, size_t s) {
    tz_reparser *r = of;
    slot *slot = &r->slot[s];
    tz_neural_scores *room = &r->room[tz_thread_number()];
    size_t positions = (size_t)slot->length + 1, cells = positions * positions;
    size_t told = 2 * positions * r->neural->size.label;
    slot->status = tz_neural_score(r->neural, r->sentence[s], room);
    if (slot->status != TZ_OK)
        return;
    bool grown = TZ_GROW(slot->arc, &slot->arcs, cells) &&
                 TZ_GROW(slot->told, &slot->tolds, told) &&
                 TZ_GROW(slot->own, &slot->owns, positions);
    slot->status = grown ? TZ_OK : TZ_NO_MEMORY;
    if (grown) {
        memcpy(slot->arc, room->arc, cells * sizeof *slot->arc);
        memcpy(slot->told, room->label, told * sizeof *slot->told);
    }
}

static void label_one(void *of, size_t s) {
    tz_reparser *r = of;
    slot *slot = &r->slot[s];
    tz_neural_label(r->neural, slot->told, (size_t)slot->length, r->head[s], slot->own);
    for (int32_t m = 1; m <= slot->length; m++)
        slot->own[m] = r->label[slot->own[m]];
}

const int32_t *tz_reparsed_labels(const tz_reparser *reparser, size_t s) {
    return reparser->slot[s].own;
}

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    tz_reparser *r = user;
    const tz_derivation *best;
    tz_status status = tz_best(chart, lane, TZ_GOAL, NULL, &best);
    if (status != TZ_OK)
        return status;
    for (size_t u = 0; u < best->uses; u++) {
        const int32_t *index = best->use[u].index; /* h, m */
        r->head[problem][index[1]] = index[0];
    }
    return TZ_OK;
}

static bool grow_slots(tz_reparser *r, size_t count) {
    return TZ_GROW_ZEROED(r->slot, &r->slots, count) && TZ_GROW(r->problem, &r->problems, count);
}

tz_status tz_reparse(tz_reparser *reparser, const tz_sentence *const *sentence, size_t count,
                     int32_t *const *head, tz_error *opt_error) {
    if (!grow_slots(reparser, count))
        return TZ_NO_MEMORY;
    reparser->sentence = sentence;
    reparser->head = head;
    for (size_t s = 0; s < count; s++)
        reparser->slot[s].length = sentence[s]->words;
    tz_parallel(reparser->threads, count, score_one, reparser);
    for (size_t s = 0; s < count; s++) {
        slot *slot = &reparser->slot[s];
        int32_t positions = slot->length + 1;
        if (slot->status != TZ_OK)
            return slot->status;
        slot->scores = (tz_scores){.data = slot->arc,
                                   .type = TZ_FLOAT,
                                   .extent = {positions, positions},
                                   .stride = {positions, 1}};
        reparser->problem[s] = (tz_problem){.lengths = &slot->length, .scores = &slot->scores};
    }
    tz_run_options options = {.threads = reparser->threads};
    tz_status status =
        tz_run(reparser->plan, reparser->problem, count, &options, visit, reparser, opt_error);
    if (status == TZ_OK)
        tz_parallel(reparser->threads, count, label_one, reparser);
    return status;
}
