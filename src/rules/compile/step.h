/* step.h - makes steps from terms of a rule. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_COMPILE_STEP_H
#define TZ_RULES_COMPILE_STEP_H

#include "rules/compile/draft.h"

/* A step while its terms are being collected; variables are still those of the rule. */
typedef struct tz_raw_step {
    const tz_rule *rule;
    tz_term target;
    const tz_term *term[TZ_MAX_TERMS];
    unsigned terms;
    tz_domain domain[2]; /* to impose besides the domains of terms and target */
    unsigned domains;
    uint32_t drop; /* constraints of `domain` that mention these variables are left out */
} tz_raw_step;

/* A raw step for the rule as it stands. */
tz_raw_step tz_whole_rule(const tz_rule *rule);
/* Makes the step the draft's next one. */
tz_status tz_add_step(tz_draft *draft, const tz_raw_step *raw);
/* A kind for the product of the raw step's terms, indexed by the variables of `keep`, and its step,
 * whose target is written: a new one, or that of an earlier fold that is the same. *ret_term: its
 * use, over the variables of the rule. TZ_NONE: it has no instance. */
tz_status tz_add_fold(tz_draft *draft, tz_raw_step *p, uint32_t keep, tz_term *ret_term);

/* Variables that are summed out in parts of a sum, those of a part before those of the parts that
 * it is made of. */
typedef struct tz_apart {
    uint8_t variable[TZ_MAX_VARIABLES];
    unsigned count;
} tz_apart;

/* Works out parts of the sum first where that lowers its degree: adds folds for them to the draft,
 * and makes *p a step over these. kept: variables that are not summed out; opt_target: NULL where
 * it has no domain yet. Appends to *ret what the parts sum out. Changes nothing where no parts are
 * better, or where they cannot be computed. */
tz_status tz_sum_apart(tz_draft *draft, tz_raw_step *p, uint32_t kept, const tz_term *opt_target,
                       tz_apart *ret);

/* Writes the message that a rule set has more of something than allowed; returns its status. */
tz_status tz_too_many(tz_draft *draft, const tz_rule *rule, const char *what);

/* Bit set of the variables that the form mentions. */
uint32_t tz_form_variables(const tz_form *form);
/* Gives the variables of a form, or a term, other numbers; false, and it is lost, if it mentions
 * one that has none (-1). */
bool tz_renumber_form(tz_form *form, const int8_t *number);
bool tz_renumber_term(tz_term *term, const int8_t *number);

#endif
