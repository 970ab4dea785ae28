/* degree.c - growth as a polynomial: the dimension of what the loops visit.
 *
 * The points of a nest, divided by length l as it grows, fill a polyhedron whose affine dimension
 * is the degree in l. Around a generic point of it only the constraints that hold with equality all
 * over it are felt; among those the next length, much smaller, opens its own dimensions.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/nest.h"
#include "rules/tell/cost.h"

/* Of the distinct constraints of a step, each of which takes a linear program. */
enum { MAX_ROWS = 256 };

/* A product of powers of lengths and of numbers of sparse entries. */
typedef struct monomial {
    unsigned length[TZ_MAX_LENGTHS];
    unsigned weights, weight[TZ_MAX_SPARSE]; /* ascending */
} monomial;

/* sum of length[l] * (length l) + sum of column[c] * (column c), >= 0 or = 0. */
typedef struct limit {
    int64_t length[TZ_MAX_LENGTHS], column[TZ_MAX_COLUMNS];
    bool equal;
} limit;

/* Constraints without their constants, of which the first `rows` are still felt. */
typedef struct shape {
    unsigned lengths, columns;
    const bool *fixed; /* [columns] counted elsewhere */
    size_t rows;
    limit *at;
} shape;

/* The row of a constraint when length l is 1 and all others vanish. */
static void limit_row(const shape *shape, size_t r, unsigned l, int64_t sign, int64_t *row) {
    row[0] = sign * shape->at[r].length[l];
    for (unsigned c = 0; c < shape->columns; c++)
        row[1 + c] = sign * shape->at[r].column[c];
}

/* Adds sign * form + pivot * column >= 0 (or = 0), once. */
static void add_limit(shape *shape, const tz_form *form, int sign, unsigned column, int64_t pivot,
                      bool equal) {
    limit *at = &shape->at[shape->rows++];
    for (unsigned l = 0; l < shape->lengths; l++)
        at->length[l] = sign * form->length[l];
    for (unsigned c = 0; c < shape->columns; c++)
        at->column[c] = sign * form->column[c];
    if (pivot != 0)
        at->column[column] += pivot;
    at->equal = equal;
    for (size_t r = 0; r + 1 < shape->rows; r++) {
        const limit *old = &shape->at[r];
        if (old->equal == equal && memcmp(old->length, at->length, sizeof at->length) == 0 &&
            memcmp(old->column, at->column, sizeof at->column) == 0) {
            shape->rows--;
            return;
        }
    }
}

static void add_domain(shape *shape, const tz_domain *domain) {
    for (uint32_t c = 0; c < domain->count; c++) {
        const tz_constraint *at = &domain->at[c];
        if (at->relation != TZ_NE)
            add_limit(shape, &at->form, 1, 0, 0, at->relation == TZ_EQ);
    }
}

/* Drops the rows that do not hold with equality all over the limit in length l. */
static tz_status keep_tight(shape *shape, unsigned l) {
    int64_t row[1 + TZ_MAX_COLUMNS], num, den;
    if (shape->rows > MAX_ROWS)
        return TZ_TOO_LARGE;
    tz_poly poly;
    tz_poly_init(&poly, shape->columns);
    tz_status status = TZ_NO_MEMORY;
    for (size_t r = 0; r < shape->rows; r++) {
        limit_row(shape, r, l, 1, row);
        if (!tz_poly_add(&poly, row, shape->at[r].equal))
            goto done;
    }
    size_t kept = 0;
    memset(row, 0, sizeof row);
    status = tz_lp_status(tz_poly_minimise(&poly, row, &num, &den));
    for (size_t r = 0; r < shape->rows && status == TZ_OK; r++) {
        limit_row(shape, r, l, -1, row);
        tz_lp lp = tz_poly_minimise(&poly, row, &num, &den);
        status = tz_lp_status(lp);
        if (lp == TZ_LP_OPTIMUM && num == 0)
            shape->at[kept++] = shape->at[r];
    }
    shape->rows = kept;
done:
    tz_poly_free(&poly);
    return status;
}

