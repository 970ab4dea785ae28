/* draw_shapes.c - see draw_shapes.h. What cells a domain has is tried on a small problem: for a
 * sequence of some words all that matters about an order shows. SPDX-License-Identifier: MIT */
#include "io/draw/draw_shapes.h"

#include "rules/polyhedra/form.h"
#include "rules/view.h"

enum {
    WORDS = 5,
    VIEW_WORDS = 9, /* rules look up pairs at some distance */
    LABELS = 2
};

/* What the cells of a small problem say. */
typedef struct sample {
    const tz_rules *rules;
    const tz_weight *weight;
    int32_t length[TZ_MAX_LENGTHS];
    tz_shape shape;
    int sequence[TZ_MAX_RANK]; /* that an index grows with, or -1 */
    int32_t least[TZ_MAX_RANK], most[TZ_MAX_RANK];
    bool any;
} sample;

static bool is_sequence(const tz_rules *rules, unsigned length) {
    char first = rules->length_name[length][0];
    return !(first >= 'A' && first <= 'Z');
}

/* Lengths for which the weight has cells: sequences of some words, or some that have none, as the
 * least number of words between two. */
static tz_status choose_lengths(sample *s) {
    int32_t words = s->weight->view != NULL ? VIEW_WORDS : WORDS;
    tz_status status = TZ_OK;
    for (unsigned without = 0; without <= s->rules->lengths; without++) {
        bool empty = false;
        for (unsigned l = 0; l < s->rules->lengths; l++)
            s->length[l] = !is_sequence(s->rules, l)         ? LABELS
                           : l + without < s->rules->lengths ? words
                                                             : 0;
        status = tz_weight_shape(s->rules, s->weight, s->length, &s->shape);
        for (unsigned q = 0; q < s->shape.rank && status == TZ_OK; q++)
            empty |= s->shape.extent[q] == 0;
        if (status != TZ_OK || !empty)
            return status;
    }
    return TZ_OK;
}

static tz_status find_sequences(sample *s) {
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        s->sequence[q] = -1;
    for (unsigned l = 0; l < s->rules->lengths; l++) {
        tz_shape more;
        s->length[l]++;
        tz_status status = tz_weight_shape(s->rules, s->weight, s->length, &more);
        s->length[l]--;
        if (status != TZ_OK)
            return status;
        for (unsigned q = 0; q < s->shape.rank; q++)
            if (is_sequence(s->rules, l) && s->sequence[q] < 0 &&
                more.extent[q] > s->shape.extent[q] && more.origin[q] == s->shape.origin[q])
                s->sequence[q] = (int)l;
    }
    return TZ_OK;
}

/* Goes to the next cell of the shape; false past the last. */
static bool next_cell(const sample *s, int32_t *index) {
    for (unsigned q = s->shape.rank; q-- > 0;) {
        if (++index[q] < s->shape.origin[q] + s->shape.extent[q])
            return true;
        index[q] = s->shape.origin[q];
    }
    return false;
}

/* Of indices a and b: is there a cell where a is below b, at b, above b? */
typedef struct comparison {
    unsigned a, b;
    bool below, at, above;
} comparison;

static void compare_cell(sample *s, const int64_t *index, comparison *comparison) {
    for (unsigned q = 0; q < s->shape.rank; q++) {
        int32_t value = (int32_t)index[q];
        s->least[q] = !s->any || value < s->least[q] ? value : s->least[q];
        s->most[q] = !s->any || value > s->most[q] ? value : s->most[q];
    }
    s->any = true;
    comparison->below |= index[comparison->a] < index[comparison->b];
    comparison->at |= index[comparison->a] == index[comparison->b];
    comparison->above |= index[comparison->a] > index[comparison->b];
}

/* Ranges of all indices as well. Of a view, whose domain is only that of the inputs, those cells
 * count that rules use. */
