/* features_tag.h - features of the tagger. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_TAG_H
#define TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_TAG_H

#include "sentences/features/templates/template.h"

/* Features of the tag of position i (emit[i,a]); 1 <= i <= words. */
extern const tz_template_set tz_tag_set;
/* The same features, and those by a tag dictionary (dictionary.h). */
extern const tz_template_set tz_joint_tag_set;

/* Features of a tag that begins (start[b]), and of a tag that follows tag a = index[0]
 * (trans[a,b]). */
void tz_features_first(const tz_sentence *sentence, const int32_t *index, tz_features *features);
void tz_features_after(const tz_sentence *sentence, const int32_t *index, tz_features *features);
uint64_t tz_templates_after(void);

#endif
