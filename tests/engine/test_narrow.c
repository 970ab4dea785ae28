/* test_narrow.c - is the log semiring right, whether its elements are narrow or wide? Do others
 * with narrow elements give the bits of wide ones?
 *
 * Against inside and outside in long double (precise.h). Where the elements leave the narrow
 * range no number may show it, but for the time it takes. What is called measured is the largest
 * over TZ_SEED=1..5, as in
 *   for s in $(seq 5); do TZ_SEED=$s tests/test_narrow; done | grep largest
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <fenv.h>

#include "tests/support/amount.h"
#include "tests/support/answers.h"
#include "tests/support/element.h"
#include "tests/support/isas.h"
#include "tests/support/narrow.h"
#include "tests/support/precise.h"

/* ---- Errors ---------------------------------------------------------------------------------- */

typedef struct errors {
    double log_z, marginal;
} errors;

static double far_scores(random_state *random) {
    return random_unit(random) < 0.3 ? -INFINITY : large_scores(random);
}

/* Of log Z: |difference| / max(1, |log Z|); of marginals: |difference|. */
static void compare_with_precise(const tz_rules *rules, const random_problem *p, errors worst[2]) {
    OWNED(evaluation, precise) = evaluate_precisely(rules, p);
    evaluation e[2] = {evaluate_as(rules, "log", TZ_F64, p), evaluate_as(rules, "log", TZ_F32, p)};
    double log_z = evaluation_goal(&precise);
    for (unsigned f = 0; f < 2; f++)
        note_worst(&worst[f].log_z, relative_error(evaluation_goal(&e[f]), log_z));
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS) && log_z > -INFINITY; w++) {
        FREED(double, want) = evaluation_cells(&precise, tz_marginals, w);
        FREED(double, through) = evaluation_cells(&precise, tz_through, w);
        for (unsigned f = 0; f < 2; f++) {
            FREED(double, got) = evaluation_cells(&e[f], tz_marginals, w);
            for (size_t c = 0; c < p->cells[w]; c++) {
                double error = fabs(got[c] - want[c]);
                if (through[c] == -INFINITY && got[c] != 0)
                    fail_msg("%s: cell %zu of weight %u is impossible, but has marginal %g",
                             tz_rules_name(rules), c, w, got[c]);
                note_worst(&worst[f].marginal, isnan(error) ? INFINITY : error);
            }
        }
    }
    for (unsigned f = 0; f < 2; f++)
        evaluation_free(&e[f]);
}

typedef struct range {
    const char *name;
    score_source source;
    errors most[2]; /* of double, of float */
} range;

/* Scores in [-5, 5]: log Z within 1e-12, marginals within 1e-10; measured 1.3e-16 and
 * 4.6e-14, in float 4.3e-9 and 2.9e-5. Scores in [-1e4, 1e4], 30 % of them impossible: within 1e-7;
 * measured 1.8e-16 and 5.7e-14, in float 2.5e-12 and 1.3e-6. */
