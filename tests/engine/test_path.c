/* test_path.c - does a path list the uses of a derivation in its order?
 *
 * The definition, by trial: after the steps of all premises, those of some instance of the node's
 * rule, whose premises the node's subtrees are. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/polyhedra/instances_by_trial.h"
#include "tests/support/evaluate.h"
#include "tests/support/oom.h"
#include "tests/support/random_rules.h"
#include "tests/support/rule_files.h"

#define GOOD    TZ_SOURCE_ROOT "/tests/rules/good"
#define GALLERY TZ_SOURCE_ROOT "/rules/gallery"

enum { ROUNDS = 4, MOST_CHILDREN = 8 };

/* ---- By definition --------------------------------------------------------------------------- */

typedef struct walk {
    const tz_rules *rules;
    const random_problem *problem;
    const tz_derivation *derivation;
    const size_t *order;
    size_t node, step; /* the next ones */
    const size_t *child;
    bool found;
} walk;

static int32_t form_at(const walk *w, const tz_form *form, const tz_rule *rule,
                       const int32_t *value) {
    int64_t column[TZ_MAX_VARIABLES];
    for (unsigned v = 0; v < rule->variables; v++)
        column[v] = value[v];
    return (int32_t)tz_form_value(form, w->rules->lengths, w->problem->lengths, rule->variables,
                                  column);
}

/* Where the cell of a view is looked up. */
static tz_position position_of(const walk *w, const tz_weight *view, const int32_t *index) {
    tz_position ret = {.count = 0};
    int64_t column[TZ_MAX_RANK];
    for (unsigned q = 0; q < view->rank; q++)
        column[q] = index[q];
    for (unsigned q = 0; view->view != NULL && q < view->views; q++)
        for (unsigned f = 0;
             view->view[q].looked_up && f < w->rules->input[view->view[q].input].rank; f++)
            ret.at[ret.count++] = (int32_t)tz_form_value(&view->view[q].at[f], w->rules->lengths,
                                                         w->problem->lengths, view->rank, column);
    return ret;
}

/* A tz_instance: are the next steps what this instance uses, and its premises the subtrees? */
static tz_status compare_steps(void *user, const tz_rule *rule, const int32_t *value) {
    walk *w = user;
    const tz_derivation *d = w->derivation;
    for (unsigned p = 0; p < rule->premises; p++) {
        const tz_node *child = &d->node[w->child[p]];
        for (unsigned q = 0; q < w->rules->item[child->item].rank; q++)
            if (child->index[q] != form_at(w, &rule->premise[p].index[q], rule, value))
                return TZ_OK;
    }
    for (unsigned k = 0; k < rule->weights; k++) {
        const size_t u = w->order[w->step + k];
        const tz_weight *weight = &w->rules->weight[rule->weight[k].which];
        int32_t index[TZ_MAX_RANK] = {0}, cell[TZ_MAX_RANK] = {0};
        for (unsigned q = 0; q < weight->rank; q++)
            index[q] = form_at(w, &rule->weight[k].index[q], rule, value);
        const tz_position at = position_of(w, weight, index);
        unsigned declared = declared_use(w->rules, w->problem, rule->weight[k].which, index, cell);
        if (d->use[u].weight != declared ||
            memcmp(d->use[u].index, cell, weight_of(w->rules, declared)->rank * sizeof *cell) != 0)
            return TZ_OK;
        assert_true((d->position != NULL) == (w->rules->declareds > 0));
        if (d->position != NULL && memcmp(&d->position[u], &at, sizeof at) != 0)
            return TZ_OK;
        assert_true(d->use[u].score == problem_score(w->problem, declared, cell));
    }
    w->found = true;
    return TZ_NONE;
}

/* The subtree of the next node. */
static void check_subtree(walk *w) {
    const size_t node = w->node++;
    const tz_node *at = &w->derivation->node[node];
    const tz_rule *rule = &w->rules->rule[at->rule];
    size_t child[MOST_CHILDREN], trials = 1000000;
    assert_true(at->premises <= MOST_CHILDREN);
    for (unsigned p = 0; p < at->premises; p++) {
        child[p] = w->node;
        check_subtree(w);
    }
    OWNED(tz_clauses, clauses) = {0};
    w->child = child;
    w->found = false;
    assert_true(w->step + rule->weights <= w->derivation->uses);
    assert_ok(tz_clauses_make(w->rules, w->problem->lengths, rule, &clauses));
    tz_clauses_solve(&clauses, at->index, &trials, compare_steps, w);
    if (!w->found)
        fail_msg("%s: step %zu is none of rule %s", w->rules->name, w->step, rule->name);
    w->step += rule->weights;
}

