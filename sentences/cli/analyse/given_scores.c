/* given_scores.c - see given_scores.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/analyse/given_scores.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/lines.h"
#include "io/npz/npz_problem.h"

enum { ARC, BIGRAM, WEIGHTS }; /* of the rules */

static const double LARGEST = 1e9;

struct tz_given_scores {
    const char *path;
    const tz_rules *rules;
    tz_npz *npz;
    tz_npz_input *input;
    uint64_t done; /* problems */
};

/* What the readers of arrays say becomes a matter of the file. */
static tz_status of_file(tz_status status) {
    return status == TZ_BAD_ARGUMENT ? TZ_IO : status;
}

tz_status tz_given_scores_open(const char *path, tz_given_scores **ret_given, tz_error *error) {
    *ret_given = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return tz_bad_input(error, path, 0, "%s", strerror(errno));
    tz_given_scores *given = calloc(1, sizeof *given);
    if (!given) {
        fclose(file);
        return TZ_NO_MEMORY;
    }
    given->path = path;
    given->rules = tz_rules_find("compress-single-root");
    tz_status status = tz_npz_open(file, path, &given->npz, error);
    if (status == TZ_OK)
        status = tz_npz_input_new(given->npz, given->rules, tz_semiring_find("max", TZ_F64),
                                  &given->input, error);
    if (status != TZ_OK) {
        tz_given_scores_free(given);
        return of_file(status);
    }
    *ret_given = given;
    return TZ_OK;
}

void tz_given_scores_free(tz_given_scores *given) {
    if (given) {
        tz_npz_input_free(given->input);
        tz_npz_free(given->npz);
    }
    free(given);
}

static double score(const tz_scores *scores, ptrdiff_t at) {
    return scores->type == TZ_FLOAT ? (double)((const float *)scores->data)[at]
                                    : ((const double *)scores->data)[at];
}

/* A copy whose indices begin with 0; undeclared cells are 0. */
static tz_status copy(const tz_given_scores *given, const tz_problem *problem, size_t weight,
                      tz_arena *arena, tz_scores *ret_scores, tz_error *error) {
    tz_shape shape;
    tz_status status = tz_rules_shape(given->rules, weight, problem->lengths, &shape);
    if (status != TZ_OK)
        return status;
    const tz_scores *from = &problem->scores[weight];
    int32_t n = problem->lengths[0], wide = weight == ARC ? n + 1 : n + 2;
    double *to = tz_arena_array(arena, ((size_t)n + 1) * (size_t)wide, sizeof *to);
    if (!to)
        return TZ_NO_MEMORY;
    for (int32_t i = 0; i <= n; i++)
        for (int32_t j = 1; j < wide; j++) {
            if (weight == ARC ? i == j : i >= j)
                continue;
            double value = score(from, (i - shape.origin[0]) * from->stride[0] +
                                           (j - shape.origin[1]) * from->stride[1]);
            if (!(fabs(value) <= LARGEST) && value != -INFINITY)
                return tz_bad_input(
                    error, given->path, 0,
                    "problem %llu: %s[%d,%d] is %g; scores are from -1e9 to 1e9, or "
                    "-inf",
                    (unsigned long long)given->done,
                    tz_rules_name_of(given->rules, TZ_WEIGHTS, weight), (int)i, (int)j, value);
            to[(size_t)i * (size_t)wide + (size_t)j] = value;
        }
    *ret_scores =
        (tz_scores){.data = to, .type = TZ_DOUBLE, .extent = {n + 1, wide}, .stride = {wide, 1}};
    return TZ_OK;
}

static tz_status take(const tz_given_scores *given, const tz_problem *problem, tz_analysed *item,
                      tz_error *error) {
    int32_t words = item->sentence.words;
    if (problem->lengths[0] != words)
        return tz_bad_input(error, given->path, 0,
                            "problem %llu has n = %d, but its sentence has %d words; `trapeze tag "
                            "--format conllu` prints the words",
                            (unsigned long long)given->done, (int)problem->lengths[0], (int)words);
    tz_scores *scores = tz_arena_array(item->arena, WEIGHTS, sizeof *scores);
    tz_status status = scores ? TZ_OK : TZ_NO_MEMORY;
    for (size_t w = 0; w < WEIGHTS && status == TZ_OK; w++)
        status = copy(given, problem, w, item->arena, &scores[w], error);
    item->sentence.given = status == TZ_OK ? scores : NULL;
    return status;
}

tz_status tz_given_scores_next(tz_given_scores *given, tz_analysed *opt_item, tz_error *error) {
    uint64_t problems = tz_npz_input_problems(given->input);
    if (given->done == problems)
        return tz_bad_input(error, given->path, 0,
                            "it has %llu problems, and there are more sentences",
                            (unsigned long long)problems);
    tz_problem problem;
    tz_status status = of_file(tz_npz_input_read(given->input, 1, error));
    if (status == TZ_OK && opt_item) {
        tz_error wrong = {TZ_OK, ""};
        status = tz_npz_input_problem(given->input, 0, &problem, &wrong);
        if (status == TZ_BAD_ARGUMENT)
            return tz_bad_input(error, given->path, 0, "problem %llu: %s",
                                (unsigned long long)given->done, wrong.message);
        status = status == TZ_OK ? take(given, &problem, opt_item, error) : status;
    }
    given->done++;
    return status;
}

tz_status tz_given_scores_end(const tz_given_scores *given, tz_error *error) {
    uint64_t problems = tz_npz_input_problems(given->input);
    return given->done == problems
               ? TZ_OK
               : tz_bad_input(error, given->path, 0, "it has %llu problems for %llu sentences",
                              (unsigned long long)problems, (unsigned long long)given->done);
}
