/* instances_by_trial.c - the instances of one rule, found by trying values inside the intervals
 * that the constraints leave. SPDX-License-Identifier: MIT */
#include "rules/polyhedra/instances_by_trial.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_COEFFICIENT = 1 << 16,
    MAX_BOX = 1 << 16 /* |value| of a variable that only several constraints together bound */
};

/* Stands for no bound. Exact numbers stay far enough below it for their sums not to overflow. */
static const int64_t FAR = INT64_C(1) << 34;

static const uint32_t ALL = UINT32_MAX; /* variables */

typedef struct box {
    int64_t low[TZ_MAX_VARIABLES], high[TZ_MAX_VARIABLES];
} box;

/* ---- Clauses --------------------------------------------------------------------------------- */

/* The form with the lengths put in, over the rule's variables. `index` says what the form's columns
 * are in terms of these, and is NULL where they are the variables themselves. */
static bool fill_clause(const tz_rules *rules, const int32_t *lengths, const tz_form *form,
                        tz_relation relation, const tz_form *index, unsigned columns,
                        tz_clause *ret) {
    memset(ret, 0, sizeof *ret);
    ret->relation = relation;
    ret->constant = form->constant;
    for (unsigned l = 0; l < rules->lengths; l++)
        ret->constant += (int64_t)form->length[l] * lengths[l];
    for (unsigned c = 0; c < columns; c++) {
        int64_t factor = form->column[c];
        if (!index) {
            ret->coefficient[c] = factor;
            continue;
        }
        ret->constant += factor * index[c].constant;
        for (unsigned l = 0; l < rules->lengths; l++)
            ret->constant += factor * index[c].length[l] * lengths[l];
        for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
            ret->coefficient[v] += factor * index[c].column[v];
    }
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++) {
        if (llabs(ret->coefficient[v]) > MAX_COEFFICIENT)
            return false;
        if (ret->coefficient[v])
            ret->variables |= UINT32_C(1) << v;
    }
    ret->variables = ret->variables ? ret->variables : ALL;
    return llabs(ret->constant) < FAR;
}

static const tz_domain *domain_of(const tz_rules *rules, const tz_term *term, unsigned *ret_rank) {
    if (term->what == TZ_WEIGHT) {
        *ret_rank = rules->weight[term->which].rank;
        return &rules->weight[term->which].domain;
    }
    *ret_rank = rules->item[term->which].rank;
    return &rules->item[term->which].domain;
}

static bool add_domain(const tz_rules *rules, const int32_t *lengths, const tz_term *term,
                       tz_clauses *to) {
    unsigned rank;
    const tz_domain *domain = domain_of(rules, term, &rank);
    for (uint32_t d = 0; d < domain->count; d++)
        if (!fill_clause(rules, lengths, &domain->at[d].form, domain->at[d].relation, term->index,
                         rank, &to->at[to->count++]))
            return false;
    return true;
}

tz_status tz_clauses_make(const tz_rules *rules, const int32_t *lengths, const tz_rule *rule,
                          tz_clauses *ret) {
    unsigned rank, unused;
    *ret = (tz_clauses){.rule = rule};
    size_t count = domain_of(rules, &rule->conclusion, &rank)->count;
    count += rank + rule->condition.count;
    for (unsigned p = 0; p < rule->premises; p++)
        count += domain_of(rules, &rule->premise[p], &unused)->count;
    for (unsigned s = 0; s < rule->sides; s++)
        count += domain_of(rules, &rule->side[s], &unused)->count;
    for (unsigned w = 0; w < rule->weights; w++)
        count += domain_of(rules, &rule->weight[w], &unused)->count;
    ret->rank = rank;
    ret->at = calloc(count ? count : 1, sizeof *ret->at);
    ret->conclusion = calloc(rank ? rank : 1, sizeof *ret->conclusion);
    if (!ret->at || !ret->conclusion)
        return TZ_NO_MEMORY;

    bool fits = true;
    for (unsigned q = 0; fits && q < rank; q++)
        fits = fill_clause(rules, lengths, &rule->conclusion.index[q], TZ_EQ, NULL, rule->variables,
                           &ret->conclusion[q]);
    ret->count = rank;
    for (unsigned p = 0; fits && p < rule->premises; p++)
        fits = add_domain(rules, lengths, &rule->premise[p], ret);
    for (unsigned s = 0; fits && s < rule->sides; s++)
        fits = add_domain(rules, lengths, &rule->side[s], ret);
    for (unsigned w = 0; fits && w < rule->weights; w++)
        fits = add_domain(rules, lengths, &rule->weight[w], ret);
    for (uint32_t d = 0; fits && d < rule->condition.count; d++)
        fits =
            fill_clause(rules, lengths, &rule->condition.at[d].form, rule->condition.at[d].relation,
                        NULL, rule->variables, &ret->at[ret->count++]);
    fits = fits && add_domain(rules, lengths, &rule->conclusion, ret);
    return fits ? TZ_OK : TZ_TOO_LARGE;
}

