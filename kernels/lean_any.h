/* lean_any.h - blocks of any shape of elements that are several numbers, column by column.
 *
 * Part of lean.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_LEAN_ANY_H
#define TZ_KERNELS_LEAN_ANY_H

/* Columns side by side: of all x and lanes as one index, of one x, or of one lane. */
typedef struct lean_tile {
    const lean *lean;
    const number *zero, *one;
    ptrdiff_t x, lane; /* the first */
    int count;         /* columns that there are */
    _Bool along_run;   /* from one to the next is the operand's run, else 1 */
} lean_tile;

static ptrdiff_t step_of(const lean_tile *t, ptrdiff_t run) {
    return t->along_run ? run : 1;
}

/* Bit i: column i. */
static unsigned all_of(const lean_tile *t) {
    return (1u << t->count) - 1;
}

static _Bool is_whole(const lean_tile *t, ptrdiff_t run, unsigned present) {
    return step_of(t, run) == 1 && present == (1u << VECTOR_ELEMENTS) - 1;
}

/* The elements at `from` and on, of `present` columns; of others zero. */
static void load_columns(const lean_tile *t, numbers *ret, const number *from, ptrdiff_t run,
                         unsigned present) {
    const int parts = t->lean->parts;
    number *room = (number *)ret;
    if (is_whole(t, run, present))
        for (int v = 0; v < parts; v++)
            ret[v] = numbers_load(from + v * VECTOR_ELEMENTS);
    else
        for (int i = 0; i < VECTOR_ELEMENTS; i++)
            memcpy(room + i * parts,
                   present >> i & 1 ? from + i * step_of(t, run) * parts : t->zero,
                   (size_t)parts * sizeof *room);
    t->lean->deal(ret);
}

static void load_operand(const lean_tile *t, numbers *ret, const tz_operand *o, ptrdiff_t s,
                         unsigned present) {
    const ptrdiff_t at = s * o->split + t->x * o->run + t->lane;
    load_columns(t, ret, (const number *)o->base + at * t->lean->parts, o->run, present);
}

static void constant(const lean_tile *t, numbers *ret, const number *element) {
    const int parts = t->lean->parts;
    for (int i = 0; i < VECTOR_ELEMENTS; i++)
        memcpy((number *)ret + i * parts, element, (size_t)parts * sizeof *element);
    t->lean->deal(ret);
}

/* Adds the product of a split's factors. */
static void add_columns(const lean_tile *t, numbers *acc, const tz_block *block, ptrdiff_t s,
                        unsigned present) {
    numbers term[MOST_PARTS], factor[MOST_PARTS];
    if (block->inners == 0) {
        lean_tile one = *t;
        one.along_run = 1;
        load_columns(&one, term, t->one, 0, present);
    } else {
        load_operand(t, term, &block->inner[0], s, present);
    }
    for (unsigned o = 1; o < block->inners; o++) {
        load_operand(t, factor, &block->inner[o], s, present);
        if (o + 1 < block->inners)
            t->lean->multiply(term, factor);
    }
    if (block->inners < 2)
        t->lean->add(acc, term);
    else
        t->lean->add_product(acc, term, factor);
}

/* acc: the sums of the splits. */
static void add_all_splits(const lean_tile *t, numbers *acc, const tz_block *block) {
    splits of[VECTOR_ELEMENTS], some = {PTRDIFF_MAX, 0};
    for (int i = 0; i < t->count; i++) {
        const ptrdiff_t x = t->x + (t->along_run ? i : (t->lane + i) / (ptrdiff_t)block->lanes);
        of[i] = splits_for(block, x, x);
        some.from = of[i].from < some.from ? of[i].from : some.from;
        some.end = of[i].end > some.end ? of[i].end : some.end;
    }
    for (ptrdiff_t s = some.from; s < some.end; s++) {
        unsigned present = 0;
        for (int i = 0; i < t->count; i++)
            present |= (unsigned)(s >= of[i].from && s < of[i].end) << i;
        add_columns(t, acc, block, s, present);
    }
}