static void check_path(const tz_rules *rules, const random_problem *p, const tz_derivation *d) {
    FREED(size_t, order) = calloc(d->uses + 1, sizeof *order);
    FREED(bool, seen) = calloc(d->uses + 1, sizeof *seen);
    assert_non_null(order);
    assert_non_null(seen);
    if (tz_path(rules, p->lengths, d, order) != TZ_OK)
        fail_msg("%s: no path", rules->name);
    for (size_t i = 0; i < d->uses; i++) {
        assert_true(order[i] < d->uses && !seen[order[i]]);
        seen[order[i]] = true;
    }
    walk w = {.rules = rules, .problem = p, .derivation = d, .order = order};
    check_subtree(&w);
    assert_true(w.node == d->nodes && w.step == d->uses);
}

/* ---- Rule sets ------------------------------------------------------------------------------- */

/* The best derivations and some samples. */
static size_t check_rules(const tz_rules *rules, random_state *random) {
    size_t checked = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        random_problem p;
        do
            random_lengths(rules, 6, 3000, random, lengths);
        while (!has_numbers(rules, lengths));
        make_problem(rules, lengths, tz_has_closures(rules) ? low_scores : integer_scores, random,
                     &p);
        OWNED(evaluation, max) = evaluate(rules, "max", &p), log = evaluate(rules, "log", &p);
        const tz_derivation *d;
        OWN(tz_kbest, list) = make_kbest(max.chart, 0, false);
        for (unsigned k = 0; k < 5 && tz_kbest_next(list, &d) == TZ_OK; k++, checked++)
            check_path(rules, &p, d);
        if (tz_best(max.chart, 0, TZ_GOAL, NULL, &d) == TZ_OK)
            check_path(rules, &p, d);
        OWN(tz_sampler, sampler) = NULL;
        assert_ok(tz_sampler_new(log.chart, 0, 1, false, &sampler));
        for (unsigned k = 0; k < 5 && tz_sampler_next(sampler, &d) == TZ_OK; k++)
            check_path(rules, &p, d);
        random_problem_free(&p);
    }
    return checked;
}

TEST(builtin) {
    random_state random = random_start("paths");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++)
        assert_true(check_rules(tz_rules_builtin(i), &random) > 0);
}

static void check_files(const char *folder) {
    random_state random = random_start(folder);
    int derived = 0;
    rule_files files = rule_files_in(folder);
    for (tz_rules *rules; (rules = next_rules(&files)) != NULL; tz_rules_free(rules))
        derived += check_rules(rules, &random) > 0;
    assert_true(derived > files.count / 2);
}

TEST(good_files) {
    check_files(GOOD);
}

TEST(gallery) {
    check_files(GALLERY);
}

/* ---- Variables that stand in weights alone -----------------------------------------------------
 */

enum { HIDDEN = 3, MOST_PATHS = 300 };

