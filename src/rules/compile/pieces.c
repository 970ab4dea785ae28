/* pieces.c - a step over disjoint convex sets of instances. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "rules/compile/draft.h"

static tz_status has_points(const tz_draft *draft, const tz_draft_step *step) {
    tz_system system;
    tz_status status = tz_step_system(draft, step, 0, &system);
    if (status != TZ_OK)
        return status;
    status = tz_system_tidy(&system);
    tz_system_free(&system);
    return status;
}

/* Appends piece i with one more constraint, if it then has points. */
static tz_status refine(tz_draft *draft, tz_pieces *to, const tz_draft_step *from,
                        const tz_form *form, int64_t sign, tz_relation relation) {
    tz_draft_step step = *from;
    step.constraint = tz_arena_array(draft->arena, from->constraints + 1u, sizeof *step.constraint);
    if (step.constraint == NULL)
        return TZ_NO_MEMORY;
    memcpy(step.constraint, from->constraint, from->constraints * sizeof *step.constraint);
    tz_form *added = &step.constraint[step.constraints].form;
    added->constant = (int32_t)(sign * form->constant - (relation == TZ_GE));
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        added->length[l] = (int16_t)(sign * form->length[l]);
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        added->column[c] = (int16_t)(sign * form->column[c]);
    step.constraint[step.constraints++].relation = relation;
    tz_status status = has_points(draft, &step);
    if (status != TZ_OK || to == NULL)
        return status;
    if (to->count == TZ_MAX_PIECES)
        return TZ_TOO_LARGE;
    to->step[to->count++] = step;
    return TZ_OK;
}

tz_status tz_split_pieces(tz_draft *draft, const tz_draft_step *step, tz_pieces *ret) {
    tz_pieces *next = malloc(sizeof *next);
    if (next == NULL)
        return TZ_NO_MEMORY;
    ret->step[0] = *step;
    ret->count = 1;
    tz_status status = TZ_OK;
    for (uint32_t c = 0; c < step->constraints && status == TZ_OK; c++) {
        if (step->constraint[c].relation != TZ_NE)
            continue;
        const tz_form *form = &step->constraint[c].form;
        next->count = 0;
        for (unsigned p = 0; p < ret->count && status == TZ_OK; p++) {
            status = refine(draft, NULL, &ret->step[p], form, 1, TZ_EQ);
            if (status == TZ_NONE) { /* it cannot be 0 here anyway */
                if (next->count == TZ_MAX_PIECES) {
                    status = TZ_TOO_LARGE;
                    break;
                }
                next->step[next->count++] = ret->step[p];
                status = TZ_OK;
                continue;
            }
            for (int sign = 1; sign >= -1 && (status == TZ_OK || status == TZ_NONE); sign -= 2)
                status = refine(draft, next, &ret->step[p], form, sign, TZ_GE);
            if (status == TZ_NONE)
                status = TZ_OK;
        }
        if (status == TZ_OK)
            *ret = *next;
    }
    free(next);
    for (unsigned p = 0; p < ret->count && status == TZ_OK; p++) {
        tz_draft_step *piece = &ret->step[p];
        tz_constraint *at = tz_arena_array(draft->arena, piece->constraints, sizeof *at);
        if (at == NULL)
            return TZ_NO_MEMORY;
        uint32_t count = 0;
        for (uint32_t c = 0; c < piece->constraints; c++)
            if (piece->constraint[c].relation != TZ_NE)
                at[count++] = piece->constraint[c];
        piece->constraint = at;
        piece->constraints = count;
    }
    return status;
}
