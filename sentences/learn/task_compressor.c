/* task_compressor.c - the tree of the compressed sentence: rule sets compress and compress-sibling.
 *
 * An answer is a head for every kept word, -1 for a dropped one. SPDX-License-Identifier: MIT */
#include "sentences/features/sentence/kept.h"
#include "sentences/features/sentence/projective.h"
#include "sentences/features/templates/features_compress.h"
#include "sentences/learn/task.h"

static double agreement(const tz_sentence *sentence, const int32_t *answer) {
    tz_overlap overlap = tz_kept_overlap(answer, sentence->compression, sentence->words);
    return tz_overlap_f1(&overlap);
}

enum { ARC, BIGRAM }; /* weights of both rule sets: arc or sib, bigram */

static const int32_t *compression(const tz_sentence *sentence) {
    return sentence->compression;
}

static size_t cells(const tz_sentence *sentence, const int32_t *answer, bool siblings,
                    tz_cell *ret_cells) {
    size_t count = 0;
    int32_t last = 0;
    for (int32_t m = 1; m <= sentence->words; m++) {
        if (answer[m] < 0)
            continue;
        int32_t h = answer[m];
        ret_cells[count++] = siblings ? (tz_cell){ARC, {h, tz_earlier_sibling(answer, m), m}}
                                      : (tz_cell){ARC, {h, m}};
        ret_cells[count++] = (tz_cell){BIGRAM, {last, m}};
        last = m;
    }
    ret_cells[count++] = (tz_cell){BIGRAM, {last, sentence->words + 1}};
    return count;
}

static size_t arc_cells(const tz_sentence *sentence, const int32_t *answer, tz_cell *ret_cells) {
    return cells(sentence, answer, false, ret_cells);
}

static size_t sibling_cells(const tz_sentence *sentence, const int32_t *answer,
                            tz_cell *ret_cells) {
    return cells(sentence, answer, true, ret_cells);
}

static void answer_of(const tz_derivation *derivation, unsigned modifier, int32_t *ret_answer) {
    for (size_t u = 0; u < derivation->uses; u++) {
        const tz_use *use = &derivation->use[u];
        if (use->weight == ARC)
            ret_answer[use->index[modifier]] = use->index[0];
        else
            for (int32_t k = use->index[0] + 1; k < use->index[1]; k++)
                ret_answer[k] = -1;
    }
}

static void answer_of_arcs(const tz_derivation *derivation, int32_t *ret_answer) {
    answer_of(derivation, 1, ret_answer);
}

static void answer_of_siblings(const tz_derivation *derivation, int32_t *ret_answer) {
    answer_of(derivation, 2, ret_answer);
}

static const tz_part first_order[] = {
    {"arc", 1, {1}, NULL, tz_features_compress_word, tz_templates_compress_word},
    {"arc", 2, {0, 1}, NULL, tz_features_compress_arc, tz_templates_compress_arc},
    {"bigram", 2, {0, 1}, NULL, tz_features_compress_bigram, tz_templates_compress_bigram},
    {0},
};

static const tz_part second_order[] = {
    {"sib", 1, {2}, NULL, tz_features_compress_word, tz_templates_compress_word},
    {"sib", 2, {0, 2}, NULL, tz_features_compress_arc, tz_templates_compress_arc},
    {"sib", 3, {0, 1, 2}, NULL, tz_features_compress_sibling, tz_templates_compress_sibling},
    {"bigram", 2, {0, 1}, NULL, tz_features_compress_bigram, tz_templates_compress_bigram},
    {0},
};

static const tz_variant variants[] = {
    {"compress-single-root", first_order, arc_cells, answer_of_arcs},
    {"compress", first_order, arc_cells, answer_of_arcs},
    {"compress-sibling-single-root", second_order, sibling_cells, answer_of_siblings},
    {"compress-sibling", second_order, sibling_cells, answer_of_siblings},
    {0},
};

const tz_task tz_compressor = {
    .name = "compressor",
    .variant = variants,
    .measure = "kept-token F1",
    .column = TZ_MISC,
    .labelled = false,
    .lengths = tz_lengths_words,
    .gold = compression,
    .agreement = agreement,
};
