/* sample.c - trees at random, from the start down.
 *
 * Of a symbol's rules each is taken by its weight times the totals of the symbols on its right, as
 * share of the symbol's own total. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/modes.h"
#include "base/philox.h"
#include "grammar/grammar.h"

enum { MOST_RULES = 1 << 20 };

struct tz_grammar_sampler {
    const tz_grammar *grammar;
    tz_stream stream;
    size_t *first;  /* [symbols + 1] where the rules of a symbol begin in `rule` */
    uint32_t *rule; /* by their left sides */
    double *up_to;  /* [rules] the sum of a rule's weight and those of the symbol before it */
    uint32_t *made; /* the tree, */
    int32_t *open;  /* and symbols of it that wait, the last one first */
    size_t made_room, open_room;
};

static double weight_of(const tz_grammar *g, const tz_grammar_rule *rule, const double *total) {
    double log_weight = rule->score;
    for (size_t i = 0; i < rule->size; i++)
        if (g->right[rule->first + i] >= 0)
            log_weight += total[g->right[rule->first + i]];
    return exp(log_weight - total[rule->left]);
}

/* The rules by their left sides, and sums of their weights. */
static void sort_rules(tz_grammar_sampler *s, const double *total) {
    const tz_grammar *g = s->grammar;
    const size_t symbols = g->symbols.count;
    for (size_t r = 0; r < g->rules; r++)
        s->first[g->rule[r].left + 2]++;
    for (size_t a = 2; a < symbols + 2; a++)
        s->first[a] += s->first[a - 1];
    for (size_t r = 0; r < g->rules; r++)
        s->rule[s->first[g->rule[r].left + 1]++] = (uint32_t)r;
    for (size_t a = 0; a < symbols; a++) {
        double sum = 0;
        for (size_t at = s->first[a]; at < s->first[a + 1]; at++) {
            if (total[a] > -INFINITY)
                sum += weight_of(g, &g->rule[s->rule[at]], total);
            s->up_to[at] = sum;
        }
    }
}

tz_status tz_grammar_sampler_new(const tz_grammar *g, const double *total, uint64_t seed,
                                 tz_grammar_sampler **ret) {
    TZ_DEFAULT_MODES;
    *ret = NULL;
    if (!(total[g->root] > -INFINITY))
        return TZ_NONE;
    tz_grammar_sampler *s = calloc(1, sizeof *s);
    if (s == NULL)
        return TZ_NO_MEMORY;
    s->grammar = g;
    s->stream = (tz_stream){.seed = seed};
    s->first = calloc(g->symbols.count + 2, sizeof *s->first);
    s->rule = malloc((g->rules + 1) * sizeof *s->rule);
    s->up_to = malloc((g->rules + 1) * sizeof *s->up_to);
    if (s->first == NULL || s->rule == NULL || s->up_to == NULL) {
        tz_grammar_sampler_free(s);
        return TZ_NO_MEMORY;
    }
    sort_rules(s, total);
    *ret = s;
    return TZ_OK;
}

/* A rule of the symbol: the first up to which the sum is more than a random share of all. */
static uint32_t draw_rule(tz_grammar_sampler *s, int32_t symbol) {
    size_t low = s->first[symbol], high = s->first[symbol + 1] - 1;
    const double drawn = tz_uniform(&s->stream) * s->up_to[high];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->up_to[middle] > drawn)
            high = middle;
        else
            low = middle + 1;
    }
    return s->rule[low];
}

tz_status tz_grammar_sampler_next(tz_grammar_sampler *s, const uint32_t **ret_rule,
                                  size_t *ret_rules) {
    TZ_DEFAULT_MODES;
    const tz_grammar *g = s->grammar;
    size_t made = 0, waiting = 1;
    if (!tz_grow((void **)&s->open, &s->open_room, 1, sizeof *s->open))
        return TZ_NO_MEMORY;
    s->open[0] = g->root;
    while (waiting > 0) {
        const uint32_t drawn = draw_rule(s, s->open[--waiting]);
        const tz_grammar_rule *rule = &g->rule[drawn];
        if (made == MOST_RULES)
            return TZ_TOO_LARGE;
        if (!tz_grow((void **)&s->made, &s->made_room, made + 1, sizeof *s->made) ||
            !tz_grow((void **)&s->open, &s->open_room, waiting + rule->size, sizeof *s->open))
            return TZ_NO_MEMORY;
        s->made[made++] = drawn;
        for (size_t i = rule->size; i-- > 0;)
            if (g->right[rule->first + i] >= 0)
                s->open[waiting++] = g->right[rule->first + i];
    }
    *ret_rule = s->made;
    *ret_rules = made;
    return TZ_OK;
}

void tz_grammar_sampler_free(tz_grammar_sampler *s) {
    if (s == NULL)
        return;
    free(s->first);
    free(s->rule);
    free(s->up_to);
    free(s->made);
    free(s->open);
    free(s);
}
