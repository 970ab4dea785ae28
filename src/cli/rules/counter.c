/* counter.c - see counter.h. SPDX-License-Identifier: MIT */
#include "cli/rules/counter.h"

#include <stdlib.h>
#include <string.h>

#include "base/philox.h"
#include "rules/tell/cost.h"
#include "rules/view.h"

enum {
    CELL_WORK = 8,  /* of a cell of a dense weight or an item, in points of loops */
    ENTRY_WORK = 64 /* of one of a sparse weight */
};

/* Work for all lengths together; a second or so. */
static const double MOST_WORK = 1e9;

tz_status tz_counter_init(tz_counter *counter, const tz_rules *rules, tz_error *error) {
    *counter = (tz_counter){.rules = rules};
    tz_status status =
        tz_plan_new(rules, tz_semiring_find("count", TZ_F64), TZ_FORCE, &counter->plan, error);
    return status == TZ_OK ? tz_chart_new(counter->plan, &counter->chart) : status;
}

void tz_counter_free(tz_counter *counter) {
    tz_chart_free(counter->chart);
    tz_plan_free(counter->plan);
}

/* The work of counting, in points of loops; TZ_TOO_LARGE: no telling. */
static tz_status work_of_count(const tz_rules *rules, const int32_t *lengths, double *ret_work) {
    double work;
    tz_status status = tz_rules_points(rules, lengths, &work);
    for (unsigned w = 0; status == TZ_OK && w < rules->weights; w++) {
        tz_shape shape;
        status = tz_weight_shape(rules, &rules->weight[w], lengths, &shape);
        double cells = status == TZ_OK ? 1 : 0;
        for (unsigned q = 0; status == TZ_OK && q < shape.rank; q++)
            cells *= shape.extent[q];
        work += cells * (rules->weight[w].sparse ? ENTRY_WORK : CELL_WORK);
    }
    for (unsigned k = 0; status == TZ_OK && k < rules->kinds; k++)
        work += tz_kind_cells(rules, k, lengths) * CELL_WORK;
    if (status == TZ_OK)
        *ret_work = work;
    return status;
}

/* All cells of a weight with the score 0; to be freed: data and index. */
static tz_status zero_scores(const tz_rules *rules, const int32_t *lengths, unsigned weight,
                             tz_scores *ret) {
    tz_shape shape;
    tz_status status = tz_rules_shape(rules, weight, lengths, &shape);
    size_t cells = 1, entries = 0;
    if (status != TZ_OK)
        return status;
    for (unsigned q = 0; q < shape.rank; q++)
        if (__builtin_mul_overflow(cells, (size_t)shape.extent[q], &cells))
            return TZ_TOO_LARGE;
    double *data = calloc(cells ? cells : 1, sizeof *data);
    if (!data)
        return TZ_NO_MEMORY;
    *ret = tz_scores_dense(&shape, data);
    if (!shape.sparse)
        return TZ_OK;

    int32_t *index = calloc(cells ? cells : 1, TZ_MAX_RANK * sizeof *index);
    if (!index) {
        free(data);
        ret->data = NULL;
        return TZ_NO_MEMORY;
    }
    for (size_t cell = 0; cell < cells; cell++) {
        int32_t at[TZ_MAX_RANK] = {0};
        size_t rest = cell;
        for (unsigned q = shape.rank; q-- > 0; rest /= (size_t)shape.extent[q])
            at[q] = shape.origin[q] + (int32_t)(rest % (size_t)shape.extent[q]);
        if (tz_rules_declared(rules, weight, lengths, at))
            memcpy(index + shape.rank * entries++, at, shape.rank * sizeof *at);
    }
    *ret = (tz_scores){.data = data, .stride = {1}, .index = index, .entries = entries};
    return TZ_OK;
}

/* Any numbers for an input, always the same; to be freed: data. */
static tz_status some_numbers(const tz_rules *rules, const int32_t *lengths, size_t input,
                              tz_input_numbers *ret) {
    tz_shape shape;
    tz_stream stream = {.number = input};
    int64_t bound;
    size_t count = 1;
    tz_status status = tz_rules_input_shape(rules, input, lengths, &shape, &bound);
    for (unsigned q = 0; status == TZ_OK && q < shape.rank; q++)
        if (__builtin_mul_overflow(count, (size_t)shape.extent[q], &count))
            status = TZ_TOO_LARGE;
    int32_t *data = status == TZ_OK ? calloc(count + 1, sizeof *data) : NULL;
    if (data == NULL)
        return status == TZ_OK ? TZ_NO_MEMORY : status;
    for (size_t i = 0; i < count && bound > 0; i++)
        data[i] = (int32_t)(tz_uniform(&stream) * (double)bound);
    *ret = tz_input_numbers_dense(&shape, data);
    return TZ_OK;
}

static tz_status count_derivations(tz_counter *counter, const int32_t *lengths, double *ret_count,
                                   tz_error *error) {
    size_t weights = tz_rules_weights(counter->rules), inputs = tz_rules_inputs(counter->rules);
    tz_scores *scores = calloc(weights + 1, sizeof *scores);
    tz_input_numbers *numbers = calloc(inputs + 1, sizeof *numbers);
    tz_status status = scores && numbers ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned i = 0; status == TZ_OK && i < inputs; i++)
        status = some_numbers(counter->rules, lengths, i, &numbers[i]);
    for (unsigned w = 0; status == TZ_OK && w < weights; w++)
        status = zero_scores(counter->rules, lengths, w, &scores[w]);
    tz_problem problem = {.lengths = lengths, .scores = scores, .numbers = numbers};
    if (status == TZ_OK)
        status = tz_bind(counter->chart, &problem, 1, error);
    if (status == TZ_OK)
        status = tz_inside(counter->chart);
    if (status == TZ_OK)
        status = tz_goal(counter->chart, 0, ret_count);
    for (unsigned w = 0; scores && w < weights; w++) {
        free((void *)scores[w].data);
        free((void *)scores[w].index);
    }
    for (unsigned i = 0; numbers && i < inputs; i++)
        free((void *)numbers[i].data);
    free(numbers);
    free(scores);
    return status;
}

tz_status tz_counter_derivations(tz_counter *counter, const int32_t *lengths, double *ret_count,
                                 tz_error *error) {
    double work;
    tz_status status = work_of_count(counter->rules, lengths, &work);
    if (status != TZ_OK)
        return status;
    counter->work += work;
    if (counter->work > MOST_WORK)
        return TZ_TOO_LARGE;
    return count_derivations(counter, lengths, ret_count, error);
}