static void compare_indices(sample *s, comparison *comparison) {
    const tz_weight *w = s->weight;
    s->any = false;
    for (unsigned u = 0; u < w->uses && w->view != NULL; u++) {
        tz_walk walk;
        tz_walk_start(&walk, &w->used[u], s->rules->lengths, s->length, NULL);
        while (tz_walk_next(&walk))
            compare_cell(s, walk.column, comparison);
    }
    if (w->uses > 0 && w->view != NULL)
        return;
    int32_t index[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < s->shape.rank; q++) {
        index[q] = s->shape.origin[q];
        if (s->shape.extent[q] == 0)
            return;
    }
    do {
        int64_t column[TZ_MAX_RANK];
        for (unsigned q = 0; q < s->shape.rank; q++)
            column[q] = index[q];
        if (tz_domain_holds(&w->domain, s->rules->lengths, s->length, s->shape.rank, column))
            compare_cell(s, column, comparison);
    } while (next_cell(s, index));
}

/* The label index that says how far the position reaches: both stand on the small side of a bound,
 * as t and p in t+p <= n+1. */
static int extent_of(const sample *s, unsigned position) {
    const tz_weight *w = s->weight;
    for (uint32_t c = 0; c < w->domain.count; c++) {
        const tz_constraint *bound = &w->domain.at[c];
        for (unsigned q = 0; q < w->rank && bound->relation == TZ_GE; q++)
            if (s->sequence[q] < 0 && bound->form.column[q] == -1 &&
                bound->form.column[position] == -1 &&
                bound->form.length[s->sequence[position]] == 1)
                return (int)q;
    }
    return -1;
}

static tz_shape_end end_of(const sample *s, unsigned index) {
    unsigned sequence = (unsigned)s->sequence[index];
    bool from_0 = s->least[index] == 0 && s->most[index] < s->length[sequence];
    return (tz_shape_end){.index = index,
                          .sequence = sequence,
                          .shift = from_0,
                          .extent = -1,
                          .moves = from_0 || s->least[index] > 0};
}

static bool inside(const sample *s, const tz_shape_end *end) {
    return s->least[end->index] + end->shift >= 1 &&
           s->most[end->index] + end->shift <= s->length[end->sequence];
}

/* Of two positions of one sequence. */
static void draw_two(const sample *s, bool equal, bool above, tz_use_shape *shape) {
    tz_shape_end *first = &shape->first, *last = &shape->last;
    int32_t n = s->length[first->sequence];
    if (s->least[first->index] < 0 || s->most[last->index] > n + 1)
        return;
    if (s->most[first->index] == n || s->most[last->index] == n)
        first->shift = last->shift = 0; /* one of them alone may end before the last word */
    if (above) {
        shape->kind = TZ_SHAPE_ARC;
    } else if (!equal && s->least[first->index] == 0 && s->most[last->index] == n) {
        shape->kind = TZ_SHAPE_SPAN;
        first->shift = 1;
    } else if (s->least[first->index] + first->shift >= 1 && inside(s, last)) {
        shape->kind = equal ? TZ_SHAPE_SPAN : TZ_SHAPE_PAIR;
    }
}

tz_status tz_use_shape_of(const tz_rules *rules, size_t weight, tz_use_shape *ret_shape) {
    sample s = {.rules = rules, .weight = &rules->weight[weight]};
    unsigned position[TZ_MAX_RANK] = {0}, positions = 0;
    *ret_shape = (tz_use_shape){.kind = TZ_SHAPE_NONE};
    tz_status status = choose_lengths(&s);
    if (status == TZ_OK)
        status = find_sequences(&s);
    if (status != TZ_OK)
        return status;
    for (unsigned q = 0; q < s.shape.rank; q++)
        if (s.sequence[q] >= 0)
            position[positions++] = q;
        else
            ret_shape->labels |= 1u << q;
    if (positions == 0)
        return TZ_OK;
    comparison comparison = {.a = position[0], .b = position[positions - 1]};
    compare_indices(&s, &comparison);
    if (!s.any)
        return TZ_OK;
    tz_shape_end first = end_of(&s, position[0]), last = end_of(&s, position[positions - 1]);
    ret_shape->first = first;
    ret_shape->last = last;
    if (positions == 1) {
        if (inside(&s, &first) && ret_shape->labels != 0)
            ret_shape->kind = TZ_SHAPE_LABEL;
    } else if (positions == 2 && first.sequence != last.sequence) {
        ret_shape->kind = TZ_SHAPE_CELL;
        ret_shape->first.extent = extent_of(&s, first.index);
        ret_shape->last.extent = extent_of(&s, last.index);
    } else if (first.sequence == last.sequence) {
        draw_two(&s, comparison.at, comparison.above, ret_shape);
    }
    return TZ_OK;
}
