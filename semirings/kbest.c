/* kbest.c - kbest(K): the scores of the K best derivations.
 *
 *   element  K log scores, best first; -inf where there are fewer
 *   zero     -inf, -inf, ...   one  0, -inf, -inf, ...
 *   a + b    the K best of both             a * b  the K best sums of one of each
 *   laws     commutative, exact; kbest(1), which is max, is idempotent and path as well
 *
 * Sums are rounded as those of max, so every derivation has the score that max gives it. Nothing
 * here can fail: what does not fit where it is wanted (a result over an argument, a block's sum)
 * stands on the stack, up to four elements and 3 KB; hence LIMIT.
 * Goodman 1999, section 2.2 (Viterbi-n-best); Huang & Chiang 2005, algorithm 1.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/kernel.h>

#include "kernels/real.h"
#define NAME kbest

/* ---- Vectors of short lists ------------------------------------------------------------------
 * An element of up to SHORT scores has as many as the next power of two, so that lists merge by a
 * network of comparisons (Batcher 1968); what is not asked for, values leaves out. */

typedef real number;
#include "kernels/numbers.h"
#include "kernels/picks.h"

enum {
    SHORT = 16,
    UNTESTED = 4 /* scores whose network takes less time than a branch that is foreseen wrongly */
};

/* a[0] >= a[1] ..., of k numbers that fall and then rise, or rise and then fall. */
FORCED void sort_by_halves(numbers *a, const int k) {
    UNROLLED for (int d = SHORT / 2; d > 0; d /= 2) {
        UNROLLED for (int i = 0; i < k; i++) {
            if (d < k && (i & d) == 0) {
                const numbers larger = numbers_larger(a[i], a[i + d]);
                a[i + d] = numbers_smaller(a[i], a[i + d]);
                a[i] = larger;
            }
        }
    }
}

/* The k best of acc[0..k) and more[0..n), both sorted. */
FORCED void merge(numbers *acc, const numbers *more, const int n, const int k) {
    UNROLLED for (int i = 0; i < n; i++) {
        acc[k - 1 - i] = numbers_larger(acc[k - 1 - i], more[i]);
    }
    sort_by_halves(acc, k);
}

FORCED void add(numbers *acc, const numbers *a, const int k) {
    merge(acc, a, k, k);
}

/* The k best pairs are among (i, j) with (i+1)(j+1) <= k: they come as the rest of row i from
 * (i, i) on, then that of column i. No pair of a later one is better than (i, i). */
FORCED void add_pairs(numbers *acc, const numbers *a, const numbers *b, const int k,
                      const _Bool first_row, const _Bool tested) {
    numbers sum[SHORT];
    UNROLLED for (int i = 0; i < 4; i++) {
        const int n = k / (i + 1) - i;
        if (n <= 0)
            return;
        UNROLLED for (int j = 0; j < n; j++) {
            sum[j] = a[i] + b[i + j];
        }
        if (tested && !is_any(is_larger(sum[0], acc[k - 1])))
            return;
        if (i > 0 || first_row)
            merge(acc, sum, n, k);
        UNROLLED for (int j = 1; j < n; j++) {
            sum[j - 1] = a[i + j] + b[i];
        }
        if (n > 1 && (!tested || is_any(is_larger(sum[0], acc[k - 1]))))
            merge(acc, sum, n - 1, k);
    }
}

FORCED void product(numbers *ret, const numbers *a, const numbers *b, const int k) {
    UNROLLED for (int j = 0; j < k; j++) {
        ret[j] = a[0] + b[j];
    }
    add_pairs(ret, a, b, k, 0, 0);
}

/* Of short lists the product does not wait for the sum. */
FORCED void add_product(numbers *acc, const numbers *a, const numbers *b, const int k) {
    if (k <= UNTESTED) {
        numbers more[SHORT];
        product(more, a, b, k);
        merge(acc, more, k, k);
    } else {
        add_pairs(acc, a, b, k, 1, 1);
    }
}

