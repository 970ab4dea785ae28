/* amounts.c - linear bounds of the amount of a resource, for every item.
 *
 * Guess: the least and most amount of every derivable cell at a few small lengths, by a fixpoint
 * over the instances of the rules. A bound is a form with coefficients -1, 0, 1 and the constant
 * that these cells ask for; those of one constant for all lengths come first, then the tightest.
 * Proof: by induction over derivations. For every rule, where all its domains hold, the bounds of
 * the premises and the charges of the weights must imply that of the conclusion, which is a linear
 * program. An item whose bound is not implied takes its next, until every rule agrees; an item
 * without one left is unbounded, and then so is what depends on it.
 *
 * Both ends are done alike, as bounds from above of sign * amount.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/transform/amounts.h"

#include <stdlib.h>
#include <string.h>

#include "rules/compile/draft.h"
#include "rules/polyhedra/form.h"

enum {
    SAMPLES = 3,
    CANDIDATES = 12,  /* bounds of one item that are tried */
    MOST_NONZERO = 4, /* coefficients of a bound */
    MOST_CELLS = 1 << 14,
    MOST_STEPS = 1 << 22 /* of walks over instances, for one sample */
};

/* An item at one sample's lengths: cells of the box around its domain. */
typedef struct cells {
    int64_t low[TZ_MAX_RANK], size[TZ_MAX_RANK];
    struct cell {
        bool derived;
        int64_t least, most;
    } * at;
    size_t count;
} cells;

typedef struct bound {
    tz_form form;
    bool stable;   /* the samples ask for the same constant */
    int64_t slack; /* above the cells of each sample, if it had its constant; summed */
    unsigned nonzero;
} bound;

/* The bounds of an item that are still to be tried, from `next` on. */
typedef struct guesses {
    bound at[CANDIDATES];
    unsigned count, next;
} guesses;

/* A rule as a step, its instances as a system for proofs and as loops for walks. */
typedef struct instances {
    tz_draft_step step;
    tz_system system;
    bool possible;     /* else it has no instance, and no system */
    unsigned premises; /* the step's first terms but for sparse weights; its sides follow */
    tz_nest nest;
    tz_form charge; /* what its weights use; columns: the variables */
} instances;

typedef struct search {
    const tz_rules *rules;
    unsigned resource;
    tz_arena *arena;
    instances *rule; /* [rule_count] */
    int32_t length[SAMPLES][TZ_MAX_LENGTHS];
    cells *cells;     /* [SAMPLES * items] */
    guesses *guesses; /* [items] */
} search;

/* ---- The rules ------------------------------------------------------------------------------- */

/* *to += factor * form; false where a coefficient does not fit. */
static bool add_form(tz_form *to, const tz_form *form, int factor) {
    const tz_form sum = {.column = {1, (int16_t)factor}}, parts[] = {*to, *form};
    return tz_form_compose(to, &sum, parts, 2);
}

bool tz_terms_charge(const tz_rules *rules, unsigned resource, const tz_term *term, unsigned terms,
                     tz_form *ret_charge) {
    *ret_charge = (tz_form){0};
    for (unsigned t = 0; t < terms; t++)
        for (unsigned c = 0; c < rules->charges && term[t].what == TZ_WEIGHT; c++) {
            const tz_charge *charge = &rules->charge[c];
            tz_form amount;
            if (charge->resource != resource || charge->weight != term[t].which)
                continue;
            if (!tz_form_compose(&amount, &charge->amount, term[t].index,
                                 rules->weight[charge->weight].rank) ||
                !add_form(ret_charge, &amount, 1))
                return false;
        }
    return true;
}

/* Is term t of the step a premise that is no side condition? */
static bool brings_amount(const instances *rule, unsigned t) {
    return rule->step.term[t].what != TZ_WEIGHT && t < rule->step.sparse + rule->premises;
}

