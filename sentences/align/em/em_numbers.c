/* em_numbers.c - numbers for words, phrases and cells: in the order in which they come in the pairs
 * of all ranks. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sentences/align/em/em_own.h"

/* Numbers, and the pair in which each comes first, which other ranks ask. */
typedef struct list {
    tz_numbers *numbers;
    uint64_t *first;
    size_t capacity;
} list;

static tz_status meet(list *l, uint64_t value, uint64_t position, uint32_t *ret_number) {
    size_t known = l->numbers->count;
    tz_status status = tz_numbers_add(l->numbers, value, ret_number);
    if (status != TZ_OK || l->numbers->count == known || tz_ranks() == 1)
        return status;
    bool grown = TZ_GROW(l->first, &l->capacity, known + 1);
    if (grown)
        l->first[known] = position;
    return grown ? TZ_OK : TZ_NO_MEMORY;
}

/* ---- Of all ranks ---------------------------------------------------------------------------- */

typedef struct met {
    uint64_t value, first;
} met;

/* A pair is one rank's: where two numbers come first in the same one, their order there stays. */
static int by_first(const void *a, const void *b) {
    const met *x = *(const met *const *)a, *y = *(const met *const *)b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x > y) - (x < y);
}

/* The numbers from `from` on, with those of the other ranks. */
static tz_status join(list *l, size_t from, tz_error *error) {
    size_t count = l->numbers->count - from;
    tz_gathered all = {0};
    if (tz_ranks() == 1)
        return TZ_OK;
    met *mine = malloc((count + 1) * sizeof *mine);
    if (!mine)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        mine[i] = (met){l->numbers->value[from + i], l->first[from + i]};
    tz_status status = tz_ranks_gather(mine, count * sizeof *mine, &all, error);
    free(mine);
    size_t met_all = status == TZ_OK ? all.at[tz_ranks()] / sizeof(met) : 0;
    const met **order = malloc((met_all + 1) * sizeof *order);
    list joined = {.numbers = &(tz_numbers){0}};
    uint32_t number;
    if (status == TZ_OK && !order)
        status = TZ_NO_MEMORY;
    for (size_t i = 0; i < from && status == TZ_OK; i++)
        status = meet(&joined, l->numbers->value[i], l->first[i], &number);
    for (size_t i = 0; i < met_all && status == TZ_OK; i++)
        order[i] = (const met *)(const void *)all.data + i;
    if (status == TZ_OK)
        qsort((void *)order, met_all, sizeof *order, by_first);
    for (size_t i = 0; i < met_all && status == TZ_OK; i++)
        status = meet(&joined, order[i]->value, order[i]->first, &number);
    free((void *)order);
    tz_gathered_free(&all);
    tz_numbers_free(l->numbers);
    free(l->first);
    *l->numbers = *joined.numbers;
    l->first = joined.first;
    l->capacity = joined.capacity;
    return status;
}

typedef struct told {
    uint64_t number, value;
} told;

tz_status tz_em_tell(uint64_t *of_number, const uint8_t *known, size_t count, tz_error *error) {
    tz_gathered all = {0};
    size_t mine = 0;
    if (tz_ranks() == 1)
        return TZ_OK;
    told *list = malloc((count + 1) * sizeof *list);
    if (!list)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (known[i])
            list[mine++] = (told){i, of_number[i]};
    tz_status status = tz_ranks_gather(list, mine * sizeof *list, &all, error);
    for (size_t at = 0; status == TZ_OK && at < all.at[tz_ranks()]; at += sizeof(told)) {
        const told *told = (const void *)(all.data + at);
        of_number[told->number] = told->value;
    }
    free(list);
    tz_gathered_free(&all);
    return status;
}

/* ---- Words and phrases ----------------------------------------------------------------------- */

/* What is numbered, and the pairs in the order of their positions. */
typedef struct numbering {
    tz_em *em;
    const tz_em_pair **pair;
    list document, abstract, cell;
} numbering;

static int by_position(const void *a, const void *b) {
    const tz_em_pair *x = *(const tz_em_pair *const *)a, *y = *(const tz_em_pair *const *)b;
    return (x->position > y->position) - (x->position < y->position);
}

