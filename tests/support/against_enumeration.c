/* against_enumeration.c - comparing the interpreter with enumeration. SPDX-License-Identifier: MIT
 */
#include "against_enumeration.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rules/tell/enumerate.h"
#include "tests/support/need.h"
#include "tests/support/own.h"

enum { MAX_NODES = 1 << 16 };

const regime regimes[REGIMES] = {
    {"integers", integer_scores, true}, {"equal", equal_scores, true},
    {"tiny", tiny_scores, false},       {"plain", plain_scores, false},
    {"large", large_scores, false},     {"mixed", mixed_scores, false},
    {"masked", masked_scores, false},   {"masked integers", masked_integers, true},
};

/* Keeps what differs first; false. */
__attribute__((format(printf, 2, 3))) static bool differs(comparison *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (c->message[0] == '\0')
        vsnprintf(c->message, sizeof c->message, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Truth ----------------------------------------------------------------------------------- */

/* All derivations of one rule set for some lengths. */
typedef struct derivations {
    tz_enum_use *use;
    size_t uses, use_room;
    size_t *end; /* of derivation d in use */
    size_t count, room;
} derivations;

static int collect(void *user, const tz_enum_use *uses, size_t count) {
    derivations *d = user;
    if (d->uses + count > d->use_room) {
        d->use_room = 2 * (d->uses + count);
        d->use = need(realloc(d->use, d->use_room * sizeof *d->use));
    }
    if (d->count == d->room) {
        d->room = 2 * d->room + 16;
        d->end = need(realloc(d->end, d->room * sizeof *d->end));
    }
    if (count > 0)
        memcpy(d->use + d->uses, uses, count * sizeof *uses);
    d->uses += count;
    d->end[d->count++] = d->uses;
    return 0;
}

/* What enumeration says. */
typedef struct truth {
    tz_enum_use *use;              /* of all derivations, of declared weights */
    long double best, size, log_z; /* size: S of the best structure */
    long double sum_size;          /* the largest S of those that count in log_z */
    size_t best_at, possible;
    long double *score;                 /* of each derivation */
    long double *marginal[MAX_WEIGHTS]; /* per cell */
    long double *through[MAX_WEIGHTS];
    long double *through_size[MAX_WEIGHTS]; /* S of the best structure using the cell */
} truth;

static void find_truth(const tz_rules *rules, const derivations *d, const random_problem *p,
                       truth *t) {
    *t = (truth){.best = -INFINITY, .log_z = -INFINITY, .size = 1, .sum_size = 1};
    t->score = need(calloc(d->count + 1, sizeof *t->score));
    t->use = need(calloc(d->uses + 1, sizeof *t->use));
    for (size_t u = 0; u < d->uses; u++)
        t->use[u].weight =
            (uint16_t)declared_use(rules, p, d->use[u].weight, d->use[u].index, t->use[u].index);
    size_t *cell = need(calloc(d->uses + 1, sizeof *cell));
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        t->marginal[w] = need(calloc(p->cells[w] + 1, sizeof(long double)));
        t->through[w] = need(calloc(p->cells[w] + 1, sizeof(long double)));
        t->through_size[w] = need(calloc(p->cells[w] + 1, sizeof(long double)));
        for (size_t c = 0; c < p->cells[w]; c++)
            t->through[w][c] = -INFINITY;
    }
    for (size_t i = 0, u = 0; i < d->count; i++)
        for (; u < d->end[i]; u++) {
            cell[u] = problem_cell(p, t->use[u].weight, t->use[u].index);
            t->score[i] +=
                cell[u] == SIZE_MAX ? -INFINITY : (long double)p->data[t->use[u].weight][cell[u]];
        }
    for (size_t i = 0; i < d->count; i++) {
        t->possible += t->score[i] > -INFINITY;
        if (t->score[i] > t->best) {
            t->best = t->score[i];
            t->best_at = i;
        }
    }
    if (t->possible > 0) {
        long double sum = 0;
        for (size_t i = 0; i < d->count; i++)
            sum += expl(t->score[i] - t->best);
        t->log_z = t->best + logl(sum);
    }
    for (size_t i = 0, first = 0; i < d->count; first = d->end[i++]) {
        if (t->score[i] == -INFINITY)
            continue;
        long double size = 0;
        for (size_t u = first; u < d->end[i]; u++)
            size += fabsl((long double)p->data[t->use[u].weight][cell[u]]);
        size = size > 1 ? size : 1;
        if (i == t->best_at)
            t->size = size;
        if (t->score[i] > t->best - 40 && size > t->sum_size)
            t->sum_size = size;
        for (size_t u = first; u < d->end[i]; u++) {
            unsigned w = t->use[u].weight;
            t->marginal[w][cell[u]] += expl(t->score[i] - t->log_z);
            if (t->score[i] > t->through[w][cell[u]]) {
                t->through[w][cell[u]] = t->score[i];
                t->through_size[w][cell[u]] = size;
            }
        }
    }
    free(cell);
}

static void free_truth(const tz_rules *rules, truth *t) {
    free(t->score);
    free(t->use);
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        free(t->marginal[w]);
        free(t->through[w]);
        free(t->through_size[w]);
    }
}