static tz_status prepare_rule(search *s, tz_draft *draft, const tz_rule *rule, instances *ret) {
    tz_status status = tz_rule_step(draft, rule, s->arena, &ret->step);
    if (status == TZ_OK &&
        !tz_terms_charge(s->rules, s->resource, ret->step.term, ret->step.terms, &ret->charge))
        status = TZ_TOO_LARGE;
    if (status == TZ_OK)
        status = tz_step_hull(draft, &ret->step, &ret->system);
    ret->possible = status == TZ_OK;
    ret->premises = rule->premises;
    if (status == TZ_OK)
        status = tz_nest_build(&ret->system, NULL, s->arena, &ret->nest);
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status prepare_rules(search *s) {
    const tz_rules *rules = s->rules;
    tz_kind *kind = tz_arena_array(s->arena, rules->items, sizeof *kind);
    if (kind == NULL)
        return TZ_NO_MEMORY;
    for (unsigned i = 0; i < rules->items; i++)
        kind[i] = (tz_kind){.rank = rules->item[i].rank, .domain = rules->item[i].domain};
    tz_draft draft = {.rules = (tz_rules *)rules, .arena = s->arena, .kind = kind};
    tz_status status = TZ_OK;
    for (unsigned r = 0; r < rules->rule_count && status == TZ_OK; r++)
        status = prepare_rule(s, &draft, &rules->rule[r], &s->rule[r]);
    return status;
}

/* ---- Amounts at small lengths ---------------------------------------------------------------- */

static tz_status make_cells(search *s, unsigned sample, unsigned item) {
    const tz_item *declared = &s->rules->item[item];
    cells *cells = &s->cells[sample * s->rules->items + item];
    cells->count = 1;
    for (unsigned q = 0; q < declared->rank; q++) {
        tz_range range;
        tz_form form = tz_form_column(q);
        int64_t low, high;
        tz_status status = tz_range_build(&declared->domain, declared->rank, &form,
                                          s->rules->lengths, s->arena, &range);
        if (status != TZ_OK)
            return status;
        tz_range_value(&range, s->rules->lengths, s->length[sample], 0, NULL, &low, &high);
        cells->low[q] = low;
        cells->size[q] = low <= high ? high - low + 1 : 0;
        if (__builtin_mul_overflow(cells->count, (size_t)cells->size[q], &cells->count) ||
            cells->count > MOST_CELLS)
            return TZ_TOO_LARGE;
    }
    cells->at = tz_arena_array(s->arena, cells->count, sizeof *cells->at);
    return cells->at != NULL ? TZ_OK : TZ_NO_MEMORY;
}

static struct cell *find_cell(const search *s, unsigned sample, const tz_term *term,
                              const tz_walk *walk, const int64_t *variable) {
    const cells *cells = &s->cells[sample * s->rules->items + term->which];
    size_t at = 0;
    for (unsigned q = 0; q < s->rules->item[term->which].rank; q++) {
        int64_t index = tz_form_value(&term->index[q], walk->lengths, walk->length,
                                      walk->nest->variables, variable);
        at = at * (size_t)cells->size[q] + (size_t)(index - cells->low[q]);
    }
    return &cells->at[at];
}

/* Combines the amounts of one instance's premises; did the conclusion's change? */
static bool derive(search *s, unsigned sample, const instances *rule, const tz_walk *walk) {
    int64_t variable[TZ_MAX_VARIABLES];
    const tz_draft_step *step = &rule->step;
    for (unsigned v = 0; v < step->variables; v++)
        variable[v] = tz_walk_variable(walk, v);
    tz_domain domain = {step->constraint, step->constraints};
    if (!tz_domain_holds(&domain, walk->lengths, walk->length, step->variables, variable))
        return false;
    int64_t least =
        tz_form_value(&rule->charge, walk->lengths, walk->length, step->variables, variable);
    int64_t most = least;
    for (unsigned t = 0; t < step->terms; t++) {
        if (!brings_amount(rule, t))
            continue;
        const struct cell *premise = find_cell(s, sample, &step->term[t], walk, variable);
        if (!premise->derived)
            return false;
        least += premise->least;
        most += premise->most;
    }
    struct cell *cell = find_cell(s, sample, &step->target, walk, variable);
    if (cell->derived && least >= cell->least && most <= cell->most)
        return false;
    cell->least = cell->derived && cell->least < least ? cell->least : least;
    cell->most = cell->derived && cell->most > most ? cell->most : most;
    cell->derived = true;
    return true;
}

/* Rules again and again until nothing changes. No item depends on itself, so this ends. */
static tz_status fill_sample(search *s, unsigned sample) {
    uint64_t left = MOST_STEPS;
    for (unsigned i = 0; i < s->rules->items; i++) {
        tz_status status = make_cells(s, sample, i);
        if (status != TZ_OK)
            return status;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned r = 0; r < s->rules->rule_count; r++) {
            tz_walk walk;
            if (!s->rule[r].possible)
                continue;
            tz_walk_start(&walk, &s->rule[r].nest, s->rules->lengths, s->length[sample], NULL);
            walk.left = left;
            while (tz_walk_next(&walk))
                changed |= derive(s, sample, &s->rule[r], &walk);
            left = walk.left;
            if (left == 0)
                return TZ_TOO_LARGE;
        }
    }
    return TZ_OK;
}

