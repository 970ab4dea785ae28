/* test_laws.c - does every registered semiring, kbest(1), (2), (5), costs(1) and (3), keep the laws
 * of semirings, and those it declares, over 10,000 random triples?
 *
 * The elements are lifted scores (ties, 0, -infinity, subnormal, huge up to the limit), and sums
 * and products of such. Laws that rounding does not touch must hold to the bit; see distance() for
 * the others. Those of ties and costs hold as far as scores add up exactly: theirs are whole
 * numbers.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>

#include "semirings/maker.h"
#include "tests/support/element.h"
#include "tests/support/random.h"

enum { TRIPLES = 10000, QUESTIONS = 4, NAME = 80 };

/* In units of distance(). Measured with TZ_SEED=1..50: log 2.2, max 1.7, count 1, bool 0, kbest 1,
 * entropy 3.1, ties 1; each side of a law rounds three times at most. */
static const double tolerance = 4;

typedef struct subject {
    const tz_semiring *semiring;
    tz_precision precision;
    bool whole; /* scores are small whole numbers, and never rounded */
    char name[QUESTIONS][NAME];
} subject;

typedef struct triple {
    any a, b, c;
} triple;

static double limit_of(const tz_semiring *semiring) {
    return semiring->limit != 0 ? semiring->limit : 1e290;
}

/* A lifted score, with inputs that are scores as well where they may be -infinity. */
static any random_lift(const subject *subject, random_state *random) {
    const tz_semiring *semiring = subject->semiring;
    double limit = limit_of(semiring), number[TZ_MAX_INPUTS];
    const double *input[TZ_MAX_INPUTS];
    double score = random_score(random, limit);
    if (subject->whole && score != -INFINITY)
        score = (double)random_below(random, 7) - 3;
    for (size_t i = 0; i < semiring->inputs; i++) {
        number[i] =
            subject->whole ? (double)random_below(random, 7) - 3 : random_score(random, limit);
        number[i] = number[i] == -INFINITY && semiring->input[i].finite ? 0 : number[i];
        input[i] = &number[i];
    }
    return semiring->inputs > 0 ? any_lift_inputs(semiring, score, input)
                                : any_lift(semiring, score);
}

static any random_element(const subject *subject, random_state *random) {
    const tz_semiring *semiring = subject->semiring;
    any a = random_lift(subject, random);
    for (uint64_t more = random_below(random, 2) * random_below(random, 12); more > 0; more--) {
        any b = random_lift(subject, random);
        switch (random_below(random, 4)) {
        case 0:
            a = any_plus(semiring, a, b);
            break;
        case 1:
            a = any_times(semiring, a, b);
            break;
        case 2:
            for (uint64_t twice = random_below(random, 60); twice > 0; twice--)
                a = any_plus(semiring, a, a);
            break;
        default:
            a = any_times(semiring, a, a);
        }
    }
    return a;
}

static triple random_triple(const subject *subject, random_state *random) {
    const tz_semiring *s = subject->semiring;
    triple t = {random_element(subject, random), random_element(subject, random),
                random_element(subject, random)};
    switch (random_below(random, 10)) {
    case 0:
        t.b = t.a;
        break;
    case 1:
        t.c = any_one(s);
        break;
    case 2:
        t.a = any_zero(s);
        break;
    default:
        break;
    }
    return t;
}

/* The largest finite |number| of five elements, of each the first `numbers`; at least 1. */
static double largest(const tz_semiring *semiring, const any *const all[5], size_t numbers) {
    double ret = 1;
    for (int i = 0; i < 5; i++) {
        double v[MAX_NUMBERS];
        size_t count = any_values(semiring, *all[i], v);
        for (size_t at = 0; at < count && at < numbers; at++)
            ret = fabs(v[at]) > ret && fabs(v[at]) < INFINITY ? fabs(v[at]) : ret;
    }
    return ret;
}

/* How far apart x and y are, in units of the precision. A semiring with shares is one of numbers:
 * the unit is relative to them, |x / y - 1|, as long as the triple's scores are small enough for
 * an exponent to be exact (beyond, expectations are of any distribution); else, for scores, and for
 * further numbers, it is relative to the largest one of triple, x and y. Whole scores are equal,
 * and the number beside them is relative to itself. */