/* What a tile's targets get. */
static void sum_columns(const lean_tile *t, numbers *acc, const tz_block *block) {
    const _Bool plain = block->inners == 0 && block->splits == 1 &&
                        block->lows + block->highs == 0; /* the sum is one */
    constant(t, acc, plain ? t->one : t->zero);
    if (!plain)
        add_all_splits(t, acc, block);
    for (unsigned o = 0; o < block->outers; o++) {
        numbers factor[MOST_PARTS];
        load_operand(t, plain && o == 0 ? acc : factor, &block->outer[o], 0, all_of(t));
        if (!plain || o > 0)
            t->lean->multiply(acc, factor);
    }
}

static void add_to_targets(const lean_tile *t, const tz_block *block, const numbers *acc) {
    const int parts = t->lean->parts;
    number *to = (number *)block->target + (t->x * block->run + t->lane) * parts;
    numbers ret[MOST_PARTS];
    if (block->first_write)
        constant(t, ret, t->zero);
    else
        load_columns(t, ret, to, block->run, all_of(t));
    t->lean->add(ret, acc);
    t->lean->take_together(ret);
    if (is_whole(t, block->run, all_of(t)))
        for (int v = 0; v < parts; v++)
            numbers_store(to + v * VECTOR_ELEMENTS, ret[v]);
    else
        for (int i = 0; i < t->count; i++)
            memcpy(to + i * step_of(t, block->run) * parts, (const number *)ret + i * parts,
                   (size_t)parts * sizeof *to);
}

/* All x add to the same target: those TZ_CHAINS apart to one chain. */
static void add_chains(lean_tile *t, const tz_block *block) {
    numbers chain[TZ_CHAINS][MOST_PARTS], more[MOST_PARTS];
    for (size_t x = 0; x < block->width; x += TZ_CHAINS)
        for (size_t c = 0; c < TZ_CHAINS; c++) {
            numbers *to = x == 0 ? chain[c] : more;
            t->x = (ptrdiff_t)(x + c);
            if (x + c < block->width)
                sum_columns(t, to, block);
            else
                constant(t, to, t->zero);
            if (x > 0)
                t->lean->add(chain[c], more);
        }
    for (size_t d = TZ_CHAINS / 2; d > 0 && block->width > 0; d /= 2)
        for (size_t c = 0; c < d; c++)
            t->lean->add(chain[c], chain[c + d]);
    if (block->width > 0)
        add_to_targets(t, block, chain[0]);
}

static void lean_contract_any(const lean *lean, const tz_semiring *self, const tz_block *block) {
    const ptrdiff_t lanes = (ptrdiff_t)block->lanes, width = (ptrdiff_t)block->width;
    const _Bool flat = block->run != 0 && seamless(block);
    const _Bool along = block->run != 0 && !flat && lanes == 1;
    const ptrdiff_t rows = flat || along || block->run == 0 ? 1 : width;
    const ptrdiff_t columns = flat || along ? width * lanes : lanes;
    lean_tile t = {.lean = lean, .zero = self->zero, .one = self->one, .along_run = along};
    for (ptrdiff_t r = 0; r < rows; r++)
        for (ptrdiff_t c = 0; c < columns; c += VECTOR_ELEMENTS) {
            numbers acc[MOST_PARTS];
            t.x = along ? c : r;
            t.lane = along ? 0 : c;
            t.count = (int)(columns - c < VECTOR_ELEMENTS ? columns - c : VECTOR_ELEMENTS);
            if (block->run == 0) {
                add_chains(&t, block);
            } else {
                sum_columns(&t, acc, block);
                add_to_targets(&t, block, acc);
            }
        }
}

static void lean_contract(const lean *lean, const tz_semiring *self, const tz_block *block) {
    if (!lean_contract_row(lean, block))
        lean_contract_any(lean, self, block);
}

#endif
