/* lift_vectors.h - lift, and the kernel that lifts scores side by side, from
 *
 *   static inline vector vector_lifted(numbers score, const numbers *input)
 *
 * which the file that includes it has defined, with INPUTS numbers beside each score. A score of
 * -infinity becomes zero without it, and no number becomes -0. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_LIFT_VECTORS_H
#define TZ_KERNELS_LIFT_VECTORS_H

/* Lifts `count` scores, VECTOR_ELEMENTS at most, and the numbers beside them from `from` on. */
static inline vector lifted_columns(const double *score, const double *const *input, size_t from,
                                    int count) {
    numbers scores = {0}, given[INPUTS + 1] = {{0}};
    for (int i = 0; i < count; i++)
        scores[i] = (number)score[from + (size_t)i];
    for (int k = 0; k < INPUTS && input != NULL; k++)
        for (int i = 0; i < count && input[k] != NULL; i++)
            given[k][i] = (number)input[k][from + (size_t)i];
    vector ret = vector_lifted(scores, given);
    UNROLLED for (int p = 0; p < PARTS; p++) {
        ((numbers *)&ret)[p] += 0;
    }
    return vector_pick(scores == -(number)INFINITY, vector_of(zero), ret);
}

DECLARE_ALL_LIFTS(NAME);

/* n is a multiple of TZ_LIFTED. */
_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    (void)self;
    element *to = ret;
    size_t i = 0;
    for (; i + VECTOR_ELEMENTS <= n; i += VECTOR_ELEMENTS)
        vector_store(to + i, lifted_columns(from->score, from->input, i, VECTOR_ELEMENTS));
    if (i < n)
        vector_store_part(to + i, part_of(0, (ptrdiff_t)(n - i)),
                          lifted_columns(from->score, from->input, i, (int)(n - i)));
    return 1;
}

#ifdef TZ_DESCRIPTOR
static __attribute__((unused)) void lift_inputs(const tz_semiring *self, void *ret,
                                                ptrdiff_t stride, const double *score,
                                                const double *const *input, size_t n) {
    (void)self;
    element side[VECTOR_ELEMENTS], *to = ret;
    for (size_t i = 0; i < n; i += VECTOR_ELEMENTS) {
        const int count = n - i < VECTOR_ELEMENTS ? (int)(n - i) : VECTOR_ELEMENTS;
        vector_store(side, lifted_columns(score, input, i, count));
        for (int c = 0; c < count; c++, to += stride)
            *to = side[c];
    }
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    lift_inputs(self, ret, stride, score, NULL, n);
}
#endif

#endif
