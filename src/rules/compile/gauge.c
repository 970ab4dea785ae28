/* gauge.c - how scores can be rescaled without changing the answer: the gauges of table.h.
 *
 * The unknowns are the coefficients of all affine forms, those of the kinds and those of the
 * weights. Each step's identity is linear in them, and linear in the homogeneous point (1, lengths,
 * givens, loops): it holds at every point of the step if it holds at a basis of what the points
 * span, which is what the nest's equations leave. So every member of such a basis gives a linear
 * equation, and the gauges are a basis of the solutions. Weights' forms have no lengths: a gauge
 * times a length is the same change of scale for any one problem. Weight pushing in automata does
 * the same with potentials of any form.
 *
 * Numbers that do not fit, or too many unknowns, give fewer gauges or none, never an error.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "rules/compile/compile.h"
#include "rules/polyhedra/form.h"
#include "rules/polyhedra/gcd.h"

enum {
    MAX_UNKNOWNS = 1640,
    WEIGHT_WIDTH = 1 + TZ_MAX_RANK,
    KIND_WIDTH = WEIGHT_WIDTH + TZ_MAX_LENGTHS
};

/* ---- Integer matrices ----------------------------------------------------------------------- */

/* Rows in reduced echelon form: the leftmost number of each, its pivot, is alone in its column. So
 * every column without a pivot has one basic solution, and that mentions only columns before it. */
typedef struct matrix {
    unsigned columns, rows;
    bool overflow;  /* from here on it says nothing */
    int64_t *at;    /* [rows][columns] */
    int16_t *pivot; /* [columns] the row, or -1 */
} matrix;

static void matrix_clear(matrix *m) {
    m->rows = 0;
    m->overflow = false;
    memset(m->pivot, -1, m->columns * sizeof *m->pivot);
}

/* false when memory is out; it may then be freed. */
static bool matrix_init(matrix *m, unsigned columns, unsigned capacity) {
    *m = (matrix){.columns = columns};
    m->at = malloc((size_t)capacity * columns * sizeof *m->at);
    m->pivot = malloc(columns * sizeof *m->pivot);
    if (m->at == NULL || m->pivot == NULL)
        return false;
    matrix_clear(m);
    return true;
}

static void matrix_free(matrix *m) {
    free(m->at);
    free(m->pivot);
}

/* Subtracts a multiple of `by` from a multiple of `row` such that `column` becomes 0, and divides
 * by what the numbers have in common. */
static void cancel(matrix *m, int64_t *row, const int64_t *by, unsigned column) {
    uint64_t common = tz_gcd((uint64_t)llabs(row[column]), (uint64_t)llabs(by[column]));
    int64_t p = by[column] / (int64_t)common, q = row[column] / (int64_t)common;
    for (unsigned c = 0; c < m->columns; c++) {
        int64_t a, b;
        m->overflow |= __builtin_mul_overflow(row[c], p, &a) ||
                       __builtin_mul_overflow(by[c], q, &b) ||
                       __builtin_sub_overflow(a, b, &row[c]) || row[c] == INT64_MIN;
        if (m->overflow)
            return;
    }
    common = 0;
    for (unsigned c = 0; c < m->columns && common != 1; c++)
        common = tz_gcd(common, (uint64_t)llabs(row[c]));
    for (unsigned c = 0; c < m->columns && common > 1; c++)
        row[c] /= (int64_t)common;
}

/* Adds a row, unless it depends on those there; then false. Overwrites it. */
static bool matrix_add(matrix *m, int64_t *row) {
    unsigned first = m->columns;
    for (unsigned c = 0; c < m->columns && !m->overflow; c++)
        if (row[c] != 0 && m->pivot[c] >= 0)
            cancel(m, row, m->at + (size_t)m->pivot[c] * m->columns, c);
        else if (row[c] != 0 && first == m->columns)
            first = c;
    for (unsigned r = 0; r < m->rows && first < m->columns && !m->overflow; r++) {
        int64_t *other = m->at + (size_t)r * m->columns;
        if (other[first] != 0)
            cancel(m, other, row, first);
    }
    if (first == m->columns || m->overflow)
        return false;
    memcpy(m->at + (size_t)m->rows * m->columns, row, m->columns * sizeof *row);
    m->pivot[first] = (int16_t)m->rows++;
    return true;
}

static bool matrix_add_unit(matrix *m, unsigned column) {
    int64_t row[MAX_UNKNOWNS] = {0};
    row[column] = 1;
    return matrix_add(m, row);
}