TEST(errors) {
    random_state random = random_start("errors");
    static const struct {
        const char *name;
        int32_t n, labels;
    } size[] = {{"eisner", 30, 0},  {"eisner", 100, 0}, {"compress", 30, 0}, {"compress", 100, 0},
                {"sibling", 15, 0}, {"sibling", 40, 0}, {"skip", 100, 0},    {"chain", 100, 4},
                {"cky", 25, 3},     {"edit", 100, 0}};
    static const range ranges[] = {
        {"[-5,5]", plain_scores, {{1e-12, 1e-10}, {1e-6, 1e-4}}},
        {"[-1e4,1e4], 30 % -inf", far_scores, {{1e-7, 1e-7}, {1e-6, 1e-2}}},
    };
    for (unsigned k = 0; k < 2; k++) {
        errors worst[2] = {{0}};
        for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
            const tz_rules *rules = find_rules(size[i].name);
            int32_t lengths[TZ_MAX_LENGTHS];
            OWNED(random_problem, p) = {0};
            errors here[2] = {{0}};
            const int32_t n = size[i].n < AMOUNT(100, 30) ? size[i].n : AMOUNT(100, 30);
            set_lengths(rules, n, size[i].labels, lengths);
            make_problem(rules, lengths, ranges[k].source, &random, &p);
            if (strcmp(size[i].name, "cky") == 0) /* else perhaps nothing is derivable */
                p.data[1][problem_cell(&p, 1, (int32_t[]){0, 1, n})] = 1;
            compare_with_precise(rules, &p, here);
            print_message("# %s, n = %d, %s: log Z %.2g, marginals %.2g; float %.2g, %.2g\n",
                          size[i].name, n, ranges[k].name, here[0].log_z, here[0].marginal,
                          here[1].log_z, here[1].marginal);
            for (unsigned f = 0; f < 2; f++) {
                note_worst(&worst[f].log_z, here[f].log_z);
                note_worst(&worst[f].marginal, here[f].marginal);
            }
        }
        for (unsigned f = 0; f < 2; f++) {
            print_message("# %s, %s: largest error of log Z %.2g, of marginals %.2g\n",
                          f == 0 ? "double" : "float", ranges[k].name, worst[f].log_z,
                          worst[f].marginal);
            assert_true(worst[f].log_z <= ranges[k].most[f].log_z);
            assert_true(worst[f].marginal <= ranges[k].most[f].marginal);
        }
    }
}

/* ---- The same bits either way ---------------------------------------------------------------- */

enum { LANES = 5, BINDS = AMOUNT(14, 8) };

/* How a lane's scores were made: offset + scale * [-1, 1], impossible with this probability. */
typedef struct manner {
    double offset, scale, impossible;
} manner;

static manner random_manner(random_state *random, tz_precision precision) {
    const double most = precision == TZ_F64 ? 5 : 4;
    manner m = {.scale = pow(10, random_between(random, -3, 4)),
                .impossible = random_below(random, 2) ? 0 : random_between(random, 0, 0.9)};
    if (random_below(random, 2)) { /* where the range of narrow elements ends */
        m.scale = pow(10, random_between(random, 0, 2.7));
        m.offset = random_between(random, -1, 1) * m.scale;
        return m;
    }
    double sign = random_below(random, 2) ? 1 : -1;
    switch (random_below(random, 3)) {
    case 0:
        m.offset = sign * pow(10, most);
        break;
    case 1:
        m.offset = sign * pow(10, random_between(random, 0, most));
        break;
    default:
        m.offset = 0;
    }
    return m;
}

static void rescore(const tz_rules *rules, random_problem *p, const manner *m,
                    random_state *random) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        for (size_t c = 0; c < p->cells[w]; c++)
            if (!isnan(p->data[w][c]))
                p->data[w][c] = random_unit(random) < m->impossible
                                    ? -INFINITY
                                    : m->offset + m->scale * random_between(random, -1, 1);
}

static moment run(const tz_rules *rules, tz_chart *chart, random_problem *const *p, size_t count,
                  answers *ret) {
    tz_problem bound[LANES] = {{0}};
    for (size_t lane = 0; lane < count; lane++)
        bound[lane] = p[lane]->problem;
    moment when = compute(chart, bound, count);
    for (size_t lane = 0; lane < count; lane++)
        read_answers(rules, p[lane], chart, lane, &ret[lane]);
    return is_wide(chart) && when == NEVER ? AT_MARGINALS : when;
}

/* Counts the questions whose answers differ, and says how the first ones do. */
static size_t differences(const answers *a, const answers *b, const char *what, bool say) {
    size_t differ = 0, place;
    for (unsigned k = 0; k < QUESTIONS; k++) {
        if (distance_of(a, b, (question)k, INFINITY, &place) == 0)
            continue;
        differ++;
        if (say)
            print_message("# %s: %s: %a instead of %a\n", what, question_name[k],
                          a->of[k].at[place], b->of[k].at[place]);
    }
    return differ;
}

