/* draw.c - see draw.h. SPDX-License-Identifier: MIT */
#include "ambiguity/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/philox.h"

enum {
    LANES = 8,       /* scorings, and structures that are counted at once */
    DRAWS = 4,       /* derivations for each scoring; */
    FEW_LANES = 2,   /* where that is too much work, so many of each */
    MIXED = 2,       /* combinations of random lengths, for each largest length */
    LONGEST = 4000,  /* length */
    OVERHEAD = 2000, /* of a problem, in products */
    HARD = 64,       /* structures of which derivations are listed */
    MOST_SCORE = 1 << 20,
    SEED = 1
};

typedef struct drawing {
    tz_rules rules;
    tz_plan *plan[2]; /* to draw, and to count */
    tz_chart *chart[2];
    tz_trial scored[LANES], single[LANES]; /* in `single` all but a structure is impossible */
    tz_use *use[LANES];                    /* of those structures */
    size_t uses[LANES];
    double score[LANES]; /* in `single` */
    unsigned held;       /* structures, yet to be counted */
    unsigned hard;       /* structures that were told apart one by one */
    tz_stream weights;   /* scores of their cells */
    double left;         /* work */
    uint64_t seed;
    tz_drawn *found;
} drawing;

/* ---- One combination of lengths -------------------------------------------------------------- */

static void drop_structures(drawing *d) {
    for (; d->held > 0; d->held--) {
        const unsigned h = d->held - 1;
        tz_trial_put(&d->single[h], d->use[h], d->uses[h], -INFINITY);
        free(d->use[h]);
    }
}

/* Counts the derivations of the structures that are held; of one that has several, finds two. */
static tz_status count_structures(drawing *d) {
    tz_problem problem[LANES];
    tz_status status = TZ_OK;
    for (unsigned h = 0; h < d->held; h++)
        problem[h] = d->single[h].problem;
    if (d->held > 0)
        status = tz_bind(d->chart[1], problem, d->held, NULL);
    if (status == TZ_OK && d->held > 0)
        status = tz_inside(d->chart[1]);
    for (unsigned h = 0; h < d->held && status == TZ_OK && !d->found->ambiguous; h++) {
        double best[2];
        size_t numbers;
        status = tz_item_values(d->chart[1], h, TZ_GOAL, NULL, best, &numbers);
        if (status != TZ_OK || (best[0] <= d->score[h] && best[1] <= 1) || d->hard == HARD)
            continue;
        d->hard++;
        status = tz_pair_find(&d->single[h], d->use[h], d->uses[h], &d->found->pair);
        d->found->ambiguous = status == TZ_OK;
        status = status == TZ_NONE ? TZ_OK : status;
    }
    drop_structures(d);
    return status;
}

static tz_status hold(drawing *d, const tz_derivation *derivation) {
    const unsigned h = d->held;
    d->use[h] = calloc(derivation->uses + 1, sizeof *d->use[h]);
    if (d->use[h] == NULL)
        return TZ_NO_MEMORY;
    if (derivation->uses > 0)
        memcpy(d->use[h], derivation->use, derivation->uses * sizeof *d->use[h]);
    d->uses[h] = derivation->uses;
    d->score[h] = 0;
    double score = 0;
    for (size_t u = 0; u < d->uses[h]; u++) {
        if (u == 0 || !tz_same_uses(&d->use[h][u - 1], 1, &d->use[h][u], 1))
            score = 1 + floor(tz_uniform(&d->weights) * MOST_SCORE);
        d->use[h][u].score = score;
        d->score[h] += score;
        tz_trial_put(&d->single[h], &d->use[h][u], 1, score);
    }
    d->held++;
    d->found->derivations++;
    return d->held == LANES ? count_structures(d) : TZ_OK;
}

static tz_status draw_lane(drawing *d, unsigned lane, unsigned draws) {
    tz_sampler *sampler = NULL;
    const tz_derivation *derivation;
    tz_status status = tz_sampler_new(d->chart[0], lane, d->seed++, true, &sampler);
    for (unsigned k = 0; k < draws && status == TZ_OK && !d->found->ambiguous; k++) {
        status = tz_sampler_next(sampler, &derivation);
        d->found->several |= status == TZ_OK && k > 0;
        if (status == TZ_OK)
            status = hold(d, derivation);
    }
    tz_sampler_free(sampler);
    return status == TZ_NONE ? TZ_OK : status;
}

