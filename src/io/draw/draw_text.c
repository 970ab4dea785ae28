/* draw_text.c - arcs over a sentence, in box-drawing characters.
 *
 *     ┌───────root───────┐┌───nsubj───┬─punct─┐
 *     │    ┌─det─┐┌─obl─┐││   ┌─det─┐ │       │
 *     │    ▼     │▼     │▼│   ▼     │ ▼       ▼
 *    ROOT the    AP    comes this  story      .
 *
 * The arcs from a head to its modifiers on one side are drawn as one comb: a line with a tooth at
 * every modifier. That takes a row per level of nesting instead of a row per arc. Each word has a
 * column for its comb to the left, one for the tooth that reaches it (it ends in an arrow head) and
 * one for its comb to the right, so the lines of a projective tree never touch. Where lines of
 * other trees cross, the vertical one is drawn through: a crossing is no joint.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/width.h"
#include "io/draw/draw_layout.h"

/* What is in a cell: the directions in which lines leave it. */
enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, ARROW = 16 };

static const char *const glyph[] = {
    [0] = " ",
    [UP | DOWN] = "│",
    [LEFT | RIGHT] = "─",
    [DOWN | RIGHT] = "┌",
    [DOWN | LEFT] = "┐",
    [DOWN | LEFT | RIGHT] = "┬",
    [UP | DOWN | RIGHT] = "├",
    [UP | DOWN | LEFT] = "┤",
    [UP | DOWN | LEFT | RIGHT] = "┼",
    [ARROW] = "▼",
};

/* A stretch of a comb: from one tooth, or the head, to the next tooth away from the head. It bears
 * the label of the arc to that tooth. */
struct stretch {
    size_t low, high; /* ports */
    const char *label;
    size_t width, comb;
    size_t next; /* number + 1 of the next one in the same row */
    bool pair;
};

struct sketch {
    const tz_diagram *diagram;
    const tz_style *style;
    int32_t first, last;
    uint8_t *used;
    int64_t *width, *text_width; /* of a word with its ports, and without */
    int64_t *x;                  /* where it begins */
    size_t combs, stretches;
    tz_bow *comb;
    struct stretch *stretch;
    int32_t highest;
    size_t columns;
};

static int32_t position(size_t port) {
    return (int32_t)(port / TZ_PORTS);
}

/* The column of a port, counted from where its word begins. */
static int64_t port_offset(const struct sketch *sketch, size_t port) {
    int32_t p = position(port);
    int64_t ports = __builtin_popcount(sketch->used[p]);
    int64_t step = sketch->width[p] >= 2 * ports + 1 ? 2 : 1;
    int64_t start = (sketch->width[p] - (ports - 1) * step - 1) / 2;
    return start + step * tz_port_rank(sketch->used[p], (int)(port % TZ_PORTS));
}

static size_t column(const struct sketch *sketch, size_t port) {
    return (size_t)(sketch->x[position(port)] + port_offset(sketch, port));
}

static bool parenthesised(const struct sketch *sketch, int32_t p) {
    return sketch->diagram->skipped[p] && !sketch->style->color;
}

/* Combs and their stretches. */
static tz_status find_combs(struct sketch *sketch, tz_arena *arena) {
    const tz_diagram *diagram = sketch->diagram;
    size_t ports = tz_port(sketch->diagram->words + 2, 0);
    size_t *comb_of = tz_arena_array(arena, ports, sizeof *comb_of); /* of a port: number + 1 */
    size_t *end = tz_arena_array(arena, ports, sizeof *end); /* of a port: its comb's last tooth */
    sketch->comb = tz_arena_array(arena, diagram->arcs, sizeof *sketch->comb);
    sketch->stretch = tz_arena_array(arena, diagram->arcs, sizeof *sketch->stretch);
    if (!comb_of || !end || !sketch->comb || !sketch->stretch)
        return TZ_NO_MEMORY;
    /* Arcs stand by modifier: upwards for combs to the right, downwards for those to the left,
     * every comb is followed from its head outwards. */
    for (size_t round = 0; round < 2 * diagram->arcs; round++) {
        bool rightward = round < diagram->arcs;
        size_t a = rightward ? round : 2 * diagram->arcs - 1 - round;
        const tz_arc *arc = &diagram->arc[a];
        if ((arc->modifier > arc->head) != rightward)
            continue;
        size_t head = tz_port(arc->head, rightward ? TZ_PORT_RIGHT : TZ_PORT_LEFT);
        size_t tooth = tz_port(arc->modifier, TZ_PORT_IN);
        if (!comb_of[head]) {
            sketch->comb[sketch->combs] = (tz_bow){.low = head, .high = head};
            comb_of[head] = ++sketch->combs;
            end[head] = head;
        }
        tz_bow *comb = &sketch->comb[comb_of[head] - 1];
        sketch->stretch[sketch->stretches++] = (struct stretch){
            .low = rightward ? end[head] : tooth,
            .high = rightward ? tooth : end[head],
            .label = arc->label,
            .width = tz_text_width(sketch->style->utf8, arc->label),
            .comb = comb_of[head] - 1,
            .pair = arc->pair,
        };
        end[head] = tooth;
        comb->low = tooth < comb->low ? tooth : comb->low;
        comb->high = tooth > comb->high ? tooth : comb->high;
    }
    return tz_bow_levels(arena, ports, sketch->combs, sketch->comb, &sketch->highest);
}