static tz_status number_words(numbering *g) {
    tz_status status = TZ_OK;
    for (size_t i = 0; i < g->em->pairs; i++) {
        const tz_em_pair *pair = g->pair[i];
        const tz_form *form = g->em->form + pair->at;
        uint32_t number;
        for (size_t w = 0; w < pair->n + pair->m && status == TZ_OK; w++)
            status = meet(w < pair->n ? &g->document : &g->abstract, form[w].word, pair->position,
                          &number);
    }
    return status;
}

static tz_status find_places(tz_em *em, size_t *ret_cells) {
    const tz_aligner *a = &em->aligner;
    tz_status status = TZ_OK;
    size_t cells = 0;
    for (size_t i = 0; i < em->pairs && status == TZ_OK; i++) {
        tz_em_pair *pair = &em->pair[i];
        tz_passage document = {
            .form = em->form + pair->at, .opt_stop = em->stop + pair->at, .words = pair->n};
        tz_passage abstract = {.form = document.form + pair->n, .words = pair->m};
        pair->places = em->longer.count;
        status = tz_places_find(&document, &abstract, a->abstract_most, a->document_most, a->loose,
                                em->kin.wordnet ? &em->kin : NULL, &em->longer);
        pair->longer = em->longer.count - pair->places;
        pair->cells = cells;
        cells += pair->n * pair->m + pair->longer;
    }
    *ret_cells = cells;
    return status;
}

/* Of place e of a pair. */
static void phrases_of(const tz_em *em, const tz_em_pair *pair, size_t e, uint64_t *ret_document,
                       uint64_t *ret_abstract) {
    const tz_form *document = em->form + pair->at, *abstract = document + pair->n;
    const tz_place *place = &em->longer.place[pair->places + e];
    *ret_document = tz_phrase_of(document + place->j, place->q).words;
    *ret_abstract = tz_phrase_of(abstract + place->t, place->p).words;
}

static tz_status number_phrases(numbering *g) {
    tz_status status = TZ_OK;
    for (size_t i = 0; i < g->em->pairs; i++) {
        const tz_em_pair *pair = g->pair[i];
        for (size_t e = 0; e < pair->longer && status == TZ_OK; e++) {
            uint64_t document, abstract;
            uint32_t number;
            phrases_of(g->em, pair, e, &document, &abstract);
            status = meet(&g->document, document, pair->position, &number);
            if (status == TZ_OK)
                status = meet(&g->abstract, abstract, pair->position, &number);
        }
    }
    return status;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static tz_status add_cell(numbering *g, const tz_em_pair *pair, uint64_t document,
                          uint64_t abstract, uint32_t *ret_number) {
    const tz_aligner *a = &g->em->aligner;
    uint64_t y = tz_numbers_find(&a->document, document);
    return meet(&g->cell, y << 32 | tz_numbers_find(&a->abstract, abstract), pair->position,
                ret_number);
}

/* The cells of a pair, by place. */
static tz_status number_cells(numbering *g, const tz_em_pair *pair) {
    const tz_em *em = g->em;
    const tz_form *document = em->form + pair->at, *abstract = document + pair->n;
    uint32_t *number = em->number + pair->cells;
    tz_status status = TZ_OK;
    for (size_t t = 0; t < pair->m; t++)
        for (size_t j = 0; j < pair->n && status == TZ_OK; j++)
            status = add_cell(g, pair, document[j].word, abstract[t].word, number++);
    for (size_t e = 0; e < pair->longer && status == TZ_OK; e++) {
        uint64_t y, x;
        phrases_of(em, pair, e, &y, &x);
        status = add_cell(g, pair, y, x, number++);
    }
    return status;
}

/* What the cells that only this rank knew are called now. */
static tz_status renumber(numbering *g, const uint64_t *old, size_t olds, size_t numbers) {
    uint32_t *new_number = malloc((olds + 1) * sizeof *new_number);
    if (!new_number)
        return TZ_NO_MEMORY;
    for (size_t c = 0; c < olds; c++)
        new_number[c] = tz_numbers_find(g->cell.numbers, old[c]);
    for (size_t i = 0; i < numbers; i++)
        g->em->number[i] = new_number[g->em->number[i]];
    free(new_number);
    return TZ_OK;
}

static tz_status number_all_cells(numbering *g, size_t cells, tz_error *error) {
    tz_em *em = g->em;
    tz_status status = TZ_OK;
    em->number = malloc((cells + 1) * sizeof *em->number);
    if (!em->number)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < em->pairs && status == TZ_OK; i++)
        status = number_cells(g, g->pair[i]);
    if (status != TZ_OK || tz_ranks() == 1)
        return status;
    size_t olds = em->aligner.cell.count;
    uint64_t *old = malloc((olds + 1) * sizeof *old);
    if (!old)
        return TZ_NO_MEMORY;
    if (olds > 0) /* else there may be nothing to copy from */
        memcpy(old, em->aligner.cell.value, olds * sizeof *old);
    status = join(&g->cell, 0, error);
    if (status == TZ_OK)
        status = renumber(g, old, olds, cells);
    free(old);
    return status;
}

