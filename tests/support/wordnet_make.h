/* wordnet_make.h - a tiny database in WordNet's format, with words and senses of our own.
 *
 *   entity - animal - carnivore - dog     city - London (an instance)     idea - notion
 *          |        |           \ cat     act (verb) - move - run - sprint
 *          |        \ bird - duck         good, better (adjectives); well (adverb)
 *          \ thing - pet - dog
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_WORDNET_MAKE_H
#define TZ_TESTS_SUPPORT_WORDNET_MAKE_H

/* data.*, index.*, *.exc in this folder, which is made if there is none; others of these names are
 * replaced. Fails the running test where that is impossible. */
void wordnet_make(const char *folder);

/* The names of the files: NULL after the last. */
extern const char *const wordnet_files[];

#endif
