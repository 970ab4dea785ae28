/* enumerate.c - every derivation, one by one, straight from the rules as written.
 *
 * From the goal, each item asked for is expanded once into its rule instances: the assignments of
 * the rule's variables that satisfy every domain and the condition, found by trying values inside
 * intervals that the constraints leave. That gives a forest whose nodes know how many derivations
 * they have; derivation number r is then read off by dividing r among rules and premises, so that
 * no derivation is ever stored.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/tell/enumerate.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/table.h"
#include "rules/polyhedra/instances_by_trial.h"

/* Values tried for variables before the enumeration gives up with TZ_TOO_LARGE instead of running
 * for minutes. */
enum { MAX_TRIALS = 1 << 20 };

/* A rule instance. */
typedef struct edge {
    size_t premise;  /* in premises: those of the rule, then its sides */
    size_t variable; /* in values */
    size_t count;    /* derivations */
    uint16_t rule;
} edge;

typedef enum state { ASKED, OPEN, DONE, MARKED } state;

/* An item at index values. */
typedef struct node {
    uint16_t item;
    state state;
    int32_t index[TZ_MAX_RANK];
    size_t edge, edges; /* in forest.edge */
    size_t count;       /* derivations */
} node;

/* Growing arrays, all of them. */
typedef struct array {
    void *at;
    size_t count, capacity;
} array;

typedef struct forest {
    const tz_rules *rules;
    const int32_t *lengths;
    size_t limit;
    tz_clauses *rule; /* [rule_count] */
    array node, edge, premise, value;
    tz_table table; /* of nodes */
    size_t trials;
    tz_enum_possible possible; /* or NULL: all cells are */
    void *possible_user;
    bool items; /* are uses as well */
} forest;

/* Room for `more` elements at the end of the array, or NULL. */
static void *grow(array *array, size_t more, size_t size) {
    size_t need;
    if (__builtin_add_overflow(array->count, more, &need))
        return NULL;
    if (!tz_grow(&array->at, &array->capacity, need > 0 ? need : 1, size))
        return NULL;
    void *end = (char *)array->at + array->count * size;
    array->count = need;
    return end;
}

/* ---- The forest ------------------------------------------------------------------------------ */

static bool evaluate(const forest *forest, const tz_form *form, const int32_t *value,
                     unsigned variables, int32_t *ret) {
    int64_t sum = form->constant;
    for (unsigned l = 0; l < forest->rules->lengths; l++)
        sum += (int64_t)form->length[l] * forest->lengths[l];
    for (unsigned v = 0; v < variables; v++)
        sum += (int64_t)form->column[v] * value[v];
    *ret = (int32_t)sum;
    return sum >= INT32_MIN && sum <= INT32_MAX;
}

typedef struct sought {
    const node *nodes;
    node is;
} sought;

static bool is_node(const void *what, int32_t number) {
    const sought *of = what;
    const node *seen = &of->nodes[number];
    return seen->item == of->is.item && memcmp(seen->index, of->is.index, sizeof seen->index) == 0;
}

/* The node of an item at index values, made where there is none. */
static tz_status find_node(forest *forest, uint16_t item, const int32_t *index, size_t *ret) {
    sought what = {forest->node.at, {.item = item}};
    memcpy(what.is.index, index, sizeof what.is.index);
    uint64_t hash = tz_hash_more(0, item);
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        hash = tz_hash_more(hash, (uint32_t)index[q]);
    const int32_t seen = tz_table_find(&forest->table, hash, is_node, &what);
    *ret = seen != TZ_NO_NUMBER ? (size_t)seen : forest->node.count;
    if (seen != TZ_NO_NUMBER)
        return TZ_OK;
    if (*ret >= INT32_MAX)
        return TZ_TOO_LARGE;
    node *made = grow(&forest->node, 1, sizeof *made);
    if (made == NULL || !tz_table_put(&forest->table, hash, (int32_t)*ret))
        return TZ_NO_MEMORY;
    *made = what.is;
    return TZ_OK;
}

/* Appends the node of a term to the premises. */
static tz_status add_premise(forest *forest, const tz_term *term, unsigned variables,
                             const int32_t *value) {
    int32_t index[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < forest->rules->item[term->which].rank; q++)
        if (!evaluate(forest, &term->index[q], value, variables, &index[q]))
            return TZ_TOO_LARGE;
    size_t found;
    tz_status status = find_node(forest, term->which, index, &found);
    if (status != TZ_OK)
        return status;
    size_t *at = grow(&forest->premise, 1, sizeof *at);
    if (!at)
        return TZ_NO_MEMORY;
    *at = found;
    return TZ_OK;
}

