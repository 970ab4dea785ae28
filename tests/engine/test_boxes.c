/* test_boxes.c - where cells stand: each has a place of its own, there are as many places as is
 * told, and these grow as is told.
 *
 * Rule sets: all built-in ones, the gallery's, those of tests/rules/good, and random ones. TZ_SEED,
 * TZ_RULE_SETS: as in test_random_rules.c. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/layout/address.h"
#include "engine/layout/places.h"
#include "rules/polyhedra/form.h"
#include "rules/tell/cost.h"
#include "tests/support/evaluate.h"
#include "tests/support/random_rules.h"
#include "tests/support/rule_files.h"
#include "tests/support/rules_text.h"

#define ROOT TZ_SOURCE_ROOT "/"

/* ---- Rule sets ------------------------------------------------------------------------------- */

typedef void (*question)(const tz_rules *rules, const char *name, random_state *random);

static void ask_files(const char *folder, question ask, random_state *random) {
    rule_files files = rule_files_in(folder);
    for (tz_rules *rules; (rules = next_rules(&files)) != NULL; tz_rules_free(rules))
        ask(rules, file_of_rules(&files), random);
}

/* Asks of all. */
static void ask_all(const char *name, question ask) {
    random_state random = random_start(name);
    const unsigned sets = random_rule_sets(AMOUNT(100, 15));
    ask_files(ROOT "rules", ask, &random);
    ask_files(ROOT "rules/gallery", ask, &random);
    ask_files(ROOT "tests/rules/good", ask, &random);
    for (unsigned s = 0; s < sets; s++) {
        rules_text text;
        OWN(tz_rules, rules) = read_random_rules(&random, &text);
        if (rules == NULL)
            continue;
        ask(rules, text.at, &random);
    }
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Marks the place of a cell; it must be free, and among so many. */
static void take(char *taken, size_t places, ptrdiff_t at, const char *name) {
    if (at < 0 || (size_t)at >= places || taken[at])
        fail_msg("place %td of %zu is %s, in\n%s", at, places,
                 at >= 0 && (size_t)at < places ? "another cell's" : "none", name);
    taken[at] = 1;
}

/* The items of a kind for these lengths. */
static void take_items(const tz_chart *chart, unsigned k, const int32_t *lengths, char *taken,
                       const char *name) {
    const tz_rules *rules = chart->plan->rules;
    const tz_kind *kind = &rules->kind[k];
    int64_t low[TZ_MAX_RANK], index[TZ_MAX_RANK], high[TZ_MAX_RANK], coordinate[TZ_MAX_RANK];
    tz_form of[TZ_MAX_RANK];
    unsigned column[TZ_MAX_RANK];
    for (unsigned c = 0; c < kind->rank; c++) {
        tz_range_value(&kind->coordinate_range[c], rules->lengths, lengths, 0, NULL, &low[c],
                       &high[c]);
        column[c] = c;
        if (low[c] > high[c])
            return;
        coordinate[c] = low[c];
    }
    if (!tz_forms_invert(kind->coordinate, kind->rank, column, of))
        return;
    for (unsigned c = 1; c > 0;) {
        for (unsigned q = 0; q < kind->rank; q++)
            index[q] = tz_form_value(&of[q], 0, NULL, kind->rank, coordinate);
        if (tz_domain_holds(&kind->domain, rules->lengths, lengths, kind->rank, index))
            take(taken, chart->layout.cells[TZ_AT_INSIDE], tz_cell_offset(chart, k, index), name);
        for (c = kind->rank; c > 0 && ++coordinate[c - 1] > high[c - 1]; c--)
            coordinate[c - 1] = low[c - 1];
    }
}

static void take_weight(const tz_chart *chart, unsigned w, const int32_t *lengths, char *taken,
                        const char *name) {
    const tz_rules *rules = chart->plan->rules;
    const tz_weight *weight = &rules->weight[w];
    const tz_places places = tz_places_of_cells(chart, w);
    tz_rows rows;
    for (tz_rows_start(&rows, rules, w, lengths); tz_rows_next(&rows);) {
        ptrdiff_t apart, first = tz_row_place(&places, &rows, &apart);
        for (size_t x = 0; x < rows.count; x++) {
            int64_t index[TZ_MAX_RANK];
            for (unsigned q = 0; q < weight->rank; q++)
                index[q] = rows.index[q] + (int64_t)x * rows.move[q];
            if (tz_domain_holds(&weight->domain, rules->lengths, lengths, weight->rank, index))
                take(taken, chart->layout.cells[TZ_AT_WEIGHT], first + (ptrdiff_t)x * apart, name);
        }
    }
}

/* About as many as is told: rows and boxes may be longer in a chart, and lie closer only where
 * that is worth it. */
static void check_told(const tz_chart *chart, const int32_t *lengths, const char *name) {
    enum { LINE = 8 }; /* cells of 8 bytes in a line of the cache */
    const tz_rules *rules = chart->plan->rules;
    double told = 0, places = (double)chart->layout.cells[TZ_AT_INSIDE];
    for (unsigned k = 0; k < rules->kinds; k++)
        told += tz_kind_cells(rules, k, lengths);
    if (2 * places < told || places > 4 * told + LINE * rules->kinds)
        fail_msg("%.0f places where %.0f are told, in\n%s", places, told, name);
}

static unsigned closer_boxes; /* of items and weights */

/* Every cell of every lane. */
static void check_places(const tz_rules *rules, const char *name, random_state *random) {
    enum { LANES = 3 };
    tz_chart *chart;
    random_problem lane[LANES];
    tz_problem problems[LANES];
    if (tz_has_closures(rules) || tz_rules_count(rules, TZ_WEIGHTS) > MAX_WEIGHTS ||
        most_indices(rules) > 4)
        return;
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("max", TZ_F64), TZ_FORCE);
    for (unsigned lanes = 1; lanes <= LANES; lanes += LANES - 1) {
        chart = make_chart(plan);
        for (unsigned l = 0; l < lanes; l++) {
            int32_t lengths[TZ_MAX_LENGTHS];
            do
                for (unsigned n = 0; n < rules->lengths; n++)
                    lengths[n] = (int32_t)random_below(random, 14);
            while (!has_numbers(rules, lengths));
            make_problem(rules, lengths, plain_scores, random, &lane[l]);
            problems[l] = lane[l].problem;
        }
        if (tz_bind(chart, problems, lanes, NULL) == TZ_OK) {
            FREED(char, taken) = need(calloc(
                chart->layout.cells[TZ_AT_INSIDE] + chart->layout.cells[TZ_AT_WEIGHT] + 1, 1));
            if (lanes == 1)
                check_told(chart, lane[0].lengths, name);
            for (unsigned k = 0; k < rules->kinds; k++)
                closer_boxes += chart->layout.box[k].closer;
            for (unsigned w = 0; w < rules->weights; w++)
                closer_boxes += chart->layout.weight_box[w].closer;
            for (unsigned l = 0; l < lanes; l++) {
                memset(taken, 0, chart->layout.cells[TZ_AT_INSIDE]);
                for (unsigned k = 0; k < rules->kinds; k++)
                    take_items(chart, k, lane[l].lengths, taken, name);
                memset(taken, 0, chart->layout.cells[TZ_AT_WEIGHT]);
                for (unsigned w = 0; w < rules->weights; w++)
                    if (!chart->layout.weight_box[w].absent)
                        take_weight(chart, w, lane[l].lengths, taken, name);
            }
        }
        free_problems(lane, lanes);
        tz_chart_free(chart);
    }
}

