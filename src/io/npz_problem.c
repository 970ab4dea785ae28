/* npz_problem.c - see npz_problem.h. SPDX-License-Identifier: MIT */
#include "io/npz_problem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "rules/table.h"

enum { CHUNK = 1 << 14 }; /* entries read at once */

typedef struct length {
    tz_npz_array *array;
    void *raw;
    size_t raw_capacity;
    int64_t *number;
    size_t capacity;
} length;

typedef struct weight {
    const tz_weight *about;
    char *index_name;            /* "binary.index"; NULL for a dense weight */
    tz_npz_array *array, *index; /* scores; what the entries are of */
    tz_type type;
    size_t size; /* of a score */
    int32_t extent[TZ_MAX_RANK];
    size_t cells; /* dense: of a problem */
    char *score;
    size_t score_capacity;

    /* Sparse: `held` entries are in memory, the first `used` of them of the problems read. */
    uint64_t entries, left; /* in the file; not yet read */
    size_t held, used;
    int64_t *problem; /* [held] */
    int32_t *at;      /* [held * rank] */
    size_t *first;    /* [count + 1] */
    size_t problem_capacity, at_capacity, first_capacity;
    void *raw; /* a chunk of the index array, and it as integers */
    int64_t *number;
} weight;

struct tz_npz_input {
    tz_npz *npz;
    const tz_rules *rules;
    uint64_t problems, next;
    bool counted;    /* problems is known */
    bool proved;     /* and there are numbers of each */
    const char *who; /* says so */
    size_t count;    /* read last */
    length *length;
    weight *weight;
    int32_t *lengths; /* [count][lengths] */
    tz_scores *scores;
    size_t lengths_capacity, scores_capacity;
};

static tz_status fail_memory(const tz_npz_input *input, const char *array, size_t problems,
                             tz_error *error) {
    return tz_npz_fail(input->npz, array, error, TZ_NO_MEMORY,
                       "out of memory for %zu problems at a time; give a smaller --batch",
                       problems);
}

/* ---- Opening ------------------------------------------------------------------------------- */

static tz_status set_problems(tz_npz_input *input, const char *name, const tz_npy *npy,
                              tz_error *error) {
    uint64_t problems = npy->extent[0];
    if (input->counted && problems != input->problems)
        return tz_npz_fail(input->npz, name, error, TZ_BAD_ARGUMENT,
                           "it is of %" PRIu64
                           " problems (its first axis), but '%.60s' is of %" PRIu64
                           "; give them the same",
                           problems, input->who, input->problems);
    input->problems = problems;
    input->proved |= npy->count > 0;
    input->counted = true;
    input->who = name;
    return TZ_OK;
}

/* "[problems, h, m]" */
static const char *say_axes(const tz_weight *about, char text[200]) {
    size_t used = (size_t)snprintf(text, 200, about->sparse ? "[entries" : "[problems");
    for (unsigned q = 0; q < about->rank && !about->sparse; q++)
        used += (size_t)snprintf(text + used, 200 - used, ", %.20s", about->index_name[q]);
    snprintf(text + used, 200 - used, "]");
    return text;
}

static tz_status open_array(tz_npz_input *input, const char *name, const char *form,
                            tz_npz_array **ret_array, tz_error *error) {
    char there[400];
    tz_status status = tz_npz_array_open(input->npz, name, ret_array, error);
    if (status != TZ_NONE)
        return status;
    tz_npz_list(input->npz, there, sizeof there);
    return tz_npz_fail(input->npz, name, error, TZ_BAD_ARGUMENT,
                       "missing; give it as %s (arrays there are: %s)", form, there);
}

