/* npz_problem.c - see npz_problem.h. SPDX-License-Identifier: MIT */
#include "io/npz/npz_problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "io/npz/npz_integers.h"
#include "io/npz/npz_weight.h"
#include "rules/table.h"

struct tz_npz_input {
    tz_npz_problems problems;
    const tz_rules *rules;
    const tz_weight *about; /* [weights] that are declared */
    size_t inputs;          /* of the semiring */
    uint64_t next;
    size_t count; /* read last */
    tz_npz_integers *length;
    tz_npz_integers *number; /* of the rules' inputs */
    tz_npz_weight *weight;
    unsigned declared;
    size_t weights;            /* opened so far */
    int32_t *lengths;          /* [count][lengths] */
    tz_scores *scores;         /* [count][1 + inputs][weights] */
    tz_input_numbers *numbers; /* [count][inputs of the rules] */
    size_t lengths_capacity, scores_capacity, numbers_capacity;
};

/* ---- Opening ------------------------------------------------------------------------------- */

/* How many names the values of a length have. */
static int32_t names_of(const tz_rules *rules, size_t length) {
    int32_t count = 0;
    while (tz_rules_label(rules, length, (size_t)count) != NULL)
        count++;
    return count;
}

static tz_status is_there(const tz_npz_input *input, const char *name, bool *ret_there,
                          tz_error *error) {
    tz_npz_array *array = NULL;
    tz_status status = tz_npz_array_open(input->problems.npz, name, &array, error);
    *ret_there = status == TZ_OK;
    tz_npz_array_free(array);
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status open_length(tz_npz_input *input, unsigned l, tz_error *error) {
    const char *name = input->rules->length_name[l];
    if (names_of(input->rules, l) > 0) {
        /* Without an array it is as many. */
        bool there;
        tz_status status = is_there(input, name, &there, error);
        if (status != TZ_OK || !there)
            return status;
    }
    return tz_npz_integers_open(&input->length[l], &input->problems, name, 0,
                                "integers [problems], or one number", "a length is an integer",
                                error);
}

static tz_status open_number(tz_npz_input *input, unsigned which, tz_error *error) {
    const tz_rules_input *about = &input->rules->input[which];
    char form[240];
    if (!tz_input_used(input->rules, which)) {
        bool there;
        tz_status status = is_there(input, about->name, &there, error);
        if (status != TZ_OK || !there)
            return status;
    }
    size_t used = (size_t)snprintf(form, sizeof form, "integers [problems");
    for (unsigned q = 0; q < about->rank; q++)
        used += (size_t)snprintf(form + used, sizeof form - used, ", %.20s", about->index_name[q]);
    snprintf(form + used, sizeof form - used, "]");
    return tz_npz_integers_open(&input->number[which], &input->problems, about->name, about->rank,
                                form, "inputs are integers", error);
}

/* Is this input of the semiring in the file? */
static bool given(const tz_npz_input *input, size_t which) {
    bool any = false;
    for (size_t w = 0; w < input->weights; w++)
        any |= input->weight[w].numbers[1 + which].array != NULL;
    return any;
}

/* Scores beside the scores are another distribution's: all of them, or none. */
static tz_status check_whole(const tz_npz_input *input, const tz_semiring *semiring,
                             tz_error *error) {
    for (size_t i = 0; i < semiring->inputs; i++)
        for (size_t w = 0; w < input->weights && !semiring->input[i].finite; w++) {
            const tz_npz_numbers *n = &input->weight[w].numbers[1 + i];
            if (n->array == NULL && tz_weight_used(input->rules, (unsigned)w) && given(input, i))
                return tz_npz_fail(input->problems.npz, n->name, error, TZ_BAD_ARGUMENT,
                                   "missing; give '%s' for every weight or for none",
                                   semiring->input[i].name);
        }
    return TZ_OK;
}

tz_status tz_npz_input_new(tz_npz *npz, const tz_rules *rules, const tz_semiring *opt_semiring,
                           tz_npz_input **ret_input, tz_error *error) {
    const bool all = opt_semiring != NULL;
    tz_npz_input *input = calloc(1, sizeof *input);
    tz_status status = TZ_OK;
    *ret_input = NULL;
    if (input != NULL) {
        *input = (tz_npz_input){.problems = {.npz = npz, .count = 1}, .rules = rules};
        input->length = calloc(rules->lengths + 1u, sizeof *input->length);
        if (all) {
            input->about = tz_declared_weights(rules, &input->declared);
            input->inputs = opt_semiring->inputs;
        }
        input->number = calloc(rules->inputs + 1u, sizeof *input->number);
        input->weight = calloc(input->declared + 1u, sizeof *input->weight);
    }
    if (input == NULL || input->length == NULL || input->number == NULL || input->weight == NULL) {
        tz_npz_input_free(input);
        return tz_fail(error, TZ_NO_MEMORY, "out of memory");
    }
    for (unsigned l = 0; l < rules->lengths && status == TZ_OK; l++)
        status = open_length(input, l, error);
    for (unsigned i = 0; i < rules->inputs && all && status == TZ_OK; i++)
        status = open_number(input, i, error);
    while (input->weights < input->declared && status == TZ_OK) {
        size_t w = input->weights++;
        status = tz_npz_weight_open(&input->weight[w], &input->problems, &input->about[w],
                                    tz_weight_used(rules, (unsigned)w), opt_semiring, error);
    }
    if (status == TZ_OK && all)
        status = check_whole(input, opt_semiring, error);
    /* A shape without cells costs nothing: it may claim any number of problems. */
    const tz_npz_problems *problems = &input->problems;
    if (status == TZ_OK && problems->counted && !problems->proved &&
        problems->count > TZ_MAX_LENGTH)
        status = tz_npz_fail(npz, problems->who, error, TZ_TOO_LARGE,
                             "%" PRIu64 " problems without a number; give lengths [problems]",
                             problems->count);
    if (status == TZ_OK)
        *ret_input = input;
    else
        tz_npz_input_free(input);
    return status;
}

void tz_npz_input_free(tz_npz_input *input) {
    if (input == NULL)
        return;
    for (unsigned l = 0; input->length != NULL && l < input->rules->lengths; l++)
        tz_npz_integers_free(&input->length[l]);
    for (unsigned i = 0; input->number != NULL && i < input->rules->inputs; i++)
        tz_npz_integers_free(&input->number[i]);
    for (size_t w = 0; w < input->weights; w++)
        tz_npz_weight_free(&input->weight[w]);
    free(input->length);
    free(input->number);
    free(input->weight);
    free(input->lengths);
    free(input->scores);
    free(input->numbers);
    free(input);
}

/* ---- What there is ------------------------------------------------------------------------- */

uint64_t tz_npz_input_problems(const tz_npz_input *input) {
    return input->problems.count;
}

size_t tz_npz_input_row(const tz_npz_input *input) {
    size_t bytes = 0;
    for (unsigned i = 0; i < input->rules->inputs; i++)
        bytes += input->number[i].cells * sizeof *input->number[i].data;
    for (unsigned w = 0; w < input->declared; w++)
        for (size_t i = 0; i <= input->inputs && !input->about[w].sparse; i++)
            bytes += input->weight[w].numbers[i].cells * input->weight[w].numbers[i].size;
    return bytes;
}

bool tz_npz_input_given(const tz_npz_input *input, size_t which) {
    return given(input, which);
}

bool tz_npz_input_scored(const tz_npz_input *input, size_t weight) {
    return input->weight[weight].numbers[0].array != NULL;
}

const int32_t *tz_npz_input_extent(const tz_npz_input *input, size_t weight) {
    return input->weight[weight].numbers[0].extent;
}

uint64_t tz_npz_input_entries(const tz_npz_input *input, size_t weight) {
    return input->weight[weight].entries;
}

size_t tz_npz_input_first(const tz_npz_input *input, size_t weight, size_t row) {
    return input->weight[weight].first[row];
}

/* ---- Reading ------------------------------------------------------------------------------- */

static tz_status read_length(tz_npz_input *input, unsigned which, size_t count, tz_error *error) {
    tz_npz_integers *length = &input->length[which];
    const int32_t names = names_of(input->rules, which);
    tz_status status = TZ_OK;
    if (length->array != NULL)
        status = tz_npz_integers_read(length, &input->problems, input->next, count, error);
    /* What cannot be a length is told by tz_npz_input_problem, and stays what it is here. */
    for (size_t row = 0; row < count && status == TZ_OK; row++)
        input->lengths[row * input->rules->lengths + which] =
            length->array != NULL ? *tz_npz_integers_row(length, row) : names;
    return status;
}

static tz_status read_numbers(tz_npz_input *input, unsigned which, size_t count, tz_error *error) {
    const size_t inputs = input->rules->inputs;
    const unsigned rank = input->rules->input[which].rank;
    tz_npz_integers *number = &input->number[which];
    tz_status status = TZ_OK;
    for (size_t row = 0; row < count && number->array == NULL; row++)
        input->numbers[row * inputs + which] = (tz_input_numbers){.data = NULL};
    if (number->array == NULL)
        return TZ_OK;
    status = tz_npz_integers_read(number, &input->problems, input->next, count, error);
    for (size_t row = 0; row < count && status == TZ_OK; row++) {
        tz_input_numbers *to = &input->numbers[row * inputs + which];
        ptrdiff_t stride = 1;
        *to = (tz_input_numbers){.data = tz_npz_integers_row(number, row)};
        for (unsigned q = rank; q-- > 0; stride *= number->extent[q]) {
            to->extent[q] = number->extent[q];
            to->stride[q] = stride;
        }
    }
    return status;
}

tz_status tz_npz_input_read(tz_npz_input *input, size_t count, tz_error *error) {
    size_t lengths = input->rules->lengths, weights = input->declared;
    size_t numbers = input->rules->inputs;
    size_t arrays = (1 + input->inputs) * weights;
    tz_status status = TZ_OK;
    input->count = count;
    if (count > SIZE_MAX / (lengths + arrays + numbers + 1) ||
        !TZ_GROW(input->numbers, &input->numbers_capacity, count * numbers) ||
        !TZ_GROW(input->lengths, &input->lengths_capacity, count * lengths) ||
        !TZ_GROW(input->scores, &input->scores_capacity, count * arrays))
        return tz_npz_fail_memory(input->problems.npz, "value", count, error);
    for (unsigned l = 0; l < lengths && status == TZ_OK; l++)
        status = read_length(input, l, count, error);
    for (unsigned i = 0; i < numbers && status == TZ_OK; i++)
        status = read_numbers(input, i, count, error);
    for (size_t w = 0; w < weights && status == TZ_OK; w++) {
        status = tz_npz_weight_read(&input->weight[w], &input->problems, input->next, count, error);
        for (size_t i = 0; i <= input->inputs && status == TZ_OK; i++)
            tz_npz_weight_scores(&input->weight[w], i, count, arrays,
                                 input->scores + i * weights + w);
    }
    input->next += count;
    return status;
}

/* ---- One problem --------------------------------------------------------------------------- */

/* "n = 4, T = 2" */
static const char *say_lengths(const tz_rules *rules, const int32_t *lengths, char text[256]) {
    size_t used = 0;
    text[0] = '\0';
    for (unsigned l = 0; l < rules->lengths && used < 256; l++)
        used += (size_t)snprintf(text + used, 256 - used, "%s%.30s = %d", l > 0 ? ", " : "",
                                 rules->length_name[l], (int)lengths[l]);
    return text;
}

/* Does the array of the weight's scores, or of an input, reach far enough? */
static tz_status check_shape(const tz_npz_input *input, unsigned which, size_t array,
                             const int32_t *lengths, tz_scores *scores, tz_error *error) {
    const tz_weight *about = input->weight[which].about;
    const char *name = array == 0 ? about->name : input->weight[which].numbers[array].name;
    tz_shape shape;
    char text[256];
    if (tz_rules_shape(input->rules, which, lengths, &shape) != TZ_OK)
        return tz_fail(error, TZ_BAD_ARGUMENT, "%.100s: no array is large enough for %s", name,
                       say_lengths(input->rules, lengths, text));
    bool empty = false;
    for (unsigned q = 0; q < about->rank; q++)
        empty |= shape.extent[q] == 0;
    for (unsigned q = 0; q < about->rank && !about->sparse; q++) {
        int32_t needed = shape.extent[q];
        /* Where there are no cells, any array will do: it is never read. */
        if (scores->extent[q] < needed && !empty)
            return tz_fail(error, TZ_BAD_ARGUMENT,
                           "%.100s: axis %u has %d positions; for %s it needs %d (%.40s from %d to "
                           "%d)",
                           name, q + 1, (int)scores->extent[q],
                           say_lengths(input->rules, lengths, text), (int)needed,
                           about->index_name[q], (int)shape.origin[q],
                           (int)(shape.origin[q] + needed - 1));
        if (scores->extent[q] < needed)
            scores->extent[q] = needed;
    }
    return TZ_OK;
}

tz_status tz_npz_input_problem(const tz_npz_input *input, size_t row, tz_problem *ret_problem,
                               tz_error *error) {
    const tz_rules *rules = input->rules;
    int32_t *lengths = input->lengths + row * rules->lengths;
    tz_scores *scores = input->scores + row * (1 + input->inputs) * input->declared;
    bool any = false;
    for (unsigned l = 0; l < rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return tz_fail(error, TZ_BAD_ARGUMENT, "%.100s is %s%d: a length is 0 to %d",
                           rules->length_name[l],
                           lengths[l] == INT32_MAX   ? "at least "
                           : lengths[l] == INT32_MIN ? "at most "
                                                     : "",
                           (int)lengths[l], (int)TZ_MAX_LENGTH);
    for (unsigned w = 0; w < input->declared; w++)
        for (size_t i = 0; i <= input->inputs; i++) {
            if (input->weight[w].numbers[i].array == NULL)
                continue;
            tz_status status =
                check_shape(input, w, i, lengths, &scores[i * input->declared + w], error);
            if (status != TZ_OK)
                return status;
            any |= i > 0;
        }
    *ret_problem =
        (tz_problem){.lengths = lengths,
                     .scores = scores,
                     .inputs = any ? scores + input->declared : NULL,
                     .numbers = rules->inputs > 0 ? input->numbers + row * rules->inputs : NULL};
    return TZ_OK;
}