/* The first scoring makes all derivations as likely. */
static tz_status make_trials(drawing *d, const int32_t *lengths, unsigned lanes,
                             tz_problem *ret_problem) {
    tz_status status = TZ_OK;
    for (unsigned l = 0; l < LANES && status == TZ_OK; l++) {
        if (l < lanes)
            status = tz_trial_make(&d->rules, lengths, &d->scored[l]);
        if (status == TZ_OK)
            status = tz_trial_make(&d->rules, lengths, &d->single[l]);
        if (status != TZ_OK)
            return status;
        tz_trial_fill(&d->single[l], -INFINITY);
        if (l > 0 && l < lanes)
            tz_trial_random(&d->scored[l], d->seed++);
        ret_problem[l] = d->scored[l].problem;
    }
    return status;
}

static tz_status look_at(drawing *d, const int32_t *lengths, unsigned lanes, unsigned draws) {
    tz_problem problem[LANES];
    const size_t before = d->found->derivations;
    tz_status status = make_trials(d, lengths, lanes, problem);
    if (status == TZ_OK)
        status = tz_bind(d->chart[0], problem, lanes, NULL);
    if (status == TZ_OK)
        status = tz_inside(d->chart[0]);
    for (unsigned l = 0; l < lanes && status == TZ_OK; l++)
        status = draw_lane(d, l, draws);
    if (status == TZ_OK)
        status = count_structures(d);
    drop_structures(d);
    for (unsigned l = 0; l < LANES; l++) {
        if (l < lanes)
            tz_trial_free(&d->scored[l]);
        tz_trial_free(&d->single[l]);
    }
    for (unsigned l = 0; l < d->rules.lengths && d->found->derivations > before; l++)
        if (lengths[l] > d->found->reach[l])
            d->found->reach[l] = lengths[l];
    return status;
}

/* As much as there is work for; TZ_NONE: nothing. TZ_NO_MEMORY. */
static tz_status afford(drawing *d, const int32_t *lengths, unsigned *ret_lanes,
                        unsigned *ret_draws) {
    double work;
    tz_status status = tz_trial_work(&d->rules, lengths, &work);
    if (status != TZ_OK)
        return status == TZ_NO_MEMORY ? status : TZ_NONE;
    for (unsigned lanes = LANES, draws = DRAWS; lanes > 0;
         draws = lanes = lanes > FEW_LANES ? FEW_LANES : 0) {
        const double all = (work + OVERHEAD) * lanes * (1 + draws);
        if (all > d->left / 3)
            continue;
        d->left -= all;
        *ret_lanes = lanes;
        *ret_draws = draws;
        return TZ_OK;
    }
    return TZ_NONE;
}

/* ---- Which lengths --------------------------------------------------------------------------- */

static int32_t larger(int32_t a, int64_t b) {
    b = b < 0 ? -b : b;
    return b > a && b <= LONGEST ? (int32_t)b : a;
}

static int32_t largest_of_domain(const tz_domain *domain, int32_t largest) {
    for (uint32_t c = 0; c < domain->count; c++)
        largest = larger(largest, domain->at[c].form.constant);
    return largest;
}

static int32_t largest_of_terms(const tz_term *term, unsigned terms, int32_t largest) {
    for (const tz_term *end = term + terms; term < end; term++)
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            largest = larger(largest, term->index[q].constant);
    return largest;
}

/* The largest number that stands in the rules: only beyond it may something happen. */
static int32_t largest_constant(const tz_rules *rules) {
    int32_t largest = 0;
    for (unsigned i = 0; i < rules->items; i++)
        largest = largest_of_domain(&rules->item[i].domain, largest);
    for (unsigned w = 0; w < rules->weights; w++)
        largest = largest_of_domain(&rules->weight[w].domain, largest);
    for (unsigned r = 0; r < rules->rule_count; r++) {
        const tz_rule *rule = &rules->rule[r];
        largest = largest_of_domain(&rule->condition, largest);
        largest = largest_of_terms(rule->premise, rule->premises, largest);
        largest = largest_of_terms(rule->weight, rule->weights, largest);
        largest = largest_of_terms(&rule->conclusion, 1, largest);
    }
    return largest;
}

/* The largest lengths to look at, in order: about 40, and just beyond the largest constant.
 * ret: [LONGEST_LENGTHS]; returns how many. */