static tz_status open_length(tz_npz_input *input, unsigned l, tz_error *error) {
    const char *name = input->rules->length_name[l];
    length *length = &input->length[l];
    tz_status status =
        open_array(input, name, "integers [problems], or one number", &length->array, error);
    if (status != TZ_OK)
        return status;
    const tz_npy *npy = tz_npz_array_header(length->array);
    if (npy->kind != 'i' && npy->kind != 'u')
        return tz_npz_fail(input->npz, name, error, TZ_BAD_ARGUMENT,
                           "numbers of type '%s', but a length is an integer: save "
                           "%.60s.astype('int32')",
                           npy->descr, name);
    if (npy->rank > 1)
        return tz_npz_fail(input->npz, name, error, TZ_BAD_ARGUMENT,
                           "%u axes; give it as integers [problems], or one number", npy->rank);
    return npy->rank == 0 ? TZ_OK : set_problems(input, name, npy, error);
}

/* The array of the indices of a sparse weight. */
static tz_status open_index(tz_npz_input *input, weight *w, tz_error *error) {
    static const char suffix[] = ".index";
    size_t size = strlen(w->about->name);
    char form[80];
    w->index_name = malloc(size + sizeof suffix);
    if (w->index_name == NULL)
        return tz_npz_fail(input->npz, w->about->name, error, TZ_NO_MEMORY, "out of memory");
    memcpy(w->index_name, w->about->name, size);
    memcpy(w->index_name + size, suffix, sizeof suffix);
    snprintf(form, sizeof form, "integers [entries, %u], the problem first", w->about->rank + 1u);
    tz_status status = open_array(input, w->index_name, form, &w->index, error);
    if (status != TZ_OK)
        return status;
    const tz_npy *npy = tz_npz_array_header(w->index);
    if (npy->kind != 'i' && npy->kind != 'u')
        return tz_npz_fail(input->npz, w->index_name, error, TZ_BAD_ARGUMENT,
                           "numbers of type '%s', but indices are integers: save astype('int32')",
                           npy->descr);
    if (npy->rank != 2 || npy->extent[1] != w->about->rank + 1u)
        return tz_npz_fail(input->npz, w->index_name, error, TZ_BAD_ARGUMENT, "give it as %s",
                           form);
    if (npy->extent[0] != w->entries)
        return tz_npz_fail(input->npz, w->index_name, error, TZ_BAD_ARGUMENT,
                           "%" PRIu64 " entries, but '%.60s' has %" PRIu64 " scores",
                           npy->extent[0], w->about->name, w->entries);
    w->raw = malloc(CHUNK * sizeof(int64_t) * (w->about->rank + 1u));
    w->number = malloc(CHUNK * sizeof *w->number * (w->about->rank + 1u));
    if (w->raw == NULL || w->number == NULL)
        return tz_npz_fail(input->npz, w->index_name, error, TZ_NO_MEMORY, "out of memory");
    return TZ_OK;
}

static tz_status open_weight(tz_npz_input *input, unsigned which, tz_error *error) {
    const tz_weight *about = &input->rules->weight[which];
    weight *w = &input->weight[which];
    char axes[200], form[240];
    snprintf(form, sizeof form, "float32 or float64 %s", say_axes(about, axes));
    w->about = about;
    tz_status status = open_array(input, about->name, form, &w->array, error);
    if (status != TZ_OK)
        return status;
    const tz_npy *npy = tz_npz_array_header(w->array);
    unsigned rank = about->sparse ? 0 : about->rank;
    if (npy->kind != 'f')
        return tz_npz_fail(input->npz, about->name, error, TZ_BAD_ARGUMENT,
                           "numbers of type '%s', but scores are float32 or float64: save "
                           "%.60s.astype('float64')",
                           npy->descr, about->name);
    if (npy->rank != rank + 1)
        return tz_npz_fail(input->npz, about->name, error, TZ_BAD_ARGUMENT, "%u %s; give it as %s",
                           npy->rank, npy->rank == 1 ? "axis" : "axes", form);
    w->type = npy->size == sizeof(float) ? TZ_FLOAT : TZ_DOUBLE;
    w->size = npy->size;
    w->cells = tz_npz_array_cells(w->array);
    for (unsigned q = 0; q < rank; q++) {
        if (npy->extent[q + 1] > INT32_MAX)
            return tz_npz_fail(input->npz, about->name, error, TZ_TOO_LARGE,
                               "axis %u has more than %d positions", q + 1, (int)INT32_MAX);
        w->extent[q] = (int32_t)npy->extent[q + 1];
    }
    if (!about->sparse)
        return set_problems(input, about->name, npy, error);
    w->entries = w->left = npy->extent[0];
    return open_index(input, w, error);
}

