/* draw_positions.c - what a derivation uses, as cells of the weights that rules multiply by.
 *
 * A use by way of an input, emit[a,x[i]], is told as a cell of the small table, which stands
 * nowhere. Its position follows from the proof tree: the items of a step give the rule's variables
 * their values. SPDX-License-Identifier: MIT */
#include "io/draw/draw_positions.h"

#include <string.h>

#include "rules/tell/steps.h"

typedef struct reader {
    const tz_rules *rules;
    const int32_t *lengths;
    const tz_node *node;
    size_t nodes;
    tz_use *use; /* NULL: they are only counted */
    size_t uses;
} reader;

/* ---- Uses ------------------------------------------------------------------------------------ */

static bool has_views(const tz_rules *rules, unsigned declared) {
    for (unsigned w = 0; w < rules->weights; w++)
        if (rules->weight[w].declared == declared && rules->weight[w].view != NULL)
            return true;
    return false;
}

/* Do the cell of one view and some cell of another look up the same? ret: the other's. */
static bool is_cell_of(const reader *r, const tz_weight *from, const tz_use *use,
                       const tz_weight *to, tz_binding *ret) {
    tz_binding own = {.known = ~0u};
    for (unsigned q = 0; q < from->rank; q++)
        own.value[q] = use->index[q];
    *ret = (tz_binding){.known = 0};
    for (bool more = true; more;) {
        more = false;
        for (unsigned q = 0; q < from->views; q++) {
            const tz_view_index *a = &from->view[q], *b = &to->view[q];
            unsigned forms = a->looked_up ? r->rules->input[a->input].rank : 1;
            if (a->looked_up != b->looked_up || (a->looked_up && a->input != b->input))
                return false;
            for (unsigned f = 0; f < forms; f++)
                if (!tz_bind_form(r->rules, r->lengths, &b->at[f],
                                  tz_bound_value(r->rules, r->lengths, &a->at[f], from->rank, &own),
                                  to->rank, ret, &more))
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
        tz_binding b;
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
static void add_uses(reader *r, const tz_rule *rule, const tz_binding *b) {
    for (unsigned w = 0; w < rule->weights; w++) {
        const tz_term *term = &rule->weight[w];
        const tz_weight *weight = &r->rules->weight[term->which];
        bool known = has_views(r->rules, weight->declared);
        tz_use use = {.weight = term->which};
        for (unsigned q = 0; q < weight->rank && known; q++) {
            known = tz_bound_unknown(&term->index[q], rule->variables, b) == 0;
            use.index[q] =
                (int32_t)tz_bound_value(r->rules, r->lengths, &term->index[q], rule->variables, b);
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
        tz_binding b;
        if (strcmp(rules->rule[i].name, name) == 0 &&
            tz_bind_step(rules, r->lengths, &rules->rule[i], r->node, node, child, &b)) {
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