/* ---- One lane -------------------------------------------------------------------------------- */

/* One lane of a chart under one semiring, and what it should say. */
typedef struct lane {
    const tz_rules *rules;
    tz_chart *chart;
    size_t at;
    const random_problem *problem;
    const derivations *derivations;
    const truth *truth;
    bool exact;
    comparison *c;
} lane;

/* Is |got - want| at most tolerance * S? Infinite scores must agree exactly. */
static bool near(comparison *c, const char *what, double got, long double want, long double size,
                 double tolerance, double *worst) {
    if ((long double)got == want)
        return true;
    double error = (double)(fabsl((long double)got - want) / size);
    if (!(error <= tolerance))
        return differs(c, "%s is %.17g, not %.17Lg: off by %g S", what, got, want, error);
    *worst = error > *worst ? error : *worst;
    return true;
}

/* Does the proof tree derive the goal by rules that use as many weights as are listed? */
static bool check_tree(const lane *l, const tz_derivation *best) {
    const tz_rules *rules = l->rules;
    uint16_t *stack = need(calloc(MAX_NODES, sizeof *stack));
    size_t depth = 0, uses = 0;
    bool right = true;
    stack[depth++] = rules->goal.which;
    for (size_t i = 0; i < best->nodes && right; i++) {
        const tz_node *node = &best->node[i];
        const tz_rule *rule = &rules->rule[node->rule];
        right = depth > 0 && node->item == stack[depth - 1] &&
                rule->conclusion.which == node->item && node->premises == rule->premises &&
                depth + rule->premises < MAX_NODES;
        depth -= right;
        for (unsigned p = rule->premises; p-- > 0 && right;)
            stack[depth++] = rule->premise[p].which;
        uses += rule->weights;
    }
    free(stack);
    return (right && depth == 0 && uses == best->uses) ||
           differs(l->c, "the proof tree is no derivation");
}

/* Ties: the first derivation in the order of the tie rule. */
static bool check_first(const lane *l, const tz_derivation *best) {
    const derivations *d = l->derivations;
    const tz_enum_use *use = l->truth->use;
    size_t end = d->end[l->truth->best_at];
    size_t first = l->truth->best_at > 0 ? d->end[l->truth->best_at - 1] : 0;
    bool same = best->uses == end - first;
    for (size_t u = first; u < end && same; u++) {
        size_t wanted = 0, found = 0;
        for (size_t v = first; v < end; v++)
            wanted += memcmp(&use[v], &use[u], sizeof use[u]) == 0;
        for (size_t v = 0; v < best->uses; v++)
            found += best->use[v].weight == use[u].weight &&
                     memcmp(best->use[v].index, use[u].index, sizeof best->use[v].index) == 0;
        same = wanted == found;
    }
    return same || differs(l->c, "the best derivation is not the first of its score");
}