/* What weight w of the rule uses. */
static tz_status make_use(const forest *forest, const tz_rule *rule, unsigned w,
                          const int32_t *value, tz_enum_use *ret) {
    const tz_term *weight = &rule->weight[w];
    *ret = (tz_enum_use){.weight = weight->which};
    for (unsigned q = 0; q < forest->rules->weight[weight->which].rank; q++)
        if (!evaluate(forest, &weight->index[q], value, rule->variables, &ret->index[q]))
            return TZ_TOO_LARGE;
    return TZ_OK;
}

static tz_status add_edge(void *user, const tz_rule *rule, const int32_t *value) {
    forest *forest = user;
    for (unsigned w = 0; w < rule->weights && forest->possible; w++) {
        tz_enum_use use;
        tz_status status = make_use(forest, rule, w, value, &use);
        if (status != TZ_OK || !forest->possible(forest->possible_user, &use))
            return status;
    }
    edge made = {.rule = (uint16_t)(rule - forest->rules->rule),
                 .premise = forest->premise.count,
                 .variable = forest->value.count};
    tz_status status = TZ_OK;
    for (unsigned p = 0; p < rule->premises && status == TZ_OK; p++)
        status = add_premise(forest, &rule->premise[p], rule->variables, value);
    for (unsigned s = 0; s < rule->sides && status == TZ_OK; s++)
        status = add_premise(forest, &rule->side[s], rule->variables, value);
    if (status != TZ_OK)
        return status;
    int32_t *values = grow(&forest->value, rule->variables, sizeof *values);
    edge *edge = grow(&forest->edge, 1, sizeof *edge);
    if (!values || !edge)
        return TZ_NO_MEMORY;
    memcpy(values, value, rule->variables * sizeof *values);
    *edge = made;
    return TZ_OK;
}

static tz_enum_use use_of(const node *node) {
    tz_enum_use item = {.weight = node->item, .item = true};
    memcpy(item.index, node->index, sizeof item.index);
    return item;
}

/* Finds the instances of all rules, in file order, that conclude the node. */
static tz_status expand(forest *forest, size_t number) {
    node open = ((node *)forest->node.at)[number];
    open.state = OPEN;
    open.edge = forest->edge.count;
    const tz_enum_use item = use_of(&open);
    const bool possible = !forest->items || forest->possible == NULL ||
                          forest->possible(forest->possible_user, &item);
    for (uint16_t r = 0; r < forest->rules->rule_count && possible; r++) {
        if (forest->rules->rule[r].conclusion.which != open.item)
            continue;
        tz_status status =
            tz_clauses_solve(&forest->rule[r], open.index, &forest->trials, add_edge, forest);
        if (status != TZ_OK)
            return status;
    }
    open.edges = forest->edge.count - open.edge;
    ((node *)forest->node.at)[number] = open;
    return TZ_OK;
}

/* Counts the derivations of a node whose premises are done. */
static tz_status finish(forest *forest, node *node) {
    edge *edges = forest->edge.at;
    const size_t *premises = forest->premise.at;
    const struct node *nodes = forest->node.at;
    node->state = DONE;
    for (size_t e = node->edge; e < node->edge + node->edges; e++) {
        size_t count = 1;
        bool over = false, none = false;
        const tz_rule *rule = &forest->rules->rule[edges[e].rule];
        for (unsigned p = 0; p < (unsigned)rule->premises + rule->sides; p++) {
            size_t factor = nodes[premises[edges[e].premise + p]].count;
            none = none || factor == 0;
            if (p < rule->premises)
                over = __builtin_mul_overflow(count, factor, &count) || over;
        }
        edges[e].count = none ? 0 : count;
        over = (over && !none) || __builtin_add_overflow(node->count, edges[e].count, &node->count);
        if (over && forest->limit == SIZE_MAX)
            edges[e].count = node->count = SIZE_MAX;
        else if (over || node->count > forest->limit)
            return TZ_TOO_LARGE;
    }
    return TZ_OK;
}

