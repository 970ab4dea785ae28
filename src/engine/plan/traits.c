/* traits.c - what of a step and of rules holds for all lengths: what grows with them, and what may
 * be computed as one. SPDX-License-Identifier: MIT */
#include "engine/plan/traits.h"

/* ---- Lengths -------------------------------------------------------------------------------- */

/* Do bounds only ever widen when a length grows? */
static bool range_grows(const tz_range *range) {
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++) {
        for (unsigned b = 0; b < range->lowers; b++)
            if (range->lower[b].form.length[l] > 0)
                return false;
        for (unsigned b = 0; b < range->uppers; b++)
            if (range->upper[b].form.length[l] < 0)
                return false;
    }
    return true;
}

bool tz_domain_grows(const tz_domain *domain) {
    for (uint32_t c = 0; c < domain->count; c++)
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++) {
            int16_t grows = domain->at[c].form.length[l];
            if (grows < 0 || (grows > 0 && domain->at[c].relation != TZ_GE))
                return false;
        }
    return true;
}

bool tz_nest_grows(const tz_nest *nest) {
    if (!tz_domain_grows(&nest->entry))
        return false;
    for (unsigned q = 0; q < nest->loops; q++)
        if (!range_grows(&nest->range[q]))
            return false;
    return true;
}

static bool ranges_grow(const tz_range *range, unsigned count) {
    bool grow = true;
    for (unsigned q = 0; q < count; q++)
        grow &= range_grows(&range[q]);
    return grow;
}

/* Does a nest have cells at places that depend on lengths? */
static bool is_end(const tz_nest *nest, unsigned rank) {
    bool end = false;
    for (unsigned q = 0; q < rank; q++)
        end |= tz_form_has_lengths(&nest->variable[q]);
    return end;
}

/* Are the cells used for shorter lengths among those used for longer ones, or cells at an end? */
static bool uses_nest(const tz_weight *weight) {
    bool nest = true;
    for (unsigned u = 0; u < weight->uses; u++) {
        const tz_nest *used = &weight->used[u];
        nest &= tz_nest_grows(used);
        for (unsigned q = 0; q < weight->rank; q++)
            nest &= !tz_form_has_lengths(&used->variable[q]) ||
                    !tz_form_has_columns(&used->variable[q]);
    }
    return nest;
}

bool tz_uses_end(const tz_rules *rules) {
    bool end = false;
    for (unsigned w = 0; w < rules->weights; w++)
        for (unsigned u = 0; u < rules->weight[w].uses; u++)
            end |= is_end(&rules->weight[w].used[u], rules->weight[w].rank);
    return end;
}

bool tz_boxes_grow(const tz_rules *rules) {
    bool grow = true;
    for (unsigned k = 0; k < rules->kinds; k++)
        grow &= ranges_grow(rules->kind[k].coordinate_range, rules->kind[k].rank);
    for (unsigned w = 0; w < rules->weights; w++)
        grow &= rules->weight[w].sparse ||
                ranges_grow(rules->weight[w].coordinate_range, rules->weight[w].rank);
    return grow;
}

bool tz_cells_nest(const tz_rules *rules) {
    bool nest = tz_boxes_grow(rules);
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_weight *weight = &rules->weight[w];
        nest &= weight->sparse || (tz_domain_grows(&weight->domain) && uses_nest(weight));
    }
    return nest;
}

bool tz_stages_grow(const tz_rules *rules) {
    bool grow = true;
    for (unsigned k = 0; k < rules->kinds; k++)
        grow &= ranges_grow(rules->kind[k].stage_range, rules->kind[k].stages);
    return grow;
}

static bool steps_convex(const tz_step *step, unsigned steps) {
    bool convex = true;
    for (unsigned s = 0; s < steps; s++) {
        const tz_nest *nest = &step[s].nest;
        for (uint32_t c = 0; c < nest->entry.count; c++)
            convex &= nest->entry.at[c].relation != TZ_NE;
        for (unsigned q = 0; q < nest->loops; q++) {
            for (unsigned b = 0; b < nest->range[q].lowers; b++)
                convex &= nest->range[q].lower[b].divisor == 1;
            for (unsigned b = 0; b < nest->range[q].uppers; b++)
                convex &= nest->range[q].upper[b].divisor == 1;
        }
    }
    return convex;
}

bool tz_loops_convex(const tz_rules *rules) {
    return steps_convex(rules->step, rules->steps) &&
           steps_convex(rules->outside_step, rules->outside_steps) &&
           steps_convex(rules->weight_step, rules->weight_steps);
}

/* ---- Steps ---------------------------------------------------------------------------------- */

bool tz_nest_edged(const tz_nest *nest, unsigned split) {
    const tz_range *range = &nest->range[nest->loops - 1];
    unsigned lows = 0, highs = 0;
    for (unsigned b = 0; b < range->lowers; b++) {
        bool moves = range->lower[b].form.column[split] != 0;
        lows += moves;
        if (moves && range->lower[b].divisor != 1)
            return false;
    }
    for (unsigned b = 0; b < range->uppers; b++) {
        bool moves = range->upper[b].form.column[split] != 0;
        highs += moves;
        if (moves && range->upper[b].divisor != 1)
            return false;
    }
    return lows <= TZ_MAX_EDGES && highs <= TZ_MAX_EDGES;
}

bool tz_step_bundles(const tz_bound_step *step, const tz_plan *plan) {
    const tz_nest *nest = step->nest;
    if (step->stages != 1 || nest->givens != 1 || nest->loops != 2 ||
        step->step->shared_lengths != 0 || !step->growing || !plan->growing || !step->edged ||
        step->terms != 2)
        return false;
    for (unsigned t = 0; t < step->terms; t++) {
        const tz_bound_term *term = &step->term[t];
        if (term->what == TZ_WEIGHT || !term->inner)
            return false;
        if (term->stage != NULL &&
            (term->stage->column[2] != 0 || tz_form_has_lengths(term->stage)))
            return false;
    }
    return true;
}

double tz_exact_limit(const tz_rules *rules, const tz_semiring *semiring) {
    unsigned most = 3;
    for (unsigned s = 0; s < rules->steps; s++)
        most = rules->step[s].terms > most ? rules->step[s].terms : most;
    return semiring->exact * 4 / (most + 1);
}
