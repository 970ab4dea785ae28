/* draw_uses.c - drawings of derivations, by the shapes of the weights that they use.
 *
 * A rule set with cells is drawn as a grid, any other as a sentence with arcs above and spans
 * below. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/draw/draw.h"
#include "io/draw/draw_layout.h"
#include "io/draw/draw_positions.h"
#include "io/draw/draw_shapes.h"
#include "rules/view.h"

/* What is being drawn. */
typedef struct picture {
    tz_arena *arena;
    const tz_rules *rules;
    const int32_t *lengths;
    tz_use *use; /* of rules->weight */
    size_t uses;
    const char *const *opt_word;
    tz_use_shape *shape; /* [weights] of rules->weight */
} picture;

/* "0,3" or "B,3": the labels of a use, by their names; "" if none. NULL when memory is out. */
static const char *labels_of(const picture *p, const tz_use *use) {
    const tz_domain *domain = &p->rules->weight[use->weight].domain;
    const char *text = "";
    tz_text joined = {0};
    for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
        if (!(p->shape[use->weight].labels >> q & 1))
            continue;
        const tz_rules_labels *labels = tz_index_labels(p->rules, domain, q);
        int32_t value = use->index[q];
        char number[16];
        snprintf(number, sizeof number, "%d", (int)value);
        tz_text_put(&joined, joined.size > 0 ? "," : "");
        bool named = labels != NULL && value >= 0 && value < labels->names;
        tz_text_put(&joined, named ? labels->name[value] : number);
    }
    if (joined.size > 0)
        text = joined.failed ? NULL : tz_arena_text(p->arena, joined.data, joined.size);
    else if (joined.failed)
        text = NULL;
    tz_text_free(&joined);
    return text;
}

static int32_t place(const tz_shape_end *end, const tz_use *use) {
    return use->index[end->index] + end->shift;
}

/* Words 1..count of a sequence, at [1..count]; those of the first may be given. */
static tz_status name_words(const picture *p, unsigned sequence, const char **word) {
    for (int32_t w = 1; w <= p->lengths[sequence]; w++) {
        char number[16];
        int size = snprintf(number, sizeof number, "%d", (int)w);
        word[w] = sequence == 0 && p->opt_word != NULL
                      ? tz_draw_clean(p->arena, p->opt_word[w - 1])
                      : tz_arena_text(p->arena, number, (size_t)size);
        if (word[w] == NULL)
            return TZ_NO_MEMORY;
    }
    return TZ_OK;
}

/* ---- A sentence ----------------------------------------------------------------------------- */

static int by_modifier(const void *a, const void *b) {
    const tz_arc *x = a, *y = b;
    if (x->modifier != y->modifier)
        return x->modifier < y->modifier ? -1 : 1;
    if (x->head != y->head)
        return x->head < y->head ? -1 : 1;
    return strcmp(x->label, y->label);
}

