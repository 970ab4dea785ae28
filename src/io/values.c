/* values.c - see values.h. SPDX-License-Identifier: MIT */
#include "io/values.h"

#include <math.h>
#include <string.h>

size_t tz_find_input(const tz_semiring *semiring, const char *name) {
    size_t input = 0;
    while (input < semiring->inputs && strcmp(semiring->input[input].name, name) != 0)
        input++;
    return input;
}

bool tz_input_given(const tz_problem *problem, size_t weights, size_t input) {
    bool given = false;
    for (size_t w = 0; problem->inputs != NULL && w < weights; w++)
        given |= problem->inputs[input * weights + w].data != NULL;
    return given;
}

bool tz_is_list(const tz_semiring *semiring) {
    return semiring->values != NULL && semiring->number_name == NULL;
}

const char *tz_number_key(const char *name) {
    return strcmp(name, "q") == 0 ? "kl" : name;
}

/* Of the log partition function of q, the entropy of p, and the score in q that p expects. */
static double divergence(double log_q, double entropy, double expected) {
    if (expected == -INFINITY)
        return INFINITY;
    double divergence = log_q - entropy - expected;
    return divergence > 0 ? divergence : 0; /* rounding aside, it is */
}

tz_status tz_read_value(const tz_semiring *semiring, double log_q, const tz_chart *chart,
                        size_t lane, double *number, size_t *ret_count, bool *ret_none) {
    tz_status status = tz_item_values(chart, lane, TZ_GOAL, NULL, number, ret_count);
    if (status != TZ_OK)
        return status;
    if (*ret_count == 0)
        number[0] = -INFINITY;
    *ret_none = *ret_count == 0 || (semiring->gives == TZ_GIVES_SCORE && number[0] == -INFINITY);
    for (size_t i = 1; semiring->number_name != NULL && i < semiring->numbers; i++)
        if (strcmp(semiring->number_name[i], "q") == 0)
            number[i] = *ret_none ? 0 : divergence(log_q, number[1], number[i]);
    return TZ_OK;
}
