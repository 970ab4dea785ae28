/* path.c - the uses of a derivation in its order.
 *
 * The proof tree says in which order: a rule's premises come before what it uses itself. Which uses
 * are a node's own the derivation tells; which of them each weight of the rule is follows from the
 * items and the rule's conditions. Where several ways do, the first one is taken.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "rules/polyhedra/form.h"
#include "rules/tell/steps.h"

typedef struct pathfinder {
    const tz_rules *rules;
    const int32_t *lengths;
    const tz_derivation *derivation;
    size_t *order; /* out: [uses] */
    size_t steps;  /* found so far */
} pathfinder;

/* A node, what was derived before it, and its own uses. */
typedef struct step {
    const pathfinder *path;
    const tz_rule *rule;
    const tz_node *node;
    const size_t *child;
    const uint32_t *own; /* [rule->weights] numbers of uses, in any order */
    size_t *order;       /* [rule->weights] the same as the rule has them */
} step;

/* ---- A step ---------------------------------------------------------------------------------- */

static bool is_looked_up(const tz_weight *weight, unsigned q) {
    return weight->view != NULL && weight->view[q].looked_up;
}

/* Form f of the term's index q as the file has it, over the rule's variables. */
static bool written_form(const tz_weight *weight, const tz_term *term, unsigned q, unsigned f,
                         tz_form *ret) {
    if (weight->view == NULL) {
        *ret = term->index[q];
        return true;
    }
    return tz_form_compose(ret, &weight->view[q].at[f], term->index, weight->rank);
}

/* Takes what use u, as the rule's weight w, says of the variables; false: it is another. */
static bool bind_use(const step *s, unsigned w, size_t u, tz_binding *b, bool *more) {
    static const tz_position none = {.count = 0};
    const tz_rules *rules = s->path->rules;
    const tz_derivation *d = s->path->derivation;
    const tz_term *term = &s->rule->weight[w];
    const tz_weight *weight = &rules->weight[term->which];
    const unsigned rank = weight->view != NULL ? weight->views : weight->rank;
    const tz_position *at = d->position != NULL ? &d->position[u] : &none;
    unsigned position = 0;
    bool good = d->use[u].weight == weight->declared;
    for (unsigned q = 0; good && q < rank; q++) {
        const bool looked_up = is_looked_up(weight, q);
        const unsigned forms = looked_up ? rules->input[weight->view[q].input].rank : 1;
        for (unsigned f = 0; good && f < forms && !(looked_up && position == TZ_MAX_RANK); f++) {
            tz_form form;
            good = (!looked_up || position < at->count) && written_form(weight, term, q, f, &form);
            const int32_t value = looked_up ? at->at[position++] : d->use[u].index[q];
            good = good &&
                   tz_bind_form(rules, s->path->lengths, &form, value, s->rule->variables, b, more);
        }
    }
    return good && position == at->count;
}

/* Do the conditions hold whose variables are known? */
static bool conditions_hold(const step *s, const tz_binding *b) {
    for (uint32_t c = 0; c < s->rule->condition.count; c++) {
        const tz_constraint *at = &s->rule->condition.at[c];
        const int64_t value =
            tz_bound_value(s->path->rules, s->path->lengths, &at->form, s->rule->variables, b);
        if (tz_bound_unknown(&at->form, s->rule->variables, b) == 0 &&
            !(at->relation == TZ_GE   ? value >= 0
              : at->relation == TZ_EQ ? value == 0
                                      : value != 0))
            return false;
    }
    return true;
}

/* Can the first so many weights be the uses in s->order? */
static bool fits(const step *s, unsigned weights, tz_binding *b) {
    const pathfinder *p = s->path;
    for (bool more = true; more;) {
        more = false;
        if (!tz_bind_items(p->rules, p->lengths, s->rule, p->derivation->node, s->node, s->child, b,
                           &more))
            return false;
        for (unsigned w = 0; w < weights; w++)
            if (!bind_use(s, w, s->order[w], b, &more))
                return false;
    }
    return conditions_hold(s, b);
}

/* Finds uses for the rule's weights from w on. taken: bit by bit, of its own ones. */
static bool find_uses(const step *s, unsigned w, uint64_t taken, const tz_binding *before) {
    tz_binding b = *before;
    if (!fits(s, w, &b))
        return false;
    bool found = w == s->rule->weights;
    for (unsigned i = 0; !found && i < s->rule->weights; i++) {
        s->order[w] = s->own[i];
        found = (taken >> i & 1) == 0 && find_uses(s, w + 1, taken | UINT64_C(1) << i, &b);
    }
    return found;
}

_Static_assert((int)TZ_MAX_TERMS <= 64, "bits of a rule's weights");

/* ---- The tree -------------------------------------------------------------------------------- */

/* A node whose premises are being gone through. */
typedef struct open_node {
    size_t node, own; /* own: where its uses begin */
    uint32_t left;
} open_node;

/* Nodes in preorder become steps in postorder. room: [nodes] each. */
static bool walk(pathfinder *p, open_node *open, size_t *done) {
    const tz_derivation *d = p->derivation;
    size_t opened = 0, finished = 0, uses = 0;
    for (size_t n = 0; n < d->nodes; n++) {
        const tz_node *node = &d->node[n];
        if (node->item >= p->rules->items || node->rule >= p->rules->rule_count ||
            (n > 0 && opened == 0) || p->rules->rule[node->rule].weights > d->uses - uses)
            return false;
        open[opened++] = (open_node){n, uses, node->premises};
        uses += p->rules->rule[node->rule].weights;
        while (opened > 0 && open[opened - 1].left == 0) {
            const open_node at = open[--opened];
            const tz_binding nothing = {.known = 0};
            finished -= d->node[at.node].premises;
            const step s = {.path = p,
                            .rule = &p->rules->rule[d->node[at.node].rule],
                            .node = &d->node[at.node],
                            .child = done + finished,
                            .own = &d->by_node[at.own],
                            .order = &p->order[p->steps]};
            if (!find_uses(&s, 0, 0, &nothing))
                return false;
            p->steps += s.rule->weights;
            done[finished++] = at.node;
            if (opened > 0)
                open[opened - 1].left--;
        }
    }
    return opened == 0 && p->steps == d->uses;
}

tz_status tz_path(const tz_rules *rules, const int32_t *lengths, const tz_derivation *derivation,
                  size_t *ret_order) {
    const size_t uses = derivation->uses, nodes = derivation->nodes;
    pathfinder p = {
        .rules = rules, .lengths = lengths, .derivation = derivation, .order = ret_order};
    if (uses > 0 &&
        (derivation->by_node == NULL || (rules->declareds > 0 && derivation->position == NULL)))
        return TZ_BAD_ARGUMENT;
    for (size_t u = 0; u < uses; u++)
        if (derivation->by_node[u] >= uses)
            return TZ_BAD_ARGUMENT;
    open_node *open = calloc(nodes + 1, sizeof *open);
    size_t *done = calloc(nodes + 1, sizeof *done);
    tz_status status = TZ_NO_MEMORY;
    if (open != NULL && done != NULL)
        status = walk(&p, open, done) ? TZ_OK : TZ_BAD_ARGUMENT;
    free(open);
    free(done);
    return status;
}
