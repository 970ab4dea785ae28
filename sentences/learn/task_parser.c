/* task_parser.c - a head for every word: rule sets eisner and sibling.
 *
 * SPDX-License-Identifier: MIT */
#include "sentences/features/sentence/projective.h"
#include "sentences/features/templates/features_arc.h"
#include "sentences/features/templates/features_sibling.h"
#include "sentences/learn/task.h"

static const int32_t *heads(const tz_sentence *sentence) {
    return sentence->head;
}

static size_t arcs(const tz_sentence *sentence, const int32_t *answer, tz_cell *ret_cells) {
    for (int32_t m = 1; m <= sentence->words; m++)
        ret_cells[m - 1] = (tz_cell){0, {answer[m], m}};
    return (size_t)sentence->words;
}

static void heads_of_arcs(const tz_derivation *derivation, int32_t *ret_answer) {
    for (size_t u = 0; u < derivation->uses; u++) {
        const int32_t *index = derivation->use[u].index; /* h, m */
        ret_answer[index[1]] = index[0];
    }
}

static size_t siblings(const tz_sentence *sentence, const int32_t *answer, tz_cell *ret_cells) {
    for (int32_t m = 1; m <= sentence->words; m++)
        ret_cells[m - 1] = (tz_cell){0, {answer[m], tz_earlier_sibling(answer, m), m}};
    return (size_t)sentence->words;
}

static void heads_of_siblings(const tz_derivation *derivation, int32_t *ret_answer) {
    for (size_t u = 0; u < derivation->uses; u++) {
        const int32_t *index = derivation->use[u].index; /* h, s, m */
        ret_answer[index[2]] = index[0];
    }
}

static const tz_part first_order[] = {
    {"arc", 2, {0, 1}, &tz_arc_set, tz_features_between, tz_templates_between},
    {0},
};

static const tz_part second_order[] = {
    {"sib", 2, {0, 2}, &tz_arc_set, tz_features_between, tz_templates_between},
    {"sib", 3, {0, 1, 2}, &tz_sibling_set, NULL, NULL},
    {0},
};

static const tz_variant variants[] = {
    {"eisner", first_order, arcs, heads_of_arcs},
    {"eisner-single-root", first_order, arcs, heads_of_arcs},
    {"sibling", second_order, siblings, heads_of_siblings},
    {"sibling-single-root", second_order, siblings, heads_of_siblings},
    {0},
};

const tz_task tz_parser = {
    .name = "parser",
    .variant = variants,
    .measure = "UAS",
    .column = TZ_HEAD,
    .labelled = false,
    .lengths = tz_lengths_words,
    .gold = heads,
};
