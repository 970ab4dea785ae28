/* plain.c - see plain.h. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "plain.h"
#include "rules/polyhedra/form.h"
#include "rules/polyhedra/instances.h"

/* Index values of the items of the rule sets that are built in lie in low_of(..) .. side - 1. */
static int32_t side_of(const tz_rules *rules, const int32_t *lengths) {
    int32_t longest = 0;
    for (unsigned l = 0; l < rules->lengths; l++)
        longest = lengths[l] > longest ? lengths[l] : longest;
    return longest + 2;
}

/* Of one index: where it has a bound of its own that is a number. */
static int32_t low_of(const tz_item *item, unsigned index) {
    int64_t low = 0;
    for (uint32_t c = 0; c < item->domain.count; c++) {
        const tz_form *form = &item->domain.at[c].form;
        if (form->column[index] > 0 && -form->constant < low)
            low = -form->constant;
    }
    return (int32_t)low;
}

void plain_items(const tz_rules *rules, const int32_t *lengths, plain_visit visit, void *user) {
    int32_t side = side_of(rules, lengths);
    for (unsigned item = 0; item < rules->items; item++) {
        const tz_item *it = &rules->item[item];
        int32_t index[TZ_MAX_RANK] = {0}, low[TZ_MAX_RANK] = {0};
        bool more = true;
        for (unsigned q = 0; q < it->rank; q++)
            index[q] = low[q] = low_of(it, q);
        while (more) {
            int64_t column[TZ_MAX_RANK];
            for (unsigned q = 0; q < it->rank; q++)
                column[q] = index[q];
            if (tz_domain_holds(&it->domain, rules->lengths, lengths, it->rank, column))
                visit(user, item, index);
            more = false;
            for (unsigned q = it->rank; q-- > 0 && !more;) {
                more = ++index[q] < side;
                if (!more)
                    index[q] = low[q];
            }
        }
    }
}

static int32_t form_at(const tz_rules *rules, const int32_t *lengths, const tz_form *form,
                       const tz_rule *rule, const int32_t *value) {
    int64_t column[TZ_MAX_VARIABLES];
    for (unsigned v = 0; v < rule->variables; v++)
        column[v] = value[v];
    return (int32_t)tz_form_value(form, rules->lengths, lengths, rule->variables, column);
}

/* ---- Equations ------------------------------------------------------------------------------- */

typedef enum algebra { MAX, LOG, COUNT } algebra;

typedef struct number {
    double got;       /* the engine's */
    long double want; /* summed over the instances */
} number;

typedef struct equations {
    const evaluation *e;
    algebra algebra;
    int32_t side;
    number *inside[16], *outside[16]; /* of each item, by index */
    number *cell[MAX_WEIGHTS];
    tz_clauses *clauses; /* [rule_count] */
    double *lifted[MAX_WEIGHTS];
    long double goal;
    plain_errors worst;
} equations;

static long double plus(algebra algebra, long double a, long double b) {
    if (algebra == COUNT)
        return a + b;
    long double high = a > b ? a : b, low = a > b ? b : a;
    if (algebra == MAX || low == -INFINITY)
        return high;
    return high + log1pl(expl(low - high));
}

static long double times(algebra algebra, long double a, long double b) {
    return algebra == COUNT ? a * b : a + b;
}

static size_t item_cell(const equations *q, unsigned item, const int32_t *index) {
    size_t cell = 0;
    for (unsigned r = 0; r < q->e->rules->item[item].rank; r++) {
        int32_t low = low_of(&q->e->rules->item[item], r);
        assert_true(low <= index[r] && index[r] < q->side);
        cell = cell * (size_t)(q->side - low) + (size_t)(index[r] - low);
    }
    return cell;
}

static void fetch_item(void *user, unsigned item, const int32_t *index) {
    equations *q = user;
    size_t cell = item_cell(q, item, index);
    q->inside[item][cell].got = item_value(q->e, item, index, false);
    q->outside[item][cell].got = item_value(q->e, item, index, true);
}