TEST(places) {
    closer_boxes = 0;
    ask_all("places", check_places);
    print_message("%u boxes with rows that lie closer\n", closer_boxes);
    assert_true(closer_boxes > AMOUNT(25, 2) || getenv("TZ_RULE_SETS") != NULL);
}

/* ---- Growth ---------------------------------------------------------------------------------- */

/* The value of a growth such as "n T^2 + (A+B)^2" for these lengths. */
static double growth_value(const tz_rules *rules, const char *text, const int32_t *lengths) {
    double sum = 0, product = 1, factor = 0;
    bool open = false;
    for (const char *at = text;;) {
        if (*at == '(') {
            open = true;
            at++;
        } else if (*at == '1') {
            factor = 1;
            at++;
        } else {
            unsigned found = rules->lengths;
            size_t size = 0;
            for (unsigned l = 0; l < rules->lengths; l++) {
                size_t its = strlen(rules->length_name[l]);
                if (its > size && strncmp(at, rules->length_name[l], its) == 0)
                    found = l, size = its;
            }
            if (found == rules->lengths)
                fail_msg("\"%s\" at \"%s\"", text, at);
            factor += lengths[found];
            at += size;
        }
        if (open && *at == '+') {
            at++;
            continue;
        }
        if (*at == ')') {
            open = false;
            at++;
        }
        if (open)
            continue;
        double power = 1;
        if (*at == '^')
            power = (double)strtol(at + 1, (char **)&at, 10);
        product *= pow(factor, power);
        factor = 0;
        if (*at == '\0' || strncmp(at, " + ", 3) == 0) {
            sum += product;
            product = 1;
            if (*at == '\0')
                return sum;
            at += 3;
        } else {
            at++;
        }
    }
}

static double all_cells(const tz_rules *rules, const int32_t *lengths) {
    double cells = 0;
    for (unsigned k = 0; k < rules->kinds; k++)
        cells += tz_kind_cells(rules, k, lengths);
    return cells;
}

