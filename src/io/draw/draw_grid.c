/* draw_grid.c - two sequences, one against the other, as text and as SVG.
 *
 *         1 2 3 4
 *       ·
 *     1   ■ · · ·
 *     2   │ · · ·
 *     3   · ■ ─ ·
 *
 * A square is a match, │ a word of the rows alone, ─ one of the columns. Row and column 0, before
 * the first words, are there where a step of one sequence alone stands in them.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/width.h"
#include "io/draw/draw.h"

enum { CELL = 1800, FONT = 14, GAP = 600, STROKE = 300 }; /* 1/100 px; FONT in px */

/* The first row and column that are shown: 0, or 1. */
static void first_of(const tz_grid *grid, int32_t *row, int32_t *column) {
    *row = *column = 1;
    for (size_t b = 0; b < grid->blocks; b++) {
        *row = grid->block[b].row < *row ? grid->block[b].row : *row;
        *column = grid->block[b].column < *column ? grid->block[b].column : *column;
    }
}

/* ---- Text ----------------------------------------------------------------------------------- */

static void put_right(tz_text *out, const tz_style *style, const char *text, size_t width) {
    size_t own = tz_text_width(style->utf8, text);
    tz_draw_repeat(out, " ", width > own ? width - own : 0);
    tz_text_put(out, text);
}

static size_t widest(const tz_style *style, const char *const *word, int32_t words) {
    size_t width = 1;
    for (int32_t w = 1; w <= words; w++) {
        size_t own = tz_text_width(style->utf8, word[w]);
        width = own > width ? own : width;
    }
    return width;
}

/* What stands in each cell of a row: 0 nothing, else a glyph's number. */
static void fill_row(const tz_grid *grid, int32_t row, unsigned char *cell) {
    memset(cell, 0, (size_t)grid->columns + 1);
    for (size_t b = 0; b < grid->blocks; b++) {
        const tz_grid_block *block = &grid->block[b];
        if (row >= block->row && row < block->row + block->rows)
            memset(cell + block->column,
                   block->along  ? 3
                   : block->down ? 2
                                 : 1,
                   (size_t)block->columns);
    }
}

tz_status tz_grid_text(const tz_grid *grid, const tz_style *style, tz_text *out) {
    static const char *const glyph[] = {"·", "■", "│", "─"};
    size_t left = widest(style, grid->row, grid->rows);
    size_t width = widest(style, grid->column, grid->columns), cells;
    int32_t first_row, first_column;
    first_of(grid, &first_row, &first_column);
    if (__builtin_mul_overflow(left + ((size_t)grid->columns + 1) * (width + 1),
                               (size_t)grid->rows + 2, &cells) ||
        cells > TZ_DRAW_CELLS)
        return TZ_TOO_LARGE;
    tz_arena *arena = tz_arena_new();
    unsigned char *cell =
        arena != NULL ? tz_arena_array(arena, (size_t)grid->columns + 1, 1) : NULL;
    if (cell == NULL) {
        tz_arena_free(arena);
        return TZ_NO_MEMORY;
    }
    tz_draw_repeat(out, " ", left);
    for (int32_t c = first_column; c <= grid->columns; c++) {
        tz_text_put(out, " ");
        put_right(out, style, grid->column[c], width);
    }
    tz_text_put(out, "\n");
    for (int32_t r = first_row; r <= grid->rows; r++) {
        fill_row(grid, r, cell);
        put_right(out, style, grid->row[r], left);
        for (int32_t c = first_column; c <= grid->columns; c++) {
            tz_text_put(out, " ");
            put_right(out, style, glyph[cell[c]], width);
        }
        tz_text_put(out, "\n");
    }
    tz_arena_free(arena);
    return out->failed ? TZ_NO_MEMORY : TZ_OK;
}

/* ---- SVG ------------------------------------------------------------------------------------ */

static void put_rectangle(tz_text *out, int64_t x, int64_t y, int64_t width, int64_t height) {
    tz_text_put(out, "M");
    tz_draw_px(out, x);
    tz_text_put(out, " ");
    tz_draw_px(out, y);
    tz_text_put(out, "h");
    tz_draw_px(out, width);
    tz_text_put(out, "v");
    tz_draw_px(out, height);
    tz_text_put(out, "h");
    tz_draw_px(out, -width);
    tz_text_put(out, "z");
}

