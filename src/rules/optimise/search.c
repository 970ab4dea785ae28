/* search.c - best first: the program with the fewest rules of the highest degree is rewritten next,
 * in every way there is.
 *
 * A program is judged by what it is with all sums worked out in parts (split.c), and rewritten as
 * it is without: parts of parts tell less about what could be done.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/grow.h"
#include "rules/optimise/optimise.h"
#include "rules/optimise/program.h"

enum { MOST_STEPS = 6, DEGREE = 256 };

typedef struct node {
    const tz_opt_program *program, *parts; /* parts: with all sums worked out in parts */
    tz_opt_cost cost;                      /* of the latter */
    uint64_t hash;
    unsigned depth; /* steps so far */
    const char *steps;
    bool rewritten;
} node;

struct tz_optimised {
    tz_opt opt;
    tz_opt_cost before; /* as the rules are written */
    char degree[DEGREE];
    node *node;
    size_t nodes, capacity;
    size_t *best; /* of lower degree, best first */
    size_t bests;
    bool late;
};

typedef struct search {
    tz_optimised *found;
    const tz_optimising *how;
    double end;
    char degree[DEGREE]; /* of the best */
    tz_opt_cost least;
    /* what is being rewritten */
    const tz_opt_program *program;
    unsigned depth;
    const char *steps;
} search;

/* ---- Degrees as text ------------------------------------------------------------------------- */

static bool divides(const unsigned *a, const unsigned *b) {
    bool all = true;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        all = all && a[l] <= b[l];
    return all;
}

/* Is the rule's degree that of a later one, or less than that of any? */
static bool is_covered(const tz_opt_program *program, unsigned r) {
    const unsigned *degree = program->rule[r]->degree;
    for (unsigned q = 0; q < program->rules; q++)
        if (q != r && divides(degree, program->rule[q]->degree) &&
            (q < r || !divides(program->rule[q]->degree, degree)))
            return true;
    return false;
}

static void degree_text(const tz_rules *rules, const tz_opt_program *program, char *ret,
                        size_t size) {
    size_t used = 0;
    ret[0] = '\0';
    for (unsigned r = 0; r < program->rules; r++) {
        const unsigned *degree = program->rule[r]->degree;
        const char *separator = used > 0 ? " + " : "";
        if (is_covered(program, r))
            continue;
        for (unsigned l = 0; l < rules->lengths && used < size; l++) {
            if (degree[l] == 0)
                continue;
            used += (size_t)snprintf(ret + used, size - used, degree[l] > 1 ? "%s%s^%u" : "%s%s",
                                     separator, rules->length_name[l], degree[l]);
            separator = " ";
        }
    }
    if (used == 0)
        snprintf(ret, size, "1");
}

/* ---- Programs found -------------------------------------------------------------------------- */

static bool is_known(const tz_optimised *found, const tz_opt_program *program, uint64_t hash) {
    for (size_t n = 0; n < found->nodes; n++)
        if (found->node[n].hash == hash && found->node[n].program->rules == program->rules)
            return true;
    return false;
}

static void tell(const search *s) {
    tz_optimise_progress progress = {s->found->nodes, s->degree};
    if (s->how->opt_progress != NULL)
        s->how->opt_progress(s->how->user, &progress);
}

static tz_status add_node(search *s, const tz_opt_program *program, const char *step) {
    tz_optimised *found = s->found;
    tz_opt *opt = &found->opt;
    uint64_t hash = tz_opt_hash(program);
    if (program->rules == 0 || is_known(found, program, hash))
        return TZ_OK;
    tz_opt_program *kept = tz_arena_array(opt->arena, 2, sizeof *kept), *parts = kept + 1;
    void *at = found->node;
    if (kept == NULL || !tz_grow(&at, &found->capacity, found->nodes + 1, sizeof *found->node))
        return TZ_NO_MEMORY;
    found->node = at;
    *kept = *program;
    node made = {.program = kept, .parts = parts, .hash = hash, .depth = s->depth + (step != NULL)};
    made.steps = step == NULL ? "" : tz_opt_text(opt, "%s%s\n", s->steps, step);
    tz_status status = made.steps != NULL ? tz_opt_split_all(opt, kept, parts) : TZ_NO_MEMORY;
    if (status != TZ_OK)
        return status;
    made.cost = tz_opt_cost_of(parts);
    if (found->nodes == 0 || tz_opt_compare(&made.cost, &s->least) < 0) {
        s->least = made.cost;
        degree_text(opt->rules, parts, s->degree, sizeof s->degree);
    }
    found->node[found->nodes++] = made;
    tell(s);
    return TZ_OK;
}

