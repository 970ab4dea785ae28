/* task.c - see task.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/task.h"

#include <string.h>

const tz_variant *tz_task_variant(const tz_task *task, const char *rules) {
    for (const tz_variant *v = task->variant; v->rules; v++)
        if (strcmp(v->rules, rules) == 0)
            return v;
    return NULL;
}

uint64_t tz_variant_templates(const tz_variant *variant) {
    uint64_t hash = 0;
    for (const tz_part *part = variant->part; part->weight; part++) {
        hash = part->set ? tz_hash(hash, tz_template_set_hash(part->set)) : hash;
        hash = part->templates ? tz_hash(hash, part->templates()) : hash;
    }
    return hash;
}

void tz_lengths_words(const tz_sentence *sentence, size_t labels, int32_t *ret_lengths) {
    (void)labels;
    ret_lengths[0] = sentence->words;
}

int tz_cell_compare(const tz_cell *a, const tz_cell *b) {
    int order = (a->weight > b->weight) - (a->weight < b->weight);
    for (unsigned q = 0; q < TZ_MAX_RANK && order == 0; q++)
        order = (a->index[q] > b->index[q]) - (a->index[q] < b->index[q]);
    return order;
}
