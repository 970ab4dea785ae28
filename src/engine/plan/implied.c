/* implied.c - see implied.h. SPDX-License-Identifier: MIT */
#include "engine/plan/implied.h"

static tz_form difference(const tz_form *a, const tz_form *b) {
    tz_form ret = *a;
    ret.constant -= b->constant;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        ret.length[l] = (int16_t)(ret.length[l] - b->length[l]);
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        ret.column[c] = (int16_t)(ret.column[c] - b->column[c]);
    return ret;
}

static tz_form negative(const tz_form *a) {
    static const tz_form none;
    return difference(&none, a);
}

/* Is the form at least 0 because no length is below 0? */
static bool never_negative(const tz_form *form) {
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        if (form->length[l] < 0)
            return false;
    return form->constant >= 0 && !tz_form_has_columns(form);
}

static void learn(tz_known *k, const tz_form *form) {
    if (k->count < TZ_MOST_KNOWN)
        k->form[k->count++] = *form;
}

void tz_learn_constraint(tz_known *k, const tz_constraint *constraint) {
    if (constraint->relation == TZ_NE)
        return;
    learn(k, &constraint->form);
    if (constraint->relation == TZ_EQ) {
        tz_form other = negative(&constraint->form);
        learn(k, &other);
    }
}

/* What is known of an item that the step has been asked for, and that its loops are not empty. */
tz_known tz_known_of(const tz_kind *kind, const tz_nest *nest) {
    tz_known k = {.count = 1}; /* 0 >= 0 */
    for (uint32_t c = 0; c < kind->domain.count; c++)
        tz_learn_constraint(&k, &kind->domain.at[c]);
    for (unsigned i = 0; nest->loops > 0 && i < nest->range[0].lowers; i++)
        for (unsigned j = 0; j < nest->range[0].uppers; j++) {
            tz_form span = difference(&nest->range[0].upper[j].form, &nest->range[0].lower[i].form);
            learn(&k, &span);
        }
    return k;
}

/* Does it follow from two of what is known? */
bool tz_follows(const tz_known *k, const tz_form *form) {
    for (unsigned i = 0; i < k->count; i++)
        for (unsigned j = i; j < k->count; j++) {
            tz_form rest = difference(form, &k->form[i]);
            rest = difference(&rest, &k->form[j]);
            if (never_negative(&rest))
                return true;
        }
    return false;
}

/* Do the entries of two steps contradict each other? */
static bool exclude(const tz_bound_step *a, const tz_bound_step *b) {
    tz_known of_a = {0}, of_b = {0};
    for (uint32_t c = 0; c < a->nest->entry.count; c++)
        tz_learn_constraint(&of_a, &a->nest->entry.at[c]);
    for (uint32_t c = 0; c < b->nest->entry.count; c++)
        tz_learn_constraint(&of_b, &b->nest->entry.at[c]);
    for (unsigned i = 0; i < of_a.count; i++)
        for (unsigned j = 0; j < of_b.count; j++) {
            tz_form rest = negative(&of_a.form[i]);
            rest = difference(&rest, &of_b.form[j]);
            rest.constant--; /* a + b <= -1 */
            if (never_negative(&rest))
                return true;
        }
    return false;
}

/* Do the loops visit the points in the order of the rule's variables? */
static bool in_order(const tz_bound_step *step) {
    const tz_nest *nest = step->nest;
    unsigned q = 0; /* loops before it are settled by the variables so far */
    for (unsigned v = 0; v < nest->variables && q < nest->loops; v++) {
        const int16_t *column = nest->variable[v].column + nest->givens;
        for (unsigned later = q + 1; later < nest->loops; later++)
            if (column[later] != 0)
                return false;
        if (column[q] < 0)
            return false;
        q += column[q] > 0;
    }
    return q == nest->loops;
}

bool tz_is_plain(const tz_bound_step *step) {
    return step->step->sparse == 0 && in_order(step);
}

enum { MOST_STEPS = 64 /* of a kind, that are compared */ };

bool tz_list_alone(const tz_bound_step *bound, unsigned count, bool *ret_alone) {
    bool ordered = count <= MOST_STEPS;
    for (unsigned s = 0; s < count; s++) {
        ret_alone[s] = count <= MOST_STEPS;
        ordered &= tz_is_plain(&bound[s]);
        for (unsigned o = 0; o < count && (ordered || ret_alone[s]); o++) {
            if (o == s || exclude(&bound[s], &bound[o]))
                continue;
            ret_alone[s] = false;
            ordered &= o < s ? bound[o].step->rule < bound[s].step->rule
                             : bound[o].step->rule > bound[s].step->rule;
        }
    }
    return ordered;
}
