/* steps.c - see steps.h: the items of a step give the rule's variables their values.
 * SPDX-License-Identifier: MIT */
#include "rules/tell/steps.h"

#include "rules/polyhedra/form.h"

/* *ret_one: the last of them. */
static unsigned count_unknown(const tz_form *form, unsigned variables, const tz_binding *b,
                              unsigned *ret_one) {
    unsigned count = 0;
    for (unsigned v = 0; v < variables; v++)
        if (form->column[v] != 0 && !(b->known >> v & 1)) {
            *ret_one = v;
            count++;
        }
    return count;
}

unsigned tz_bound_unknown(const tz_form *form, unsigned variables, const tz_binding *binding) {
    unsigned one;
    return count_unknown(form, variables, binding, &one);
}

int64_t tz_bound_value(const tz_rules *rules, const int32_t *lengths, const tz_form *form,
                       unsigned variables, const tz_binding *binding) {
    return tz_form_value(form, rules->lengths, lengths, variables, binding->value);
}

bool tz_bind_form(const tz_rules *rules, const int32_t *lengths, const tz_form *form, int64_t value,
                  unsigned variables, tz_binding *b, bool *more) {
    unsigned one = 0, unknown = count_unknown(form, variables, b, &one);
    int64_t rest = value - tz_bound_value(rules, lengths, form, variables, b);
    if (unknown != 1)
        return unknown > 0 || rest == 0;
    if (rest % form->column[one] != 0)
        return false;
    b->value[one] = rest / form->column[one];
    b->known |= 1u << one;
    *more = true;
    return true;
}

static bool bind_item(const tz_rules *rules, const int32_t *lengths, const tz_rule *rule,
                      const tz_term *term, const tz_node *node, tz_binding *b, bool *more) {
    bool good = term->which == node->item;
    for (unsigned q = 0; good && q < rules->item[term->which].rank; q++)
        good =
            tz_bind_form(rules, lengths, &term->index[q], node->index[q], rule->variables, b, more);
    return good;
}

bool tz_bind_items(const tz_rules *rules, const int32_t *lengths, const tz_rule *rule,
                   const tz_node *nodes, const tz_node *node, const size_t *child, tz_binding *b,
                   bool *more) {
    bool good = rule->premises == node->premises &&
                bind_item(rules, lengths, rule, &rule->conclusion, node, b, more);
    for (unsigned p = 0; good && p < rule->premises; p++)
        good = bind_item(rules, lengths, rule, &rule->premise[p], &nodes[child[p]], b, more);
    return good;
}

bool tz_bind_step(const tz_rules *rules, const int32_t *lengths, const tz_rule *rule,
                  const tz_node *nodes, const tz_node *node, const size_t *child, tz_binding *b) {
    *b = (tz_binding){.known = 0};
    for (bool more = true; more;) {
        more = false;
        if (!tz_bind_items(rules, lengths, rule, nodes, node, child, b, &more))
            return false;
    }
    return true;
}
