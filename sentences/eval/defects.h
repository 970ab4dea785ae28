/* defects.h - finds visible defects of a compression from its words (and fine tags, where the gold
 * file has them) alone, without a model.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_DEFECTS_H
#define TZ_SENTENCES_EVAL_DEFECTS_H

#include <stdbool.h>

#include "sentences/eval/compression.h"

/* Only defects made by leaving words out count: none is found where all words are kept.
 *
 * end       the last word before the final mark is a function word that another word followed
 * stranded  a determiner or preposition whose next word was dropped stands before a finite verb, a
 *           mark or the end
 * name      of neighbouring words of a name (NNP, NNPS; without tags: with capitals, but for the
 *           sentence's first) some are kept, some dropped
 * marks brackets or quotation marks that were paired are no longer
 * negation  a negation is dropped, and the word that it stood before, or the verb or auxiliary that
 *           it stood behind, is kept
 * article   "a" or "an" before a word that takes the other (trapeze compress respells it) */
typedef enum tz_defect {
    TZ_DEFECT_END,
    TZ_DEFECT_STRANDED,
    TZ_DEFECT_NAME,
    TZ_DEFECT_MARKS,
    TZ_DEFECT_NEGATION,
    TZ_DEFECT_ARTICLE,
    TZ_DEFECTS
} tz_defect;

void tz_defects_find(const tz_source *source, const tz_compression *compression,
                     bool ret_defect[TZ_DEFECTS]);

#endif
