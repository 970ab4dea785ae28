/* steps.h - finds the rule instances of a proof tree from its items. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_RULES_TELL_STEPS_H
#define TZ_RULES_TELL_STEPS_H

#include "rules/table.h"

/* Values of variables: a rule's, or the indices of a view. */
typedef struct tz_binding {
    int64_t value[TZ_MAX_COLUMNS]; /* 0 where unknown */
    uint32_t known;                /* bit v */
} tz_binding;

/* A form with bound variables, and how many of its variables have no value yet. */
int64_t tz_bound_value(const tz_rules *rules, const int32_t *lengths, const tz_form *form,
                       unsigned variables, const tz_binding *binding);
unsigned tz_bound_unknown(const tz_form *form, unsigned variables, const tz_binding *binding);
/* Solves form = value for the form's variable, if exactly one is unknown; false: there is no
 * solution. *more: the variable has got its value. */
bool tz_bind_form(const tz_rules *rules, const int32_t *lengths, const tz_form *form, int64_t value,
                  unsigned variables, tz_binding *binding, bool *more);
/* Can the node be derived by this rule? What its items say of the rule's variables; those that
 * stand in weights or conditions alone stay unknown. child: the nodes of its premises. */
bool tz_bind_step(const tz_rules *rules, const int32_t *lengths, const tz_rule *rule,
                  const tz_node *nodes, const tz_node *node, const size_t *child,
                  tz_binding *binding);
/* Once what the items say, of variables that may be known already; *more as above. */
bool tz_bind_items(const tz_rules *rules, const int32_t *lengths, const tz_rule *rule,
                   const tz_node *nodes, const tz_node *node, const size_t *child,
                   tz_binding *binding, bool *more);

#endif