/* Adds one instance to its conclusion, to its premises' outside values and to its cells. */
static tz_status add_instance(void *user, const tz_rule *rule, const int32_t *value) {
    equations *q = user;
    const tz_rules *rules = q->e->rules;
    const int32_t *lengths = q->e->problem->lengths;
    long double one = q->algebra == COUNT, product[8];
    size_t premise[8], cell[8];
    int32_t index[TZ_MAX_RANK];
    unsigned factors = rule->premises + rule->weights;
    assert_in_range(factors, 0, 8);
    for (unsigned p = 0; p < rule->premises; p++) {
        for (unsigned r = 0; r < rules->item[rule->premise[p].which].rank; r++)
            index[r] = form_at(rules, lengths, &rule->premise[p].index[r], rule, value);
        premise[p] = item_cell(q, rule->premise[p].which, index);
        product[p] = q->inside[rule->premise[p].which][premise[p]].got;
    }
    for (unsigned w = 0; w < rule->weights; w++) {
        unsigned which = rule->weight[w].which;
        for (unsigned r = 0; r < rules->weight[which].rank; r++)
            index[r] = form_at(rules, lengths, &rule->weight[w].index[r], rule, value);
        cell[w] = problem_cell(q->e->problem, which, index);
        if (cell[w] == SIZE_MAX) /* an absent entry */
            return TZ_OK;
        product[rule->premises + w] = q->lifted[which][cell[w]];
    }
    for (unsigned r = 0; r < rules->item[rule->conclusion.which].rank; r++)
        index[r] = form_at(rules, lengths, &rule->conclusion.index[r], rule, value);
    size_t conclusion = item_cell(q, rule->conclusion.which, index);
    long double beyond = q->outside[rule->conclusion.which][conclusion].got, all = one;
    for (unsigned f = 0; f < factors; f++)
        all = times(q->algebra, all, product[f]);
    number *sum = &q->inside[rule->conclusion.which][conclusion];
    sum->want = plus(q->algebra, sum->want, all);
    for (unsigned p = 0; p < rule->premises; p++) {
        long double others = beyond;
        for (unsigned f = 0; f < factors; f++)
            others = f == p ? others : times(q->algebra, others, product[f]);
        sum = &q->outside[rule->premise[p].which][premise[p]];
        sum->want = plus(q->algebra, sum->want, others);
    }
    for (unsigned w = 0; w < rule->weights; w++) {
        sum = &q->cell[rule->weight[w].which][cell[w]];
        long double use = times(q->algebra, beyond, all);
        if (q->algebra == LOG)
            sum->want += expl(use - q->goal);
        else
            sum->want = plus(q->algebra, sum->want, use);
    }
    return TZ_OK;
}

static void conclude_item(void *user, unsigned item, const int32_t *index) {
    equations *q = user;
    const tz_rules *rules = q->e->rules;
    for (unsigned r = 0; r < rules->rule_count; r++) {
        size_t trials = 1000000000;
        if (rules->rule[r].conclusion.which == item)
            assert_int_equal(tz_clauses_solve(&q->clauses[r], index, &trials, add_instance, q),
                             TZ_OK);
    }
}

static void compare_item(void *user, unsigned item, const int32_t *index) {
    equations *q = user;
    size_t cell = item_cell(q, item, index);
    const number *inside = &q->inside[item][cell], *outside = &q->outside[item][cell];
    note_worst(&q->worst.inside, relative_error(inside->got, (double)inside->want));
    note_worst(&q->worst.outside, relative_error(outside->got, (double)outside->want));
}

