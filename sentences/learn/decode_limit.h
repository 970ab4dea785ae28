/* decode_limit.h - the best answers that use a given amount of a resource: compressions of a given
 * length. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_DECODE_LIMIT_H
#define TZ_SENTENCES_LEARN_DECODE_LIMIT_H

#include "sentences/learn/model.h"

typedef struct tz_limit_decoder tz_limit_decoder;

/* The model is borrowed. resource: one that its rules declare ("kept"). threads: at least 1. Cost:
 * that of tz_limiter_new. TZ_BAD_ARGUMENT: the rules do not declare it. */
tz_status tz_limit_decoder_new(const tz_model *model, const char *resource, unsigned threads,
                               tz_limit_decoder **ret_decoder, tz_error *opt_error);
void tz_limit_decoder_free(tz_limit_decoder *decoder);

/* For each sentence the best answer that uses amount[s] of the resource, exactly the best one
 * (tz_limit), in answer[s][0..words]; answer[s][0] is 0, and every other -1 where there is none.
 * Does not depend on the number of threads. */
tz_status tz_decode_limited(tz_limit_decoder *decoder, const tz_sentence *const *sentence,
                            size_t count, const int64_t *amount, int32_t *const *answer,
                            tz_error *opt_error);

#endif
