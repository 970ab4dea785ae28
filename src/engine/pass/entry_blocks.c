/* entry_blocks.c - steps of sparse weights whose loops are the same for all entries: a tile is the
 * same block for each, moved to where the entry's indices say.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/chart/entries.h"
#include "engine/pass/contract.h"
#include "engine/pass/tile.h"

enum { BLOCKS = 32, OPERANDS = 128 /* at once; more than TZ_MAX_TERMS */ };

bool tz_entries_apart(const tz_chart *chart, const tz_bound_step *step) {
    bool apart = step->ties != NULL && step->ties->apart;
    for (unsigned t = 0; t < step->terms && apart; t++) {
        const tz_bound_term *term = &step->term[t];
        apart = t < step->step->sparse
                    ? !term->tangent
                    : term->what != TZ_WEIGHT || !chart->layout.weight_box[term->which].absent;
    }
    return apart;
}

/* How many bytes a term moves as the indices of entries grow, column by column. */
typedef struct shift {
    ptrdiff_t by[TZ_MAX_COLUMNS];
} shift;

static shift shift_of(const tz_chart *chart, const tz_bound_term *term, unsigned first,
                      unsigned columns) {
    const tz_address *address = &chart->layout.address[term->address];
    shift ret;
    for (unsigned c = first; c < columns; c++)
        ret.by[c] = address->column[c] * (ptrdiff_t)(chart->lanes * chart->algebra->size);
    return ret;
}

static ptrdiff_t shift_by(const shift *shift, unsigned first, unsigned columns,
                          const int64_t *column) {
    ptrdiff_t bytes = 0;
    for (unsigned c = first; c < columns; c++)
        bytes += shift->by[c] * (ptrdiff_t)column[c];
    return bytes;
}

/* The blocks of all entries; opt_use: of a sparse term, whose place what stands at the target
 * takes: products are added to the cells of its entries instead. */
static tz_status contract(tz_chart *chart, const tz_tile *tile, const tz_entry_use *opt_use) {
    const tz_bound_step *step = tile->step;
    const unsigned terms = step->terms, sparse = step->step->sparse;
    const unsigned first = step->stages, columns = step->nest->givens;
    const unsigned operands = terms + (opt_use != NULL);
    const size_t most = OPERANDS / operands < BLOCKS ? OPERANDS / operands : BLOCKS;
    tz_operands frame;
    tz_block block[BLOCKS];
    tz_operand operand[OPERANDS];
    shift target, moves[TZ_MAX_TERMS];
    unsigned place[TZ_MAX_TERMS]; /* of each term among the operands: inner ones, then outer ones */
    int64_t column[TZ_MAX_COLUMNS];
    tz_entry_walk walk;
    tz_status status = tz_entries_sort(chart, step, tile->lane);
    if (status == TZ_OK)
        status = tz_tile_operands(chart, tile, &frame);
    if (status != TZ_OK)
        return status;
    target = shift_of(chart, &step->target, first, columns);
    for (unsigned t = 0, inner = 0, outer = frame.block.inners; t < terms; t++) {
        place[t] = step->term[t].inner ? inner++ : outer++;
        if (t >= sparse)
            moves[t] = shift_of(chart, &step->term[t], first, columns);
    }
    memcpy(column, tile->column, sizeof column);
    size_t blocks = 0;
    for (bool any = tz_entry_walk_start(&walk, chart, step, tile->lane, column); any;
         any = tz_entry_walk_next(&walk, column)) {
        tz_operand *to = operand + blocks * operands;
        memcpy(to, frame.inner, frame.block.inners * sizeof *to);
        memcpy(to + frame.block.inners, frame.outer, frame.block.outers * sizeof *to);
        for (unsigned t = 0; t < terms; t++)
            to[place[t]].base =
                t < sparse
                    ? tz_entry_element(chart, tile->lane, step->term[t].which, walk.entry[t])
                    : (const char *)to[place[t]].base + shift_by(&moves[t], first, columns, column);
        block[blocks] = frame.block;
        char *at = (char *)frame.block.target + shift_by(&target, first, columns, column);
        block[blocks].target = at;
        if (opt_use != NULL) {
            const tz_bound_term *used = &step->term[opt_use->term];
            const char *values = chart->space[opt_use->values].data;
            to[terms] = (tz_operand){
                .base = values + (at - (char *)chart->space[tz_target_space(step)].data),
                .run = frame.block.run};
            block[blocks].outers++;
            block[blocks].target = opt_use->cell + tz_entry_number(chart, tile->lane, used->which,
                                                                   walk.entry[opt_use->term]) *
                                                       (ptrdiff_t)chart->algebra->size;
            block[blocks].run = 0;
        }
        block[blocks].inner = to;
        block[blocks].outer = to + frame.block.inners;
        if (++blocks == most) {
            tz_contract(chart, block, blocks);
            blocks = 0;
        }
    }
    tz_contract(chart, block, blocks);
    return TZ_OK;
}

tz_status tz_contract_entries(tz_chart *chart, const tz_tile *tile, void *user) {
    (void)user;
    return contract(chart, tile, NULL);
}

tz_status tz_gather_entries(tz_chart *chart, const tz_tile *tile, void *user) {
    return contract(chart, tile, user);
}
