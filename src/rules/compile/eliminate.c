/* eliminate.c - the order in which the variables of a sum are best summed out.
 *
 *     sum over b, c, k of  B[b,i,k] C[c,k+1,j] R[a,b,c]
 *   = sum over b, c of  R[a,b,c] * (sum over k of  B[b,i,k] C[c,k+1,j])
 *
 * A part is the product of some factors, summed over the variables that nothing else mentions. A
 * step multiplies parts and single factors; its cost is the number of its points, as a product of
 * powers of the lengths. Every way to put parts together is tried, the best one of a part once
 * (dynamic programming over sets of factors): the order of pairwise contractions of tensor networks
 * and of variable elimination (Dechter 1999, Artificial Intelligence 113), with steps of more than
 * two factors where a part between would be of no use.
 *
 * The premises of a part stand side by side in the rule, so that proof trees, read off through the
 * parts, keep the order of premises.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/compile/eliminate.h"

#include <stdlib.h>
#include <string.h>

enum {
    SETS = 1 << TZ_MOST_FACTORS,
    MOST_GROWTHS = 512, /* sets of variables whose growth is kept */
    DEGREES =
        TZ_MAX_VARIABLES + 1 /* degrees of a product of powers: 0 to the number of variables */
};

/* How many steps, and how many kinds, have each degree. */
typedef struct cost {
    uint8_t step[DEGREES], kind[DEGREES];
} cost;

/* The best way to make a part. */
typedef struct way {
    bool known;
    cost cost;
    unsigned children;
    uint16_t child[TZ_MOST_FACTORS]; /* sets of factors */
    bool made[TZ_MOST_FACTORS];      /* the child is a part, not a factor as it stands */
    unsigned first;                  /* of those parts the one that is first in the rule, or 0 */
} way;

typedef struct search {
    const tz_sum *sum;
    unsigned lengths;
    tz_growth growth;
    unsigned whole[TZ_MAX_LENGTHS];
    struct {
        uint32_t variables;
        unsigned degree[TZ_MAX_LENGTHS];
    } known[MOST_GROWTHS];
    unsigned knowns;
    way way[SETS];
} search;

bool tz_is_less(const unsigned *a, const unsigned *b, unsigned lengths) {
    bool less = false;
    for (unsigned l = 0; l < lengths; l++) {
        if (a[l] > b[l])
            return false;
        less |= a[l] < b[l];
    }
    return less;
}

/* ---- Costs ----------------------------------------------------------------------------------- */

/* Fewer of the highest degree are better, then fewer of the next one, ... */
static int compare_counts(const uint8_t *a, const uint8_t *b) {
    for (unsigned d = DEGREES; d-- > 0;)
        if (a[d] != b[d])
            return a[d] < b[d] ? -1 : 1;
    return 0;
}

static bool is_better(const way *a, const way *b) {
    int order = compare_counts(a->cost.step, b->cost.step);
    if (order == 0)
        order = compare_counts(a->cost.kind, b->cost.kind);
    return order != 0 ? order < 0 : a->first < b->first;
}

static void add_cost(cost *to, const cost *more) {
    for (unsigned d = 0; d < DEGREES; d++) {
        to->step[d] = (uint8_t)(to->step[d] + more->step[d]);
        to->kind[d] = (uint8_t)(to->kind[d] + more->kind[d]);
    }
}

static tz_status find_degree(search *s, uint32_t variables, const unsigned **ret) {
    for (unsigned k = 0; k < s->knowns; k++)
        if (s->known[k].variables == variables) {
            *ret = s->known[k].degree;
            return TZ_OK;
        }
    if (s->knowns == MOST_GROWTHS)
        return TZ_TOO_LARGE;
    s->known[s->knowns].variables = variables;
    *ret = s->known[s->knowns].degree;
    tz_status status = tz_growth_onto(&s->growth, variables, s->known[s->knowns].degree);
    s->knowns += status == TZ_OK;
    return status;
}