static double cells_over_told(const tz_rules *rules, const char *text, int32_t ratio) {
    int32_t lengths[TZ_MAX_LENGTHS] = {0}, length = 1;
    for (unsigned l = rules->lengths; l-- > 0;)
        lengths[l] = length *= ratio;
    return all_cells(rules, lengths) / growth_value(rules, text, lengths);
}

/* For lengths each `ratio` times the next, as growth is told for: cells over what is told is a
 * constant, nearly. A length too many or too few would change it by a power of `ratio`. */
static void check_growth(const tz_rules *rules, const char *name, random_state *random) {
    static const int32_t some[] = {64, 64, 16, 8}, many[] = {4096, 4096, 256, 64};
    (void)random;
    char text[256];
    const unsigned lengths = rules->lengths;
    assert_ok(tz_rules_degree(rules, true, text, sizeof text));
    if (lengths >= sizeof some / sizeof *some)
        return;
    double few = cells_over_told(rules, text, some[lengths]), more = INFINITY;
    /* Of items with many indices there may be more than can be told. */
    for (int32_t ratio = many[lengths]; isinf(more); ratio /= 2) {
        if (ratio <= some[lengths])
            return;
        more = cells_over_told(rules, text, ratio);
    }
    if (few > 3 * more || more > 3 * few)
        fail_msg("space %s, but boxes grow %.3g times as fast, in\n%s", text, more / few, name);
}

TEST(growth) {
    ask_all("growth", check_growth);
}

/* ---- Full boxes ------------------------------------------------------------------------------ */

/* Where nothing is to be gained, rows lie one after the other, with room between them that passes
 * make use of: in all built-in rule sets, for lengths that are alike. */
TEST(full_boxes) {
    const tz_rules *rules;
    for (size_t r = 0; (rules = tz_rules_builtin(r)) != NULL; r++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        set_lengths(rules, 40, 5, lengths);
        for (unsigned k = 0; k < rules->kinds; k++) {
            double full = 1;
            for (unsigned c = 0; c < rules->kind[k].rank; c++) {
                int64_t low, high;
                tz_range_value(&rules->kind[k].coordinate_range[c], rules->lengths, lengths, 0,
                               NULL, &low, &high);
                full *= (double)(high - low + 1);
            }
            if (tz_kind_cells(rules, k, lengths) != full)
                fail_msg("%s: %s has %.0f places of %.0f", rules->name, rules->kind[k].name,
                         tz_kind_cells(rules, k, lengths), full);
        }
    }
}

/* ---- Bands ----------------------------------------------------------------------------------- */

/* Edit distance within b of the diagonal; how dear a pair is is looked up by its two symbols. */
static const char band[] = "rules band\n"
                           "ambiguous\n"
                           "length n, m, b, V\n"
                           "input x[i] < V  1 <= i <= n\n"
                           "input y[j] < V  1 <= j <= m\n"
                           "weight sub[u,v] 0 <= u < V, 0 <= v < V\n"
                           "weight gap\n"
                           "item at[i,j]  0 <= i <= n, 0 <= j <= m, i <= j+b, j <= i+b\n"
                           "goal at[n,m]\n\n"
                           "    axiom\n"
                           "    --- begin\n"
                           "    at[0,0]\n\n"
                           "    at[i-1,j-1]\n"
                           "    --- pair  * sub[x[i],y[j]]\n"
                           "    at[i,j]\n\n"
                           "    at[i-1,j]\n"
                           "    --- del  * gap\n"
                           "    at[i,j]\n\n"
                           "    at[i,j-1]\n"
                           "    --- ins  * gap\n"
                           "    at[i,j]\n";

TEST(band_grows_as_told) {
    OWN(tz_rules, rules) = parse_rules(band);
    char text[64];
    assert_ok(tz_rules_degree(rules, true, text, sizeof text));
    assert_string_equal(text, "m b");
    /* Two steps of i + j for each i, with b of them each. */
    assert_true(all_cells(rules, (const int32_t[]){20000, 20000, 50, 4}) < 2.2 * 20000 * 50);
}

/* The most expected uses of a derivation; *ret_bytes: of the scores that they are. */
static double least_risk(const evaluation *e, size_t *ret_bytes) {
    OWN(tz_plan, plan) = make_plan(e->rules, tz_semiring_find("max", TZ_F64), TZ_FORCE);
    OWN(tz_chart, decoder) = make_chart(plan);
    assert_ok(tz_bind_risk(decoder, e->chart, 0, NULL, NULL));
    double value = goal_of(decoder, 0);
    *ret_bytes = decoder->risk.size;
    return value;
}

/* All that a chart of a long band holds, and what it says. Of so many cells a full array has more
 * than a million. */
