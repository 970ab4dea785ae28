/* test_trace.c - does the direct way to best derivations take the same as the general way?
 *
 * A semiring without `trace` is traced the general way, instance by instance, which enumeration
 * checks (test_enumeration, test_random_rules). Both must give the same proof trees and uses, ties
 * included, for all built-in rule sets at sizes that enumeration does not reach, and for random
 * rule sets. TZ_SEED is the seed; TZ_RULE_SETS says how many.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>

#include "engine/plan/strips.h"
#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/random_rules.h"

enum { LANES = 4 };

static const score_source sources[] = {integer_scores, equal_scores,  masked_integers,
                                       plain_scores,   masked_scores, large_scores};
enum { SOURCES = sizeof sources / sizeof *sources };

/* Never finds anything: what the direct way is left with goes the general way. */
static size_t trace_nothing(const tz_semiring *self, tz_trail *trail, size_t count) {
    (void)self;
    (void)trail;
    (void)count;
    return 0;
}

typedef struct totals {
    unsigned kinds, direct, derivations;
    size_t nodes;
} totals;

static void check_same(const tz_rules *rules, const tz_derivation *a, const tz_derivation *b) {
    bool same = a->score == b->score && a->nodes == b->nodes && a->uses == b->uses &&
                memcmp(a->node, b->node, a->nodes * sizeof *a->node) == 0;
    for (size_t u = 0; u < a->uses && same; u++) {
        const tz_use *x = &a->use[u], *y = &b->use[u];
        same = x->weight == y->weight && x->score == y->score &&
               memcmp(x->index, y->index, sizeof x->index) == 0;
        if (u > 0 && same) {
            const tz_use *before = x - 1;
            bool ordered = before->weight <= x->weight;
            for (unsigned q = 0; q < TZ_MAX_RANK && before->weight == x->weight; q++)
                if (before->index[q] != x->index[q]) {
                    ordered = before->index[q] < x->index[q];
                    break;
                }
            if (!ordered)
                fail_msg("%s: use %zu is out of order", tz_rules_name(rules), u);
        }
    }
    if (!same)
        fail_msg("%s: another best derivation, of %zu nodes and %zu uses, not %zu and %zu",
                 tz_rules_name(rules), a->nodes, a->uses, b->nodes, b->uses);
}

static int compare_uses(const void *a, const void *b) {
    const tz_use *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (x->index[q] != y->index[q])
            return x->index[q] < y->index[q] ? -1 : 1;
    return (x->score > y->score) - (x->score < y->score);
}

/* tz_best_uses gives the uses of tz_best's derivation, in the same order whatever the way. */
static void check_uses(const tz_rules *rules, tz_chart *const *chart, unsigned charts, size_t lane,
                       const tz_derivation *best) {
    const size_t uses = best->uses, bytes = uses * sizeof *best->use;
    tz_use *expected = malloc(bytes + 1), *sorted = malloc(bytes + 1);
    assert_non_null(expected);
    assert_non_null(sorted);
    if (uses > 0)
        memcpy(expected, best->use, bytes); /* which the next call overwrites */
    const tz_use *first = NULL;
    for (unsigned c = 0; c < charts; c++) {
        const tz_use *use;
        size_t found;
        assert_ok(tz_best_uses(chart[c], lane, &use, &found));
        assert_int_equal(found, uses);
        if (c == 0)
            first = use;
        for (size_t u = 0; u < uses; u++)
            if (compare_uses(&use[u], &first[u]) != 0)
                fail_msg("%s: tz_best_uses has another order at use %zu", tz_rules_name(rules), u);
        if (uses > 0)
            memcpy(sorted, use, bytes);
        qsort(sorted, uses, sizeof *sorted, compare_uses);
        for (size_t u = 0; u < uses; u++)
            if (compare_uses(&sorted[u], &expected[u]) != 0)
                fail_msg("%s: tz_best_uses has another use than %zu", tz_rules_name(rules), u);
    }
    free(expected);
    free(sorted);
}

