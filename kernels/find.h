/* find.h - `find` of a semiring whose times never turns an order round: see kernel.h.
 *
 * After block.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_FIND_H
#define TZ_KERNELS_FIND_H

#ifdef TZ_DESCRIPTOR

static element product_at(const tz_operand *operand, unsigned operands, ptrdiff_t s) {
    element value = operands == 0 ? one : ((const element *)operand->base)[s * operand->split];
    for (unsigned o = 1; o < operands; o++)
        value = product(value, ((const element *)operand[o].base)[s * operand[o].split]);
    return value;
}

/* The first of `count` products that is `value`, from `a` and `b` on; count if there is none. None
 * is greater than the value, their sum, and one comparison takes less than two. */
static inline size_t find_pair(element value, const element *a, ptrdiff_t a_split, const element *b,
                               ptrdiff_t b_split, size_t count) {
    size_t s = 0;
    for (; s + 2 <= count; s += 2) {
        if (product(a[0], b[0]) >= value)
            return s;
        if (product(a[a_split], b[b_split]) >= value)
            return s + 1;
        a += 2 * a_split;
        b += 2 * b_split;
    }
    return s < count && product(*a, *b) >= value ? s : count;
}

static size_t find(const tz_semiring *self, const void *value, const tz_operand *operand,
                   unsigned operands, size_t splits) {
    (void)self;
    element wanted = *(const element *)value;
    if (operands == 2) {
        return find_pair(wanted, operand[0].base, operand[0].split, operand[1].base,
                         operand[1].split, splits);
    }
    size_t s = 0;
    while (s < splits && product_at(operand, operands, (ptrdiff_t)s) < wanted)
        s++;
    return s;
}

#endif

#endif
