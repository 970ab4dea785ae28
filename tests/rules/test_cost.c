/* test_cost.c - are products and degrees what the loops really do? Against formulas, and against
 * walking every point of every step.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/tell/cost.h"
#include "tests/support/amount.h"
#include "tests/support/random.h"
#include "tests/support/rules_text.h"

/* Segments no longer than K, and items whose runs depend on the split. */
static const char banded[] = "rules   banded\n"
                             "length  n, K\n"
                             "weight  link[i,j]    0 <= i < j <= n, j-i <= K\n"
                             "weight  pair[a,b] sparse 0 <= a < K, 0 <= b < K, a != b\n"
                             "item    near[i,j]    0 <= i <= j <= n, j-i <= K\n"
                             "item    far[i,j]     0 <= i <= j <= n\n"
                             "item    mark[a]      0 <= a < K\n"
                             "goal    far[0,n]\n"
                             "    axiom\n"
                             "    ---- seed\n"
                             "    near[i,i]\n"
                             "    axiom\n"
                             "    ---- mark\n"
                             "    mark[a]\n"
                             "    near[i,j] mark[b]\n"
                             "    ---- grow * link[i,j+1] * pair[a,b] if a = 0\n"
                             "    near[i,j+1]\n"
                             "    near[i,k] near[k,j]\n"
                             "    ---- meet * link[i,j] if k > i, k < j\n"
                             "    near[i,j]\n"
                             "    near[i,k] near[j,l]\n"
                             "    ---- jump if k-i = l-j, j = k+1\n"
                             "    far[i,l]\n"
                             "    far[i,k] near[k,j]\n"
                             "    ---- join if k < j\n"
                             "    far[i,j]\n";

static double products(const tz_rules *rules, const int32_t *lengths) {
    double number;
    assert_ok(tz_rules_products(rules, lengths, &number));
    return number;
}

/* ---- Walking every point --------------------------------------------------------------------- */

static bool on_split(const tz_rules *rules, const tz_step *step, const tz_term *term,
                     unsigned column) {
    int64_t at[TZ_MAX_COLUMNS] = {0}, variable[2][TZ_MAX_VARIABLES];
    const int32_t none[TZ_MAX_LENGTHS] = {0};
    for (at[column] = 0; at[column] < 2; at[column]++) {
        for (unsigned v = 0; v < step->variables; v++) {
            variable[at[column]][v] =
                tz_form_value(&step->nest.variable[v], rules->lengths, none, TZ_MAX_COLUMNS, at);
        }
    }
    for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
        const tz_form *form = &term->index[q];
        if (tz_form_value(form, rules->lengths, none, step->variables, variable[0]) !=
            tz_form_value(form, rules->lengths, none, step->variables, variable[1]))
            return true;
    }
    return false;
}

/* Every point multiplies its inner terms; every point of the loops but the split that has a split
 * multiplies the sum by each outer term. */
static double walk_givens(const tz_rules *rules, const tz_step *step, const int32_t *length,
                          const int64_t *given) {
    unsigned end = (unsigned)step->nest.givens + step->nest.loops;
    unsigned split = end - (step->has_run ? 2 : 1), inner = 0, points = 0, targets = 0;
    for (unsigned t = 0; t < step->terms && step->has_split; t++)
        inner += on_split(rules, step, &step->term[t], split);
    unsigned outer = step->terms - inner;
    static int64_t seen[4096][TZ_MAX_COLUMNS];
    tz_walk walk;
    tz_walk_start(&walk, &step->nest, rules->lengths, length, given);
    while (tz_walk_next(&walk)) {
        points++;
        if (step->has_split) {
            walk.column[split] = -walk.column[split]; /* kept aside, as the walk needs it */
            int64_t kept = walk.column[split];
            walk.column[split] = 0;
            unsigned s = 0;
            while (s < targets && memcmp(seen[s], walk.column, end * sizeof *walk.column) != 0)
                s++;
            if (s == targets) {
                assert_true(targets < 4096);
                memcpy(seen[targets++], walk.column, end * sizeof *walk.column);
            }
            walk.column[split] = -kept;
        }
    }
    if (!step->has_split)
        return points * (double)(outer > 0 ? outer - 1 : 0);
    return points * (double)(inner > 0 ? inner - 1 : 0) + targets * (double)outer;
}