/* Lanes of these lengths under one semiring, as it is, without `trace` and with one that fails. */
static void compare(const tz_rules *rules, const tz_semiring *semiring,
                    int32_t (*lengths)[TZ_MAX_LENGTHS], unsigned lanes, score_source source,
                    random_state *random, totals *t) {
    tz_semiring without = *semiring, failing = *semiring;
    tz_kernels kernels = semiring->kernels != NULL ? *semiring->kernels : (tz_kernels){0};
    tz_kernels failing_kernels = kernels;
    kernels.trace = NULL;
    failing_kernels.trace = trace_nothing;
    without.kernels = &kernels;
    failing.kernels = &failing_kernels;
    const tz_semiring *way[] = {semiring, &without, &failing};
    random_problem p[LANES];
    tz_problem problem[LANES];
    tz_plan *plan[3];
    tz_chart *chart[3];
    for (unsigned lane = 0; lane < lanes; lane++) {
        make_problem(rules, lengths[lane], source, random, &p[lane]);
        problem[lane] = (tz_problem){
            .lengths = p[lane].lengths, .scores = p[lane].scores, .numbers = p[lane].numbers};
    }
    for (unsigned w = 0; w < 3; w++) {
        plan[w] = make_plan(rules, way[w], TZ_FORCE);
        chart[w] = make_chart(plan[w]);
        run_inside(chart[w], problem, lanes);
    }
    assert_non_null(plan[0]->strips[TZ_TRACED]);
    assert_null(plan[1]->strips[TZ_TRACED]);
    for (unsigned k = 0; k < rules->kinds; k++)
        t->direct += plan[0]->strips[TZ_TRACED]->kind[k].direct;
    t->kinds += rules->kinds;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const tz_derivation *best[3];
        tz_status status = tz_best(chart[0], lane, TZ_GOAL, NULL, &best[0]);
        for (unsigned w = 1; w < 3; w++) {
            assert_int_equal(tz_best(chart[w], lane, TZ_GOAL, NULL, &best[w]), status);
            if (status == TZ_OK)
                check_same(rules, best[0], best[w]);
        }
        if (status != TZ_OK)
            continue;
        t->derivations++;
        t->nodes += best[0]->nodes;
        check_uses(rules, chart, 3, lane, best[0]);
    }
    for (unsigned w = 0; w < 3; w++) {
        tz_chart_free(chart[w]);
        tz_plan_free(plan[w]);
    }
    free_problems(p, lanes);
}

static void report(const totals *t) {
    print_message("# %u of %u kinds traced directly, %u derivations of %zu nodes\n", t->direct,
                  t->kinds, t->derivations, t->nodes);
}

TEST(builtin) {
    random_state random = random_start("trace");
    totals t = {0};
    static const char *const names[] = {"max", "bool"};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        bool sparse = false;
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
            sparse |= weight_of(rules, w)->sparse;
        totals before = t;
        for (unsigned s = 0; s < 2 * SOURCES; s++)
            for (unsigned precision = AMOUNT(0, i % 2); precision < 2; precision += AMOUNT(1, 2)) {
                int32_t lengths[LANES][TZ_MAX_LENGTHS];
                unsigned lanes = s % 3 == 0 ? 1 : LANES;
                for (unsigned lane = 0; lane < lanes; lane++)
                    set_lengths(rules, s % 3 == 1 ? 9 : (int32_t)random_below(&random, 15), 3,
                                lengths[lane]);
                compare(rules, tz_semiring_find(names[s / SOURCES], (tz_precision)precision),
                        lengths, lanes, sources[s % SOURCES], &random, &t);
            }
        /* Every dense built-in rule set is one for the direct way. */
        if (!sparse)
            assert_int_equal(t.direct - before.direct, t.kinds - before.kinds);
    }
    report(&t);
    assert_true(t.derivations > 500);
}

