/* record.h - every answer that a chart gives for one problem, as bytes: equal bytes, equal bits.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RECORD_H
#define TZ_TESTS_SUPPORT_RECORD_H

#include <stdlib.h>
#include <string.h>

#include <trapeze/trapeze.h>

typedef struct record {
    unsigned char *data;
    size_t size, room;
} record;

static inline tz_status record_bytes(record *r, const void *bytes, size_t size) {
    if (r->size + size > r->room) {
        r->room = 2 * (r->size + size);
        unsigned char *data = realloc(r->data, r->room);
        if (data == NULL)
            return TZ_NO_MEMORY;
        r->data = data;
    }
    if (size > 0)
        memcpy(r->data + r->size, bytes, size);
    r->size += size;
    return TZ_OK;
}

static inline tz_status record_best(record *r, tz_chart *chart, size_t lane) {
    const tz_derivation *best;
    tz_status status = tz_best(chart, lane, TZ_GOAL, NULL, &best);
    record_bytes(r, &status, sizeof status);
    if (status != TZ_OK)
        return status == TZ_NONE || status == TZ_LAW ? TZ_OK : status;
    record_bytes(r, &best->score, sizeof best->score);
    for (size_t u = 0; u < best->uses; u++) {
        record_bytes(r, &best->use[u].weight, sizeof best->use[u].weight);
        record_bytes(r, best->use[u].index, sizeof best->use[u].index);
        record_bytes(r, &best->use[u].score, sizeof best->use[u].score);
    }
    for (size_t n = 0; n < best->nodes; n++)
        record_bytes(r, &best->node[n], sizeof best->node[n]);
    return TZ_OK;
}

/* Appends value, best derivation, marginals and values through cells, after tz_outside; also how
 * each call ended. cells: of each weight's shape, or its entries. */
static inline tz_status record_answers(record *r, tz_chart *chart, size_t lane, size_t weights,
                                       const tz_shape *shape, const size_t *cells) {
    double value;
    tz_status status = tz_goal(chart, lane, &value);
    if (status == TZ_OK)
        status = record_bytes(r, &value, sizeof value);
    if (status == TZ_OK)
        status = record_best(r, chart, lane);
    for (size_t w = 0; w < weights && status == TZ_OK; w++) {
        double *cell = calloc(cells[w] + 1, sizeof *cell);
        if (cell == NULL)
            return TZ_NO_MEMORY;
        tz_output output =
            shape[w].sparse ? (tz_output){cell, {1}} : tz_output_dense(&shape[w], cell);
        tz_status marginals = tz_marginals(chart, lane, w, &output);
        record_bytes(r, &marginals, sizeof marginals);
        record_bytes(r, cell, cells[w] * sizeof *cell);
        tz_status through = tz_through(chart, lane, w, &output);
        record_bytes(r, &through, sizeof through);
        status = record_bytes(r, cell, cells[w] * sizeof *cell);
        free(cell);
    }
    return status;
}

#endif