/* Under a semiring. */
static void check_bits(const char *name) {
    random_state random = random_start(name);
    size_t times[MOMENTS] = {0}, differ = 0, pulled = 0;
    const unsigned binds = strcmp(name, "log") == 0 ? BINDS : AMOUNT(7, 4);
    const isas here = isas_here();
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        uint64_t longest = most_indices(rules) > 3 ? 6 : 12;
        for (unsigned v = 0; v < 2 * here.count; v++) {
            tz_precision precision = v % 2 == 0 ? TZ_F64 : TZ_F32;
            OWN(tz_plan, narrow) = NULL;
            tz_semiring *semiring = make_semiring(name, precision);
            tz_status status =
                tz_plan_new(rules, semiring, TZ_FORCE | here.flags[v / 2], &narrow, NULL);
            if (status == TZ_LAW) { /* required facts, of a rule set with closures */
                tz_semiring_free(semiring);
                continue;
            }
            assert_ok(status);
            OWN(tz_plan, wide) = make_plan(rules, semiring, TZ_FORCE | here.flags[v / 2]);
            assert_true(narrow->has_narrow);
            wide->has_narrow = false;
            OWN(tz_chart, used) = make_chart(narrow);
            OWN(tz_chart, plain) = make_chart(wide);
            for (unsigned bind = 0; bind < binds; bind++) {
                random_problem own[LANES], *p[LANES];
                manner m[LANES];
                answers got[LANES], want[LANES];
                size_t count = bind % 3 == 0 ? 1 : LANES;
                bool same_length = random_below(&random, 2);
                bool mostly_mild = random_below(&random, 2);
                int32_t n = (int32_t)random_below(&random, longest + 1);
                for (size_t lane = 0; lane < count; lane++) {
                    n = same_length ? n : (int32_t)random_below(&random, longest + 1);
                    problem_of_size(rules, n, plain_scores, &random, &own[lane]);
                    m[lane] = lane > 0 && mostly_mild ? (manner){0, 5, 0.1}
                                                      : random_manner(&random, precision);
                    rescore(rules, &own[lane], &m[lane], &random);
                    p[lane] = &own[lane];
                }
                moment when = run(rules, used, p, count, got);
                times[when]++;
                assert_int_equal(run(rules, plain, p, count, want), AT_BIND);
                for (size_t lane = 0; lane < count; lane++) {
                    char what[200];
                    answers alone;
                    OWN(tz_chart, fresh) = make_chart(narrow);
                    moment by_itself = run(rules, fresh, &p[lane], 1, &alone);
                    pulled += by_itself == NEVER && when != NEVER;
                    snprintf(what, sizeof what,
                             "%s %s isa %u bind %u, lane %zu of %zu (n = %d, scores %g +- %g, "
                             "impossible %.2g), wide %s",
                             tz_rules_name(rules), precision_name(precision), v / 2, bind, lane,
                             count, own[lane].lengths[0], m[lane].offset, m[lane].scale,
                             m[lane].impossible, moment_name[when]);
                    differ += differences(&got[lane], &want[lane], what, differ < 20);
                    snprintf(what, sizeof what,
                             "%s %s isa %u alone (n = %d, scores %g +- %g, impossible %.2g), wide "
                             "%s",
                             tz_rules_name(rules), precision_name(precision), v / 2,
                             own[lane].lengths[0], m[lane].offset, m[lane].scale,
                             m[lane].impossible, moment_name[by_itself]);
                    differ += differences(&alone, &want[lane], what, differ < 20);
                    free_answers(&alone);
                    free_answers(&got[lane]);
                    free_answers(&want[lane]);
                    random_problem_free(&own[lane]);
                }
            }
            tz_semiring_free(semiring);
        }
    }
    for (unsigned m = 0; m < MOMENTS; m++)
        print_message("# %zu charts went wide %s\n", times[m], moment_name[m]);
    print_message("# %zu lanes went wide because of others\n", pulled);
    print_message("# %zu kinds of answers differ\n", differ);
    for (unsigned m = 0; m < MOMENTS; m++) /* few charts get as far as to the marginals */
        assert_true(times[m] > 0 || m == AT_MARGINALS);
    assert_true(times[AT_OUTSIDE] + times[AT_MARGINALS] > 1);
    assert_true(pulled > 0);
    assert_int_equal(differ, 0);
}

