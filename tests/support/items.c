/* items.c - every item of a rule set. SPDX-License-Identifier: MIT */
#include "items.h"

#include "rules/polyhedra/form.h"

/* Rule sets of tests declare indices from -BEYOND to the longest length and BEYOND. */
enum { BEYOND = 2 };

void each_item(const tz_rules *rules, const int32_t *lengths, item_visit visit, void *user) {
    int32_t last = 0;
    for (unsigned l = 0; l < rules->lengths; l++)
        last = lengths[l] > last ? lengths[l] : last;
    last += BEYOND;
    for (unsigned i = 0; i < rules->items; i++) {
        const tz_item *item = &rules->item[i];
        int32_t index[TZ_MAX_RANK] = {-BEYOND, -BEYOND, -BEYOND, -BEYOND};
        for (bool more = true; more;) {
            int64_t column[TZ_MAX_RANK];
            for (unsigned q = 0; q < item->rank; q++)
                column[q] = index[q];
            if (tz_domain_holds(&item->domain, rules->lengths, lengths, item->rank, column))
                visit(user, i, index);
            more = false;
            for (unsigned q = item->rank; q-- > 0 && !more;) {
                more = ++index[q] <= last;
                index[q] = more ? index[q] : -BEYOND;
            }
        }
    }
}
