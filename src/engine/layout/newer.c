/* newer.c - see newer.h. SPDX-License-Identifier: MIT */
#include "engine/layout/newer.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/plan/traits.h"

enum { MOST_CONDITIONS = 8 }; /* that mention lengths, of one thing */

typedef struct maker {
    const tz_plan *plan;
    tz_newer *newer;
    bool possible;
} maker;

/* Conditions f >= 0 over lengths and the columns of a nest. */
typedef struct conditions {
    unsigned count;
    tz_form at[MOST_CONDITIONS];
} conditions;

static void *take(maker *m, size_t count, size_t size, tz_status *status) {
    void *memory = tz_arena_array(m->newer->arena, count, size);
    if (memory == NULL)
        *status = TZ_NO_MEMORY;
    return memory;
}

static bool mentions(const maker *m, const tz_form *form) {
    bool any = false;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        any |= (m->newer->grown >> l & 1) != 0 && form->length[l] != 0;
    return any;
}

static void negate(tz_form *form) {
    form->constant = -form->constant;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        form->length[l] = (int16_t)-form->length[l];
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        form->column[c] = (int16_t)-form->column[c];
}

static void add_condition(maker *m, conditions *to, const tz_form *form) {
    m->possible &= to->count < MOST_CONDITIONS;
    if (m->possible)
        to->at[to->count++] = *form;
}

/* ---- A nest with one more bound ---------------------------------------------------------------
 */

/* The form becomes a constant: its value for the old lengths. */
static tz_status depend_on_old(maker *m, tz_form *form) {
    tz_status status = TZ_OK;
    tz_newer_bound *bound = take(m, 1, sizeof *bound, &status);
    if (bound == NULL)
        return status;
    *bound = (tz_newer_bound){m->newer->bound, form, *form};
    memset(form->length, 0, sizeof form->length);
    m->newer->bound = bound;
    return TZ_OK;
}

/* Copies so many bytes of bounds or conditions; what is told of their forms moves with them. */
static void move_forms(maker *m, void *to, const void *from, size_t size) {
    if (size > 0)
        memcpy(to, from, size);
    for (tz_newer_bound *b = m->newer->bound; b != NULL; b = b->next) {
        const uintptr_t within = (uintptr_t)b->form - (uintptr_t)from;
        if (within < size)
            b->form = (tz_form *)(void *)((char *)to + within);
    }
}

/* Adds a bound; old: of the old lengths. */
static tz_status add_bound(maker *m, const tz_bound **bounds, uint16_t *count,
                           const tz_bound *bound, bool old) {
    tz_status status = TZ_OK;
    tz_bound *more = take(m, *count + 1u, sizeof *more, &status);
    if (status != TZ_OK)
        return status;
    move_forms(m, more, *bounds, *count * sizeof *more);
    more[*count] = *bound;
    *bounds = more;
    tz_form *added = &more[(*count)++].form;
    return old ? depend_on_old(m, added) : TZ_OK;
}

static tz_status add_entry(maker *m, tz_domain *entry, const tz_form *form, bool old) {
    tz_status status = TZ_OK;
    tz_constraint *more = take(m, entry->count + 1u, sizeof *more, &status);
    if (status != TZ_OK)
        return status;
    move_forms(m, more, entry->at, entry->count * sizeof *more);
    more[entry->count] = (tz_constraint){*form, TZ_GE};
    entry->at = more;
    tz_form *added = &more[entry->count++].form;
    return old ? depend_on_old(m, added) : TZ_OK;
}

/* The last loop that the form mentions, from 1 on; 0: none. */
static unsigned last_loop(const tz_nest *nest, const tz_form *form) {
    unsigned q = nest->loops;
    while (q > 0 && form->column[nest->givens + q - 1] == 0)
        q--;
    return q;
}

/* Cuts a nest, whose ranges are its own, down to where the form is at least 0; old: for the old
 * lengths. */
static tz_status cut(maker *m, tz_nest *nest, tz_form form, bool old) {
    const unsigned loop = last_loop(nest, &form);
    if (loop == 0)
        return add_entry(m, &nest->entry, &form, old);
    tz_range *range = (tz_range *)(uintptr_t)&nest->range[loop - 1];
    const unsigned column = nest->givens + loop - 1u;
    const int16_t slope = form.column[column];
    form.column[column] = 0;
    if (slope > 0)
        negate(&form);
    const tz_bound bound = {form, abs(slope)};
    return slope > 0 ? add_bound(m, &range->lower, &range->lowers, &bound, old)
                     : add_bound(m, &range->upper, &range->uppers, &bound, old);
}

/* The same for old lengths, where loops stay convex. opt_before: what is asked of a step before
 * entries of sparse weights are chosen, whose columns begin at `entries`. */