static bool is_over(search *s) {
    bool late = tz_seconds() > s->end;
    s->found->late |= late;
    return late || s->found->nodes >= s->how->programs;
}

/* Takes in the program that a step led to, if it led anywhere. */
static tz_status take(search *s, tz_status status, const tz_opt_program *program,
                      const char *step) {
    tz_opt_program settled;
    if (status == TZ_OK)
        status = tz_opt_settle(&s->found->opt, program, &settled);
    if (status == TZ_OK)
        status = step != NULL ? add_node(s, &settled, step) : TZ_NO_MEMORY;
    return status == TZ_NO_MEMORY ? status : TZ_OK;
}

/* ---- The steps ------------------------------------------------------------------------------- */

/* "speculation on span[i,h,j]: span_outer[i,h] span_inner[h,j]" */
static const char *tell_speculation(const tz_opt *opt, unsigned item, unsigned outer) {
    const char *all = tz_opt_item_text(opt, item), *one = tz_opt_item_text(opt, outer);
    const char *other = tz_opt_item_text(opt, outer + 1);
    bool told = all != NULL && one != NULL && other != NULL;
    return told ? tz_opt_text(opt, "speculation on %s: %s %s", all, one, other) : NULL;
}

/* "unfold of span_outer in the fold x[h,m]: span_inner[h,k] span_outer[k+1,m], summed over k" */
static const char *tell_unfold_fold(const tz_opt *opt, unsigned unfolded, unsigned item) {
    const char *is = tz_opt_item_text(opt, item);
    const char *product = tz_opt_product_text(opt, opt->item[item].definition);
    bool told = is != NULL && product != NULL;
    return told ? tz_opt_text(opt, "unfold of %s in the fold %s: %s", opt->item[unfolded].name, is,
                              product)
                : NULL;
}

static tz_status speculate(search *s, unsigned item) {
    tz_opt *opt = &s->found->opt;
    unsigned all = (1U << opt->item[item].rank) - 1;
    tz_status status = TZ_OK;
    for (unsigned choice = 0; choice <= all * (all + 1) && status == TZ_OK && !is_over(s);
         choice++) {
        const unsigned items = opt->items, passive = choice / (all + 1), shared = choice & all;
        tz_opt_program made;
        if (passive == 0 || (passive & shared) != 0)
            continue;
        tz_status led = tz_opt_speculate(opt, s->program, item, passive, shared, &made);
        const char *step = led != TZ_OK ? "" : tell_speculation(opt, item, items);
        status = take(s, led, &made, step);
    }
    return status;
}

static tz_status unfold_fold(search *s, unsigned r, uint32_t factors) {
    tz_opt *opt = &s->found->opt;
    const tz_opt_rule *rule = s->program->rule[r];
    tz_status status = TZ_OK;
    for (unsigned f = 0; f < rule->premises && status == TZ_OK && !is_over(s); f++) {
        tz_opt_program made;
        unsigned item;
        if (!(factors >> f & 1))
            continue;
        tz_status led = tz_opt_unfold_fold(opt, s->program, r, factors, f, &item, &made);
        const char *step = led != TZ_OK ? "" : tell_unfold_fold(opt, rule->factor[f].which, item);
        status = take(s, led, &made, step);
    }
    return status;
}

static tz_status accumulate(search *s, unsigned r, unsigned condition) {
    tz_opt *opt = &s->found->opt;
    const tz_opt_rule *rule = s->program->rule[r];
    const uint32_t set = tz_opt_form_set(&rule->condition[condition].form);
    tz_status status = TZ_OK;
    for (unsigned v = 0; v < rule->variables && status == TZ_OK && !is_over(s); v++) {
        tz_opt_program made;
        unsigned item;
        if (!(set >> v & 1))
            continue;
        tz_status led = tz_opt_accumulate(opt, s->program, r, condition, v, &item, &made);
        const char *is = led == TZ_OK ? tz_opt_item_text(opt, item) : "";
        const char *step = is != NULL && led == TZ_OK ? tz_opt_text(opt, "accumulation %s: %s", is,
                                                                    opt->item[item].comment)
                                                      : is;
        status = take(s, led, &made, step);
    }
    return status;
}

