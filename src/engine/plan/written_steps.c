/* written_steps.c - the operations of a semiring's text in the order in which they are carried out,
 * two at a time where one function does both. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/plan/written.h"

static bool is_of_two(tz_operation what) {
    return what >= TZ_ADD && what <= TZ_MAX;
}

static bool is_comparison(tz_operation what) {
    return what >= TZ_LESS && what <= TZ_DIFFER;
}

static void count_uses(const tz_function *f, unsigned *used) {
    for (unsigned r = 0; r < f->results; r++)
        used[f->result[r]] += 2; /* it has to be kept */
    for (unsigned o = f->arguments; o < f->cells; o++) {
        const tz_written_op *op = &f->op[o];
        if (op->what == TZ_NUMBER)
            continue;
        used[op->a]++;
        if (is_of_two(op->what) || is_comparison(op->what) || op->what == TZ_CHOOSE)
            used[op->b]++;
        if (op->what == TZ_CHOOSE)
            used[op->c]++;
    }
}

/* The operation that computes a cell which nothing else uses; else NULL. */
static const tz_written_op *inner_of(const tz_function *f, const unsigned *used, unsigned cell) {
    return cell >= f->arguments && used[cell] == 1 ? &f->op[cell] : NULL;
}

/* a, and two of b and c; or of b, where that gives the same bits. */
static bool fuse_two(const tz_function *f, const unsigned *used, const tz_written_op *op,
                     tz_written_step *ret, unsigned *ret_inner) {
    const unsigned turns = op->what == TZ_ADD || op->what == TZ_MULTIPLY;
    for (unsigned turned = 0; turned <= turns; turned++) {
        const unsigned inner = turned ? op->a : op->b, other = turned ? op->b : op->a;
        const tz_written_op *in = inner_of(f, used, inner);
        if (in == NULL || !is_of_two(in->what))
            continue;
        ret->what = (uint8_t)(TZ_STEP_FUSED + (op->what - TZ_ADD) * 6 + (in->what - TZ_ADD));
        ret->a = (uint8_t)other;
        ret->b = in->a;
        ret->c = in->b;
        *ret_inner = inner;
        return true;
    }
    return false;
}

static bool fuse_choice(const tz_function *f, const unsigned *used, const tz_written_op *op,
                        tz_written_step *ret, unsigned *ret_inner) {
    const tz_written_op *in = inner_of(f, used, op->a);
    if (in == NULL || !is_comparison(in->what))
        return false;
    ret->what = (uint8_t)(TZ_STEP_PICK + (in->what - TZ_LESS));
    ret->a = in->a;
    ret->b = in->b;
    ret->c = op->b;
    ret->d = op->c;
    *ret_inner = op->a;
    return true;
}

/* `step` is the operation alone. */
static void take_alone(const tz_written_op *op, tz_written_step *step) {
    step->what = (uint8_t)(is_of_two(op->what)       ? TZ_STEP_TWO + (op->what - TZ_ADD)
                           : is_comparison(op->what) ? TZ_STEP_COMPARE + (op->what - TZ_LESS)
                           : op->what == TZ_CHOOSE   ? TZ_STEP_CHOOSE
                                                     : TZ_STEP_ONE + (op->what - TZ_NEGATE));
    step->a = op->a;
    step->b = op->b;
    step->c = op->c;
}

void tz_written_steps(tz_function *f) {
    unsigned used[TZ_WRITTEN_CELLS] = {0};
    bool fused[TZ_WRITTEN_CELLS] = {false};
    tz_written_step step[TZ_WRITTEN_CELLS];
    count_uses(f, used);
    for (unsigned o = f->cells;
         o-- > f->arguments;) { /* the last first: who takes a cell is known */
        const tz_written_op *op = &f->op[o];
        unsigned inner = TZ_WRITTEN_CELLS;
        step[o] = (tz_written_step){.to = (uint8_t)o};
        if (op->what == TZ_NUMBER || fused[o])
            continue;
        if (!(is_of_two(op->what) && fuse_two(f, used, op, &step[o], &inner)) &&
            !(op->what == TZ_CHOOSE && fuse_choice(f, used, op, &step[o], &inner)))
            take_alone(op, &step[o]);
        if (inner < TZ_WRITTEN_CELLS)
            fused[inner] = true;
    }
    f->steps = 0;
    for (unsigned o = f->arguments; o < f->cells; o++)
        if (f->op[o].what != TZ_NUMBER && !fused[o])
            f->step[f->steps++] = step[o];
}