enum { LONGEST_LENGTHS = 32 };

static unsigned choose_lengths(const tz_rules *rules, int32_t ret[LONGEST_LENGTHS]) {
    static const int32_t usual[] = {6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40};
    enum { USUAL = sizeof usual / sizeof *usual, BEYOND = 4 };
    const int32_t constant = largest_constant(rules);
    unsigned count = 0, u = 0;
    for (int32_t b = 0; b <= BEYOND; b++) {
        const int32_t beyond = b < BEYOND ? constant + b : INT32_MAX;
        for (; u < USUAL && usual[u] <= beyond; u++)
            ret[count++] = usual[u];
        if (b < BEYOND && beyond > usual[0] && (count == 0 || ret[count - 1] < beyond))
            ret[count++] = beyond;
    }
    return count;
}

/* Way 0: all lengths that grow; then each of them alone, where there are others; then random ones.
 * false: there is no such way. */
static bool combine(drawing *d, const tz_exploring *where, const int32_t *telling, int32_t longest,
                    unsigned way, int32_t *ret_lengths) {
    unsigned growing = 0;
    tz_stream stream = {.seed = SEED, .number = d->seed++};
    memcpy(ret_lengths, telling, d->rules.lengths * sizeof *ret_lengths);
    for (unsigned l = 0; l < d->rules.lengths; l++)
        growing += where->grows[l];
    if (growing == 0 || (growing == 1 && way > 0) || way > (unsigned)d->rules.lengths + MIXED)
        return false;
    if (way > 0 && way <= d->rules.lengths && !where->grows[way - 1])
        longest = 0; /* as was told most of */
    for (unsigned l = 0; l < d->rules.lengths; l++) {
        const bool own = way == 0 || way > d->rules.lengths || way - 1 == l;
        if (!where->grows[l] || !own || longest == 0)
            continue;
        ret_lengths[l] = way > d->rules.lengths
                             ? (int32_t)(tz_uniform(&stream) * ((double)longest + 1))
                             : longest;
        ret_lengths[l] = ret_lengths[l] < where->least[l] ? where->least[l] : ret_lengths[l];
    }
    return true;
}

static tz_status look_everywhere(drawing *d, const tz_exploring *where, const int32_t *telling) {
    int32_t longest[LONGEST_LENGTHS], lengths[TZ_MAX_LENGTHS];
    bool dear[1 + TZ_MAX_LENGTHS + MIXED] = {false}; /* this way, longer ones are too much */
    const unsigned count = choose_lengths(&d->rules, longest);
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < count; i++)
        for (unsigned way = 0; combine(d, where, telling, longest[i], way, lengths); way++) {
            unsigned lanes, draws;
            status = dear[way] ? TZ_NONE : afford(d, lengths, &lanes, &draws);
            dear[way] = status != TZ_OK;
            if (status == TZ_OK)
                status = look_at(d, lengths, lanes, draws);
            if (status == TZ_NO_MEMORY || d->found->ambiguous)
                return status;
        }
    return TZ_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

tz_status tz_draw_derivations(const tz_rules *rules, const tz_exploring *where,
                              const tz_explored *explored, double work, tz_drawn *ret) {
    static const char *const semiring[2] = {"log", "ties"};
    drawing d = {.rules = tz_rules_by_place(rules), .left = work, .seed = SEED, .found = ret};
    tz_status status = TZ_OK;
    *ret = (tz_drawn){.derivations = 0};
    if (tz_has_sides(rules) || tz_has_closures(rules))
        return TZ_OK;
    for (unsigned p = 0; p < 2 && status == TZ_OK; p++) {
        status = tz_plan_new(&d.rules, tz_semiring_find(semiring[p], TZ_F64), TZ_FORCE, &d.plan[p],
                             NULL);
        if (status == TZ_OK)
            status = tz_chart_new(d.plan[p], &d.chart[p]);
    }
    if (status == TZ_OK)
        status = look_everywhere(&d, where, explored->telling);
    for (unsigned p = 0; p < 2; p++) {
        tz_chart_free(d.chart[p]);
        tz_plan_free(d.plan[p]);
    }
    return status == TZ_NO_MEMORY ? status : TZ_OK;
}

void tz_drawn_free(tz_drawn *drawn) {
    tz_pair_free(&drawn->pair);
}
