/* nest.c - loops for systems of constraints: equations are solved first, the rest is projected from
 * the innermost variable outwards (Fourier-Motzkin), and each projection's rows are the bounds of
 * one loop. SPDX-License-Identifier: MIT */
#include "rules/polyhedra/nest.h"

#include <stdlib.h>
#include <string.h>

/* ---- Solving equations ----------------------------------------------------------------------- */

/* The system with its equations solved: solution[v] expresses variable v by a constant, lengths,
 * givens and the columns of free variables. */
typedef struct solved {
    tz_poly poly;
    bool is_free[TZ_MAX_VARIABLES];
    int64_t solution[TZ_MAX_VARIABLES][TZ_SYSTEM_COLUMNS + 1];
} solved;

/* row += factor * by; false on overflow. */
static bool add_multiple(int64_t *row, const int64_t *by, int64_t factor, unsigned columns) {
    for (unsigned c = 0; c <= columns; c++) {
        int64_t product;
        if (__builtin_mul_overflow(by[c], factor, &product) ||
            __builtin_add_overflow(row[c], product, &row[c]))
            return false;
    }
    return true;
}

/* Replaces `column` by `value` (a row not mentioning it) everywhere. */
static bool substitute(solved *s, unsigned variables, unsigned column, const int64_t *value) {
    unsigned columns = s->poly.columns;
    for (size_t r = 0; r < s->poly.rows; r++) {
        int64_t *row = s->poly.row + r * (columns + 1), k = row[1 + column];
        row[1 + column] = 0;
        if (k != 0 && !add_multiple(row, value, k, columns))
            return false;
    }
    for (unsigned v = 0; v < variables; v++) {
        int64_t k = s->solution[v][1 + column];
        s->solution[v][1 + column] = 0;
        if (k != 0 && !add_multiple(s->solution[v], value, k, columns))
            return false;
    }
    return true;
}

/* Later variables are solved for first, so that the free ones are the first to appear. An equation
 * without a coefficient +-1 stays: its loop is pinned by its bounds. */
static tz_status solve(const tz_system *system, solved *s) {
    memset(s, 0, sizeof *s);
    if (!tz_poly_copy(&s->poly, &system->poly))
        return TZ_NO_MEMORY;
    unsigned columns = s->poly.columns;
    for (unsigned v = 0; v < system->variables; v++) {
        s->is_free[v] = true;
        s->solution[v][1 + tz_system_column(system, v)] = 1;
    }
    for (unsigned v = system->variables; v-- > 0;) {
        unsigned column = tz_system_column(system, v);
        for (size_t r = 0; r < s->poly.rows; r++) {
            int64_t *row = s->poly.row + r * (columns + 1), k = row[1 + column];
            if (!s->poly.equal[r] || (k != 1 && k != -1))
                continue;
            int64_t value[TZ_SYSTEM_COLUMNS + 1];
            for (unsigned c = 0; c <= columns; c++)
                value[c] = c == 1 + column ? 0 : -k * row[c];
            memset(row, 0, (columns + 1) * sizeof *row);
            s->is_free[v] = false;
            if (!substitute(s, system->variables, column, value))
                return TZ_TOO_LARGE;
            break;
        }
    }
    return tz_lp_status(tz_poly_tidy(&s->poly));
}

tz_status tz_system_free_variables(const tz_system *system, uint32_t *ret_free, tz_form *basis) {
    solved *s = malloc(sizeof *s);
    if (s == NULL)
        return TZ_NO_MEMORY;
    tz_status status = solve(system, s);
    if (status == TZ_OK) {
        *ret_free = 0;
        for (unsigned v = 0; v < system->variables; v++) {
            if (s->is_free[v])
                *ret_free |= 1u << v;
            basis[v] = (tz_form){0};
            for (unsigned u = 0; u < system->variables; u++)
                basis[v].column[u] = (int16_t)s->solution[v][1 + tz_system_column(system, u)];
        }
    }
    tz_poly_free(&s->poly);
    free(s);
    return status;
}

/* ---- Loops ----------------------------------------------------------------------------------- */

/* A row over lengths, givens and variables as a form over lengths, givens and loops. */
static bool to_form(const int64_t *row, int64_t factor, const tz_system *system,
                    const unsigned *loop, unsigned loops, tz_form *ret) {
    tz_form form = {0};
    int64_t constant = row[0] * factor;
    if (constant < INT32_MIN || constant > INT32_MAX)
        return false;
    form.constant = (int32_t)constant;
    for (unsigned c = 0; c < system->lengths + system->givens + loops; c++) {
        unsigned column =
            c < system->lengths + system->givens
                ? c
                : tz_system_column(system, loop[c - system->lengths - system->givens]);
        int64_t k = row[1 + column] * factor;
        if (k < INT16_MIN || k > INT16_MAX)
            return false;
        if (c < system->lengths)
            form.length[c] = (int16_t)k;
        else
            form.column[c - system->lengths] = (int16_t)k;
    }
    *ret = form;
    return true;
}

