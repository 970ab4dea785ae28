/* semiring.h - the contract between the engine and a semiring.
 *
 * A semiring is one constant descriptor (what tz_semiring_new makes is one, too). Only `name`,
 * `plus` and `times` are mandatory; what is left zero has this meaning: an element is one double
 * holding a log score, zero is -INFINITY, one is 0.0, a score is its own element, and an element is
 * its own score.
 *
 * Elements are plain bytes: the engine copies them with memcpy, takes those that have the bytes of
 * zero for zero, and never frees anything in them. Functions may be called from several threads at
 * once and must not fail. Results may be written over an argument: `ret` can equal `a` or `b`.
 *
 * Goodman 1999 (Computational Linguistics 25:4), section 2. SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_SEMIRING_H
#define TRAPEZE_SEMIRING_H

#ifdef __cplusplus
#include <stdbool.h> /* for _Bool */
#endif
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tz_semiring tz_semiring;

/* Laws a semiring declares; the law test checks each, and algorithms refuse by name what lacks the
 * one they need. Every semiring must be associative, distributive and have the two identities. */
enum {
    TZ_COMMUTATIVE = 1 << 0, /* a * b = b * a; plans need it */
    TZ_IDEMPOTENT = 1 << 1,  /* a + a = a; ambiguous rule sets need it */
    TZ_PATH = 1 << 2,        /* a + b is a or b, and a where they tie; best derivations need it */
    TZ_EXACT = 1 << 3        /* plus never rounds: the sum has the same bits in any order */
};

/* What the value of an item means, and so how it is printed. */
typedef enum tz_gives {
    TZ_GIVES_SCORE, /* a log score; -INFINITY where there is no derivation */
    TZ_GIVES_NUMBER,
    TZ_GIVES_TRUTH
} tz_gives;

/* An array of numbers beside the scores, one for each cell of a weight. */
typedef struct tz_input {
    const char *name;
    _Bool finite; /* -INFINITY is refused */
} tz_input;

enum { TZ_MAX_INPUTS = 4 };

struct tz_semiring {
    const char *name;
    const char *summary; /* what it computes, for lists: "score of the best derivation" */
    unsigned laws;
    tz_gives gives;
    size_t size, align;     /* of an element, in bytes; align a power of two, at most 64 */
    const void *zero, *one; /* elements */
    double limit;           /* scores with |score| above it are refused when bound; 0: 1e290 */

    /* a + b. A path semiring returns a where the two tie. */
    void (*plus)(const tz_semiring *self, void *ret, const void *a, const void *b);
    /* a * b. Zero times anything is zero. */
    void (*times)(const tz_semiring *self, void *ret, const void *a, const void *b);
    /* Optional: a + b * c, where that is not the bits of plus and times: a fused multiply-add. A
     * sum over products of two factors or more is made of it. */
    void (*plus_times)(const tz_semiring *self, void *ret, const void *a, const void *b,
                       const void *c);
    /* The elements of n scores, `stride` elements apart; -INFINITY gives zero. */
    void (*lift)(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n);
    /* The score, number or truth (0 or 1) that an element stands for. */
    double (*value)(const tz_semiring *self, const void *a);
    /* Optional: part / whole as a plain number (1.0 where they are equal); whole is not zero.
     * Marginals need it. */
    double (*share)(const tz_semiring *self, const void *part, const void *whole);

    /* Optional: 1 + a + a a + a a a + ..., what going round a cycle of product a any number of
     * times adds up to; false where that has no limit. Closures (rule files) need it where items do
     * need one another; not of a path semiring, where nothing is better than the shortest way.
     * Without it, no cycle but one that is zero has a sum. */
    _Bool (*star)(const tz_semiring *self, void *ret, const void *a);

    /* Optional: what lift takes besides the scores (tz_problem.inputs), up to TZ_MAX_INPUTS arrays,
     * and the elements of n scores and n numbers of each; what is not given is 0, and lift is for
     * where nothing is. */
    size_t inputs;
    const tz_input *input;
    void (*lift_inputs)(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                        const double *const *input, size_t n);

    /* Optional: all numbers that an element stands for, of which `value` gives one: writes at most
     * `numbers`, and returns how many. number_name: what each is, [numbers]; NULL for a list of
     * like ones, or of groups of `each` numbers (0: 1) one after the other. */
    size_t numbers, each;
    const char *const *number_name;
    size_t (*values)(const tz_semiring *self, const void *a, double *ret);

    /* Optional: a times x, where x is larger than any element of a chart that is not a multiple of
     * it. The engine marks the elements of required cells so (tz_fact): elements are then leading
     * terms of polynomials in x. required(BASE) makes them of any semiring's. */
    void (*mark)(const tz_semiring *self, void *a);
    /* With mark: what a has x^power times, if that is the power of its leading term; else zero.
     * value and share do not look at the power of `a` and `whole`; a part of a lower power than
     * the whole has the share 0. */
    void (*coefficient)(const tz_semiring *self, void *ret, const void *a, size_t power);

    /* Optional, of a semiring whose elements are real numbers: n elements a[i * stride], each times
     * a number of either sign. plus, times and share, and kernels, take such elements as well;
     * `value` need not. Tangents need it (tz_marginal_tangents). */
    void (*multiples)(const tz_semiring *self, void *ret, ptrdiff_t ret_stride, const void *a,
                      ptrdiff_t stride, const double *x, size_t n);

    /* Optional, of a semiring whose elements are exact only as long as they stay near one: the
     * largest of n elements a[i * stride], as a score; and how large one may be. A problem is
     * refused, TZ_BAD_SCORE, if an item's inside or outside value is larger, or that of the goal
     * smaller than 1 / exp(exact). Elements of scores up to 4 exact must be exact; under rules of
     * more than 3 factors, `exact` is taken to be less. */
    double exact;
    double (*largest)(const tz_semiring *self, const void *a, ptrdiff_t stride, size_t n);

    /* Of a semiring that gives scores, and whose further numbers stay the same where the same is
     * added to the scores of all derivations: elements may be of scores less what derivations have
     * in common, so that these numbers do not lose it in rounding. What is reported is not. */
    _Bool relative;

    /* Of one that tz_semiring_new has composed: what it is made of; freed with it. */
    tz_semiring *part;

    /* Optional: faster ways to the same bits, see trapeze/kernel.h. */
    const struct tz_kernels *kernels;
};

#ifdef __cplusplus
}
#endif
#endif