/* ---- Guesses --------------------------------------------------------------------------------- */

/* The least constant that lifts the form to sign * amount over the derived cells of a sample, and
 * what is then too much, summed; false where no cell is derived. */
static bool lift(const search *s, unsigned sample, unsigned item, int sign, const tz_form *form,
                 int64_t *ret_constant, int64_t *ret_slack) {
    const cells *cells = &s->cells[sample * s->rules->items + item];
    unsigned rank = s->rules->item[item].rank;
    int64_t most = INT64_MIN, sum = 0, count = 0;
    for (size_t c = 0; c < cells->count; c++) {
        const struct cell *cell = &cells->at[c];
        int64_t index[TZ_MAX_RANK];
        if (!cell->derived)
            continue;
        size_t rest = c;
        for (unsigned q = rank; q-- > 0; rest /= (size_t)cells->size[q])
            index[q] = cells->low[q] + (int64_t)(rest % (size_t)cells->size[q]);
        int64_t lacks = (sign > 0 ? cell->most : -cell->least) -
                        tz_form_value(form, s->rules->lengths, s->length[sample], rank, index);
        most = lacks > most ? lacks : most;
        sum += lacks;
        count++;
    }
    *ret_constant = most;
    *ret_slack = count > 0 ? count * most - sum : 0;
    return count > 0;
}

/* Finds the form's constant, the largest that a sample asks for; false where there is none. */
static bool fit(const search *s, unsigned item, int sign, bound *b) {
    int64_t constant[SAMPLES], slack[SAMPLES], most = INT64_MIN;
    bool some[SAMPLES];
    for (unsigned n = 0; n < SAMPLES; n++) {
        some[n] = lift(s, n, item, sign, &b->form, &constant[n], &slack[n]);
        if (some[n] && constant[n] > most)
            most = constant[n];
    }
    if (most == INT64_MIN || llabs(most) > TZ_MAX_CONSTANT)
        return false;
    b->stable = true;
    b->slack = 0;
    for (unsigned n = 0; n < SAMPLES; n++)
        if (some[n]) {
            b->stable &= constant[n] == most;
            b->slack += slack[n];
        }
    b->form.constant = (int32_t)most;
    return true;
}

static bool better(const bound *a, const bound *b) {
    if (a->stable != b->stable)
        return a->stable;
    return a->slack < b->slack || (a->slack == b->slack && a->nonzero < b->nonzero);
}

/* Keeps the best in order: of the tightest the simplest. */
static void keep(guesses *guesses, const bound *b) {
    unsigned at = guesses->count;
    while (at > 0 && better(b, &guesses->at[at - 1]))
        at--;
    if (at == CANDIDATES)
        return;
    if (guesses->count < CANDIDATES)
        guesses->count++;
    memmove(&guesses->at[at + 1], &guesses->at[at],
            (guesses->count - 1 - at) * sizeof guesses->at[0]);
    guesses->at[at] = *b;
}

static void guess(const search *s, unsigned item, int sign, guesses *ret) {
    unsigned rank = s->rules->item[item].rank, places = rank + s->rules->lengths, at;
    int digit[TZ_MAX_RANK + TZ_MAX_LENGTHS] = {0}; /* 0, 1, then -1 */
    *ret = (guesses){.count = 0};
    do {
        bound b = {.nonzero = 0};
        for (unsigned p = 0; p < places; p++) {
            int16_t *coefficient = p < rank ? &b.form.column[p] : &b.form.length[p - rank];
            *coefficient = (int16_t)(digit[p] == 2 ? -1 : digit[p]);
            b.nonzero += digit[p] != 0;
        }
        if (b.nonzero <= MOST_NONZERO && fit(s, item, sign, &b))
            keep(ret, &b);
        for (at = 0; at < places && digit[at] == 2; at++)
            digit[at] = 0;
        if (at < places)
            digit[at]++;
    } while (at < places);
}

