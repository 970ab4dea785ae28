/* shear.c - how far coordinates fall while one before them grows, where the domain ties them
 * together: box.h says what for.
 *
 * The set of all differences of two cells is convex and holds 0. So a coordinate that falls by t
 * while another grows by k falls by t / k at most while that grows by 1, were there such cells; and
 * what is found of pairs of cells with k >= 1 bounds that. It is found by projection.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/compile/draft.h"

/* A domain over the coordinates. */
typedef struct area {
    unsigned rank, lengths;
    const tz_range *range; /* [rank] of the coordinates */
    tz_constraint *at;
    uint32_t count;
    uint32_t tied[TZ_MAX_RANK]; /* those that constraints tie each coordinate to, itself too */
} area;

static uint32_t columns_of(const tz_form *form, unsigned rank) {
    uint32_t set = 0;
    for (unsigned c = 0; c < rank && c < TZ_MAX_RANK; c++)
        set |= (uint32_t)(form->column[c] != 0) << c;
    return set;
}

/* Which coordinates the constraints tie together. */
static void tie(area *a) {
    for (unsigned c = 0; c < a->rank; c++)
        a->tied[c] = 1u << c;
    for (unsigned round = 0; round < a->rank; round++)
        for (uint32_t i = 0; i < a->count; i++) {
            uint32_t set = columns_of(&a->at[i].form, a->rank), all = 0;
            for (unsigned c = 0; c < a->rank; c++)
                all |= set >> c & 1 ? a->tied[c] : 0;
            for (unsigned c = 0; c < a->rank; c++)
                a->tied[c] |= set >> c & 1 ? all : 0;
        }
}

/* TZ_TOO_LARGE: it cannot be written so. */
static tz_status make_area(tz_draft *draft, const tz_domain *domain, const tz_form *coordinate,
                           area *ret) {
    tz_form index[TZ_MAX_RANK];
    unsigned column[TZ_MAX_RANK];
    for (unsigned q = 0; q < ret->rank; q++)
        column[q] = q;
    if (!tz_forms_invert(coordinate, ret->rank, column, index))
        return TZ_TOO_LARGE;
    ret->at = tz_arena_array(draft->arena, domain->count, sizeof *ret->at);
    if (ret->at == NULL)
        return TZ_NO_MEMORY;
    for (uint32_t c = 0; c < domain->count; c++) {
        if (domain->at[c].relation == TZ_NE)
            continue;
        ret->at[ret->count].relation = domain->at[c].relation;
        if (!tz_form_compose(&ret->at[ret->count++].form, &domain->at[c].form, index, ret->rank))
            return TZ_TOO_LARGE;
    }
    tie(ret);
    return TZ_OK;
}

/* Two cells whose coordinates before `outer` are the same: variables 0..rank-1 are the lower one's,
 * rank.. how much higher the other one's are from `outer` on, that of `outer` by 1 or more. */
static tz_status pairs_of_cells(const area *a, unsigned outer, unsigned inner, tz_system *ret) {
    unsigned rank = a->rank;
    tz_status status = tz_system_init(ret, a->lengths, 0, 2 * rank - outer);
    tz_form lower[TZ_MAX_RANK], higher[TZ_MAX_RANK];
    for (unsigned c = 0; c < rank; c++) {
        lower[c] = higher[c] = tz_form_column(c);
        if (c >= outer)
            higher[c].column[rank + c - outer] = 1;
    }
    for (uint32_t i = 0; i < a->count && status == TZ_OK; i++) {
        const tz_domain one = {&a->at[i], 1};
        if ((columns_of(&a->at[i].form, rank) & a->tied[inner]) == 0)
            continue;
        status = tz_system_add_domain(ret, &one, lower, rank);
        if (status == TZ_OK)
            status = tz_system_add_domain(ret, &one, higher, rank);
    }
    tz_form above = tz_form_column(rank);
    above.constant = -1;
    return status == TZ_OK ? tz_system_add(ret, &above, TZ_GE) : status;
}

