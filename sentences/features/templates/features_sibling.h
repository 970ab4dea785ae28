/* features_sibling.h - features of neighbouring modifiers of one head.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_SIBLING_H
#define TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_SIBLING_H

#include "sentences/features/templates/template.h"

/* Features of a triple h, s, m, where m modifies h next after s: s between h and m; or s = h where
 * m is the first on its side. */
extern const tz_template_set tz_sibling_set;

#endif
