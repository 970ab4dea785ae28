/* npz_weight.c - see npz_weight.h. SPDX-License-Identifier: MIT */
#include "io/npz/npz_weight.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { CHUNK = 1 << 14 }; /* entries read at once */

tz_status tz_npz_fail_memory(const tz_npz *npz, const char *array, size_t problems,
                             tz_error *error) {
    return tz_npz_fail(npz, array, error, TZ_NO_MEMORY,
                       "out of memory for %zu problems at a time; give a smaller --batch",
                       problems);
}

tz_status tz_npz_count(tz_npz_problems *p, const char *name, const tz_npy *npy, tz_error *error) {
    uint64_t problems = npy->extent[0];
    if (p->counted && problems != p->count)
        return tz_npz_fail(p->npz, name, error, TZ_BAD_ARGUMENT,
                           "it is of %" PRIu64
                           " problems (its first axis), but '%.60s' is of %" PRIu64
                           "; give them the same",
                           problems, p->who, p->count);
    p->count = problems;
    p->proved |= npy->count > 0;
    p->counted = true;
    p->who = name;
    return TZ_OK;
}

tz_status tz_npz_require(tz_npz *npz, const char *name, const char *form, tz_npz_array **ret_array,
                         tz_error *error) {
    char there[400];
    tz_status status = tz_npz_array_open(npz, name, ret_array, error);
    if (status != TZ_NONE)
        return status;
    tz_npz_list(npz, there, sizeof there);
    return tz_npz_fail(npz, name, error, TZ_BAD_ARGUMENT,
                       "missing; give it as %s (arrays there are: %s)", form, there);
}

/* ---- Opening ------------------------------------------------------------------------------- */

/* "float64 [problems, h, m]" */
static const char *say_form(const tz_weight *about, char text[240]) {
    size_t used = (size_t)snprintf(text, 240, "float32 or float64 [%s",
                                   about->sparse ? "entries" : "problems");
    for (unsigned q = 0; q < about->rank && !about->sparse; q++)
        used += (size_t)snprintf(text + used, 240 - used, ", %.20s", about->index_name[q]);
    snprintf(text + used, 240 - used, "]");
    return text;
}

static const char *name_of(const tz_npz_weight *w, size_t which) {
    return which == 0 ? w->about->name : w->numbers[which].name;
}

/* The array of scores or inputs has been found: can it be that? */
static tz_status take_numbers(tz_npz_weight *w, tz_npz_problems *problems, size_t which,
                              tz_error *error) {
    tz_npz_numbers *n = &w->numbers[which];
    const tz_npy *npy = tz_npz_array_header(n->array);
    const char *name = name_of(w, which);
    unsigned rank = w->about->sparse ? 0 : w->about->rank;
    char form[240];
    if (npy->kind != 'f')
        return tz_npz_fail(problems->npz, name, error, TZ_BAD_ARGUMENT,
                           "numbers of type '%s', but %s are float32 or float64: save "
                           "%.60s.astype('float64')",
                           npy->descr, which == 0 ? "scores" : "these", name);
    if (npy->rank != rank + 1)
        return tz_npz_fail(problems->npz, name, error, TZ_BAD_ARGUMENT, "%u %s; give it as %s",
                           npy->rank, npy->rank == 1 ? "axis" : "axes", say_form(w->about, form));
    n->type = npy->size == sizeof(float) ? TZ_FLOAT : TZ_DOUBLE;
    n->size = npy->size;
    n->cells = tz_npz_array_cells(n->array);
    for (unsigned q = 0; q < rank; q++) {
        if (npy->extent[q + 1] > INT32_MAX)
            return tz_npz_fail(problems->npz, name, error, TZ_TOO_LARGE,
                               "axis %u has more than %d positions", q + 1, (int)INT32_MAX);
        n->extent[q] = (int32_t)npy->extent[q + 1];
    }
    if (!w->about->sparse)
        return tz_npz_count(problems, name, npy, error);
    if (which > 0 && npy->extent[0] != w->entries)
        return tz_npz_fail(problems->npz, name, error, TZ_BAD_ARGUMENT,
                           "%" PRIu64 " entries, but '%.60s' has %" PRIu64 " scores",
                           npy->extent[0], w->about->name, w->entries);
    w->entries = w->left = npy->extent[0];
    return TZ_OK;
}

