/* small.c - items whose steps are small (tz_small_step), one after the other.
 *
 * Scans end where branches are hard to foresee, and that is as fast as doing without: comparing
 * several splits at a time by gathers, or working on several items at once. A branch that is
 * foreseen lets the next item begin at once; else it waits for a gather, a comparison and a count,
 * longer than most scans take, and the nodes must be brought into preorder afterwards.
 * SPDX-License-Identifier: MIT */
#include "engine/ask/trace/small.h"
#include "engine/ask/trace/tracer.h"

#define NO_TURN SIZE_MAX

/* The step's first instance that has the item's value, as a turn of its loop; NO_TURN if there
 * is none. */
static inline size_t find_turn(const tz_tracer *t, const tz_semiring *semiring,
                               const tz_small_step *step, uint64_t a, uint64_t b) {
    int64_t turns = tz_small_turns(step, a, b);
    if (turns <= 0)
        return NO_TURN;
    if (turns == 1 && step->alone)
        return 0;
    tz_operand operand[TZ_SMALL_OPERANDS];
    for (unsigned o = 0; o < TZ_SMALL_OPERANDS; o++) {
        if (o == 2 && step->operands <= 2)
            break;
        operand[o].base =
            (const void *)(uintptr_t)(tz_plane_value(&step->operand[o], a, b) + t->behind);
        operand[o].split = step->split[o];
    }
    const void *value = (const void *)(uintptr_t)(tz_plane_value(&step->target, a, b) + t->behind);
    size_t found = semiring->kernels->find(semiring, value, operand, step->operands, (size_t)turns);
    return found < (size_t)turns ? found : NO_TURN;
}

/* Index values past TZ_SMALL_PAIRS pairs are 0 already. */
static inline void write_node(tz_node *node, unsigned item, unsigned rule, unsigned premises,
                              uint64_t pair) {
    node->item = item;
    node->rule = rule;
    node->premises = premises;
    tz_pair_write(pair, node->index);
    node->index[2] = node->index[3] = 0;
}

/* An item in hand. Further pairs, which one that turns out not to be small may have, stay where
 * they are on the stack. */
typedef struct small_item {
    uint64_t pair;
    int64_t second;
    uint32_t kind;
} small_item;

static inline small_item premise_small(const tz_small_step *step, unsigned premise, uint64_t a,
                                       uint64_t b, size_t turn) {
    return (small_item){tz_small_premise(step, premise, a, b, turn), tz_pair(0, 0),
                        step->premise_kind[premise]};
}

static inline void push_small(tz_pending *to, small_item item) {
    to->kind = item.kind;
    to->pair[0] = (int64_t)item.pair;
    to->pair[1] = item.second;
}

static inline small_item pop_small(const tz_pending *from) {
    return (small_item){(uint64_t)from->pair[0], from->pair[1], from->kind};
}

size_t tz_trace_small(tz_tracer *tracer, const tz_trace_kind *kinds, size_t count) {
    tz_tracer t = *tracer; /* in registers */
    const tz_pending *bottom = t.bottom->data;
    const tz_semiring *semiring = t.chart->algebra->semiring;
    const unsigned items = t.chart->plan->rules->items;
    small_item item = pop_small(--t.pending);
    for (size_t done = 0; done < count; done++) {
        const uint64_t a = (uint32_t)item.pair, b = (uint64_t)((int64_t)item.pair >> 32);
        const tz_trace_kind *kind = &kinds[item.kind];
        if ((int64_t)tz_plane_value(&kind->leaf, a, b) >= 0) {
            if (item.kind < items)
                write_node(t.node++, item.kind, kind->leaf_rule, 0, item.pair);
        } else {
            size_t turn = NO_TURN;
            const tz_small_step *step = kind->through.small;
            for (; step < kind->through.small_end; step++)
                if ((turn = find_turn(&t, semiring, step, a, b)) != NO_TURN)
                    break;
            if (turn == NO_TURN) {
                count = done;
                break;
            }
            if (item.kind < items)
                write_node(t.node++, item.kind, step->node_rule, step->node_premises, item.pair);
            /* Where there is none it is written, too: whether there is one is hard to foresee. */
            tz_small_use(step, a, b, turn, t.use);
            t.use += step->weights;
            if (step->premises > 1)
                push_small(t.pending++, premise_small(step, 1, a, b, turn));
            if (step->premises > 0) {
                item = premise_small(step, 0, a, b, turn);
                continue;
            }
        }
        if (t.pending == bottom) {
            *tracer = t;
            return done + 1;
        }
        item = pop_small(--t.pending);
    }
    push_small(t.pending++, item);
    *tracer = t;
    return count;
}
