/* problem.c - random problems for any rule set. SPDX-License-Identifier: MIT */
#include "problem.h"

#include <stdlib.h>
#include <string.h>

#include "rules/tell/cost.h"
#include "rules/tell/enumerate.h"
#include "tests/support/need.h"

static bool are_affordable(const tz_rules *rules, const int32_t *lengths) {
    for (unsigned k = 0; k < rules->kinds; k++)
        if (rules->kind[k].rank > 3 && tz_kind_cells(rules, k, lengths) > 20000)
            return false;
    return true;
}

void set_affordable_lengths(const tz_rules *rules, int32_t n, int32_t labels, int32_t *lengths) {
    set_lengths(rules, n, labels, lengths);
    while (!are_affordable(rules, lengths))
        set_lengths(rules, --n, labels, lengths);
}

unsigned most_indices(const tz_rules *rules) {
    unsigned most = 0;
    for (unsigned k = 0; k < rules->kinds; k++)
        most = rules->kind[k].rank > most ? rules->kind[k].rank : most;
    for (unsigned w = 0; w < rules->weights; w++)
        most = rules->weight[w].rank > most ? rules->weight[w].rank : most;
    return most;
}

double dense_cells(const tz_rules *rules, const int32_t *lengths) {
    double cells = 0;
    for (unsigned w = 0; w < rules->weights; w++) {
        tz_shape shape;
        double product = 1;
        if (rules->weight[w].sparse || tz_rules_shape(rules, w, lengths, &shape) != TZ_OK)
            continue;
        for (unsigned q = 0; q < shape.rank; q++)
            product *= shape.extent[q];
        cells += product;
    }
    return cells;
}

static int ignore(void *user, const tz_enum_use *uses, size_t count) {
    (void)user, (void)uses, (void)count;
    return 0;
}

void random_lengths(const tz_rules *rules, int32_t most, size_t limit, random_state *random,
                    int32_t *lengths) {
    do
        for (unsigned l = 0; l < rules->lengths; l++)
            lengths[l] = (int32_t)random_below(random, (uint64_t)most + 1);
    while (tz_enumerate(rules, lengths, limit, ignore, NULL) == TZ_TOO_LARGE);
}

void make_problem(const tz_rules *rules, const int32_t *lengths, score_source source,
                  random_state *random, random_problem *ret) {
    *ret = (random_problem){.problem = {.lengths = ret->lengths, .scores = ret->scores}};
    if (rules->weights > MAX_WEIGHTS)
        exit(1);
    memcpy(ret->lengths, lengths, rules->lengths * sizeof *lengths);
    for (unsigned w = 0; w < rules->weights; w++) {
        tz_shape *shape = &ret->shape[w];
        if (tz_rules_shape(rules, w, lengths, shape) != TZ_OK)
            exit(1);
        size_t cells = 1;
        for (unsigned q = 0; q < shape->rank; q++)
            cells *= (size_t)shape->extent[q];
        ret->data[w] = need(calloc(cells + 1, sizeof(double)));
        ret->scores[w] = tz_scores_dense(shape, ret->data[w]);
        ret->index[w] = need(calloc(cells + 1, TZ_MAX_RANK * sizeof(int32_t)));
        for (size_t c = 0; c < cells; c++) {
            int32_t index[TZ_MAX_RANK];
            size_t rest = c;
            for (unsigned q = shape->rank; q-- > 0;) {
                index[q] = shape->origin[q] + (int32_t)(rest % (size_t)shape->extent[q]);
                rest /= (size_t)shape->extent[q];
            }
            bool declared = tz_rules_declared(rules, w, lengths, index);
            double score = source(random);
            if (!shape->sparse) {
                /* What lies outside the domain must never be read. */
                ret->data[w][c] = declared ? score : NAN;
                continue;
            }
            /* So few are left out that derivations remain, of long problems too. */
            if (!declared || random_below(random, cells > 6 ? cells : 6) == 0)
                continue;
            size_t e = ret->cells[w]++, at = random_below(random, e + 1);
            /* In any order: a new entry takes a random place. */
            memcpy(ret->index[w] + e * shape->rank, ret->index[w] + at * shape->rank,
                   shape->rank * sizeof *index);
            memcpy(ret->index[w] + at * shape->rank, index, shape->rank * sizeof *index);
            ret->data[w][e] = ret->data[w][at];
            ret->data[w][at] = score;
        }
        if (shape->sparse)
            ret->scores[w] = (tz_scores){.data = ret->data[w],
                                         .stride = {1},
                                         .index = ret->index[w],
                                         .entries = ret->cells[w]};
        else
            ret->cells[w] = cells;
    }
}

void free_problem(const tz_rules *rules, random_problem *problem) {
    for (unsigned w = 0; w < rules->weights; w++) {
        free(problem->data[w]);
        free(problem->index[w]);
    }
}

size_t problem_cell(const random_problem *problem, unsigned weight, const int32_t *index) {
    const tz_shape *shape = &problem->shape[weight];
    if (shape->sparse) {
        for (size_t e = 0; e < problem->cells[weight]; e++)
            if (memcmp(problem->index[weight] + e * shape->rank, index,
                       shape->rank * sizeof *index) == 0)
                return e;
        return SIZE_MAX;
    }
    size_t cell = 0;
    for (unsigned q = 0; q < shape->rank; q++)
        cell = cell * (size_t)shape->extent[q] + (size_t)(index[q] - shape->origin[q]);
    return cell;
}

double problem_score(const random_problem *problem, unsigned weight, const int32_t *index) {
    size_t cell = problem_cell(problem, weight, index);
    return cell == SIZE_MAX ? -INFINITY : problem->data[weight][cell];
}