/* The least whole solution that is positive in `column` and 0 in every other column without a
 * pivot; false if `column` has a pivot, or a number does not fit int32_t. */
static bool matrix_solution(const matrix *m, unsigned column, int64_t *ret) {
    if (m->pivot[column] >= 0 || m->overflow)
        return false;
    int64_t scale = 1;
    for (unsigned c = 0; c < column; c++) {
        if (m->pivot[c] < 0)
            continue;
        const int64_t *row = m->at + (size_t)m->pivot[c] * m->columns;
        int64_t p =
            llabs(row[c]) / (int64_t)tz_gcd((uint64_t)llabs(row[c]), (uint64_t)llabs(row[column]));
        p /= (int64_t)tz_gcd((uint64_t)p, (uint64_t)scale);
        if (__builtin_mul_overflow(scale, p, &scale) || scale > INT32_MAX)
            return false;
    }
    memset(ret, 0, m->columns * sizeof *ret);
    for (unsigned c = 0; c < column; c++) {
        int64_t product;
        if (m->pivot[c] < 0)
            continue;
        const int64_t *row = m->at + (size_t)m->pivot[c] * m->columns;
        if (__builtin_mul_overflow(row[column], scale, &product))
            return false;
        ret[c] = -(product / row[c]);
        if (ret[c] < -INT32_MAX || ret[c] > INT32_MAX)
            return false;
    }
    ret[column] = scale;
    return true;
}

/* ---- Equations ------------------------------------------------------------------------------- */

typedef struct gauging {
    tz_rules *rules;
    unsigned unknowns, first_weight; /* unknowns before that are the kinds' */
    matrix equations;
    matrix hull;  /* of one step: loops, givens, lengths, 1 */
    matrix *used; /* [weights] the cells (1, indices) that steps use */
    matrix kept;  /* the kinds' coefficients in the gauges taken */
} gauging;

/* Coefficient c of a form: 0 is its constant, then come those of the indices and of the lengths.
 * Constants of weights come before their other coefficients, so that what constants alone can do is
 * done by them. */
static unsigned unknown(const gauging *g, tz_what what, unsigned which, unsigned c) {
    return what == TZ_WEIGHT ? g->first_weight + c * g->rules->weights + which
                             : which * KIND_WIDTH + c;
}

static unsigned width(tz_what what) {
    return what == TZ_WEIGHT ? WEIGHT_WIDTH : KIND_WIDTH;
}

/* A homogeneous point: forms count their constant `one` times. */
typedef struct point {
    int64_t one;
    int32_t length[TZ_MAX_LENGTHS];
    int64_t column[TZ_MAX_COLUMNS];
} point;

/* The form's value; false if it does not fit int32_t. */
static bool value_at(const gauging *g, const tz_form *form, const point *at, int64_t *ret) {
    *ret = tz_form_value(form, g->rules->lengths, at->length, TZ_MAX_COLUMNS, at->column) +
           form->constant * (at->one - 1);
    return *ret >= -INT32_MAX && *ret <= INT32_MAX;
}

/* form - divisor * column = 0; a divisor of 0: form = 0. */
static void add_fact(gauging *g, const tz_nest *nest, const tz_form *form, unsigned column,
                     int32_t divisor) {
    int64_t row[TZ_MAX_COLUMNS + TZ_MAX_LENGTHS + 1] = {0};
    unsigned columns = (unsigned)nest->givens + nest->loops, lengths = g->rules->lengths;
    for (unsigned c = 0; c < columns; c++)
        row[columns - 1 - c] = form->column[c] - (c == column ? divisor : 0);
    for (unsigned l = 0; l < lengths; l++)
        row[columns + l] = form->length[l];
    row[columns + lengths] = form->constant;
    matrix_add(&g->hull, row);
}

/* The equations that hold at every point of the nest, as far as it shows them. */
static void find_hull(gauging *g, const tz_nest *nest) {
    g->hull.columns = (unsigned)nest->givens + nest->loops + g->rules->lengths + 1;
    matrix_clear(&g->hull);
    for (uint32_t c = 0; c < nest->entry.count; c++)
        if (nest->entry.at[c].relation == TZ_EQ)
            add_fact(g, nest, &nest->entry.at[c].form, 0, 0);
    for (unsigned q = 0; q < nest->loops; q++) {
        const tz_range *range = &nest->range[q];
        for (unsigned a = 0; a < range->lowers; a++)
            for (unsigned b = 0; b < range->uppers; b++)
                if (range->lower[a].divisor == range->upper[b].divisor &&
                    tz_form_equal(&range->lower[a].form, &range->upper[b].form))
                    add_fact(g, nest, &range->lower[a].form, nest->givens + q,
                             range->lower[a].divisor);
    }
}

