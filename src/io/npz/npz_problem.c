/* npz_problem.c - see npz_problem.h. SPDX-License-Identifier: MIT */
#include "io/npz/npz_problem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "io/npz/npz_weight.h"
#include "rules/table.h"

typedef struct length {
    tz_npz_array *array;
    void *raw;
    size_t raw_capacity;
    int64_t *number;
    size_t capacity;
} length;

struct tz_npz_input {
    tz_npz_problems problems;
    const tz_rules *rules;
    size_t inputs; /* of the semiring */
    uint64_t next;
    size_t count; /* read last */
    length *length;
    tz_npz_weight *weight;
    size_t weights;    /* opened so far */
    int32_t *lengths;  /* [count][lengths] */
    tz_scores *scores; /* [count][1 + inputs][weights] */
    size_t lengths_capacity, scores_capacity;
};

/* ---- Opening ------------------------------------------------------------------------------- */

static tz_status open_length(tz_npz_input *input, unsigned l, tz_error *error) {
    const char *name = input->rules->length_name[l];
    length *length = &input->length[l];
    tz_status status = tz_npz_require(input->problems.npz, name,
                                      "integers [problems], or one number", &length->array, error);
    if (status != TZ_OK)
        return status;
    const tz_npy *npy = tz_npz_array_header(length->array);
    if (npy->kind != 'i' && npy->kind != 'u')
        return tz_npz_fail(input->problems.npz, name, error, TZ_BAD_ARGUMENT,
                           "numbers of type '%s', but a length is an integer: save "
                           "%.60s.astype('int32')",
                           npy->descr, name);
    if (npy->rank > 1)
        return tz_npz_fail(input->problems.npz, name, error, TZ_BAD_ARGUMENT,
                           "%u axes; give it as integers [problems], or one number", npy->rank);
    return npy->rank == 0 ? TZ_OK : tz_npz_count(&input->problems, name, npy, error);
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
            if (n->array == NULL && given(input, i))
                return tz_npz_fail(input->problems.npz, n->name, error, TZ_BAD_ARGUMENT,
                                   "missing; give '%s' for every weight or for none",
                                   semiring->input[i].name);
        }
    return TZ_OK;
}

tz_status tz_npz_input_new(tz_npz *npz, const tz_rules *rules, const tz_semiring *semiring,
                           tz_npz_input **ret_input, tz_error *error) {
    tz_npz_input *input = calloc(1, sizeof *input);
    tz_status status = TZ_OK;
    *ret_input = NULL;
    if (input != NULL) {
        *input = (tz_npz_input){
            .problems = {.npz = npz, .count = 1}, .rules = rules, .inputs = semiring->inputs};
        input->length = calloc(rules->lengths + 1u, sizeof *input->length);
        input->weight = calloc(rules->weights + 1u, sizeof *input->weight);
    }
    if (input == NULL || input->length == NULL || input->weight == NULL) {
        tz_npz_input_free(input);
        return tz_fail(error, TZ_NO_MEMORY, "out of memory");
    }
    for (unsigned l = 0; l < rules->lengths && status == TZ_OK; l++)
        status = open_length(input, l, error);
    while (input->weights < rules->weights && status == TZ_OK) {
        size_t w = input->weights++;
        status = tz_npz_weight_open(&input->weight[w], &input->problems, &rules->weight[w],
                                    semiring, error);
    }
    if (status == TZ_OK)
        status = check_whole(input, semiring, error);
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
    for (unsigned l = 0; input->length != NULL && l < input->rules->lengths; l++) {
        tz_npz_array_free(input->length[l].array);
        free(input->length[l].raw);
        free(input->length[l].number);
    }
    for (size_t w = 0; w < input->weights; w++)
        tz_npz_weight_free(&input->weight[w]);
    free(input->length);
    free(input->weight);
    free(input->lengths);
    free(input->scores);
    free(input);
}

/* ---- What there is ------------------------------------------------------------------------- */

uint64_t tz_npz_input_problems(const tz_npz_input *input) {
    return input->problems.count;
}

size_t tz_npz_input_row(const tz_npz_input *input) {
    size_t bytes = 0;
    for (unsigned w = 0; w < input->rules->weights; w++)
        for (size_t i = 0; i <= input->inputs && !input->rules->weight[w].sparse; i++)
            bytes += input->weight[w].numbers[i].cells * input->weight[w].numbers[i].size;
    return bytes;
}

bool tz_npz_input_given(const tz_npz_input *input, size_t which) {
    return given(input, which);
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
    length *length = &input->length[which];
    const tz_npy *npy = tz_npz_array_header(length->array);
    bool single = npy->rank == 0;
    size_t rows = single ? 1 : count;
    if (!single || input->next == 0) {
        if (!TZ_GROW(length->raw, length->raw_capacity, rows, npy->size) ||
            !TZ_GROW(length->number, length->capacity, rows, sizeof *length->number))
            return tz_npz_fail_memory(input->problems.npz, input->rules->length_name[which], count,
                                      error);
        tz_status status = tz_npz_array_read(length->array, rows, length->raw, error);
        if (status != TZ_OK)
            return status;
        tz_npy_integers(npy, length->raw, rows, length->number);
    }
    for (size_t row = 0; row < count; row++) {
        int64_t number = length->number[single ? 0 : row];
        /* What cannot be a length is told by tz_npz_input_problem, and stays what it is here. */
        input->lengths[row * input->rules->lengths + which] = number < INT32_MIN ? INT32_MIN
                                                              : number > INT32_MAX
                                                                  ? INT32_MAX
                                                                  : (int32_t)number;
    }
    return TZ_OK;
}

tz_status tz_npz_input_read(tz_npz_input *input, size_t count, tz_error *error) {
    size_t lengths = input->rules->lengths, weights = input->rules->weights;
    size_t arrays = (1 + input->inputs) * weights;
    tz_status status = TZ_OK;
    input->count = count;
    if (count > SIZE_MAX / (lengths + arrays + 1) ||
        !TZ_GROW(input->lengths, input->lengths_capacity, count * lengths,
                 sizeof *input->lengths) ||
        !TZ_GROW(input->scores, input->scores_capacity, count * arrays, sizeof *input->scores))
        return tz_npz_fail_memory(input->problems.npz, "value", count, error);
    for (unsigned l = 0; l < lengths && status == TZ_OK; l++)
        status = read_length(input, l, count, error);
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
    tz_scores *scores = input->scores + row * (1 + input->inputs) * rules->weights;
    bool any = false;
    for (unsigned l = 0; l < rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return tz_fail(error, TZ_BAD_ARGUMENT, "%.100s is %s%d: a length is 0 to %d",
                           rules->length_name[l],
                           lengths[l] == INT32_MAX   ? "at least "
                           : lengths[l] == INT32_MIN ? "at most "
                                                     : "",
                           (int)lengths[l], (int)TZ_MAX_LENGTH);
    for (unsigned w = 0; w < rules->weights; w++)
        for (size_t i = 0; i <= input->inputs; i++) {
            if (input->weight[w].numbers[i].array == NULL)
                continue;
            tz_status status =
                check_shape(input, w, i, lengths, &scores[i * rules->weights + w], error);
            if (status != TZ_OK)
                return status;
            any |= i > 0;
        }
    *ret_problem = (tz_problem){
        .lengths = lengths, .scores = scores, .inputs = any ? scores + rules->weights : NULL};
    return TZ_OK;
}