/* The array of the indices of a sparse weight. */
static tz_status open_index(tz_npz_weight *w, tz_npz *npz, tz_error *error) {
    char form[80];
    w->index_name = tz_joined(w->about->name, ".", "index");
    if (w->index_name == NULL)
        return tz_npz_fail(npz, w->about->name, error, TZ_NO_MEMORY, "out of memory");
    snprintf(form, sizeof form, "integers [entries, %u], the problem first", w->about->rank + 1u);
    tz_status status = tz_npz_require(npz, w->index_name, form, &w->index, error);
    if (status != TZ_OK)
        return status;
    const tz_npy *npy = tz_npz_array_header(w->index);
    if (npy->kind != 'i' && npy->kind != 'u')
        return tz_npz_fail(npz, w->index_name, error, TZ_BAD_ARGUMENT,
                           "numbers of type '%s', but indices are integers: save astype('int32')",
                           npy->descr);
    if (npy->rank != 2 || npy->extent[1] != w->about->rank + 1u)
        return tz_npz_fail(npz, w->index_name, error, TZ_BAD_ARGUMENT, "give it as %s", form);
    if (npy->extent[0] != w->entries)
        return tz_npz_fail(npz, w->index_name, error, TZ_BAD_ARGUMENT,
                           "%" PRIu64 " entries, but '%.60s' has %" PRIu64 " scores",
                           npy->extent[0], w->about->name, w->entries);
    w->raw = malloc(CHUNK * sizeof(int64_t) * (w->about->rank + 1u));
    w->number = malloc(CHUNK * sizeof *w->number * (w->about->rank + 1u));
    if (w->raw == NULL || w->number == NULL)
        return tz_npz_fail(npz, w->index_name, error, TZ_NO_MEMORY, "out of memory");
    return TZ_OK;
}

static tz_status open_input(tz_npz_weight *w, tz_npz_problems *problems, size_t which,
                            const char *input, tz_error *error) {
    tz_npz_numbers *n = &w->numbers[which];
    n->name = tz_joined(w->about->name, ".", input);
    if (n->name == NULL)
        return tz_npz_fail(problems->npz, w->about->name, error, TZ_NO_MEMORY, "out of memory");
    tz_status status = tz_npz_array_open(problems->npz, n->name, &n->array, error);
    if (status == TZ_NONE)
        return TZ_OK;
    return status == TZ_OK ? take_numbers(w, problems, which, error) : status;
}

tz_status tz_npz_weight_open(tz_npz_weight *w, tz_npz_problems *problems, const tz_weight *about,
                             bool used, const tz_semiring *semiring, tz_error *error) {
    char form[240];
    *w = (tz_npz_weight){.about = about, .inputs = semiring->inputs};
    tz_status status =
        used ? tz_npz_require(problems->npz, about->name, say_form(about, form),
                              &w->numbers[0].array, error)
             : tz_npz_array_open(problems->npz, about->name, &w->numbers[0].array, error);
    if (status == TZ_NONE)
        return TZ_OK;
    if (status == TZ_OK)
        status = take_numbers(w, problems, 0, error);
    if (status == TZ_OK && about->sparse)
        status = open_index(w, problems->npz, error);
    for (size_t i = 0; i < w->inputs && status == TZ_OK; i++)
        status = open_input(w, problems, 1 + i, semiring->input[i].name, error);
    return status;
}

