/* neural.h - a neural encoder of sentences, and its scores of cells. For the compressor's rules:
 * scores of arcs and bigrams, to be added to those of the linear model. For the parser's rules:
 * scores of arcs and of their labels; the encoder then looks at the tree found without it.
 *
 * Trained by python/neural. README.md has the formulas. It is a section of a pack (pack.h),
 * `neural` or `neural-parser`, made of (all numbers little-endian):
 *   8 bytes   "TZNEURAL"
 *   u32       version, TZ_NEURAL_VERSION
 *   u32       sizes: those of tz_neural_size, in that order
 *   f32 how scores are combined with a linear model's: tz_neural_mix, in that order
 *   u32       of each vocabulary (words, XPOS, UPOS, relations) the hashes, ascending; those of the
 *             labels, too
 *   tables    of the vectors: words, parts of words, XPOS, UPOS, relations, depths, sizes
 *   layers    in the order of struct tz_neural: of each the bias, f32, then its table; after those
 *             of arcs those of labels, which are the parser's, or those of bigrams; with these
 *   f32       the scores of counts: TZ_NEURAL_COUNTS
 *   u32       CRC-32 of all before
 * A table is its rows: f32 the row's unit, then its numbers, a byte each, in that unit. A row of a
 * layer's table is what one output takes of all inputs. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_NEURAL_NEURAL_H
#define TZ_SENTENCES_NEURAL_NEURAL_H

#include <stdbool.h>
#include <stdint.h>

#include "sentences/features/outline/outline.h"
#include "sentences/neural/matrix.h"

enum {
    TZ_NEURAL_VERSION = 3,
    TZ_NEURAL_RELATIONS = 8, /* relations of two words: tz_relation */
    TZ_NEURAL_FAR = 9,       /* bins of the distance of a head, on either side */
    TZ_NEURAL_KINDS = TZ_NEURAL_RELATIONS + 2 * TZ_NEURAL_FAR, /* of arcs */
    TZ_NEURAL_GAPS = 9, /* bins of the number of words dropped between two */
    TZ_NEURAL_TOPS = 4, /* 0, 1, 2, 3 or more subtrees dropped between them */
    TZ_NEURAL_COUNTS = TZ_NEURAL_GAPS + 2 * TZ_NEURAL_TOPS,
    TZ_NEURAL_BINS = 9,
    TZ_NEURAL_WIDTH = 1024, /* the greatest width */
    TZ_NEURAL_ROWS = 1 << 20,
    TZ_NEURAL_WORDS = 1 << 13 /* of a sentence */
};

typedef enum tz_vocabulary {
    TZ_VOCABULARY_WORD,
    TZ_VOCABULARY_XPOS,
    TZ_VOCABULARY_UPOS,
    TZ_VOCABULARY_RELATION,
    TZ_VOCABULARIES
} tz_vocabulary;

typedef struct tz_neural_size {
    uint32_t hashes[TZ_VOCABULARIES]; /* of each vocabulary */
    uint32_t width[TZ_VOCABULARIES];  /* of its vectors */
    uint32_t bins;                    /* the width of those of depths and sizes of subtrees */
    uint32_t buckets;                 /* of parts of words */
    uint32_t mixed, scan, state;      /* of a word's numbers, layer by layer */
    uint32_t arc, bigram;             /* of the inner products; bigram 0: a parser's */
    uint32_t label, labels;           /* of what labels are told by; how many: a parser's, else 0 */
} tz_neural_size;

/* How a compressor's scores, natural logs, are combined with a linear model's. The numbers are
 * chosen on sentences outside the training set. */
typedef struct tz_neural_mix {
    float weight;    /* scores are multiplied by this times the linear model's greatest weight */
    float bonus;     /* then added for every kept word, in units of that weight */
    float scale;     /* for probabilities, the sum is multiplied by this / that weight */
    float threshold; /* for minimum risk */
} tz_neural_mix;

/* Rows of bytes. */
typedef struct tz_vectors {
    size_t width;
    const float *unit;
    const signed char *number;
} tz_vectors;

typedef struct tz_neural {
    tz_neural_size size;
    tz_neural_mix mix;
    uint32_t *hash[TZ_VOCABULARIES], *label; /* the labels' */
    tz_vectors word[TZ_VOCABULARIES], part, depth, span;
    tz_layer mixing, gates, joining;             /* from vectors to states */
    tz_layer arc_head, arc_word, arc_more;       /* from states to scores of arcs, */
    tz_layer label_head, label_word, label_out;  /* to labels, */
    tz_layer left, right, left_more, right_more; /* of bigrams, */
    tz_layer top_more;                           /* of dropped subtrees */
    float count[TZ_NEURAL_COUNTS];
    struct tz_arena *arena;
} tz_neural;

extern const char tz_neural_name[], tz_neural_parser_name[]; /* of the sections */

/* Reads the bytes of a section, called `name` in messages. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_neural_read(const char *name, const void *bytes, size_t size, tz_neural **ret_neural,
                         tz_error *opt_error);
void tz_neural_free(tz_neural *neural);
/* The name of the section that the bytes look like, or NULL. */
const char *tz_neural_section(const void *bytes, size_t size);

/* The scores of a sentence; the memory is reused for the next. Empty when zeroed. */
typedef struct tz_neural_scores {
    size_t words;
    float *arc;    /* [h * (words + 1) + m], 0 <= h, m <= words; 0 where no arc can be */
    float *bigram; /* [i * (words + 2) + j], 0 <= i < j <= words + 1; others are not filled; NULL:
                      none */
    float *label;  /* vectors for tz_neural_label: [(words + 1) * label] of heads, then of words;
                      NULL: no labels */
    float *room;
    size_t capacity;
} tz_neural_scores;

/* Scores a sentence with an outline and at least one word. TZ_NO_MEMORY, TZ_TOO_LARGE. Cost:
 * O(n^3), of which most is counted in machine words; memory O(n^2). */
tz_status tz_neural_score(const tz_neural *neural, const tz_sentence *sentence,
                          tz_neural_scores *scores);
void tz_neural_scores_free(tz_neural_scores *scores);
/* The likeliest label of each word, 0 <= ret[1..words] < labels, given the words' heads and the
 * scores' `label`; of equal ones the first. */
void tz_neural_label(const tz_neural *neural, const float *label, size_t words, const int32_t *head,
                     int32_t *ret);

/* How many of the ascending bounds are below a number. */
static inline size_t tz_neural_bin(int32_t number, const int32_t *bound, size_t bounds) {
    size_t bin = 0;
    for (size_t b = 0; b < bounds; b++)
        bin += number > bound[b];
    return bin;
}

/* The encoder (encode.c): fills in z[(words + 2) * tz_lanes(state)], from which a position's states
 * are made. room: tz_neural_encode_room floats. */
size_t tz_neural_encode_room(const tz_neural *neural, size_t words);
void tz_neural_encode(const tz_neural *neural, const tz_sentence *sentence, float *room, float *z);

#endif
