/* semiring.h - the contract between the engine and a semiring.
 *
 * A semiring is one constant descriptor; tz_semiring_new makes them too. Only `name`, `plus` and
 * `times` are mandatory. Members left zero mean: an element is one double holding a log score, zero
 * is -INFINITY, one is 0.0, a score is its own element, and an element is its own score.
 *
 * Elements are plain bytes: the engine copies them with memcpy, takes an element for zero if it has
 * the bytes of zero, and never frees anything in it. Functions may be called from several threads
 * at once and must not fail. Results may be written over an argument: `ret` can equal `a` or `b`.
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

/* Laws that a semiring declares. The law test checks each; an algorithm refuses a semiring that
 * lacks a law it needs, and names the law. In every semiring plus and times are associative, plus
 * is commutative, times distributes over plus, and zero and one are identities. */
enum {
    TZ_COMMUTATIVE = 1 << 0, /* a * b = b * a; plans need it */
    TZ_IDEMPOTENT = 1 << 1,  /* a + a = a; ambiguous rule sets need it */
    TZ_PATH = 1 << 2,        /* a + b is a or b, a where they tie; best derivations need it */
    TZ_EXACT = 1 << 3        /* plus never rounds: the sum has the same bits in any order */
};

/* What the value of an item means, and so how it is printed. */
typedef enum tz_gives {
    TZ_GIVES_SCORE, /* a log score; -INFINITY where there is no derivation */
    TZ_GIVES_NUMBER,
    TZ_GIVES_TRUTH
} tz_gives;

/* A further input: numbers beside the scores, one for each cell of a weight. */
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
    double limit;           /* scores with |score| above this are refused when bound; 0: 1e290 */

    /* a + b. A path semiring returns a where the two tie. */
    void (*plus)(const tz_semiring *self, void *ret, const void *a, const void *b);
    /* a * b. Zero times anything is zero. */
    void (*times)(const tz_semiring *self, void *ret, const void *a, const void *b);
    /* Optional: a + b * c where its bits differ from those of plus and times, as in a fused
     * multiply-add. Sums over products of two factors or more are made of it. */
    void (*plus_times)(const tz_semiring *self, void *ret, const void *a, const void *b,
                       const void *c);
    /* Writes the elements of n scores, `stride` elements apart; -INFINITY gives zero. */
    void (*lift)(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n);
    /* The score, number or truth (0 or 1) that an element stands for. */
    double (*value)(const tz_semiring *self, const void *a);
    /* Optional: part / whole as a plain number (1.0 where they are equal); whole is not zero.
     * Marginals need it. */
    double (*share)(const tz_semiring *self, const void *part, const void *whole);

    /* Optional: 1 + a + a a + a a a + ..., the sum over going round a cycle of product a any number
     * of times; false where it has no limit. Closures (rule files) need it where items need one
     * another in a cycle, but not under a path semiring, where nothing is better than the shortest
     * way. Without it, only a cycle of product zero has a sum. */
    _Bool (*star)(const tz_semiring *self, void *ret, const void *a);

    /* Optional: up to TZ_MAX_INPUTS arrays of numbers beside the scores (tz_problem.inputs).
     * lift_inputs writes the elements of n scores and n numbers of each; numbers not given are 0.
     * lift is called for a weight without any. */
    size_t inputs;
    const tz_input *input;
    void (*lift_inputs)(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                        const double *const *input, size_t n);

    /* Optional: all numbers that an element stands for; `value` gives one of them. Writes at most
     * `numbers` of them and returns how many. number_name[numbers]: what each is; NULL: they are a
     * list of alike numbers, or of groups of `each` numbers (0: 1). */
    size_t numbers, each;
    const char *const *number_name;
    size_t (*values)(const tz_semiring *self, const void *a, double *ret);

    /* Optional: multiplies a by x, a symbol larger than any element that is no multiple of it. The
     * engine so marks the elements of required cells (tz_fact): elements are leading terms of
     * polynomials in x. required(BASE) makes such elements from those of any semiring. */
    void (*mark)(const tz_semiring *self, void *a);
    /* With mark: the coefficient of x^power in a, if this is the power of its leading term; else
     * zero. value and share ignore the powers of `a` and `whole`; a part of a lower power than the
     * whole has the share 0. */
    void (*coefficient)(const tz_semiring *self, void *ret, const void *a, size_t power);

    /* Optional, for a semiring whose elements are real numbers: writes n elements a[i * stride],
     * each multiplied by a number x[i] of either sign. plus, times, share and kernels take such
     * elements as well; `value` need not. Tangents need it (tz_marginal_tangents). */
    void (*multiples)(const tz_semiring *self, void *ret, ptrdiff_t ret_stride, const void *a,
                      ptrdiff_t stride, const double *x, size_t n);

    /* Optional, for a semiring whose elements are exact only while they stay near one. largest: the
     * largest of n elements a[i * stride], as a score. exact: the largest score allowed. A problem
     * is refused, TZ_BAD_SCORE, if an inside or outside value of an item is larger, or the goal's
     * is smaller than 1 / exp(exact). Elements of scores up to 4 * exact must be exact; under rules
     * of more than 3 factors the engine uses a smaller limit than `exact`. */
    double exact;
    double (*largest)(const tz_semiring *self, const void *a, ptrdiff_t stride, size_t n);

    /* For a semiring that gives scores, and whose other numbers stay the same if one amount is
     * added to the scores of all derivations. The engine may then subtract from scores what all
     * derivations have in common, so that the other numbers lose less in rounding; it adds it to
     * reported scores again. */
    _Bool relative;

    /* In a semiring composed by tz_semiring_new: the one it is made of, freed with it. */
    tz_semiring *part;

    /* Optional: faster ways to the same bits, see trapeze/kernel.h. */
    const struct tz_kernels *kernels;
};

#ifdef __cplusplus
}
#endif
#endif