TEST(same_bits) {
    check_bits("log");
}

TEST(same_bits_of_entropy) {
    check_bits("entropy");
}

TEST(same_bits_of_required) {
    check_bits("required(log)");
}

/* ---- How often ------------------------------------------------------------------------------- */

/* Scores in [-5, 5], doubles, n <= 100: never, whatever stands where the domain has no cell. */
TEST(never_wide) {
    random_state random = random_start("never wide");
    static const char *const sets[] = {"eisner", "compress", "sibling"};
    enum { ROUNDS = 3 };
    unsigned went = 0;
    for (unsigned s = 0; s < 3; s++) {
        const tz_rules *rules = find_rules(sets[s]);
        OWN(tz_plan, plan) = new_plan(rules, TZ_F64, 0);
        for (int n = 20; n <= 100; n += 20) {
            unsigned times[MOMENTS] = {0};
            for (unsigned round = 0; round < ROUNDS; round++) {
                OWNED(random_problem, p) = {0};
                problem_of_size(rules, n, plain_scores, &random, &p);
                for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS) && round > 0; w++)
                    for (size_t c = 0; c < p.cells[w]; c++)
                        p.data[w][c] = isnan(p.data[w][c]) ? -1e9 : p.data[w][c];
                const tz_problem copies[] = {p.problem, p.problem, p.problem};
                OWN(tz_chart, chart) = make_chart(plan);
                moment when = compute(chart, copies, round + 1);
                FREED(double, cell) = need(calloc(p.cells[0] + 1, sizeof *cell));
                tz_output output = tz_output_dense(&p.shape[0], cell);
                assert_ok(tz_marginals(chart, 0, 0, &output));
                when = is_wide(chart) && when == NEVER ? AT_MARGINALS : when;
                times[when]++;
                if (when != NEVER && round == 0)
                    print_message("# %s, n = %d: wide %s; first scales %g, drift %g\n", sets[s], n,
                                  moment_name[when], chart->scaling.scale[0],
                                  chart->scaling.drift[0]);
            }
            print_message("# %s, n = %d: wide %u times of %d\n", sets[s], n,
                          (unsigned)ROUNDS - times[NEVER], ROUNDS);
            went += (unsigned)ROUNDS - times[NEVER];
        }
    }
    assert_int_equal(went, 0);
}

/* Where the goal has no indices, how fast values grow is read off the other items. */
TEST(goal_without_indices) {
    random_state random = random_start("goal without indices");
    OWN(tz_rules, rules) = NULL;
    assert_ok(tz_gallery_read("gallery/ctc", &rules, NULL));
    OWN(tz_plan, plan) = new_plan(rules, TZ_F64, 0);
    OWN(tz_chart, chart) = make_chart(plan);
    for (unsigned bind = 0; bind < 3; bind++) {
        OWNED(random_problem, p) = {0};
        make_problem(rules, (int32_t[]){200, 40, 30}, plain_scores, &random, &p);
        run_inside(chart, &p.problem, 1);
        assert_false(is_wide(chart));
    }
}

/* A chart that has seen odd scores is as fast on ordinary ones as a new one. */
TEST(recovers) {
    random_state random = random_start("recovers");
    static const char *const sets[] = {"eisner", "compress", "skip", "chain"};
    static const manner odd[] = {{0, 1000, 0}, {-600, 5, 0}, {600, 5, 0}, {0, 1e4, 0.3},
                                 {-40, 60, 0}, {1e5, 5, 0},  {0, 5, 0.9}, {0, 120, 0}};
    size_t stuck = 0;
    for (unsigned s = 0; s < 4; s++) {
        const tz_rules *rules = find_rules(sets[s]);
        OWN(tz_plan, plan) = new_plan(rules, TZ_F64, 0);
        for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
            OWN(tz_chart, chart) = make_chart(plan);
            for (unsigned bind = 0; bind < 3; bind++) { /* odd, ordinary, ordinary */
                OWNED(random_problem, p) = {0};
                problem_of_size(rules, 30, plain_scores, &random, &p);
                if (bind == 0)
                    rescore(rules, &p, &odd[k], &random);
                run_outside(chart, &p.problem, 1);
                if (bind == 2 && is_wide(chart)) {
                    stuck++;
                    print_message("# %s: wide for ever after scores %g +- %g, impossible %g: "
                                  "drift %g\n",
                                  sets[s], odd[k].offset, odd[k].scale, odd[k].impossible,
                                  chart->scaling.drift[0]);
                }
            }
        }
    }
    assert_int_equal(stuck, 0);
}

