/* em_table.c - the table of what becomes what, with its words. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "sentences/align/em/em_own.h"

typedef struct cell {
    uint32_t row, number;
    tz_em_entry entry;
} cell;

/* By row, then the greatest first. */
static int compare(const void *a, const void *b) {
    const cell *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->entry.t != y->entry.t)
        return x->entry.t > y->entry.t ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Where the cell's words stand, unless it has been seen before. */
static void find(const tz_em *em, cell *list, uint32_t number, const tz_form *document, unsigned q,
                 const tz_form *abstract, unsigned p) {
    const tz_aligner *a = &em->aligner;
    cell *c = &list[number];
    if (c->entry.opt_document)
        return;
    uint32_t row = (uint32_t)(a->cell.value[number] >> 32);
    double t = a->total[row] > 0 ? a->count[number] / a->total[row] : 0;
    *c = (cell){.row = row,
                .number = number,
                .entry = {document, abstract, q, p, t, em->uses.cell[number]}};
}

static void find_block(const tz_em *em, const tz_em_block *block, cell *list) {
    const uint32_t *of_block = em->cell + block->cell;
    for (size_t i = block->first; i < block->last; i++) {
        const tz_em_pair *pair = &em->pair[i];
        const uint32_t *number = em->number + pair->cells;
        const tz_form *document = em->form + pair->at, *abstract = document + pair->n;
        for (size_t t = 0; t < pair->m; t++)
            for (size_t j = 0; j < pair->n; j++)
                find(em, list, of_block[*number++], document + j, 1, abstract + t, 1);
        for (size_t e = 0; e < pair->longer; e++) {
            const tz_place *place = &em->longer.place[pair->places + e];
            find(em, list, of_block[*number++], document + place->j, place->q, abstract + place->t,
                 place->p);
        }
    }
}

tz_status tz_em_table(const tz_em *em, tz_em_visit visit, void *user) {
    const tz_aligner *a = &em->aligner;
    cell *list = calloc(a->cell.count + 1, sizeof *list);
    if (!list)
        return TZ_NO_MEMORY;
    for (size_t b = 0; b < em->blocks; b++)
        find_block(em, &em->block[b], list);
    qsort(list, a->cell.count, sizeof *list, compare);
    for (size_t x = 0; x < a->vocabulary; x++) {
        tz_form word = {.word = a->abstract.value[x]};
        visit(user, &(tz_em_entry){.abstract = &word,
                                   .p = 1,
                                   .t = a->null_count[x] / a->null_total,
                                   .uses = em->uses.null[x]});
    }
    for (size_t c = 0; c < a->cell.count; c++)
        visit(user, &list[c].entry);
    free(list);
    return TZ_OK;
}
