/* items.c - every item of a rule set. SPDX-License-Identifier: MIT */
#include "items.h"

#include "rules/polyhedra/form.h"

/* Rule sets of tests declare indices from -BEYOND, or a lower bound that is a number, to the
 * longest length and BEYOND. */
enum { BEYOND = 2 };

static int32_t low_of(const tz_item *item, unsigned index) {
    int64_t low = -BEYOND;
    for (uint32_t c = 0; c < item->domain.count; c++) {
        const tz_form *form = &item->domain.at[c].form;
        if (form->column[index] > 0 && -form->constant < low)
            low = -form->constant;
    }
    return (int32_t)low;
}

typedef struct items {
    const tz_rules *rules;
    const int32_t *lengths;
    unsigned item;
    int32_t last;
    item_visit visit;
    void *user;
} items;

/* Do the constraints hold that are decided by the index values up to q, and not by fewer? */
static bool holds_so_far(const items *of, unsigned q, const int64_t *column) {
    const tz_domain *domain = &of->rules->item[of->item].domain;
    for (uint32_t c = 0; c < domain->count; c++) {
        const tz_form *form = &domain->at[c].form;
        unsigned highest = 0;
        for (unsigned p = 1; p < TZ_MAX_RANK; p++)
            if (form->column[p] != 0)
                highest = p;
        const tz_domain one = {&domain->at[c], 1};
        if (highest == q && !tz_domain_holds(&one, of->rules->lengths, of->lengths, q + 1, column))
            return false;
    }
    return true;
}

/* The items whose first q index values are these. */
static void each_value(const items *of, unsigned q, int32_t *index, int64_t *column) {
    const tz_item *item = &of->rules->item[of->item];
    if (q == item->rank) {
        if (q > 0 || tz_domain_holds(&item->domain, of->rules->lengths, of->lengths, 0, column))
            of->visit(of->user, of->item, index);
        return;
    }
    for (index[q] = low_of(item, q); index[q] <= of->last; index[q]++) {
        column[q] = index[q];
        if (holds_so_far(of, q, column))
            each_value(of, q + 1, index, column);
    }
    index[q] = 0;
}

void each_item(const tz_rules *rules, const int32_t *lengths, item_visit visit, void *user) {
    items of = {.rules = rules, .lengths = lengths, .visit = visit, .user = user};
    for (unsigned l = 0; l < rules->lengths; l++)
        of.last = lengths[l] > of.last ? lengths[l] : of.last;
    of.last += BEYOND;
    for (of.item = 0; of.item < rules->items; of.item++) {
        int32_t index[TZ_MAX_RANK] = {0};
        int64_t column[TZ_MAX_RANK] = {0};
        each_value(&of, 0, index, column);
    }
}