/* A chart whose problems leave the range time and again no longer tries every one, and one that
 * stays in it is soon noticed. */
TEST(gives_up) {
    random_state random = random_start("gives up");
    enum { ODD = 12, MOST = 16 };
    const tz_rules *rules = find_rules("eisner");
    const manner odd = {0, 1e4, 0.3};
    for (tz_precision precision = TZ_F64; precision <= TZ_F32; precision++) {
        OWN(tz_plan, plan) = new_plan(rules, precision, 0);
        size_t untried = 0, until = 0;
        OWN(tz_chart, chart) = make_chart(plan);
        for (unsigned bind = 0; bind < ODD + MOST && !(bind >= ODD && !is_wide(chart)); bind++) {
            OWNED(random_problem, p) = {0};
            problem_of_size(rules, 30, plain_scores, &random, &p);
            if (bind < ODD)
                rescore(rules, &p, &odd, &random);
            for (unsigned w = 0; bind >= ODD && w < tz_rules_count(rules, TZ_WEIGHTS); w++)
                for (size_t c = 0; c < p.cells[w]; c++)
                    p.data[w][c] /= 10;
            compute(chart, &p.problem, 1);
            untried += bind < ODD && !chart->scaling.past.tried;
            until += bind >= ODD;
        }
        print_message("# %s: %zu of %d went wide untried, then %zu until one did not\n",
                      precision_name(precision), untried, ODD, until);
        assert_in_range(untried, ODD / 2, ODD - 3);
        assert_false(is_wide(chart));
    }
}

/* ---- Floating-point flags -------------------------------------------------------------------- */

/* What the caller's flags say is still there; rounding is to nearest and stays so. */
TEST(flags) {
    random_state random = random_start("flags");
    static const int flag[] = {0,          FE_UNDERFLOW, FE_OVERFLOW,  FE_DIVBYZERO,
                               FE_INVALID, FE_INEXACT,   FE_ALL_EXCEPT};
    static const manner manners[] = {{0, 5, 0}, {0, 200, 0}, {300, 20, 0}, {0, 1e4, 0.3}};
    static const char *const sets[] = {"eisner", "compress", "cky"};
    for (unsigned i = 0; i < 3 * 4 * 7; i++) {
        const tz_rules *rules = find_rules(sets[i / 28]);
        const manner *m = &manners[i / 7 % 4];
        int before = flag[i % 7];
        random_problem p;
        problem_of_size(rules, 12, plain_scores, &random, &p);
        rescore(rules, &p, m, &random);
        OWN(tz_plan, plan) = new_plan(rules, TZ_F64, 0);
        OWN(tz_chart, chart) = make_chart(plan);
        random_problem *one = &p;
        answers got;
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(before);
        moment when = run(rules, chart, &one, 1, &got);
        int after = fetestexcept(FE_ALL_EXCEPT);
        assert_int_equal(after & before, before);
        assert_int_equal(fegetround(), FE_TONEAREST);
        if (i % 7 == 0)
            print_message(
                "# %s, scores %g +- %g, wide %s: raised%s%s%s%s\n", sets[i / 28], m->offset,
                m->scale, moment_name[when], after & FE_UNDERFLOW ? " underflow" : "",
                after & FE_OVERFLOW ? " overflow" : "", after & FE_INVALID ? " invalid" : "",
                after & FE_DIVBYZERO ? " divide-by-zero" : "");
        free_answers(&got);
        random_problem_free(&p);
    }
    feclearexcept(FE_ALL_EXCEPT);
}