static unsigned total(const search *s, const unsigned *degree) {
    unsigned sum = 0;
    for (unsigned l = 0; l < s->lengths; l++)
        sum += degree[l];
    return sum;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static uint32_t form_variables(const tz_form *form) {
    uint32_t set = 0;
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
        set |= (uint32_t)(form->column[v] != 0) << v;
    return set;
}

static uint32_t all_variables(const tz_sum *sum, unsigned factors) {
    uint32_t set = 0;
    for (unsigned f = 0; f < sum->factors; f++)
        set |= factors >> f & 1 ? sum->variables[f] : 0;
    return set;
}

/* The variables that these factors' product can be summed over: nothing else mentions them. */
static uint32_t summed_in(const tz_sum *sum, unsigned factors) {
    uint32_t own = all_variables(sum, factors);
    uint32_t set = own & ~sum->kept & ~all_variables(sum, ~factors);
    for (uint32_t c = 0; c < sum->limits.count; c++) {
        uint32_t limited = form_variables(&sum->limits.at[c].form);
        if ((limited & ~own) != 0)
            set &= ~limited;
    }
    return set;
}

static uint32_t left_of(const tz_sum *sum, unsigned factors) {
    return all_variables(sum, factors) & ~summed_in(sum, factors);
}

/* Is something summed, are the premises neighbours, and can what is left index a kind? */
static bool is_part(const tz_sum *sum, unsigned factors) {
    unsigned premises = factors & ((1U << sum->premises) - 1);
    unsigned first = premises & (0U - premises);
    return ((premises + first) & premises) == 0 && summed_in(sum, factors) != 0 &&
           __builtin_popcount(left_of(sum, factors)) <= TZ_MAX_RANK;
}

/* Compares the way that `with` describes, all of its children chosen, with the best one so far. */
static tz_status try_way(search *s, unsigned factors, uint32_t variables, way *with) {
    const tz_sum *sum = s->sum;
    bool whole = factors + 1 == 1U << sum->factors;
    const unsigned *degree;
    /* What only the target or a condition mentions belongs to the last step. */
    if (whole)
        variables |= sum->used & ~all_variables(sum, factors);
    tz_status status = find_degree(s, variables, &degree);
    if (status != TZ_OK || !tz_is_less(degree, s->whole, s->lengths))
        return status;
    with->known = true;
    with->cost.step[total(s, degree)]++;
    if (!whole)
        status = find_degree(s, left_of(sum, factors), &degree);
    if (status != TZ_OK)
        return status;
    with->cost.kind[total(s, degree)] = (uint8_t)(with->cost.kind[total(s, degree)] + !whole);
    way *best = &s->way[factors];
    if (!best->known || is_better(with, best))
        *best = *with;
    return TZ_OK;
}

/* Tries every way to divide the `rest` of the factors among further children. */
static tz_status divide(search *s, unsigned factors, unsigned rest, uint32_t variables,
                        const way *so_far) {
    way with = *so_far;
    if (rest == 0)
        return try_way(s, factors, variables, &with);
    unsigned first = rest & (0U - rest), others = rest ^ first, more = 0;
    with.children++;
    do { /* every set of the others, beginning with none */
        unsigned child = first | more;
        more = (more - others) & others;
        for (unsigned made = child != first; made < 2; made++) {
            const way *part = &s->way[child];
            if (made && (child == factors || !part->known))
                continue;
            with.cost = so_far->cost;
            with.child[so_far->children] = (uint16_t)child;
            with.made[so_far->children] = made;
            with.first = so_far->first;
            if (made) {
                add_cost(&with.cost, &part->cost);
                if (with.first == 0 || child < with.first)
                    with.first = child;
            }
            uint32_t own = made ? left_of(s->sum, child) : all_variables(s->sum, child);
            tz_status status = divide(s, factors, rest & ~child, variables | own, &with);
            if (status != TZ_OK)
                return status;
        }
    } while (more != 0);
    return TZ_OK;
}

static void list_parts(const search *s, unsigned factors, tz_parts *ret) {
    const way *way = &s->way[factors];
    for (unsigned c = 0; c < way->children; c++) {
        if (!way->made[c])
            continue;
        list_parts(s, way->child[c], ret);
        ret->part[ret->count].factors = way->child[c];
        ret->part[ret->count++].kept = left_of(s->sum, way->child[c]);
    }
}

static tz_status find_parts(search *s, tz_parts *ret) {
    const tz_sum *sum = s->sum;
    unsigned all = (1U << sum->factors) - 1;
    tz_status status = tz_growth_init(&s->growth, s->lengths, TZ_MAX_VARIABLES, sum->limits.count);
    if (status != TZ_OK)
        return status;
    tz_growth_add_domain(&s->growth, &sum->limits);
    status = tz_growth_find(&s->growth);
    if (status == TZ_OK)
        status = tz_growth_onto(&s->growth, sum->used, s->whole);
    for (unsigned factors = 1; factors <= all && status == TZ_OK; factors++)
        if (factors == all || is_part(sum, factors))
            status = divide(s, factors, factors, 0, &(way){.known = false});
    memcpy(ret->whole, s->whole, sizeof ret->whole);
    if (status == TZ_OK && s->way[all].known) {
        list_parts(s, all, ret);
        memcpy(ret->steps, s->way[all].cost.step, sizeof ret->steps);
    }
    return status;
}

tz_status tz_choose_parts(const tz_sum *sum, unsigned lengths, tz_parts *ret) {
    *ret = (tz_parts){0};
    bool any = false;
    if (sum->factors < 2 || sum->factors > TZ_MOST_FACTORS)
        return TZ_OK;
    for (unsigned factors = 1; factors + 1 < 1U << sum->factors && !any; factors++)
        any = is_part(sum, factors);
    if (!any)
        return TZ_OK;
    search *s = calloc(1, sizeof *s);
    if (s == NULL)
        return TZ_NO_MEMORY;
    s->sum = sum;
    s->lengths = lengths;
    tz_status status = find_parts(s, ret);
    tz_growth_free(&s->growth);
    free(s);
    return status;
}
