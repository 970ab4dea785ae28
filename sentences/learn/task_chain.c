/* task_chain.c - one label per word: rule set chain. SPDX-License-Identifier: MIT */
#include "sentences/features/templates/features_character.h"
#include "sentences/features/templates/features_label.h"
#include "sentences/features/templates/features_split.h"
#include "sentences/features/templates/features_tag.h"
#include "sentences/learn/task.h"

enum { START, TRANS, EMIT }; /* weights of rules/chain.rules */

static void lengths(const tz_sentence *sentence, size_t count, int32_t *ret_lengths) {
    ret_lengths[0] = sentence->words;
    ret_lengths[1] = (int32_t)count;
}

static size_t cells(const tz_sentence *sentence, const int32_t *answer, tz_cell *ret_cells) {
    size_t count = 0;
    for (int32_t i = 1; i <= sentence->words; i++) {
        ret_cells[count++] = (tz_cell){EMIT, {i, answer[i]}};
        ret_cells[count++] =
            i == 1 ? (tz_cell){START, {answer[i]}} : (tz_cell){TRANS, {answer[i - 1], answer[i]}};
    }
    return count;
}

static void answer(const tz_derivation *derivation, int32_t *ret_answer) {
    for (size_t u = 0; u < derivation->uses; u++) {
        const tz_use *use = &derivation->use[u];
        if (use->weight == EMIT)
            ret_answer[use->index[0]] = use->index[1];
    }
}

static const tz_part tag_parts[] = {
    {"start", 0, {0}, NULL, tz_features_first, tz_templates_after},
    {"trans", 1, {0}, NULL, tz_features_after, tz_templates_after},
    {"emit", 1, {0}, &tz_tag_set, NULL, NULL},
    {0},
};

static const tz_part joint_parts[] = {
    {"start", 0, {0}, NULL, tz_features_first, tz_templates_after},
    {"trans", 1, {0}, NULL, tz_features_after, tz_templates_after},
    {"emit", 1, {0}, &tz_joint_tag_set, NULL, NULL},
    {0},
};

static const tz_part label_parts[] = {
    {"start", 0, {0}, NULL, tz_features_first, tz_templates_after},
    {"trans", 1, {0}, NULL, tz_features_after, tz_templates_after},
    {"emit", 1, {0}, &tz_label_set, tz_features_children, tz_templates_children},
    {0},
};

static const tz_part split_parts[] = {
    {"start", 0, {0}, NULL, tz_features_first, tz_templates_after},
    {"trans", 1, {0}, NULL, tz_features_after, tz_templates_after},
    {"emit", 1, {0}, &tz_split_set, NULL, NULL},
    {0},
};

static const tz_part character_parts[] = {
    {"start", 0, {0}, NULL, tz_features_first, tz_templates_after},
    {"trans", 1, {0}, NULL, tz_features_after, tz_templates_after},
    {"emit", 1, {0}, &tz_character_set, NULL, NULL},
    {0},
};

static const tz_variant tokenising[] = {
    {.rules = "chain", .part = character_parts, .cells = cells, .answer = answer},
    {0},
};

static const tz_variant splitting[] = {
    {.rules = "chain", .part = split_parts, .cells = cells, .answer = answer},
    {0},
};

static const tz_variant tagging[] = {
    {.rules = "chain", .part = tag_parts, .cells = cells, .answer = answer},
    {0},
};

static const tz_variant joint_tagging[] = {
    {.rules = "chain", .part = joint_parts, .cells = cells, .answer = answer},
    {0},
};

static const tz_variant labelling[] = {
    {.rules = "chain", .part = label_parts, .cells = cells, .answer = answer},
    {0},
};

static const int32_t *tags(const tz_sentence *sentence) {
    return sentence->tag;
}

static const int32_t *fine_tags(const tz_sentence *sentence) {
    return sentence->fine;
}

static const int32_t *labels(const tz_sentence *sentence) {
    return sentence->label;
}

const tz_task tz_tagger = {
    .name = "tagger",
    .variant = tagging,
    .measure = "UPOS accuracy",
    .column = TZ_UPOS,
    .labelled = true,
    .lengths = lengths,
    .gold = tags,
};

const tz_task tz_fine_tagger = {
    .name = "fine-tagger",
    .variant = tagging,
    .measure = "XPOS accuracy",
    .column = TZ_XPOS,
    .labelled = true,
    .lengths = lengths,
    .gold = fine_tags,
};

const tz_task tz_joint_tagger = {
    .name = "joint-tagger",
    .variant = joint_tagging,
    .measure = "both tags right",
    .column = TZ_UPOS,
    .needs = 1u << TZ_XPOS,
    .labelled = true,
    .lengths = lengths,
    .gold = tags,
};

const tz_task tz_sentence_splitter = {
    .name = "splitter",
    .variant = splitting,
    .measure = "words that end or do not end a sentence",
    .column = TZ_XPOS,
    .labelled = true,
    .lengths = lengths,
    .gold = fine_tags,
};

const tz_task tz_word_tokeniser = {
    .name = "tokeniser",
    .variant = tokenising,
    .measure = "characters that end or do not end a word",
    .column = TZ_XPOS,
    .labelled = true,
    .lengths = lengths,
    .gold = fine_tags,
};

const tz_task tz_labeller = {
    .name = "labeller",
    .variant = labelling,
    .measure = "label accuracy",
    .column = TZ_DEPREL,
    .needs = 1u << TZ_HEAD,
    .labelled = true,
    .lengths = lengths,
    .gold = labels,
};
