/* cover.h - describes jumps by the nodes of the document's trees that they go over and into.
 *
 * A *node* is a word, a word with all that depends on it, or a sentence. Of nodes that cover the
 * same words only the highest is there. Any two are apart, or one lies in the other.
 *
 * A jump from the phrase that ends at i to the one that begins at j goes over i+1..j-1, forward, or
 * if j <= i over j..i, backward: over the fewest nodes that cover these words exactly, which are
 * those that lie in no other one in the stretch. Then it stops: it goes into all nodes around word
 * j that begin behind i; backward, into those around word j-1 that end at i or before. At the end
 * of the document, or backward at its beginning, there are none. So for each node on the way there
 * is a choice, over or into, whose probability depends on the node's label and the direction. For
 *
 *   It more than tripled it 's sales of Apple systems   (PRP JJR IN VBD PRP POS NNS IN NNP NNS)
 *
 * where "of Apple systems" depends on "sales" as nmod, and that on "tripled" as obj, the jump from
 * "than" to "of" goes over VBD PRP POS NNS, and into (obj), (nmod) and IN.
 *
 * Daume & Marcu 2005 give each label one probability of being jumped over, and let all labels add
 * up to one; then a jump over several nodes is next to impossible, though the text alone says which
 * node comes next. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_MODEL_COVER_H
#define TZ_SENTENCES_ALIGN_MODEL_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sentences/features/tables/labels.h"

/* A sentence with its tree: arrays indexed by positions 0..words, where 0 is the root. */
typedef struct tz_cover_sentence {
    int32_t words;
    const int32_t *head; /* a tree, or several */
    const char *const *relation, *const *tag;
} tz_cover_sentence;

typedef struct tz_cover_node {
    uint32_t begin, end; /* first and last word, from 1 */
    int32_t label;       /* number in `labels`; -1: not among them */
} tz_cover_node;

#define TZ_COVER_TOP UINT32_MAX

/* A document, word after word. */
typedef struct tz_jump_cover {
    size_t words;
    /* Nodes by their end, and those of the same end from the shortest on: those that end at word e
     * are ending[ending_from[e]] .. ending[ending_from[e + 1] - 1]. By their beginning, and those
     * of the same beginning from the longest on, likewise: a node stands before those in it. */
    tz_cover_node *ending, *beginning;
    uint32_t *ending_from, *beginning_from; /* [words + 2] */
    uint32_t *parent;                       /* of each in `beginning`; TZ_COVER_TOP: none */
    uint32_t *lowest;                       /* [words + 2]: the word's lowest node */
    uint32_t *longest[2], *before;          /* private: for the row at hand */
    int32_t *label;
    double *into;
} tz_jump_cover;

/* Builds the nodes of a document's trees. A word's label is its tag, a subtree's "(RELATION)" after
 * its top word's relation, a sentence's "(root)"; new labels are added if `grow`. Trees whose arcs
 * cross are made projective (projective.h). Memory is the arena's. TZ_NO_MEMORY; TZ_TOO_LARGE: 2^31
 * words. Cost: in proportion to words times the depth of the trees, and what tz_projectivise
 * takes. */
tz_status tz_cover_new(tz_arena *arena, const tz_cover_sentence *sentence, size_t sentences,
                       tz_labels *labels, bool grow, tz_jump_cover *ret_cover);

/* Parameters: log probabilities of going forward (0) and backward (1), and for each label, forward
 * and backward, of going over a node (tz_cover_over) and into it (tz_cover_into), which add up to
 * one. */
static inline size_t tz_cover_over(int32_t label, bool forward) {
    return 2 + 4 * (size_t)label + (forward ? 0 : 2);
}
static inline size_t tz_cover_into(int32_t label, bool forward) {
    return tz_cover_over(label, forward) + 1;
}
static inline size_t tz_cover_parameters(size_t labels) {
    return 2 + 4 * labels;
}

/* ret[i * (words + 2) + j], 0 <= i <= words, 1 <= j <= words + 1: `add` plus the log probability of
 * the jump from i to j, by the parameters log_p; `beyond`: the log probability for nodes without a
 * label. Cost: words^2. */
void tz_cover_score(tz_jump_cover *cover, const double *log_p, double beyond, double add,
                    double *ret);
/* Adds to `count` how often each parameter is used, given how often each jump is: `uses`, laid out
 * like the scores, is overwritten. Returns the sum of the uses of jumps. Cost: words^2. */
double tz_cover_count(tz_jump_cover *cover, double *uses, double *count);

#endif
