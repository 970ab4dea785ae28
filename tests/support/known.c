/* known.c - see known.h. SPDX-License-Identifier: MIT */
#include "known.h"
#include "tests/support/need.h"

#include <stdlib.h>
#include <string.h>

/* Appends to a growing array. */
static void append(tz_enum_use **list, size_t *count, size_t *room, const tz_enum_use *use) {
    if (*count == *room) {
        *room = 2 * *room + 16;
        *list = need(realloc(*list, *room * sizeof **list));
    }
    (*list)[(*count)++] = *use;
}

/* Uses are as the rules' weights have them, until there are numbers to look up. */
static int collect(void *user, const tz_enum_use *uses, size_t count) {
    known *k = user;
    if (k->count == k->room) {
        k->room = 2 * k->room + 16;
        k->end = need(realloc(k->end, k->room * sizeof *k->end));
        k->item_end = need(realloc(k->item_end, k->room * sizeof *k->item_end));
    }
    for (size_t u = 0; u < count; u++)
        if (uses[u].item)
            append(&k->item, &k->items, &k->item_room, &uses[u]);
        else
            append(&k->use, &k->uses, &k->use_room, &uses[u]);
    k->end[k->count] = k->uses;
    k->item_end[k->count++] = k->items;
    return 0;
}

/* The use as one of a declared weight. */
static tz_enum_use declared(const known *k, const tz_enum_use *use) {
    tz_enum_use ret = {.weight = 0};
    ret.weight = (uint16_t)declared_use(k->rules, &k->own, use->weight, use->index, ret.index);
    return ret;
}

/* Room for what is known of each derivation. */
static void look_up(known *k) {
    for (size_t u = 0; u < k->uses; u++)
        k->use[u] = declared(k, &k->use[u]);
    k->score = need(realloc(k->score, (k->count + 1) * sizeof *k->score));
    k->agrees = need(realloc(k->agrees, (k->count + 1) * sizeof *k->agrees));
}

bool known_make(known *k, const tz_rules *rules, const int32_t *lengths, size_t limit,
                score_source source, random_state *random) {
    memset(k, 0, sizeof *k);
    k->rules = rules;
    tz_status status = tz_enumerate_items(rules, lengths, limit, NULL, NULL, collect, k);
    make_problem(rules, lengths, source, random, &k->own);
    look_up(k);
    return status == TZ_OK;
}

void known_free(known *k) {
    free(k->use);
    free(k->item);
    free(k->end);
    free(k->item_end);
    free(k->score);
    free(k->agrees);
    random_problem_free(&k->own);
}

static unsigned rank_of(const tz_rules *rules, size_t which, bool item) {
    return item ? rules->item[which].rank : weight_of(rules, which)->rank;
}

static void random_cell(const known *k, tz_cells *ret, random_state *random) {
    size_t uses = 0;
    const tz_enum_use *use = NULL;
    const bool item = tz_rules_count(k->rules, TZ_WEIGHTS) == 0 || random_below(random, 3) == 0;
    if (k->count > 0)
        use = (item ? known_items : known_uses)(k, random_below(random, k->count), &uses);
    if (uses > 0) {
        use += random_below(random, uses);
        ret->weight = use->weight + (item ? TZ_ITEM : 0u);
        memcpy(ret->index, use->index, sizeof ret->index);
        return;
    }
    ret->weight = item ? TZ_ITEM + random_below(random, k->rules->items)
                       : random_below(random, tz_rules_count(k->rules, TZ_WEIGHTS));
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        ret->index[q] = TZ_ANY;
}

void known_draw(known *k, unsigned forbidden, unsigned required, random_state *random) {
    k->own.problem.facts = k->fact;
    k->own.problem.fact_count = forbidden + required;
    for (size_t f = 0; f < k->own.problem.fact_count; f++) {
        size_t count = 1 + random_below(random, random_below(random, 3) > 0 ? 1 : MAX_CELLS / 2);
        k->fact[f] = (tz_fact){f >= forbidden, k->cells[f], count};
        for (size_t c = 0; c < count; c++) {
            tz_cells *cells = &k->cells[f][c];
            random_cell(k, cells, random);
            for (unsigned q = 0;
                 q < rank_of(k->rules, cells->weight % TZ_ITEM, cells->weight >= TZ_ITEM); q++)
                if (random_below(random, 8) == 0)
                    cells->index[q] = TZ_ANY;
        }
    }
}

