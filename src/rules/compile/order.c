/* order.c - an evaluation order without an agenda: kinds that depend on each other form a group,
 * and groups are ordered by dependency. stages.c orders what is inside one.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/compile/draft.h"
#include "rules/compile/reach.h"

tz_status tz_order(tz_draft *draft) {
    const unsigned kinds = draft->kinds;
    bool grouped[TZ_MAX_KINDS] = {false}, member[TZ_MAX_KINDS];
    tz_reach reach;
    tz_status status = tz_reach_init(&reach, kinds);
    if (status != TZ_OK)
        return status;
    for (unsigned i = 0; i < draft->steps; i++)
        for (unsigned t = 0; t < draft->step[i].terms; t++)
            if (draft->step[i].term[t].what == TZ_INSIDE)
                tz_reach_add(&reach, draft->step[i].term[t].which, draft->step[i].target.which);
    tz_reach_close(&reach);
    for (unsigned left = kinds; left > 0 && status == TZ_OK;) {
        uint16_t kind[TZ_MAX_KINDS];
        unsigned count = 0;
        tz_next_component(&reach, grouped, member);
        for (unsigned k = 0; k < kinds; k++)
            if (member[k]) {
                kind[count++] = (uint16_t)k;
                draft->kind[k].group = (uint16_t)draft->groups;
            }
        left -= count;
        status = tz_find_stages(draft, &draft->group[draft->groups++], kind, count);
    }
    tz_reach_free(&reach);
    return status;
}
