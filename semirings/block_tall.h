/* block_tall.h - stacks of sixteen: tiles of many members and one vector.
 *
 * Part of block.h. The tables of long sentences do not fit the caches near the core, and a tile
 * waits for what it reads for the first time. At a split that is, for V vectors of columns, V cache
 * lines of the operand that members share, and V + 1 of the other one, of which each member but one
 * reads what its neighbour read a split before. For M * V products that is least where M is large.
 * Such a tile strides over long rows, line by line, which no processor foresees: it asks for what
 * it will read some splits ahead (add_split).
 *
 * Columns that fill no vector, and blocks of other shapes, go by fours.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_BLOCK_TALL_H
#define TZ_SEMIRINGS_BLOCK_TALL_H

/* Members from..from+count-1 of a stack as one. */
static tz_block members_of(const tz_block *block, unsigned from, unsigned count,
                           tz_operand inner[2]) {
    ptrdiff_t late = (ptrdiff_t)(from * block->skew);
    tz_block ret = *block;
    for (unsigned o = 0; o < 2; o++) {
        inner[o] = block->inner[o];
        inner[o].base = (const element *)inner[o].base + (ptrdiff_t)from * inner[o].stacked +
                        late * inner[o].split;
    }
    ret.inner = inner;
    ret.target = (element *)block->target + (ptrdiff_t)from * block->stacked;
    ret.width = (size_t)((ptrdiff_t)block->width + (ptrdiff_t)from * block->widening);
    ret.splits = (from == 0 ? block->splits : block->stack_splits) - (size_t)late;
    ret.stack_splits = block->stack_splits - (size_t)late;
    ret.fresh = block->fresh >> from & ((1u << count) - 1);
    ret.stack = count;
    return ret;
}

/* What tiles of a stack have in common, its edges aside. */
static _Bool stack_rows(const tz_block *block, rows *ret) {
    tz_block even = without_edges(block);
    _Bool fits = rows_of(&even, ret);
    ret->block = block;
    return fits;
}

/* Are there edges, and splits enough to heed them? */
static _Bool heeds_edges(const tz_block *block) {
    return block->lows + block->highs > 0 && block->splits > PADDED_FEW;
}

WHOLE_SHAPE(tall, 2, TALL, 1)

/* The next row of tiles of a stack from column *c on, all whole, or its next tile where it has
 * edges. */
static _Bool next_tall(const rows *of, size_t *c, tz_ready *to) {
    _Bool edges = heeds_edges(of->block);
    size_t begin = *c, tiles = edges ? 1 : (of->most - begin) / VECTOR_ELEMENTS;
    ready *r = (ready *)to;
    fill_row(of, c, 1, 0, tiles, r);
    if (edges) {
        take_splits(of, begin, *c, r);
    }
    r->run = tall;
    return 0;
}

/* Columns from..end-1 of a stack by so many members at a time. */
typedef struct part_of_stack {
    size_t from, end;
    unsigned members;
    next_tiles *next;
} part_of_stack;

/* Their tiles added to the list, which ends at `room`; 0 if there is none left, or they are of
 * another shape. */
static size_t prepare_part(const tz_block *block, part_of_stack of, tz_ready *list, size_t count,
                           size_t room) {
    for (unsigned m = 0; m < block->stack && of.from < of.end; m += of.members) {
        tz_operand inner[2];
        tz_block part = members_of(block, m, of.members, inner);
        rows all;
        if (is_matrix(&part) || !stack_rows(&part, &all)) {
            return 0;
        }
        if (of.end < all.most) {
            part.slack = 0;
            all.most = of.end;
            all.least = all.least < of.end ? all.least : of.end;
        }
        count = prepare_tiles(&all, of.next, of.from, list, count, room);
        if (count == 0) {
            return 0;
        }
    }
    return count;
}

/* The same of the whole stack. */
static size_t prepare_tall(const tz_block *block, tz_ready *list, size_t count, size_t room) {
    const unsigned every = (1u << block->stack) - 1;
    rows all;
    if ((block->lows + block->highs > 0 && !block->padded) || !stack_rows(block, &all)) {
        return 0;
    }
    _Bool edges = heeds_edges(block);
    next_tiles *few = edges ? next_padded : next_row;
    /* The vectors of all members, where next_padded would have them. */
    size_t from = edges && widens(&all) ? all.most % VECTOR_ELEMENTS : 0;
    size_t end = all.least > from ? all.least - (all.least - from) % VECTOR_ELEMENTS : from;
    if (VECTOR_ELEMENTS % block->lanes != 0 || (block->fresh != 0 && block->fresh != every)) {
        end = from;
    }
    const part_of_stack parts[] = {{0, from, FEW_MEMBERS, few},
                                   {from, end, TALL, next_tall},
                                   {end, all.most, FEW_MEMBERS, few}};
    size_t last = count;
    for (unsigned s = 0; s < 3; s++) {
        if (parts[s].from < parts[s].end) {
            last = prepare_part(block, parts[s], list, last, room);
            if (last == 0) {
                return 0;
            }
        }
    }
    return last;
}

static _Bool contract_vectors(const tz_block *block);

static void contract_tall(const tz_block *block) {
    enum { MOST = 256 };
    tz_ready list[MOST];
    size_t count = prepare_tall(block, list, 0, MOST);
    for (const tz_ready *r = list; r < list + count;) {
        r = r->run(r);
    }
    for (unsigned m = 0; m < block->stack && count == 0; m += FEW_MEMBERS) {
        tz_operand inner[2];
        tz_block few = members_of(block, m, FEW_MEMBERS, inner);
        contract_vectors(&few);
    }
}

#endif