/* Expands the goal and all it needs, depth first. */
static tz_status build(forest *forest, size_t goal) {
    struct frame {
        size_t node, edge, premise;
    } * top;
    array stack = {0};
    tz_status status = expand(forest, goal);
    top = grow(&stack, 1, sizeof *top);
    if (status == TZ_OK && !top)
        status = TZ_NO_MEMORY;
    if (status == TZ_OK)
        *top = (struct frame){goal, 0, 0};
    while (status == TZ_OK && stack.count > 0) {
        top = (struct frame *)stack.at + stack.count - 1;
        node *node = (struct node *)forest->node.at + top->node;
        if (top->edge == node->edges) {
            status = finish(forest, node);
            stack.count--;
            continue;
        }
        const edge *edge = (struct edge *)forest->edge.at + node->edge + top->edge;
        const tz_rule *rule = &forest->rules->rule[edge->rule];
        if (top->premise == (size_t)rule->premises + rule->sides) {
            top->edge++;
            top->premise = 0;
            continue;
        }
        size_t next = ((size_t *)forest->premise.at)[edge->premise + top->premise++];
        state seen = ((struct node *)forest->node.at)[next].state;
        if (seen == OPEN)
            status = TZ_BAD_RULES;
        if (seen != ASKED)
            continue;
        status = expand(forest, next);
        top = grow(&stack, 1, sizeof *top);
        if (status == TZ_OK && !top)
            status = TZ_NO_MEMORY;
        if (status == TZ_OK)
            *top = (struct frame){next, 0, 0};
    }
    free(stack.at);
    return status;
}

/* ---- Reading derivations off the forest ------------------------------------------------------ */

typedef struct part {
    size_t node, rank;
} part;

static tz_status add_uses(const forest *forest, const edge *edge, array *uses) {
    const tz_rule *rule = &forest->rules->rule[edge->rule];
    const int32_t *value = (const int32_t *)forest->value.at + edge->variable;
    tz_status status = TZ_OK;
    for (unsigned w = 0; w < rule->weights && status == TZ_OK; w++) {
        tz_enum_use *use = grow(uses, 1, sizeof *use);
        status = use ? make_use(forest, rule, w, value, use) : TZ_NO_MEMORY;
    }
    return status;
}

/* The uses of derivation number `rank` of a node. */
static tz_status unrank(const forest *forest, size_t goal, size_t rank, array *stack, array *uses) {
    const node *nodes = forest->node.at;
    stack->count = uses->count = 0;
    part *top = grow(stack, 1, sizeof *top);
    if (!top)
        return TZ_NO_MEMORY;
    *top = (part){goal, rank};
    while (stack->count > 0) {
        part part = ((struct part *)stack->at)[--stack->count];
        const edge *edge = (const struct edge *)forest->edge.at + nodes[part.node].edge;
        while (part.rank >= edge->count)
            part.rank -= edge++->count;
        tz_enum_use *item = forest->items ? grow(uses, 1, sizeof *item) : NULL;
        if (forest->items && !item)
            return TZ_NO_MEMORY;
        if (item)
            *item = use_of(&nodes[part.node]);
        tz_status status = add_uses(forest, edge, uses);
        if (status != TZ_OK)
            return status;
        const size_t *premise = forest->premise.at; /* NULL where no rule has any */
        for (unsigned p = forest->rules->rule[edge->rule].premises; p-- > 0;) {
            if (!(top = grow(stack, 1, sizeof *top)))
                return TZ_NO_MEMORY;
            size_t node = premise[edge->premise + p], count = nodes[node].count;
            *top = (struct part){node, part.rank % count};
            part.rank /= count;
        }
    }
    return TZ_OK;
}

static tz_status visit_all(const forest *forest, size_t goal, tz_enum_visit visit, void *user) {
    array stack = {0}, uses = {0};
    size_t count = ((const node *)forest->node.at)[goal].count;
    tz_status status = TZ_OK;
    for (size_t rank = 0; rank < count; rank++) {
        status = unrank(forest, goal, rank, &stack, &uses);
        if (status != TZ_OK || visit(user, uses.at, uses.count))
            break;
    }
    free(stack.at);
    free(uses.at);
    return status;
}

