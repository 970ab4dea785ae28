/* features_compress.h - features for compressing a sentence. All see the sentence's outline.
 *
 * After Thadani & McKeown 2013 (Sentence compression with joint structural inference, CoNLL) and
 * Thadani 2014 (Approximation strategies for multi-structure sentence compression, ACL), whose
 * families these are, but for those of dropped words. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_COMPRESS_H
#define TZ_SENTENCES_FEATURES_TEMPLATES_FEATURES_COMPRESS_H

#include "sentences/features/outline/outline.h"
#include "sentences/features/templates/template.h"

/* Template numbers start there, so that features of different tables differ. */
enum {
    TZ_COMPRESS_KEEP = 0xff,
    TZ_COMPRESS_WORD = 0x100,
    TZ_COMPRESS_ARC = 0x200,
    TZ_COMPRESS_SIBLING = 0x300,
    TZ_COMPRESS_BIGRAM = 0x400,
    TZ_COMPRESS_GAP = 0x500,
    TZ_COMPRESS_TOP = 0x600
};

/* index: m. The word is kept. */
void tz_features_compress_word(const tz_sentence *sentence, const int32_t *index,
                               tz_features *features);
uint64_t tz_templates_compress_word(void);

/* The feature that every kept word has. */
uint64_t tz_compress_keep(void);

/* index: h, m. m modifies h in the compression. */
void tz_features_compress_arc(const tz_sentence *sentence, const int32_t *index,
                              tz_features *features);
uint64_t tz_templates_compress_arc(void);

/* index: h, s, m. m modifies h next after s; s = h: first on its side. */
void tz_features_compress_sibling(const tz_sentence *sentence, const int32_t *index,
                                  tz_features *features);
uint64_t tz_templates_compress_sibling(void);

/* index: i, j. j is the kept word next after i, and all words between them are dropped. */
void tz_features_compress_bigram(const tz_sentence *sentence, const int32_t *index,
                                 tz_features *features);
uint64_t tz_templates_compress_bigram(void);

/* Is the family left out, or the model missing that it looks into? */
static inline bool tz_without(const tz_outline *outline, tz_family family) {
    return (outline->without >> family & 1) || (family == TZ_FAMILY_GRAMMAR && !outline->grammar) ||
           (family == TZ_FAMILY_LM && !outline->bigram);
}

/* The bin, from 1, of a count or distance. */
static inline uint64_t tz_count_bin(int32_t count) {
    static const int32_t bound[] = {0, 1, 2, 3, 5, 8, 12, 20};
    uint64_t bin = 1;
    for (size_t b = 0; b < sizeof bound / sizeof *bound && count > bound[b]; b++)
        bin++;
    return bin;
}

/* Templates of a family; TZ_FAMILIES: they are never left out. Their numbers begin at `number`; 0:
 * after those of the previous row. */
typedef struct tz_family_templates {
    tz_family family;
    uint64_t number;
    const tz_template *template;
    size_t templates;
} tz_family_templates;
#define TZ_TABLE(table) table, sizeof table / sizeof *table

/* Adds the features of all families that are not left out. */
void tz_families_add(tz_features *features, const tz_outline *outline,
                     const tz_family_templates *family, size_t families, const uint64_t *atom);
/* The hash of all templates. */
uint64_t tz_families_hash(const tz_family_templates *family, size_t families);

#endif
