/* written_describe.c - the descriptor of a semiring that is a program, one element at a time.
 *
 * Shares no code with written.c, which computes columns of them. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "kernels/exp_log.h"
#include "kernels/real.h"
#include "written.h"

#ifdef TZ_DESCRIPTOR

#define NAME written
enum { PARTS = TZ_WRITTEN_PARTS };

DECLARE_CONTRACTS(NAME);
DECLARE_ALL_LIFTS(NAME);

/* For one number alone, as tz_operation says. */

static double whole_exp(double x) {
    if (!(x > -746 && x < 710))
        return x < 0 ? 0 : x + (double)INFINITY; /* NaN stays one */
    double e, m = tz_exp(x, &e);
    return ldexp(m, (int)e);
}

static double whole_log(double x) {
    if (!(x > 0 && x < (double)INFINITY))
        return x == 0 ? -(double)INFINITY : x < 0 ? (double)NAN : x;
    return tz_log(x);
}

static double operated(tz_operation what, double a, double b, double c) {
    switch (what) {
    case TZ_ADD:
        return a + b;
    case TZ_SUBTRACT:
        return a - b;
    case TZ_MULTIPLY:
        return a * b;
    case TZ_DIVIDE:
        return a / b;
    case TZ_MIN:
        return a < b ? a : b;
    case TZ_MAX:
        return a > b ? a : b;
    case TZ_LESS:
        return a < b;
    case TZ_AT_MOST:
        return a <= b;
    case TZ_EQUAL:
        return a == b;
    case TZ_DIFFER:
        return a != b;
    case TZ_CHOOSE:
        return a != 0 ? b : c;
    case TZ_NEGATE:
        return -a;
    case TZ_ABS:
        return fabs(a);
    case TZ_SQRT:
        return sqrt(a);
    case TZ_FLOOR:
        return floor(a);
    case TZ_EXP:
        return whole_exp(a);
    case TZ_LOG:
        return whole_log(a);
    case TZ_NUMBER:
        break;
    }
    return 0;
}

void tz_written_apply(const tz_function *f, const double *argument, double *ret) {
    double cell[TZ_WRITTEN_CELLS], result[PARTS + 1];
    if (f->arguments > 0)
        memcpy(cell, argument, f->arguments * sizeof *argument);
    for (unsigned o = f->arguments; o < f->cells; o++) {
        const tz_written_op *op = &f->op[o];
        cell[o] = op->what == TZ_NUMBER ? op->number
                                        : operated(op->what, cell[op->a], cell[op->b], cell[op->c]);
    }
    for (unsigned r = 0; r < f->results; r++)
        result[r] = cell[f->result[r]];
    memcpy(ret, result, f->results * sizeof *ret);
}

static const tz_written *of(const tz_semiring *self) {
    return (const tz_written *)self;
}

static void apply_two(const tz_function *f, const tz_semiring *self, void *ret, const void *a,
                      const void *b) {
    double both[2 * PARTS];
    memcpy(both, a, self->size);
    memcpy(both + of(self)->parts, b, self->size);
    tz_written_apply(f, both, ret);
}

static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    apply_two(&of(self)->plus, self, ret, a, b);
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    apply_two(&of(self)->times, self, ret, a, b);
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    tz_written_lift(self, ret, stride, score, NULL, n);
}

static size_t values(const tz_semiring *self, const void *a, double *ret) {
    tz_written_apply(&of(self)->values, a, ret);
    return self->numbers;
}

static double value(const tz_semiring *self, const void *a) {
    double all[PARTS + 1];
    values(self, a, all);
    return all[0];
}

static double share(const tz_semiring *self, const void *part, const void *whole) {
    double ret;
    apply_two(&of(self)->share, self, &ret, part, whole);
    return ret;
}

/* By how scores are lifted: as they are; elements of 16 bytes at most, without inputs; others. */
enum { COPIED, SHORT, ANY, KINDS };
static const tz_kernels kernels[KINDS] = {
    [COPIED] = {.contract = CONTRACTS(NAME), .lift_copies = 1},
    [SHORT] = {.contract = CONTRACTS(NAME), .lifts = ALL_LIFTS(NAME)},
    [ANY] = {.contract = CONTRACTS(NAME)},
};

_Bool tz_written_is_score(const tz_written *w) {
    return w->parts == 1 && w->lift.cells == 1 && w->semiring.inputs == 0 &&
           w->zero[0] == -(double)INFINITY;
}

const tz_written *tz_written_of(const tz_semiring *semiring) {
    for (int kind = 0; kind < KINDS; kind++)
        if (semiring->kernels == &kernels[kind])
            return of(semiring);
    return NULL;
}

void tz_written_finish(tz_written *w) {
    tz_semiring *s = &w->semiring;
    s->size = w->parts * sizeof(double);
    s->align = sizeof(double);
    s->zero = w->zero;
    s->one = w->one;
    s->plus = plus;
    s->times = times;
    s->lift = lift;
    s->value = value;
    s->input = w->input;
    s->lift_inputs = s->inputs > 0 ? tz_written_lift : NULL;
    s->numbers = w->values.results;
    s->number_name = s->numbers > 1 ? w->number_name : NULL;
    s->values = s->numbers > 1 ? values : NULL;
    s->share = w->share.results > 0 ? share : NULL;
    s->kernels = &kernels[tz_written_is_score(w)            ? COPIED
                          : s->inputs == 0 && w->parts <= 2 ? SHORT
                                                            : ANY];
}

#endif
