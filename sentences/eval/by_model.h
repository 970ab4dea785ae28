/* by_model.h - makes compressions and their trees by the models of a pack.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_BY_MODEL_H
#define TZ_SENTENCES_EVAL_BY_MODEL_H

#include "sentences/eval/compression.h"
#include "sentences/learn/analyse.h"

/* A sentence, and a compression of it to be worked on. */
typedef struct tz_by_model {
    const tz_source *source;
    tz_compression *compression;
    int64_t keep; /* tz_compress_by_model: number of words to keep; -1: the number that scores
                     best */
    bool wary;    /* with -1: as in tz_words */
} tz_by_model;

/* Gives each compression the tree that tagger and parser find for its words, as a sentence of their
 * own. Memory is the arena's. The analyser has a parser and the taggers that it needs. The result
 * does not depend on the number of threads. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_parse_by_model(tz_analyser *analyser, struct tz_arena *arena, const tz_by_model *item,
                            size_t count, tz_error *opt_error);

/* Makes compressions, with their trees, from the words of the sentences alone, by TZ_STAGE_COMPRESS
 * or TZ_STAGE_DELETE. The analyser has that stage and those before it. Memory and errors as for
 * tz_parse_by_model. */
tz_status tz_compress_by_model(tz_analyser *analyser, struct tz_arena *arena, tz_stage by,
                               const tz_by_model *item, size_t count, tz_error *opt_error);

#endif