static double walk_step(const tz_rules *rules, const tz_step *step, const int32_t *length) {
    /* Givens from a box that holds all of them: an odometer over every column. */
    unsigned givens = step->nest.givens, stages = givens;
    for (unsigned t = 0; t < step->sparse; t++)
        stages -= rules->weight[step->term[t].which].rank;
    int64_t given[TZ_MAX_COLUMNS] = {0};
    int32_t box = 4;
    for (unsigned l = 0; l < rules->lengths; l++)
        box += length[l];
    for (unsigned g = 0; g < givens; g++)
        given[g] = -box;
    double sum = 0;
    for (;;) {
        bool declared = true;
        unsigned at = stages;
        for (unsigned t = 0; t < step->sparse; t++) {
            int32_t index[TZ_MAX_RANK];
            for (unsigned q = 0; q < rules->weight[step->term[t].which].rank; q++)
                index[q] = (int32_t)given[at++];
            declared = declared && tz_rules_declared(rules, step->term[t].which, length, index);
        }
        if (declared)
            sum += walk_givens(rules, step, length, given);
        unsigned g = 0;
        while (g < givens && ++given[g] > box)
            given[g++] = -box;
        if (g == givens)
            return sum;
    }
}

static void compare(const tz_rules *rules) {
    int32_t length[TZ_MAX_LENGTHS];
    for (int32_t n = 0; n <= AMOUNT(5, 2); n++) {
        for (int32_t other = 0; other <= 2; other++) {
            for (unsigned l = 0; l < rules->lengths; l++)
                length[l] = l == 0 ? n : other;
            double sum = 0;
            for (unsigned s = 0; s < rules->steps; s++)
                sum += walk_step(rules, &rules->step[s], length);
            if (products(rules, length) != sum) {
                fail_msg("%s: %.0f products, walking gives %.0f", rules->name,
                         products(rules, length), sum);
            }
        }
    }
}

TEST(as_walked) {
    const tz_rules *rules;
    for (size_t i = 0; (rules = tz_rules_builtin(i)); i++)
        compare(rules);
    OWN(tz_rules, own) = parse_rules(banded);
    compare(own);
}

/* Runs that lean on the split as they please, with gaps between them: from (a split + b) / c to
 * (d split + e n) / f. The compiler seldom makes such loops. */
TEST(leaning_runs) {
    random_state random = random_start("leaning_runs");
    for (int trial = 0; trial < 500; trial++) {
        const tz_bound split[] = {{.divisor = 1}, {{.length = {1}}, 1}};
        const tz_bound lower = {{.constant = (int32_t)random_below(&random, 5) - 2,
                                 .column = {(int16_t)((int)random_below(&random, 9) - 4)}},
                                1 + (int32_t)random_below(&random, 3)};
        const tz_bound upper = {{.length = {(int16_t)random_below(&random, 2)},
                                 .column = {(int16_t)((int)random_below(&random, 9) - 4)}},
                                1 + (int32_t)random_below(&random, 3)};
        const tz_range range[] = {{&split[0], &split[1], 1, 1}, {&lower, &upper, 1, 1}};
        const tz_form variable[] = {{.column = {1}}, {.column = {[1] = 1}}};
        const tz_term term[] = {{.index = {{.column = {1}}}},
                                {.index = {{.column = {1}}, {.column = {[1] = 1}}}},
                                {.index = {{.column = {[1] = 1}}}}};
        const tz_kind kind = {.rank = 2};
        const tz_group group = {.kinds = 1};
        const tz_step step = {
            .variables = 2,
            .has_split = true,
            .has_run = true,
            .term = term,
            .terms = 3,
            .nest = {.loops = 2, .variables = 2, .range = range, .variable = variable}};
        const tz_rules rules = {.name = "leaning",
                                .lengths = 1,
                                .kind = &kind,
                                .kinds = 1,
                                .group = &group,
                                .groups = 1,
                                .step = &step,
                                .steps = 1};
        compare(&rules);
    }
}

/* ---- Formulas -------------------------------------------------------------------------------- */

/* Sum of w * (m - w) for w = 1..m: spans of width w, each with w splits. */
static double spans(double m) {
    return (m - 1) * m * (m + 1) / 6;
}

/* attach-left and attach-right share rtri[i,k] ltri[k+1,j] over 0 <= i < j <= n, and each
 * multiplies it by its arc; complete-right has as many splits, complete-left those with i >= 1. */
TEST(eisner) {
    const tz_rules *rules = tz_rules_find("eisner");
    assert_non_null(rules);
    for (int32_t n = 0; n <= 640; n += 40) {
        double arcs = n * (n + 1.0) / 2 + n * (n - 1.0) / 2;
        assert_true(products(rules, &n) == 2 * spans(n + 1) + spans(n) + arcs);
    }
}

