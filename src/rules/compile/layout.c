/* layout.c - where the values of a kind stand.
 *
 * The coordinates of a kind are its stage functions, then enough of its indices to tell all items
 * apart, in the order written or the reverse one, whichever lets more steps run over neighbours.
 * The engine stores a kind as a box over the coordinates, the last contiguous: an item with stage
 * j-i lies by diagonal, i running. A kind without stages (nothing it needs depends on it) is laid
 * out by the width of the first pair of indices that its domain orders, so that it lines up with
 * the spans it is used with. SPDX-License-Identifier: MIT */
#include "rules/compile/draft.h"

enum { MAX_PASSES = 4 }; /* over the kinds, while a layout is improved */

/* Is `form` independent of coordinates 0..count-1 of the kind? Gaussian elimination over the
 * integers; the numbers stay small (at most four rows of small coefficients). */
static bool independent(const tz_kind *kind, unsigned count, const tz_form *form) {
    int64_t m[TZ_MAX_RANK + 1][TZ_MAX_RANK];
    for (unsigned r = 0; r <= count; r++)
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            m[r][q] = r < count ? kind->coordinate[r].column[q] : form->column[q];
    unsigned rank = 0;
    for (unsigned q = 0; q < TZ_MAX_RANK && rank <= count; q++) {
        unsigned pivot = rank;
        while (pivot <= count && m[pivot][q] == 0)
            pivot++;
        if (pivot > count)
            continue;
        for (unsigned c = 0; c < TZ_MAX_RANK; c++) {
            int64_t swap = m[pivot][c];
            m[pivot][c] = m[rank][c];
            m[rank][c] = swap;
        }
        for (unsigned r = rank + 1; r <= count; r++) {
            int64_t k = m[r][q], p = m[rank][q];
            for (unsigned c = 0; c < TZ_MAX_RANK; c++)
                m[r][c] = m[r][c] * p - m[rank][c] * k;
        }
        rank++;
    }
    return rank == count + 1;
}

/* Does the domain prove that index q is at least index p? */
static tz_status ordered(const tz_draft *draft, const tz_kind *kind, unsigned p, unsigned q,
                         bool *ret) {
    tz_system system;
    tz_status status = tz_system_init(&system, draft->rules->lengths, 0, kind->rank);
    if (status == TZ_OK)
        status = tz_system_add_domain(&system, &kind->domain, NULL, 0);
    tz_form form = tz_form_column(q);
    form.column[p] = -1;
    int64_t least = -1;
    tz_lp lp = status == TZ_OK ? tz_system_minimum(&system, &form, &least) : TZ_LP_NO_MEMORY;
    *ret = lp == TZ_LP_OPTIMUM && least >= 0;
    tz_system_free(&system);
    return status == TZ_OK && lp == TZ_LP_NO_MEMORY ? TZ_NO_MEMORY : status;
}

/* Lays a kind without stages out by the width of the first pair of indices that is ordered. */
static tz_status lay_by_width(const tz_draft *draft, tz_kind *kind, unsigned *count) {
    for (unsigned p = 0; p < kind->rank; p++)
        for (unsigned q = p + 1; q < kind->rank; q++) {
            bool proved;
            tz_status status = ordered(draft, kind, p, q, &proved);
            if (status != TZ_OK)
                return status;
            if (!proved)
                continue;
            kind->coordinate[0] = tz_form_column(q);
            kind->coordinate[0].column[p] = -1;
            *count = 1;
            return TZ_OK;
        }
    return TZ_OK;
}