bool known_covers(const tz_rules *rules, const tz_fact *fact, const tz_enum_use *use) {
    for (size_t c = 0; c < fact->count; c++) {
        bool same = fact->cells[c].weight == use->weight + (use->item ? TZ_ITEM : 0u);
        for (unsigned q = 0; q < rank_of(rules, use->weight, use->item); q++)
            same &= fact->cells[c].index[q] == TZ_ANY || fact->cells[c].index[q] == use->index[q];
        if (same)
            return true;
    }
    return false;
}

/* A tz_enum_possible. */
static bool allows(void *user, const tz_enum_use *use) {
    const known *k = user;
    const tz_enum_use own = use->item ? *use : declared(k, use);
    bool allowed = use->item || problem_score(&k->own, own.weight, own.index) > -INFINITY;
    for (size_t f = 0; f < k->own.problem.fact_count; f++)
        allowed &= k->own.problem.facts[f].required ||
                   !known_covers(k->rules, &k->own.problem.facts[f], &own);
    return allowed;
}

void known_filter(known *k) {
    if (tz_has_sides(k->rules)) {
        k->count = k->uses = k->items = 0;
        tz_enumerate_items(k->rules, k->own.lengths, SIZE_MAX, allows, k, collect, k);
        look_up(k);
    }
    k->best = k->log_z = -INFINITY;
    k->possible = k->most = 0;
    for (size_t d = 0; d < k->count; d++) {
        size_t uses, used[MAX_FACTS] = {0};
        const tz_enum_use *use = known_uses(k, d, &uses);
        long double score = 0;
        for (size_t u = 0; u < uses; u++)
            score += (long double)problem_score(&k->own, use[u].weight, use[u].index);
        for (unsigned items = 0; items < 2; items++) {
            use = (items ? known_items : known_uses)(k, d, &uses);
            for (size_t u = 0; u < uses; u++)
                for (size_t f = 0; f < k->own.problem.fact_count; f++)
                    used[f] += known_covers(k->rules, &k->own.problem.facts[f], &use[u]);
        }
        bool allowed = score > -INFINITY, all = true;
        for (size_t f = 0; f < k->own.problem.fact_count; f++)
            if (!k->own.problem.facts[f].required)
                allowed &= used[f] == 0;
            else
                all &= used[f] > 0;
        for (size_t f = 0; f < k->own.problem.fact_count; f++)
            if (allowed && k->own.problem.facts[f].required && used[f] > k->most)
                k->most = used[f];
        k->score[d] = score;
        k->agrees[d] = allowed && all;
        k->possible += k->agrees[d];
        if (k->agrees[d] && score > k->best)
            k->best = score;
    }
    long double sum = 0;
    for (size_t d = 0; d < k->count; d++)
        sum += k->agrees[d] ? expl(k->score[d] - k->best) : 0;
    if (k->possible > 0)
        k->log_z = k->best + logl(sum);
}

/* Of a cell, or of an item. */
static long double marginal(const known *k, unsigned which, bool item, const int32_t *index) {
    long double sum = 0;
    size_t bytes = rank_of(k->rules, which, item) * sizeof *index;
    for (size_t d = 0; d < k->count; d++) {
        size_t uses;
        const tz_enum_use *use = (item ? known_items : known_uses)(k, d, &uses);
        for (size_t u = 0; u < uses && k->agrees[d]; u++)
            if (use[u].weight == which && memcmp(use[u].index, index, bytes) == 0)
                sum += expl(k->score[d] - k->log_z);
    }
    return sum;
}

long double known_marginal(const known *k, unsigned weight, const int32_t *index) {
    return marginal(k, weight, false, index);
}

long double known_item_marginal(const known *k, unsigned item, const int32_t *index) {
    return marginal(k, item, true, index);
}
