/* entries.c - see entries.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/entries.h"

static const unsigned rank[TZ_DELETE_BIGRAM] = {2, 3, 4, 4, 2, 2};

bool tz_entries_new(tz_arena *arena, size_t nodes, size_t states, tz_entries *ret) {
    *ret = (tz_entries){0};
    for (int w = 0; w < TZ_DELETE_BIGRAM; w++) {
        size_t most = w == TZ_DELETE_WORD ? nodes : nodes * states;
        ret->weight[w].index = tz_arena_array(arena, most * rank[w], sizeof *ret->weight[w].index);
        ret->weight[w].score = tz_arena_array(arena, most, sizeof *ret->weight[w].score);
        if (!ret->weight[w].index || !ret->weight[w].score)
            return false;
    }
    return true;
}

void tz_entries_add(tz_entries *entries, int weight, uint32_t x, uint32_t y, unsigned q, unsigned r,
                    double score) {
    size_t at = entries->weight[weight].count++;
    int32_t *to = entries->weight[weight].index + rank[weight] * at;
    to[0] = (int32_t)x + 1;
    if (weight == TZ_DELETE_KEEP_LAST || weight == TZ_DELETE_DROP_LAST) {
        to[1] = (int32_t)q;
    } else {
        to[1] = (int32_t)y + 1;
        for (unsigned i = 2; i < rank[weight]; i++)
            to[i] = (int32_t)(i == 2 ? q : r);
    }
    entries->weight[weight].score[at] = score;
}

void tz_entries_scores(const tz_entries *entries, tz_scores *ret_scores) {
    for (int w = 0; w < TZ_DELETE_BIGRAM; w++) {
        ret_scores[w] = tz_scores_sparse(entries->weight[w].index, entries->weight[w].score,
                                         entries->weight[w].count);
    }
}
