/* grammar.h - a smoothed dependency grammar: how likely a word is as a modifier of another.
 *
 * A head h generates, on a side d of it and so far away (b: 1, 2, 3 to 6, more words), a modifier
 * with a fine tag t, then its word w:
 *
 *   P(t | word h, tag h, d) -> P(t | tag h, d, b) -> P(t | d)
 *   P(w | t, tag h, d)      -> P(w | t)
 *
 * where an arrow stands for interpolation by Witten & Bell 1991: with c(x, y) the number of times y
 * came after x, c(x) all of them, and u(x) the number of different ones,
 *
 *   P(y | x) = (c(x, y) + u(x) P'(y | x')) / (c(x) + u(x))
 *
 * and a word that never came with t has 1/1000 of the share of new words, u(t) / (c(t) + u(t)). It
 * is stored as backoff models are: P(y | x) for pairs that came, log u(x) / (c(x) + u(x)) for
 * contexts; pairs that came only once after a head's word are left to backing off. Words are told
 * by tz_form_value. Cf. Collins 1996 (A new statistical parser based on bigram lexical
 * dependencies, ACL). SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_OUTLINE_GRAMMAR_H
#define TZ_SENTENCES_FEATURES_OUTLINE_GRAMMAR_H

#include "sentences/features/outline/outline.h"
#include "sentences/features/tables/sketch.h"

/* Estimates the grammar from `count` treebanks with fine tags and heads. TZ_NO_MEMORY,
 * TZ_TOO_LARGE, TZ_NONE: there is no arc. Cost: linear in the words. */
tz_status tz_grammar_new(const tz_corpus *corpus, size_t count, tz_sketch **ret_grammar);

/* log P(t | ...) + log P(w | ...) for modifier m of head h, 0 <= h <= n, 1 <= m <= n. */
double tz_grammar_log_prob(const tz_sketch *grammar, const tz_outline *outline, int32_t h,
                           int32_t m);

/* The bins of all arcs of a sentence, for tz_grammar_bin; the arena's. NULL when memory is out.
 * Cost: O(n^2). */
const uint8_t *tz_grammar_bins(const tz_sketch *grammar, struct tz_arena *arena,
                               const tz_outline *outline);

#endif