static tz_status cut_old(maker *m, tz_nest *nest, unsigned entries, tz_domain *opt_before,
                         const tz_form *form) {
    const unsigned loop = last_loop(nest, form);
    for (unsigned c = entries; c < nest->givens; c++)
        m->possible &= form->column[c] == 0;
    if (loop > 0)
        m->possible &= abs(form->column[nest->givens + loop - 1]) == 1;
    tz_status status = m->possible ? cut(m, nest, *form, true) : TZ_OK;
    if (status == TZ_OK && loop == 0 && opt_before != NULL)
        status = add_entry(m, opt_before, form, true);
    return status;
}

/* The piece of a nest where condition `fails` is the first that does not hold for old lengths. */
static tz_status make_piece(maker *m, const tz_nest *nest, const conditions *c, unsigned fails,
                            unsigned entries, tz_domain *opt_before, tz_nest *ret) {
    tz_status status = TZ_OK;
    tz_range *range = take(m, nest->loops, sizeof *range, &status);
    if (status != TZ_OK)
        return status;
    if (nest->loops > 0)
        memcpy(range, nest->range, nest->loops * sizeof *range);
    *ret = *nest;
    ret->range = range;
    for (unsigned i = 0; i <= fails && status == TZ_OK && m->possible; i++) {
        tz_form form = c->at[i];
        if (i == fails) {
            negate(&form);
            form.constant--;
        }
        status = cut_old(m, ret, entries, opt_before, &form);
    }
    return status;
}

static tz_status make_pieces(maker *m, const tz_nest *nest, const conditions *c,
                             tz_newer_nests *ret) {
    tz_status status = TZ_OK;
    tz_nest *piece = take(m, c->count, sizeof *piece, &status);
    for (unsigned i = 0; i < c->count && status == TZ_OK && m->possible; i++)
        status = make_piece(m, nest, c, i, nest->givens, NULL, &piece[i]);
    *ret = (tz_newer_nests){piece, c->count};
    return status;
}

/* ---- Steps ------------------------------------------------------------------------------------
 */

/* What the kind's domain says of lengths that grow; index: its columns. */
static void conditions_of(maker *m, const tz_kind *kind, const tz_form *index, conditions *ret) {
    ret->count = 0;
    for (uint32_t c = 0; c < kind->domain.count; c++) {
        tz_form form = kind->domain.at[c].form;
        if (!mentions(m, &form))
            continue;
        m->possible &= kind->domain.at[c].relation == TZ_GE &&
                       tz_form_compose(&form, &form, index, kind->rank);
        add_condition(m, ret, &form);
    }
}

static tz_status make_step(maker *m, const tz_bound_step *from, const conditions *c, unsigned fails,
                           tz_bound_step *ret) {
    tz_status status = TZ_OK;
    tz_nest *nest = take(m, 1, sizeof *nest, &status);
    tz_ties *ties = NULL;
    if (from->ties != NULL && status == TZ_OK)
        ties = take(m, 1, sizeof *ties, &status);
    if (status != TZ_OK)
        return status;
    if (ties != NULL)
        *ties = *from->ties;
    *ret = *from;
    ret->nest = nest;
    ret->ties = ties;
    return make_piece(m, from->nest, c, fails, ties != NULL ? from->stages : from->nest->givens,
                      ties != NULL ? &ties->before : NULL, nest);
}

static tz_status make_steps(maker *m) {
    const tz_rules *rules = m->plan->rules;
    tz_newer *newer = m->newer;
    tz_status status = TZ_OK;
    size_t most = 0;
    for (unsigned s = 0; s < rules->steps; s++)
        most += 1 + (size_t)rules->kind[rules->step[s].target.which].domain.count;
    newer->first = take(m, rules->steps + 1u, sizeof *newer->first, &status);
    newer->step = take(m, most, sizeof *newer->step, &status);
    uint32_t count = 0;
    for (unsigned s = 0; s < rules->steps && status == TZ_OK; s++) {
        const tz_bound_step *step = &m->plan->inside[s];
        conditions c;
        newer->first[s] = count;
        if (!newer->stays[step->target.which]) {
            newer->step[count++] = *step;
            continue;
        }
        conditions_of(m, &rules->kind[step->target.which], step->target.index, &c);
        for (unsigned i = 0; i < c.count && status == TZ_OK && m->possible; i++)
            status = make_step(m, step, &c, i, &newer->step[count++]);
    }
    if (newer->first != NULL)
        newer->first[rules->steps] = count;
    return status;
}

