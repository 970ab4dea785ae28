/* degree.c - growth as a polynomial: the dimension of what the loops visit, and of what kinds hold.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/growth.h"
#include "rules/tell/cost.h"

/* A product of powers of lengths and of numbers of sparse entries. */
typedef struct monomial {
    unsigned length[TZ_MAX_LENGTHS];
    unsigned weights, weight[TZ_MAX_SPARSE]; /* ascending */
} monomial;

/* Multiplies by the number of entries of each sparse weight. */
static void times_entries(const tz_step *step, monomial *m) {
    for (unsigned t = 0; t < step->sparse; t++) {
        unsigned weight = step->term[t].which, place = m->weights++;
        for (; place > 0 && m->weight[place - 1] > weight; place--)
            m->weight[place] = m->weight[place - 1];
        m->weight[place] = weight;
    }
}

static size_t bounds(const tz_range *range, unsigned loops) {
    size_t sum = 0;
    for (unsigned q = 0; q < loops; q++)
        sum += (size_t)range[q].lowers + range[q].uppers;
    return sum;
}

/* Loops over the columns from `first` on. */
static void add_loops(tz_growth *growth, const tz_range *range, unsigned loops, unsigned first) {
    for (unsigned q = 0; q < loops; q++, range++) {
        for (unsigned b = 0; b < range->lowers; b++)
            tz_growth_add(growth, &range->lower[b].form, -1, first + q, range->lower[b].divisor,
                          false);
        for (unsigned b = 0; b < range->uppers; b++)
            tz_growth_add(growth, &range->upper[b].form, 1, first + q,
                          -(int64_t)range->upper[b].divisor, false);
    }
}

/* TZ_NONE: no points for large lengths. */
static tz_status find_degrees(tz_growth *growth, uint32_t given, monomial *ret) {
    tz_status status = tz_growth_find(growth);
    if (status == TZ_OK)
        status = tz_growth_given(growth, given, ret->length);
    tz_growth_free(growth);
    return status;
}

/* Every stage looks at every combination of sparse entries, whether it is theirs or not. */
static tz_status of_stages(const tz_rules *rules, const tz_step *step, monomial *ret) {
    const tz_kind *target = &rules->kind[step->target.which];
    unsigned stages = rules->group[target->group].stages;
    tz_growth growth;
    tz_status status =
        tz_growth_init(&growth, rules->lengths, stages, bounds(target->stage_range, stages));
    if (status != TZ_OK)
        return status;
    add_loops(&growth, target->stage_range, stages, 0);
    return find_degrees(&growth, 0, ret);
}

/* The points of the step's loops. */
static tz_status of_step(const tz_rules *rules, const tz_step *step, monomial *ret) {
    const tz_nest *nest = &step->nest;
    size_t rows = nest->entry.count + bounds(nest->range, nest->loops);
    tz_growth growth;
    tz_status status =
        tz_growth_init(&growth, rules->lengths, (unsigned)nest->givens + nest->loops, rows);
    if (status != TZ_OK)
        return status;
    tz_growth_add_domain(&growth, &nest->entry);
    add_loops(&growth, nest->range, nest->loops, nest->givens);
    unsigned column = rules->group[rules->kind[step->target.which].group].stages;
    uint32_t given = 0; /* counted by their entries */
    for (unsigned t = 0; t < step->sparse; t++)
        for (unsigned q = 0; q < rules->weight[step->term[t].which].rank; q++)
            given |= UINT32_C(1) << column++;
    return find_degrees(&growth, given, ret);
}

static tz_status of_kind(const tz_rules *rules, const tz_kind *kind, monomial *ret) {
    tz_growth growth;
    tz_status status = tz_growth_init(&growth, rules->lengths, kind->rank, kind->domain.count);
    if (status != TZ_OK)
        return status;
    tz_growth_add_domain(&growth, &kind->domain);
    return find_degrees(&growth, 0, ret);
}