static int64_t longest(const tz_style *style, const char *const *word, int32_t words) {
    int64_t width = 0;
    for (int32_t w = 1; w <= words; w++) {
        int64_t own = tz_svg_width(style->utf8, word[w], FONT);
        width = own > width ? own : width;
    }
    return width;
}

/* Lines between the words' cells. */
static void put_lines(const tz_grid *grid, int64_t x, int64_t y, tz_text *out) {
    int64_t width = grid->columns * (int64_t)CELL, height = grid->rows * (int64_t)CELL;
    tz_text_put(out, "<path fill=\"none\" stroke=\"#ccc\" stroke-width=\"0.6\" d=\"");
    for (int32_t r = 0; r <= grid->rows; r++) {
        tz_text_put(out, "M");
        tz_draw_px(out, x);
        tz_text_put(out, " ");
        tz_draw_px(out, y + r * (int64_t)CELL);
        tz_text_put(out, "h");
        tz_draw_px(out, width);
    }
    for (int32_t c = 0; c <= grid->columns; c++) {
        tz_text_put(out, "M");
        tz_draw_px(out, x + c * (int64_t)CELL);
        tz_text_put(out, " ");
        tz_draw_px(out, y);
        tz_text_put(out, "v");
        tz_draw_px(out, height);
    }
    tz_text_put(out, "\"/>\n");
}

/* x, y: where the cell of the first words begins. */
static void put_blocks(const tz_grid *grid, int64_t x, int64_t y, tz_text *out) {
    tz_text_put(out, "<path d=\"");
    for (size_t b = 0; b < grid->blocks; b++) {
        const tz_grid_block *block = &grid->block[b];
        int64_t left = x + (block->column - 1) * (int64_t)CELL;
        int64_t top = y + (block->row - 1) * (int64_t)CELL;
        int64_t width = block->columns * (int64_t)CELL, height = block->rows * (int64_t)CELL;
        tz_text_put(out, b > 0 ? "\n" : "");
        if (block->along)
            put_rectangle(out, left + STROKE, top + height / 2 - STROKE / 3, width - 2 * STROKE,
                          STROKE * 2 / 3);
        else if (block->down)
            put_rectangle(out, left + width / 2 - STROKE / 3, top + STROKE, STROKE * 2 / 3,
                          height - 2 * STROKE);
        else
            put_rectangle(out, left + STROKE, top + STROKE, width - 2 * STROKE,
                          height - 2 * STROKE);
    }
    tz_text_put(out, "\"/>\n");
}

void tz_grid_svg(const tz_grid *grid, const tz_style *style, tz_text *out, int64_t *ret_width,
                 int64_t *ret_height) {
    int64_t left = longest(style, grid->row, grid->rows);
    int64_t top = longest(style, grid->column, grid->columns);
    int32_t first_row, first_column;
    first_of(grid, &first_row, &first_column);
    int64_t x = left + GAP + (1 - first_column) * (int64_t)CELL;
    int64_t y = top + GAP + (1 - first_row) * (int64_t)CELL;
    put_lines(grid, x, y, out);
    put_blocks(grid, x, y, out);
    tz_text_put(out, "<g font-size=\"14\">\n");
    for (int32_t r = 1; r <= grid->rows; r++)
        tz_svg_text(out, left, y + r * (int64_t)CELL - CELL * 3 / 10, "end", "",
                    tz_svg_width(style->utf8, grid->row[r], FONT), grid->row[r]);
    for (int32_t c = 1; c <= grid->columns; c++) { /* upwards */
        tz_text_put(out, "<g transform=\"translate(");
        tz_draw_px(out, x + c * (int64_t)CELL - CELL * 3 / 10);
        tz_text_put(out, " ");
        tz_draw_px(out, top);
        tz_text_put(out, ") rotate(-90)\">");
        tz_svg_text(out, 0, 0, "start", "", tz_svg_width(style->utf8, grid->column[c], FONT),
                    grid->column[c]);
        tz_text_put(out, "</g>\n");
    }
    tz_text_put(out, "</g>\n");
    *ret_width = x + grid->columns * (int64_t)CELL;
    *ret_height = y + grid->rows * (int64_t)CELL;
}
