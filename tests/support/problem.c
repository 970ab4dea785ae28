/* problem.c - random problems for any rule set. SPDX-License-Identifier: MIT */
#include "problem.h"

#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/tell/cost.h"
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

bool has_numbers(const tz_rules *rules, const int32_t *lengths) {
    for (unsigned i = 0; i < rules->inputs; i++) {
        tz_shape shape;
        int64_t bound;
        bool any = tz_rules_input_shape(rules, i, lengths, &shape, &bound) == TZ_OK;
        for (unsigned q = 0; q < shape.rank; q++)
            any &= shape.extent[q] > 0;
        if (any && bound <= 0)
            return false;
    }
    return true;
}

unsigned most_indices(const tz_rules *rules) {
    unsigned most = 0;
    for (unsigned k = 0; k < rules->kinds; k++)
        most = rules->kind[k].rank > most ? rules->kind[k].rank : most;
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        most = weight_of(rules, w)->rank > most ? weight_of(rules, w)->rank : most;
    return most;
}

double dense_cells(const tz_rules *rules, const int32_t *lengths) {
    double cells = 0;
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        tz_shape shape;
        double product = 1;
        if (weight_of(rules, w)->sparse || tz_rules_shape(rules, w, lengths, &shape) != TZ_OK)
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
    while (!has_numbers(rules, lengths) ||
           tz_enumerate(rules, lengths, limit, ignore, NULL) == TZ_TOO_LARGE);
}

/* Random numbers for an input. */
static void make_numbers(const tz_rules *rules, unsigned input, random_state *random,
                         random_problem *ret) {
    tz_shape shape;
    int64_t bound;
    size_t count = 1;
    if (tz_rules_input_shape(rules, input, ret->lengths, &shape, &bound) != TZ_OK)
        exit(1);
    for (unsigned q = 0; q < shape.rank; q++)
        count *= (size_t)shape.extent[q];
    ret->number[input] = need(calloc(count + 1, sizeof(int32_t)));
    for (size_t i = 0; i < count && bound > 0; i++)
        ret->number[input][i] = (int32_t)random_below(random, (uint64_t)bound);
    ret->numbers[input] = tz_input_numbers_dense(&shape, ret->number[input]);
    memcpy(ret->first[input], shape.origin, sizeof shape.origin);
}

unsigned declared_use(const tz_rules *rules, const random_problem *problem, unsigned weight,
                      const int32_t *index, int32_t *ret_index) {
    const tz_weight *used = &rules->weight[weight];
    int64_t own[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < used->rank; q++)
        own[q] = index[q];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        ret_index[q] = (int32_t)own[q];
    for (unsigned q = 0; q < used->views; q++) {
        const tz_view_index *view = &used->view[q];
        ptrdiff_t at = 0;
        for (unsigned f = 0; f < (view->looked_up ? rules->input[view->input].rank : 1u); f++) {
            int64_t value =
                tz_form_value(&view->at[f], rules->lengths, problem->lengths, used->rank, own);
            ret_index[q] = (int32_t)value;
            if (view->looked_up)
                at += (value - problem->first[view->input][f]) *
                      problem->numbers[view->input].stride[f];
        }
        if (view->looked_up)
            ret_index[q] = problem->number[view->input][at];
    }
    return used->declared;
}

void make_problem(const tz_rules *rules, const int32_t *lengths, score_source source,
                  random_state *random, random_problem *ret) {
    *ret = (random_problem){
        .problem = {.lengths = ret->lengths, .scores = ret->scores, .numbers = ret->numbers}};
    if (tz_rules_count(rules, TZ_WEIGHTS) > MAX_WEIGHTS)
        exit(1);
    memcpy(ret->lengths, lengths, rules->lengths * sizeof *lengths);
    if (rules->inputs > MAX_INPUTS)
        exit(1);
    for (unsigned i = 0; i < rules->inputs; i++)
        make_numbers(rules, i, random, ret);
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
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

void random_problem_free(random_problem *problem) {
    for (unsigned w = 0; w < MAX_WEIGHTS; w++) {
        free(problem->data[w]);
        free(problem->index[w]);
    }
    for (unsigned i = 0; i < MAX_INPUTS; i++)
        free(problem->number[i]);
}

bool is_possible(void *user, const tz_enum_use *use) {
    const problem_cells *of = user;
    int32_t index[TZ_MAX_RANK];
    unsigned weight = declared_use(of->rules, of->problem, use->weight, use->index, index);
    return problem_score(of->problem, weight, index) > -INFINITY;
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
