/* projective.h - dependency trees whose arcs do not cross. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_SENTENCE_PROJECTIVE_H
#define TZ_SENTENCES_FEATURES_SENTENCE_PROJECTIVE_H

#include <stdbool.h>

#include <trapeze/trapeze.h>

/* An arc is projective if all words between its ends descend from its head. head[1..n]: a tree, its
 * root position 0. Cost: O(n) for each word that lies between. */
bool tz_arc_projective(const int32_t *head, int32_t m);

/* Makes the tree projective by lifting arcs: the shortest arc that is not projective (of several,
 * that of the leftmost modifier) moves to its head's head, until all are (Nivre & Nilsson 2005,
 * Pseudo-projective dependency parsing, ACL, algorithm of section 2). head[1..n] must be a tree. A
 * lifted arc never comes back to where it was. Returns the number of lifts; a word may be lifted
 * several times. Cost: O(n^2) times the depth of the tree, once and for each lift. */
size_t tz_projectivise(int32_t *head, int32_t n);

/* The modifier of head[m] that stands between it and m, next to m; head[m] if there is none. Cost:
 * O(|head[m] - m|). */
int32_t tz_earlier_sibling(const int32_t *head, int32_t m);

#endif
