/* features_arc.h - features of arcs. SPDX-License-Identifier: MIT */
#ifndef TZ_LEARN_FEATURES_ARC_H
#define TZ_LEARN_FEATURES_ARC_H

#include "learn/task.h"

/* Of word m having the head h; arc: h, m. 0 <= h <= words, 1 <= m <= words, h != m. Cost: a
 * constant, and for each word between. */
void tz_features_arc(const tz_sentence *sentence, const int32_t *arc, tz_features *features);
uint64_t tz_templates_arc(void);

#endif
