/* step.h - steps while they are made from terms of a rule. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_COMPILE_STEP_H
#define TZ_RULES_COMPILE_STEP_H

#include "rules/compile/draft.h"

/* A step while its terms are being collected; variables are still those of the rule. */
typedef struct tz_raw_step {
    const tz_rule *rule;
    tz_term target;
    const tz_term *term[TZ_MAX_TERMS];
    unsigned terms;
    tz_domain domain[2]; /* to impose besides those of terms and target */
    unsigned domains;
    uint32_t drop; /* constraints of `domain` that mention these variables are left out */
} tz_raw_step;

/* Makes the step the draft's next one. */
tz_status tz_add_step(tz_draft *draft, const tz_raw_step *raw);
/* The message for more of something than a rule set may have; returns its status. */
tz_status tz_too_many(tz_draft *draft, const tz_rule *rule, const char *what);

/* Bit set of the variables that the form mentions. */
uint32_t tz_form_variables(const tz_form *form);
/* Gives the variables of a term other numbers; false, and the term is lost, if it mentions one that
 * has none (-1). */
bool tz_renumber_term(tz_term *term, const int8_t *number);

#endif