FORCED void multiply(numbers *acc, const numbers *a, const int k) {
    numbers more[SHORT];
    product(more, acc, a, k);
    UNROLLED for (int i = 0; i < k; i++) {
        acc[i] = more[i];
    }
}

static inline number zero_number(int p, int parts) {
    (void)parts;
    (void)p;
    return -INFINITY;
}

#include "kernels/lean.h"

LEAN(2)
LEAN(4)
LEAN(8)
LEAN(16)

static const lean *lean_of(const tz_semiring *self) {
    const size_t k = self->size / sizeof(real);
    return k == 2 ? &lean_of_2 : k == 4 ? &lean_of_4 : k == 8 ? &lean_of_8 : &lean_of_16;
}

#include "kernels/lean_contract.h"

DECLARE_ALL_LIFTS(NAME);
_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    const size_t parts = self->size / sizeof(real);
    real *to = ret;
    for (size_t i = 0; i < n; i++, to += parts) {
        memcpy(to, self->zero, self->size);
        to[0] = (real)from->score[i] + 0; /* -0.0 becomes 0.0 */
    }
    return 1;
}

#ifdef TZ_DESCRIPTOR

#include <stdbool.h>

#include "maker.h"

enum {
    LIMIT = 1 << 14, /* of K: 128 KB an element */
    CORNERS = 184    /* corners(corners - 1) / 2 pairs are used up before there are so many */
};

static size_t k_of(const tz_semiring *self) {
    return self->size / sizeof(real);
}

/* ---- Sums ----------------------------------------------------------------------------------- */

/* Of to[0..k) and more[0..n), as many of `more` as are among the k best; `to` comes first in ties.
 */
static size_t count_better(const real *to, const real *more, size_t n, size_t k) {
    size_t kept = 0, taken = 0;
    while (kept + taken < k && taken < n)
        if (to[kept] >= more[taken])
            kept++;
        else
            taken++;
    return taken;
}

/* Sorts more[0..n) into to[0..k), whose last n fall out. From the end, so that `more` may be `to`.
 */
static void insert(real *to, const real *more, size_t n, size_t k) {
    size_t kept = k - n;
    for (size_t at = k; n > 0;) {
        at--;
        if (kept > 0 && to[kept - 1] < more[n - 1])
            to[at] = to[--kept];
        else
            to[at] = more[--n];
    }
}

static void add_list(real *to, const real *more, size_t k) {
    if (more[0] > to[k - 1])
        insert(to, more, count_better(to, more, k, k), k);
}

/* ---- Products ------------------------------------------------------------------------------- */

/* The pairs (i, j) in the order of their sums a[i] + b[j]. Those that have been taken fill a
 * staircase: whoever stands at (i, j) has everything before it in its row and its column. What may
 * come next are the staircase's inner corners, listed by rising i and falling j; of k pairs there
 * are O(sqrt(k)), few enough to look at all of them. */
typedef struct corner {
    real sum;
    unsigned i, j;
} corner;

typedef struct staircase {
    const real *a, *b;
    size_t corners;
    corner corner[CORNERS];
} staircase;

static corner corner_at(const staircase *s, unsigned i, unsigned j) {
    return (corner){s->a[i] + s->b[j], i, j};
}

static size_t best_corner(const staircase *s) {
    size_t best = 0;
    for (size_t c = 1; c < s->corners; c++)
        best = s->corner[c].sum > s->corner[best].sum ? c : best;
    return best;
}

/* Takes the pair at corner c. */
static void take(staircase *s, size_t c) {
    corner *at = &s->corner[c], taken = *at;
    bool right = c == 0 || at[-1].j > taken.j + 1;
    bool below = c + 1 == s->corners || at[1].i > taken.i + 1;
    size_t after = s->corners - c - 1;
    if (right && below)
        memmove(at + 2, at + 1, after * sizeof *at);
    else if (!right && !below)
        memmove(at, at + 1, after * sizeof *at);
    s->corners += (size_t)right + below - 1;
    if (right)
        *at++ = corner_at(s, taken.i, taken.j + 1);
    if (below)
        *at = corner_at(s, taken.i + 1, taken.j);
}

