/* ambiguity.c - see ambiguity.h. SPDX-License-Identifier: MIT */
#include "ambiguity/ambiguity.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/modes.h"

enum {
    WORK = 1 << 17 /* of looking at small lengths: a few hundredths of a second */
};

/* Of drawing; no more than that takes. */
static const double DRAWN = 3e7;

tz_status tz_doubt_look(const tz_rules *rules, tz_doubt *ret) {
    *ret = (tz_doubt){.ambiguous = false};
    bool *used = calloc(rules->rule_count + 1u, sizeof *used);
    if (used == NULL)
        return TZ_NO_MEMORY;
    tz_small_lengths(rules, &ret->where);
    ret->where.work = WORK;
    tz_status status = tz_explore(rules, &ret->where, used, &ret->explored);
    free(used);
    if (status == TZ_OK && !ret->explored.ambiguous)
        status = tz_draw_derivations(rules, &ret->where, &ret->explored, DRAWN, &ret->drawn);
    ret->ambiguous = status == TZ_OK && (ret->explored.ambiguous || ret->drawn.ambiguous);
    return status == TZ_NO_MEMORY ? status : TZ_OK;
}

void tz_doubt_free(tz_doubt *doubt) {
    tz_drawn_free(&doubt->drawn);
}

void tz_doubt_text(const tz_rules *rules, const tz_doubt *doubt, char *ret_text, size_t size) {
    const tz_explored *explored = &doubt->explored;
    char lengths[TZ_LENGTHS_TEXT];
    tz_lengths_text(rules, explored->ambiguous ? explored->at : doubt->drawn.pair.lengths, lengths,
                    sizeof lengths);
    if (explored->ambiguous)
        snprintf(ret_text, size, "with %s, %zu derivations have %zu structure%s", lengths,
                 explored->counted, explored->structures, explored->structures == 1 ? "" : "s");
    else
        snprintf(ret_text, size, "with %s, two derivations have one structure", lengths);
}

tz_status tz_rules_ambiguity(const tz_rules *rules, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    if (rules->arena == NULL || rules->ambiguous || rules->derivations)
        return TZ_OK;
    tz_doubt doubt;
    tz_status status = tz_doubt_look(rules, &doubt);
    if (status != TZ_OK) {
        tz_fail(opt_error, status, "%s: %s", rules->name, tz_status_name(status));
    } else if (doubt.ambiguous) {
        char text[TZ_LENGTHS_TEXT + 128];
        tz_doubt_text(rules, &doubt, text, sizeof text);
        status = tz_fail(opt_error, TZ_AMBIGUOUS,
                         "rule set %s is ambiguous: %s, and a sum counts each derivation: see "
                         "'trapeze rules check', take a semiring such as max, or force it",
                         rules->name, text);
    }
    tz_doubt_free(&doubt);
    return status;
}
