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

void each_item(const tz_rules *rules, const int32_t *lengths, item_visit visit, void *user) {
    int32_t last = 0;
    for (unsigned l = 0; l < rules->lengths; l++)
        last = lengths[l] > last ? lengths[l] : last;
    last += BEYOND;
    for (unsigned i = 0; i < rules->items; i++) {
        const tz_item *item = &rules->item[i];
        int32_t index[TZ_MAX_RANK] = {0}, low[TZ_MAX_RANK] = {0};
        for (unsigned q = 0; q < item->rank; q++)
            index[q] = low[q] = low_of(item, q);
        for (bool more = true; more;) {
            int64_t column[TZ_MAX_RANK];
            for (unsigned q = 0; q < item->rank; q++)
                column[q] = index[q];
            if (tz_domain_holds(&item->domain, rules->lengths, lengths, item->rank, column))
                visit(user, i, index);
            more = false;
            for (unsigned q = item->rank; q-- > 0 && !more;) {
                more = ++index[q] <= last;
                index[q] = more ? index[q] : low[q];
            }
        }
    }
}