static bool check_best(const lane *l) {
    const truth *t = l->truth;
    const tz_derivation *best;
    tz_status status = tz_best(l->chart, l->at, TZ_GOAL, NULL, &best);
    if (status != (t->possible > 0 ? TZ_OK : TZ_NONE) || (best == NULL) != (status != TZ_OK))
        return differs(l->c, "tz_best gives %s with %zu possible derivations",
                       tz_status_name(status), t->possible);
    if (status != TZ_OK)
        return true;
    /* Optimal: rescored, it is the best score. */
    long double sum = 0;
    for (size_t u = 0; u < best->uses; u++) {
        const tz_use *use = &best->use[u];
        double score = problem_score(l->problem, use->weight, use->index);
        if (use->score != score)
            return differs(l->c, "a use of weight %s has the score %g, not %g",
                           weight_of(l->rules, use->weight)->name, use->score, score);
        sum += score;
    }
    return near(l->c, "best structure", (double)sum, t->best, t->size, l->exact ? 0 : 1e-13,
                &l->c->score) &&
           check_tree(l, best) && (!l->exact || check_first(l, best));
}

/* tz_through under max, or tz_marginals. */
static bool check_cells(const lane *l, bool through) {
    const truth *t = l->truth;
    const random_problem *p = l->problem;
    bool right = true;
    for (unsigned w = 0; w < tz_rules_count(l->rules, TZ_WEIGHTS) && right; w++) {
        FREED(double, got) = need(calloc(p->cells[w] + 1, sizeof *got));
        tz_output output = problem_output(p, w, got);
        tz_status status = (through ? tz_through : tz_marginals)(l->chart, l->at, w, &output);
        if (status != (t->possible > 0 ? TZ_OK : TZ_NONE))
            right = differs(l->c, "%s gives %s", through ? "tz_through" : "tz_marginals",
                            tz_status_name(status));
        for (size_t c = 0; c < p->cells[w] && right && status == TZ_OK; c++) {
            char what[80];
            snprintf(what, sizeof what, "%smarginal of weight %s, cell %zu,", through ? "max-" : "",
                     weight_of(l->rules, w)->name, c);
            if (through)
                right = near(l->c, what, got[c], t->through[w][c], t->through_size[w][c],
                             l->exact ? 0 : 1e-13, &l->c->through);
            else
                right = near(l->c, what, got[c], t->marginal[w][c], t->sum_size, 1e-12,
                             &l->c->marginal);
            if (!through && p->data[w][c] == -INFINITY && got[c] != 0)
                right = differs(l->c, "%s of an impossible score is %g", what, got[c]);
        }
    }
    return right;
}

static bool check_lane(const lane *l, const char *semiring) {
    const truth *t = l->truth;
    double value;
    if (tz_goal(l->chart, l->at, &value) != TZ_OK)
        return differs(l->c, "tz_goal fails");
    if (strcmp(semiring, "max") == 0)
        return near(l->c, "best score", value, t->best, t->size, l->exact ? 0 : 1e-13,
                    &l->c->score) &&
               check_best(l) && check_cells(l, true);
    if (strcmp(semiring, "log") == 0)
        return near(l->c, "log Z", value, t->log_z, t->sum_size, 1e-13, &l->c->score) &&
               check_cells(l, false);
    double want = strcmp(semiring, "bool") == 0 ? t->possible > 0 : (double)t->possible;
    return value == want || differs(l->c, "the value is %g, not %g", value, want);
}

/* ---- All lanes ------------------------------------------------------------------------------- */

