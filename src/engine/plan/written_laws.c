/* written_laws.c - do the laws of a written semiring hold of random elements?
 *
 * Elements are zero, one, and sums and products of lifted scores. Always the same ones, so that a
 * text is always refused or never. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "engine/plan/written.h"

enum { TRIES = 600, SHOWN = 100 };

typedef struct element {
    double at[TZ_WRITTEN_PARTS];
} element;

typedef struct trial {
    const tz_written *w;
    uint64_t state;
} trial;

/* splitmix64 */
static uint64_t draw(trial *t) {
    uint64_t z = t->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Whole numbers, so that some coincide; every third time any. */
static double draw_number(trial *t) {
    if (draw(t) % 3 > 0)
        return (double)(int)(draw(t) % 9) - 4;
    return (double)(draw(t) >> 11) * 0x1p-53 * 6 - 3;
}

static element sum(const trial *t, element a, element b) {
    element ret = {{0}};
    t->w->semiring.plus(&t->w->semiring, &ret, &a, &b);
    return ret;
}

static element product(const trial *t, element a, element b) {
    element ret = {{0}};
    t->w->semiring.times(&t->w->semiring, &ret, &a, &b);
    return ret;
}

static element lifted(trial *t) {
    double given[1 + TZ_MAX_INPUTS];
    const double *input[TZ_MAX_INPUTS];
    element ret = {{0}};
    for (size_t i = 0; i < 1 + TZ_MAX_INPUTS; i++)
        given[i] = draw_number(t);
    for (size_t i = 0; i < TZ_MAX_INPUTS; i++)
        input[i] = &given[1 + i];
    if (t->w->semiring.lift_inputs != NULL)
        t->w->semiring.lift_inputs(&t->w->semiring, &ret, 1, given, input, 1);
    else
        t->w->semiring.lift(&t->w->semiring, &ret, 1, given, 1);
    return ret;
}

static element constant(const double *from, size_t parts) {
    element ret = {{0}};
    memcpy(ret.at, from, parts * sizeof *from);
    return ret;
}

static element draw_element(trial *t, unsigned depth) {
    switch (draw(t) % (depth > 0 ? 10 : 5)) {
    case 0:
        return constant(t->w->zero, t->w->parts);
    case 1:
        return constant(t->w->one, t->w->parts);
    case 2:
    case 3:
    case 4:
        return lifted(t);
    case 5:
    case 6: {
        element a = draw_element(t, depth - 1), b = draw_element(t, depth - 1);
        return product(t, a, b);
    }
    default: {
        element a = draw_element(t, depth - 1), b = draw_element(t, depth - 1);
        return sum(t, a, b);
    }
    }
}

static bool same(const trial *t, element a, element b) {
    for (size_t p = 0; p < t->w->parts; p++)
        if (a.at[p] != b.at[p])
            return false;
    return true;
}

/* But for rounding. */
static bool near(const trial *t, element a, element b) {
    for (size_t p = 0; p < t->w->parts; p++)
        if (a.at[p] != b.at[p] &&
            !(fabs(a.at[p] - b.at[p]) <= 1e-9 * (1 + fabs(a.at[p]) + fabs(b.at[p]))))
            return false;
    return true;
}

static bool is_number(const trial *t, element a) {
    for (size_t p = 0; p < t->w->parts; p++)
        if (isnan(a.at[p]))
            return false;
    return true;
}

/* (1, 2), or 1. */
static void show(const trial *t, element a, char text[SHOWN]) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t p = 0; p < t->w->parts && used < SHOWN; p++)
        used += (size_t)snprintf(text + used, SHOWN - used, "%s%s%.6g%s",
                                 p == 0 && t->w->parts > 1 ? "(" : "", p > 0 ? ", " : "", a.at[p],
                                 p + 1 == t->w->parts && p > 0 ? ")" : "");
}

typedef struct law {
    const char *text, *left, *right; /* with a, b, c for the elements */
    bool exactly;
} law;