static bool divides(const monomial *a, const monomial *b) {
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        if (a->length[l] > b->length[l])
            return false;
    unsigned found = 0;
    for (unsigned w = 0; w < b->weights && found < a->weights; w++)
        found += a->weight[found] == b->weight[w];
    return found == a->weights;
}

/* snprintf onto what is there; false if it does not fit. */
static bool put(char *text, size_t size, const char *separator, const char *before,
                const char *name, const char *after, unsigned power) {
    char exponent[16] = "";
    if (power > 1)
        snprintf(exponent, sizeof exponent, "^%u", power);
    size_t used = strlen(text);
    int length =
        snprintf(text + used, size - used, "%s%s%s%s%s", separator, before, name, after, exponent);
    return length >= 0 && (size_t)length < size - used;
}

static bool put_monomial(const tz_rules *rules, const monomial *m, char *text, size_t size) {
    const char *separator = text[0] ? " + " : "";
    bool one = true;
    for (unsigned l = 0; l < rules->lengths; l++) {
        if (m->length[l] > 0) {
            if (!put(text, size, separator, "", rules->length_name[l], "", m->length[l]))
                return false;
            separator = " ";
            one = false;
        }
    }
    for (unsigned w = 0, same; w < m->weights; w += same) {
        for (same = 1; w + same < m->weights && m->weight[w + same] == m->weight[w]; same++) {
        }
        if (!put(text, size, separator, "|", rules->weight[m->weight[w]].name, "|", same))
            return false;
        separator = " ";
        one = false;
    }
    return !one || put(text, size, separator, "", "1", "", 1);
}

/* A sum of monomials of which none divides another. */
typedef struct sum {
    size_t count;
    monomial *at;
} sum;

static void add(sum *sum, const monomial *m) {
    size_t kept = 0;
    for (size_t j = 0; j < sum->count; j++)
        if (divides(m, &sum->at[j]))
            return;
    for (size_t j = 0; j < sum->count; j++)
        if (!divides(&sum->at[j], m))
            sum->at[kept++] = sum->at[j];
    sum->at[kept] = *m;
    sum->count = kept + 1;
}

static tz_status add_step(const tz_rules *rules, const tz_step *step, sum *sum) {
    for (int stages = 0; stages <= (step->sparse > 0); stages++) {
        monomial m = {0};
        tz_status status = stages ? of_stages(rules, step, &m) : of_step(rules, step, &m);
        if (status == TZ_OK) {
            times_entries(step, &m);
            add(sum, &m);
        } else if (status != TZ_NONE) {
            return status;
        }
    }
    return TZ_OK;
}

static tz_status add_kind(const tz_rules *rules, const tz_kind *kind, sum *sum) {
    monomial m = {0};
    tz_status status = of_kind(rules, kind, &m);
    if (status == TZ_OK)
        add(sum, &m);
    return status == TZ_NONE ? TZ_OK : status;
}

tz_status tz_rules_degree(const tz_rules *rules, bool space, char *ret_text, size_t size) {
    size_t all = space ? rules->kinds : rules->steps;
    sum sum = {0, calloc(2 * all + 1, sizeof *sum.at)};
    char *text = calloc(1, size + 1);
    tz_status status = sum.at && text ? TZ_OK : TZ_NO_MEMORY;
    for (size_t i = 0; i < all && status == TZ_OK; i++) {
        status =
            space ? add_kind(rules, &rules->kind[i], &sum) : add_step(rules, &rules->step[i], &sum);
    }
    if (status == TZ_OK && sum.count == 0)
        sum.count = 1; /* the monomial 1: the list is zeroed, and nothing was ever put in */
    for (size_t i = 0; i < sum.count && status == TZ_OK; i++)
        status = put_monomial(rules, &sum.at[i], text, size) ? TZ_OK : TZ_TOO_LARGE;
    if (status == TZ_OK)
        memcpy(ret_text, text, strlen(text) + 1);
    free(sum.at);
    free(text);
    return status;
}
