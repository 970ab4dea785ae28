/* growth.c - growth as a polynomial.
 *
 * The points of a system, divided by length l as it grows, fill a polyhedron whose affine dimension
 * is the degree in l. Around a generic point of it only the constraints that hold with equality all
 * over it are felt; among those the next length, much smaller, opens its own dimensions.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/polyhedra/growth.h"

#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/system.h"

/* Of the distinct constraints of a step, each of which takes a linear program. */
enum { MAX_ROWS = 256 };

tz_status tz_growth_init(tz_growth *growth, unsigned lengths, unsigned columns, size_t room) {
    *growth = (tz_growth){.lengths = lengths, .columns = columns};
    for (unsigned l = 0; l < lengths; l++)
        growth->order[l] = (uint8_t)l;
    growth->at = calloc(room + 1, sizeof *growth->at);
    return growth->at != NULL ? TZ_OK : TZ_NO_MEMORY;
}

void tz_growth_free(tz_growth *growth) {
    free(growth->at);
    growth->at = NULL;
}

void tz_growth_add(tz_growth *growth, const tz_form *form, int sign, unsigned column, int64_t pivot,
                   bool equal) {
    tz_growth_row *at = &growth->at[growth->rows++];
    *at = (tz_growth_row){.equal = equal};
    for (unsigned l = 0; l < growth->lengths; l++)
        at->length[l] = sign * form->length[l];
    for (unsigned c = 0; c < growth->columns; c++)
        at->column[c] = sign * form->column[c];
    if (pivot != 0)
        at->column[column] += pivot;
    for (size_t r = 0; r + 1 < growth->rows; r++) {
        const tz_growth_row *old = &growth->at[r];
        if (old->equal == equal && memcmp(old->length, at->length, sizeof at->length) == 0 &&
            memcmp(old->column, at->column, sizeof at->column) == 0) {
            growth->rows--;
            return;
        }
    }
}

void tz_growth_add_domain(tz_growth *growth, const tz_domain *domain) {
    for (uint32_t c = 0; c < domain->count; c++) {
        const tz_constraint *at = &domain->at[c];
        if (at->relation != TZ_NE)
            tz_growth_add(growth, &at->form, 1, 0, 0, at->relation == TZ_EQ);
    }
}

/* The row of a constraint when length order[l] is 1 and all others vanish. */
static void limit_row(const tz_growth *growth, size_t r, unsigned l, int64_t sign, int64_t *row) {
    row[0] = sign * growth->at[r].length[growth->order[l]];
    for (unsigned c = 0; c < growth->columns; c++)
        row[1 + c] = sign * growth->at[r].column[c];
}

/* Of the first `rows` constraints, brings those to the front that hold with equality all over the
 * limit in length order[l]. */
static tz_status find_tight(tz_growth *growth, unsigned l, size_t rows) {
    int64_t row[1 + TZ_MAX_COLUMNS], num, den;
    tz_poly poly;
    tz_poly_init(&poly, growth->columns);
    tz_status status = TZ_NO_MEMORY;
    for (size_t r = 0; r < rows; r++) {
        limit_row(growth, r, l, 1, row);
        if (!tz_poly_add(&poly, row, growth->at[r].equal))
            goto done;
    }
    size_t kept = 0;
    memset(row, 0, sizeof row);
    status = tz_lp_status(tz_poly_minimise(&poly, row, &num, &den));
    for (size_t r = 0; r < rows && status == TZ_OK; r++) {
        limit_row(growth, r, l, -1, row);
        tz_lp lp = tz_poly_minimise(&poly, row, &num, &den);
        status = tz_lp_status(lp);
        if (lp == TZ_LP_OPTIMUM && num == 0) {
            tz_growth_row tight = growth->at[r];
            growth->at[r] = growth->at[kept];
            growth->at[kept++] = tight;
        }
    }
    growth->tight[l] = kept;
done:
    tz_poly_free(&poly);
    return status;
}

tz_status tz_growth_find(tz_growth *growth) {
    if (growth->rows > MAX_ROWS)
        return TZ_TOO_LARGE;
    tz_status status = TZ_OK;
    for (unsigned l = 0; l < growth->lengths && status == TZ_OK; l++)
        status = find_tight(growth, l, l > 0 ? growth->tight[l - 1] : growth->rows);
    return status;
}

/* The dimension of what satisfies, with equality, all that is felt for length order[l], the given
 * columns left out. */
static tz_status dimension(const tz_growth *growth, unsigned l, uint32_t given, unsigned *ret) {
    int64_t row[1 + TZ_MAX_COLUMNS];
    tz_poly poly;
    tz_poly_init(&poly, growth->columns);
    tz_status status = TZ_OK;
    for (size_t r = 0; r < growth->tight[l] && status == TZ_OK; r++) {
        limit_row(growth, r, l, 1, row);
        row[0] = 0;
        for (unsigned c = 0; c < growth->columns; c++)
            row[1 + c] = given >> c & 1 ? 0 : row[1 + c];
        status = tz_poly_add(&poly, row, true) ? TZ_OK : TZ_NO_MEMORY;
    }
    /* Equations that the others imply go: as many as the rank stay. */
    if (status == TZ_OK)
        status = tz_lp_status(tz_poly_tidy(&poly));
    unsigned open = 0;
    for (unsigned c = 0; c < growth->columns; c++)
        open += !(given >> c & 1);
    *ret = open - (unsigned)poly.rows;
    tz_poly_free(&poly);
    return status;
}

tz_status tz_growth_given(const tz_growth *growth, uint32_t given, unsigned *ret_degree) {
    unsigned before = 0;
    for (unsigned l = 0; l < growth->lengths; l++) {
        unsigned now;
        tz_status status = dimension(growth, l, given, &now);
        if (status != TZ_OK)
            return status;
        ret_degree[growth->order[l]] = now - before;
        before = now;
    }
    return TZ_OK;
}

tz_status tz_growth_onto(const tz_growth *growth, uint32_t set, unsigned *ret_degree) {
    unsigned beside[TZ_MAX_LENGTHS];
    tz_status status = tz_growth_given(growth, 0, ret_degree);
    if (status == TZ_OK)
        status = tz_growth_given(growth, set, beside);
    for (unsigned l = 0; l < growth->lengths && status == TZ_OK; l++)
        ret_degree[l] -= beside[l];
    return status;
}