static tz_status compare(const trial *t, const char *file, law law, const element *of, element left,
                         element right, tz_error *opt_error) {
    char a[SHOWN], b[SHOWN], c[SHOWN], x[SHOWN], y[SHOWN];
    const bool number = is_number(t, left) && is_number(t, right);
    if (number && (law.exactly ? same(t, left, right) : near(t, left, right)))
        return TZ_OK;
    show(t, of[0], a);
    show(t, of[1], b);
    show(t, of[2], c);
    show(t, left, x);
    show(t, right, y);
    const bool has_b = strchr(law.left, 'b') != NULL, has_c = strchr(law.left, 'c') != NULL;
    return tz_fail(opt_error, TZ_LAW, "%s: %s: with a = %s%s%s%s%s, %s is %s, and %s is %s", file,
                   number ? law.text : "what is computed is no number (0/0, inf - inf or 0 * inf)",
                   a, has_b ? ", b = " : "", has_b ? b : "", has_c ? ", c = " : "", has_c ? c : "",
                   law.left, x, law.right, y);
}

tz_status tz_try_laws(const tz_written *w, const char *file, tz_error *opt_error) {
    const unsigned laws = w->semiring.laws;
    const bool exact = laws & TZ_EXACT;
    trial try = {.w = w, .state = 1}, *t = &try;
    const element zero = constant(w->zero, w->parts), one = constant(w->one, w->parts);
    for (int i = 0; i < TRIES; i++) {
        const element e[3] = {draw_element(t, 2), draw_element(t, 2), draw_element(t, 2)};
        const element a = e[0], b = e[1], c = e[2];
        const struct {
            bool holds;
            law law;
            element left, right;
        } tried[] = {
            {true,
             {"the order of adding matters", "a + b", "b + a", exact},
             sum(t, a, b),
             sum(t, b, a)},
            {true,
             {"plus is not associative", "(a + b) + c", "a + (b + c)", exact},
             sum(t, sum(t, a, b), c),
             sum(t, a, sum(t, b, c))},
            {true,
             {"times is not associative", "(a * b) * c", "a * (b * c)", false},
             product(t, product(t, a, b), c),
             product(t, a, product(t, b, c))},
            {true,
             {"times does not distribute over plus", "a * (b + c)", "a * b + a * c", false},
             product(t, a, sum(t, b, c)),
             sum(t, product(t, a, b), product(t, a, c))},
            {true,
             {"times does not distribute over plus", "(b + c) * a", "b * a + c * a", false},
             product(t, sum(t, b, c), a),
             sum(t, product(t, b, a), product(t, c, a))},
            {true, {"zero is not neutral", "a + zero", "a", true}, sum(t, a, zero), a},
            {true, {"one is not neutral", "a * one", "a", false}, product(t, a, one), a},
            {true, {"one is not neutral", "one * a", "a", false}, product(t, one, a), a},
            {true,
             {"zero does not annihilate", "a * zero", "zero", true},
             product(t, a, zero),
             zero},
            {true,
             {"zero does not annihilate", "zero * a", "zero", true},
             product(t, zero, a),
             zero},
            {laws & TZ_COMMUTATIVE,
             {"times is not commutative", "a * b", "b * a", false},
             product(t, a, b),
             product(t, b, a)},
            {laws & TZ_IDEMPOTENT, {"plus is not idempotent", "a + a", "a", true}, sum(t, a, a), a},
            {laws & TZ_PATH,
             {"a + b is neither a nor b", "a + b", "b", true},
             sum(t, a, b),
             same(t, sum(t, a, b), a) ? a : b},
        };
        for (size_t l = 0; l < sizeof tried / sizeof *tried; l++)
            if (tried[l].holds) {
                tz_status status =
                    compare(t, file, tried[l].law, e, tried[l].left, tried[l].right, opt_error);
                if (status != TZ_OK)
                    return status;
            }
    }
    return TZ_OK;
}