TEST(random) {
    random_state random = random_start("trace of random rules");
    unsigned sets = random_rule_sets(AMOUNT(150, 12));
    totals t = {0};
    rules_text *text = need(malloc(sizeof *text));
    for (unsigned number = 0; number < sets; number++) {
        random_state own = {random.at * 1000003 + number};
        make_random_rules(&own, text);
        OWN(tz_rules, rules) = NULL;
        if (tz_rules_parse("random.rules", text->at, text->size, &rules, NULL) != TZ_OK)
            continue;
        for (unsigned s = 0; s < 3; s++) {
            int32_t lengths[LANES][TZ_MAX_LENGTHS];
            unsigned lanes = 1 + (unsigned)random_below(&own, LANES);
            for (unsigned lane = 0; lane < lanes; lane++)
                for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
                    lengths[lane][l] = (int32_t)random_below(&own, 6);
            compare(rules, tz_semiring_find("max", s == 0 ? TZ_F32 : TZ_F64), lengths, lanes,
                    sources[(number + s) % SOURCES], &own, &t);
        }
    }
    free(text);
    report(&t);
    assert_true(t.direct > t.kinds / 4 && t.derivations > sets / 4);
}

/* Trees as deep as the sentence is long, and uses of one head in descending order. */
TEST(deep) {
    enum { N = 300 };
    const tz_rules *rules = find_rules("eisner");
    random_state random = random_start("deep");
    for (unsigned shape = 0; shape < 2; shape++) {
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, N, equal_scores, &random, &p);
        for (size_t c = 0; c < p.cells[0]; c++) {
            int32_t index[TZ_MAX_RANK] = {0};
            cell_index(&p, 0, c, index);
            p.data[0][c] = shape == 0 ? index[0] == 0 : index[0] == index[1] - 1;
        }
        OWNED(evaluation, e) = evaluate_as(rules, "max", TZ_F32, &p);
        const tz_derivation *best = best_of(e.chart, 0);
        assert_true(best->score == N && best->uses == N);
        for (int u = 0; u < N; u++) {
            const int32_t *index = best->use[u].index;
            assert_true(index[0] == (shape == 0 ? 0 : u) && index[1] == u + 1);
        }
    }
}

/* Any item can be asked for: its derivation has its value and no other item at the root, and from
 * the goal's item it is that of the goal. */
TEST(items) {
    random_state random = random_start("items");
    for (size_t r = 0; tz_rules_builtin(r) != NULL; r++) {
        const tz_rules *rules = tz_rules_builtin(r);
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, 5, masked_integers, &random, &p);
        OWNED(evaluation, e) = evaluate(rules, "max", &p);
        size_t found = 0;
        for (unsigned item = 0; item < rules->items; item++)
            for (int cell = 0; cell < 8 * 8 * 8 * 8; cell++) {
                int32_t index[] = {cell % 8, cell / 8 % 8, cell / 64 % 8, cell / 512};
                const tz_derivation *best;
                double score = 0, value = item_value(&e, item, index, false);
                tz_status status = tz_best(e.chart, 0, item, index, &best);
                assert_int_equal(status, value > -INFINITY ? TZ_OK : TZ_NONE);
                if (status != TZ_OK)
                    continue;
                for (size_t u = 0; u < best->uses; u++)
                    score += best->use[u].score;
                assert_true(best->score == value && score == value);
                assert_true(best->node[0].item == item);
                for (unsigned q = 0; q < rules->item[item].rank; q++)
                    assert_int_equal(best->node[0].index[q], index[q]);
                found++;
            }
        assert_true(found > rules->items);
        const tz_derivation *best;
        if (tz_best(e.chart, 0, TZ_GOAL, NULL, &best) == TZ_OK) {
            FREED(tz_node, node) = need(malloc(best->nodes * sizeof *node));
            memcpy(node, best->node, best->nodes * sizeof *node);
            size_t nodes = best->nodes;
            assert_ok(tz_best(e.chart, 0, node->item, node->index, &best));
            assert_true(best->nodes == nodes &&
                        memcmp(best->node, node, nodes * sizeof *node) == 0);
        }
        int32_t index[TZ_MAX_RANK] = {0};
        assert_int_equal(tz_best(e.chart, 0, rules->items, index, &best), TZ_BAD_ARGUMENT);
        assert_int_equal(tz_best(e.chart, 1, 0, index, &best), TZ_BAD_ARGUMENT);
    }
}