/* The bounds that the rows put on the column of loop q. */
static tz_status take_bounds(const solved *s, const tz_system *system, const unsigned *loop,
                             unsigned q, tz_arena *arena, tz_range *ret) {
    unsigned columns = s->poly.columns, column = tz_system_column(system, loop[q]);
    size_t count = 0;
    for (size_t r = 0; r < s->poly.rows; r++)
        if (s->poly.row[r * (columns + 1) + 1 + column] != 0)
            count += s->poly.equal[r] ? 2 : 1;
    tz_bound *lower = tz_arena_array(arena, count, sizeof *lower);
    tz_bound *upper = tz_arena_array(arena, count, sizeof *upper);
    if (lower == NULL || upper == NULL)
        return TZ_NO_MEMORY;
    *ret = (tz_range){lower, upper, 0, 0};
    for (size_t r = 0; r < s->poly.rows; r++) {
        int64_t row[TZ_SYSTEM_COLUMNS + 1];
        memcpy(row, s->poly.row + r * (columns + 1), (columns + 1) * sizeof *row);
        int64_t k = row[1 + column];
        if (k == 0)
            continue;
        row[1 + column] = 0;
        /* rest + k x >= 0: k > 0 gives k x >= -rest, k < 0 gives -k x <= rest. */
        tz_bound bound;
        if (!to_form(row, k > 0 ? -1 : 1, system, loop, q, &bound.form))
            return TZ_TOO_LARGE;
        if ((k > 0 ? k : -k) > INT32_MAX || ret->lowers == UINT16_MAX || ret->uppers == UINT16_MAX)
            return TZ_TOO_LARGE;
        bound.divisor = (int32_t)(k > 0 ? k : -k);
        if (s->poly.equal[r] || k > 0)
            lower[ret->lowers++] = bound;
        if (s->poly.equal[r] || k < 0)
            upper[ret->uppers++] = bound;
    }
    return TZ_OK;
}

/* What is left over lengths and givens alone; that lengths are >= 0 goes without saying. */
static tz_status take_entry(const solved *s, const tz_system *system, tz_arena *arena,
                            tz_domain *ret) {
    unsigned columns = s->poly.columns;
    tz_constraint *at = tz_arena_array(arena, s->poly.rows, sizeof *at);
    if (at == NULL)
        return TZ_NO_MEMORY;
    uint32_t count = 0;
    for (size_t r = 0; r < s->poly.rows; r++) {
        const int64_t *row = s->poly.row + r * (columns + 1);
        unsigned mentioned = 0, last = 0;
        for (unsigned c = 0; c < columns; c++)
            if (row[1 + c] != 0) {
                mentioned++;
                last = c;
            }
        if (mentioned == 0 || (mentioned == 1 && last < system->lengths && row[0] == 0 &&
                               row[1 + last] == 1 && !s->poly.equal[r]))
            continue;
        if (!to_form(row, 1, system, NULL, 0, &at[count].form))
            return TZ_TOO_LARGE;
        at[count++].relation = s->poly.equal[r] ? TZ_EQ : TZ_GE;
    }
    *ret = (tz_domain){at, count};
    return TZ_OK;
}

/* New coordinates in which moving variable `base` alone moves every free variable by run[]. */
static bool turn(solved *s, const tz_system *system, const int8_t *run, unsigned base) {
    for (unsigned u = 0; u < system->variables; u++) {
        if (u == base || run[u] == 0 || !s->is_free[u])
            continue;
        int64_t along = run[u] * run[base];
        unsigned from = tz_system_column(system, u), to = tz_system_column(system, base);
        for (size_t r = 0; r < s->poly.rows; r++) {
            int64_t *row = s->poly.row + r * (s->poly.columns + 1);
            int64_t product;
            if (__builtin_mul_overflow(row[1 + from], along, &product) ||
                __builtin_add_overflow(row[1 + to], product, &row[1 + to]))
                return false;
        }
        for (unsigned v = 0; v < system->variables; v++)
            s->solution[v][1 + to] += along * s->solution[v][1 + from];
    }
    return true;
}

