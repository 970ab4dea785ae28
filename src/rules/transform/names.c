/* names.c - see names.h. SPDX-License-Identifier: MIT */
#include "rules/transform/names.h"

#include <string.h>

bool tz_name_is_taken(const tz_rules *rules, const char *name) {
    bool taken = false;
    for (unsigned l = 0; l < rules->lengths; l++)
        taken |= strcmp(rules->length_name[l], name) == 0;
    for (unsigned i = 0; i < rules->weights; i++)
        taken |= strcmp(rules->weight[i].name, name) == 0;
    for (unsigned i = 0; i < rules->items; i++) {
        taken |= strcmp(rules->item[i].name, name) == 0;
        for (unsigned q = 0; q < rules->item[i].rank; q++)
            taken |= strcmp(rules->item[i].index_name[q], name) == 0;
    }
    unsigned weights;
    const tz_weight *declared = tz_declared_weights(rules, &weights);
    for (unsigned i = 0; i < weights; i++)
        for (unsigned q = 0; q < declared[i].rank; q++)
            taken |= strcmp(declared[i].index_name[q], name) == 0;
    for (unsigned i = 0; i < rules->inputs; i++) {
        taken |= strcmp(rules->input[i].name, name) == 0;
        for (unsigned q = 0; q < rules->input[i].rank; q++)
            taken |= strcmp(rules->input[i].index_name[q], name) == 0;
    }
    for (unsigned r = 0; r < rules->resources; r++)
        taken |= strcmp(rules->resource[r].name, name) == 0;
    for (unsigned r = 0; r < rules->relations; r++)
        taken |= strcmp(rules->relation[r].name, name) == 0;
    unsigned count;
    const tz_rule *rule = tz_rules_written(rules, &count);
    for (unsigned r = 0; r < count; r++)
        for (unsigned v = 0; v < rule[r].variables; v++)
            taken |= strcmp(rule[r].variable_name[v], name) == 0;
    return taken;
}
