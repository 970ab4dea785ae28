/* toy.h - toy treebanks, and toy sentences with compressions, for the tests of learning.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_TOY_H
#define TZ_TESTS_SUPPORT_TOY_H

#include <stdio.h>

#include "random.h"
#include "sentences/features/sentence/corpus.h"

/* Writes so many sentences. */
typedef void toy_writer(FILE *file, random_state *random, int sentences);

/* Sentences of a language in which words tell tags and tags tell heads, but for one word: "bark" is
 * a noun after a determiner and else a verb.
 *   sentence   noun phrase, verb, maybe a noun phrase; the verb is the root
 *   noun phrase   determiner, up to two adjectives, noun; all modify the noun, which modifies the
 *                 verb */
void toy_treebank(FILE *file, random_state *random, int sentences);
/* Sentences of subject, verb, maybe object, and their compressions, which lack the adjectives: as
 * `trapeze pairs` writes them, and as JSON Lines. */
void toy_pairs(FILE *file, random_state *random, int sentences);
void toy_records(FILE *file, random_state *random, int sentences);

/* In a file of this name; 0 if that worked. */
int toy_file(const char *name, toy_writer *write, random_state *random, int sentences);
/* In memory: the caller's to free. */
char *toy_text(toy_writer *write, uint64_t seed, int sentences, size_t *ret_size);
/* toy_treebank as sentences; their tags are added to `tags`. */
void toy_corpus(uint64_t seed, int sentences, tz_labels *tags, tz_corpus *ret_corpus);

#endif
