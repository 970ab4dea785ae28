/* features_label.h - features of the labeller. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_LABEL_H
#define TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_LABEL_H

#include "sentences/features/templates/template.h"

/* Features of the label of the arc to word i, 1 <= i <= words (emit[i,a]), by the arc's two ends.
 * The tree must be known (tz_sentence.head). Cost: for each position, the words of the sentence. */
extern const tz_template_set tz_label_set;

/* Features of each of the word's own modifiers. Cost: the words of the sentence. */
void tz_features_children(const tz_sentence *sentence, const int32_t *index, tz_features *features);
uint64_t tz_templates_children(void);

#endif