/* Bounds of what is less by a constant. */
static const tz_bound *less(maker *m, const tz_bound *bound, unsigned count, int32_t constant,
                            tz_status *status) {
    tz_bound *ret = take(m, count, sizeof *ret, status);
    for (unsigned b = 0; b < count && ret != NULL; b++) {
        ret[b] = bound[b];
        ret[b].form.constant -= bound[b].divisor * constant;
    }
    return ret;
}

/* The kind's cells as loops over its coordinates, less their constants. */
static tz_status kind_nest(maker *m, const tz_kind *kind, tz_form *index, tz_nest *ret) {
    tz_status status = TZ_OK;
    unsigned column[TZ_MAX_RANK];
    tz_range *range = take(m, kind->rank, sizeof *range, &status);
    for (unsigned q = 0; q < kind->rank; q++)
        column[q] = q;
    m->possible &= tz_forms_invert(kind->coordinate, kind->rank, column, index);
    if (status != TZ_OK || !m->possible)
        return status;
    for (unsigned q = 0; q < kind->rank; q++) {
        const int32_t constant = kind->coordinate[q].constant;
        range[q] = kind->coordinate_range[q];
        range[q].lower = less(m, range[q].lower, range[q].lowers, constant, &status);
        range[q].upper = less(m, range[q].upper, range[q].uppers, constant, &status);
    }
    if (status != TZ_OK)
        return status;
    *ret =
        (tz_nest){.loops = kind->rank, .variables = kind->rank, .range = range, .variable = index};
    /* Rows may lie so close that what the box has beyond the domain belongs to another one. */
    for (uint32_t c = 0; c < kind->domain.count && status == TZ_OK; c++) {
        tz_form form = kind->domain.at[c].form;
        if (kind->domain.at[c].relation == TZ_NE)
            continue;
        m->possible &= tz_form_compose(&form, &form, index, kind->rank);
        status = cut(m, ret, form, false);
        negate(&form);
        if (kind->domain.at[c].relation == TZ_EQ && status == TZ_OK)
            status = cut(m, ret, form, false);
    }
    return status;
}

/* Where the first component of a stage tells what is new. */
static void find_stage(const tz_kind *kind, const conditions *c, struct tz_newer_stage *ret) {
    tz_form form;
    if (c->count != 1 || kind->stages == 0)
        return;
    /* The condition is `form` less the component, so what fails it has a greater one. */
    form = c->at[0];
    form.constant += kind->stage[0].constant + 1;
    for (unsigned q = 0; q < kind->rank; q++)
        if (form.column[q] != -kind->stage[0].column[q])
            return;
    memset(form.column, 0, sizeof form.column);
    *ret = (struct tz_newer_stage){.known = !tz_form_has_lengths(&kind->stage[0]), .from = form};
}

static tz_status make_kinds(maker *m) {
    const tz_rules *rules = m->plan->rules;
    tz_newer *newer = m->newer;
    tz_status status = TZ_OK;
    newer->kind = take(m, rules->kinds, sizeof *newer->kind, &status);
    newer->stays = take(m, rules->kinds, sizeof *newer->stays, &status);
    newer->stage = take(m, rules->kinds, sizeof *newer->stage, &status);
    for (unsigned k = 0; k < rules->kinds && status == TZ_OK; k++) {
        const tz_kind *kind = &rules->kind[k];
        conditions c;
        tz_nest nest;
        tz_form own[TZ_MAX_RANK];
        newer->stays[k] = true;
        for (unsigned l = 0; l < rules->lengths; l++)
            newer->stays[k] &= (newer->grown >> l & 1) == 0 || kind->anew[l] == 0;
        if (!newer->stays[k])
            continue;
        for (unsigned q = 0; q < kind->rank; q++)
            own[q] = tz_form_column(q);
        conditions_of(m, kind, own, &c);
        find_stage(kind, &c, &newer->stage[k]);
        tz_form *index = take(m, TZ_MAX_RANK, sizeof *index, &status);
        if (status == TZ_OK)
            status = kind_nest(m, kind, index, &nest);
        if (status != TZ_OK || !m->possible)
            return status;
        conditions_of(m, kind, index, &c);
        status = make_pieces(m, &nest, &c, &newer->kind[k]);
    }
    return status;
}

/* Does the condition hold for longer lengths wherever it holds for shorter ones? */
static bool widens(const maker *m, const tz_form *form) {
    bool widens = true;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        widens &= (m->newer->grown >> l & 1) == 0 || form->length[l] >= 0;
    return widens;
}