/* One plan for all lanes. The fast one is asked for best structures only. */
static bool check_plan(const tz_rules *rules, const char *name, unsigned flags,
                       const random_problem *p, const derivations *d, const truth *t,
                       unsigned lanes, bool exact, comparison *c) {
    tz_problem problem[MAX_LANES];
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = NULL;
    tz_error error = {TZ_OK, ""};
    for (unsigned i = 0; i < lanes; i++)
        problem[i] = p[i].problem;
    tz_status status =
        tz_plan_new(rules, tz_semiring_find(name, TZ_F64), TZ_FORCE | flags, &plan, &error);
    if (status == TZ_OK)
        status = tz_chart_new(plan, &chart);
    if (status == TZ_OK)
        status = tz_bind(chart, problem, lanes, &error);
    if (status == TZ_OK)
        status = tz_inside(chart);
    if (status == TZ_OK && flags == TZ_PLAIN)
        status = tz_outside(chart);
    bool right = status == TZ_OK || differs(c, "%s %s", tz_status_name(status), error.message);
    for (unsigned i = 0; i < lanes && right; i++) {
        lane l = {rules, chart, i, &p[i], &d[i], &t[i], exact, c};
        right = flags == TZ_PLAIN ? check_lane(&l, name) : check_best(&l);
        if (!right) {
            size_t used = strlen(c->message);
            used += (size_t)snprintf(c->message + used, sizeof c->message - used,
                                     " (%s %s, lane %u of %u, lengths",
                                     flags == TZ_PLAIN ? "plain" : "fast", name, i, lanes);
            for (unsigned q = 0; q < rules->lengths && used < sizeof c->message; q++)
                used += (size_t)snprintf(c->message + used, sizeof c->message - used, " %d",
                                         (int)p[i].lengths[q]);
            if (used < sizeof c->message)
                snprintf(c->message + used, sizeof c->message - used, ")");
        }
    }
    return right;
}

static bool check_regime(const tz_rules *rules, int32_t (*lengths)[TZ_MAX_LENGTHS],
                         const derivations *all, unsigned lanes, const regime *regime,
                         random_state *random, comparison *c) {
    static const char *const semirings[] = {"max", "log", "count", "bool"};
    random_problem p[MAX_LANES];
    truth t[MAX_LANES];
    derivations d[MAX_LANES];
    const bool sides = tz_has_sides(rules); /* then which there are depends on the scores */
    bool right = true;
    for (unsigned i = 0; i < lanes; i++) {
        make_problem(rules, lengths[i], regime->source, random, &p[i]);
        d[i] = sides ? (derivations){.count = 0} : all[i];
        problem_cells cells = {rules, &p[i]};
        if (sides && tz_enumerate_possible(rules, lengths[i], SIZE_MAX, is_possible, &cells,
                                           collect, &d[i]) != TZ_OK)
            right = differs(c, "enumeration of what is possible fails");
        find_truth(rules, &d[i], &p[i], &t[i]);
    }
    for (unsigned s = 0; s < sizeof semirings / sizeof *semirings && right; s++)
        right = check_plan(rules, semirings[s], TZ_PLAIN, p, d, t, lanes, regime->exact, c);
    right = right && check_plan(rules, "max", 0, p, d, t, lanes, regime->exact, c);
    if (!right) {
        size_t used = strlen(c->message);
        snprintf(c->message + used, sizeof c->message - used, " (scores: %s)", regime->name);
    }
    for (unsigned i = 0; i < lanes; i++) {
        free_truth(rules, &t[i]);
        free(sides ? d[i].use : NULL);
        free(sides ? d[i].end : NULL);
        random_problem_free(&p[i]);
    }
    return right;
}

verdict compare_with_enumeration(const tz_rules *rules, int32_t (*lengths)[TZ_MAX_LENGTHS],
                                 unsigned lanes, size_t limit, unsigned which, random_state *random,
                                 comparison *c) {
    derivations d[MAX_LANES];
    verdict verdict = AGREES;
    memset(d, 0, sizeof d);
    c->message[0] = '\0';
    c->derivations = 0;
    for (unsigned i = 0; i < lanes && verdict == AGREES; i++) {
        tz_status status = tz_enumerate(rules, lengths[i], limit, collect, &d[i]);
        c->derivations += d[i].count;
        if (status != TZ_OK) {
            verdict = status == TZ_TOO_LARGE ? TOO_MANY : status == TZ_BAD_RULES ? CYCLIC : DIFFERS;
            differs(c, "enumeration gives %s", tz_status_name(status));
        }
    }
    for (unsigned r = 0; r < REGIMES && verdict == AGREES; r++)
        if ((which >> r & 1) != 0 &&
            !check_regime(rules, lengths, d, lanes, &regimes[r], random, c))
            verdict = DIFFERS;
    for (unsigned i = 0; i < lanes; i++) {
        free(d[i].use);
        free(d[i].end);
    }
    return verdict;
}
