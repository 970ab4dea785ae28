/* implied.c - conditions that go without saying. SPDX-License-Identifier: MIT */
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
bool tz_exclude(const tz_bound_step *a, const tz_bound_step *b) {
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