/* Does a sum come among the k best, after `count` others and those of to[*kept..) that are as
 * large? to: NULL for none. */
static inline bool wanted(real sum, const real *to, size_t k, size_t *kept, size_t count) {
    if (to != NULL)
        while (*kept + count < k && to[*kept] >= sum)
            ++*kept;
    return sum > -INFINITY && *kept + count < k;
}

/* Of the sums of a and b, those that are among the k best together with opt_to; how many. ret may
 * be a or b where one of them is a single score. */
static size_t best_sums(real *ret, const real *a, const real *b, size_t k, const real *opt_to) {
    size_t count = 0, kept = 0;
    if (k == 1 || a[1] == -INFINITY || b[1] == -INFINITY) {
        bool single = k == 1 || b[1] == -INFINITY;
        const real *list = single ? a : b;
        real other = single ? b[0] : a[0];
        for (; count < k && wanted(list[count] + other, opt_to, k, &kept, count); count++)
            ret[count] = list[count] + other;
        return count;
    }
    staircase s = {.a = a, .b = b};
    s.corner[s.corners++] = corner_at(&s, 0, 0);
    for (;;) {
        size_t best = best_corner(&s);
        real sum = s.corner[best].sum;
        if (!wanted(sum, opt_to, k, &kept, count))
            return count;
        ret[count++] = sum;
        if (count == k)
            return count;
        take(&s, best);
    }
}

static void multiply_lists(real *ret, const real *a, const real *b, size_t k) {
    size_t count;
    if ((ret != a && ret != b) || k == 1 || a[1] == -INFINITY || b[1] == -INFINITY) {
        count = best_sums(ret, a, b, k, NULL);
    } else {
        real room[k];
        count = best_sums(room, a, b, k, NULL);
        memcpy(ret, room, count * sizeof(real));
    }
    for (; count < k; count++)
        ret[count] = -INFINITY;
}

static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    if (ret == b) {
        add_list(ret, a, k_of(self));
        return;
    }
    memmove(ret, a, self->size);
    add_list(ret, b, k_of(self));
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    multiply_lists(ret, a, b, k_of(self));
}

/* ---- Blocks --------------------------------------------------------------------------------- */

/* plus and times are exact but for the sum of a pair, so a block has the same bits in any order;
 * here, a split's products are only looked for as long as they are among the best so far. */

static const real *element_at(const tz_operand *operand, size_t s, size_t x, size_t lane,
                              size_t k) {
    ptrdiff_t offset = (ptrdiff_t)s * operand->split + (ptrdiff_t)x * operand->run;
    return (const real *)operand->base + (offset + (ptrdiff_t)lane) * (ptrdiff_t)k;
}

static bool takes_part(const tz_block *block, ptrdiff_t s, ptrdiff_t x) {
    bool all = true;
    for (unsigned e = 0; e < block->lows; e++)
        all &= x >= block->low[e].at + s * block->low[e].step;
    for (unsigned e = 0; e < block->highs; e++)
        all &= x < block->high[e].at + s * block->high[e].step;
    return all;
}

/* Adds the splits' products to `sum`. room: for two elements. */
static void add_splits(const tz_semiring *self, const tz_block *block, size_t x, size_t lane,
                       real *sum, real *room) {
    size_t k = k_of(self);
    real *product = room + k;
    for (size_t s = 0; s < block->splits; s++) {
        if (!takes_part(block, (ptrdiff_t)s, (ptrdiff_t)x))
            continue;
        const real *a = self->one;
        for (unsigned o = 0; o + 1 < block->inners; o++) {
            const real *b = element_at(&block->inner[o], s, x, lane, k);
            if (o > 0)
                multiply_lists(product, a, b, k);
            a = o > 0 ? product : b;
        }
        if (block->inners < 2) {
            add_list(sum, block->inners == 0 ? a : element_at(&block->inner[0], s, x, lane, k), k);
            continue;
        }
        const real *b = element_at(&block->inner[block->inners - 1], s, x, lane, k);
        if (a[0] + b[0] > sum[k - 1])
            insert(sum, room, best_sums(room, a, b, k, sum), k);
    }
}

