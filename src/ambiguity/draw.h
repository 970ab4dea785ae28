/* draw.h - do structures of longer sentences have several derivations? Nothing is enumerated:
 * derivations are drawn at random, and those of each one's structure counted.
 *
 * In the problem in which no other cells are possible, and these have random whole scores above 0,
 * a structure's derivations have its score, those with fewer uses less, and hardly any other the
 * same: so it has as many as are best. Where some use a cell more often and are better, derivations
 * are listed. Derivations are drawn under random scores, too, some of which make few uses likely:
 * so rules that few derivations have are met.
 *
 * Not where rules have side conditions, which would ask the cells that are made impossible, or
 * closures, where derivations have no end. SPDX-License-Identifier: MIT */
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

/* work: of all together, in semiring products, about; a billion takes a second or two. where,
 * explored: what was found at small lengths. TZ_NO_MEMORY; to be freed in any case. */
tz_status tz_draw_derivations(const tz_rules *rules, const tz_exploring *where,
                              const tz_explored *explored, double work, tz_drawn *ret);
void tz_drawn_free(tz_drawn *drawn);

#endif
