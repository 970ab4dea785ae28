/* kbest.c - derivations in order, best first. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/ask/expand.h"
#include "engine/ask/kbest/kbest.h"
#include "engine/ask/kbest/lists.h"
#include "engine/ask/kbest/room.h"
#include "engine/ask/kbest/table.h"
#include "engine/ask/kbest/write.h"
#include "engine/ask/trace/name.h"
#include "engine/layout/address.h"

/* ---- A list -----------------------------------------------------------------------------------
 */

enum { BLOCK = 1 << 19 /* bytes that a list begins with; those not used are never touched */ };

/* Does the semiring's sum take the greater of two scores? */
static bool prefers_greater(const tz_chart *chart) {
    const tz_algebra *algebra = chart->algebra;
    const tz_semiring *s = algebra->semiring;
    static const double score[2] = {0, 1};
    char *pair = chart->pair.data;
    algebra->lift(s, pair, 1, score, 2);
    s->plus(s, pair + 2 * algebra->size, pair, pair + algebra->size);
    return memcmp(pair + 2 * algebra->size, pair + algebra->size, algebra->size) == 0;
}

/* Why there is no list under the chart's semiring; NULL: there is. */
static const char *lacks(const tz_chart *chart) {
    const tz_semiring *semiring = chart->plan->wide.semiring;
    if (!(semiring->laws & TZ_PATH))
        return "its sum does not pick one derivation, as that of max does";
    if (semiring->gives != TZ_GIVES_SCORE)
        return "it does not give scores, which the list is ordered by";
    if (semiring->mark != NULL) /* values do not say how many marks an element has */
        return "its values leave out the required facts; forbid other cells instead "
               "(tz_facts_new), under max";
    return prefers_greater(chart) ? NULL
                                  : "its sum takes the smaller of two scores, and the list begins "
                                    "with the greatest; turn the signs of the scores, and use max";
}

tz_status tz_kbest_from(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                        bool distinct, tz_kbest **ret_kbest, tz_error *opt_error) {
    *ret_kbest = NULL;
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    const char *lack = lacks(chart);
    if (lack != NULL)
        return tz_fail(opt_error, TZ_LAW, "k best under semiring %s: %s",
                       chart->plan->wide.semiring->name, lack);
    tz_kbest *k = chart->spare != NULL ? chart->spare : calloc(1, sizeof *k);
    if (k == NULL)
        return TZ_NO_MEMORY;
    chart->spare = NULL;
    k->chart = chart;
    k->epoch = chart->epoch;
    k->lane = problem;
    k->distinct = distinct && chart->plan->rules->ambiguous;
    k->within = INFINITY;
    k->arena = tz_arena_new();
    tz_status status = k->arena != NULL ? tz_expand_prepare(chart, problem) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&k->block, BLOCK, 1);
    if (status == TZ_OK) {
        k->room = k->block.data;
        k->left = k->block.size / TZ_ROOM_UNIT * TZ_ROOM_UNIT;
    }
    int64_t at[TZ_MAX_RANK];
    const tz_kind *of = &chart->plan->rules->kind[kind];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        at[q] = index[q];
    ptrdiff_t offset = -1;
    if (tz_domain_holds(&of->domain, chart->plan->rules->lengths, tz_lane_length(chart, problem),
                        of->rank, at))
        offset = tz_cell_offset(chart, kind, at);
    if (status == TZ_OK && offset >= 0 &&
        !tz_is_zero(chart, tz_cell(chart, TZ_AT_INSIDE, offset, problem)))
        status =
            tz_ranked_find(k, kind, index, tz_cell(chart, TZ_AT_INSIDE, offset, problem), &k->goal);
    if (status != TZ_OK) {
        tz_kbest_free(k);
        return status;
    }
    *ret_kbest = k;
    return TZ_OK;
}

tz_status tz_kbest_new(tz_chart *chart, size_t problem, bool distinct, tz_kbest **ret_kbest,
                       tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    const tz_rules *rules = chart->plan->rules;
    int32_t index[TZ_MAX_RANK] = {0};
    *ret_kbest = NULL;
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    for (unsigned q = 0; q < rules->kind[rules->goal.which].rank; q++)
        index[q] = (int32_t)tz_form_value(&rules->goal.index[q], rules->lengths,
                                          tz_lane_length(chart, problem), 0, NULL);
    return tz_kbest_from(chart, problem, rules->goal.which, index, distinct, ret_kbest, opt_error);
}

void tz_kbest_free(tz_kbest *k) {
    if (k == NULL)
        return;
    if (k->chart->spare != NULL) {
        tz_kbest_discard(k);
        return;
    }
    tz_chart *chart = k->chart;
    tz_arena_free(k->arena);
    memset(k, 0, offsetof(tz_kbest, block));
    chart->spare = k;
}

/* ---- Derivations ------------------------------------------------------------------------------
 */

/* The score of the goal's derivation of a rank. */
static double score_of(const tz_kbest *k, size_t rank) {
    const tz_algebra *algebra = k->chart->algebra;
    return rank > 0 ? k->goal->best[rank]->score : algebra->value(algebra->semiring, k->goal->cell);
}

