/* proof.c - is a proof tree a proof? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "proof.h"
#include "rules/polyhedra/form.h"
#include "rules/polyhedra/instances_by_trial.h"

static int32_t form_at(const tz_rules *rules, const int32_t *lengths, const tz_form *form,
                       const tz_rule *rule, const int32_t *value) {
    int64_t column[TZ_MAX_VARIABLES];
    for (unsigned v = 0; v < rule->variables; v++)
        column[v] = value[v];
    return (int32_t)tz_form_value(form, rules->lengths, lengths, rule->variables, column);
}

typedef struct proof {
    const tz_rules *rules;
    const random_problem *problem;
    const tz_node *node;
    const size_t *child; /* of the node at hand */
    const tz_derivation *derivation;
    tz_use *use;
    size_t uses, room, matches;
} proof;

static bool is_used(const tz_derivation *derivation, const tz_use *use, unsigned rank) {
    for (size_t u = 0; u < derivation->uses; u++)
        if (derivation->use[u].weight == use->weight &&
            memcmp(derivation->use[u].index, use->index, rank * sizeof *use->index) == 0)
            return true;
    return false;
}

/* An instance whose premises are the node's subtrees, and whose weights the derivation uses: keeps
 * these. (Indices of weights alone can differ between instances of the same premises.) */
static tz_status match(void *user, const tz_rule *rule, const int32_t *value) {
    proof *f = user;
    size_t before = f->uses;
    const int32_t *lengths = f->problem->lengths;
    for (unsigned p = 0; p < rule->premises; p++) {
        const tz_node *child = &f->node[f->child[p]];
        assert_int_equal(child->item, rule->premise[p].which);
        for (unsigned r = 0; r < f->rules->item[child->item].rank; r++)
            if (child->index[r] !=
                form_at(f->rules, lengths, &rule->premise[p].index[r], rule, value))
                return TZ_OK;
    }
    for (unsigned w = 0; w < rule->weights; w++) {
        unsigned which = rule->weight[w].which;
        tz_use use = {.weight = which};
        for (unsigned r = 0; r < f->rules->weight[which].rank; r++)
            use.index[r] = form_at(f->rules, lengths, &rule->weight[w].index[r], rule, value);
        use.weight = which = declared_use(f->rules, f->problem, which, use.index, use.index);
        if (!is_used(f->derivation, &use, weight_of(f->rules, which)->rank)) {
            f->uses = before;
            return TZ_OK;
        }
        use.score = problem_score(f->problem, which, use.index);
        assert_true(f->uses < f->room);
        f->use[f->uses++] = use;
    }
    f->matches++;
    return rule->sides > 0 ? TZ_NONE : TZ_OK; /* side conditions may hold by several others */
}

static int by_weight(const void *a, const void *b) {
    const tz_use *x = a, *y = b;
    int order = (x->weight > y->weight) - (x->weight < y->weight);
    for (unsigned r = 0; r < TZ_MAX_RANK && order == 0; r++)
        order = (x->index[r] > y->index[r]) - (x->index[r] < y->index[r]);
    return order;
}

void check_proof(const tz_rules *rules, const random_problem *problem,
                 const tz_derivation *derivation) {
    size_t nodes = derivation->nodes, waiting = 0;
    size_t *stack = calloc(nodes + 1, sizeof *stack);
    proof f = {.rules = rules, .problem = problem, .node = derivation->node};
    f.derivation = derivation;
    f.room = derivation->uses;
    f.use = calloc(f.room + 1, sizeof *f.use);
    assert_non_null(stack);
    assert_non_null(f.use);
    /* Preorder backwards: the subtrees of a node are those that wait, the first one last. */
    for (size_t i = nodes; i-- > 0;) {
        const tz_node *node = &f.node[i];
        assert_in_range(node->rule, 0, rules->rule_count - 1);
        const tz_rule *rule = &rules->rule[node->rule];
        assert_int_equal(node->item, rule->conclusion.which);
        assert_int_equal(node->premises, rule->premises);
        assert_true(waiting >= node->premises);
        size_t child[8], trials = 1000000;
        for (unsigned p = 0; p < node->premises; p++)
            child[p] = stack[--waiting];
        tz_clauses clauses;
        assert_ok(tz_clauses_make(rules, problem->lengths, rule, &clauses));
        f.child = child;
        f.matches = 0;
        tz_status status = tz_clauses_solve(&clauses, node->index, &trials, match, &f);
        assert_int_equal(status, rule->sides > 0 ? TZ_NONE : TZ_OK);
        assert_int_equal(f.matches, 1);
        tz_clauses_free(&clauses);
        stack[waiting++] = i;
    }
    assert_int_equal(waiting, 1);
    assert_int_equal(stack[0], 0);
    assert_int_equal(f.node[0].item, rules->goal.which);
    for (unsigned r = 0; r < rules->item[rules->goal.which].rank; r++)
        assert_int_equal(f.node[0].index[r], tz_form_value(&rules->goal.index[r], rules->lengths,
                                                           problem->lengths, 0, NULL));
    assert_int_equal(f.uses, derivation->uses);
    qsort(f.use, f.uses, sizeof *f.use, by_weight);
    for (size_t u = 0; u < f.uses; u++) {
        assert_int_equal(by_weight(&f.use[u], &derivation->use[u]), 0);
        assert_true(f.use[u].score == derivation->use[u].score);
    }
    free(f.use);
    free(stack);
}
