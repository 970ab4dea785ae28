/* draw_positions.c - what a derivation uses, as cells of the weights that rules multiply by.
 *
 * A use by way of an input, emit[a,x[i]], is told as a cell of the small table, which stands
 * nowhere. Its position follows from the proof tree: the items of a step give the rule's variables
 * their values. SPDX-License-Identifier: MIT */
#include "io/draw/draw_positions.h"

#include <string.h>

#include "rules/polyhedra/form.h"

typedef struct reader {
    const tz_rules *rules;
    const int32_t *lengths;
    const tz_node *node;
    size_t nodes;
    tz_use *use; /* NULL: they are only counted */
    size_t uses;
} reader;

/* ---- Variables ------------------------------------------------------------------------------- */

typedef struct binding {
    int64_t value[TZ_MAX_COLUMNS]; /* 0 where unknown */
    uint32_t known;                /* bit v */
} binding;

/* The variables of a form that have no value yet; *ret_one: the last of them. */
static unsigned count_unknown(const binding *b, const tz_form *form, unsigned variables,
                              unsigned *ret_one) {
    unsigned count = 0;
    for (unsigned v = 0; v < variables; v++)
        if (form->column[v] != 0 && !(b->known >> v & 1)) {
            *ret_one = v;
            count++;
        }
    return count;
}

static int64_t value_of(const reader *r, const tz_form *form, unsigned variables,
                        const binding *b) {
    return tz_form_value(form, r->rules->lengths, r->lengths, variables, b->value);
}

/* Takes what form = value says; false: that cannot be. *more: a variable has got its value. */
static bool take(const reader *r, const tz_form *form, int64_t value, unsigned variables,
                 binding *b, bool *more) {
    unsigned one = 0, unknown = count_unknown(b, form, variables, &one);
    int64_t rest = value - value_of(r, form, variables, b);
    if (unknown != 1)
        return unknown > 0 || rest == 0;
    if (rest % form->column[one] != 0)
        return false;
    b->value[one] = rest / form->column[one];
    b->known |= 1u << one;
    *more = true;
    return true;
}

static bool take_item(const reader *r, const tz_rule *rule, const tz_term *term,
                      const tz_node *node, binding *b, bool *more) {
    bool good = term->which == node->item;
    for (unsigned q = 0; good && q < r->rules->item[term->which].rank; q++)
        good = take(r, &term->index[q], node->index[q], rule->variables, b, more);
    return good;
}

/* Can the step be by this rule? child: the nodes of its premises. */
static bool bind(const reader *r, const tz_rule *rule, const tz_node *node, const size_t *child,
                 binding *b) {
    *b = (binding){.known = 0};
    if (rule->premises != node->premises)
        return false;
    for (bool more = true; more;) {
        more = false;
        if (!take_item(r, rule, &rule->conclusion, node, b, &more))
            return false;
        for (unsigned p = 0; p < rule->premises; p++)
            if (!take_item(r, rule, &rule->premise[p], &r->node[child[p]], b, &more))
                return false;
    }
    return true;
}

/* ---- Uses ------------------------------------------------------------------------------------ */

static bool has_views(const tz_rules *rules, unsigned declared) {
    for (unsigned w = 0; w < rules->weights; w++)
        if (rules->weight[w].declared == declared && rules->weight[w].view != NULL)
            return true;
    return false;
}

/* Do the cell of one view and some cell of another look up the same? ret: the other's. */
static bool is_cell_of(const reader *r, const tz_weight *from, const tz_use *use,
                       const tz_weight *to, binding *ret) {
    binding own = {.known = ~0u};
    for (unsigned q = 0; q < from->rank; q++)
        own.value[q] = use->index[q];
    *ret = (binding){.known = 0};
    for (bool more = true; more;) {
        more = false;
        for (unsigned q = 0; q < from->views; q++) {
            const tz_view_index *a = &from->view[q], *b = &to->view[q];
            unsigned forms = a->looked_up ? r->rules->input[a->input].rank : 1;
            if (a->looked_up != b->looked_up || (a->looked_up && a->input != b->input))
                return false;
            for (unsigned f = 0; f < forms; f++)
                if (!take(r, &b->at[f], value_of(r, &a->at[f], from->rank, &own), to->rank, ret,
                          &more))
                    return false;
        }
    }
    return (ret->known | ~0u << to->rank) == ~0u;
}