/* Is only part of the premise's item asked for: a sum over it, or some of its indices? */
static bool asks_for_part(const tz_opt *opt, const tz_opt_rule *rule, unsigned premise) {
    uint32_t set = tz_opt_term_set(&rule->factor[premise]);
    set &= ~tz_opt_local(rule, UINT32_C(1) << premise);
    return set != 0 && (unsigned)__builtin_popcount(set) < tz_opt_rank(opt, &rule->factor[premise]);
}

static tz_status rewrite_rule(search *s, unsigned r) {
    tz_opt *opt = &s->found->opt;
    const tz_opt_rule *rule = s->program->rule[r];
    const uint32_t all = (UINT32_C(1) << rule->factors) - 1;
    const tz_opt_split *split;
    tz_status status = tz_opt_split_of(opt, rule, &split);
    for (unsigned f = 0; f < rule->premises && status == TZ_OK; f++)
        if (asks_for_part(opt, rule, f))
            status = unfold_fold(s, r, UINT32_C(1) << f);
    for (unsigned p = 0; p < split->parts && status == TZ_OK; p++)
        status = unfold_fold(s, r, split->part[p]);
    if (status == TZ_OK && rule->factors > 1 && tz_opt_local(rule, all) != 0)
        status = unfold_fold(s, r, all);
    for (unsigned c = 0; c < rule->conditions && status == TZ_OK; c++)
        status = accumulate(s, r, c);
    return status;
}

static tz_status unfold(search *s, unsigned item) {
    tz_opt *opt = &s->found->opt;
    tz_opt_program made;
    tz_status led = tz_opt_unfold_item(opt, s->program, item, &made);
    const char *step = led != TZ_OK ? "" : tz_opt_text(opt, "unfold of %s", opt->item[item].name);
    return take(s, led, &made, step);
}