/* Numbers of cells become those in their block, in the order in which its pairs have them. */
static tz_status number_blocks(tz_em *em, size_t cells) {
    const size_t all = em->aligner.cell.count;
    uint32_t *place = malloc((all + 1) * sizeof *place);
    size_t count = 0;
    em->cell = malloc((cells + 1) * sizeof *em->cell);
    if (!place || !em->cell) {
        free(place);
        return TZ_NO_MEMORY;
    }
    memset(place, 0xff, all * sizeof *place); /* TZ_NO_NUMBER */
    for (size_t k = 0; k < em->blocks; k++) {
        tz_em_block *block = &em->block[k];
        size_t end = block->last < em->pairs ? em->pair[block->last].cells : cells;
        block->cell = count;
        for (size_t i = em->pair[block->first].cells; i < end; i++) {
            uint32_t *at = &place[em->number[i]];
            if (*at == TZ_NO_NUMBER) {
                *at = (uint32_t)block->cells++;
                em->cell[count++] = em->number[i];
            }
            em->number[i] = *at;
        }
        for (size_t c = 0; c < block->cells; c++)
            place[em->cell[block->cell + c]] = TZ_NO_NUMBER;
    }
    free(place);
    uint32_t *smaller = realloc(em->cell, (count + 1) * sizeof *em->cell);
    em->cell = smaller ? smaller : em->cell;
    return smaller ? TZ_OK : TZ_NO_MEMORY;
}

static tz_status number_all(numbering *g, tz_error *error) {
    tz_aligner *a = &g->em->aligner;
    size_t cells;
    tz_status status = number_words(g);
    if (status == TZ_OK)
        status = join(&g->document, 0, error);
    if (status == TZ_OK)
        status = join(&g->abstract, 0, error);
    a->vocabulary = a->abstract.count;
    a->document_words = a->document.count;
    if (status == TZ_OK && (a->vocabulary == 0 || a->document_words == 0))
        return TZ_NONE;
    if (status == TZ_OK)
        status = find_places(g->em, &cells);
    if (status == TZ_OK)
        status = number_phrases(g);
    if (status == TZ_OK)
        status = join(&g->document, a->document_words, error);
    if (status == TZ_OK)
        status = join(&g->abstract, a->vocabulary, error);
    if (status == TZ_OK)
        status = number_all_cells(g, cells, error);
    return status == TZ_OK ? number_blocks(g->em, cells) : status;
}

tz_status tz_em_number(tz_em *em, tz_error *error) {
    tz_aligner *a = &em->aligner;
    numbering g = {.em = em,
                   .pair = malloc((em->pairs + 1) * sizeof *g.pair),
                   .document = {.numbers = &a->document},
                   .abstract = {.numbers = &a->abstract},
                   .cell = {.numbers = &a->cell}};
    if (!g.pair)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < em->pairs; i++)
        g.pair[i] = &em->pair[i];
    qsort((void *)g.pair, em->pairs, sizeof *g.pair, by_position);
    tz_status status = number_all(&g, error);
    free((void *)g.pair);
    free(g.document.first);
    free(g.abstract.first);
    free(g.cell.first);
    return status;
}
