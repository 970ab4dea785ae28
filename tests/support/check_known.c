/* check_known.c - see check_known.h. SPDX-License-Identifier: MIT */
#include "check_known.h"

#include "tests/support/test.h"

#include "evaluate.h"

void check_near(double got, long double want, double tolerance) {
    if ((long double)got == want)
        return;
    if (!(fabsl((long double)got - want) <= tolerance * (1 + fabsl(want))))
        fail_msg("%.17g, not %.17Lg", got, want);
}

static void check_cells(tz_chart *chart, size_t lane, const known *k, double tolerance) {
    for (unsigned w = 0; w < tz_rules_count(k->rules, TZ_WEIGHTS); w++) {
        FREED(double, cell) = need(calloc(k->own.cells[w] + 1, sizeof *cell));
        tz_output output = problem_output(&k->own, w, cell);
        assert_int_equal(tz_marginals(chart, lane, w, &output), k->possible ? TZ_OK : TZ_NONE);
        for (size_t c = 0; c < k->own.cells[w] && k->possible > 0; c++) {
            int32_t index[TZ_MAX_RANK];
            cell_index(&k->own, w, c, index);
            check_near(cell[c], known_marginal(k, w, index), tolerance);
            tz_enum_use use = {.weight = (uint16_t)w};
            memcpy(use.index, index, weight_of(k->rules, w)->rank * sizeof *index);
            for (size_t f = 0; f < k->own.problem.fact_count; f++)
                if (!k->fact[f].required && known_covers(k->rules, &k->fact[f], &use))
                    assert_true(cell[c] == 0);
        }
    }
}

/* Items: how often they are used, and what they are worth where no derivation uses them. */
static void check_items(tz_chart *chart, size_t lane, const known *k, double tolerance) {
    for (unsigned i = 0; i < k->rules->items; i++) {
        size_t cells = 1;
        tz_shape shape = shape_of(k->rules, TZ_ITEM + i, k->own.lengths);
        for (unsigned q = 0; q < shape.rank; q++)
            cells *= (size_t)shape.extent[q];
        FREED(double, number) = need(calloc(cells + 1, sizeof *number));
        tz_output output = tz_output_dense(&shape, number);
        assert_int_equal(tz_marginals(chart, lane, TZ_ITEM + i, &output),
                         k->possible ? TZ_OK : TZ_NONE);
        for (size_t c = 0; c < cells && k->possible > 0; c++) {
            tz_enum_use use = {.weight = (uint16_t)i, .item = true};
            size_t rest = c;
            for (unsigned q = shape.rank; q-- > 0; rest /= (size_t)shape.extent[q])
                use.index[q] = shape.origin[q] + (int32_t)(rest % (size_t)shape.extent[q]);
            check_near(number[c], known_item_marginal(k, i, use.index), tolerance);
            for (size_t f = 0; f < k->own.problem.fact_count; f++) {
                double inside, outside;
                if (k->fact[f].required || !known_covers(k->rules, &k->fact[f], &use))
                    continue;
                assert_ok(tz_item_value(chart, lane, i, use.index, false, &inside));
                assert_ok(tz_item_value(chart, lane, i, use.index, true, &outside));
                assert_true(number[c] == 0 && inside == -INFINITY && outside == -INFINITY);
            }
        }
    }
}

static void check_best(tz_chart *chart, size_t lane, const known *k, double tolerance) {
    const tz_derivation *best;
    assert_int_equal(tz_best(chart, lane, TZ_GOAL, NULL, &best), k->possible ? TZ_OK : TZ_NONE);
    if (k->possible == 0)
        return;
    long double sum = 0;
    bool used[MAX_FACTS] = {false};
    for (size_t u = 0; u < best->uses; u++) {
        tz_enum_use use = {.weight = (uint16_t)best->use[u].weight};
        memcpy(use.index, best->use[u].index, sizeof use.index);
        sum += best->use[u].score;
        for (size_t f = 0; f < k->own.problem.fact_count; f++)
            used[f] |= known_covers(k->rules, &k->fact[f], &use);
    }
    for (size_t i = 0; i < best->nodes; i++) {
        tz_enum_use use = {.weight = (uint16_t)best->node[i].item, .item = true};
        memcpy(use.index, best->node[i].index, sizeof use.index);
        for (size_t f = 0; f < k->own.problem.fact_count; f++)
            used[f] |= known_covers(k->rules, &k->fact[f], &use);
    }
    for (size_t f = 0; f < k->own.problem.fact_count; f++)
        assert_true(used[f] == k->fact[f].required);
    check_near(best->score, k->best, tolerance);
    check_near((double)sum, k->best, tolerance);
}

void check_known(tz_chart *chart, size_t lane, const known *k, const char *semiring,
                 double tolerance) {
    double value;
    value = goal_of(chart, lane);
    if (strstr(semiring, "log") != NULL || strcmp(semiring, "entropy") == 0) {
        check_near(value, k->log_z, tolerance);
        check_cells(chart, lane, k, 10 * tolerance);
        check_items(chart, lane, k, 10 * tolerance);
    } else if (strstr(semiring, "max") != NULL) {
        check_near(value, k->best, tolerance);
        check_best(chart, lane, k, tolerance);
    } else if (strstr(semiring, "count") != NULL) {
        assert_true(value == (double)k->possible);
    } else if (strstr(semiring, "bool") != NULL) {
        assert_true(value == (k->possible > 0));
    } else if (strstr(semiring, "kbest") != NULL) {
        check_near(value, k->best, tolerance);
    }
}

void known_make_small(known *k, const tz_rules *rules, size_t limit, score_source source,
                      random_state *random) {
    int32_t lengths[TZ_MAX_LENGTHS];
    bool fits = false;
    for (int32_t n = (int32_t)random_below(random, 6); !fits; n--) {
        set_lengths(rules, n, 2, lengths);
        fits = known_make(k, rules, lengths, limit, source, random);
        if (!fits)
            known_free(k);
    }
}
