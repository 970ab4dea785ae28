/* name.c - uses as the caller knows them: of a view's cell, the cell that it looks up.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "engine/ask/trace/name.h"
#include "engine/layout/views.h"

/* A use, and where it was looked up. */
typedef struct named {
    tz_use use;
    tz_position position;
    size_t was; /* its number before */
} named;

static int compare_numbers(const int32_t *a, const int32_t *b) {
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (a[q] != b[q])
            return a[q] < b[q] ? -1 : 1;
    return 0;
}

/* Uses of one cell have different scores where these are marginals (tz_bind_risk). */
static int compare(const void *a, const void *b) {
    const named *x = a, *y = b;
    if (x->use.weight != y->use.weight)
        return x->use.weight < y->use.weight ? -1 : 1;
    int order = compare_numbers(x->use.index, y->use.index);
    if (order == 0)
        order = (x->use.score > y->use.score) - (x->use.score < y->use.score);
    return order != 0 ? order : compare_numbers(x->position.at, y->position.at);
}

/* Where a view's cell is looked up. */
static void place(const tz_rules *rules, const int32_t *length, const tz_weight *view,
                  const int64_t *index, tz_position *ret) {
    for (unsigned q = 0; q < view->views; q++) {
        const unsigned rank = view->view[q].looked_up ? rules->input[view->view[q].input].rank : 0;
        for (unsigned f = 0; f < rank && ret->count < TZ_MAX_RANK; f++)
            ret->at[ret->count++] = (int32_t)tz_form_value(&view->view[q].at[f], rules->lengths,
                                                           length, view->rank, index);
    }
}

tz_status tz_name_uses(const tz_chart *chart, size_t lane, tz_derivation *derivation, tz_use *use,
                       uint32_t *by_node, tz_buffer *room) {
    const size_t count = derivation->uses;
    const tz_rules *rules = chart->plan->rules;
    const int32_t *length = tz_lane_length(chart, lane);
    tz_view_map map = {.weight = NULL};
    derivation->position = NULL;
    if (rules->declareds == 0)
        return TZ_OK;
    tz_status status = tz_buffer_grow(room, count + 1, sizeof(named) + sizeof *by_node);
    named *to = room->data;
    for (size_t u = 0; u < count && status == TZ_OK; u++, to++) {
        const tz_weight *weight = &rules->weight[use[u].weight];
        int64_t index[TZ_MAX_RANK] = {0};
        *to = (named){.use = {.weight = weight->declared, .score = use[u].score}, .was = u};
        for (unsigned q = 0; q < weight->rank; q++) {
            index[q] = use[u].index[q];
            to->use.index[q] = weight->view == NULL ? use[u].index[q] : 0;
        }
        if (weight->view == NULL)
            continue;
        if (map.weight != weight) /* those of a weight stand together */
            status = tz_view_map_make(rules, weight, length, tz_lane_numbers(chart, lane), NULL,
                                      NULL, 0, &map);
        if (status == TZ_OK)
            tz_view_cell(&map, index, to->use.index);
        place(rules, length, weight, index, &to->position);
    }
    if (status != TZ_OK)
        return status;
    to = room->data;
    if (count > 0)
        qsort(to, count, sizeof *to, compare);
    uint32_t *is = (uint32_t *)(void *)(to + count); /* the number of each now */
    for (size_t u = 0; u < count; u++)
        is[to[u].was] = (uint32_t)u;
    for (size_t u = 0; u < count; u++)
        by_node[u] = is[by_node[u]];
    tz_position *position = room->data; /* in place: each ends before the use that is read next */
    for (size_t u = 0; u < count; u++) {
        const named one = to[u];
        use[u] = one.use;
        position[u] = one.position;
    }
    derivation->position = position;
    return TZ_OK;
}

tz_status tz_name_cells(const tz_chart *chart, size_t lane, const tz_use *use, size_t count,
                        tz_buffer *room, const tz_use **ret_named) {
    const tz_rules *rules = chart->plan->rules;
    *ret_named = use;
    if (rules->declareds == 0)
        return TZ_OK;
    tz_status status = tz_buffer_reserve(room, count + 1, sizeof *use);
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        const tz_weight *weight = &rules->weight[w];
        tz_use *to = room->data;
        tz_view_map map;
        if (weight->view != NULL)
            status = tz_view_map_make(rules, weight, tz_lane_length(chart, lane),
                                      tz_lane_numbers(chart, lane), NULL, NULL, 0, &map);
        for (size_t u = 0; u < count && status == TZ_OK; u++) {
            int64_t index[TZ_MAX_RANK];
            if (use[u].weight != w)
                continue;
            to[u] = use[u];
            to[u].weight = weight->declared;
            for (unsigned q = 0; q < TZ_MAX_RANK && weight->view != NULL; q++) {
                index[q] = use[u].index[q];
                to[u].index[q] = 0;
            }
            if (weight->view != NULL)
                tz_view_cell(&map, index, to[u].index);
        }
    }
    *ret_named = room->data;
    return status;
}