/* ---- Proofs ---------------------------------------------------------------------------------- */

static const bound *current(const guesses *guesses) {
    return guesses->next < guesses->count ? &guesses->at[guesses->next] : NULL;
}

/* TZ_OK if the bounds of the premises imply that of the conclusion, else TZ_NONE. */
static tz_status implied(const search *s, const instances *rule, int sign) {
    const tz_draft_step *step = &rule->step;
    const bound *b = current(&s->guesses[step->target.which]);
    tz_form gap;
    if (b == NULL || !rule->possible)
        return TZ_OK;
    if (!tz_form_compose(&gap, &b->form, step->target.index,
                         s->rules->item[step->target.which].rank) ||
        !add_form(&gap, &rule->charge, -sign))
        return TZ_NONE;
    for (unsigned t = 0; t < step->terms; t++) {
        const tz_term *term = &step->term[t];
        tz_form form;
        if (!brings_amount(rule, t))
            continue;
        b = current(&s->guesses[term->which]);
        if (b == NULL && sign > 0)
            return TZ_NONE;
        if (b == NULL)
            continue; /* at least 0 */
        if (!tz_form_compose(&form, &b->form, term->index, s->rules->item[term->which].rank) ||
            !add_form(&gap, &form, -1))
            return TZ_NONE;
    }
    int64_t minimum;
    switch (tz_system_minimum(&rule->system, &gap, &minimum)) {
    case TZ_LP_OPTIMUM:
        return minimum >= 0 ? TZ_OK : TZ_NONE;
    case TZ_LP_EMPTY:
        return TZ_OK;
    case TZ_LP_NO_MEMORY:
        return TZ_NO_MEMORY;
    default:
        return TZ_NONE;
    }
}

static tz_status prove(search *s, int sign) {
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned r = 0; r < s->rules->rule_count; r++) {
            tz_status status = implied(s, &s->rule[r], sign);
            if (status == TZ_NO_MEMORY)
                return status;
            if (status == TZ_NONE) {
                s->guesses[s->rule[r].step.target.which].next++;
                changed = true;
            }
        }
    }
    return TZ_OK;
}

static tz_status find(search *s, tz_amounts *ret) {
    tz_status status = prepare_rules(s);
    for (unsigned sample = 0; sample < SAMPLES && status == TZ_OK; sample++)
        status = fill_sample(s, sample);
    for (int sign = 1; sign >= -1 && status == TZ_OK; sign -= 2) {
        for (unsigned i = 0; i < s->rules->items; i++)
            guess(s, i, sign, &s->guesses[i]);
        status = prove(s, sign);
        for (unsigned i = 0; i < s->rules->items && status == TZ_OK; i++) {
            const bound *b = current(&s->guesses[i]);
            if (b != NULL && add_form(sign > 0 ? &ret[i].most : &ret[i].least, &b->form, sign))
                *(sign > 0 ? &ret[i].has_most : &ret[i].has_least) = true;
        }
    }
    return status == TZ_NO_MEMORY ? status : TZ_OK;
}

tz_status tz_find_amounts(const tz_rules *rules, unsigned resource, tz_amounts *ret) {
    search s = {.rules = rules, .resource = resource, .arena = tz_arena_new()};
    tz_status status = TZ_NO_MEMORY;
    memset(ret, 0, rules->items * sizeof *ret);
    if (s.arena == NULL)
        return status;
    s.rule = tz_arena_array(s.arena, rules->rule_count, sizeof *s.rule);
    s.cells = tz_arena_array(s.arena, (size_t)rules->items * SAMPLES, sizeof *s.cells);
    s.guesses = tz_arena_array(s.arena, rules->items, sizeof *s.guesses);
    for (unsigned sample = 0; sample < SAMPLES; sample++)
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            s.length[sample][l] = (int32_t)(3 + (sample + l) % SAMPLES);
    if (s.rule != NULL && s.cells != NULL && s.guesses != NULL)
        status = find(&s, ret);
    for (unsigned r = 0; s.rule != NULL && r < rules->rule_count; r++)
        if (s.rule[r].possible)
            tz_system_free(&s.rule[r].system);
    tz_arena_free(s.arena);
    return status;
}
