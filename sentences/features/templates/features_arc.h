/* features_arc.h - features of arcs. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_ARC_H
#define TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_ARC_H

#include "sentences/features/templates/template.h"

/* Features of an arc h, m, where word m has the head h: 0 <= h <= words, 1 <= m <= words, h !=
 * m. */
extern const tz_template_set tz_arc_set;

/* Features of the words between an arc's ends. Cost: a constant for each. */
void tz_features_between(const tz_sentence *sentence, const int32_t *arc, tz_features *features);
uint64_t tz_templates_between(void);

#endif
