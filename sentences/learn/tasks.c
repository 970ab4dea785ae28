/* tasks.c - which tasks there are. SPDX-License-Identifier: MIT */
#include <string.h>

#include "sentences/learn/task.h"

const tz_task *tz_task_find(const char *name) {
    static const tz_task *const tasks[] = {
        &tz_tagger,   &tz_fine_tagger, &tz_joint_tagger,      &tz_parser,
        &tz_labeller, &tz_compressor,  &tz_sentence_splitter, &tz_word_tokeniser};
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++)
        if (strcmp(tasks[t]->name, name) == 0)
            return tasks[t];
    return NULL;
}