tz_status tz_npz_input_new(tz_npz *npz, const tz_rules *rules, tz_npz_input **ret_input,
                           tz_error *error) {
    tz_npz_input *input = calloc(1, sizeof *input);
    tz_status status = TZ_OK;
    *ret_input = NULL;
    if (input != NULL) {
        *input = (tz_npz_input){.npz = npz, .rules = rules, .problems = 1};
        input->length = calloc(rules->lengths + 1u, sizeof *input->length);
        input->weight = calloc(rules->weights + 1u, sizeof *input->weight);
    }
    if (input == NULL || input->length == NULL || input->weight == NULL) {
        tz_npz_input_free(input);
        *error = (tz_error){TZ_NO_MEMORY, "out of memory"};
        return TZ_NO_MEMORY;
    }
    for (unsigned l = 0; l < rules->lengths && status == TZ_OK; l++)
        status = open_length(input, l, error);
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++)
        status = open_weight(input, w, error);
    /* A shape without cells costs nothing: it may claim any number of problems. */
    if (status == TZ_OK && input->counted && !input->proved && input->problems > TZ_MAX_LENGTH)
        status = tz_npz_fail(npz, input->who, error, TZ_TOO_LARGE,
                             "%" PRIu64 " problems without a number; give lengths [problems]",
                             input->problems);
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
    for (unsigned i = 0; input->weight != NULL && i < input->rules->weights; i++) {
        weight *w = &input->weight[i];
        tz_npz_array_free(w->array);
        tz_npz_array_free(w->index);
        free(w->index_name);
        free(w->score);
        free(w->problem);
        free(w->at);
        free(w->first);
        free(w->raw);
        free(w->number);
    }
    free(input->length);
    free(input->weight);
    free(input->lengths);
    free(input->scores);
    free(input);
}

/* ---- What there is ------------------------------------------------------------------------- */

uint64_t tz_npz_input_problems(const tz_npz_input *input) {
    return input->problems;
}

size_t tz_npz_input_row(const tz_npz_input *input) {
    size_t bytes = 0;
    for (unsigned w = 0; w < input->rules->weights; w++)
        if (!input->weight[w].about->sparse)
            bytes += input->weight[w].cells * input->weight[w].size;
    return bytes;
}

const int32_t *tz_npz_input_extent(const tz_npz_input *input, size_t weight) {
    return input->weight[weight].extent;
}

uint64_t tz_npz_input_entries(const tz_npz_input *input, size_t weight) {
    return input->weight[weight].entries;
}

