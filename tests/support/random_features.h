/* random_features.h - what has no meaning of its own in a random rule file, and may still confuse
 * what is made of it: names that transformations might choose too, declarations in another order,
 * names of values, resources.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RANDOM_FEATURES_H
#define TZ_TESTS_SUPPORT_RANDOM_FEATURES_H

#include <stdbool.h>

#include "random_rules.h"

/* Adds some of them, each as far as the reader takes it, to a file by make_random_rules. */
void add_features(random_state *random, rules_text *text);
/* Appends a resource of this name with up to three charges; false: the reader takes none. */
bool add_resource(random_state *random, const char *name, rules_text *text);

#endif
