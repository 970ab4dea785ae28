/* parts.h - the parts of the mixture R(x | y), by which an abstract phrase x is made from a
 * document phrase y.
 *
 *   id     1 if x is y
 *   stem   1 / Z if word after word has the same stem; Z: how many phrases over the vocabulary have
 *          these stems
 *   t      the table of phrase pairs that is learned
 *   wn by their distance in WordNet (near.h)
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_MODEL_PARTS_H
#define TZ_SENTENCES_ALIGN_MODEL_PARTS_H

#include "sentences/align/model/phrases.h"

enum { TZ_PART_SAME, TZ_PART_STEM, TZ_PART_TABLE, TZ_PART_NEAR, TZ_PARTS };

struct tz_aligner;

/* A document phrase y and an abstract phrase x, looked up. */
typedef struct tz_rewrite {
    bool same, stem;            /* the same words, the same stems */
    bool words;                 /* both are single words */
    uint32_t row, column, cell; /* numbers; TZ_NO_NUMBER: not seen in training */
    double alike;               /* how many phrases over the vocabulary have y's stems */
    double near;                /* wn(x | y); 0: no common ancestor, or not known */
} tz_rewrite;

/* The part's key in JSON: "id", "stem", ... */
const char *tz_part_name(size_t part);

/* R(x | y), the sum of the parts' contributions ret_part. Constant time. */
double tz_parts_value(const struct tz_aligner *aligner, const tz_rewrite *rewrite,
                      double ret_part[TZ_PARTS]);

#endif
