/* uses.c - the uses of a derivation in order: by weight, then indices.
 *
 * A radix sort, index by index from the last one, and by weight and first index together at the
 * end: comparisons take longer than all the rest of a short derivation.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/trace/uses.h"

/* Turns counts into the positions where each bucket begins. */
static void accumulate(uint32_t *count, size_t buckets) {
    uint32_t sum = 0;
    for (size_t b = 0; b < buckets; b++) {
        uint32_t here = count[b];
        count[b] = sum;
        sum += here;
    }
}

static inline double score_at(const tz_lane_scores *scores, unsigned rank, const int32_t *index) {
    ptrdiff_t offset = 0;
    if (rank > 0)
        offset += (ptrdiff_t)(index[0] - scores->origin[0]) * scores->scores.stride[0];
    if (rank > 1)
        offset += (ptrdiff_t)(index[1] - scores->origin[1]) * scores->scores.stride[1];
    for (unsigned q = 2; q < rank; q++)
        offset += (ptrdiff_t)(index[q] - scores->origin[q]) * scores->scores.stride[q];
    return scores->scores.type == TZ_FLOAT ? (double)((const float *)scores->scores.data)[offset]
                                           : ((const double *)scores->scores.data)[offset];
}

tz_status tz_sort_uses(const tz_chart *chart, size_t lane, const tz_traced *found,
                       tz_buffer *sorting, tz_buffer *ret_sorted, tz_buffer *ret_by_node) {
    const tz_rules *rules = chart->plan->rules;
    const tz_use *use = found->use->data;
    const size_t count = found->uses;
    const tz_lane_scores *scores = tz_lane_weight(chart, lane, 0);
    size_t buckets[TZ_MAX_RANK] = {0}, most = 1;
    int32_t low[TZ_MAX_RANK] = {0};
    unsigned ranks = 1;
    for (unsigned w = 0; w < rules->weights; w++) {
        unsigned rank = rules->weight[w].rank;
        ranks = rank > ranks ? rank : ranks;
        buckets[0] += rank > 0 ? (size_t)scores[w].extent[0] : 1;
        for (unsigned q = 1; q < rank; q++) {
            int32_t end = scores[w].origin[q] + scores[w].extent[q];
            low[q] = scores[w].origin[q] < low[q] ? scores[w].origin[q] : low[q];
            buckets[q] = end > 0 && (size_t)end > buckets[q] ? (size_t)end : buckets[q];
        }
    }
    for (unsigned q = 0; q < ranks; q++) {
        buckets[q] += q > 0 ? 1 + (size_t)-low[q] : 0; /* where a rank is less, the index is 0 */
        most = buckets[q] > most ? buckets[q] : most;
    }
    if (count > UINT32_MAX)
        return TZ_TOO_LARGE;
    size_t words = rules->weights + most;
    if (__builtin_add_overflow(words, 2 * count, &words))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_grow(ret_sorted, count + 1, sizeof *use);
    if (status == TZ_OK)
        status = tz_buffer_grow(sorting, words, sizeof(uint32_t));
    if (status == TZ_OK)
        status = tz_buffer_grow(ret_by_node, count + 1, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;

    uint32_t *order = sorting->data, *next = order + count;
    uint32_t *first = next + count, *bucket = first + rules->weights;
    bool ordered = false; /* else the order is that of the list */
    for (unsigned q = ranks - 1; q > 0; q--) {
        memset(bucket, 0, buckets[q] * sizeof *bucket);
        for (size_t u = 0; u < count; u++)
            bucket[use[u].index[q] - low[q]]++;
        accumulate(bucket, buckets[q]);
        for (size_t u = 0; u < count; u++) {
            uint32_t at = ordered ? order[u] : (uint32_t)u;
            next[bucket[use[at].index[q] - low[q]]++] = at;
        }
        uint32_t *swap = order;
        order = next;
        next = swap;
        ordered = true;
    }
    uint32_t before = 0;
    for (unsigned w = 0; w < rules->weights; w++) {
        bool any = rules->weight[w].rank > 0;
        first[w] = before - (any ? (uint32_t)scores[w].origin[0] : 0);
        before += any ? (uint32_t)scores[w].extent[0] : 1;
    }
    memset(bucket, 0, buckets[0] * sizeof *bucket);
    for (size_t u = 0; u < count; u++)
        bucket[first[use[u].weight] + (uint32_t)use[u].index[0]]++;
    accumulate(bucket, buckets[0]);
    tz_use *sorted = ret_sorted->data;
    uint32_t *number = ret_by_node->data;
    for (size_t u = 0; u < count; u++) {
        const size_t at = ordered ? order[u] : u;
        const tz_use *from = &use[at];
        const tz_weight *weight = &rules->weight[from->weight];
        const uint32_t place = bucket[first[from->weight] + (uint32_t)from->index[0]]++;
        tz_use *to = &sorted[place];
        number[at] = place;
        *to = *from;
        if (!weight->sparse)
            to->score = score_at(&scores[from->weight], weight->rank, from->index);
    }
    return chart->plan->late != NULL ? tz_order_by_node(chart->plan, found, sorting, number)
                                     : TZ_OK;
}

void tz_score_uses(const tz_chart *chart, size_t lane, tz_use *use, size_t count) {
    const tz_rules *rules = chart->plan->rules;
    const tz_lane_scores *scores = tz_lane_weight(chart, lane, 0);
    for (size_t u = 0; u < count; u++) {
        const tz_weight *weight = &rules->weight[use[u].weight];
        if (!weight->sparse)
            use[u].score = score_at(&scores[use[u].weight], weight->rank, use[u].index);
    }
}