static double distance(const subject *subject, triple t, any x, any y) {
    const tz_semiring *s = subject->semiring;
    double epsilon = precision_epsilon(s->gives == TZ_GIVES_SCORE ? subject->precision : TZ_F64);
    if (any_same(s, x, y))
        return 0;
    any zero = any_zero(s);
    if (any_same(s, x, zero) || any_same(s, y, zero))
        return INFINITY;
    const any *const all[5] = {&t.a, &t.b, &t.c, &x, &y};
    double p[MAX_NUMBERS], q[MAX_NUMBERS], worst = 0;
    size_t first = 0, count = any_values(s, x, p);
    if (any_values(s, y, q) != count)
        return INFINITY;
    if (subject->whole && s->number_name == NULL) /* costs are whole numbers, too */
        return INFINITY;
    if (subject->whole)
        return p[0] == q[0] ? fabs(p[1] / q[1] - 1) / precision_epsilon(TZ_F64) : INFINITY;
    bool exact = s->gives != TZ_GIVES_SCORE || largest(s, all, 1) < 0.125 / epsilon;
    if (s->share && exact) {
        worst = fabs(s->share(s, x.bytes, y.bytes) - 1) / epsilon;
        first = 1;
    } else if (s->share) {
        count = 1;
    }
    double scale = largest(s, all, count);
    for (size_t i = first; i < count; i++) {
        double d = p[i] == q[i] ? 0 : fabs(p[i] - q[i]) / (epsilon * scale);
        worst = d <= worst ? worst : d;
    }
    return worst;
}

static void show(const subject *subject, const char *law, triple t, any x, any y) {
    const tz_semiring *s = subject->semiring;
    print_error("%s: a = %.17g, b = %.17g, c = %.17g: %.17g against %.17g, distance %g\n", law,
                any_value(s, t.a), any_value(s, t.b), any_value(s, t.c), any_value(s, x),
                any_value(s, y), distance(subject, t, x, y));
    fail();
}

/* x and y are the two sides of a law: equal to the bit. */
static void same(const subject *subject, const char *law, triple t, any x, any y) {
    if (!any_same(subject->semiring, x, y))
        show(subject, law, t, x, y);
}

/* Equal but for rounding; *worst is the greatest distance seen. */
static void near(const subject *subject, const char *law, triple t, any x, any y, double *worst) {
    double d = distance(subject, t, x, y);
    if (!(d <= tolerance) || isnan(any_value(subject->semiring, x)))
        show(subject, law, t, x, y);
    *worst = d > *worst ? d : *worst;
}

/* (a + b) + c = a + (b + c); (a * b) * c = a * (b * c); a * (b + c) = a * b + a * c, and from the
 * right; a + b = b + a; a + 0 = 0 + a = a; a * 1 = 1 * a = a; a * 0 = 0 * a = 0. plus_times is
 * a + b * c, with the bits of a where that is a + 0 * c, and of b * c where it is 0 + b * c. */
static void test_semiring_laws(void **state) {
    const subject *subject = *state;
    const tz_semiring *s = subject->semiring;
    random_state random = random_start(subject->name[0]);
    any zero = any_zero(s), one = any_one(s);
    double worst = 0;
    for (int i = 0; i < TRIPLES; i++) {
        triple t = random_triple(subject, &random);
        any a = t.a, b = t.b, c = t.c;
        any b_plus_c = any_plus(s, b, c), a_times_b = any_times(s, a, b);
        near(subject, "associativity of plus", t, any_plus(s, any_plus(s, a, b), c),
             any_plus(s, a, b_plus_c), &worst);
        near(subject, "associativity of times", t, any_times(s, a_times_b, c),
             any_times(s, a, any_times(s, b, c)), &worst);
        near(subject, "distributivity from the left", t, any_times(s, a, b_plus_c),
             any_plus(s, a_times_b, any_times(s, a, c)), &worst);
        near(subject, "distributivity from the right", t, any_times(s, b_plus_c, a),
             any_plus(s, any_times(s, b, a), any_times(s, c, a)), &worst);
        near(subject, "plus_times", t, any_plus_times(s, t.a, b, c),
             any_plus(s, t.a, any_times(s, b, c)), &worst);
        same(subject, "0 + a * b", t, any_plus_times(s, zero, a, b), a_times_b);
        same(subject, "a + 0 * b", t, any_plus_times(s, a, zero, b), a);
        same(subject, "commutativity of plus", t, b_plus_c, any_plus(s, c, b));
        same(subject, "a + 0", t, any_plus(s, a, zero), a);
        same(subject, "0 + a", t, any_plus(s, zero, a), a);
        same(subject, "a * 1", t, any_times(s, a, one), a);
        same(subject, "1 * a", t, any_times(s, one, a), a);
        same(subject, "a * 0", t, any_times(s, a, zero), zero);
        same(subject, "0 * a", t, any_times(s, zero, a), zero);
    }
    print_message("# %s: largest distance %g, tolerance %g\n", subject->name[0], worst, tolerance);
}

