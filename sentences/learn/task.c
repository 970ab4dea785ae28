/* task.c - see task.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/task.h"

#include <string.h>

const tz_task *tz_task_find(const char *name) {
    static const tz_task *const tasks[] = {&tz_tagger, &tz_fine_tagger, &tz_parser, &tz_labeller,
                                           &tz_compressor};
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++)
        if (strcmp(tasks[t]->name, name) == 0)
            return tasks[t];
    return NULL;
}

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