void tz_npz_weight_free(tz_npz_weight *w) {
    for (size_t i = 0; i <= w->inputs; i++) {
        tz_npz_array_free(w->numbers[i].array);
        free(w->numbers[i].name);
        free(w->numbers[i].data);
    }
    tz_npz_array_free(w->index);
    free(w->index_name);
    free(w->problem);
    free(w->at);
    free(w->first);
    free(w->raw);
    free(w->number);
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* The next `rows` rows of an array, behind `held` of them. */
static tz_status read_numbers(tz_npz_weight *w, const tz_npz *npz, size_t which, size_t held,
                              size_t rows, size_t count, tz_error *error) {
    tz_npz_numbers *n = &w->numbers[which];
    size_t cells;
    if (n->array == NULL)
        return TZ_OK;
    if (__builtin_mul_overflow(held + rows, w->about->sparse ? 1 : n->cells, &cells) ||
        !tz_grow_any(&n->data, &n->capacity, cells + 1, n->size, false))
        return tz_npz_fail_memory(npz, name_of(w, which), count, error);
    return tz_npz_array_read(n->array, rows, n->data + held * n->size, error);
}

/* The next entries of a sparse weight, behind those that are held. */
static tz_status read_chunk(tz_npz_weight *w, const tz_npz_problems *problems, uint64_t next,
                            size_t problem_count, tz_error *error) {
    unsigned rank = w->about->rank;
    size_t count = w->left < CHUNK ? (size_t)w->left : CHUNK, held = w->held;
    tz_npz *npz = problems->npz;
    tz_status status = TZ_OK;
    if (!TZ_GROW(w->problem, &w->problem_capacity, held + count) ||
        !tz_grow_any(&w->at, &w->at_capacity, held + count, sizeof *w->at * (rank + 1u), false))
        return tz_npz_fail_memory(npz, w->about->name, problem_count, error);
    for (size_t i = 0; i <= w->inputs && status == TZ_OK; i++)
        status = read_numbers(w, npz, i, held, count, problem_count, error);
    if (status == TZ_OK)
        status = tz_npz_array_read(w->index, count, w->raw, error);
    if (status != TZ_OK)
        return status;
    tz_npy_integers(tz_npz_array_header(w->index), w->raw, count * (rank + 1), w->number);
    int64_t last = held > 0 ? w->problem[held - 1] : 0;
    for (size_t e = 0; e < count; e++) {
        const int64_t *number = &w->number[e * (rank + 1)];
        uint64_t entry = w->entries - w->left + e;
        if (number[0] < 0 || (uint64_t)number[0] >= problems->count)
            return tz_npz_fail(npz, w->index_name, error, TZ_BAD_ARGUMENT,
                               "entry %" PRIu64 " is of problem %" PRId64
                               ", but they are 0 to %" PRIu64,
                               entry, number[0], problems->count - 1);
        if (number[0] < last || (uint64_t)number[0] < next)
            return tz_npz_fail(npz, w->index_name, error, TZ_BAD_ARGUMENT,
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

static tz_status read_sparse(tz_npz_weight *w, const tz_npz_problems *problems, uint64_t next,
                             size_t count, tz_error *error) {
    uint64_t end = next + count;
    unsigned rank = w->about->rank;
    size_t kept = w->held - w->used, e = 0;
    if (!TZ_GROW(w->first, &w->first_capacity, count + 1))
        return tz_npz_fail_memory(problems->npz, w->about->name, count, error);
    if (w->used > 0) {
        memmove(w->problem, w->problem + w->used, kept * sizeof *w->problem);
        memmove(w->at, w->at + w->used * rank, kept * rank * sizeof *w->at);
        for (size_t i = 0; i <= w->inputs; i++) {
            tz_npz_numbers *n = &w->numbers[i];
            if (n->array != NULL)
                memmove(n->data, n->data + w->used * n->size, kept * n->size);
        }
    }
    w->held = kept;
    w->used = 0;
    while (w->left > 0 && (w->held == 0 || (uint64_t)w->problem[w->held - 1] < end)) {
        tz_status status = read_chunk(w, problems, next, count, error);
        if (status != TZ_OK)
            return status;
    }
    for (size_t row = 0; row < count; row++) {
        w->first[row] = e;
        while (e < w->held && (uint64_t)w->problem[e] == next + row)
            e++;
    }
    w->first[count] = w->used = e;
    return TZ_OK;
}

tz_status tz_npz_weight_read(tz_npz_weight *w, const tz_npz_problems *problems, uint64_t next,
                             size_t count, tz_error *error) {
    tz_status status = TZ_OK;
    if (w->about->sparse)
        return read_sparse(w, problems, next, count, error);
    for (size_t i = 0; i <= w->inputs && status == TZ_OK; i++)
        status = read_numbers(w, problems->npz, i, 0, count, count, error);
    return status;
}

void tz_npz_weight_scores(const tz_npz_weight *w, size_t which, size_t count, size_t scores_stride,
                          tz_scores *scores) {
    const tz_npz_numbers *n = &w->numbers[which];
    unsigned rank = w->about->rank;
    tz_scores all = {.type = n->type, .stride = {1}};
    ptrdiff_t stride = 1;
    for (unsigned q = rank; q-- > 0 && !w->about->sparse; stride *= n->extent[q]) {
        all.stride[q] = stride;
        all.extent[q] = n->extent[q];
    }
    for (size_t row = 0; row < count; row++, scores += scores_stride) {
        *scores = all;
        if (n->data == NULL)
            continue;
        scores->data = n->data + row * n->cells * n->size;
        if (w->about->sparse) {
            scores->data = n->data + w->first[row] * n->size;
            scores->index = w->at + w->first[row] * rank;
            scores->entries = w->first[row + 1] - w->first[row];
        }
    }
}