TEST(long_band) {
    enum { N = 1500, M = 1490, B = 12, V = 4, SUB = 0, GAP = 1 };
    random_state random = random_start("band");
    OWN(tz_rules, rules) = parse_rules(band);
    random_problem p;
    make_problem(rules, (const int32_t[]){N, M, B, V}, plain_scores, &random, &p);
    evaluation fast = evaluate(rules, "log", &p),
               plain = evaluate_with(rules, tz_semiring_find("log", TZ_F64), TZ_PLAIN, &p);
    double a = evaluation_goal(&fast), b = evaluation_goal(&plain);
    assert_true(fabs(a - b) <= 1e-12 * fabs(b));
    for (unsigned w = SUB; w <= GAP; w++) {
        double *one = evaluation_cells(&fast, tz_marginals, w),
               *other = evaluation_cells(&plain, tz_marginals, w);
        for (size_t c = 0; c < p.cells[w]; c++)
            assert_true(fabs(one[c] - other[c]) <= 1e-9 * (1 + fabs(other[c])));
        free(one);
        free(other);
    }
    size_t risk;
    a = least_risk(&fast, &risk), b = least_risk(&plain, &risk);
    assert_true(fabs(a - b) <= 1e-9 * fabs(b));
    assert_true(risk < 2 * sizeof(double) * (N + M) * (B + 4));
    const tz_chart *chart = fast.chart;
    size_t bytes = chart->given.cells.size + chart->given.summing.size;
    for (unsigned s = 0; s < TZ_SPACES; s++)
        bytes += chart->space[s].size;
    /* Items, and what they are multiplied with, inside and outside; scores; marginals. */
    assert_true(bytes < 8 * sizeof(double) * (N + M) * (B + 4));
    evaluation_free(&fast);
    evaluation_free(&plain);
    /* Several side by side, of other lengths. */
    enum { LANES = 3 };
    random_problem lane[LANES];
    tz_problem problems[LANES];
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("log", TZ_F64), TZ_FORCE);
    OWN(tz_chart, side_by_side) = make_chart(plan);
    for (int l = 0; l < LANES; l++) {
        make_problem(rules, (const int32_t[]){N - 100 * l, M - 100 * l, B - l, V}, plain_scores,
                     &random, &lane[l]);
        problems[l] = lane[l].problem;
    }
    run_outside(side_by_side, problems, LANES);
    for (int l = 0; l < LANES; l++) {
        OWNED(evaluation, e) = evaluate(rules, "log", &lane[l]);
        double value, own[V * V], *cell = evaluation_cells(&e, tz_marginals, SUB);
        tz_output output = problem_output(&lane[l], SUB, own);
        assert_ok(tz_goal(side_by_side, (size_t)l, &value));
        assert_true(value == evaluation_goal(&e));
        assert_ok(tz_marginals(side_by_side, (size_t)l, SUB, &output));
        assert_memory_equal(own, cell, sizeof own);
        free(cell);
        random_problem_free(&lane[l]);
    }
    random_problem_free(&p);
}

/* log(exp(a) + exp(b)) */
static double log_plus(double a, double b) {
    double most = fmax(a, b), least = fmin(a, b);
    return least == -INFINITY ? most : most + log1p(exp(least - most));
}

/* Nothing goes through the square of which the band is a ten-thousandth. */
TEST(very_long_band) {
    enum { N = AMOUNT(200000, 30000), B = 2, V = 4, SUB = 0, GAP = 1, WIDTH = 2 * B + 1 };
    random_state random = random_start("long band");
    OWN(tz_rules, rules) = parse_rules(band);
    OWNED(random_problem, p) = {0};
    make_problem(rules, (const int32_t[]){N, N, B, V}, plain_scores, &random, &p);
    OWNED(evaluation, e) = evaluate(rules, "log", &p);
    double row[WIDTH]; /* of at[i,i-B], at[i,i-B+1], ... */
    for (int i = 0; i <= N; i++) {
        double above[WIDTH];
        memcpy(above, row, sizeof row);
        for (int d = 0; d < WIDTH; d++) {
            int j = i + d - B;
            row[d] = i == 0 && j == 0 ? 0 : -INFINITY;
            if (j < 0 || j > N)
                continue;
            if (i > 0 && j > 0)
                row[d] = log_plus(
                    row[d], above[d] + p.data[SUB][p.number[0][i - 1] * V + p.number[1][j - 1]]);
            if (i > 0 && d + 1 < WIDTH)
                row[d] = log_plus(row[d], above[d + 1] + p.data[GAP][0]);
            if (j > 0 && d > 0)
                row[d] = log_plus(row[d], row[d - 1] + p.data[GAP][0]);
        }
    }
    assert_true(fabs(evaluation_goal(&e) - row[B]) <= 1e-10 * fabs(row[B]));
}
