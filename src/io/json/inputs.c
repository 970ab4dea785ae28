/* inputs.c - see inputs.h. SPDX-License-Identifier: MIT */
#include "io/json/inputs.h"

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

const char *tz_number_key(const char *name) {
    return strcmp(name, "q") == 0 ? "kl" : name;
}

double tz_divergence(double log_q, double entropy, double expected) {
    if (expected == -INFINITY)
        return INFINITY;
    double divergence = log_q - entropy - expected;
    return divergence > 0 ? divergence : 0; /* rounding aside, it is */
}