/* The binary rule takes one product for each split and one for the weight, for each of T^3 entries;
 * the span is multiplied in once for every item wider than a word. */
TEST(cky) {
    const tz_rules *rules = tz_rules_find("cky");
    assert_non_null(rules);
    const int32_t lengths[] = {40, 3};
    double wide = 40 * 39 / 2;
    assert_true(products(rules, lengths) == 27 * (spans(40) + wide) + 3 * wide);
}

TEST(edit) {
    const tz_rules *rules = tz_rules_find("edit");
    assert_non_null(rules);
    const int32_t lengths[] = {7, 5};
    assert_true(products(rules, lengths) == 7 * 5 + 8 * 5 + 7 * 6);
}

/* A count that would take hours is given up, with nothing written: many premises, wide
 * constants, and entries of several sparse weights. */
TEST(too_many) {
    static const char axiom[] = "item x[a] 0 <= a <= 3000\naxiom\n--- seed\nx[a]\n\n";
    static const char weight[] = "weight w[a,b,c,d] sparse 0 <= a < n, 0 <= b < n, 0 <= c < n, "
                                 "0 <= d < n\n";
    const struct {
        const char *before, *rule;
    } sets[] = {
        {axiom, "x[a] x[b] x[c] x[d] x[e] x[f] x[h] x[i]\n--- all\ng\n"},
        {axiom, "x[a] x[b] x[c] x[d] x[e]\n--- some if a < b+c, d < e\ng\n"},
        {weight, "axiom\n--- sparse * w[a,b,c,d] * w[e,f,h,i]\ng\n"},
    };
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        char text[1024];
        snprintf(text, sizeof text, "rules r\nlength n\nitem g\ngoal g\n%s%s", sets[s].before,
                 sets[s].rule);
        OWN(tz_rules, rules) = parse_rules(text);
        const int32_t n = 40;
        double number = 17;
        assert_int_equal(tz_rules_products(rules, &n, &number), TZ_TOO_LARGE);
        assert_int_equal(tz_rules_points(rules, &n, &number), TZ_TOO_LARGE);
        assert_true(number == 17);
    }
}

/* Rules without any product are not free. */
TEST(points) {
    OWN(tz_rules, rules) =
        parse_rules("rules r\nlength n\nitem x[a] 0 <= a < n\nitem g\ngoal g\n"
                    "axiom\n--- seed\nx[a]\n\nx[a] x[b]\n--- pair if a < b\ng\n");
    for (int32_t n = 0; n <= 20; n++) {
        double number;
        assert_ok(tz_rules_points(rules, &n, &number));
        assert_true(number >= n + n * (n - 1) / 2 && number <= 4 * (n + n * n));
    }
}

TEST(bad_lengths) {
    const tz_rules *rules = tz_rules_find("edit");
    assert_non_null(rules);
    const int32_t below[] = {3, -1}, above[] = {TZ_MAX_LENGTH + 1, 3};
    double number = 17;
    assert_int_equal(tz_rules_products(rules, below, &number), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_rules_products(rules, above, &number), TZ_BAD_ARGUMENT);
    assert_true(number == 17);
}

/* ---- Degrees --------------------------------------------------------------------------------- */

TEST(degrees) {
    static const struct {
        const char *name, *time, *space;
    } expected[] = {
        {"chain", "n T^2", "n T"},
        {"cky", "n^2 T + n^3 |binary|", "n^2 T"},
        {"compress", "n^3", "n^2"},
        {"compress-sibling-single-root", "n^3", "n^2"},
        {"edit", "n m", "n m"},
        {"eisner", "n^3", "n^2"},
        {"semimarkov", "n T^2 + n^2 T", "n T"},
        {"sibling", "n^3", "n^2"},
        {"skip-bigram-note", "n^4", "n^3"},
    };
    char text[64];
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const tz_rules *rules = tz_rules_find(expected[i].name);
        assert_non_null(rules);
        assert_ok(tz_rules_degree(rules, false, text, sizeof text));
        assert_string_equal(text, expected[i].time);
        assert_ok(tz_rules_degree(rules, true, text, sizeof text));
        assert_string_equal(text, expected[i].space);
    }
}

/* K counts as much smaller than n: near[i,j] has K places for j, once i is chosen, and not n. */
TEST(degree_of_band) {
    OWN(tz_rules, rules) = parse_rules(banded);
    char text[64];
    assert_ok(tz_rules_degree(rules, false, text, sizeof text));
    assert_string_equal(text, "n^2 K + n K |pair| + n K^2");
    assert_ok(tz_rules_degree(rules, true, text, sizeof text));
    assert_string_equal(text, "n K + n^2");
}