/* Marks the rules of all derivations of the goal. */
static tz_status mark_rules(forest *forest, size_t goal, bool *used) {
    const size_t *premise = forest->premise.at;
    array stack = {0};
    size_t *top = grow(&stack, 1, sizeof *top);
    tz_status status = top ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK)
        *top = goal;
    while (status == TZ_OK && stack.count > 0) {
        node *node = (struct node *)forest->node.at + ((size_t *)stack.at)[--stack.count];
        if (node->state == MARKED)
            continue;
        node->state = MARKED;
        const edge *edge = forest->edge.at; /* NULL where no node has any */
        edge = edge ? edge + node->edge : NULL;
        for (size_t e = 0; e < node->edges && status == TZ_OK; e++, edge++) {
            const tz_rule *rule = &forest->rules->rule[edge->rule];
            size_t premises = (size_t)rule->premises + rule->sides;
            if (edge->count == 0)
                continue;
            used[edge->rule] = true;
            if (!(top = grow(&stack, premises, sizeof *top)))
                status = TZ_NO_MEMORY;
            else if (premises > 0)
                memcpy(top, premise + edge->premise, premises * sizeof *top);
        }
    }
    free(stack.at);
    return status;
}

static void free_forest(forest *forest) {
    for (unsigned r = 0; forest->rule && r < forest->rules->rule_count; r++)
        tz_clauses_free(&forest->rule[r]);
    free(forest->rule);
    free(forest->node.at);
    free(forest->edge.at);
    free(forest->premise.at);
    free(forest->value.at);
    tz_table_free(&forest->table);
}

/* The forest of the goal, empty where the goal lies outside its domain. */
static tz_status make_forest(forest *forest, size_t *ret_goal) {
    const tz_rules *rules = forest->rules;
    const int32_t *lengths = forest->lengths;
    int32_t index[TZ_MAX_RANK] = {0};
    tz_status status = TZ_OK;
    for (unsigned l = 0; l < rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_LONGEST)
            return lengths[l] < 0 ? TZ_BAD_ARGUMENT : TZ_TOO_LARGE;
    if (!tz_term_declared(rules, lengths, &rules->goal))
        return TZ_OK;

    forest->rule = calloc(rules->rule_count ? rules->rule_count : 1, sizeof *forest->rule);
    if (!forest->rule)
        return TZ_NO_MEMORY;
    for (unsigned r = 0; status == TZ_OK && r < rules->rule_count; r++)
        status = tz_clauses_make(rules, lengths, &rules->rule[r], &forest->rule[r]);
    for (unsigned q = 0; status == TZ_OK && q < rules->item[rules->goal.which].rank; q++)
        if (!evaluate(forest, &rules->goal.index[q], NULL, 0, &index[q]))
            status = TZ_TOO_LARGE;
    if (status == TZ_OK)
        status = find_node(forest, rules->goal.which, index, ret_goal);
    return status == TZ_OK ? build(forest, *ret_goal) : status;
}

static tz_status enumerate(forest forest, tz_enum_visit visit, void *user) {
    size_t goal = 0;
    forest.trials = MAX_TRIALS;
    tz_status status = make_forest(&forest, &goal);
    if (status == TZ_OK && forest.node.count > 0)
        status = visit_all(&forest, goal, visit, user);
    free_forest(&forest);
    return status;
}

tz_status tz_enumerate(const tz_rules *rules, const int32_t *lengths, size_t limit,
                       tz_enum_visit visit, void *user) {
    return enumerate((forest){.rules = rules, .lengths = lengths, .limit = limit}, visit, user);
}

tz_status tz_enumerate_possible(const tz_rules *rules, const int32_t *lengths, size_t limit,
                                tz_enum_possible possible, void *possible_user, tz_enum_visit visit,
                                void *user) {
    return enumerate(
        (forest){rules, lengths, limit, .possible = possible, .possible_user = possible_user},
        visit, user);
}

tz_status tz_enumerate_items(const tz_rules *rules, const int32_t *lengths, size_t limit,
                             tz_enum_possible opt_possible, void *possible_user,
                             tz_enum_visit visit, void *user) {
    return enumerate((forest){rules, lengths, limit, .possible = opt_possible,
                              .possible_user = possible_user, .items = true},
                     visit, user);
}

tz_status tz_enumerate_rules(const tz_rules *rules, const int32_t *lengths, size_t limit,
                             size_t *trials, bool *used, size_t *ret_derivations) {
    forest forest = {.rules = rules, .lengths = lengths, .limit = limit, .trials = *trials};
    size_t goal = 0, count = 0;
    tz_status status = make_forest(&forest, &goal);
    if (status == TZ_OK && forest.node.count > 0) {
        count = ((const node *)forest.node.at)[goal].count;
        status = mark_rules(&forest, goal, used);
    }
    *trials = forest.trials;
    if (status == TZ_OK)
        *ret_derivations = count;
    free_forest(&forest);
    return status;
}