/* Stages first, then indices, in this order or the reverse one; *ret_choice: is there one? */
static tz_status lay_kind(const tz_draft *draft, tz_kind *kind, bool reverse, bool *ret_choice) {
    unsigned count = 0;
    for (unsigned s = 0; s < kind->stages; s++) {
        /* Only the indices matter for telling items apart. */
        tz_form form = {0};
        for (unsigned q = 0; q < kind->rank; q++)
            form.column[q] = kind->stage[s].column[q];
        if (count < kind->rank && independent(kind, count, &form))
            kind->coordinate[count++] = form;
    }
    tz_status status = count == 0 ? lay_by_width(draft, kind, &count) : TZ_OK;
    *ret_choice = kind->rank >= count + 2u;
    for (unsigned q = 0; q < kind->rank && count < kind->rank; q++) {
        tz_form form = tz_form_column(reverse && *ret_choice ? kind->rank - 1u - q : q);
        if (independent(kind, count, &form))
            kind->coordinate[count++] = form;
    }
    return status;
}

/* Adds up how well the steps that concern a kind can run (all: TZ_MAX_KINDS), those with many loops
 * above all. */
static tz_status score_steps(const tz_draft *draft, unsigned kind, int64_t *ret_score) {
    tz_status status = TZ_OK;
    *ret_score = 0;
    for (unsigned s = 0; s < draft->steps && status == TZ_OK; s++) {
        const tz_draft_step *step = &draft->step[s];
        bool concerns = kind == TZ_MAX_KINDS || step->target.which == kind;
        for (unsigned t = 0; t < step->terms; t++)
            concerns |= step->term[t].what == TZ_INSIDE && step->term[t].which == kind;
        int score = 0;
        if (concerns)
            status = tz_best_run(draft, step, &score);
        *ret_score += (int64_t)score << 2 * step->variables;
    }
    return status;
}

/* Lays all kinds out one way, then turns single ones around as long as that is better. reverse: one
 * per kind, out. *ret_choice: does any kind have two ways? */
static tz_status lay_all(const tz_draft *draft, bool way, bool *reverse, bool *ret_choice,
                         int64_t *ret_score) {
    tz_status status = TZ_OK;
    bool choice[TZ_MAX_KINDS];
    *ret_choice = false;
    for (unsigned k = 0; k < draft->kinds && status == TZ_OK; k++) {
        status = lay_kind(draft, &draft->kind[k], reverse[k] = way, &choice[k]);
        *ret_choice |= choice[k];
    }
    bool changed = *ret_choice;
    for (unsigned pass = 0; pass < MAX_PASSES && changed && status == TZ_OK; pass++) {
        changed = false;
        for (unsigned k = 0; k < draft->kinds && status == TZ_OK; k++) {
            int64_t before, after = 0;
            if (!choice[k])
                continue;
            status = score_steps(draft, k, &before);
            if (status == TZ_OK)
                status = lay_kind(draft, &draft->kind[k], !reverse[k], &choice[k]);
            if (status == TZ_OK)
                status = score_steps(draft, k, &after);
            if (status == TZ_OK && after > before)
                changed = true, reverse[k] = !reverse[k];
            else if (status == TZ_OK)
                status = lay_kind(draft, &draft->kind[k], reverse[k], &choice[k]);
        }
    }
    return status == TZ_OK && *ret_choice ? score_steps(draft, TZ_MAX_KINDS, ret_score) : status;
}

/* The better of the layouts found from either end; the order written where they tie. */
static tz_status choose_layout(const tz_draft *draft) {
    bool forward[TZ_MAX_KINDS], reverse[TZ_MAX_KINDS], choice;
    int64_t forward_score, reverse_score;
    tz_status status = lay_all(draft, false, forward, &choice, &forward_score);
    if (status != TZ_OK || !choice)
        return status;
    status = lay_all(draft, true, reverse, &choice, &reverse_score);
    for (unsigned k = 0; k < draft->kinds && status == TZ_OK && reverse_score <= forward_score; k++)
        status = lay_kind(draft, &draft->kind[k], forward[k], &choice);
    return status;
}

