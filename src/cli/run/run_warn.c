/* run_warn.c - what `trapeze run` warns of before it sums: a structure that would count twice, or
 * no telling whether one does. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cli/lengths.h"
#include "cli/run/run.h"

enum { WORK = 1 << 17 /* of looking at small lengths: a few hundredths of a second */ };

static void warn(const tz_runner *r, const tz_exploring *where, const tz_explored *explored) {
    char lengths[TZ_LENGTHS_TEXT];
    if (explored->ambiguous) {
        tz_lengths_text(r->rules, explored->at, lengths, sizeof lengths);
        tz_message(TZ_RUN,
                   "warning: %s: with %s, %zu derivations have %zu structure%s, and the sum of %s "
                   "counts every derivation: see 'trapeze rules check' (--force: as it should)",
                   r->set.rules, lengths, explored->counted, explored->structures,
                   explored->structures == 1 ? "" : "s", r->semiring->name);
    } else if (explored->derivations <= 1 && explored->reach >= 0) {
        tz_reached_text(r->rules, where, explored->reach, lengths, sizeof lengths);
        tz_message(TZ_RUN,
                   "warning: %s: no lengths up to %s have two derivations, so that nothing tells "
                   "whether the sum of %s counts a structure twice: try longer ones by 'trapeze "
                   "rules check -n' (--force: it does not)",
                   r->set.rules, lengths, r->semiring->name);
    }
}

/* Built-in rules are checked where they are built. */
void tz_run_warn(const tz_runner *r) {
    const tz_rules *rules = r->rules;
    const tz_named_lengths none = {.count = 0};
    tz_exploring where;
    tz_explored explored;
    if (rules->arena == NULL || rules->ambiguous || rules->derivations || r->set.quiet ||
        r->set.flags & TZ_FORCE || r->semiring->laws & TZ_IDEMPOTENT)
        return;
    bool *used = calloc(rules->rule_count, sizeof *used);
    tz_small_lengths(rules, &none, &where);
    where.work = WORK;
    /* Where memory is out, what follows says so. */
    if (used != NULL && tz_explore(rules, &where, used, &explored) == TZ_OK && !explored.circles)
        warn(r, &where, &explored);
    free(used);
}
