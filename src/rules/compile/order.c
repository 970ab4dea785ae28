/* order.c - an evaluation order without an agenda: kinds that depend on each other form a group,
 * and groups are ordered by dependency. stages.c orders what is inside one.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "rules/compile/draft.h"

/* reach[a * words ...] bit b: kind b can be derived from kind a through rules. */
static void close_reach(uint64_t *reach, unsigned kinds, unsigned words) {
    for (unsigned via = 0; via < kinds; via++)
        for (unsigned a = 0; a < kinds; a++)
            if (reach[a * words + via / 64] >> via % 64 & 1)
                for (unsigned w = 0; w < words; w++)
                    reach[a * words + w] |= reach[via * words + w];
}

tz_status tz_order(tz_draft *draft) {
    unsigned kinds = draft->kinds, words = (kinds + 63) / 64;
    tz_status status = TZ_NO_MEMORY;
    uint64_t *reach = calloc((size_t)kinds * words + 1, sizeof *reach);
    bool *grouped = calloc(kinds + 1u, sizeof *grouped);
    if (reach == NULL || grouped == NULL)
        goto done;
    for (unsigned i = 0; i < draft->steps; i++)
        for (unsigned t = 0; t < draft->step[i].terms; t++)
            if (draft->step[i].term[t].what == TZ_INSIDE) {
                unsigned from = draft->step[i].term[t].which, to = draft->step[i].target.which;
                reach[from * words + to / 64] |= (uint64_t)1 << to % 64;
            }
    close_reach(reach, kinds, words);

    status = TZ_OK;
    for (unsigned left = kinds; left > 0 && status == TZ_OK;) {
        /* The first kind all of whose sources are done or depend on it in turn. */
        unsigned k;
        for (k = 0; k < kinds; k++) {
            bool ready = !grouped[k];
            for (unsigned a = 0; a < kinds && ready; a++)
                if (!grouped[a] && (reach[a * words + k / 64] >> k % 64 & 1) &&
                    !(reach[k * words + a / 64] >> a % 64 & 1))
                    ready = false;
            if (ready)
                break;
        }
        uint16_t kind[TZ_MAX_KINDS];
        unsigned count = 0;
        for (unsigned a = k; a < kinds; a++)
            if (a == k || ((reach[a * words + k / 64] >> k % 64 & 1) &&
                           (reach[k * words + a / 64] >> a % 64 & 1))) {
                kind[count++] = (uint16_t)a;
                grouped[a] = true;
                draft->kind[a].group = (uint16_t)draft->groups;
                left--;
            }
        status = tz_find_stages(draft, &draft->group[draft->groups++], kind, count);
    }
done:
    free(reach);
    free(grouped);
    return status;
}
