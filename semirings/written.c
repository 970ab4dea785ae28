/* written.c - semirings that are programs: each operation serves the columns of a strip at once.
 *
 * The elements of up to STRIP columns of a block are dealt to an array for each of their numbers.
 * The order of sums is that of kernel.h, and no operation depends on its neighbours, so the bits
 * are those of plus and times. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "kernels/exp_log.h"
#include "kernels/real.h"
#include "written.h"
#define NAME written

enum { STRIP = 64, PARTS = TZ_WRITTEN_PARTS };

/* ---- Functions ------------------------------------------------------------------------------- */

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

/* A function, its constants filled in. */
typedef struct machine {
    const tz_function *f;
    uint8_t given[TZ_WRITTEN_CELLS];    /* which result an operation is, from 1 on; 0: none */
    const double *at[TZ_WRITTEN_CELLS]; /* where the numbers of each cell stand */
    double cell[TZ_WRITTEN_CELLS][STRIP];
} machine;

static void begin(machine *m, const tz_function *f, size_t n) {
    m->f = f;
    memset(m->given, 0, f->cells);
    for (unsigned o = f->arguments; o < f->cells; o++) {
        m->at[o] = m->cell[o];
        for (size_t i = 0; f->op[o].what == TZ_NUMBER && i < n; i++)
            m->cell[o][i] = f->op[o].number;
    }
    for (unsigned r = 0; r < f->results; r++)
        if (f->result[r] >= f->arguments && f->op[f->result[r]].what != TZ_NUMBER)
            m->given[f->result[r]] = (uint8_t)(r + 1);
}

#define EACH(expression)                                                                           \
    for (size_t i = 0; i < n; i++)                                                                 \
        to[i] = (expression);                                                                      \
    break

static void operate(tz_operation what, double *restrict to, const double *a, const double *b,
                    const double *c, size_t n) {
    switch (what) {
    case TZ_ADD:
        EACH(a[i] + b[i]);
    case TZ_SUBTRACT:
        EACH(a[i] - b[i]);
    case TZ_MULTIPLY:
        EACH(a[i] * b[i]);
    case TZ_DIVIDE:
        EACH(a[i] / b[i]);
    case TZ_MIN:
        EACH(a[i] < b[i] ? a[i] : b[i]);
    case TZ_MAX:
        EACH(a[i] > b[i] ? a[i] : b[i]);
    case TZ_LESS:
        EACH(a[i] < b[i] ? 1.0 : 0.0);
    case TZ_AT_MOST:
        EACH(a[i] <= b[i] ? 1.0 : 0.0);
    case TZ_EQUAL:
        EACH(a[i] == b[i] ? 1.0 : 0.0);
    case TZ_DIFFER:
        EACH(a[i] != b[i] ? 1.0 : 0.0);
    case TZ_CHOOSE:
        EACH(a[i] != 0 ? b[i] : c[i]);
    case TZ_NEGATE:
        EACH(-a[i]);
    case TZ_ABS:
        EACH(fabs(a[i]));
    case TZ_SQRT:
        EACH(sqrt(a[i]));
    case TZ_FLOOR:
        EACH(floor(a[i]));
    case TZ_EXP:
        EACH(whole_exp(a[i]));
    case TZ_LOG:
        EACH(whole_log(a[i]));
    case TZ_NUMBER:
        break;
    }
}