/* The dimension of what satisfies all rows with equality, the fixed columns left out. */
static tz_status dimension(const shape *shape, unsigned *ret_dimension) {
    int64_t row[1 + TZ_MAX_COLUMNS];
    unsigned open = 0;
    tz_poly poly;
    tz_poly_init(&poly, shape->columns);
    tz_status status = TZ_OK;
    for (size_t r = 0; r < shape->rows && status == TZ_OK; r++) {
        limit_row(shape, r, 0, 1, row);
        row[0] = 0;
        for (unsigned c = 0; c < shape->columns; c++)
            row[1 + c] = shape->fixed[c] ? 0 : row[1 + c];
        status = tz_poly_add(&poly, row, true) ? TZ_OK : TZ_NO_MEMORY;
    }
    /* Equations that the others imply go: as many as the rank stay. */
    if (status == TZ_OK)
        status = tz_lp_status(tz_poly_tidy(&poly));
    for (unsigned c = 0; c < shape->columns; c++)
        open += !shape->fixed[c];
    *ret_dimension = open - (unsigned)poly.rows;
    tz_poly_free(&poly);
    return status;
}

/* TZ_NONE: no points for large lengths. */
static tz_status degrees(shape *shape, monomial *ret) {
    unsigned before = 0;
    for (unsigned l = 0; l < shape->lengths; l++) {
        unsigned now;
        tz_status status = keep_tight(shape, l);
        if (status == TZ_OK)
            status = dimension(shape, &now);
        if (status != TZ_OK)
            return status;
        ret->length[l] = now - before;
        before = now;
    }
    return TZ_OK;
}

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
static void add_loops(shape *shape, const tz_range *range, unsigned loops, unsigned first) {
    for (unsigned q = 0; q < loops; q++, range++) {
        for (unsigned b = 0; b < range->lowers; b++)
            add_limit(shape, &range->lower[b].form, -1, first + q, range->lower[b].divisor, false);
        for (unsigned b = 0; b < range->uppers; b++) {
            add_limit(shape, &range->upper[b].form, 1, first + q, -(int64_t)range->upper[b].divisor,
                      false);
        }
    }
}

/* Every stage looks at every combination of sparse entries, whether it is theirs or not. */
static tz_status of_stages(const tz_rules *rules, const tz_step *step, monomial *ret) {
    const tz_kind *target = &rules->kind[step->target.which];
    const bool fixed[TZ_MAX_COLUMNS] = {false};
    shape shape = {rules->lengths, rules->group[target->group].stages, fixed, 0, NULL};
    shape.at = calloc(bounds(target->stage_range, shape.columns) + 1, sizeof *shape.at);
    if (!shape.at)
        return TZ_NO_MEMORY;
    add_loops(&shape, target->stage_range, shape.columns, 0);
    tz_status status = degrees(&shape, ret);
    free(shape.at);
    return status;
}

/* The points of the step's loops. */
static tz_status of_step(const tz_rules *rules, const tz_step *step, monomial *ret) {
    const tz_nest *nest = &step->nest;
    size_t rows = nest->entry.count + bounds(nest->range, nest->loops);
    bool fixed[TZ_MAX_COLUMNS] = {false};
    shape shape = {rules->lengths, (unsigned)nest->givens + nest->loops, fixed, 0, NULL};
    shape.at = calloc(rows + 1, sizeof *shape.at);
    if (!shape.at)
        return TZ_NO_MEMORY;
    add_domain(&shape, &nest->entry);
    add_loops(&shape, nest->range, nest->loops, nest->givens);
    unsigned column = rules->group[rules->kind[step->target.which].group].stages;
    for (unsigned t = 0; t < step->sparse; t++)
        for (unsigned q = 0; q < rules->weight[step->term[t].which].rank; q++)
            fixed[column++] = true;
    tz_status status = degrees(&shape, ret);
    free(shape.at);
    return status;
}

static tz_status of_kind(const tz_rules *rules, const tz_kind *kind, monomial *ret) {
    const bool fixed[TZ_MAX_COLUMNS] = {false};
    shape shape = {rules->lengths, kind->rank, fixed, 0, NULL};
    shape.at = calloc((size_t)kind->domain.count + 1, sizeof *shape.at);
    if (!shape.at)
        return TZ_NO_MEMORY;
    add_domain(&shape, &kind->domain);
    tz_status status = degrees(&shape, ret);
    free(shape.at);
    return status;
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
