/* outline.h - the parts of a sentence that the compressor's features see: its tagged words, its
 * tree with labels, and properties of these, worked out once.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_OUTLINE_OUTLINE_H
#define TZ_SENTENCES_FEATURES_OUTLINE_OUTLINE_H

#include "sentences/features/sentence/corpus.h"

/* A word, or a position outside: the root (0), the end (n + 1), padding. */
typedef struct tz_outline_word {
    int32_t head;           /* -1 outside */
    int32_t depth;          /* arcs to the root */
    int32_t first, last;    /* the span of its subtree */
    int32_t chunk;          /* the first word of its base phrase (chunks.h) */
    uint64_t word;          /* in lower case; one value for all words with a digit */
    uint64_t stem;          /* of a verb, else 0 */
    uint64_t fine, coarse;  /* tags: XPOS, UPOS */
    uint64_t label;         /* of its arc */
    uint64_t path[2];       /* labels of the word and its head; also of its head's head */
    uint64_t before, after; /* labels of its neighbouring siblings on the same side of the head */
    uint64_t chunk_kind;    /* the kind of its base phrase (tz_chunk_kind) */
    uint8_t size;           /* of its subtree, in bins */
    bool capital, symbol;   /* begins with a capital letter; has neither letter nor digit */
    bool bracketed, quoted; /* stands between parentheses, quotation marks */
    bool negated;           /* is a negation, or has one as a child */
} tz_outline_word;

/* How a word is related to another in the tree. */
typedef enum tz_relation {
    TZ_UNRELATED,
    TZ_HEAD_OF,
    TZ_ANCESTOR2, /* the head's head, */
    TZ_ANCESTOR3,
    TZ_ANCESTOR4, /* and all above */
    TZ_SIBLING,
    TZ_CHILD_OF,
    TZ_DESCENDANT
} tz_relation;

typedef struct tz_outline {
    int32_t words;
    unsigned without;            /* 1 << tz_family: features to be left out */
    const tz_outline_word *word; /* word[-TZ_PADDING] .. word[words + 1 + TZ_PADDING] */
    const uint8_t *relation;     /* tz_relation_of */
    const uint8_t *grammar;      /* tz_grammar_bin; NULL: no dependency grammar */
    const uint8_t *bigram;       /* tz_bigram_bin; NULL: no language model */
} tz_outline;

/* Families of the compressor's features, to leave out in experiments. */
typedef enum tz_family {
    TZ_FAMILY_WORD,     /* on the kept word alone */
    TZ_FAMILY_FIDELITY, /* relations in the input tree */
    TZ_FAMILY_GRAMMAR,
    TZ_FAMILY_CHUNK,
    TZ_FAMILY_SIBLING,
    TZ_FAMILY_BIGRAM,
    TZ_FAMILY_LM,
    TZ_FAMILY_GAP,     /* on the dropped words between two kept ones */
    TZ_FAMILY_OUTSIDE, /* arcs that are not in the input tree at all: without it they are impossible
                        */
    TZ_FAMILIES
} tz_family;
/* The name of a family, or NULL past the last. */
const char *tz_family_name(unsigned family);

/* What h is to m, 0 <= h <= n, 1 <= m <= n. */
static inline tz_relation tz_relation_of(const tz_outline *outline, int32_t h, int32_t m) {
    return (tz_relation)outline->relation[(size_t)h * ((size_t)outline->words + 1) + (size_t)m];
}
/* The bins, from 1, of the log probability of arc (h, m) under the dependency grammar, and of
 * bigram (i, j), 0 <= i < j <= n + 1, under the language model; 0: not known. */
static inline unsigned tz_grammar_bin(const tz_outline *outline, int32_t h, int32_t m) {
    size_t width = (size_t)outline->words + 1;
    return outline->grammar ? outline->grammar[(size_t)h * width + (size_t)m] : 0;
}
static inline unsigned tz_bigram_bin(const tz_outline *outline, int32_t i, int32_t j) {
    size_t width = (size_t)outline->words + 2;
    return outline->bigram ? outline->bigram[(size_t)i * width + (size_t)j] : 0;
}

/* Models that features look into besides the weights; borrowed, NULL where there is none. */
typedef struct tz_sources {
    const struct tz_sketch *grammar; /* grammar.h */
    const struct tz_sketch *bigrams; /* bigrams.h */
    unsigned without;                /* families, as in tz_outline */
} tz_sources;

/* Makes the outline of a sentence whose words, tags, heads (a tree) and labels are known. Memory is
 * the arena's. TZ_NO_MEMORY. Cost: O(n^2), and n times the depth of the tree. */
tz_status tz_outline_new(struct tz_arena *arena, const tz_sources *opt_sources,
                         tz_sentence *sentence);

#endif
