/* test_bisection.c - does bisection always find its bracket, end in as few steps as it says, and
 * give the concave hull of the curve?
 *
 * At full size the hull is that of tz_limit_curve, which the charged rules compute. Tolerance:
 * 1e-13 S for a score, S = max(1, sum of |score| over the derivation), and 1e-13 for a bound, which
 * is interpolated between two of them; measured: see what is printed. SPDX-License-Identifier: MIT
 */
#include "tests/support/test.h"

#include <stdlib.h>

#include "tests/support/limited.h"

static tz_limited ask(limited *l, const random_problem *p, int64_t m, tz_limit_method method) {
    tz_limited found;
    assert_ok(tz_limit(l->chart, &p->problem, m, m, method, &found, NULL));
    return found;
}

/* ---- The hull -------------------------------------------------------------------------------- */

/* The upper concave hull of the points (a, value[a]) that are finite: its vertices. */
static size_t find_hull(const double *value, size_t count, size_t *vertex) {
    size_t vertices = 0;
    for (size_t a = 0; a < count; a++) {
        if (value[a] == -INFINITY)
            continue;
        while (vertices >= 2) {
            size_t x = vertex[vertices - 2], y = vertex[vertices - 1];
            double chord = value[x] + (value[a] - value[x]) * (double)(y - x) / (double)(a - x);
            if (value[y] > chord)
                break;
            vertices--;
        }
        vertex[vertices++] = a;
    }
    return vertices;
}

/* The hull's value at an amount between its first and last vertex. */
static double hull_at(const double *value, const size_t *vertex, size_t amount) {
    size_t v = 0;
    while (vertex[v + 1] < amount)
        v++;
    size_t x = vertex[v], y = vertex[v + 1];
    return value[x] + (value[y] - value[x]) * (double)(amount - x) / (double)(y - x);
}

typedef struct tally {
    size_t amounts, exact, vertices;
    unsigned steps;
    double score, bound; /* largest errors */
} tally;

/* Every amount of the curve by bisection and by the combination. */
static void check_curve(limited *l, const random_problem *p, bool integers, tally *t) {
    const double *values;
    size_t count;
    FREED(size_t, vertex) = NULL;
    assert_ok(tz_limit_curve(l->chart, &p->problem, &values, &count, NULL));
    FREED(double, value) = malloc(count * sizeof *value);
    vertex = malloc((count + 1) * sizeof *vertex);
    assert_true(value != NULL && vertex != NULL);
    memcpy(value, values, count * sizeof *value);
    size_t vertices = find_hull(value, count, vertex), v = 0;
    t->vertices += vertices;
    for (size_t a = vertex[0]; a <= vertex[vertices - 1]; a++) {
        while (vertex[v] < a)
            v++;
        bool is_vertex = vertex[v] == a;
        double hull = is_vertex ? value[a] : hull_at(value, vertex, a);
        tz_limited found = ask(l, p, (int64_t)a, TZ_LIMIT_DUAL);
        t->amounts++;
        t->exact += found.exact;
        t->steps = found.steps > t->steps ? found.steps : t->steps;
        /* The bracket's two, and one more for each vertex: a step finds a point of the hull that
         * was not known, or is the last. */
        if (found.steps > vertices + 2)
            fail_msg("%u steps for a hull of %zu vertices", found.steps, vertices);
        if (is_vertex)
            assert_true(found.exact && found.amount == (int64_t)a);
        else
            note_worst(&t->bound, relative_error(found.bound, hull));
        if (found.exact)
            note_worst(&t->score, relative_error(found.score, value[a]));
        assert_true(found.bound >= value[a] - 1e-13 * fmax(1, fabs(value[a])));
        found = (tz_limited){0};
        if (value[a] == -INFINITY) {
            assert_int_equal(tz_limit(l->chart, &p->problem, (int64_t)a, (int64_t)a, TZ_LIMIT_AUTO,
                                      &found, NULL),
                             TZ_NONE);
            continue;
        }
        found = ask(l, p, (int64_t)a, TZ_LIMIT_AUTO);
        assert_true(found.exact && found.amount == (int64_t)a && found.bound == found.score);
        note_worst(&t->score, relative_error(found.score, value[a]));
        if (integers)
            assert_true(found.score == value[a]);
    }
}

static void report(const tally *t) {
    print_message("# bisection alone solves %zu of %zu, in at most %u steps; largest errors: "
                  "scores %.2g, bounds %.2g\n",
                  t->exact, t->amounts, t->steps, t->score, t->bound);
    assert_true(t->score <= 1e-13 && t->bound <= 1e-13);
}

/* Small problems, where ties make flat edges and points on them. */
TEST(steps) {
    random_state random = random_start("steps of bisection");
    static const char *const names[] = {"compress", "compress-sibling", "skip"};
    static const char *const resources[] = {"kept", "dropped"};
    static const score_source sources[] = {integer_scores, equal_scores, plain_scores,
                                           masked_integers};
    tally t = {0};
    for (unsigned r = 0; r < 3; r++)
        for (unsigned which = 0; which < 2; which++) {
            limited l = make_limited(names[r], resources[which]);
            for (unsigned round = 0; round < 24; round++) {
                OWNED(random_problem, p) = {0};
                problem_of_size(find_rules(names[r]), 1 + (int)round % 12, sources[round % 4],
                                &random, &p);
                OWNED(evaluation, e) = evaluate(find_rules(names[r]), "max", &p);
                if (evaluation_goal(&e) > -INFINITY)
                    check_curve(&l, &p, round % 4 != 2, &t);
            }
            free_limited(&l);
        }
    report(&t);
}

