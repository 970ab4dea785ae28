/* draw.h - looks for structures of longer sentences with several derivations. Nothing is
 * enumerated: derivations are drawn at random, and the derivations of each one's structure are
 * counted.
 *
 * To count them, only the structure's cells are made possible, with random whole scores above 0.
 * Then its derivations have its score, those with fewer uses have less, and hardly any other has
 * the same: so it has as many derivations as are best. Where some use a cell more often and are
 * better, derivations are listed. Derivations are drawn under random scores, too; some of these
 * make few uses likely, so that rare rules occur.
 *
 * Rules with side conditions are not looked at, since these would see the cells made impossible;
 * nor rules with closures, where derivations have no end. SPDX-License-Identifier: MIT */
#ifndef TZ_AMBIGUITY_DRAW_H
#define TZ_AMBIGUITY_DRAW_H

#include "ambiguity/pair.h"
#include "rules/tell/explore.h"

typedef struct tz_drawn {
    size_t derivations;            /* how many were drawn, */
    int32_t reach[TZ_MAX_LENGTHS]; /* the largest of each length that they were drawn at */
    bool several;                  /* some lengths have two derivations */
    bool ambiguous;                /* a structure has several: */
    tz_pair pair;                  /* two of them */
} tz_drawn;

/* Draws derivations. work: of all together, in semiring products, about; a billion takes a second
 * or two. where, explored: the result for small lengths. TZ_NO_MEMORY; *ret is to be freed in any
 * case. */
tz_status tz_draw_derivations(const tz_rules *rules, const tz_exploring *where,
                              const tz_explored *explored, double work, tz_drawn *ret);
void tz_drawn_free(tz_drawn *drawn);

#endif
