/* features_character.h - features of the ends of words. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_CHARACTER_H
#define TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_CHARACTER_H

#include "sentences/features/templates/template.h"

/* Features of a word that ends with position i (emit[i,a]) of a sentence whose positions are
 * characters, white space among them; learn/find_words.h says what their tz_word is; 1 <= i <=
 * characters. */
extern const tz_template_set tz_character_set;

#endif
