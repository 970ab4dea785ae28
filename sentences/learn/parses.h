/* parses.h - a parser's scores of all trees of a sentence.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_PARSES_H
#define TZ_SENTENCES_LEARN_PARSES_H

#include "base/arena.h"
#include "sentences/deletions/scores.h"
#include "sentences/learn/model.h"

/* The scores of the parser's rule set, any of its task's, as scores for `delete-flat`; those of a
 * rule set of arcs alone do not depend on sisters. If the parser was trained by likelihood, they
 * are log probabilities up to a constant for the sentence. The sentence has tags. Memory is the
 * arena's, 8 n^3 bytes. Cost: as tz_score_sentence. TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_parses_of(const tz_model *parser, const tz_sentence *sentence, tz_arena *arena,
                       tz_parses *ret_parses);

#endif