/* An item over the domain, derived for all of it. */
static tz_rules *rules_over(const char *indices, const char *domain) {
    char text[1024];
    snprintf(text, sizeof text,
             "rules over\nlength n, A, B, C\nitem x[%s] %s\nitem g\ngoal g\n"
             "axiom\n--- seed\nx[%s]\n\nx[%s]\n--- some\ng\n",
             indices, domain, indices, indices);
    return parse_rules(text);
}

/* Bounds that are sums of lengths: the degree keeps them, but where a bound is the smaller of two
 * lengths, which is no sum, the first counts as the larger. */
TEST(degree_of_sums) {
    static const struct {
        const char *indices, *domain, *degree;
    } known[] = {
        {"a", "0 <= a < A+B", "A + B"},
        {"a", "0 <= a <= n+A", "n + A"},
        {"a", "0 <= a < A+B+C", "A + B + C"},
        {"a,b", "0 <= a < A+B, 0 <= b < A+B", "(A+B)^2"},
        {"a,b", "0 <= a < b < A+B", "(A+B)^2"},
        {"i,a,b", "0 <= i <= n, 0 <= a < A, 0 <= b < A+B", "n A (A+B)"},
        {"i,j,a,b,c", "0 <= i < j <= n, 0 <= a < A, 0 <= b < A+B, 0 <= c < B+A", "n^2 A (A+B)^2"},
        {"i,a", "0 <= i <= n, 0 <= a < i+A", "n (n+A)"}, /* in which i adds up */
        {"a,b", "0 <= a < A+B, 0 <= b < A+C", "A^2 + A B + B C + A C"},
        {"a,b", "0 <= a < A+B, 0 <= b < C", "C (A+B)"},
        {"a", "0 <= a < A+A", "A"},
        {"a", "0 <= a < A+B, a < C", "C"}, /* the smaller one */
        {"a,b", "0 <= a < A, 0 <= b < B, b <= a", "A B"},
        {"a", "A <= a < A+B", "B"},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        char text[128];
        OWN(tz_rules, rules) = rules_over(known[k].indices, known[k].domain);
        for (int space = 0; space < 2; space++) {
            assert_ok(tz_rules_degree(rules, space, text, sizeof text));
            if (strcmp(text, known[k].degree) != 0)
                fail_msg("%s: %s, not %s", known[k].domain, text, known[k].degree);
        }
    }
}

/* The sum is what there is: with either length the larger by far, the points are within a factor of
 * it that the number of orders in which indices can stand bounds, 3! for three. */
TEST(sums_are_met) {
    OWN(tz_rules, rules) = parse_rules("rules met\nlength n, A, B\n"
                                       "item x[i,a,b] 0 <= i < n, 0 <= a < A, 0 <= b < A+B, "
                                       "a+b+i < n+A+B\ngoal x[0,0,0]\n"
                                       "axiom\n--- seed\nx[i,a,b]\n");
    char text[128];
    assert_ok(tz_rules_degree(rules, true, text, sizeof text));
    assert_string_equal(text, "n A (A+B)");
    static const int32_t lengths[][3] = {{10, 300, 2}, {10, 2, 300}, {200, 40, 40}, {3, 50, 20}};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        double points, expected = (double)lengths[k][0] * lengths[k][1] *
                                  (double)(lengths[k][1] + lengths[k][2]);
        assert_ok(tz_rules_points(rules, lengths[k], &points));
        assert_true(points <= expected && 6 * points >= expected);
    }
}

/* The entry says which stage is its own, yet every stage looks at it; what is left of the loops is
 * its own all the same. */
/* Parts of sums that are worked out first, and sums that have none (tests/rules/good). */
TEST(degree_of_parts) {
    static const struct {
        const char *name, *time;
    } known[] = {{"dense-cky", "n^3 T^2 + n^2 T^3"},
                 {"segments", "n^2 T + n T^2"},
                 {"hooks", "n^4"},
                 {"premises", "n^3"},
                 {"discontinuous", "n^5"},
                 {"apart-refused", "n T + n^2 |few| + n^4"}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        char path[1024], text[64];
        OWN(tz_rules, rules) = NULL;
        snprintf(path, sizeof path, TZ_SOURCE_ROOT "/tests/rules/good/%s.rules", known[k].name);
        assert_ok(tz_rules_read(path, &rules, NULL));
        assert_ok(tz_rules_degree(rules, false, text, sizeof text));
        assert_string_equal(text, known[k].time);
    }
}