/* Member c of a basis of the points; false if there is none. */
static bool hull_point(const gauging *g, unsigned c, point *ret) {
    int64_t solution[TZ_MAX_COLUMNS + TZ_MAX_LENGTHS + 1];
    unsigned lengths = g->rules->lengths, columns = g->hull.columns - 1 - lengths;
    if (!matrix_solution(&g->hull, c, solution))
        return false;
    *ret = (point){.one = solution[columns + lengths]};
    for (unsigned l = 0; l < lengths; l++)
        ret->length[l] = (int32_t)solution[columns + l];
    for (unsigned d = 0; d < columns; d++)
        ret->column[d] = solution[columns - 1 - d];
    return true;
}

/* Adds sign * the term's form at the point to the row; false where numbers do not fit. */
static bool add_term(gauging *g, const tz_term *term, const point *at, int sign, int64_t *row) {
    int64_t cell[KIND_WIDTH] = {at->one};
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (!value_at(g, &term->index[q], at, &cell[1 + q]))
            return false;
    for (unsigned l = 0; l < g->rules->lengths; l++)
        cell[WEIGHT_WIDTH + l] = at->length[l];
    for (unsigned c = 0; c < width(term->what); c++)
        row[unknown(g, term->what, term->which, c)] += sign * cell[c];
    if (term->what == TZ_WEIGHT)
        matrix_add(&g->used[term->which], cell);
    return true;
}

/* The identity at a point of the step; likewise. */
static bool add_identity(gauging *g, const tz_step *step, const point *at) {
    int64_t row[MAX_UNKNOWNS] = {0};
    point variables = {.one = at->one};
    memcpy(variables.length, at->length, sizeof variables.length);
    for (unsigned v = 0; v < step->variables; v++)
        if (!value_at(g, &step->nest.variable[v], at, &variables.column[v]))
            return false;
    bool fits = add_term(g, &step->target, &variables, -1, row);
    for (unsigned t = 0; t < step->terms && fits && !tz_is_presence(g->rules, step); t++)
        fits = add_term(g, &step->term[t], &variables, 1, row);
    if (fits)
        matrix_add(&g->equations, row);
    return fits;
}

/* false where there cannot be gauges. */
static bool add_equations(gauging *g) {
    const tz_rules *rules = g->rules;
    for (unsigned s = 0; s < rules->steps && !g->equations.overflow; s++) {
        const tz_step *step = &rules->step[s];
        point at;
        find_hull(g, &step->nest);
        for (unsigned c = 0; c < g->hull.columns; c++)
            if (g->hull.pivot[c] < 0 && (!hull_point(g, c, &at) || !add_identity(g, step, &at)))
                return false;
    }
    /* What is never seen of a weight's form is 0. */
    for (unsigned w = 0; w < rules->weights; w++) {
        if (g->used[w].overflow)
            return false;
        for (unsigned c = 0; c < WEIGHT_WIDTH; c++)
            if (g->used[w].pivot[c] < 0)
                matrix_add_unit(&g->equations, unknown(g, TZ_WEIGHT, w, c));
    }
    return !g->equations.overflow;
}

/* ---- Solutions ------------------------------------------------------------------------------- */

static bool take_form(const gauging *g, tz_what what, unsigned which, const int64_t *solution,
                      int sign, tz_form *ret) {
    for (unsigned c = 0; c < width(what); c++) {
        int64_t k = sign * solution[unknown(g, what, which, c)];
        if (c > 0 && (k < -INT16_MAX || k > INT16_MAX))
            return false;
        if (c == 0)
            ret->constant = (int32_t)k;
        else if (c < WEIGHT_WIDTH)
            ret->column[c - 1] = (int16_t)k;
        else
            ret->length[c - WEIGHT_WIDTH] = (int16_t)k;
    }
    return true;
}