/* Where words stand: with room for all labels if the style's width allows, else closer. */
static tz_status place_words(struct sketch *sketch, tz_arena *arena) {
    const tz_diagram *diagram = sketch->diagram;
    tz_gap *gap = tz_arena_array(arena, diagram->covers + sketch->stretches, sizeof *gap);
    if (!gap)
        return TZ_NO_MEMORY;
    size_t gaps = 0;
    for (size_t c = 0; c < diagram->covers; c++) {
        const tz_cover *cover = &diagram->cover[c];
        int64_t need = (int64_t)tz_text_width(sketch->style->utf8, cover->text) + 2;
        int64_t *width = &sketch->width[cover->last];
        if (cover->first < cover->last)
            gap[gaps++] = (tz_gap){cover->first, cover->last, need - *width};
        else if (*width < need)
            *width = need;
    }
    size_t always = gaps;
    for (size_t s = 0; s < sketch->stretches; s++) {
        const struct stretch *stretch = &sketch->stretch[s];
        if (stretch->width > 0) {
            gap[gaps++] = (tz_gap){position(stretch->low), position(stretch->high),
                                   port_offset(sketch, stretch->low) + (int64_t)stretch->width + 3 -
                                       port_offset(sketch, stretch->high)};
        }
    }
    for (bool all = true;; all = false) {
        tz_status status = tz_place_apart(arena, sketch->first, sketch->last, sketch->width, 1,
                                          all ? gaps : always, gap, sketch->x);
        if (status != TZ_OK)
            return status;
        int32_t last = sketch->last;
        sketch->columns =
            last < sketch->first ? 0 : (size_t)(sketch->x[last] + sketch->width[last]);
        if (!all || sketch->columns <= sketch->style->width)
            return TZ_OK;
    }
}

/* Where a panel that begins with word p ends: before the first word that does not fit, so that it
 * cuts nothing below the words. */
static int32_t panel_end(const struct sketch *sketch, int32_t p) {
    const tz_diagram *diagram = sketch->diagram;
    size_t wrap = sketch->style->wrap;
    int32_t end = sketch->last + 1, q = p + 1;
    int64_t from = sketch->x[p];
    if (wrap == 0)
        return end;
    while (q < end && (size_t)(sketch->x[q] + sketch->width[q] - from) <= wrap)
        q++;
    for (; q < end && q > p; q--) {
        bool cut = false;
        for (size_t c = 0; c < diagram->covers; c++)
            cut |= diagram->cover[c].first < q && q <= diagram->cover[c].last;
        if (!cut)
            return q;
    }
    return end;
}