static number *new_numbers(size_t count, double zero) {
    number *numbers = malloc((count + 1) * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (number){zero, zero};
    return numbers;
}

/* The engine's numbers for the cells, and the factors that an instance multiplies. */
static void fetch_weight(equations *q, unsigned weight) {
    const random_problem *p = q->e->problem;
    size_t cells = p->cells[weight];
    double *got = evaluation_cells(q->e, q->algebra == LOG ? tz_marginals : tz_through, weight);
    q->cell[weight] = new_numbers(cells, q->algebra == MAX ? -INFINITY : 0);
    q->lifted[weight] = malloc((cells + 1) * sizeof(double));
    assert_non_null(q->lifted[weight]);
    for (size_t c = 0; c < cells; c++) {
        q->cell[weight][c].got = got[c];
        double score = p->data[weight][c];
        q->lifted[weight][c] = q->algebra == COUNT ? score > -INFINITY : score;
    }
    free(got);
}

plain_errors plain_equations(const evaluation *e) {
    const tz_rules *rules = e->rules;
    const int32_t *lengths = e->problem->lengths;
    equations q = {.e = e, .side = side_of(rules, lengths), .goal = evaluation_goal(e)};
    q.algebra = strcmp(e->semiring, "max") == 0   ? MAX
                : strcmp(e->semiring, "log") == 0 ? LOG
                                                  : COUNT;
    double zero = q.algebra == COUNT ? 0 : -INFINITY;
    assert_in_range(rules->items, 1, 16);
    for (unsigned i = 0; i < rules->items; i++) {
        size_t cells = 1;
        for (unsigned r = 0; r < rules->item[i].rank; r++)
            cells *= (size_t)(q.side - low_of(&rules->item[i], r));
        q.inside[i] = new_numbers(cells, zero);
        q.outside[i] = new_numbers(cells, zero);
    }
    for (unsigned w = 0; w < rules->weights; w++)
        fetch_weight(&q, w);
    q.clauses = calloc(rules->rule_count, sizeof *q.clauses);
    assert_non_null(q.clauses);
    for (unsigned r = 0; r < rules->rule_count; r++)
        assert_int_equal(tz_clauses_make(rules, lengths, &rules->rule[r], &q.clauses[r]), TZ_OK);

    plain_items(rules, lengths, fetch_item, &q);
    int32_t goal[TZ_MAX_RANK] = {0};
    for (unsigned r = 0; r < rules->item[rules->goal.which].rank; r++)
        goal[r] = (int32_t)tz_form_value(&rules->goal.index[r], rules->lengths, lengths, 0, NULL);
    q.outside[rules->goal.which][item_cell(&q, rules->goal.which, goal)].want = q.algebra == COUNT;
    plain_items(rules, lengths, conclude_item, &q);
    plain_items(rules, lengths, compare_item, &q);

    for (unsigned w = 0; w < rules->weights; w++) {
        for (size_t c = 0; c < e->problem->cells[w]; c++) {
            const number *cell = &q.cell[w][c];
            note_worst(&q.worst.cells, relative_error(cell->got, (double)cell->want));
        }
        free(q.cell[w]);
        free(q.lifted[w]);
    }
    for (unsigned r = 0; r < rules->rule_count; r++)
        tz_clauses_free(&q.clauses[r]);
    free(q.clauses);
    for (unsigned i = 0; i < rules->items; i++) {
        free(q.inside[i]);
        free(q.outside[i]);
    }
    return q.worst;
}

/* ---- Proof trees ----------------------------------------------------------------------------- */

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
        if (!is_used(f->derivation, &use, f->rules->weight[which].rank)) {
            f->uses = before;
            return TZ_OK;
        }
        use.score = problem_score(f->problem, which, use.index);
        assert_true(f->uses < f->room);
        f->use[f->uses++] = use;
    }
    f->matches++;
    return TZ_OK;
}

static int by_weight(const void *a, const void *b) {
    const tz_use *x = a, *y = b;
    int order = (x->weight > y->weight) - (x->weight < y->weight);
    for (unsigned r = 0; r < TZ_MAX_RANK && order == 0; r++)
        order = (x->index[r] > y->index[r]) - (x->index[r] < y->index[r]);
    return order;
}

void plain_check_proof(const tz_rules *rules, const random_problem *problem,
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
        assert_int_equal(tz_clauses_make(rules, problem->lengths, rule, &clauses), TZ_OK);
        f.child = child;
        f.matches = 0;
        assert_int_equal(tz_clauses_solve(&clauses, node->index, &trials, match, &f), TZ_OK);
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