/* Does the bound stay as it is while lengths grow with which the coordinate's range grows? */
static bool is_slower(const tz_form *fall, const tz_range *range, unsigned lengths) {
    for (unsigned u = 0; u < range->uppers; u++)
        for (unsigned l = 0; l < range->lowers; l++) {
            const tz_bound *upper = &range->upper[u], *lower = &range->lower[l];
            int64_t grows = 0;
            for (unsigned n = 0; n < lengths; n++)
                if (fall->length[n] == 0)
                    grows += (int64_t)upper->form.length[n] * lower->divisor -
                             (int64_t)lower->form.length[n] * upper->divisor;
            if (grows <= 0)
                return false;
        }
    return range->uppers > 0 && range->lowers > 0;
}

/* From  f + g k + a d >= 0  with a > 0: where k >= 1, -d <= k (max(f, 0) + g) / a. False where that
 * is of no use. */
static bool take_bound(const area *a, const tz_constraint *constraint, unsigned inner,
                       tz_bound *ret) {
    const tz_form *from = &constraint->form;
    int sign = from->column[1] < 0 && constraint->relation == TZ_EQ ? -1 : 1;
    *ret = (tz_bound){.divisor = sign * from->column[1]};
    if (ret->divisor <= 0)
        return false;
    for (unsigned l = 0; l < a->lengths; l++) {
        ret->form.length[l] = (int16_t)(sign * from->length[l]);
        if (ret->form.length[l] < 0)
            return false;
    }
    ret->form.constant = sign * from->constant;
    ret->form.constant = ret->form.constant > 0 ? ret->form.constant : 0;
    ret->form.constant += sign * from->column[0];
    return is_slower(&ret->form, &a->range[inner], a->lengths);
}

static tz_status add_shears(tz_draft *draft, const area *a, unsigned outer, unsigned inner,
                            tz_shear *shear, uint16_t *count, size_t room) {
    tz_system system;
    tz_domain found = {0};
    tz_status status = pairs_of_cells(a, outer, inner, &system);
    if (status == TZ_OK)
        status = tz_domain_build(&system, 1u << a->rank | 1u << (a->rank + inner - outer),
                                 draft->arena, &found);
    tz_system_free(&system);
    for (uint32_t c = 0; c < found.count && status == TZ_OK && *count < room; c++) {
        tz_shear new = {.outer = (uint8_t)outer, .inner = (uint8_t)inner};
        bool known = !take_bound(a, &found.at[c], inner, &new.fall);
        for (unsigned s = 0; s < *count; s++)
            known |= shear[s].outer == outer && shear[s].inner == inner &&
                     shear[s].fall.divisor ==
                         new.fall.divisor &&tz_form_equal(&shear[s].fall.form, &new.fall.form);
        if (!known)
            shear[(*count)++] = new;
    }
    return status == TZ_TOO_LARGE || status == TZ_NONE ? TZ_OK : status;
}

tz_status tz_find_shears(tz_draft *draft, const tz_domain *domain, unsigned rank,
                         const tz_form *coordinate, const tz_range *range, const tz_shear **ret,
                         uint16_t *ret_count) {
    enum { MOST = 64 };
    area a = {.rank = rank, .lengths = draft->rules->lengths, .range = range};
    tz_shear shear[MOST];
    *ret = NULL;
    *ret_count = 0;
    if (rank < 2)
        return TZ_OK;
    tz_status status = make_area(draft, domain, coordinate, &a);
    if (status == TZ_TOO_LARGE)
        return TZ_OK; /* a full box it is */
    for (unsigned inner = 1; inner < rank && status == TZ_OK; inner++)
        for (unsigned outer = 0; outer < inner && status == TZ_OK; outer++) {
            /* It may fall by all of its range unless something up to `outer` holds it. */
            if ((a.tied[inner] & ((2u << outer) - 1)) != 0)
                status = add_shears(draft, &a, outer, inner, shear, ret_count, MOST);
        }
    tz_shear *kept = tz_arena_array(draft->arena, *ret_count, sizeof *kept);
    if (status == TZ_OK && kept == NULL)
        status = TZ_NO_MEMORY;
    if (status == TZ_OK) {
        memcpy(kept, shear, *ret_count * sizeof *kept);
        *ret = kept;
    }
    return status;
}
