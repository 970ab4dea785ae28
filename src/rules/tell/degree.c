/* degree.c - growth as a polynomial: the dimension of what the loops visit, and of the boxes of
 * kinds.
 *
 * The dimension in each length is found for lengths each much larger than the next. Bounds such as
 * 0 <= a < A+B grow with the sum: with A where that is the larger, else with B. So lengths are put
 * in every order, and where the leading products of all orders agree that one polynomial has them
 * all, that is the growth: A^2 and B^2 are (A+B)^2, up to a factor. They do not where a bound is
 * the smaller of two lengths; then the order of declaration counts.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/modes.h"
#include "rules/polyhedra/form.h"
#include "rules/polyhedra/growth.h"
#include "rules/tell/cost.h"
#include "rules/tell/monomial.h"

enum {
    MOST_ORDERED = 4, /* lengths that are put in every order */
    MOST_ORDERS = 24
};

/* Those that agree, without what others of them divide. */
typedef struct products {
    size_t count;
    tz_monomial at[MOST_ORDERS];
} products;

/* Multiplies by the number of entries of each of the first sparse weights. */
static void times_entries(const tz_step *step, unsigned sparse, tz_monomial *m) {
    for (unsigned t = 0; t < sparse; t++) {
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

/* The lengths that some bound mentions, or adds up, bit l. */
static unsigned lengths_of(const tz_growth *growth, bool added) {
    unsigned set = 0;
    for (size_t r = 0; r < growth->rows; r++)
        for (int sign = -1; sign <= 1; sign += 2) {
            unsigned here = 0;
            for (unsigned l = 0; l < growth->lengths; l++)
                here |= (unsigned)(sign * growth->at[r].length[l] > 0) << l;
            set |= !added || __builtin_popcount(here) > 1 ? here : 0;
        }
    return set;
}

/* The next permutation of the lengths of the set in the places that they have; false after the
 * last. Knuth, algorithm 7.2.1.2L. */
static bool next_order(tz_growth *growth, unsigned set) {
    uint8_t *place[TZ_MAX_LENGTHS], swap;
    unsigned n = 0, i, j;
    for (unsigned l = 0; l < growth->lengths; l++)
        if (set >> l & 1)
            place[n++] = &growth->order[l];
    for (i = n; i > 1 && *place[i - 2] > *place[i - 1]; i--) {
    }
    if (i <= 1)
        return false;
    for (j = n; *place[j - 1] < *place[i - 2]; j--) {
    }
    swap = *place[i - 2], *place[i - 2] = *place[j - 1], *place[j - 1] = swap;
    for (j = n; i < j; i++, j--)
        swap = *place[i - 1], *place[i - 1] = *place[j - 1], *place[j - 1] = swap;
    return true;
}

/* Is a at least b where the lengths are in this order? */
static bool leads(const uint8_t *order, unsigned lengths, const tz_monomial *a,
                  const tz_monomial *b) {
    for (unsigned l = 0; l < lengths; l++)
        if (a->length[order[l]] != b->length[order[l]])
            return a->length[order[l]] > b->length[order[l]];
    return true;
}

/* The product that leads in each order of the lengths; of the first order alone, where some order
 * has another that leads among them all. */
static tz_status find_leading(tz_growth *growth, uint32_t given, products *ret) {
    uint8_t order[MOST_ORDERS][TZ_MAX_LENGTHS];
    unsigned set = lengths_of(growth, false);
    bool agree = true;
    tz_status status = TZ_OK;
    ret->count = 0;
    if (__builtin_popcount(set) > MOST_ORDERED)
        set = lengths_of(growth, true);
    if (__builtin_popcount(set) > MOST_ORDERED)
        set = 0;
    do {
        tz_monomial *m = &ret->at[ret->count];
        *m = (tz_monomial){.power = 0};
        status = tz_growth_find(growth);
        if (status == TZ_OK)
            status = tz_growth_given(growth, given, m->length);
        if (status == TZ_OK)
            memcpy(order[ret->count++], growth->order, sizeof growth->order);
        else if (status == TZ_NONE)
            agree = false;
        else
            return status;
    } while (next_order(growth, set));
    if (ret->count == 0)
        return TZ_NONE;
    for (size_t i = 0; i < ret->count; i++)
        for (size_t j = 0; j < ret->count; j++)
            agree = agree && leads(order[i], growth->lengths, &ret->at[i], &ret->at[j]);
    ret->count = agree ? ret->count : 1;
    return TZ_OK;
}

/* As one product with a power of a sum, if they are that. */
static void add_up(products *of, unsigned lengths) {
    tz_monomial sum = of->at[0];
    unsigned first = 0;
    for (size_t i = 1; i < of->count; i++)
        for (unsigned l = 0; l < lengths; l++)
            if (of->at[i].length[l] < sum.length[l])
                sum.length[l] = of->at[i].length[l];
    for (unsigned l = 0; l < lengths; l++)
        first += of->at[0].length[l] - sum.length[l];
    sum.power = first;
    for (size_t i = 0; i < of->count; i++) {
        unsigned left = 0, more = 0;
        for (unsigned l = 0; l < lengths; l++)
            if (of->at[i].length[l] > sum.length[l]) {
                left |= 1u << l;
                more += of->at[i].length[l] - sum.length[l];
            }
        if (__builtin_popcount(left) != 1 || more != first)
            return;
        sum.added |= left;
    }
    of->at[0] = sum;
    of->count = 1;
}

/* TZ_NONE: no points for large lengths. */
static tz_status find_degrees(tz_growth *growth, uint32_t given, products *ret) {
    tz_status status = find_leading(growth, given, ret);
    if (status == TZ_OK && ret->count > 1)
        add_up(ret, growth->lengths);
    tz_growth_free(growth);
    return status;
}

/* The columns of the indices of the first sparse weights, which their entries count. */
static uint32_t given_by_entries(const tz_rules *rules, const tz_step *step, unsigned sparse) {
    unsigned rank = 0;
    for (unsigned t = 0; t < sparse; t++)
        rank += rules->weight[step->term[t].which].rank;
    return ((UINT32_C(1) << rank) - 1) << step->stages;
}

/* Stages, and combinations of entries of the first sparse weights that are looked at there: those
 * that equations tie to the stage and to each other are found (engine/chart/entries.h), what else
 * they must be is tried. */
static tz_status of_stages(const tz_rules *rules, const tz_step *step, unsigned sparse,
                           products *ret) {
    const tz_kind *target = &rules->kind[step->target.which];
    const tz_domain *entry = &step->nest.entry;
    const uint32_t given = given_by_entries(rules, step, sparse);
    const unsigned stages = step->stages, columns = stages + (unsigned)__builtin_popcount(given);
    tz_growth growth;
    tz_status status = tz_growth_init(&growth, rules->lengths, columns,
                                      bounds(target->stage_range, stages) + entry->count);
    if (status != TZ_OK)
        return status;
    add_loops(&growth, target->stage_range, stages, 0);
    for (uint32_t c = 0; c < entry->count; c++) {
        const tz_relation relation = entry->at[c].relation;
        bool found = relation != TZ_NE;
        for (unsigned q = 0; q < step->nest.givens; q++)
            found &=
                entry->at[c].form.column[q] == 0 || (q < stages ? relation == TZ_EQ : q < columns);
        if (found)
            tz_growth_add(&growth, &entry->at[c].form, 1, 0, 0, relation == TZ_EQ);
    }
    return find_degrees(&growth, given, ret);
}

/* The points of the step's loops; opt_face: those where the form, over the target's indices, is 0.
 */
static tz_status of_step(const tz_rules *rules, const tz_step *step, const tz_form *opt_face,
                         products *ret) {
    const tz_nest *nest = &step->nest;
    size_t rows = nest->entry.count + bounds(nest->range, nest->loops) + 1;
    tz_form face = {0};
    if (opt_face != NULL && (!tz_form_compose(&face, opt_face, step->target.index,
                                              rules->kind[step->target.which].rank) ||
                             !tz_form_compose(&face, &face, nest->variable, nest->variables)))
        return TZ_TOO_LARGE;
    tz_growth growth;
    tz_status status =
        tz_growth_init(&growth, rules->lengths, (unsigned)nest->givens + nest->loops, rows);
    if (status != TZ_OK)
        return status;
    tz_growth_add_domain(&growth, &nest->entry);
    if (opt_face != NULL)
        tz_growth_add(&growth, &face, 1, 0, 0, true);
    add_loops(&growth, nest->range, nest->loops, nest->givens);
    return find_degrees(&growth, given_by_entries(rules, step, step->sparse), ret);
}

/* Columns from 0 to the difference of the ends of a range. */
static void add_extent(tz_growth *growth, const tz_range *range, unsigned column) {
    const tz_form none = {0};
    tz_growth_add(growth, &none, 1, column, 1, false);
    for (unsigned u = 0; u < range->uppers; u++)
        for (unsigned l = 0; l < range->lowers; l++) {
            const tz_bound *upper = &range->upper[u], *lower = &range->lower[l];
            tz_form apart = {0};
            for (unsigned n = 0; n < growth->lengths; n++)
                apart.length[n] = (int16_t)(upper->form.length[n] * lower->divisor -
                                            lower->form.length[n] * upper->divisor);
            tz_growth_add(growth, &apart, 1, column, -(int64_t)upper->divisor * lower->divisor,
                          false);
        }
}

/* The places of a kind are a sum of products (rules/box.h), one for every set of coordinates: of
 * how far each can fall while the one before it in the set grows by one, and the first from end to
 * end. Where nothing is tied together, that of all coordinates has the others in it. */
static tz_status of_coordinates(const tz_rules *rules, const tz_kind *kind, unsigned set,
                                products *ret) {
    tz_growth growth;
    size_t rows = kind->shears;
    for (unsigned p = 0; p < kind->rank; p++)
        rows += 1 + (size_t)kind->coordinate_range[p].uppers * kind->coordinate_range[p].lowers;
    tz_status status = tz_growth_init(&growth, rules->lengths, kind->rank, rows);
    if (status != TZ_OK)
        return status;
    int before = -1;
    unsigned column = 0;
    for (unsigned p = 0; p < kind->rank; p++) {
        if (!(set >> p & 1))
            continue;
        add_extent(&growth, &kind->coordinate_range[p], column);
        for (unsigned s = 0; s < kind->shears; s++)
            if (kind->shear[s].outer == before && kind->shear[s].inner == p)
                tz_growth_add(&growth, &kind->shear[s].fall.form, 1, column,
                              -kind->shear[s].fall.divisor, false);
        before = (int)p;
        column++;
    }
    growth.columns = column;
    return find_degrees(&growth, 0, ret);
}

static tz_status add_products(const tz_step *step, unsigned sparse, tz_status status,
                              products *found, tz_monomials *sum) {
    for (size_t i = 0; status == TZ_OK && i < found->count; i++) {
        times_entries(step, sparse, &found->at[i]);
        tz_monomials_add(sum, &found->at[i]);
    }
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status add_step(const tz_rules *rules, const tz_step *step, const tz_form *opt_face,
                          tz_monomials *sum) {
    products found;
    tz_status status = TZ_OK;
    for (unsigned t = 0; step->sparse > 0 && t <= step->sparse && status == TZ_OK; t++) {
        status = of_stages(rules, step, t, &found);
        status = add_products(step, t, status, &found, sum);
    }
    if (status == TZ_OK)
        status = of_step(rules, step, opt_face, &found);
    return add_products(step, step->sparse, status, &found, sum);
}

static tz_status add_kind(const tz_rules *rules, const tz_kind *kind, tz_monomials *sum) {
    const unsigned all = (1u << kind->rank) - 1;
    tz_status status = TZ_OK;
    for (unsigned set = kind->shears > 0 ? 0 : all; set <= all && status == TZ_OK; set++) {
        products found;
        status = of_coordinates(rules, kind, set, &found);
        for (size_t i = 0; status == TZ_OK && i < found.count; i++)
            tz_monomials_add(sum, &found.at[i]);
        status = status == TZ_NONE ? TZ_OK : status;
    }
    return status;
}

/* A sparse weight that inputs look up has a place for each cell that may be looked up. */
static tz_status add_view(const tz_rules *rules, const tz_weight *weight, tz_monomials *sum) {
    products found;
    tz_growth growth;
    if (weight->view == NULL || !rules->declared[weight->declared].sparse)
        return TZ_OK;
    tz_status status = tz_growth_init(&growth, rules->lengths, weight->rank, weight->domain.count);
    if (status != TZ_OK)
        return status;
    tz_growth_add_domain(&growth, &weight->domain);
    status = find_degrees(&growth, 0, &found);
    return add_products(NULL, 0, status, &found, sum);
}

tz_status tz_rules_degree(const tz_rules *rules, bool space, char *ret_text, size_t size) {
    TZ_DEFAULT_MODES;
    size_t all = space ? rules->kinds : rules->steps,
           parts = (2 + TZ_MAX_SPARSE) * all + rules->weights;
    for (unsigned k = 0; k < rules->kinds && space; k++)
        parts += rules->kind[k].shears > 0 ? (size_t)1 << rules->kind[k].rank : 0;
    tz_monomials sum = {0, calloc(MOST_ORDERS * parts + 1, sizeof *sum.at)};
    tz_status status = sum.at ? TZ_OK : TZ_NO_MEMORY;
    for (size_t i = 0; i < all && status == TZ_OK; i++)
        status = space ? add_kind(rules, &rules->kind[i], &sum)
                       : add_step(rules, &rules->step[i], NULL, &sum);
    for (unsigned w = 0; w < rules->weights && space && status == TZ_OK; w++)
        status = add_view(rules, &rules->weight[w], &sum);
    return tz_monomials_put(rules, &sum, status, ret_text, size);
}

tz_status tz_rules_degree_of_one_more(const tz_rules *rules, unsigned length, char *ret_text,
                                      size_t size) {
    TZ_DEFAULT_MODES;
    size_t parts = 0;
    for (unsigned s = 0; s < rules->steps; s++)
        parts += (2 + TZ_MAX_SPARSE) *
                 (1 + (size_t)rules->kind[rules->step[s].target.which].domain.count);
    tz_monomials sum = {0, calloc(MOST_ORDERS * parts + 1, sizeof *sum.at)};
    tz_status status = sum.at ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned s = 0; s < rules->steps && status == TZ_OK; s++) {
        const tz_step *step = &rules->step[s];
        const tz_kind *kind = &rules->kind[step->target.which];
        if (kind->anew[length] != 0)
            status = add_step(rules, step, NULL, &sum);
        /* An item is new where a condition on the length holds with nothing to spare. */
        for (uint32_t c = 0; c < kind->domain.count && kind->anew[length] == 0; c++)
            if (kind->domain.at[c].form.length[length] != 0 && status == TZ_OK)
                status = add_step(rules, step, &kind->domain.at[c].form, &sum);
    }
    return tz_monomials_put(rules, &sum, status, ret_text, size);
}
