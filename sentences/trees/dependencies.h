/* dependencies.h - makes trees of constituents from dependency trees with labels, and the reverse.
 *
 * A word with its dependents becomes a constituent whose category is the word's relation (nsubj,
 * obl+P), which tells arguments from adjuncts. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TREES_DEPENDENCIES_H
#define TZ_SENTENCES_TREES_DEPENDENCIES_H

#include "sentences/features/sentence/corpus.h"
#include "sentences/trees/tree.h"

/* flat: one constituent for each word with dependents, with the word's leaf as head child.
 * prep: and prepositions and conjunctions (`case`, `mark`) that stand at the very left head a node
 *       above: obl+P over the preposition and an NP, advcl+C over the conjunction and an S.
 * verb: and a verb forms a VP with what is on its right and with the auxiliaries, copulas and
 *       adverbs next to it on its left; the subject and so on are sisters of that.
 * tags: as flat, but all categories are tags, and relations are not used. */
typedef enum tz_levels { TZ_LEVELS_FLAT, TZ_LEVELS_PREP, TZ_LEVELS_VERB, TZ_LEVELS_TAGS } tz_levels;

/* "flat", "prep", "verb", "tags"; NULL past the last. */
const char *tz_levels_name(unsigned levels);

/* Makes a tree of constituents. name: names of words 1..words in the columns TZ_UPOS, TZ_XPOS,
 * TZ_DEPREL, "_" unknown; an unknown XPOS is UPOS. Crossing arcs are lifted (projective.h); words
 * at the root but the first count as its dependents. A word without dependents is a leaf whose
 * category is its relation; the leaf of one with dependents has its tag.
 *
 * Forms and names are borrowed; the rest is the arena's. No words: no nodes. TZ_IO: a word without
 * head, tag, or but for `tags` relation, or for `verb` UPOS, with FILE:LINE (opt_file may be NULL);
 * TZ_NO_MEMORY. Cost: linear, and that of tz_projectivise. */
tz_status tz_tree_of_dependencies(tz_arena *arena, const char *opt_file,
                                  const tz_sentence *sentence, const char **const name[TZ_COLUMNS],
                                  tz_levels levels, tz_tree *ret_tree, tz_error *opt_error);

/* Writes head[1..words]: the head word of the lowest constituent around the word that has another
 * head word; 0 is the root. Cost: linear. */
void tz_tree_dependencies(const tz_tree *tree, int32_t *head);

#endif
