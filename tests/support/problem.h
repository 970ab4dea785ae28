/* problem.h - random problems for any rule set. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_PROBLEM_H
#define TZ_TESTS_SUPPORT_PROBLEM_H

#include "random.h"
#include "rules/table.h"
#include "rules/tell/enumerate.h"

enum { MAX_WEIGHTS = 16, MAX_INPUTS = 4 };

/* A problem that owns its scores. */
typedef struct random_problem {
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_scores scores[MAX_WEIGHTS];
    tz_shape shape[MAX_WEIGHTS];
    double *data[MAX_WEIGHTS];
    int32_t *index[MAX_WEIGHTS];
    size_t cells[MAX_WEIGHTS]; /* of data: of the shape, or entries */
    tz_input_numbers numbers[MAX_INPUTS];
    int32_t *number[MAX_INPUTS];
    int32_t first[MAX_INPUTS][TZ_MAX_RANK]; /* index values of the first number */
    tz_problem problem;
} random_problem;

/* One that the rules declare, of which problems have scores. */
static inline const tz_weight *weight_of(const tz_rules *rules, size_t weight) {
    unsigned count;
    return tz_declared_weights(rules, &count) + weight;
}

typedef double (*score_source)(random_state *random);

static inline double integer_scores(random_state *random) {
    return (double)random_below(random, 7) - 3;
}
static inline double tiny_scores(random_state *random) {
    return random_between(random, -1e-3, 1e-3);
}
static inline double plain_scores(random_state *random) {
    return random_between(random, -5, 5);
}
static inline double wide_scores(random_state *random) {
    return random_between(random, -60, 60);
}
static inline double large_scores(random_state *random) {
    return random_between(random, -1e4, 1e4);
}
static inline double masked_scores(random_state *random) {
    return random_unit(random) < 0.4 ? -INFINITY : random_between(random, -5, 5);
}
static inline double masked_integers(random_state *random) {
    return random_unit(random) < 0.4 ? -INFINITY : integer_scores(random);
}
/* So low that what goes round in a closure adds up. */
static inline double low_scores(random_state *random) {
    return random_unit(random) < 0.3 ? -INFINITY : random_between(random, -9, -5);
}
static inline double low_integers(random_state *random) {
    return random_unit(random) < 0.3 ? -INFINITY : -5 - (double)random_below(random, 4);
}
static inline double equal_scores(random_state *random) {
    (void)random;
    return 0;
}
static inline double mixed_scores(random_state *random) {
    double sign = random_below(random, 2) ? 1 : -1;
    return sign * pow(10, random_between(random, -3, 4));
}

/* Lengths that `count` speaks of: `n` for lower-case ones, `labels` for label sets. */
static inline void set_lengths(const tz_rules *rules, int32_t n, int32_t labels, int32_t *lengths) {
    for (unsigned l = 0; l < rules->lengths; l++) {
        char first = rules->length_name[l][0];
        lengths[l] = first >= 'A' && first <= 'Z' ? labels : n;
    }
}

/* The same, but not so long that there are more derivations than enumeration has time for: what the
 * set counts for 5 says how fast they grow. */
static inline void set_countable_lengths(const tz_rules *rules, int32_t n, int32_t labels,
                                         int32_t *lengths) {
    bool fast = rules->counts >= 5 && rules->count[4] > 50000;
    set_lengths(rules, fast && n > 4 ? 4 : n, labels, lengths);
}

/* The same, but not so long that an item of many indices would have more cells than tests have time
 * for. */
void set_affordable_lengths(const tz_rules *rules, int32_t n, int32_t labels, int32_t *lengths);
/* Are there numbers for all positions of inputs? */
bool has_numbers(const tz_rules *rules, const int32_t *lengths);
/* Indices of the item or weight that has most. */
unsigned most_indices(const tz_rules *rules);
/* Cells of all dense weights, as arrays. */
double dense_cells(const tz_rules *rules, const int32_t *lengths);

/* Each length on its own and at random, at most `most`, but no more derivations than `limit`. */
void random_lengths(const tz_rules *rules, int32_t most, size_t limit, random_state *random,
                    int32_t *lengths);

/* Exits when memory is out: tests have nothing to recover. */
void make_problem(const tz_rules *rules, const int32_t *lengths, score_source source,
                  random_state *random, random_problem *ret);
void random_problem_free(random_problem *problem);
static inline void free_problems(random_problem *problem, size_t count) {
    for (size_t p = 0; p < count; p++)
        random_problem_free(&problem[p]);
}
/* The score of a cell; -INFINITY for an absent entry. */
double problem_score(const random_problem *problem, unsigned weight, const int32_t *index);
/* The declared weight that a use of one of the rules' weights is of, and its indices, looked up
 * anew; ret_index may be index. */
unsigned declared_use(const tz_rules *rules, const random_problem *problem, unsigned weight,
                      const int32_t *index, int32_t *ret_index);
/* A tz_enum_possible; user: a problem_cells. */
typedef struct problem_cells {
    const tz_rules *rules;
    const random_problem *problem;
} problem_cells;
bool is_possible(void *user, const tz_enum_use *use);
/* Position of a cell in the row-major array of the shape (sparse: the entry, or SIZE_MAX). */
size_t problem_cell(const random_problem *problem, unsigned weight, const int32_t *index);

/* tz_marginals, tz_through, ... */
typedef tz_status (*cell_numbers)(tz_chart *chart, size_t problem, size_t weight,
                                  const tz_output *output);

/* Numbers for all cells of a weight, [cells]. */
static inline tz_output problem_output(const random_problem *problem, unsigned weight,
                                       double *cell) {
    const tz_shape *shape = &problem->shape[weight];
    return shape->sparse ? (tz_output){cell, {1}} : tz_output_dense(shape, cell);
}

#endif