static int by_row(const void *a, const void *b) {
    const tz_cover *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Gives each cover a row: what is inside others stands nearer to the words. */
static tz_status place_covers(const picture *p, tz_diagram *diagram, tz_cover *cover) {
    tz_bow *bow = tz_arena_array(p->arena, diagram->covers, sizeof *bow);
    int32_t highest;
    if (bow == NULL)
        return TZ_NO_MEMORY;
    for (size_t c = 0; c < diagram->covers; c++)
        bow[c] = (tz_bow){.low = (size_t)cover[c].first, .high = (size_t)cover[c].last};
    tz_status status =
        tz_bow_levels(p->arena, (size_t)diagram->words + 2, diagram->covers, bow, &highest);
    for (size_t c = 0; c < diagram->covers && status == TZ_OK; c++)
        cover[c].row = bow[c].level - 1;
    if (status == TZ_OK)
        qsort(cover, diagram->covers, sizeof *cover, by_row);
    return status;
}

/* The use as an arc or a cover. TZ_BAD_ARGUMENT: it is none in this sentence. */
static tz_status take_use(const picture *p, const tz_use *use, tz_diagram *diagram, tz_arc *arc,
                          tz_cover *cover) {
    const tz_use_shape *shape = &p->shape[use->weight];
    int32_t first = place(&shape->first, use), last = place(&shape->last, use);
    int32_t end = diagram->words + (shape->kind == TZ_SHAPE_ARC);
    bool good = first >= (shape->kind != TZ_SHAPE_ARC) && first <= end && last >= 1 && last <= end;
    const char *label = labels_of(p, use);
    if (label == NULL)
        return TZ_NO_MEMORY;
    switch (shape->kind) {
    case TZ_SHAPE_ARC:
    case TZ_SHAPE_PAIR:
        good &= first != last;
        arc[diagram->arcs++] = (tz_arc){first, last, label, shape->kind == TZ_SHAPE_PAIR};
        break;
    default:
        good &= first <= last;
        cover[diagram->covers++] = (tz_cover){
            .first = first, .last = last, .text = label, .bare = shape->kind == TZ_SHAPE_LABEL};
    }
    return good ? TZ_OK : TZ_BAD_ARGUMENT;
}

static tz_status draw_sentence(const picture *p, unsigned sequence, tz_drawing *ret_drawing) {
    const char **word;
    bool *skipped, dependents = false, paired = false;
    tz_diagram *diagram = tz_diagram_new(p->arena, p->lengths[sequence], &word, &skipped);
    tz_arc *arc = tz_arena_array(p->arena, p->uses, sizeof *arc);
    tz_cover *cover = tz_arena_array(p->arena, p->uses, sizeof *cover);
    tz_status status = diagram != NULL && arc != NULL && cover != NULL ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = name_words(p, sequence, word);
    for (size_t u = 0; u < p->uses && status == TZ_OK; u++) {
        const tz_use_shape *shape = &p->shape[p->use[u].weight];
        if (shape->kind != TZ_SHAPE_NONE && shape->first.sequence == sequence)
            status = take_use(p, &p->use[u], diagram, arc, cover);
    }
    if (status != TZ_OK)
        return status;
    qsort(arc, diagram->arcs, sizeof *arc, by_modifier);
    size_t kept = 0;
    for (size_t a = 0; a < diagram->arcs; a++)
        if (kept == 0 || by_modifier(&arc[a], &arc[kept - 1]) != 0)
            arc[kept++] = arc[a];
    diagram->arcs = kept;
    /* Words that nothing leads to are left out, if arcs lead to words at all; pairs do not. */
    for (unsigned w = 0; w < p->rules->weights; w++) {
        bool here = p->shape[w].first.sequence == sequence;
        dependents |= here && p->shape[w].kind == TZ_SHAPE_ARC;
        paired |= here && p->shape[w].kind == TZ_SHAPE_PAIR;
    }
    for (int32_t w = 1; w <= diagram->words; w++)
        skipped[w] = dependents && !paired;
    for (size_t a = 0; a < kept; a++)
        skipped[arc[a].modifier] = false;
    diagram->arc = arc;
    diagram->cover = cover;
    ret_drawing->diagram = diagram;
    return place_covers(p, diagram, cover);
}

/* ---- A grid --------------------------------------------------------------------------------- */

static int32_t extent(const tz_shape_end *end, const tz_use *use) {
    return end->extent >= 0 ? use->index[end->extent] : 1;
}

static tz_status draw_grid(const picture *p, const tz_use_shape *first, tz_drawing *ret_drawing) {
    int32_t rows = p->lengths[first->first.sequence], columns = p->lengths[first->last.sequence];
    tz_grid *grid = tz_arena_array(p->arena, 1, sizeof *grid);
    tz_grid_block *block = tz_arena_array(p->arena, p->uses, sizeof *block);
    const char **row = tz_arena_array(p->arena, (size_t)rows + 1, sizeof *row);
    const char **column = tz_arena_array(p->arena, (size_t)columns + 1, sizeof *column);
    if (grid == NULL || block == NULL || row == NULL || column == NULL)
        return TZ_NO_MEMORY;
    row[0] = column[0] = "";
    *grid =
        (tz_grid){.rows = rows, .columns = columns, .row = row, .column = column, .block = block};
    tz_status status = name_words(p, first->first.sequence, row);
    if (status == TZ_OK)
        status = name_words(p, first->last.sequence, column);
    for (size_t u = 0; u < p->uses && status == TZ_OK; u++) {
        const tz_use *use = &p->use[u];
        const tz_use_shape *shape = &p->shape[use->weight];
        if (shape->kind != TZ_SHAPE_CELL || shape->first.sequence != first->first.sequence ||
            shape->last.sequence != first->last.sequence)
            continue;
        tz_grid_block at = {.row = place(&shape->first, use),
                            .column = place(&shape->last, use),
                            .rows = extent(&shape->first, use),
                            .columns = extent(&shape->last, use),
                            .along = !shape->first.moves,
                            .down = !shape->last.moves};
        if (at.row < 0 || at.column < 0 || at.rows < 1 || at.columns < 1 ||
            at.rows > rows - at.row + 1 || at.columns > columns - at.column + 1)
            return TZ_BAD_ARGUMENT;
        block[grid->blocks++] = at;
    }
    ret_drawing->grid = grid;
    return status;
}

/* ---- Either --------------------------------------------------------------------------------- */

tz_status tz_drawing_uses(tz_arena *arena, const tz_rules *rules, const int32_t *lengths,
                          const tz_derivation *derivation, const char *const *opt_word,
                          tz_drawing *ret_drawing) {
    picture p = {arena, rules, lengths, NULL, 0, opt_word, NULL};
    const tz_use_shape *cell = NULL, *other = NULL;
    p.shape = tz_arena_array(arena, rules->weights, sizeof *p.shape);
    *ret_drawing = (tz_drawing){.caption = ""};
    if (p.shape == NULL)
        return TZ_NO_MEMORY;
    for (unsigned l = 0; l < rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_DRAW_WORDS)
            return TZ_TOO_LARGE;
    for (unsigned w = 0; w < rules->weights; w++) {
        tz_status status = tz_use_shape_of(rules, w, &p.shape[w]);
        if (status != TZ_OK)
            return status;
        if (p.shape[w].kind == TZ_SHAPE_CELL)
            cell = cell != NULL ? cell : &p.shape[w];
        else if (p.shape[w].kind != TZ_SHAPE_NONE)
            other = other != NULL ? other : &p.shape[w];
    }
    tz_status status = tz_draw_positions(arena, rules, lengths, derivation, &p.use, &p.uses);
    if (status != TZ_OK)
        return status;
    if (cell != NULL)
        return draw_grid(&p, cell, ret_drawing);
    return other != NULL ? draw_sentence(&p, other->first.sequence, ret_drawing) : TZ_NONE;
}
