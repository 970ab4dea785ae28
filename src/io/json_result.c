/* json_result.c - what charts say of a problem, as one line of JSON.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_result.h"
#include "io/json_structures.h"
#include "rules/table.h"

void tz_json_scratch_free(tz_json_scratch *scratch) {
    free(scratch->number);
    free(scratch->open);
    *scratch = (tz_json_scratch){0};
}

/* ---- Value --------------------------------------------------------------------------------- */

/* The largest power of two to which every whole number is an element of its own. */
static double exact(const tz_semiring *semiring) {
    return semiring->size == sizeof(float) ? 16777216.0 : 9007199254740992.0;
}

static void put_value(tz_text *text, const tz_semiring *semiring, double value) {
    tz_json_key(text, "value");
    if (semiring->gives == TZ_GIVES_TRUTH)
        tz_text_put(text, value != 0 ? "true" : "false");
    else
        tz_text_number(text, value);
    if (semiring->gives == TZ_GIVES_NUMBER && value > exact(semiring)) {
        tz_json_key(text, "rounded");
        tz_text_put(text, "true");
    }
}

/* ---- One number for each cell of a weight -------------------------------------------------- */

/* Dimension q and those after it: at most TZ_MAX_RANK deep. */
static const double *put_array(tz_text *text, const int32_t *extent, unsigned rank, unsigned q,
                               const double *number) {
    if (q == rank) {
        tz_text_number(text, *number);
        return number + 1;
    }
    tz_text_put(text, "[");
    for (int32_t i = 0; i < extent[q]; i++) {
        if (i > 0)
            tz_text_put(text, ",");
        number = put_array(text, extent, rank, q + 1, number);
    }
    tz_text_put(text, "]");
    return number;
}

static void put_entries(tz_text *text, const tz_scores *scores, unsigned rank,
                        const double *number) {
    tz_text_put(text, "[");
    for (size_t e = 0; e < scores->entries; e++) {
        tz_text_put(text, e > 0 ? ",[" : "[");
        tz_json_indices(text, scores->index + e * rank, rank);
        tz_text_put(text, rank > 0 ? "," : "");
        tz_text_number(text, number[e]);
        tz_text_put(text, "]");
    }
    tz_text_put(text, "]");
}

typedef tz_status (*cells)(tz_chart *chart, size_t problem, size_t weight, const tz_output *output);

/* {"arc":[[..],..],..} in the shape of the input; `outside` stands where the chart writes none. */
static tz_status put_cells(tz_text *text, tz_json_scratch *scratch, const tz_json_problem *p,
                           const char *key, cells ask, double outside, tz_chart *chart,
                           size_t lane) {
    tz_json_key(text, key);
    tz_text_put(text, "{");
    for (uint16_t w = 0; w < p->rules->weights; w++) {
        const tz_weight *weight = &p->rules->weight[w];
        const tz_scores *scores = &p->scores[w];
        size_t count = weight->sparse ? scores->entries : 1;
        /* The product is that of an array that has been read, so it fits. */
        for (unsigned q = 0; q < weight->rank && !weight->sparse; q++)
            count *= (size_t)p->extent[w][q];

        void *number = scratch->number;
        if (!tz_grow(&number, &scratch->number_capacity, count + 1, sizeof *scratch->number))
            return TZ_NO_MEMORY;
        scratch->number = number;
        for (size_t i = 0; i < count; i++)
            scratch->number[i] = outside;
        tz_output output = {.data = scratch->number};
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            output.stride[q] = scores->stride[q];
        tz_status status = ask(chart, lane, w, &output);
        if (status != TZ_OK)
            return status;

        tz_text_put(text, w > 0 ? ",\"" : "\"");
        tz_text_put(text, weight->name);
        tz_text_put(text, "\":");
        if (weight->sparse)
            put_entries(text, scores, weight->rank, scratch->number);
        else
            put_array(text, p->extent[w], weight->rank, 0, scratch->number);
    }
    tz_text_put(text, "}");
    return TZ_OK;
}

/* ---- Lines --------------------------------------------------------------------------------- */

static void put_id(tz_text *text, const tz_json_problem *p) {
    if (p->id.size > 0) {
        tz_json_key(text, "id");
        tz_text_add(text, p->id.data, p->id.size);
    }
}

static void put_none(tz_text *text, const char *key) {
    tz_json_key(text, key);
    tz_text_put(text, "null");
}

void tz_json_open(tz_text *text, const tz_json_problem *p) {
    tz_text_clear(text);
    put_id(text, p);
    for (uint16_t l = 0; l < p->rules->lengths; l++) {
        tz_json_key(text, p->rules->length_name[l]);
        tz_text_number(text, p->lengths[l]);
    }
    if (p->words.size > 0) {
        tz_json_key(text, "words");
        tz_text_add(text, p->words.data, p->words.size);
    }
}

tz_status tz_json_value(tz_text *text, const tz_semiring *semiring, const tz_chart *chart,
                        size_t lane, bool *ret_none) {
    double value;
    tz_status status = tz_goal(chart, lane, &value);
    if (status != TZ_OK)
        return status;
    put_value(text, semiring, value);
    *ret_none = semiring->gives == TZ_GIVES_SCORE && value == -INFINITY;
    return TZ_OK;
}

tz_status tz_json_asked(tz_text *text, tz_json_scratch *scratch, const tz_json_problem *p,
                        const tz_wanted *wanted, tz_chart *chart, size_t lane, bool none) {
    const tz_derivation *derivation = NULL;
    tz_status status = TZ_OK;
    if (!none && (wanted->best || wanted->derivation))
        status = tz_best(chart, lane, &derivation);
    if (status == TZ_OK && wanted->best) {
        if (none)
            put_none(text, "best");
        else
            tz_json_structure(text, "best", p->rules, derivation);
    }
    if (status == TZ_OK && wanted->marginals) {
        if (none)
            put_none(text, "marginals");
        else
            status = put_cells(text, scratch, p, "marginals", tz_marginals, 0, chart, lane);
    }
    if (status == TZ_OK && wanted->max_marginals) {
        if (none)
            put_none(text, "max_marginals");
        else
            status =
                put_cells(text, scratch, p, "max_marginals", tz_through, -INFINITY, chart, lane);
    }
    if (status == TZ_OK && wanted->derivation) {
        if (none)
            put_none(text, "derivation");
        else
            status = tz_json_tree(text, scratch, p->rules, derivation);
    }
    return status;
}

tz_status tz_json_close(tz_text *text) {
    tz_text_put(text, "}\n");
    return text->failed ? TZ_NO_MEMORY : TZ_OK;
}

tz_status tz_json_failure(tz_text *text, const tz_json_problem *p, const char *message) {
    tz_text_clear(text);
    put_id(text, p);
    tz_json_key(text, "error");
    tz_text_quote(text, message, strlen(message));
    tz_text_put(text, "}\n");
    return text->failed ? TZ_NO_MEMORY : TZ_OK;
}