/* Lines into cells; row r of the picture begins at cell[r * columns], row 0 holds the arrows. */
static void draw_lines(const struct sketch *sketch, unsigned char *cell) {
    size_t columns = sketch->columns;
    for (size_t c = 0; c < sketch->combs; c++) {
        const tz_bow *comb = &sketch->comb[c];
        unsigned char *row = cell + (size_t)comb->level * columns;
        memset(row + column(sketch, comb->low), LEFT | RIGHT,
               column(sketch, comb->high) - column(sketch, comb->low) + 1);
    }
    /* Below each joint a vertical line, over whatever crosses it. */
    for (size_t joint = 0; joint < 2 * sketch->stretches; joint++) {
        const struct stretch *stretch = &sketch->stretch[joint / 2];
        size_t port = joint % 2 ? stretch->high : stretch->low;
        size_t at = column(sketch, port);
        for (int32_t row = sketch->comb[stretch->comb].level - 1; row >= 0; row--) {
            bool arrives = row == 0 && port % TZ_PORTS == TZ_PORT_IN && !stretch->pair;
            cell[(size_t)row * columns + at] = arrives ? ARROW : UP | DOWN;
        }
    }
    for (size_t joint = 0; joint < 2 * sketch->stretches; joint++) {
        const struct stretch *stretch = &sketch->stretch[joint / 2];
        const tz_bow *comb = &sketch->comb[stretch->comb];
        size_t port = joint % 2 ? stretch->high : stretch->low;
        unsigned char *at = &cell[(size_t)comb->level * columns + column(sketch, port)];
        unsigned sides = (port > comb->low ? LEFT : 0) | (port < comb->high ? RIGHT : 0);
        /* Up only where another head's comb comes down the same column. */
        *at = (unsigned char)((*at & UP) | DOWN | sides);
    }
}

/* The columns of words p .. end - 1; a label stands wherever enough of its stretch is seen. */
static tz_status print_rows(const struct sketch *sketch, int32_t p, int32_t end,
                            const unsigned char *cell, tz_arena *arena, tz_text *out) {
    size_t left = (size_t)sketch->x[p];
    size_t right = end > sketch->last ? sketch->columns : (size_t)sketch->x[end];
    const struct stretch **label = tz_arena_array(arena, sketch->columns, sizeof *label);
    size_t *row_begin = tz_arena_array(arena, (size_t)sketch->highest + 1, sizeof *row_begin);
    if (!label || !row_begin)
        return TZ_NO_MEMORY;
    for (size_t s = 0; s < sketch->stretches; s++) {
        size_t *begin = &row_begin[sketch->comb[sketch->stretch[s].comb].level];
        sketch->stretch[s].next = *begin;
        *begin = s + 1;
    }
    for (size_t row = (size_t)sketch->highest + 1; row-- > 0;) {
        const unsigned char *line = cell + row * sketch->columns;
        memset(label, 0, sketch->columns * sizeof *label);
        for (size_t s = row_begin[row]; s > 0; s = sketch->stretch[s - 1].next) {
            const struct stretch *stretch = &sketch->stretch[s - 1];
            size_t low = column(sketch, stretch->low), high = column(sketch, stretch->high);
            low = low < left ? left : low;
            high = high < right ? high : right;
            if (stretch->width == 0 || high < low + stretch->width + 3)
                continue;
            size_t room = high - low - 1;
            size_t start = low + 1 + (room - stretch->width) / 2;
            /* Not over a line that crosses. */
            size_t clear = 0;
            while (clear < stretch->width && line[start + clear] == (LEFT | RIGHT))
                clear++;
            if (clear == stretch->width)
                label[start] = stretch;
        }
        size_t columns = right;
        while (columns > left && line[columns - 1] == 0)
            columns--;
        for (size_t c = left; c < columns;) {
            tz_text_put(out, label[c] ? label[c]->label : glyph[line[c]]);
            c += label[c] ? label[c]->width : 1;
        }
        tz_text_put(out, "\n");
    }
    return TZ_OK;
}

static void print_words(const struct sketch *sketch, int32_t first, int32_t end, tz_text *out) {
    int64_t at = sketch->x[first];
    for (int32_t p = first; p < end; p++) {
        bool dim = sketch->diagram->skipped[p] && sketch->style->color;
        int64_t start = sketch->x[p] + (sketch->width[p] - sketch->text_width[p]) / 2;
        tz_draw_repeat(out, " ", (size_t)(start - at));
        tz_text_put(out, dim ? "\033[2m" : parenthesised(sketch, p) ? "(" : "");
        tz_text_put(out, sketch->diagram->word[p]);
        tz_text_put(out, dim ? "\033[0m" : parenthesised(sketch, p) ? ")" : "");
        at = start + sketch->text_width[p];
    }
    tz_text_put(out, "\n");
}

