/* plan.c - rules x semiring: index expressions composed down to the columns of the loops.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "rules/arena.h"
#include "rules/cost.h"

tz_status tz_fail(tz_error *opt_error, tz_status status, const char *format, ...) {
    if (opt_error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        opt_error->status = status;
        vsnprintf(opt_error->message, sizeof opt_error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

/* ---- A semiring's defaults ----------------------------------------------------------------------
 */

static const double log_zero = -INFINITY, log_one = 0.0;

static void default_lift(const tz_semiring *self, void *ret, size_t stride, const double *score,
                         size_t n) {
    (void)self;
    double *element = ret;
    for (size_t i = 0; i < n; i++)
        element[i * stride] = score[i] + 0.0;
}

static double default_value(const tz_semiring *self, const void *a) {
    (void)self;
    double value;
    memcpy(&value, a, sizeof value);
    return value;
}

/* The best instruction set that the machine and its operating system run and `flags` allow. */
static tz_isa usable_isa(unsigned flags) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (flags & TZ_NO_AVX2 || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return TZ_ISA_BASELINE;
    if (flags & TZ_NO_AVX512 || !__builtin_cpu_supports("avx512f") ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return TZ_ISA_AVX2;
    return TZ_ISA_AVX512;
#else
    (void)flags;
    return TZ_ISA_BASELINE;
#endif
}

static tz_status take_semiring(tz_plan *plan, const tz_semiring *s, unsigned flags,
                               tz_error *opt_error) {
    if (s->name == NULL || s->plus == NULL || s->times == NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "a semiring needs a name, plus and times");
    bool plain = s->size == 0;
    if (!plain && (s->zero == NULL || s->one == NULL || s->lift == NULL || s->value == NULL))
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "semiring %s has elements of its own (size %zu), so it must give zero, one, "
                       "lift and value too",
                       s->name, s->size);
    plan->semiring = s;
    plan->size = plain ? sizeof(double) : s->size;
    plan->align = plain ? _Alignof(double) : s->align;
    plan->zero = s->zero != NULL ? s->zero : &log_zero;
    plan->one = s->one != NULL ? s->one : &log_one;
    plan->limit = s->limit > 0 ? s->limit : 1e290;
    plan->lift = s->lift != NULL ? s->lift : default_lift;
    plan->value = s->value != NULL ? s->value : default_value;
    unsigned isa = usable_isa(flags);
    while (isa > 0 && s->contract[isa] == NULL)
        isa--;
    plan->contract = s->contract[isa];
    plan->isa = (tz_isa)isa;
    if (plan->align == 0 || plan->align > TZ_MAX_ALIGN || (plan->align & (plan->align - 1)) != 0 ||
        plan->size % plan->align != 0)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "semiring %s: align must be a power of two up to %d that divides size",
                       s->name, TZ_MAX_ALIGN);
    return TZ_OK;
}

/* ---- Composition --------------------------------------------------------------------------------
 */

static tz_status bind_term(tz_plan *plan, const tz_term *term, const tz_nest *nest,
                           const tz_step *step, bool sweep, tz_bound_term *ret) {
    const tz_rules *rules = plan->rules;
    bool weight = term->what == TZ_WEIGHT;
    const tz_kind *kind = weight ? NULL : &rules->kind[term->which];
    unsigned rank = weight ? rules->weight[term->which].rank : kind->rank;
    tz_form *index = tz_arena_array(plan->arena, rank, sizeof *index);
    tz_form *coordinate = tz_arena_array(plan->arena, rank, sizeof *coordinate);
    if (index == NULL || coordinate == NULL)
        return TZ_NO_MEMORY;
    for (unsigned q = 0; q < rank; q++)
        if (!tz_form_compose(&index[q], &term->index[q], nest->variable, nest->variables))
            return TZ_TOO_LARGE;
    *ret = (tz_bound_term){.what = term->what,
                           .which = term->which,
                           .rank = (uint8_t)rank,
                           .still = true,
                           .index = index,
                           .coordinate = coordinate};
    unsigned columns = (unsigned)nest->givens + nest->loops;
    for (unsigned q = 0; q < rank && sweep; q++) {
        if (step->has_run)
            ret->still &= index[q].column[columns - 1] == 0;
        if (step->has_split)
            ret->inner |= index[q].column[columns - 1u - step->has_run] != 0;
    }
    if (!weight) {
        ret->address = (uint32_t)plan->addresses++;
        for (unsigned c = 0; c < rank; c++)
            if (!tz_form_compose(&coordinate[c], &kind->coordinate[c], index, rank))
                return TZ_TOO_LARGE;
        return TZ_OK;
    }
    const tz_domain *domain = &rules->weight[term->which].domain;
    tz_constraint *constraint = tz_arena_array(plan->arena, domain->count, sizeof *constraint);
    if (constraint == NULL)
        return TZ_NO_MEMORY;
    for (uint32_t c = 0; c < domain->count; c++) {
        constraint[c].relation = domain->at[c].relation;
        if (!tz_form_compose(&constraint[c].form, &domain->at[c].form, index, rank))
            return TZ_TOO_LARGE;
    }
    ret->constraint = constraint;
    ret->constraints = domain->count;
    return TZ_OK;
}