static tz_status rewrite(search *s, size_t which) {
    tz_optimised *found = s->found;
    tz_status status = TZ_OK;
    s->program = found->node[which].program;
    s->depth = found->node[which].depth;
    s->steps = found->node[which].steps;
    found->node[which].rewritten = true;
    unsigned items = found->opt.items;
    for (unsigned i = 0; i < items && status == TZ_OK && !is_over(s); i++)
        if (tz_opt_derives(s->program, i))
            status = speculate(s, i);
    for (unsigned r = 0; r < s->program->rules && status == TZ_OK && !is_over(s); r++)
        status = rewrite_rule(s, r);
    for (unsigned i = 0; i < items && status == TZ_OK && !is_over(s); i++)
        if (tz_opt_derives(s->program, i))
            status = unfold(s, i);
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Less work, then fewer steps, then what was found first. */
static bool is_better(const node *a, const node *b) {
    int order = tz_opt_compare(&a->cost, &b->cost);
    return order != 0 ? order < 0 : a->depth < b->depth;
}

static tz_status run(search *s) {
    tz_optimised *found = s->found;
    tz_status status = TZ_OK;
    while (status == TZ_OK && !is_over(s)) {
        size_t next = found->nodes;
        for (size_t n = found->nodes; n-- > 0;)
            if (!found->node[n].rewritten && found->node[n].depth < MOST_STEPS &&
                (next == found->nodes || !is_better(&found->node[next], &found->node[n])))
                next = n;
        if (next == found->nodes)
            break;
        status = rewrite(s, next);
    }
    return status;
}

/* Fewer rules of the highest degree, then fewer steps, then less work. */
static bool comes_first(const node *a, const node *b) {
    unsigned highest = tz_opt_highest(&a->cost), other = tz_opt_highest(&b->cost);
    if (highest != other)
        return highest < other;
    if (a->cost.rules[highest] != b->cost.rules[highest])
        return a->cost.rules[highest] < b->cost.rules[highest];
    return a->depth != b->depth ? a->depth < b->depth : tz_opt_compare(&a->cost, &b->cost) < 0;
}

/* Is each rule's degree at most that of some rule of the other? */
static bool is_within(const tz_opt_program *one, const tz_opt_program *other) {
    for (unsigned r = 0; r < one->rules; r++) {
        bool within = false;
        for (unsigned q = 0; q < other->rules && !within; q++)
            within = divides(one->rule[r]->degree, other->rule[q]->degree);
        if (!within)
            return false;
    }
    return true;
}

/* node[0] is the rules as they are written. */
static bool is_lower(const tz_optimised *found, size_t n) {
    const tz_opt_program *before = found->node[0].program, *parts = found->node[n].parts;
    unsigned highest = tz_opt_highest(&found->node[n].cost);
    if (highest != tz_opt_highest(&found->before))
        return highest < tz_opt_highest(&found->before);
    return is_within(parts, before) && !is_within(before, parts);
}

/* Those of lower degree than before, and, if asked, those that have fewer rules of the highest. */
static tz_status list_best(tz_optimised *found, bool same) {
    found->best = calloc(found->nodes + 1, sizeof *found->best);
    if (found->best == NULL)
        return TZ_NO_MEMORY;
    for (size_t n = 0; n < found->nodes; n++) {
        const tz_opt_cost *cost = &found->node[n].cost;
        unsigned highest = tz_opt_highest(&found->before);
        bool fewer = same && tz_opt_highest(cost) == highest &&
                     cost->rules[highest] < found->before.rules[highest];
        if (!fewer && !is_lower(found, n))
            continue;
        size_t place = found->bests++;
        for (; place > 0 && comes_first(&found->node[n], &found->node[found->best[place - 1]]);
             place--)
            found->best[place] = found->best[place - 1];
        found->best[place] = n;
    }
    return TZ_OK;
}

const char *tz_optimise_without(const tz_rules *rules) {
    return tz_has_sides(rules)      ? "side conditions"
           : tz_has_closures(rules) ? "closures"
           : rules->inputs > 0      ? "inputs"
                                    : NULL;
}

tz_status tz_optimise(const tz_rules *rules, const tz_optimising *how, tz_optimised **ret) {
    tz_opt_program program;
    *ret = NULL;
    if (tz_optimise_without(rules) != NULL)
        return TZ_LAW;
    tz_optimised *found = calloc(1, sizeof *found);
    if (found == NULL)
        return TZ_NO_MEMORY;
    tz_opt *opt = &found->opt;
    *opt = (tz_opt){.rules = rules, .most = TZ_OPT_RULES, .arena = tz_arena_new()};
    opt->item = opt->arena ? tz_arena_array(opt->arena, TZ_OPT_ITEMS, sizeof *opt->item) : NULL;
    search s = {.found = found, .how = how, .end = tz_seconds() + how->seconds};
    tz_status status = opt->item != NULL ? tz_opt_read(opt, &program) : TZ_NO_MEMORY;
    if (status == TZ_OK) {
        opt->most = how->rules < TZ_OPT_RULES ? how->rules : TZ_OPT_RULES;
        tz_opt_sweep(&program);
        found->before = tz_opt_cost_of(&program);
        degree_text(rules, &program, found->degree, sizeof found->degree);
        status = add_node(&s, &program, NULL);
    }
    if (status == TZ_OK)
        status = run(&s);
    if (status == TZ_TOO_LARGE || status == TZ_NONE) /* it is not covered: as it stands */
        status = TZ_OK;
    if (status == TZ_OK)
        status = list_best(found, how->same);
    if (status != TZ_OK) {
        tz_optimised_free(found);
        return status;
    }
    *ret = found;
    return TZ_OK;
}

void tz_optimised_free(tz_optimised *found) {
    if (found == NULL)
        return;
    tz_arena_free(found->opt.arena);
    free(found->node);
    free(found->best);
    free(found);
}

/* ---- What was found -------------------------------------------------------------------------- */

size_t tz_optimised_count(const tz_optimised *found) {
    return found->bests;
}

size_t tz_optimised_programs(const tz_optimised *found, bool *ret_late) {
    *ret_late = found->late;
    return found->nodes;
}

unsigned tz_optimised_highest(const tz_optimised *found, size_t which) {
    return tz_opt_highest(&found->node[found->best[which]].cost);
}

bool tz_optimised_is_lower(const tz_optimised *found, size_t which) {
    return is_lower(found, found->best[which]);
}

unsigned tz_optimised_depth(const tz_optimised *found, size_t which) {
    return found->node[found->best[which]].depth;
}

void tz_optimised_degree_before(const tz_optimised *found, char *ret_text, size_t size) {
    snprintf(ret_text, size, "%s", found->degree);
}

const char *tz_optimised_steps(const tz_optimised *found, size_t which) {
    return found->node[found->best[which]].steps;
}

void tz_optimised_degree(const tz_optimised *found, size_t which, char *ret_text, size_t size) {
    degree_text(found->opt.rules, found->node[found->best[which]].parts, ret_text, size);
}

tz_status tz_optimised_write(tz_optimised *found, size_t which, tz_text *text) {
    char name[TZ_MAX_NAME + 1];
    snprintf(name, sizeof name, "%.*s-optimised", TZ_MAX_NAME - 10, found->opt.rules->name);
    return tz_opt_write(&found->opt, found->node[found->best[which]].parts, name, text);
}