void tz_clauses_free(tz_clauses *clauses) {
    free(clauses->at);
    free(clauses->conclusion);
}

static bool satisfied(const tz_clause *clause, size_t count, unsigned variables,
                      const int64_t *value) {
    for (; count > 0; clause++, count--) {
        int64_t sum = clause->constant;
        for (unsigned v = 0; v < variables; v++)
            sum += clause->coefficient[v] * value[v];
        if (clause->relation == TZ_GE ? sum < 0 : (sum == 0) != (clause->relation == TZ_EQ))
            return false;
    }
    return true;
}

bool tz_term_declared(const tz_rules *rules, const int32_t *lengths, const tz_term *term) {
    unsigned rank;
    const tz_domain *domain = domain_of(rules, term, &rank);
    for (uint32_t d = 0; d < domain->count; d++) {
        tz_clause clause;
        if (!fill_clause(rules, lengths, &domain->at[d].form, domain->at[d].relation, term->index,
                         rank, &clause) ||
            !satisfied(&clause, 1, 0, NULL))
            return false;
    }
    return true;
}

/* ---- Intervals ------------------------------------------------------------------------------- */

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Narrows the box by sign * clause >= 0, marks the variables it narrows; false if nothing is left.
 */
static bool narrow(const tz_clause *clause, int sign, unsigned variables, box *box,
                   uint32_t *narrowed) {
    int64_t most = sign * clause->constant;
    unsigned open = 0;
    for (unsigned v = 0; v < variables; v++) {
        int64_t a = sign * clause->coefficient[v];
        int64_t end = a > 0 ? box->high[v] : box->low[v];
        if (a && llabs(end) >= FAR)
            open++;
        else
            most += a * end;
    }
    if (!open && most < 0)
        return false;
    for (unsigned v = 0; v < variables; v++) {
        int64_t a = sign * clause->coefficient[v];
        int64_t end = a > 0 ? box->high[v] : box->low[v];
        bool mine = a && llabs(end) >= FAR;
        if (!a || open > (mine ? 1u : 0u))
            continue;
        /* a * x + rest >= 0, where rest is the most that the others can give */
        int64_t rest = mine ? most : most - a * end;
        int64_t bound = a > 0 ? -floor_div(rest, a) : floor_div(rest, -a);
        if (llabs(bound) >= FAR)
            continue;
        if (a > 0 && bound > box->low[v]) {
            box->low[v] = bound;
            *narrowed |= UINT32_C(1) << v;
        } else if (a < 0 && bound < box->high[v]) {
            box->high[v] = bound;
            *narrowed |= UINT32_C(1) << v;
        }
        if (box->low[v] > box->high[v])
            return false;
        most = mine ? most : rest + a * (a > 0 ? box->high[v] : box->low[v]);
    }
    return true;
}

/* A smaller box with the same solutions; false if there are none. Only clauses over the variables
 * of `fresh` can narrow it further. Any number of rounds is right; a limit keeps slowly closing
 * intervals from costing more than trying their values. */