static void put(rules_text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(rules_text *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    to->size += (size_t)vsnprintf(to->at + to->size, sizeof to->at - to->size, format, args);
    va_end(args);
}

/* A weight of each hidden variable, or of two; others; conditions on them, and these. */
static void put_weights(rules_text *to, random_state *random, const char *seen,
                        const char *conditions) {
    static const char hidden[] = "uvw", relation[][4] = {"<", "<=", "!="};
    const unsigned variables = (unsigned)random_below(random, HIDDEN + 1);
    unsigned sparse = 0;
    for (unsigned v = 0; v < variables; v++) {
        if (random_below(random, 3) == 0)
            put(to, " * a[%s]", random_below(random, 2) ? "0" : seen);
        if (random_below(random, 4) == 0)
            put(to, " * c");
        switch (random_below(random, sparse == 2 ? 3 : 4)) {
        case 0:
            put(to, " * b[%c,%c]", hidden[v], hidden[random_below(random, variables)]);
            break;
        case 1:
            put(to, " * b[%s,%c]", seen, hidden[v]);
            break;
        case 3:
            put(to, " * s[%c]", hidden[v]);
            sparse++;
            break;
        default:
            put(to, " * a[%c]", hidden[v]);
        }
    }
    const char *comma = conditions[0] != '\0' ? "," : " if";
    put(to, "%s%s", conditions[0] != '\0' ? " if " : "", conditions);
    for (unsigned v = 0; v < variables; v++, comma = ",") {
        const char *as = relation[random_below(random, 3)];
        switch (random_below(random, 4)) {
        case 0:
            put(to, "%s %c %s n-%s", comma, hidden[v], as, seen);
            break;
        case 1:
            put(to, "%s %c %s %c", comma, hidden[v], as, hidden[(v + 1) % variables]);
            break;
        case 2:
            put(to, "%s %c + %s %s n", comma, hidden[v], seen, as);
            break;
        default:
            put(to, "%s %c != 1", comma, hidden[v]);
        }
    }
}

static tz_rules *make_hidden(random_state *random, rules_text *ret) {
    tz_rules *rules = NULL;
    ret->size = 0;
    put(ret, "rules hidden\nlength n\nweight a[z] 0 <= z <= n\nweight b[y,z] 0 <= y <= n, 0 <= z "
             "<= n\nweight c\nweight s[z] sparse 0 <= z <= n\nitem at[i] 0 <= i <= n\ngoal at[n]\n"
             "\n  axiom\n  --- first");
    put_weights(ret, random, "0", "");
    put(ret, "\n  at[0]\n\n  at[i-1]\n  --- next");
    put_weights(ret, random, random_below(random, 2) ? "i" : "i-1", "");
    put(ret, "\n  at[i]\n");
    if (random_below(random, 2)) {
        put(ret, "\n  at[k] at[i-k]\n  --- join");
        put_weights(ret, random, random_below(random, 2) ? "i" : "k", "1 <= k < i");
        put(ret, "\n  at[i]\n");
    }
    return tz_rules_parse("hidden.rules", ret->at, ret->size, &rules, NULL) == TZ_OK ? rules : NULL;
}

TEST(hidden_variables) {
    random_state random = random_start("hidden variables");
    rules_text text;
    unsigned checked = 0;
    for (unsigned set = 0; set < random_rule_sets(300); set++) {
        tz_rules *rules = make_hidden(&random, &text);
        if (rules == NULL)
            continue;
        const int32_t length = (int32_t)random_below(&random, 4);
        random_problem p;
        make_problem(rules, &length, integer_scores, &random, &p);
        {
            OWNED(evaluation, max) = evaluate(rules, "max", &p), log = evaluate(rules, "log", &p);
            const tz_derivation *d;
            OWN(tz_kbest, list) = make_kbest(max.chart, 0, false);
            for (size_t k = 0; k < MOST_PATHS && tz_kbest_next(list, &d) == TZ_OK; k++) {
                check_path(rules, &p, d);
                checked++;
            }
            OWN(tz_sampler, sampler) = NULL;
            assert_ok(tz_sampler_new(log.chart, 0, set, true, &sampler));
            for (size_t k = 0; k < MOST_PATHS && tz_sampler_next(sampler, &d) == TZ_OK; k++)
                check_path(rules, &p, d);
        }
        random_problem_free(&p);
        tz_rules_free(rules);
    }
    printf("# %u derivations\n", checked);
    assert_true(checked > random_rule_sets(300));
}

/* Is there an input without indices? Nothing says where it is looked up, so that a rule's uses by
 * way of it may come in another order. */
static bool has_loose_input(const tz_rules *rules) {
    bool loose = false;
    for (unsigned i = 0; i < rules->inputs; i++)
        loose |= rules->input[i].rank == 0;
    return loose;
}

/* Any rules; those that the reader refuses are none. */
TEST(random_files) {
    random_state random = random_start("paths of random rules");
    rules_text text;
    size_t checked = 0;
    for (unsigned set = 0; set < random_rule_sets(100); set++) {
        tz_rules *rules = read_random_rules(&random, &text);
        if (rules != NULL && !has_loose_input(rules))
            checked += check_rules(rules, &random);
        tz_rules_free(rules);
    }
    assert_true(checked > random_rule_sets(100) / 4);
}

/* ---- Examples -------------------------------------------------------------------------------- */

static const char hmm[] = "rules hmm\nlength n, T, V\ninput x[i] < V  1 <= i <= n\n"
                          "weight start[a] 0 <= a < T\n"
                          "weight trans[a,b] 0 <= a < T, 0 <= b < T\n"
                          "weight emit[a,v] 0 <= a < T, 0 <= v < V\n"
                          "item state[i,a] 1 <= i <= n, 0 <= a < T\nitem done\ngoal done\n\n"
                          "  axiom\n  ---------- first * start[a] * emit[a,x[1]]\n  state[1,a]\n\n"
                          "  state[i-1,a]\n  ---------- then * trans[a,b] * emit[b,x[i]]\n"
                          "  state[i,b]\n\n"
                          "  state[n,_]\n  ---------- finish\n  done\n";

/* Ties: 0 where anything else is as good, so that the labels are 0 1 1 0. */
static const double start_scores[] = {0, -1}, trans_scores[] = {0, 0, 0, 0};
static const double emit_scores[] = {1, 0, 0, 2};

typedef struct labelling {
    tz_rules *rules;
    int32_t lengths[3], x[4];
    tz_scores scores[3];
    tz_input_numbers numbers;
    tz_problem problem;
} labelling;

static void make_labelling(labelling *l) {
    tz_shape shape;
    int64_t bound;
    static const double *const data[] = {start_scores, trans_scores, emit_scores};
    *l = (labelling){.lengths = {4, 2, 2}, .x = {0, 1, 1, 0}};
    assert_ok(tz_rules_parse("hmm", hmm, strlen(hmm), &l->rules, NULL));
    for (unsigned w = 0; w < 3; w++) {
        shape = shape_of(l->rules, w, l->lengths);
        l->scores[w] = tz_scores_dense(&shape, data[w]);
    }
    assert_ok(tz_rules_input_shape(l->rules, 0, l->lengths, &shape, &bound));
    l->numbers = tz_input_numbers_dense(&shape, l->x);
    l->problem = (tz_problem){.lengths = l->lengths, .scores = l->scores, .numbers = &l->numbers};
}

/* Tags with their positions: start, emit at 1, then trans and emit at each position. */
TEST(tags) {
    enum { START, TRANS, EMIT };
    labelling l;
    make_labelling(&l);
    random_problem p = {.problem = l.problem};
    OWNED(evaluation, e) = evaluate(l.rules, "max", &p);
    size_t order[8];
    static const int32_t label[] = {0, 1, 1, 0};
    const tz_derivation *best = best_of(e.chart, 0);
    assert_int_equal(best->uses, 8);
    assert_ok(tz_path(l.rules, l.lengths, best, order));
    for (int32_t i = 1; i <= 4; i++) {
        const tz_use *before = &best->use[order[2 * i - 2]], *emit = &best->use[order[2 * i - 1]];
        const tz_position *at = &best->position[order[2 * i - 1]];
        assert_int_equal(before->weight, i == 1 ? START : TRANS);
        assert_int_equal(best->position[order[2 * i - 2]].count, 0);
        assert_int_equal(before->index[i > 1], label[i - 1]);
        assert_int_equal(emit->weight, EMIT);
        assert_int_equal(emit->index[0], label[i - 1]);
        assert_int_equal(emit->index[1], l.x[i - 1]);
        assert_int_equal(at->count, 1);
        assert_int_equal(at->at[0], i);
    }
    /* What is no derivation of the rules. */
    tz_derivation wrong = *best;
    wrong.position = NULL;
    assert_int_equal(tz_path(l.rules, l.lengths, &wrong, order), TZ_BAD_ARGUMENT);
    wrong = *best;
    wrong.nodes--;
    assert_int_equal(tz_path(l.rules, l.lengths, &wrong, order), TZ_BAD_ARGUMENT);
    wrong = *best;
    wrong.uses--;
    assert_int_equal(tz_path(l.rules, l.lengths, &wrong, order), TZ_BAD_ARGUMENT);
    tz_rules_free(l.rules);
}

typedef struct calls {
    const labelling *l;
    const tz_derivation *derivation;
} calls;

static int find_path(void *user) {
    const calls *c = user;
    size_t order[8];
    return (int)tz_path(c->l->rules, c->l->lengths, c->derivation, order);
}

static int find_best(void *user) {
    const calls *c = user;
    const tz_derivation *best;
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = NULL;
    tz_status status = tz_plan_new(c->l->rules, tz_semiring_find("max", TZ_F64), 0, &plan, NULL);
    if (status == TZ_OK)
        status = try_inside(plan, &c->l->problem, 1, &chart);
    if (status == TZ_OK)
        status = tz_best(chart, 0, TZ_GOAL, NULL, &best);
    return (int)status;
}

TEST(memory) {
    labelling l;
    make_labelling(&l);
    random_problem p = {.problem = l.problem};
    OWNED(evaluation, e) = evaluate(l.rules, "max", &p);
    calls c = {.l = &l};
    c.derivation = best_of(e.chart, 0);
    assert_true(oom_sweep("tz_path", find_path, &c, TZ_NO_MEMORY, false) >= 2);
    assert_true(oom_sweep("tz_best", find_best, &c, TZ_NO_MEMORY, false) > 10);
    tz_rules_free(l.rules);
}
