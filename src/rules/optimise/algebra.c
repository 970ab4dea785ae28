/* algebra.c - rules as systems of affine constraints: what holds of their instances, equations
 * solved, variables replaced. SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/optimise/program.h"
#include "rules/polyhedra/growth.h"
#include "rules/polyhedra/nest.h"

/* ---- Which variables ------------------------------------------------------------------------- */

uint32_t tz_opt_form_set(const tz_form *form) {
    uint32_t set = 0;
    for (unsigned v = 0; v < TZ_MAX_COLUMNS; v++)
        set |= (uint32_t)(form->column[v] != 0) << v;
    return set;
}

uint32_t tz_opt_term_set(const tz_term *term) {
    uint32_t set = 0;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        set |= tz_opt_form_set(&term->index[q]);
    return set;
}

bool tz_opt_is_variable(const tz_form *form, unsigned *ret_column) {
    uint32_t set = tz_opt_form_set(form);
    if (__builtin_popcount(set) != 1)
        return false;
    *ret_column = (unsigned)__builtin_ctz(set);
    tz_form plain = tz_form_column(*ret_column);
    return tz_form_equal(form, &plain);
}

unsigned tz_opt_occurrences(const tz_opt_rule *rule, unsigned variable) {
    unsigned count = 0;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
        for (unsigned f = 0; f < rule->factors; f++)
            count += rule->factor[f].index[q].column[variable] != 0;
        count += rule->conclusion.index[q].column[variable] != 0;
    }
    for (unsigned c = 0; c < rule->conditions; c++)
        count += rule->condition[c].form.column[variable] != 0;
    return count;
}

/* ---- What holds ------------------------------------------------------------------------------ */

tz_status tz_opt_assume(const tz_opt *opt, const tz_opt_rule *rule, int but, tz_assumptions *ret) {
    *ret = (tz_assumptions){.lengths = opt->rules->lengths, .columns = rule->variables};
    tz_status status = tz_assumptions_add(ret, tz_opt_domain(opt, &rule->conclusion),
                                          &rule->conclusion, tz_opt_rank(opt, &rule->conclusion));
    for (unsigned f = 0; f < rule->factors && status == TZ_OK; f++)
        status = tz_assumptions_add(ret, tz_opt_domain(opt, &rule->factor[f]), &rule->factor[f],
                                    tz_opt_rank(opt, &rule->factor[f]));
    for (unsigned c = 0; c < rule->conditions && status == TZ_OK; c++)
        if ((int)c != but)
            status = tz_assumptions_add(ret, &(tz_domain){&rule->condition[c], 1}, NULL, 0);
    return status;
}

static bool negate(const tz_form *form, tz_form *ret) {
    const tz_form minus = {.column = {-1}};
    return tz_form_compose(ret, &minus, form, 1);
}

tz_status tz_opt_implied(const tz_assumptions *assumed, const tz_constraint *constraint) {
    for (unsigned k = 0; k < assumed->count; k++)
        if (assumed->known[k].constraint.relation == constraint->relation &&
            tz_form_equal(&assumed->known[k].constraint.form, &constraint->form))
            return TZ_OK;
    tz_form negative;
    if (!negate(&constraint->form, &negative))
        return TZ_TOO_LARGE;
    if (constraint->relation == TZ_NE) { /* all of one sign and not 0 */
        tz_form less = constraint->form;
        less.constant--;
        negative.constant--;
        tz_status status = tz_assumptions_at_least_0(assumed, &less);
        return status == TZ_NONE ? tz_assumptions_at_least_0(assumed, &negative) : status;
    }
    tz_status status = tz_assumptions_at_least_0(assumed, &constraint->form);
    if (status == TZ_OK && constraint->relation == TZ_EQ)
        status = tz_assumptions_at_least_0(assumed, &negative);
    return status;
}

tz_status tz_opt_require(tz_opt_rule *rule, const tz_domain *domain, const tz_term *term,
                         unsigned rank) {
    for (uint32_t c = 0; c < domain->count; c++) {
        tz_constraint *to = &rule->condition[rule->conditions];
        if (rule->conditions == TZ_MAX_CONSTRAINTS)
            return TZ_TOO_LARGE;
        *to = domain->at[c];
        if (!tz_form_compose(&to->form, &to->form, term->index, rank))
            return TZ_TOO_LARGE;
        rule->conditions++;
    }
    return TZ_OK;
}

/* ---- Replacing variables --------------------------------------------------------------------- */

static bool replace_in_term(tz_term *term, const tz_form *by) {
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (!tz_form_compose(&term->index[q], &term->index[q], by, TZ_MAX_COLUMNS))
            return false;
    return true;
}

/* by: [TZ_MAX_COLUMNS] what stands for each variable. */
static bool replace_all(tz_opt_rule *rule, const tz_form *by) {
    bool fits = replace_in_term(&rule->conclusion, by);
    for (unsigned f = 0; f < rule->factors && fits; f++)
        fits = replace_in_term(&rule->factor[f], by);
    for (unsigned c = 0; c < rule->conditions && fits; c++)
        fits =
            tz_form_compose(&rule->condition[c].form, &rule->condition[c].form, by, TZ_MAX_COLUMNS);
    return fits;
}