/* The curve's concave hull is what bisection finds; the combination finds all of the curve. */
TEST(full_size) {
    random_state random = random_start("limits at full size");
    tally t = {0};
    limited l = make_limited("compress", "kept");
    OWNED(random_problem, p) = {0};
    problem_of_size(find_rules("compress"), 60, plain_scores, &random, &p);
    check_curve(&l, &p, false, &t);
    free_limited(&l);
    report(&t);
    assert_true(t.amounts == 61 && t.exact >= t.vertices && t.exact < t.amounts);
}

/* ---- The bracket ----------------------------------------------------------------------------- */

/* Words kept by the best compression when every arc gets this much more. */
static int64_t kept_at(const random_problem *p, double price) {
    const tz_rules *rules = find_rules("compress");
    random_problem priced = *p;
    priced.problem =
        (tz_problem){.lengths = p->lengths, .scores = priced.scores, .numbers = p->numbers};
    FREED(double, arc) = need(malloc(p->cells[0] * sizeof *arc));
    for (size_t c = 0; c < p->cells[0]; c++)
        arc[c] = p->data[0][c] + price;
    priced.scores[0].data = arc;
    OWNED(evaluation, e) = evaluate(rules, "max", &priced);
    const tz_derivation *best = best_of(e.chart, 0);
    int64_t kept = 0;
    for (size_t u = 0; u < best->uses; u++)
        kept += best->use[u].weight == 0;
    return kept;
}

/* Arcs score 10, bigrams between -1 and 1: at no price from -1 to 1, the largest score of a bigram,
 * is a word worth leaving out, and with arcs of -10 none is worth keeping. So neither end of such a
 * bracket is on the other side of one word. */
TEST(bracket) {
    random_state random = random_start("bracket");
    const tz_rules *rules = find_rules("compress");
    limited l = make_limited("compress", "kept");
    for (int sign = -1; sign <= 1; sign += 2) {
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, 3, tiny_scores, &random, &p);
        for (size_t c = 0; c < p.cells[0]; c++)
            p.data[0][c] = sign * 10;
        double largest = 0;
        for (size_t c = 0; c < p.cells[1]; c++) {
            p.data[1][c] *= 1e3;
            largest = fabs(p.data[1][c]) > largest ? fabs(p.data[1][c]) : largest;
        }
        for (double price = -largest; price <= largest; price += largest / 4)
            assert_int_equal(kept_at(&p, price), sign > 0 ? 3 : 0);
        for (int64_t m = 0; m <= 3; m++) {
            tz_limited found = ask(&l, &p, m, TZ_LIMIT_AUTO);
            assert_true(found.exact && found.amount == m);
            found = ask(&l, &p, m, TZ_LIMIT_DUAL);
            assert_true(!found.exact || found.amount == m);
        }
    }
    free_limited(&l);
}

/* Cut 0..n; an item has four indices, so that there is no room for an amount. */
static const char cuts[] = "rules cuts\nlength n\n"
                           "weight a[i,j] 0 <= i < j <= n\nweight b[i,j] 0 <= i < j <= n\n"
                           "item at[i,j,k,l] 0 <= i <= j <= n, 0 <= k <= l <= n\nitem all\n"
                           "resource cuts a[i,j] 1\ngoal all\n"
                           "axiom\n--- start\nat[0,0,0,0]\n"
                           "at[i,j,k,l]\n--- cut * a[l,m] * b[l,m]\nat[k,l,l,m]\n"
                           "at[i,j,k,n]\n--- stop\nall\n";

/* Differences of scores that leave the range of scores: no price can bridge them, and the charged
 * rules, or else all instances, need none. */
TEST(huge) {
    random_state random = random_start("huge prices");
    OWN(tz_rules, uncharged) = NULL;
    assert_ok(tz_rules_parse("cuts", cuts, sizeof cuts - 1, &uncharged, NULL));
    for (unsigned which = 0; which < 2; which++) {
        const tz_rules *rules = which == 0 ? find_rules("compress") : uncharged;
        limited l;
        assert_ok(tz_limiter_new(rules, which == 0 ? "kept" : "cuts", TZ_F64, 0, &l.limiter, NULL));
        assert_ok(tz_limit_chart_new(l.limiter, &l.chart));
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, 5, plain_scores, &random, &p);
        for (unsigned w = 0; w < 2; w++)
            for (size_t c = 0; c < p.cells[w]; c++)
                p.data[w][c] = -1e290;
        /* One unit more takes an arc and a bigram, or both weights of a cut. */
        double want = which == 0 ? -7e290 : -6e290;
        tz_limited found = ask(&l, &p, 3, TZ_LIMIT_AUTO);
        assert_true(found.exact && found.amount == 3 && found.path != TZ_BY_BISECTION);
        assert_true(fabs(found.score / want - 1) < 1e-15);
        found = ask(&l, &p, 3, TZ_LIMIT_DUAL);
        assert_true(!found.exact && found.bound >= want);
        free_limited(&l);
    }
}
