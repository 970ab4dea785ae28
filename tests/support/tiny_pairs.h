/* tiny_pairs.h - three documents of up to four words with their abstracts, and what is known of
 * their phrases, in plain words: stems, distances in the database of wordnet_make.h, trees.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_TINY_PAIRS_H
#define TZ_TESTS_SUPPORT_TINY_PAIRS_H

#include <stdbool.h>

#include "sentences/align/texts/forms.h"

enum { PAIRS = 3, LONG = 4, WORDS = 7, BASE = WORDS + 1, KEYS = BASE * BASE * BASE };
enum { VOCABULARY = 5, LABELS = 5 };

/* Words are numbers from 1 on; abstracts have 1..VOCABULARY. */
extern const tz_form lexicon[BASE];
extern const char *const spelling[BASE];

typedef struct tiny_pair {
    int n, m, document[LONG], abstract[LONG];
    int stop[LONG]; /* where the word's sentence ends */
    /* Of the document; heads count from 1 in each sentence. */
    int head[LONG];
    const char *tag[LONG], *relation[LONG];
} tiny_pair;
extern const tiny_pair texts[PAIRS];

/* Of the nodes of these trees: tags, then relations. */
extern const char *const labels[LABELS];

/* ---- Phrases --------------------------------------------------------------------------------- */

/* Different for different phrases of up to three words, below KEYS. */
int key(const int *word, int length);
int length_of(int key);
bool same_stems(int y, int x);
/* How many phrases over the vocabulary have the stems. */
double alike(int y);

/* Edges between two phrases in WordNet; -1: they do not meet, or one is not there. */
int edges(int y, int x);
/* Over the phrases x of the abstracts, the sum of exp(-eta edges(y, x)), or the mean distance. */
double near_sum(int y, double eta, bool mean);

/* ---- Trees ----------------------------------------------------------------------------------- */

/* The label of the highest node of words b..e of a document, which count from 1, b and e in one
 * sentence; -1: there is none. */
int node_of(int pair, int b, int e);
/* The fewest nodes that cover words b..e, their labels to ret; returns how many. */
int cover(int pair, int b, int e, int ret[LONG]);

#endif