/* Which of a nest's own bounds mention lengths that grow. False: points may also be lost. */
static bool nest_conditions(maker *m, const tz_nest *nest, conditions *ret) {
    bool all_widen = true;
    ret->count = 0;
    for (uint32_t c = 0; c < nest->entry.count; c++)
        if (mentions(m, &nest->entry.at[c].form)) {
            all_widen &= nest->entry.at[c].relation == TZ_GE && widens(m, &nest->entry.at[c].form);
            add_condition(m, ret, &nest->entry.at[c].form);
        }
    for (unsigned q = 0; q < nest->loops; q++) {
        const tz_range *range = &nest->range[q];
        for (unsigned b = 0; b < range->lowers + range->uppers; b++) {
            const bool lower = b < range->lowers;
            const tz_bound *bound = lower ? &range->lower[b] : &range->upper[b - range->lowers];
            tz_form form = bound->form;
            if (!mentions(m, &form))
                continue;
            if (lower)
                negate(&form);
            form.column[q] = (int16_t)(lower ? bound->divisor : -bound->divisor);
            all_widen &= bound->divisor == 1 && widens(m, &form);
            add_condition(m, ret, &form);
        }
    }
    for (unsigned v = 0; v < nest->variables; v++)
        all_widen &= !mentions(m, &nest->variable[v]);
    return all_widen;
}

static tz_status make_weights(maker *m) {
    const tz_rules *rules = m->plan->rules;
    tz_newer *newer = m->newer;
    tz_status status = TZ_OK;
    newer->weight = take(m, rules->weights, sizeof *newer->weight, &status);
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        const tz_weight *weight = &rules->weight[w];
        bool other = false; /* all its cells may have other scores */
        for (unsigned l = 0; l < rules->lengths; l++)
            other |= (newer->grown >> l & 1) != 0 && tz_view_mentions(weight, l);
        for (uint32_t c = 0; c < weight->domain.count; c++) /* holes may move */
            other |= mentions(m, &weight->domain.at[c].form) &&
                     (weight->sparse || weight->domain.at[c].relation != TZ_GE ||
                      !widens(m, &weight->domain.at[c].form));
        m->possible &= !weight->sparse || !other;
        if (weight->sparse)
            continue;
        const unsigned uses = tz_newer_uses(weight);
        newer->weight[w] = take(m, uses, sizeof *newer->weight[w], &status);
        for (unsigned u = 0; u < uses && status == TZ_OK && m->possible; u++) {
            const tz_nest *nest =
                weight->uses > 0 && weight->view == NULL ? &weight->used[u] : &weight->cells;
            conditions c;
            if (other || !nest_conditions(m, nest, &c))
                newer->weight[w][u] = (tz_newer_nests){nest, 1};
            else if (m->possible)
                status = make_pieces(m, nest, &c, &newer->weight[w][u]);
        }
    }
    return status;
}

static tz_status make(maker *m) {
    m->newer->arena = tz_arena_new();
    tz_status status = m->newer->arena != NULL ? TZ_OK : TZ_NO_MEMORY;
    m->possible = !m->plan->plain && !m->plan->tied_lengths && tz_boxes_grow(m->plan->rules);
    if (status == TZ_OK && m->possible)
        status = make_kinds(m);
    if (status == TZ_OK && m->possible)
        status = make_steps(m);
    if (status == TZ_OK && m->possible)
        status = make_weights(m);
    m->newer->possible = m->possible;
    return status;
}

tz_status tz_newer_find(tz_chart *chart, uint8_t grown, tz_newer **ret) {
    tz_newer **link = &chart->growth.newer;
    while (*link != NULL && (*link)->grown != grown)
        link = &(*link)->next;
    *ret = *link;
    if (*link != NULL)
        return TZ_OK;
    maker m = {.plan = chart->plan, .newer = calloc(1, sizeof *m.newer)};
    if (m.newer == NULL)
        return TZ_NO_MEMORY;
    m.newer->grown = grown;
    tz_status status = make(&m);
    if (status != TZ_OK) {
        tz_arena_free(m.newer->arena);
        free(m.newer);
        return status;
    }
    *ret = *link = m.newer;
    return TZ_OK;
}

void tz_newer_set(tz_newer *newer, unsigned kinds, unsigned lengths, const int32_t *old) {
    for (tz_newer_bound *b = newer->bound; b != NULL; b = b->next)
        b->form->constant = (int32_t)tz_form_value(&b->source, lengths, old, 0, NULL);
    for (unsigned k = 0; k < kinds; k++)
        if (newer->stage[k].known)
            newer->stage[k].value = tz_form_value(&newer->stage[k].from, lengths, old, 0, NULL);
}

void tz_newer_free_all(tz_chart *chart) {
    while (chart->growth.newer != NULL) {
        tz_newer *next = chart->growth.newer->next;
        tz_arena_free(chart->growth.newer->arena);
        free(chart->growth.newer);
        chart->growth.newer = next;
    }
}