/* Whether each law that can be declared holds for a triple, to the bit. */
static unsigned laws_kept(const tz_semiring *s, triple t) {
    any a = t.a, b = t.b, c = t.c;
    any a_plus_b = any_plus(s, a, b);
    bool tie = any_value(s, a) == any_value(s, b);
    bool path = any_same(s, a_plus_b, a) || (!tie && any_same(s, a_plus_b, b));
    bool exact = any_same(s, any_plus(s, a_plus_b, c), any_plus(s, a, any_plus(s, b, c)));
    /* A path semiring is distributive without rounding: times is monotone. */
    bool distributive =
        any_same(s, any_times(s, c, a_plus_b), any_plus(s, any_times(s, c, a), any_times(s, c, b)));
    return (any_same(s, any_times(s, a, b), any_times(s, b, a)) ? TZ_COMMUTATIVE : 0) |
           (any_same(s, any_plus(s, a, a), a) ? TZ_IDEMPOTENT : 0) |
           (path && distributive ? TZ_PATH : 0) | (exact ? TZ_EXACT : 0);
}

static const struct {
    unsigned law;
    const char *name;
} laws[] = {{TZ_COMMUTATIVE, "commutative"},
            {TZ_IDEMPOTENT, "idempotent"},
            {TZ_PATH, "path"},
            {TZ_EXACT, "exact"}};

static void test_declared_laws(void **state) {
    const subject *subject = *state;
    const tz_semiring *s = subject->semiring;
    random_state random = random_start(subject->name[1]);
    for (int i = 0; i < TRIPLES; i++) {
        triple t = random_triple(subject, &random);
        unsigned kept = laws_kept(s, t);
        for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++)
            if (s->laws & ~kept & laws[l].law)
                show(subject, laws[l].name, t, t.a, t.b);
    }
}

/* A law that is not declared fails for some triple: else it should be. */
static void test_undeclared_laws(void **state) {
    const subject *subject = *state;
    const tz_semiring *s = subject->semiring;
    random_state random = random_start(subject->name[2]);
    unsigned always = ~0u;
    for (int i = 0; i < TRIPLES; i++)
        always &= laws_kept(s, random_triple(subject, &random));
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++)
        if (always & ~s->laws & laws[l].law)
            fail_msg("%s is not declared and holds for every triple", laws[l].name);
}

/* max: 0.0 and -0.0 tie and differ in their bits, which shows the operand that was kept. */
static void test_ties_keep_the_first(void **state) {
    (void)state;
    double first = 0.0, second = -0.0, ret = 1;
    const tz_semiring *max = tz_semiring_find("max", TZ_F64);
    max->plus(max, &ret, &first, &second);
    assert_false(signbit(ret));
    max->plus(max, &ret, &second, &first);
    assert_true(signbit(ret));
    float first32 = 0.0f, second32 = -0.0f, ret32 = 1;
    max = tz_semiring_find("max", TZ_F32);
    max->plus(max, &ret32, &first32, &second32);
    assert_false(signbit(ret32));
    max->plus(max, &ret32, &second32, &first32);
    assert_true(signbit(ret32));
}