/* The goal's derivation of a rank. */
static tz_status derive(tz_kbest *k, size_t rank) {
    const tz_written *w = &k->written;
    tz_status status =
        rank <= UINT32_MAX ? tz_ranked_write(k, k->goal, (uint32_t)rank) : TZ_TOO_LARGE;
    if (status != TZ_OK)
        return status;
    k->derivation = (tz_derivation){.score = score_of(k, rank),
                                    .uses = w->uses,
                                    .nodes = w->nodes,
                                    .use = w->uses > 0 ? w->use.data : NULL,
                                    .node = w->node.data,
                                    .by_node = w->uses > 0 ? w->by_node.data : NULL};
    return TZ_OK;
}

/* ---- Distinct structures ----------------------------------------------------------------------
 */

enum { WORDS = 1 + TZ_MAX_RANK /* of a use in a structure */ };

/* Word w of a structure: how many uses, then each. */
static uint32_t word(const tz_derivation *d, size_t w) {
    if (w == 0)
        return (uint32_t)d->uses;
    const tz_use *use = &d->use[(w - 1) / WORDS];
    size_t part = (w - 1) % WORDS;
    return part == 0 ? use->weight : (uint32_t)use->index[part - 1];
}

static size_t next_hash(size_t hash, uint32_t word) {
    uint64_t h = (hash ^ word) * UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(h ^ h >> 32);
}

/* The slot of a structure among `seens`, or a free one. */
static size_t find_seen(uint32_t **seen, size_t seens, const uint32_t *structure) {
    size_t words = 1 + structure[0] * (size_t)WORDS, hash = 0;
    for (size_t w = 0; w < words; w++)
        hash = next_hash(hash, structure[w]);
    size_t s = hash & (seens - 1);
    while (seen[s] != NULL && (seen[s][0] != structure[0] ||
                               memcmp(seen[s], structure, words * sizeof *structure) != 0))
        s = (s + 1) & (seens - 1);
    return s;
}

/* Is the structure of k->derivation new? Then it is remembered. */
static tz_status is_new(tz_kbest *k, bool *ret_new) {
    const tz_derivation *d = &k->derivation;
    if (2 * k->structures >= k->seens) {
        size_t seens = k->seens > 0 ? 2 * k->seens : 64;
        uint32_t **made = tz_kbest_room(k, seens, sizeof *made);
        if (made == NULL)
            return TZ_NO_MEMORY;
        memset(made, 0, seens * sizeof *made);
        for (size_t i = 0; i < k->seens; i++)
            if (k->seen[i] != NULL)
                made[find_seen(made, seens, k->seen[i])] = k->seen[i];
        k->seen = made;
        k->seens = seens;
    }
    size_t words = 1 + d->uses * (size_t)WORDS; /* the uses are in memory, five words and more */
    tz_status status = tz_buffer_grow(&k->sorting, words, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;
    uint32_t *structure = k->sorting.data;
    for (size_t w = 0; w < words; w++)
        structure[w] = word(d, w);
    size_t s = find_seen(k->seen, k->seens, structure);
    *ret_new = k->seen[s] == NULL;
    if (!*ret_new)
        return TZ_OK;
    uint32_t *copy = tz_kbest_room(k, words, sizeof *copy);
    if (copy == NULL)
        return TZ_NO_MEMORY;
    k->seen[s] = memcpy(copy, structure, words * sizeof *copy);
    k->structures++;
    return TZ_OK;
}

tz_status tz_kbest_next(tz_kbest *k, const tz_derivation **ret_derivation) {
    TZ_DEFAULT_MODES;
    *ret_derivation = NULL;
    if (k->epoch != k->chart->epoch)
        return TZ_BAD_ARGUMENT;
    if (k->goal == NULL)
        return TZ_NONE;
    /* Another lane may have been asked for since. */
    tz_status status = tz_expand_prepare(k->chart, k->lane);
    if (status == TZ_OK)
        status = tz_strips_prepare(k->chart, TZ_TRACED, k->lane);
    for (bool new = false; status == TZ_OK && !new;) {
        while (status == TZ_OK && k->next > 0 && k->next >= k->goal->bests && !k->goal->over)
            status = tz_ranked_extend(k, k->goal);
        if (status == TZ_OK && k->next > 0 &&
            (k->next >= k->goal->bests || score_of(k, 0) - score_of(k, k->next) > k->within))
            return TZ_NONE;
        if (status == TZ_OK)
            status = derive(k, k->next);
        new = true;
        if (status == TZ_OK && k->distinct)
            status = is_new(k, &new);
        if (status == TZ_OK)
            k->next++;
    }
    if (status == TZ_OK)
        status = tz_name_uses(k->chart, k->lane, &k->derivation, k->written.use.data,
                              k->written.by_node.data, &k->written.positions);
    if (status != TZ_OK)
        return status;
    *ret_derivation = &k->derivation;
    return TZ_OK;
}

tz_status tz_kbest_within(tz_kbest *k, double within) {
    TZ_DEFAULT_MODES;
    if (!(within >= 0))
        return TZ_BAD_ARGUMENT;
    k->within = within;
    return TZ_OK;
}