/* Below the words: └─zum─┘ */
static void print_covers(const struct sketch *sketch, int32_t first, int32_t end_word,
                         tz_text *out) {
    int64_t left_end = sketch->x[first], at = left_end;
    const tz_cover *before = NULL;
    for (size_t c = 0; c < sketch->diagram->covers; c++) {
        const tz_cover *cover = &sketch->diagram->cover[c];
        if (cover->first < first || cover->last >= end_word)
            continue;
        int64_t start = sketch->x[cover->first];
        int64_t end = sketch->x[cover->last] + sketch->width[cover->last];
        int64_t text = (int64_t)tz_text_width(sketch->style->utf8, cover->text);
        int64_t left = (end - start - 2 - text) / 2;
        const char *line = cover->bare ? " " : "─";
        bool below = before && cover->row > before->row;
        tz_text_put(out, below ? "\n" : "");
        at = below ? left_end : at;
        before = cover;
        tz_draw_repeat(out, " ", (size_t)(start - at));
        tz_text_put(out, cover->bare ? " " : "└");
        tz_draw_repeat(out, line, (size_t)left);
        tz_text_put(out, cover->text);
        at = cover->bare ? start + 1 + left + text : end;
        if (cover->bare)
            continue;
        tz_draw_repeat(out, line, (size_t)(end - start - 2 - text - left));
        tz_text_put(out, "┘");
    }
    tz_text_put(out, before ? "\n" : "");
}

/* Words p .. end - 1 with what stands above and below them. */
static tz_status print_panel(const struct sketch *sketch, int32_t p, int32_t end,
                             const unsigned char *cell, tz_arena *arena, tz_text *out) {
    tz_text_put(out, p > sketch->first ? "\n" : "");
    tz_status status = cell ? print_rows(sketch, p, end, cell, arena, out) : TZ_OK;
    if (status != TZ_OK)
        return status;
    print_words(sketch, p, end, out);
    print_covers(sketch, p, end, out);
    return TZ_OK;
}

tz_status tz_arcs_text(const tz_diagram *diagram, const tz_style *style, tz_arena *arena,
                       tz_text *out) {
    struct sketch sketch = {.diagram = diagram, .style = style};
    size_t positions = (size_t)diagram->words + 2;
    sketch.used = tz_arena_array(arena, positions, sizeof *sketch.used);
    sketch.width = tz_arena_array(arena, positions, sizeof *sketch.width);
    sketch.text_width = tz_arena_array(arena, positions, sizeof *sketch.text_width);
    sketch.x = tz_arena_array(arena, positions, sizeof *sketch.x);
    if (!sketch.used || !sketch.width || !sketch.text_width || !sketch.x)
        return TZ_NO_MEMORY;
    tz_ports_used(diagram, sketch.used, &sketch.first, &sketch.last);
    for (int32_t p = sketch.first; p <= sketch.last; p++) {
        int64_t ports = __builtin_popcount(sketch.used[p]);
        int64_t width = (int64_t)tz_text_width(style->utf8, diagram->word[p]);
        sketch.text_width[p] = width + (parenthesised(&sketch, p) ? 2 : 0);
        sketch.width[p] = sketch.text_width[p] > ports ? sketch.text_width[p] : ports;
    }
    tz_status status = find_combs(&sketch, arena);
    if (status == TZ_OK)
        status = place_words(&sketch, arena);
    if (status != TZ_OK)
        return status;
    size_t cells;
    if (__builtin_mul_overflow(sketch.columns, (size_t)sketch.highest + 1, &cells) ||
        cells > TZ_DRAW_CELLS)
        return TZ_TOO_LARGE;
    unsigned char *cell = NULL;
    if (sketch.combs > 0) {
        cell = tz_arena_array(arena, cells, 1);
        if (!cell)
            return TZ_NO_MEMORY;
        draw_lines(&sketch, cell);
    }
    int32_t p = sketch.first;
    do {
        int32_t end = panel_end(&sketch, p);
        status = print_panel(&sketch, p, end, cell, arena, out);
        p = end;
    } while (p <= sketch.last && status == TZ_OK);
    if (status != TZ_OK)
        return status;
    return out->failed ? TZ_NO_MEMORY : TZ_OK;
}