size_t tz_npz_input_first(const tz_npz_input *input, size_t weight, size_t row) {
    return input->weight[weight].first[row];
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* *array gets room for count elements of `size` bytes each. */
#define GROW(array, capacity, count, size)                                                         \
    __extension__({                                                                                \
        void *grown = (array);                                                                     \
        bool done = tz_grow(&grown, &(capacity), (count), (size));                                 \
        (array) = grown;                                                                           \
        done;                                                                                      \
    })

static tz_status read_length(tz_npz_input *input, unsigned which, size_t count, tz_error *error) {
    length *length = &input->length[which];
    const tz_npy *npy = tz_npz_array_header(length->array);
    bool single = npy->rank == 0;
    size_t rows = single ? 1 : count;
    if (!single || input->next == 0) {
        if (!GROW(length->raw, length->raw_capacity, rows, npy->size) ||
            !GROW(length->number, length->capacity, rows, sizeof *length->number))
            return fail_memory(input, input->rules->length_name[which], count, error);
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

/* The next entries of a sparse weight, behind those that are held. */
static tz_status read_chunk(tz_npz_input *input, weight *w, tz_error *error) {
    unsigned rank = w->about->rank;
    size_t count = w->left < CHUNK ? (size_t)w->left : CHUNK, held = w->held;
    if (!GROW(w->problem, w->problem_capacity, held + count, sizeof *w->problem) ||
        !GROW(w->at, w->at_capacity, held + count, sizeof *w->at * (rank + 1u)) ||
        !GROW(w->score, w->score_capacity, held + count, w->size))
        return fail_memory(input, w->about->name, input->count, error);
    tz_status status = tz_npz_array_read(w->array, count, w->score + held * w->size, error);
    if (status == TZ_OK)
        status = tz_npz_array_read(w->index, count, w->raw, error);
    if (status != TZ_OK)
        return status;
    tz_npy_integers(tz_npz_array_header(w->index), w->raw, count * (rank + 1), w->number);
    int64_t last = held > 0 ? w->problem[held - 1] : 0;
    for (size_t e = 0; e < count; e++) {
        const int64_t *number = &w->number[e * (rank + 1)];
        uint64_t entry = w->entries - w->left + e;
        if (number[0] < 0 || (uint64_t)number[0] >= input->problems)
            return tz_npz_fail(input->npz, w->index_name, error, TZ_BAD_ARGUMENT,
                               "entry %" PRIu64 " is of problem %" PRId64
                               ", but they are 0 to %" PRIu64,
                               entry, number[0], input->problems - 1);
        if (number[0] < last || (uint64_t)number[0] < input->next)
            return tz_npz_fail(input->npz, w->index_name, error, TZ_BAD_ARGUMENT,
                               "entry %" PRIu64 " is of problem %" PRId64
                               ", behind one of a later problem; sort index and scores by "
                               "numpy.argsort(index[:, 0], kind='stable')",
                               entry, number[0]);
        last = w->problem[held + e] = number[0];
        for (unsigned q = 0; q < rank; q++) {
            /* No domain reaches as far as this cuts off. */
            int64_t index = number[1 + q];
            w->at[(held + e) * rank + q] = index < INT32_MIN   ? INT32_MIN
                                           : index > INT32_MAX ? INT32_MAX
                                                               : (int32_t)index;
        }
    }
    w->held += count;
    w->left -= count;
    return TZ_OK;
}

static tz_status read_sparse(tz_npz_input *input, weight *w, size_t count, tz_error *error) {
    uint64_t end = input->next + count;
    unsigned rank = w->about->rank;
    size_t kept = w->held - w->used, e = 0;
    if (!GROW(w->first, w->first_capacity, count + 1, sizeof *w->first))
        return fail_memory(input, w->about->name, count, error);
    if (w->used > 0) {
        memmove(w->problem, w->problem + w->used, kept * sizeof *w->problem);
        memmove(w->at, w->at + w->used * rank, kept * rank * sizeof *w->at);
        memmove(w->score, w->score + w->used * w->size, kept * w->size);
    }
    w->held = kept;
    w->used = 0;
    while (w->left > 0 && (w->held == 0 || (uint64_t)w->problem[w->held - 1] < end)) {
        tz_status status = read_chunk(input, w, error);
        if (status != TZ_OK)
            return status;
    }
    for (size_t row = 0; row < count; row++) {
        w->first[row] = e;
        while (e < w->held && (uint64_t)w->problem[e] == input->next + row)
            e++;
    }
    w->first[count] = w->used = e;
    return TZ_OK;
}

static tz_status read_dense(tz_npz_input *input, weight *w, size_t count, tz_error *error) {
    size_t cells;
    if (__builtin_mul_overflow(count, w->cells, &cells) ||
        !GROW(w->score, w->score_capacity, cells, w->size))
        return fail_memory(input, w->about->name, count, error);
    return tz_npz_array_read(w->array, count, w->score, error);
}

static void set_scores(const weight *w, size_t count, size_t weights, tz_scores *scores) {
    unsigned rank = w->about->rank;
    tz_scores all = {.type = w->type, .stride = {1}};
    ptrdiff_t stride = 1;
    for (unsigned q = rank; q-- > 0 && !w->about->sparse; stride *= w->extent[q]) {
        all.stride[q] = stride;
        all.extent[q] = w->extent[q];
    }
    for (size_t row = 0; row < count; row++, scores += weights) {
        *scores = all;
        if (w->score == NULL)
            continue;
        scores->data = w->score + row * w->cells * w->size;
        if (w->about->sparse) {
            scores->data = w->score + w->first[row] * w->size;
            scores->index = w->at + w->first[row] * rank;
            scores->entries = w->first[row + 1] - w->first[row];
        }
    }
}

tz_status tz_npz_input_read(tz_npz_input *input, size_t count, tz_error *error) {
    size_t lengths = input->rules->lengths, weights = input->rules->weights;
    tz_status status = TZ_OK;
    input->count = count;
    if (count > SIZE_MAX / (lengths + weights + 1) ||
        !GROW(input->lengths, input->lengths_capacity, count * lengths, sizeof *input->lengths) ||
        !GROW(input->scores, input->scores_capacity, count * weights, sizeof *input->scores))
        return fail_memory(input, "value", count, error);
    for (unsigned l = 0; l < lengths && status == TZ_OK; l++)
        status = read_length(input, l, count, error);
    for (unsigned i = 0; i < weights && status == TZ_OK; i++) {
        weight *w = &input->weight[i];
        status = w->about->sparse ? read_sparse(input, w, count, error)
                                  : read_dense(input, w, count, error);
        if (status == TZ_OK)
            set_scores(w, count, weights, input->scores + i);
    }
    input->next += count;
    return status;
}

/* ---- One problem --------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static tz_status refuse(tz_error *error, const char *format,
                                                              ...) {
    va_list arguments;
    va_start(arguments, format);
    error->status = TZ_BAD_ARGUMENT;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return TZ_BAD_ARGUMENT;
}

/* "n = 4, T = 2" */
static const char *say_lengths(const tz_rules *rules, const int32_t *lengths, char text[256]) {
    size_t used = 0;
    text[0] = '\0';
    for (unsigned l = 0; l < rules->lengths && used < 256; l++)
        used += (size_t)snprintf(text + used, 256 - used, "%s%.30s = %d", l > 0 ? ", " : "",
                                 rules->length_name[l], (int)lengths[l]);
    return text;
}

static tz_status check_shape(const tz_npz_input *input, unsigned which, const int32_t *lengths,
                             tz_scores *scores, tz_error *error) {
    const tz_weight *about = input->weight[which].about;
    tz_shape shape;
    char text[256];
    if (tz_rules_shape(input->rules, which, lengths, &shape) != TZ_OK)
        return refuse(error, "%.100s: no array is large enough for %s", about->name,
                      say_lengths(input->rules, lengths, text));
    bool empty = false;
    for (unsigned q = 0; q < about->rank; q++)
        empty |= shape.extent[q] == 0;
    for (unsigned q = 0; q < about->rank && !about->sparse; q++) {
        int32_t needed = shape.extent[q];
        /* Where there are no cells, any array will do: it is never read. */
        if (scores->extent[q] < needed && !empty)
            return refuse(error,
                          "%.100s: axis %u has %d positions; for %s it needs %d (%.40s from %d to "
                          "%d)",
                          about->name, q + 1, (int)scores->extent[q],
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
    tz_scores *scores = input->scores + row * rules->weights;
    for (unsigned l = 0; l < rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return refuse(error, "%.100s is %s%d: a length is 0 to %d", rules->length_name[l],
                          lengths[l] == INT32_MAX   ? "at least "
                          : lengths[l] == INT32_MIN ? "at most "
                                                    : "",
                          (int)lengths[l], (int)TZ_MAX_LENGTH);
    for (unsigned w = 0; w < rules->weights; w++) {
        tz_status status = check_shape(input, w, lengths, &scores[w], error);
        if (status != TZ_OK)
            return status;
    }
    *ret_problem = (tz_problem){.lengths = lengths, .scores = scores};
    return TZ_OK;
}