/* With more parts than there may be kinds, sums stay whole. */
TEST(degree_of_too_many_parts) {
    enum { FEW = 3, MANY = 300 };
    static char file[1 << 17];
    for (int pass = 0; pass < 2; pass++) {
        int count = pass == 0 ? FEW : MANY;
        size_t size = (size_t)snprintf(file, sizeof file,
                                       "rules r\nlength n\nitem a[i,j] 0 <= i < j <= n\n"
                                       "item b[i,j] 0 <= i < j <= n\ngoal b[0,n]\n"
                                       "axiom\n--- s\na[i,j]\n");
        for (int r = 0; r < count; r++)
            size += (size_t)snprintf(file + size, sizeof file - size,
                                     "weight w%d[k,l] 0 <= k < l <= n\n\na[i,k] a[k,l] a[l,j]\n"
                                     "--- r%d * w%d[k,l]\nb[i,j]\n\n",
                                     r, r, r);
        assert_true(size < sizeof file);
        char text[64];
        OWN(tz_rules, rules) = parse_rules(file);
        assert_ok(tz_rules_degree(rules, false, text, sizeof text));
        assert_string_equal(text, pass == 0 ? "n^3" : "n^4");
    }
}

TEST(degree_of_entries) {
    static const struct {
        const char *rules, *time;
    } expected[] = {
        {"a[i]\n--- t * w[i,j]\na[j]\n", "n + |w|"},        /* those of a stage are found, */
        {"a[i]\n--- t * w[i,k] if k < j\na[j]\n", "n |w|"}, /* not what is less */
        {"item b[k] 0 <= k <= n\naxiom\n--- u\nb[k]\n\n"
         "a[i] b[k] b[l]\n--- t * w[i,j] if k < i, l < k+j\na[j]\n",
         "n^2 |w|"},
        {"a[i]\n--- t * w[i,k] * w[k,j]\na[j]\n", "n |w| + |w|^2"},
        {"a[i]\n--- t * w[i,j] * w[i,j]\na[j]\n", "n + |w|^2"},
        {"item b[i,j] 0 <= i < j <= n\naxiom\n--- u\nb[i,j]\n\n"
         "a[i] b[i,j]\n--- t * w[0,1]\na[j]\n",
         "n |w| + n^2"},
        {"item c\naxiom\n--- u * w[i,j]\nc\n\na[i] c\n--- t if j = i+1\na[j]\n",
         "n + |w|"}, /* c has no stages */
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char source[1024], text[64];
        snprintf(source, sizeof source,
                 "rules r\nlength n\nweight w[i,j] sparse 0 <= i < j <= n\n"
                 "item a[i] 0 <= i <= n\ngoal a[n]\naxiom\n--- s\na[0]\n\n%s",
                 expected[i].rules);
        OWN(tz_rules, rules) = parse_rules(source);
        assert_ok(tz_rules_degree(rules, false, text, sizeof text));
        assert_string_equal(text, expected[i].time);
    }
}

/* What a chart stores of a sparse weight that inputs look up is no entry, but a place for each
 * cell.
 */
TEST(space_of_views) {
    for (int sparse = 0; sparse < 2; sparse++) {
        char source[512], text[64];
        snprintf(source, sizeof source,
                 "rules r\nlength n, P, V\ninput x[i] < V 1 <= i <= n\n"
                 "weight w[p,v,q] %s 0 <= p < P, 0 <= v < V, 0 <= q < P\n"
                 "item a[i,p] 0 <= i <= n, 0 <= p < P\ngoal a[n,0]\naxiom\n--- s\na[0,0]\n\n"
                 "a[i-1,p]\n--- t * w[p,x[i],q]\na[i,q]\n",
                 sparse ? "sparse" : "");
        OWN(tz_rules, rules) = parse_rules(source);
        assert_ok(tz_rules_degree(rules, true, text, sizeof text));
        assert_string_equal(text, sparse ? "n P^2" : "n P");
    }
}

TEST(degree_of_nothing) {
    OWN(tz_rules, rules) = parse_rules("rules r\n"
                                       "length n\n"
                                       "item done\n"
                                       "goal done\n"
                                       "axiom\n---- end\ndone\n");
    char text[8] = "before";
    assert_int_equal(tz_rules_degree(rules, false, text, 1), TZ_TOO_LARGE);
    assert_string_equal(text, "before");
    assert_ok(tz_rules_degree(rules, false, text, sizeof text));
    assert_string_equal(text, "1");
}