/* Results may be written over an argument. */
static void test_results_over_arguments(void **state) {
    const subject *subject = *state;
    const tz_semiring *s = subject->semiring;
    random_state random = random_start(subject->name[3]);
    for (int i = 0; i < TRIPLES / 10; i++) {
        triple t = random_triple(subject, &random);
        any sum = any_plus(s, t.a, t.b), product = any_times(s, t.a, t.b), over = t.a;
        any both = any_plus_times(s, t.a, t.b, t.c);
        s->plus(s, over.bytes, over.bytes, t.b.bytes);
        same(subject, "a + b over a", t, over, sum);
        over = t.b;
        s->plus(s, over.bytes, t.a.bytes, over.bytes);
        same(subject, "a + b over b", t, over, sum);
        over = t.a;
        s->times(s, over.bytes, over.bytes, t.b.bytes);
        same(subject, "a * b over a", t, over, product);
        over = t.b;
        s->times(s, over.bytes, t.a.bytes, over.bytes);
        same(subject, "a * b over b", t, over, product);
        if (s->plus_times != NULL) {
            over = t.a;
            s->plus_times(s, over.bytes, over.bytes, t.b.bytes, t.c.bytes);
            same(subject, "a + b * c over a", t, over, both);
            over = t.c;
            s->plus_times(s, over.bytes, t.a.bytes, t.b.bytes, over.bytes);
            same(subject, "a + b * c over c", t, over, both);
        }
    }
}

static void test_registry(void **state) {
    (void)state;
    for (size_t i = 0; tz_semiring_at(i, TZ_F64); i++) {
        for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
            const tz_semiring *s = tz_semiring_at(i, p);
            assert_ptr_equal(s, tz_semiring_find(s->name, p));
            assert_true(s->size <= sizeof(any) && s->align <= _Alignof(any));
            assert_int_equal(s->size % s->align, 0);
            assert_true(s->summary && s->summary[0]);
        }
        assert_true(i == 0 || strcmp(tz_semiring_at(i - 1, TZ_F64)->name,
                                     tz_semiring_at(i, TZ_F64)->name) < 0);
    }
    assert_null(tz_semiring_find("", TZ_F64));
    assert_null(tz_semiring_find("maximum", TZ_F64));
}

int main(void) {
    enum { SUBJECTS = 64 };
    static const struct {
        const char *name;
        CMUnitTestFunction test;
    } question[QUESTIONS] = {{"semiring laws", test_semiring_laws},
                             {"declared laws", test_declared_laws},
                             {"undeclared laws", test_undeclared_laws},
                             {"results over arguments", test_results_over_arguments}};
    static subject subjects[SUBJECTS];
    struct CMUnitTest tests[2 + SUBJECTS * QUESTIONS] = {
        cmocka_unit_test(test_registry), cmocka_unit_test(test_ties_keep_the_first)};
    size_t count = 2, used = 0;
    static const char *const parametric[] = {"costs(1)", "costs(3)", "kbest(1)", "kbest(2)",
                                             "kbest(5)"};
    tz_semiring *made[SUBJECTS] = {NULL};
    size_t plain = 0;
    while (tz_semiring_at(plain, TZ_F64))
        plain++;
    for (size_t i = 0; i < plain + sizeof parametric / sizeof *parametric; i++) {
        for (tz_precision p = TZ_F64; p <= TZ_F32 && used < SUBJECTS; p++) {
            if (i >= plain && tz_semiring_new(parametric[i - plain], p, &made[used], NULL) != TZ_OK)
                return 1;
            subject *s = &subjects[used];
            *s = (subject){.semiring = i < plain ? tz_semiring_at(i, p) : made[used],
                           .precision = p};
            s->whole = strcmp(s->semiring->name, "ties") == 0 ||
                       strncmp(s->semiring->name, "costs", 5) == 0;
            used++;
            for (int q = 0; q < QUESTIONS; q++) {
                snprintf(s->name[q], NAME, "%s %s: %s", s->semiring->name, precision_name(p),
                         question[q].name);
                tests[count++] = (struct CMUnitTest){s->name[q], question[q].test, NULL, NULL, s};
            }
        }
    }
    int failed = _cmocka_run_group_tests("laws", tests, count, NULL, NULL);
    for (size_t i = 0; i < used; i++)
        tz_semiring_free(made[i]);
    return failed;
}
