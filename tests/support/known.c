/* known.c - see known.h. SPDX-License-Identifier: MIT */
#include "known.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/need.h"

static int collect(void *user, const tz_enum_use *uses, size_t count) {
    known *k = user;
    if (k->uses + count > k->use_room) {
        k->use_room = 2 * (k->uses + count);
        k->use = need(realloc(k->use, k->use_room * sizeof *k->use));
    }
    if (k->count == k->room) {
        k->room = 2 * k->room + 16;
        k->end = need(realloc(k->end, k->room * sizeof *k->end));
    }
    if (count > 0)
        memcpy(k->use + k->uses, uses, count * sizeof *uses);
    k->uses += count;
    k->end[k->count++] = k->uses;
    return 0;
}

bool known_make(known *k, const tz_rules *rules, const int32_t *lengths, size_t limit,
                score_source source, random_state *random) {
    memset(k, 0, sizeof *k);
    k->rules = rules;
    tz_status status = tz_enumerate(rules, lengths, limit, collect, k);
    make_problem(rules, lengths, source, random, &k->own);
    /* The problem has moved with the struct it is in: its pointers are its own. */
    k->score = need(calloc(k->count + 1, sizeof *k->score));
    k->agrees = need(calloc(k->count + 1, sizeof *k->agrees));
    return status == TZ_OK;
}

void known_free(known *k) {
    free(k->use);
    free(k->end);
    free(k->score);
    free(k->agrees);
    free_problem(k->rules, &k->own);
}

static void random_cell(const known *k, tz_cells *ret, random_state *random) {
    size_t uses = 0;
    const tz_enum_use *use = NULL;
    if (k->count > 0)
        use = known_uses(k, random_below(random, k->count), &uses);
    if (uses > 0) {
        use += random_below(random, uses);
        ret->weight = use->weight;
        memcpy(ret->index, use->index, sizeof ret->index);
        return;
    }
    ret->weight = random_below(random, tz_rules_weights(k->rules));
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        ret->index[q] = TZ_ANY;
}

void known_draw(known *k, unsigned forbidden, unsigned required, random_state *random) {
    k->own.problem.facts = k->fact;
    k->own.problem.fact_count = tz_rules_weights(k->rules) > 0 ? forbidden + required : 0;
    for (size_t f = 0; f < k->own.problem.fact_count; f++) {
        size_t count = 1 + random_below(random, random_below(random, 3) > 0 ? 1 : MAX_CELLS / 2);
        k->fact[f] = (tz_fact){f >= forbidden, k->cells[f], count};
        for (size_t c = 0; c < count; c++) {
            tz_cells *cells = &k->cells[f][c];
            random_cell(k, cells, random);
            for (unsigned q = 0; q < weight_of(k->rules, cells->weight)->rank; q++)
                if (random_below(random, 8) == 0)
                    cells->index[q] = TZ_ANY;
        }
    }
}

bool known_covers(const tz_rules *rules, const tz_fact *fact, const tz_enum_use *use) {
    for (size_t c = 0; c < fact->count; c++) {
        bool same = fact->cells[c].weight == use->weight;
        for (unsigned q = 0; q < weight_of(rules, use->weight)->rank; q++)
            same &= fact->cells[c].index[q] == TZ_ANY || fact->cells[c].index[q] == use->index[q];
        if (same)
            return true;
    }
    return false;
}

void known_filter(known *k) {
    k->best = k->log_z = -INFINITY;
    k->possible = k->most = 0;
    for (size_t d = 0; d < k->count; d++) {
        size_t uses, used[MAX_FACTS] = {0};
        const tz_enum_use *use = known_uses(k, d, &uses);
        long double score = 0;
        for (size_t u = 0; u < uses; u++) {
            score += (long double)problem_score(&k->own, use[u].weight, use[u].index);
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

long double known_marginal(const known *k, unsigned weight, const int32_t *index) {
    long double sum = 0;
    size_t bytes = weight_of(k->rules, weight)->rank * sizeof *index;
    for (size_t d = 0; d < k->count; d++) {
        size_t uses;
        const tz_enum_use *use = known_uses(k, d, &uses);
        for (size_t u = 0; u < uses && k->agrees[d]; u++)
            if (use[u].weight == weight && memcmp(use[u].index, index, bytes) == 0)
                sum += expl(k->score[d] - k->log_z);
    }
    return sum;
}