tz_status tz_nest_build(const tz_system *system, const tz_nest_shape *shape, tz_arena *arena,
                        tz_nest *ret_nest) {
    solved *s = malloc(sizeof *s);
    if (s == NULL)
        return TZ_NO_MEMORY;
    tz_status status = solve(system, s);
    if (status != TZ_OK)
        goto done;

    int base = shape != NULL ? shape->base : -1, split = shape != NULL ? shape->split : -1;
    status = TZ_TOO_LARGE;
    if (base >= 0) {
        if (!turn(s, system, shape->run, (unsigned)base))
            goto done;
        /* The loop counts upwards along run even where run[base] is -1. */
        if (shape->run[base] < 0) {
            unsigned column = tz_system_column(system, (unsigned)base);
            for (size_t r = 0; r < s->poly.rows; r++)
                s->poly.row[r * (s->poly.columns + 1) + 1 + column] *= -1;
            for (unsigned v = 0; v < system->variables; v++)
                s->solution[v][1 + column] *= -1;
        }
    }
    unsigned loop[TZ_MAX_VARIABLES], loops = 0;
    for (unsigned v = 0; v < system->variables; v++)
        if (s->is_free[v] && (int)v != base && (int)v != split)
            loop[loops++] = v;
    if (split >= 0)
        loop[loops++] = (unsigned)split;
    if (base >= 0)
        loop[loops++] = (unsigned)base;

    tz_range *range = tz_arena_array(arena, loops, sizeof *range);
    tz_form *variable = tz_arena_array(arena, system->variables, sizeof *variable);
    if (range == NULL || variable == NULL) {
        status = TZ_NO_MEMORY;
        goto done;
    }
    for (unsigned v = 0; v < system->variables; v++)
        if (!to_form(s->solution[v], 1, system, loop, loops, &variable[v]))
            goto done;
    status = tz_lp_status(tz_poly_tidy(&s->poly));
    for (unsigned q = loops; status == TZ_OK && q-- > 0;) {
        status = take_bounds(s, system, loop, q, arena, &range[q]);
        if (status == TZ_OK)
            status = tz_lp_status(tz_poly_eliminate(&s->poly, tz_system_column(system, loop[q])));
    }
    tz_domain entry = {0};
    if (status == TZ_OK)
        status = take_entry(s, system, arena, &entry);
    if (status == TZ_OK)
        *ret_nest = (tz_nest){.givens = (uint8_t)system->givens,
                              .loops = (uint8_t)loops,
                              .variables = (uint8_t)system->variables,
                              .entry = entry,
                              .range = range,
                              .variable = variable};
done:
    tz_poly_free(&s->poly);
    free(s);
    return status;
}

tz_status tz_range_build(const tz_domain *domain, unsigned rank, const tz_form *form,
                         unsigned lengths, tz_arena *arena, tz_range *ret_range) {
    /* Variable 0 is the form's value, the indices follow and are projected away. */
    tz_system system;
    tz_status status = tz_system_init(&system, lengths, 0, rank + 1);
    tz_form shifted[TZ_MAX_RANK], value;
    for (unsigned q = 0; q < rank; q++)
        shifted[q] = tz_form_column(q + 1);
    if (status == TZ_OK)
        status = tz_system_add_domain(&system, domain, shifted, rank);
    if (status == TZ_OK && !tz_form_compose(&value, form, shifted, rank))
        status = TZ_TOO_LARGE;
    if (status == TZ_OK) {
        value.column[0] -= 1;
        status = tz_system_add(&system, &value, TZ_EQ);
    }
    for (unsigned q = 0; status == TZ_OK && q < rank; q++)
        status = tz_lp_status(tz_poly_eliminate(&system.poly, tz_system_column(&system, q + 1)));
    if (status == TZ_OK) {
        solved view = {.poly = system.poly};
        unsigned loop = 0;
        status = take_bounds(&view, &system, &loop, 0, arena, ret_range);
    }
    tz_system_free(&system);
    return status;
}

tz_status tz_domain_build(const tz_system *system, uint32_t keep, tz_arena *arena,
                          tz_domain *ret_domain) {
    tz_system copy;
    if (tz_system_copy(&copy, system) != TZ_OK)
        return TZ_NO_MEMORY;
    tz_status status = tz_lp_status(tz_poly_tidy(&copy.poly));
    unsigned loop[TZ_MAX_VARIABLES], loops = 0;
    for (unsigned v = 0; status == TZ_OK && v < system->variables; v++)
        if (keep & 1u << v)
            loop[loops++] = v;
        else
            status = tz_lp_status(tz_poly_eliminate(&copy.poly, tz_system_column(system, v)));
    tz_constraint *at = tz_arena_array(arena, copy.poly.rows, sizeof *at);
    if (status == TZ_OK && at == NULL)
        status = TZ_NO_MEMORY;
    uint32_t count = 0;
    for (size_t r = 0; status == TZ_OK && r < copy.poly.rows; r++) {
        const int64_t *row = copy.poly.row + r * (copy.poly.columns + 1);
        if (!to_form(row, 1, &copy, loop, loops, &at[count].form))
            status = TZ_TOO_LARGE;
        else if (tz_form_has_columns(&at[count].form) || at[count].form.constant != 0)
            at[count++].relation = copy.poly.equal[r] ? TZ_EQ : TZ_GE;
    }
    if (status == TZ_OK)
        *ret_domain = (tz_domain){at, count};
    tz_system_free(&copy);
    return status;
}