/* What variable v is where form = 0; false: its factor is not 1 or -1. */
static bool solve_for(const tz_form *form, unsigned v, tz_form *ret) {
    tz_form rest = *form;
    int16_t factor = rest.column[v];
    rest.column[v] = 0;
    if (factor == 1)
        return negate(&rest, ret);
    *ret = rest;
    return factor == -1;
}

tz_status tz_opt_solve(tz_opt_rule *rule, tz_form *form, unsigned forms) {
    tz_form by[TZ_MAX_COLUMNS];
    for (unsigned i = 0; i < forms; i++) {
        unsigned v = TZ_MAX_COLUMNS;
        if (!tz_form_has_columns(&form[i])) {
            if (tz_form_has_lengths(&form[i]))
                return TZ_TOO_LARGE;
            if (form[i].constant != 0)
                return TZ_NONE;
            continue;
        }
        for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
            by[c] = tz_form_column(c);
        while (v > 0 && (form[i].column[v - 1] == 0 || !solve_for(&form[i], v - 1, &by[v - 1])))
            v--;
        if (v == 0 || !replace_all(rule, by))
            return TZ_TOO_LARGE;
        for (unsigned j = i + 1; j < forms; j++)
            if (!tz_form_compose(&form[j], &form[j], by, TZ_MAX_COLUMNS))
                return TZ_TOO_LARGE;
    }
    return TZ_OK;
}

/* ---- Tidying --------------------------------------------------------------------------------- */

/* The notation has each variable once in an expression. */
static bool is_plain(const tz_form *form) {
    for (unsigned v = 0; v < TZ_MAX_COLUMNS; v++)
        if (form->column[v] < -1 || form->column[v] > 1)
            return false;
    return true;
}

static bool can_be_written(const tz_opt_rule *rule) {
    bool plain = true;
    for (unsigned q = 0; q < TZ_MAX_RANK && plain; q++) {
        for (unsigned f = 0; f < rule->factors && plain; f++)
            plain = is_plain(&rule->factor[f].index[q]);
        plain = plain && is_plain(&rule->conclusion.index[q]);
    }
    for (unsigned c = 0; c < rule->conditions && plain; c++)
        plain = is_plain(&rule->condition[c].form);
    return plain;
}

static void number_form(const tz_form *form, int8_t *number, unsigned *count) {
    for (unsigned v = 0; v < TZ_MAX_COLUMNS; v++)
        if (form->column[v] != 0 && number[v] < 0)
            number[v] = (int8_t)(*count)++;
}

static void renumber(tz_form *form, const int8_t *number) {
    const tz_form old = *form;
    memset(form->column, 0, sizeof form->column);
    for (unsigned v = 0; v < TZ_MAX_COLUMNS; v++)
        if (old.column[v] != 0)
            form->column[number[v]] = old.column[v];
}

/* In order of appearance; variables that appear no more are gone. */
static tz_status number_variables(tz_opt_rule *rule) {
    int8_t number[TZ_MAX_COLUMNS];
    const char *name[TZ_MAX_COLUMNS];
    unsigned count = 0;
    memset(number, -1, sizeof number);
    for (unsigned f = 0; f < rule->factors; f++)
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            number_form(&rule->factor[f].index[q], number, &count);
    for (unsigned c = 0; c < rule->conditions; c++)
        number_form(&rule->condition[c].form, number, &count);
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        number_form(&rule->conclusion.index[q], number, &count);
    if (count > TZ_MAX_VARIABLES)
        return TZ_TOO_LARGE;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
        for (unsigned f = 0; f < rule->factors; f++)
            renumber(&rule->factor[f].index[q], number);
        renumber(&rule->conclusion.index[q], number);
    }
    for (unsigned c = 0; c < rule->conditions; c++)
        renumber(&rule->condition[c].form, number);
    memcpy(name, rule->variable_name, sizeof name);
    memset(rule->variable_name, 0, sizeof rule->variable_name);
    for (unsigned v = 0; v < TZ_MAX_COLUMNS; v++)
        if (number[v] >= 0)
            rule->variable_name[number[v]] = name[v];
    rule->variables = count;
    return TZ_OK;
}

static tz_status drop_conditions(const tz_opt *opt, tz_opt_rule *rule) {
    for (unsigned c = 0; c < rule->conditions;) {
        tz_assumptions assumed;
        tz_status status = tz_opt_assume(opt, rule, (int)c, &assumed);
        if (status == TZ_OK)
            status = tz_opt_implied(&assumed, &rule->condition[c]);
        if (status == TZ_NO_MEMORY)
            return status;
        if (status != TZ_OK) {
            c++;
            continue;
        }
        rule->conditions--;
        memmove(&rule->condition[c], &rule->condition[c + 1],
                (rule->conditions - c) * sizeof rule->condition[0]);
    }
    return TZ_OK;
}

