/* counts.c - see counts.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/counts.h"

#include <stdlib.h>

#include "base/grow.h"
#include "ranks/ranks.h"

void tz_deletion_counts_free(tz_deletion_counts *counts) {
    tz_numbers_free(&counts->contexts);
    free(counts->count);
    counts->count = NULL;
    counts->capacity = 0;
}

/* So often dropped and kept. */
static tz_status add_context(tz_deletion_counts *counts, uint64_t context, const uint32_t *more) {
    uint32_t number;
    size_t known = counts->contexts.count;
    tz_status status = tz_numbers_add(&counts->contexts, context, &number);
    if (status != TZ_OK)
        return status;
    if (!TZ_GROW(counts->count, &counts->capacity, counts->contexts.count))
        return TZ_NO_MEMORY;
    uint32_t *two = counts->count[number];
    if (number == known)
        two[0] = two[1] = 0;
    if (two[0] > UINT32_MAX - more[0] || two[1] > UINT32_MAX - more[1])
        return TZ_TOO_LARGE;
    two[0] += more[0];
    two[1] += more[1];
    return TZ_OK;
}

static tz_status count_context(tz_deletion_counts *counts, uint64_t context, bool kept) {
    return add_context(counts, context, (const uint32_t[]){!kept, kept});
}

/* What ranks tell each other. */
typedef struct told {
    uint64_t context;
    uint32_t count[2];
} told;

tz_status tz_deletion_counts_all(tz_deletion_counts *counts, tz_error *opt_error) {
    size_t count = counts->contexts.count;
    uint64_t sums[] = {counts->rules, counts->decisions};
    tz_gathered all = {0};
    if (tz_ranks() == 1)
        return TZ_OK;
    told *mine = malloc((count + 1) * sizeof *mine);
    if (!mine)
        return TZ_NO_MEMORY;
    for (size_t c = 0; c < count; c++)
        mine[c] = (told){counts->contexts.value[c], {counts->count[c][0], counts->count[c][1]}};
    tz_status status = tz_ranks_gather(mine, count * sizeof *mine, &all, opt_error);
    if (status == TZ_OK)
        status = tz_ranks_add(sums, 2, opt_error);
    free(mine);
    tz_deletion_counts_free(counts);
    for (size_t at = 0; status == TZ_OK && at < all.at[tz_ranks()]; at += sizeof(told)) {
        const told *from = (const void *)(all.data + at);
        status = add_context(counts, from->context, from->count);
    }
    counts->rules = (size_t)sums[0];
    counts->decisions = (size_t)sums[1];
    tz_gathered_free(&all);
    return status;
}

static tz_status count_decision(tz_deletion_counts *counts, const tz_outward *tree,
                                const tz_decision *decision, bool kept) {
    uint64_t context[TZ_CHAIN];
    size_t length = tz_chain(&counts->sight, tree, decision, context);
    tz_status status = TZ_OK;
    for (size_t c = 0; c < length && status == TZ_OK; c++)
        status = count_context(counts, context[c], kept);
    counts->decisions += status == TZ_OK;
    return status;
}

static tz_status count_own(tz_deletion_counts *counts, const tz_outward *tree, uint32_t node) {
    bool counted =
        counts->own && tree->node[node].first == TZ_NO_NODE && !tz_outward_is_head(tree, node);
    return counted ? count_decision(counts, tree, &(tz_decision){.node = node, .own = true}, true)
                   : TZ_OK;
}

tz_status tz_deletion_count_rule(tz_deletion_counts *counts, const tz_outward *tree,
                                 uint32_t constituent, const uint8_t *kept) {
    uint32_t child = tree->node[constituent].first;
    tz_decision decision = {.head_kept = child != TZ_NO_NODE && kept[child]};
    tz_status status = TZ_OK;
    counts->rules += child != TZ_NO_NODE;
    for (; child != TZ_NO_NODE && status == TZ_OK; child = tree->node[child].next) {
        decision.node = child;
        if (tree->node[child].inner == TZ_NO_NODE)
            decision.flags = 0;
        status = count_decision(counts, tree, &decision, kept[child]);
        if (status == TZ_OK && kept[child])
            status = count_own(counts, tree, child);
        decision.flags = decision.flags << 1 | kept[child];
    }
    return status;
}

tz_status tz_deletion_count(tz_deletion_counts *counts, tz_arena *arena, const tz_tree *from,
                            const tz_outward *tree, const tz_extracted *extracted) {
    uint8_t *kept = tz_arena_array(arena, tree->nodes, sizeof *kept);
    tz_status status = kept ? count_own(counts, tree, 0) : TZ_NO_MEMORY;
    for (uint32_t x = 0; x < from->nodes && status == TZ_OK; x++) {
        if (!extracted->rule[x])
            continue;
        for (uint32_t c = from->node[x].first; c != TZ_NO_NODE; c = from->node[c].next)
            kept[tree->number[c]] = extracted->kept[c];
        status = tz_deletion_count_rule(counts, tree, tree->number[x], kept);
    }
    return status;
}
