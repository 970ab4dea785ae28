/* features_tag.h - features of the tagger. SPDX-License-Identifier: MIT */
#ifndef TZ_LEARN_FEATURES_TAG_H
#define TZ_LEARN_FEATURES_TAG_H

#include "learn/task.h"

/* Of position i having some tag (emit[i,a]); 1 <= i <= words. */
void tz_features_tag(const tz_sentence *sentence, int32_t i, tz_features *features);
/* Of some tag following tag a (trans[a,b]), or with a = -1 of some tag beginning (start[b]). */
void tz_features_after(int32_t a, tz_features *features);
uint64_t tz_templates_tag(void);

#endif
