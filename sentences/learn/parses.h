/* parses.h - a parser's scores of all trees of a sentence.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_PARSES_H
#define TZ_SENTENCES_LEARN_PARSES_H

#include "base/arena.h"
#include "sentences/deletions/scores.h"
#include "sentences/learn/model.h"

/* The scores of the parser's rule set, which may be any of its task's, as those of `delete-flat`;
 * one of arcs alone looks at no sister. They are log probabilities, but for what is the same for
 * all trees, where the parser was trained by likelihood. The sentence has tags. Memory is the
 * arena's, 8 n^3 bytes. Cost: as tz_score_sentence. TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_parses_of(const tz_model *parser, const tz_sentence *sentence, tz_arena *arena,
                       tz_parses *ret_parses);

#endif
