/* path.c - the uses of a derivation in its order.
 *
 * The proof tree says in which order: a rule's premises come before what it uses itself. Which of
 * the uses these are follows from its items, and where a variable stands in no item, from the use
 * that fits. Only an input without indices, w[z], does not tell where it is used: the tree is
 * walked again for what is left. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/tell/steps.h"

typedef struct pathfinder {
    const tz_rules *rules;
    const int32_t *lengths;
    const tz_derivation *derivation;
    size_t *sorted; /* [uses] by weight, positions, then indices */
    bool *taken;    /* [uses] */
    size_t *order;  /* out */
    size_t steps;   /* found so far */
    bool last;      /* the second walk: for uses that nothing tells but that they are left */
} pathfinder;

/* ---- Uses by where they are ------------------------------------------------------------------ */

/* How a use's weight, positions and indices compare with these, as far as they are known: the first
 * so many. */
typedef struct key {
    unsigned weight, positions, indices;
    tz_position position;
    int32_t index[TZ_MAX_RANK];
} key;

static int compare_numbers(const int32_t *a, const int32_t *b, unsigned count) {
    for (unsigned q = 0; q < count; q++)
        if (a[q] != b[q])
            return a[q] < b[q] ? -1 : 1;
    return 0;
}

static int compare_with(const pathfinder *p, size_t u, const key *k) {
    static const tz_position none = {.count = 0};
    const tz_use *use = &p->derivation->use[u];
    const tz_position *at = p->derivation->position != NULL ? &p->derivation->position[u] : &none;
    if (use->weight != k->weight)
        return use->weight < k->weight ? -1 : 1;
    if (at->count != k->position.count)
        return at->count < k->position.count ? -1 : 1;
    int order = compare_numbers(at->at, k->position.at, k->positions);
    if (order != 0 || k->positions < at->count)
        return order;
    return compare_numbers(use->index, k->index, k->indices);
}

static key key_of(const pathfinder *p, size_t u) {
    const tz_use *use = &p->derivation->use[u];
    key k = {.weight = use->weight, .indices = TZ_MAX_RANK};
    if (p->derivation->position != NULL)
        k.position = p->derivation->position[u];
    k.positions = k.position.count;
    memcpy(k.index, use->index, sizeof k.index);
    return k;
}

/* Merges runs of growing width. room: as many again. */
static void sort(const pathfinder *p, size_t *list, size_t *room, size_t count) {
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t first = 0; first < count; first += 2 * width) {
            size_t middle = first + width < count ? first + width : count;
            size_t end = middle + width < count ? middle + width : count;
            for (size_t a = first, b = middle, to = first; to < end; to++) {
                const key k = b < end ? key_of(p, list[b]) : (key){.weight = 0};
                bool left = a < middle && (b == end || compare_with(p, list[a], &k) <= 0);
                room[to] = left ? list[a++] : list[b++];
            }
        }
        memcpy(list, room, count * sizeof *list);
    }
}