static bool propagate(const tz_clauses *clauses, uint32_t fresh, box *box) {
    unsigned variables = clauses->rule->variables;
    for (unsigned round = 0; fresh && round < 32; round++) {
        uint32_t narrowed = 0;
        for (size_t c = 0; c < clauses->count; c++) {
            const tz_clause *clause = &clauses->at[c];
            if (clause->relation == TZ_NE || !(clause->variables & (fresh | narrowed)))
                continue;
            if (!narrow(clause, 1, variables, box, &narrowed))
                return false;
            if (clause->relation == TZ_EQ && !narrow(clause, -1, variables, box, &narrowed))
                return false;
        }
        fresh = narrowed;
    }
    return true;
}

/* Bounds what only several constraints together bound. The solutions lie in a polytope whose
 * vertices are quotients of determinants, so by Hadamard's inequality no coordinate exceeds
 * k * (largest constant) * (largest row norm)^(k - 1) for k variables. */
static bool enclose(const tz_clauses *clauses, box *box) {
    unsigned variables = clauses->rule->variables;
    bool open = false;
    double constant = 1, norm = 1;
    for (unsigned v = 0; v < variables; v++)
        open = open || box->low[v] <= -FAR || box->high[v] >= FAR;
    if (!open)
        return true;
    for (size_t c = 0; c < clauses->count; c++) {
        double row = 0, size = (double)llabs(clauses->at[c].constant);
        for (unsigned v = 0; v < variables; v++)
            row += (double)llabs(clauses->at[c].coefficient[v]);
        norm = row > norm ? row : norm;
        constant = size > constant ? size : constant;
    }
    double bound = variables * constant;
    for (unsigned v = 1; v < variables; v++)
        bound *= norm;
    if (bound > MAX_BOX)
        return false;
    for (unsigned v = 0; v < variables; v++) {
        box->low[v] = box->low[v] <= -FAR ? -(int64_t)bound : box->low[v];
        box->high[v] = box->high[v] >= FAR ? (int64_t)bound : box->high[v];
    }
    return true;
}

/* ---- Search ---------------------------------------------------------------------------------- */

static tz_status report(const tz_clauses *clauses, const int64_t *wide, tz_instance found,
                        void *user) {
    int32_t value[TZ_MAX_VARIABLES];
    if (!satisfied(clauses->at, clauses->count, clauses->rule->variables, wide))
        return TZ_OK;
    for (unsigned v = 0; v < clauses->rule->variables; v++) {
        if (wide[v] < INT32_MIN || wide[v] > INT32_MAX)
            return TZ_TOO_LARGE;
        value[v] = (int32_t)wide[v];
    }
    return found(user, clauses->rule, value);
}

tz_status tz_clauses_solve(tz_clauses *clauses, const int32_t *index, size_t *trials,
                           tz_instance found, void *user) {
    unsigned variables = clauses->rule->variables, level = 0;
    box box[TZ_MAX_VARIABLES + 1];
    int64_t value[TZ_MAX_VARIABLES + 1];

    for (unsigned q = 0; q < clauses->rank; q++) {
        clauses->at[q] = clauses->conclusion[q];
        clauses->at[q].constant -= index[q];
    }
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++) {
        box[0].low[v] = -FAR;
        box[0].high[v] = FAR;
    }
    if (!propagate(clauses, ALL, &box[0]))
        return TZ_OK;
    if (!enclose(clauses, &box[0]))
        return TZ_TOO_LARGE;
    value[0] = box[0].low[0];
    for (;;) {
        if (level < variables && value[level] <= box[level].high[level]) {
            if (*trials == 0)
                return TZ_TOO_LARGE;
            --*trials;
            box[level + 1] = box[level];
            box[level + 1].low[level] = box[level + 1].high[level] = value[level];
            /* box[0] may be wider than what its clauses leave, by `enclose`. */
            uint32_t fresh = level ? UINT32_C(1) << level : ALL;
            if (!propagate(clauses, fresh, &box[level + 1]))
                value[level]++;
            else if (++level < variables)
                value[level] = box[level].low[level];
            continue;
        }
        if (level == variables) {
            tz_status status = report(clauses, value, found, user);
            if (status != TZ_OK)
                return status;
        }
        if (level == 0)
            return TZ_OK;
        value[--level]++;
    }
}