/* A use at a fixed position, emit[a,x[1]], is like those at any: emit[a,x[i]] where i is 1. */
static void generalise(const reader *r, tz_use *use) {
    const tz_weight *from = &r->rules->weight[use->weight];
    for (unsigned w = 0; w < r->rules->weights && from->view != NULL; w++) {
        const tz_weight *to = &r->rules->weight[w];
        binding b;
        if (to->declared != from->declared || to->view == NULL || to->rank <= from->rank ||
            !is_cell_of(r, from, use, to, &b))
            continue;
        use->weight = w;
        for (unsigned q = 0; q < to->rank; q++)
            use->index[q] = (int32_t)b.value[q];
        return;
    }
}

/* Those of tables that are looked up somewhere, as far as the variables are known. */
static void add_uses(reader *r, const tz_rule *rule, const binding *b) {
    unsigned one;
    for (unsigned w = 0; w < rule->weights; w++) {
        const tz_term *term = &rule->weight[w];
        const tz_weight *weight = &r->rules->weight[term->which];
        bool known = has_views(r->rules, weight->declared);
        tz_use use = {.weight = term->which};
        for (unsigned q = 0; q < weight->rank && known; q++) {
            known = count_unknown(b, &term->index[q], rule->variables, &one) == 0;
            use.index[q] = (int32_t)value_of(r, &term->index[q], rule->variables, b);
        }
        if (known && r->use != NULL) {
            generalise(r, &use);
            r->use[r->uses] = use;
        }
        r->uses += known;
    }
}

/* The rule that this one's name stands for here: with relations several have one name. */
static bool add_step(reader *r, const tz_node *node, const size_t *child) {
    const tz_rules *rules = r->rules;
    if (node->rule >= rules->rule_count)
        return false;
    const char *name = rules->rule[node->rule].name;
    for (unsigned i = node->rule; i < rules->rule_count; i++) {
        binding b;
        if (strcmp(rules->rule[i].name, name) == 0 && bind(r, &rules->rule[i], node, child, &b)) {
            add_uses(r, &rules->rule[i], &b);
            return true;
        }
    }
    return false;
}

/* In preorder a node's premises stand behind it: backwards, they are on the stack when it comes.
 * root: room for as many as there are nodes. */
static bool read_proof(reader *r, size_t *root) {
    size_t roots = r->nodes; /* the stack grows downwards, so that the first premise is on top */
    for (size_t k = r->nodes; k-- > 0;) {
        const tz_node *node = &r->node[k];
        if (node->item >= r->rules->items || node->premises > r->nodes - roots ||
            !add_step(r, node, root + roots))
            return false;
        roots += node->premises;
        root[--roots] = k;
    }
    return roots + 1 == r->nodes;
}

tz_status tz_draw_positions(tz_arena *arena, const tz_rules *rules, const int32_t *lengths,
                            const tz_derivation *derivation, tz_use **ret_use, size_t *ret_uses) {
    unsigned declareds;
    bool looked_up = false;
    tz_declared_weights(rules, &declareds);
    reader r = {rules, lengths, derivation->node, derivation->nodes, NULL, 0};
    size_t *root = tz_arena_array(arena, r.nodes + 1, sizeof *root);
    if (root == NULL)
        return TZ_NO_MEMORY;
    for (size_t u = 0; u < derivation->uses; u++) {
        if (derivation->use[u].weight >= declareds)
            return TZ_BAD_ARGUMENT;
        looked_up |= has_views(rules, derivation->use[u].weight);
    }
    if (looked_up && (r.nodes == 0 || !read_proof(&r, root)))
        return TZ_BAD_ARGUMENT;
    r.use = tz_arena_array(arena, r.uses + derivation->uses + 1, sizeof *r.use);
    if (r.use == NULL)
        return TZ_NO_MEMORY;
    r.uses = 0;
    for (size_t u = 0; u < derivation->uses; u++) {
        const tz_use *use = &derivation->use[u];
        if (has_views(rules, use->weight))
            continue;
        r.use[r.uses] = *use;
        for (unsigned w = 0; w < rules->weights && rules->declareds > 0; w++)
            if (rules->weight[w].declared == use->weight)
                r.use[r.uses].weight = w;
        r.uses++;
    }
    if (looked_up)
        read_proof(&r, root);
    *ret_use = r.use;
    *ret_uses = r.uses;
    return TZ_OK;
}
