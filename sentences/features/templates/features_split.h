/* features_split.h - features of the ends of sentences. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_SPLIT_H
#define TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_SPLIT_H

#include "sentences/features/templates/template.h"

/* Features of a sentence that ends with position i of a paragraph (emit[i,a]); 1 <= i <= words. The
 * words' UPOS stands for what rules and white space say (learn/split.h). */
extern const tz_template_set tz_split_set;

#endif