/* 1 or -1 if the goal's form grows or shrinks with the lengths, 0 if it does neither. */
static int growth(const gauging *g, const int64_t *solution) {
    const tz_term *goal = &g->rules->goal;
    bool up = false, down = false;
    for (unsigned l = 0; l < g->rules->lengths; l++) {
        int64_t k = solution[unknown(g, TZ_INSIDE, goal->which, WEIGHT_WIDTH + l)];
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            k += solution[unknown(g, TZ_INSIDE, goal->which, 1 + q)] * goal->index[q].length[l];
        up |= k > 0;
        down |= k < 0;
    }
    return (up && !down) - (down && !up);
}

/* TZ_NONE if a coefficient does not fit. */
static tz_status take(const gauging *g, const int64_t *solution, tz_gauge *ret) {
    const tz_rules *rules = g->rules;
    int sign = growth(g, solution) < 0 ? -1 : 1;
    tz_form *kind = tz_arena_array(rules->arena, rules->kinds, sizeof *kind);
    tz_form *weight = tz_arena_array(rules->arena, rules->weights, sizeof *weight);
    if (kind == NULL || weight == NULL)
        return TZ_NO_MEMORY;
    for (unsigned k = 0; k < rules->kinds; k++)
        if (!take_form(g, TZ_INSIDE, k, solution, sign, &kind[k]))
            return TZ_NONE;
    for (unsigned w = 0; w < rules->weights; w++)
        if (!take_form(g, TZ_WEIGHT, w, solution, sign, &weight[w]))
            return TZ_NONE;
    *ret = (tz_gauge){kind, weight, rules->kinds, rules->weights};
    return TZ_OK;
}

/* Solutions of columns before the weights' have no weight in them. Of the others, the first to
 * come is one that grows at the goal, then those that rescale kinds in a new way, then those that
 * only move scores from one weight to another. */
static tz_status take_gauges(gauging *g) {
    enum { GROWING, NEW, ANY };
    tz_gauge gauge[TZ_MAX_GAUGES];
    bool done[MAX_UNKNOWNS] = {false};
    unsigned count = 0;
    for (int turn = GROWING; turn <= ANY; turn++) {
        for (unsigned c = g->first_weight; c < g->unknowns && count < TZ_MAX_GAUGES; c++) {
            int64_t solution[MAX_UNKNOWNS];
            if (done[c] || !matrix_solution(&g->equations, c, solution) ||
                (turn == GROWING && growth(g, solution) == 0))
                continue;
            int64_t kinds[MAX_UNKNOWNS];
            memcpy(kinds, solution, g->first_weight * sizeof *kinds);
            if (turn != ANY && !matrix_add(&g->kept, kinds))
                continue;
            tz_status status = take(g, solution, &gauge[count]);
            if (status == TZ_NO_MEMORY)
                return status;
            done[c] = true;
            count += status == TZ_OK;
            if (turn == GROWING && status == TZ_OK)
                break;
        }
    }
    tz_gauge *all = tz_arena_array(g->rules->arena, count, sizeof *all);
    if (all == NULL)
        return TZ_NO_MEMORY;
    memcpy(all, gauge, count * sizeof *all);
    g->rules->gauge = all;
    g->rules->gauges = (uint8_t)count;
    return TZ_OK;
}

tz_status tz_find_gauges(tz_rules *rules) {
    gauging g = {.rules = rules};
    g.first_weight = (unsigned)KIND_WIDTH * rules->kinds;
    g.unknowns = g.first_weight + (unsigned)WEIGHT_WIDTH * rules->weights;
    if (rules->weights == 0 || g.unknowns > MAX_UNKNOWNS)
        return TZ_OK;
    tz_status status = TZ_NO_MEMORY;
    g.used = calloc(rules->weights, sizeof *g.used);
    bool made = g.used != NULL && matrix_init(&g.equations, g.unknowns, g.unknowns) &&
                matrix_init(&g.kept, g.first_weight, g.first_weight) &&
                matrix_init(&g.hull, TZ_MAX_COLUMNS + TZ_MAX_LENGTHS + 1,
                            TZ_MAX_COLUMNS + TZ_MAX_LENGTHS + 1);
    for (unsigned w = 0; w < rules->weights && made; w++)
        made = matrix_init(&g.used[w], WEIGHT_WIDTH, WEIGHT_WIDTH);
    if (made)
        status = add_equations(&g) ? take_gauges(&g) : TZ_OK;
    matrix_free(&g.equations);
    matrix_free(&g.kept);
    matrix_free(&g.hull);
    for (unsigned w = 0; w < rules->weights && g.used != NULL; w++)
        matrix_free(&g.used[w]);
    free(g.used);
    return status;
}