/* n results of each kind; ret overlaps no argument. */
static void run(machine *m, const double *const *argument, double *const *ret, size_t n) {
    const tz_function *f = m->f;
    for (unsigned o = 0; o < f->arguments; o++)
        m->at[o] = argument[o];
    for (unsigned o = f->arguments; o < f->cells; o++) {
        const tz_written_op *op = &f->op[o];
        if (op->what == TZ_NUMBER)
            continue;
        double *to = m->given[o] > 0 ? ret[m->given[o] - 1] : m->cell[o];
        operate(op->what, to, m->at[op->a], m->at[op->b], m->at[op->c], n);
        m->at[o] = to;
    }
    for (unsigned r = 0; r < f->results; r++)
        if (m->at[f->result[r]] != ret[r])
            memcpy(ret[r], m->at[f->result[r]], n * sizeof(double));
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* The numbers of the columns' elements, an array for each part: in the room, or where they stand.
 */
typedef struct elements {
    const double *at[PARTS];
    double room[PARTS][STRIP];
} elements;

/* Columns first..first+n-1, counted along the lanes and then x; or along x of one lane. */
typedef struct strip {
    const tz_block *block;
    size_t parts, n, first, lane, lanes;
} strip;

/* Where column `i` stands, and those after it. */
typedef struct walk {
    ptrdiff_t at, to_next; /* to_next: from the last lane of an x to the first of the next */
    size_t lane, lanes;
} walk;

static walk walk_from(const strip *s, ptrdiff_t run, size_t i) {
    const size_t x = (s->first + i) / s->lanes, lane = (s->first + i) % s->lanes;
    return (walk){(ptrdiff_t)x * run + (ptrdiff_t)(s->lane + lane), run - (ptrdiff_t)s->lanes + 1,
                  lane, s->lanes};
}

static void step(walk *w) {
    const _Bool last = ++w->lane == w->lanes;
    w->at += last ? w->to_next : 1;
    w->lane = last ? 0 : w->lane;
}

/* Are the columns neighbours in memory? */
static _Bool in_row(const strip *s, ptrdiff_t run) {
    return run == (ptrdiff_t)s->lanes && s->lane == 0;
}

static void load(const strip *s, const tz_operand *o, size_t split, size_t from, size_t end,
                 elements *ret) {
    const ptrdiff_t parts = (ptrdiff_t)s->parts;
    const double *base = (const double *)o->base + (ptrdiff_t)split * o->split * parts;
    const _Bool row = in_row(s, o->run);
    for (ptrdiff_t p = 0; p < parts; p++)
        ret->at[p] = ret->room[p];
    if (row && parts == 1) {
        ret->at[0] = base + s->first;
    } else if (row) {
        base += (ptrdiff_t)s->first * parts;
        for (ptrdiff_t p = 0; p < parts; p++)
            for (size_t i = from; i < end; i++)
                ret->room[p][i] = base[(ptrdiff_t)i * parts + p];
    } else {
        walk w = walk_from(s, o->run, from);
        for (size_t i = from; i < end; i++, step(&w)) {
            const double *element = base + w.at * parts;
            for (ptrdiff_t p = 0; p < parts; p++)
                ret->room[p][i] = element[p];
        }
    }
}

static void fill(const strip *s, const double *element, elements *ret) {
    for (size_t p = 0; p < s->parts; p++) {
        ret->at[p] = ret->room[p];
        for (size_t i = 0; i < s->n; i++)
            ret->room[p][i] = element[p];
    }
}

/* ret may be no argument; columns from..end-1. */
static void apply(machine *m, const strip *s, elements *const *argument, unsigned arguments,
                  size_t from, size_t end, elements *ret) {
    const double *in[3 * PARTS];
    double *out[PARTS];
    for (unsigned a = 0; a < arguments; a++)
        for (size_t p = 0; p < s->parts; p++)
            in[a * s->parts + p] = argument[a]->at[p] + from;
    for (size_t p = 0; p < s->parts; p++) {
        ret->at[p] = ret->room[p];
        out[p] = ret->room[p] + from;
    }
    run(m, in, out, end - from);
}

enum { ROOMS = 4 };

typedef struct work {
    const tz_written *w;
    machine plus, times, plus_times;
    elements room[ROOMS];
    double chain[PARTS][TZ_CHAINS];
} work;

/* The sum becomes what the machine gives of it and others, in columns from..end-1. */
static void update(machine *m, const strip *s, elements **sum, elements **other,
                   elements *const *more, unsigned arguments, size_t from, size_t end) {
    elements *argument[3] = {*sum, more[0], arguments > 2 ? more[1] : NULL};
    apply(m, s, argument, arguments, from, end, *other);
    if (from == 0 && end == s->n) {
        elements *swap = *sum;
        *sum = *other;
        *other = swap;
        return;
    }
    for (size_t p = 0; p < s->parts; p++)
        memcpy((*sum)->room[p] + from, (*other)->at[p] + from, (end - from) * sizeof(double));
}

/* Columns of the strip that split s takes part in. */
static void window(const strip *s, ptrdiff_t split, size_t *from, size_t *end) {
    const tz_block *block = s->block;
    const ptrdiff_t lanes = (ptrdiff_t)s->lanes, first = (ptrdiff_t)s->first;
    ptrdiff_t low = 0, high = (ptrdiff_t)s->n;
    for (unsigned e = 0; e < block->lows; e++) {
        ptrdiff_t at = (block->low[e].at + split * block->low[e].step) * lanes - first;
        low = at > low ? at : low;
    }
    for (unsigned e = 0; e < block->highs; e++) {
        ptrdiff_t at = (block->high[e].at + split * block->high[e].step) * lanes - first;
        high = at < high ? at : high;
    }
    *from = (size_t)low;
    *end = high > low ? (size_t)high : (size_t)low;
}

/* What is added to the targets; where it stands. */
static elements *sum_of(work *k, const strip *s) {
    const tz_block *block = s->block;
    elements *sum = &k->room[0], *other = &k->room[1], *first = &k->room[2], *second = &k->room[3];
    const _Bool bare = block->inners == 0 && block->splits == 1 && block->outers > 0 &&
                       block->lows + block->highs == 0;
    if (bare)
        load(s, &block->outer[0], 0, 0, s->n, sum);
    else
        fill(s, k->w->zero, sum);
    for (size_t split = 0; !bare && split < block->splits; split++) {
        size_t from, end;
        window(s, (ptrdiff_t)split, &from, &end);
        if (from == end)
            continue;
        if (block->inners == 0)
            fill(s, k->w->one, first);
        else
            load(s, &block->inner[0], split, from, end, first);
        for (unsigned o = 1; o + 1 < block->inners; o++) {
            load(s, &block->inner[o], split, from, end, second);
            elements *const both[] = {first, second};
            apply(&k->times, s, both, 2, from, end, other);
            elements *swap = first;
            first = other;
            other = swap;
        }
        if (block->inners > 1)
            load(s, &block->inner[block->inners - 1], split, from, end, second);
        elements *const more[] = {first, second};
        update(block->inners > 1 ? &k->plus_times : &k->plus, s, &sum, &other, more,
               block->inners > 1 ? 3 : 2, from, end);
    }
    for (unsigned o = bare; o < block->outers; o++) {
        load(s, &block->outer[o], 0, 0, s->n, second);
        update(&k->times, s, &sum, &other, &second, 2, 0, s->n);
    }
    return sum;
}

static elements *room_after(work *k, const elements *of, size_t by) {
    return &k->room[((size_t)(of - k->room) + by) % ROOMS];
}

/* Adds a strip's sums to its targets. */
static void add_strip(work *k, const strip *s) {
    elements *sum = sum_of(k, s), *old = room_after(k, sum, 1), *ret = room_after(k, sum, 2);
    const tz_operand target = {.base = s->block->target, .run = s->block->run};
    if (s->block->first_write)
        fill(s, k->w->zero, old);
    else
        load(s, &target, 0, 0, s->n, old);
    elements *const both[] = {old, sum};
    apply(&k->plus, s, both, 2, 0, s->n, ret);
    double *to = s->block->target;
    const size_t parts = s->parts;
    if (in_row(s, target.run)) {
        to += s->first * parts;
        for (size_t p = 0; p < parts; p++)
            for (size_t i = 0; i < s->n; i++)
                to[i * parts + p] = ret->at[p][i];
        return;
    }
    walk w = walk_from(s, target.run, 0);
    for (size_t i = 0; i < s->n; i++, step(&w))
        for (size_t p = 0; p < parts; p++)
            to[w.at * (ptrdiff_t)parts + (ptrdiff_t)p] = ret->at[p][i];
}

/* Adds the sums of TZ_CHAINS columns of one lane to the chains; these, after the last ones, to the
 * target. */
static void add_chains(work *k, strip *s, _Bool last) {
    elements *sum = sum_of(k, s), *other = room_after(k, sum, 1), *later = room_after(k, sum, 2);
    elements *first = room_after(k, sum, 3);
    const size_t summed = s->n;
    s->n = TZ_CHAINS;
    fill(s, k->w->zero, first);
    for (size_t p = 0; p < s->parts; p++)
        memcpy(first->room[p], sum->at[p], summed * sizeof(double));
    if (s->first > 0) {
        for (size_t p = 0; p < s->parts; p++)
            later->at[p] = k->chain[p];
        elements *const more[] = {later, first};
        apply(&k->plus, s, more, 2, 0, s->n, other);
        elements *swap = first;
        first = other;
        other = swap;
    }
    for (size_t p = 0; p < s->parts && !last; p++)
        memcpy(k->chain[p], first->at[p], sizeof k->chain[p]);
    if (!last)
        return;
    for (size_t d = TZ_CHAINS / 2; d > 0; d /= 2) {
        for (size_t p = 0; p < s->parts; p++)
            later->at[p] = first->at[p] + d;
        elements *const both[] = {first, later};
        apply(&k->plus, s, both, 2, 0, d, other);
        elements *swap = first;
        first = other;
        other = swap;
    }
    double *to = (double *)s->block->target + s->lane * s->parts;
    for (size_t p = 0; p < s->parts; p++)
        later->at[p] = to + p;
    elements *const both[] = {later, first};
    apply(&k->plus, s, both, 2, 0, 1, other);
    for (size_t p = 0; p < s->parts; p++)
        to[p] = other->at[p][0];
}

DECLARE_CONTRACTS(NAME);

void CONTRACT(NAME, TZ_ISA)(const tz_semiring *self, const tz_block *block, size_t count) {
    work k;
    k.w = (const tz_written *)self;
    begin(&k.plus, &k.w->plus, STRIP);
    begin(&k.times, &k.w->times, STRIP);
    begin(&k.plus_times, &k.w->plus_times, STRIP);
    for (; count > 0; count--, block++) {
        const _Bool chains = block->run == 0;
        const size_t columns = block->width * (chains ? 1 : block->lanes);
        const size_t most = chains ? TZ_CHAINS : STRIP;
        strip s = {block, k.w->parts, 0, 0, 0, chains ? 1 : block->lanes};
        for (; s.lane < (chains ? block->lanes : 1); s.lane++)
            for (s.first = 0; s.first < columns; s.first += most) {
                s.n = columns - s.first < most ? columns - s.first : most;
                if (chains)
                    add_chains(&k, &s, s.first + most >= columns);
                else
                    add_strip(&k, &s);
            }
    }
}

/* ---- The descriptor -------------------------------------------------------------------------- */

#ifdef TZ_DESCRIPTOR

void tz_written_apply(const tz_function *f, const double *argument, double *ret) {
    machine m;
    const double *in[TZ_WRITTEN_CELLS];
    double result[PARTS + 1], *out[PARTS + 1];
    begin(&m, f, 1);
    for (unsigned a = 0; a < f->arguments; a++)
        in[a] = argument + a;
    for (unsigned r = 0; r < f->results; r++)
        out[r] = result + r;
    run(&m, in, out, 1);
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

/* -0.0 becomes 0.0. */
static void lift_inputs(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                        const double *const *input, size_t n) {
    static const double nothing[STRIP];
    const tz_written *w = of(self);
    machine m;
    double lifted[PARTS][STRIP], *out[PARTS];
    for (size_t p = 0; p < w->parts; p++)
        out[p] = lifted[p];
    begin(&m, &w->lift, n < STRIP ? n : STRIP);
    for (size_t done = 0, count; done < n; done += count) {
        const double *given[1 + TZ_MAX_INPUTS] = {score + done};
        count = n - done < STRIP ? n - done : STRIP;
        for (size_t k = 0; k < self->inputs; k++)
            given[1 + k] = input != NULL ? input[k] + done : nothing;
        run(&m, given, out, count);
        for (size_t i = 0; i < count; i++) {
            double *to = (double *)ret + (ptrdiff_t)(done + i) * stride * (ptrdiff_t)w->parts;
            const _Bool none = score[done + i] == -(double)INFINITY;
            for (size_t p = 0; p < w->parts; p++)
                to[p] = none ? w->zero[p] : lifted[p][i] + 0.0;
        }
    }
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    lift_inputs(self, ret, stride, score, NULL, n);
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

static const tz_kernels kernels = {.contract = CONTRACTS(NAME)};

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
    s->lift_inputs = s->inputs > 0 ? lift_inputs : NULL;
    s->numbers = w->values.results;
    s->number_name = s->numbers > 1 ? w->number_name : NULL;
    s->values = s->numbers > 1 ? values : NULL;
    s->share = w->share.results > 0 ? share : NULL;
    s->kernels = &kernels;
}

#endif