static tz_status find_degree(const tz_assumptions *assumed, tz_opt_rule *rule) {
    tz_growth growth;
    tz_status status = tz_growth_init(&growth, assumed->lengths, assumed->columns, assumed->count);
    for (unsigned c = 0; c < assumed->count && status == TZ_OK; c++)
        tz_growth_add_domain(&growth, &(tz_domain){&assumed->known[c].constraint, 1});
    if (status == TZ_OK)
        status = tz_growth_find(&growth);
    memset(rule->degree, 0, sizeof rule->degree);
    if (status == TZ_OK)
        status = tz_growth_onto(&growth, (UINT32_C(1) << rule->variables) - 1, rule->degree);
    tz_growth_free(&growth);
    rule->total = 0;
    for (unsigned l = 0; l < assumed->lengths; l++)
        rule->total += rule->degree[l];
    return status == TZ_NONE ? TZ_OK : status; /* instances for small lengths only: few */
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void hash_rule(tz_opt_rule *rule) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned f = 0; f <= rule->factors; f++) {
        const tz_term *term = f < rule->factors ? &rule->factor[f] : &rule->conclusion;
        hash = mix(hash, &term->what, sizeof term->what);
        hash = mix(hash, &term->which, sizeof term->which);
        hash = mix(hash, term->index, sizeof term->index);
    }
    for (unsigned c = 0; c < rule->conditions; c++) {
        hash = mix(hash, &rule->condition[c].form, sizeof rule->condition[c].form);
        hash = mix(hash, &rule->condition[c].relation, sizeof rule->condition[c].relation);
    }
    rule->hash = hash;
}

tz_status tz_opt_tidy(const tz_opt *opt, tz_opt_rule *rule, const tz_opt_rule **ret) {
    tz_assumptions assumed;
    tz_status status = number_variables(rule);
    if (status == TZ_OK)
        status = tz_opt_assume(opt, rule, -1, &assumed);
    if (status == TZ_OK)
        status = tz_assumptions_possible(&assumed);
    if (status == TZ_OK)
        status = drop_conditions(opt, rule);
    if (status == TZ_OK)
        status = can_be_written(rule) ? number_variables(rule) : TZ_TOO_LARGE;
    if (status == TZ_OK)
        status = tz_opt_assume(opt, rule, -1, &assumed);
    if (status == TZ_OK)
        status = find_degree(&assumed, rule);
    unsigned sparse = 0;
    for (unsigned f = rule->premises; f < rule->factors; f++)
        sparse += opt->rules->weight[rule->factor[f].which].sparse;
    if (status == TZ_OK && sparse > TZ_MAX_SPARSE)
        status = TZ_TOO_LARGE;
    if (status != TZ_OK)
        return status;
    rule->sparse = sparse > 0;
    hash_rule(rule);
    tz_opt_rule *kept = tz_arena_array(opt->arena, 1, sizeof *kept);
    rule->taken = tz_arena_array(opt->arena, 1, sizeof *rule->taken);
    if (kept == NULL || rule->taken == NULL)
        return TZ_NO_MEMORY;
    *kept = *rule;
    *ret = kept;
    return TZ_OK;
}

/* ---- Projecting ------------------------------------------------------------------------------ */

static tz_status exclude_all(const tz_assumptions *assumed, tz_system *system) {
    tz_status status = TZ_OK;
    bool changed = true;
    for (unsigned pass = 0; pass < 4 && changed && status == TZ_OK; pass++) {
        changed = false;
        for (unsigned k = 0; k < assumed->count && status == TZ_OK; k++)
            if (assumed->known[k].constraint.relation == TZ_NE)
                status = tz_system_exclude(system, &assumed->known[k].constraint.form, &changed);
    }
    return status;
}

tz_status tz_opt_project(const tz_opt *opt, const tz_opt_rule *rule, uint32_t keep,
                         tz_domain *ret_domain) {
    tz_assumptions assumed;
    tz_system system;
    tz_status status = tz_opt_assume(opt, rule, -1, &assumed);
    if (status != TZ_OK)
        return status;
    status = tz_system_init(&system, assumed.lengths, 0, assumed.columns);
    for (unsigned k = 0; k < assumed.count && status == TZ_OK; k++)
        if (assumed.known[k].constraint.relation != TZ_NE)
            status = tz_system_add(&system, &assumed.known[k].constraint.form,
                                   assumed.known[k].constraint.relation);
    if (status == TZ_OK)
        status = exclude_all(&assumed, &system);
    if (status == TZ_OK)
        status = tz_domain_build(&system, keep, opt->arena, ret_domain);
    tz_system_free(&system);
    if (status == TZ_OK && ret_domain->count > TZ_MAX_CONSTRAINTS)
        return TZ_TOO_LARGE;
    for (uint32_t c = 0; status == TZ_OK && c < ret_domain->count; c++)
        if (!is_plain(&ret_domain->at[c].form))
            status = TZ_TOO_LARGE;
    return status;
}