static void contract(const tz_semiring *self, const tz_block *block, size_t count) {
    size_t k = k_of(self);
    real room[3 * k], *outer = room + 2 * k;
    for (; count > 0; count--, block++) {
        for (size_t x = 0; x < block->width; x++) {
            for (size_t lane = 0; lane < block->lanes; lane++) {
                ptrdiff_t offset = (ptrdiff_t)x * block->run + (ptrdiff_t)lane;
                real *target = (real *)block->target + offset * (ptrdiff_t)k;
                if (block->first_write)
                    memcpy(target, self->zero, self->size);
                if (block->outers == 0) {
                    add_splits(self, block, x, lane, target, room);
                    continue;
                }
                memcpy(outer, self->zero, self->size);
                add_splits(self, block, x, lane, outer, room);
                for (unsigned o = 0; o < block->outers; o++)
                    multiply_lists(outer, outer, element_at(&block->outer[o], 0, x, lane, k), k);
                add_list(target, outer, k);
            }
        }
    }
}

/* An element of kbest(1) is one of max. */
DECLARE_CONTRACTS(max);
DECLARE_PREPARES(max);
static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME), .prepare = PREPARES(NAME), .lifts = ALL_LIFTS(NAME)};
static const tz_kernels kernels_of_lists = {.contract = {contract}};
static const tz_kernels kernels_of_max = {
    .contract = CONTRACTS(max), .prepare = PREPARES(max), .bundles = 1, .placed = 1};

/* ---- The descriptor ------------------------------------------------------------------------- */

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    size_t k = k_of(self);
    for (size_t i = 0; i < n; i++) {
        real *to = (real *)ret + (ptrdiff_t)i * stride * (ptrdiff_t)k;
        memcpy(to, self->zero, self->size);
        to[0] = (real)score[i] + 0; /* likewise */
    }
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return *(const real *)a;
}

static size_t values(const tz_semiring *self, const void *a, double *ret) {
    const real *score = a;
    size_t count = 0;
    for (; count < self->numbers && score[count] > -INFINITY; count++)
        ret[count] = score[count];
    return count;
}

/* Going round K times is no better than K others. */
static _Bool star(const tz_semiring *self, void *ret, const void *a) {
    size_t k = k_of(self);
    real power[k], *to = ret;
    if (*(const real *)a > 0)
        return 0;
    memcpy(power, a, self->size);
    memcpy(to, self->one, self->size);
    for (size_t times = 1; times < k && power[0] > -INFINITY; times++) {
        add_list(to, power, k);
        multiply_lists(power, power, a, k);
    }
    return 1;
}

static tz_status make(const tz_semiring_argument *argument, tz_semiring **ret_semiring,
                      const char **ret_why) {
    const size_t k = argument[0].number;
    size_t room = k <= SHORT ? 1 : k;
    while (room < k)
        room *= 2;
    const real none = -INFINITY, first = 0;
    if (k > LIMIT) {
        *ret_why = "K is 16384 at most";
        return TZ_TOO_LARGE;
    }
    const tz_semiring of = {
        .summary = "scores of the K best derivations",
        .laws = TZ_COMMUTATIVE | TZ_EXACT | (k == 1 ? TZ_IDEMPOTENT | TZ_PATH : 0),
        .gives = TZ_GIVES_SCORE,
        .align = sizeof(real),
        .limit = REAL_LIMIT,
        .plus = plus,
        .times = times,
        .lift = lift,
        .value = value,
        .numbers = k,
        .values = values,
        .star = star,
        .kernels = k == 1       ? &kernels_of_max
                   : k <= SHORT ? &kernels
                                : &kernels_of_lists,
    };
    *ret_semiring = tz_semiring_of_lists(&of, "kbest", k, room, &none, &first, sizeof first);
    return *ret_semiring != NULL ? TZ_OK : TZ_NO_MEMORY;
}

const tz_semiring_maker MAKER(NAME) = {
    .name = "kbest",
    .form = "kbest(K)",
    .summary = "scores of the K best derivations",
    .takes = "n",
    .make = make,
};

#endif
