/* text_model.h - a model of trapeze/text.h. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_TEXT_MODEL_H
#define TZ_SENTENCES_LEARN_TEXT_MODEL_H

#include <trapeze/text.h>

#include "base/fail.h"
#include "sentences/learn/analyse.h"
#include "sentences/learn/find_words.h"
#include "sentences/learn/split.h"

static inline tz_status tz_text_fail(tz_error *opt_error, tz_status status, const char *message) {
    return tz_fail(opt_error, status, "%s", message);
}

struct tz_text_model {
    tz_analyser *analyser;
    tz_word_finder *finder;
    tz_line_splitter *splitter;
    tz_text_span *span; /* the sentences of the last line that was asked for */
    unsigned stages;    /* 1 << tz_stage: of the largest question that it was loaded for */
    char *lm;           /* the language model that was read last; NULL: none */
};

#endif