tz_status tz_layout(tz_draft *draft) {
    tz_status status = choose_layout(draft);
    for (unsigned k = 0; k < draft->kinds && status == TZ_OK; k++) {
        tz_kind *kind = &draft->kind[k];
        unsigned lengths = draft->rules->lengths;
        for (unsigned q = 0; q < kind->rank && status == TZ_OK; q++)
            status = tz_range_build(&kind->domain, kind->rank, &kind->coordinate[q], lengths,
                                    draft->arena, &kind->coordinate_range[q]);
        if (status == TZ_OK)
            status = tz_find_shears(draft, &kind->domain, kind->rank, kind->coordinate,
                                    kind->coordinate_range, &kind->shear, &kind->shears);
        for (unsigned s = 0; s < kind->stages && status == TZ_OK; s++)
            status = tz_range_build(&kind->domain, kind->rank, &kind->stage[s], lengths,
                                    draft->arena, &kind->stage_range[s]);
    }
    return status;
}

/* ---- Weights ------------------------------------------------------------------------------- */

/* Columns of the step's loops that the weight's indices mention, in order; false if there are not
 * as many as indices. */
static bool used_columns(const tz_form *index, unsigned rank, unsigned columns, unsigned *column) {
    unsigned count = 0;
    for (unsigned c = 0; c < columns; c++) {
        bool used = false;
        for (unsigned q = 0; q < rank; q++)
            used |= index[q].column[c] != 0;
        if (used && count == rank)
            return false;
        if (used)
            column[count++] = c;
    }
    return count == rank;
}

/* Coordinates that are the loops of this step, so that its run reads neighbours. */
static bool lay_by_step(const tz_step *step, const tz_term *term, unsigned rank, tz_form *ret) {
    const tz_nest *nest = &step->nest;
    tz_form index[TZ_MAX_RANK];
    unsigned column[TZ_MAX_RANK];
    for (unsigned q = 0; q < rank; q++)
        if (!tz_form_compose(&index[q], &term->index[q], nest->variable, nest->variables))
            return false;
    return used_columns(index, rank, (unsigned)nest->givens + nest->loops, column) &&
           tz_forms_invert(index, rank, column, ret);
}

/* Ranges and shears of the weight's coordinates, and a view's of its indices. */
static tz_status measure(tz_draft *draft, tz_weight *weight) {
    tz_status status = TZ_OK;
    tz_form index[TZ_MAX_RANK];
    for (unsigned q = 0; q < weight->rank && status == TZ_OK; q++) {
        index[q] = tz_form_column(q);
        status = tz_range_build(&weight->domain, weight->rank, &weight->coordinate[q],
                                draft->rules->lengths, draft->arena, &weight->coordinate_range[q]);
    }
    if (status == TZ_OK)
        status = tz_find_shears(draft, &weight->domain, weight->rank, weight->coordinate,
                                weight->coordinate_range, &weight->shear, &weight->shears);
    if (status == TZ_OK && weight->view != NULL)
        status = tz_find_shears(draft, &weight->domain, weight->rank, index, weight->extent,
                                &weight->index_shear, &weight->index_shears);
    return status;
}

tz_status tz_layout_weights(tz_draft *draft) {
    const tz_rules *rules = draft->rules;
    tz_weight *weight = draft->weight;
    for (unsigned w = 0; w < rules->weights; w++) {
        unsigned rank = weight[w].rank;
        if (weight[w].sparse)
            continue;
        for (unsigned q = 0; q < rank; q++)
            weight[w].coordinate[q] = tz_form_column(q);
        bool done = rank == 0;
        for (unsigned s = 0; s < rules->steps && !done; s++)
            for (unsigned t = rules->step[s].sparse; t < rules->step[s].terms && !done; t++) {
                const tz_term *term = &rules->step[s].term[t];
                tz_form coordinate[TZ_MAX_RANK];
                if (term->what != TZ_WEIGHT || term->which != w)
                    continue;
                done = lay_by_step(&rules->step[s], term, rank, coordinate);
                for (unsigned q = 0; q < rank && done; q++)
                    weight[w].coordinate[q] = coordinate[q];
            }
        tz_status status = measure(draft, &weight[w]);
        if (status != TZ_OK)
            return status;
    }
    return TZ_OK;
}