static tz_status bind_steps(tz_plan *plan, const tz_step *step, unsigned steps, bool trace,
                            tz_bound_step **ret) {
    tz_bound_step *bound = tz_arena_array(plan->arena, steps, sizeof *bound);
    if (bound == NULL)
        return TZ_NO_MEMORY;
    for (unsigned s = 0; s < steps; s++) {
        const tz_nest *nest = trace ? &step[s].trace : &step[s].nest;
        bound[s] = (tz_bound_step){.step = &step[s], .nest = nest, .terms = step[s].terms};
        bound[s].term = tz_arena_array(plan->arena, step[s].terms, sizeof *bound[s].term);
        if (bound[s].term == NULL)
            return TZ_NO_MEMORY;
        if (step[s].terms > TZ_MAX_TERMS)
            return TZ_TOO_LARGE;
        tz_status status =
            bind_term(plan, &step[s].target, nest, &step[s], !trace, &bound[s].target);
        for (unsigned t = 0; t < step[s].terms && status == TZ_OK; t++) {
            status = bind_term(plan, &step[s].term[t], nest, &step[s], !trace, &bound[s].term[t]);
            bound[s].weights += t >= step[s].sparse && step[s].term[t].what == TZ_WEIGHT;
        }
        if (status != TZ_OK)
            return status;
    }
    *ret = bound;
    return TZ_OK;
}

tz_status tz_plan_new(const tz_rules *rules, const tz_semiring *semiring, unsigned flags,
                      tz_plan **ret_plan, tz_error *opt_error) {
    *ret_plan = NULL;
    tz_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    plan->rules = rules;
    tz_status status = take_semiring(plan, semiring, flags, opt_error);
    if (status == TZ_OK && !(semiring->laws & TZ_COMMUTATIVE))
        status = tz_fail(opt_error, TZ_LAW,
                         "semiring %s does not declare that times is commutative, and plans "
                         "reorder products",
                         semiring->name);
    if (status == TZ_OK && rules->ambiguous && !(semiring->laws & TZ_IDEMPOTENT) &&
        !(flags & TZ_FORCE))
        status = tz_fail(
            opt_error, TZ_AMBIGUOUS,
            "rule set %s is ambiguous: some structures have several derivations, and the sum of "
            "semiring %s is not idempotent (a + a is not a), so it would count them more than "
            "once; use an unambiguous rule set or a semiring such as max, or force it",
            rules->name, semiring->name);
    if (status != TZ_OK) {
        free(plan);
        return status;
    }
    plan->arena = tz_arena_new();
    status = plan->arena == NULL ? TZ_NO_MEMORY : TZ_OK;
    if (status == TZ_OK)
        status = bind_steps(plan, rules->step, rules->steps, false, &plan->inside);
    if (status == TZ_OK)
        status = bind_steps(plan, rules->outside_step, rules->outside_steps, false, &plan->outside);
    if (status == TZ_OK)
        status = bind_steps(plan, rules->step, rules->steps, true, &plan->trace);
    if (status != TZ_OK) {
        tz_plan_free(plan);
        return tz_fail(opt_error, status, "%s: %s", rules->name, tz_status_name(status));
    }
    *ret_plan = plan;
    return TZ_OK;
}

void tz_plan_free(tz_plan *plan) {
    if (plan == NULL)
        return;
    tz_arena_free(plan->arena);
    free(plan);
}

tz_isa tz_plan_isa(const tz_plan *plan) {
    return plan->isa;
}

tz_status tz_plan_products(const tz_plan *plan, const int32_t *lengths, double *ret_products) {
    for (unsigned l = 0; l < plan->rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return TZ_BAD_ARGUMENT;
    return tz_rules_products(plan->rules, lengths, ret_products);
}