/* The first use in order that is not before the key. */
static size_t lower_bound(const pathfinder *p, const key *k) {
    size_t low = 0, high = p->derivation->uses;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_with(p, p->sorted[middle], k) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- What a rule uses ------------------------------------------------------------------------ */

static bool is_looked_up(const tz_weight *weight, unsigned q) {
    return weight->view != NULL && weight->view[q].looked_up;
}

/* How many forms stand for index q: positions where it is looked up, else itself. */
static unsigned forms_of(const pathfinder *p, const tz_weight *weight, unsigned q) {
    return is_looked_up(weight, q) ? p->rules->input[weight->view[q].input].rank : 1;
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

/* Takes what the use says of the rule's variables; false: it is none of the term. */
static bool fits(const pathfinder *p, const tz_rule *rule, const tz_term *term, size_t u,
                 tz_binding *b) {
    const tz_weight *weight = &p->rules->weight[term->which];
    const unsigned rank = weight->view != NULL ? weight->views : weight->rank;
    const tz_use *use = &p->derivation->use[u];
    tz_form form;
    for (bool more = true; more;) {
        unsigned position = 0;
        more = false;
        for (unsigned q = 0; q < rank; q++) {
            const bool looked_up = is_looked_up(weight, q);
            for (unsigned f = 0; f < forms_of(p, weight, q); f++) {
                if (looked_up && position == TZ_MAX_RANK)
                    break;
                int32_t value =
                    looked_up ? p->derivation->position[u].at[position++] : use->index[q];
                if (!written_form(weight, term, q, f, &form) ||
                    !tz_bind_form(p->rules, p->lengths, &form, value, rule->variables, b, &more))
                    return false;
            }
        }
    }
    return true;
}

/* What is known of the term's use beforehand. */
static bool key_of_term(const pathfinder *p, const tz_rule *rule, const tz_term *term,
                        const tz_binding *b, key *ret) {
    const tz_weight *weight = &p->rules->weight[term->which];
    const unsigned rank = weight->view != NULL ? weight->views : weight->rank;
    bool positions = true, indices = true;
    tz_form form;
    *ret = (key){.weight = weight->declared};
    for (unsigned q = 0; q < rank; q++) {
        const bool looked_up = is_looked_up(weight, q);
        indices &= !looked_up;
        for (unsigned f = 0; f < forms_of(p, weight, q); f++) {
            if (!written_form(weight, term, q, f, &form))
                return false;
            bool known = tz_bound_unknown(&form, rule->variables, b) == 0;
            int32_t value =
                (int32_t)tz_bound_value(p->rules, p->lengths, &form, rule->variables, b);
            if (!looked_up) {
                indices &= known;
                ret->index[q] = value;
                ret->indices += indices;
            } else if (ret->position.count < TZ_MAX_RANK) {
                positions &= known;
                ret->position.at[ret->position.count++] = value;
                ret->positions += positions;
            }
        }
    }
    return true;
}

/* Is an index of the term looked up, and at no position? */
static bool is_loose(const pathfinder *p, const tz_term *term) {
    const tz_weight *weight = &p->rules->weight[term->which];
    bool loose = false;
    for (unsigned q = 0; q < weight->views && weight->view != NULL; q++)
        loose |= is_looked_up(weight, q) && forms_of(p, weight, q) == 0;
    return loose;
}

/* Finds uses for the rule's weights from w on. */
static bool find_uses(pathfinder *p, const tz_rule *rule, unsigned w, const tz_binding *b) {
    if (w == rule->weights)
        return true;
    const tz_term *term = &rule->weight[w];
    size_t *step = &p->order[p->steps + w];
    tz_binding more = *b;
    key k;
    if (is_loose(p, term) != p->last)
        return (!p->last || fits(p, rule, term, *step, &more)) && find_uses(p, rule, w + 1, &more);
    if (!key_of_term(p, rule, term, b, &k))
        return false;
    for (size_t i = lower_bound(p, &k);
         i < p->derivation->uses && compare_with(p, p->sorted[i], &k) == 0; i++) {
        const size_t u = p->sorted[i];
        more = *b;
        if (p->taken[u] || !fits(p, rule, term, u, &more))
            continue;
        p->taken[u] = true;
        *step = u;
        if (find_uses(p, rule, w + 1, &more))
            return true;
        p->taken[u] = false;
    }
    return false;
}

/* ---- The tree -------------------------------------------------------------------------------- */

/* A node whose premises are being gone through. */
typedef struct open_node {
    size_t node;
    uint32_t left;
} open_node;

/* Nodes in preorder become steps in postorder. room: [nodes] each. */
static bool walk(pathfinder *p, open_node *open, size_t *done) {
    const tz_derivation *d = p->derivation;
    size_t opened = 0, finished = 0;
    p->steps = 0;
    for (size_t n = 0; n < d->nodes; n++) {
        const tz_node *node = &d->node[n];
        if (node->item >= p->rules->items || node->rule >= p->rules->rule_count ||
            (n > 0 && opened == 0))
            return false;
        open[opened++] = (open_node){n, node->premises};
        while (opened > 0 && open[opened - 1].left == 0) {
            const size_t at = open[--opened].node;
            const tz_rule *rule = &p->rules->rule[d->node[at].rule];
            tz_binding b;
            finished -= d->node[at].premises;
            if (!tz_bind_step(p->rules, p->lengths, rule, d->node, &d->node[at], done + finished,
                              &b) ||
                rule->weights > d->uses - p->steps || !find_uses(p, rule, 0, &b))
                return false;
            p->steps += rule->weights;
            done[finished++] = at;
            if (opened > 0)
                open[opened - 1].left--;
        }
    }
    return opened == 0 && p->steps == d->uses;
}

tz_status tz_path(const tz_rules *rules, const int32_t *lengths, const tz_derivation *derivation,
                  size_t *ret_order) {
    const size_t uses = derivation->uses, nodes = derivation->nodes;
    pathfinder p = {.rules = rules, .lengths = lengths, .derivation = derivation};
    p.order = ret_order;
    if (rules->declareds > 0 && uses > 0 && derivation->position == NULL)
        return TZ_BAD_ARGUMENT;
    p.sorted = calloc(uses + 1, sizeof *p.sorted);
    p.taken = calloc(uses + 1, sizeof *p.taken);
    open_node *open = calloc(nodes + 1, sizeof *open);
    size_t *done = calloc(nodes + 1, sizeof *done);
    tz_status status = TZ_NO_MEMORY;
    if (p.sorted != NULL && p.taken != NULL && open != NULL && done != NULL) {
        for (size_t u = 0; u < uses; u++)
            p.sorted[u] = u;
        sort(&p, p.sorted, ret_order, uses);
        bool found = walk(&p, open, done);
        for (unsigned i = 0; i < rules->inputs; i++)
            p.last |= rules->input[i].rank == 0;
        if (p.last)
            found = found && walk(&p, open, done);
        status = found ? TZ_OK : TZ_BAD_ARGUMENT;
    }
    free(p.sorted);
    free(p.taken);
    free(open);
    free(done);
    return status;
}
