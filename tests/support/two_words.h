/* two_words.h - problems of two words, as lines of JSON without their braces.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_TWO_WORDS_H
#define TZ_TESTS_SUPPORT_TWO_WORDS_H

/* Its trees: 0>1 0>2, score 3; 0>1>2, 4; 0>2>1, 6. */
#define TWO "\"n\":2,\"arc\":[[0,1,2],[0,0,3],[0,4,0]]"

/* The same trees, and bigrams that add nothing to what keeps both words. Neither kept: 0.125; the
 * first: 1.5; the second: 2.75. */
#define SHORT TWO ",\"bigram\":[[0,0.5,0.25,0.125],[0,0,-1,0],[0,0,0,0.5]]"

#endif
