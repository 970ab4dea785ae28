/* known.h - enumeration filtered by facts, for the tests of facts.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_KNOWN_H
#define TZ_TESTS_SUPPORT_KNOWN_H

#include "problem.h"
#include "rules/tell/enumerate.h"

enum { MAX_FACTS = 6, MAX_CELLS = 8 };

/* All derivations of a problem, and which of them are possible and agree with its facts. */
typedef struct known {
    const tz_rules *rules;
    random_problem own; /* with its facts: pass own.problem */
    tz_fact fact[MAX_FACTS];
    tz_cells cells[MAX_FACTS][MAX_CELLS];
    /* Uses of declared weights, and items, of all derivations, one after the other, and where those
     * of derivation d end. */
    tz_enum_use *use, *item;
    size_t *end, *item_end;
    long double *score;
    bool *agrees;
    size_t uses, items, count, use_room, item_room, room;
    size_t most; /* times that a derivation uses the cells of one required fact, without those that
                    are impossible or use forbidden ones */
    /* Of those that agree: */
    size_t possible;
    long double best, log_z;
} known;

/* Enumerates; false where there are more than `limit` derivations. Facts are set afterwards. Where
 * there are side conditions, which derivations there are depends on scores and facts: they are then
 * enumerated again with those that are possible. */
bool known_make(known *k, const tz_rules *rules, const int32_t *lengths, size_t limit,
                score_source source, random_state *random);
void known_free(known *k);
/* Random facts: `forbidden` and `required` of them. Cells and items are drawn from random
 * derivations, so that facts agree more often than not, or from anywhere; some indices become
 * TZ_ANY. */
void known_draw(known *k, unsigned forbidden, unsigned required, random_state *random);
/* Filters by the facts in own.problem. */
void known_filter(known *k);
/* exp(score - log Z) summed over the derivations that agree, times their uses of the cell, or of
 * the item. */
long double known_marginal(const known *k, unsigned weight, const int32_t *index);
long double known_item_marginal(const known *k, unsigned item, const int32_t *index);
bool known_covers(const tz_rules *rules, const tz_fact *fact, const tz_enum_use *use);
/* First use of a derivation. */
static inline const tz_enum_use *known_uses(const known *k, size_t derivation, size_t *ret_count) {
    size_t first = derivation > 0 ? k->end[derivation - 1] : 0;
    *ret_count = k->end[derivation] - first;
    return k->use != NULL ? k->use + first : NULL; /* where no derivation uses anything */
}
/* The items of its proof tree. */
static inline const tz_enum_use *known_items(const known *k, size_t derivation, size_t *ret_count) {
    size_t first = derivation > 0 ? k->item_end[derivation - 1] : 0;
    *ret_count = k->item_end[derivation] - first;
    return k->item + first;
}

#endif
