/* task.c - the tasks: what their features, cells and answers are. SPDX-License-Identifier: MIT */
#include "learn/task.h"

#include <string.h>

#include "learn/features_arc.h"
#include "learn/features_tag.h"

uint64_t tz_templates_hash(const tz_template *table, size_t count) {
    uint64_t hash = count;
    for (size_t t = 0; t < count; t++) {
        hash = tz_hash(hash, tz_hash_text(table[t].name, strlen(table[t].name)));
    }
    return hash;
}

/* ---- The tagger: rule set chain -------------------------------------------------------------- */

enum { START, TRANS, EMIT }; /* weights of rules/chain.rules */

static void tag_lengths(const tz_sentence *sentence, size_t labels, int32_t *ret_lengths) {
    ret_lengths[0] = sentence->words;
    ret_lengths[1] = (int32_t)labels;
}

static void tag_features(const tz_sentence *sentence, const tz_cell *cell, tz_features *features) {
    if (cell->weight == EMIT) {
        tz_features_tag(sentence, cell->index[0], features);
    } else {
        tz_features_after(cell->weight == START ? -1 : cell->index[0], features);
    }
}

static const int32_t *tag_gold(const tz_sentence *sentence) {
    return sentence->tag;
}

static size_t tag_cells(const tz_sentence *sentence, const int32_t *answer, tz_cell *ret_cells) {
    size_t count = 0;
    for (int32_t i = 1; i <= sentence->words; i++) {
        ret_cells[count++] = (tz_cell){EMIT, {i, answer[i]}};
        ret_cells[count++] =
            i == 1 ? (tz_cell){START, {answer[i]}} : (tz_cell){TRANS, {answer[i - 1], answer[i]}};
    }
    return count;
}

static void tag_answer(const tz_derivation *derivation, int32_t *ret_answer) {
    for (size_t u = 0; u < derivation->uses; u++) {
        const tz_use *use = &derivation->use[u];
        if (use->weight == EMIT) {
            ret_answer[use->index[0]] = use->index[1];
        }
    }
}

static const char *const tag_rules[] = {"chain", NULL};

const tz_task tz_tagger = {
    .name = "tagger",
    .rules = tag_rules,
    .measure = "UPOS accuracy",
    .labelled = true,
    .templates = tz_templates_tag,
    .lengths = tag_lengths,
    .features = tag_features,
    .gold = tag_gold,
    .cells = tag_cells,
    .answer = tag_answer,
};

/* ---- The parser: rule set eisner ------------------------------------------------------------- */

static void arc_lengths(const tz_sentence *sentence, size_t labels, int32_t *ret_lengths) {
    (void)labels;
    ret_lengths[0] = sentence->words;
}

static void arc_features(const tz_sentence *sentence, const tz_cell *cell, tz_features *features) {
    tz_features_arc(sentence, cell->index[0], cell->index[1], features);
}

static const int32_t *arc_gold(const tz_sentence *sentence) {
    return sentence->head;
}

static size_t arc_cells(const tz_sentence *sentence, const int32_t *answer, tz_cell *ret_cells) {
    for (int32_t m = 1; m <= sentence->words; m++) {
        ret_cells[m - 1] = (tz_cell){0, {answer[m], m}};
    }
    return (size_t)sentence->words;
}

static void arc_answer(const tz_derivation *derivation, int32_t *ret_answer) {
    for (size_t u = 0; u < derivation->uses; u++) {
        ret_answer[derivation->use[u].index[1]] = derivation->use[u].index[0];
    }
}

static const char *const arc_rules[] = {"eisner", "eisner-single-root", NULL};

const tz_task tz_parser = {
    .name = "parser",
    .rules = arc_rules,
    .measure = "UAS",
    .labelled = false,
    .templates = tz_templates_arc,
    .lengths = arc_lengths,
    .features = arc_features,
    .gold = arc_gold,
    .cells = arc_cells,
    .answer = arc_answer,
};

const tz_task *tz_task_find(const char *name) {
    static const tz_task *const tasks[] = {&tz_tagger, &tz_parser};
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
        if (strcmp(tasks[t]->name, name) == 0) {
            return tasks[t];
        }
    }
    return NULL;
}
