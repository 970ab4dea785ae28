/* draw_grid.c - an alignment as a grid of characters. Document words stand above their columns, a
 * letter in each row; a column is two wide, as East Asian letters are. Where sentences do not fit
 * beside each other, the grid goes on below.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/utf8.h"
#include "base/width.h"
#include "sentences/align/draw/draw.h"

/* ---- Letters --------------------------------------------------------------------------------- */

/* The size of a letter: a code point and what combines with it. */
static size_t letter_size(locale_t utf8, const char *text, size_t *ret_columns) {
    uint32_t code;
    size_t size = 0, left = strlen(text);
    *ret_columns = 0;
    for (unsigned used; (used = tz_utf8_decode(text + size, left - size, &code)) > 0;
         size += used) {
        unsigned columns = tz_code_width(utf8, code);
        if (size > 0 && columns > 0)
            break;
        *ret_columns += columns;
    }
    return size;
}

static size_t count_letters(locale_t utf8, const char *text) {
    size_t count = 0, columns;
    for (; *text; count++)
        text += letter_size(utf8, text, &columns);
    return count;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A document word above its column. */
typedef struct column {
    const char *rest; /* what is still to be written */
    size_t letters;   /* in it */
    char mark;        /* in the row at hand */
} column;

typedef struct grid {
    tz_drawn_text document, abstract;
    locale_t utf8;
    tz_text *out;
    size_t first, end; /* sentences of the document that stand beside each other */
    size_t letters;    /* rows of letters that are still to be written */
    column *column;    /* [document words] */
    size_t margin;
    size_t width;          /* in columns of a terminal, but for longer sentences */
    tz_links likely, best; /* sides changed, so that they are in order of rows */
} grid;

typedef void put_cell(grid *g, column *c);

static void put_letter(grid *g, column *c) {
    size_t columns = 0, size = 0;
    if (c->letters == g->letters) {
        size = letter_size(g->utf8, c->rest, &columns);
        c->letters--;
    }
    tz_draw_repeat(g->out, " ", columns < 2 ? 2 - columns : 0);
    tz_text_add(g->out, c->rest, size);
    c->rest += size;
}

static void put_mark(grid *g, column *c) {
    tz_text_add(g->out, (const char[]){' ', c->mark}, 2);
    c->mark = '.';
}

/* Goes through sentences of the document: the cell of each word, `bar` between sentences, dots for
 * those that are left out (spaces above the lowest row of letters). */
static void put_row(grid *g, put_cell *put, const char *bar, const char *dots) {
    const tz_drawn_text *document = &g->document;
    const char *between = "";
    for (size_t s = g->first; s < g->end; s++) {
        if (document->begin[s] == document->begin[s + 1])
            continue;
        if (!document->shown[s]) {
            between = dots;
            continue;
        }
        tz_text_put(g->out, between);
        for (uint32_t w = document->begin[s]; w < document->begin[s + 1]; w++)
            put(g, &g->column[w]);
        between = bar;
    }
    tz_text_put(g->out, between == dots ? dots : "");
    while (g->out->size > 0 && g->out->data[g->out->size - 1] == ' ')
        g->out->size--;
    tz_text_put(g->out, "\n");
}

static void mark(grid *g, const tz_links *links, uint32_t row, size_t *at, char mark) {
    for (; *at < links->count && links->link[*at].document == row; ++*at)
        g->column[links->link[*at].abstract].mark = mark;
}

/* ---- The grid of a sentence of the abstract -------------------------------------------------- */

/* Where the links of row `row` begin. */
static size_t find_row(const tz_links *links, uint32_t row) {
    size_t low = 0, high = links->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (links->link[middle].document < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Writes words of the document above their columns. */
static void put_head(grid *g) {
    const tz_drawn_text *document = &g->document;
    g->letters = 0;
    for (size_t s = g->first; s < g->end; s++) {
        for (uint32_t w = document->begin[s]; w < document->begin[s + 1] && document->shown[s];
             w++) {
            size_t letters = count_letters(g->utf8, document->word[w]);
            g->column[w] = (column){document->word[w], letters, '.'};
            g->letters = g->letters > letters ? g->letters : letters;
        }
    }
    for (; g->letters > 0; g->letters--) {
        tz_draw_repeat(g->out, " ", g->margin);
        put_row(g, put_letter, "  ", g->letters > 1 ? "    " : " ...");
    }
}

/* Words first..end - 1 of the abstract, with the document's sentences at hand. */
static void put_panel(grid *g, uint32_t first, uint32_t end) {
    const char *const *word = g->abstract.word;
    size_t best = find_row(&g->best, first), likely = find_row(&g->likely, first);
    put_head(g);
    for (uint32_t w = first; w < end; w++) {
        mark(g, &g->likely, w, &likely, '+');
        mark(g, &g->best, w, &best, '#');
        tz_draw_repeat(g->out, " ", g->margin - tz_text_width(g->utf8, word[w]));
        tz_text_put(g->out, word[w]);
        put_row(g, put_mark, " |", "    ");
    }
}

/* Adds sentences of the document from g->first on, up to one that does not fit any more. */
static void find_end(grid *g) {
    const tz_drawn_text *document = &g->document;
    size_t width = g->margin;
    bool some = false;
    for (g->end = g->first; g->end < document->sentences; g->end++) {
        if (!document->shown[g->end])
            continue;
        width += 2 * (document->begin[g->end + 1] - document->begin[g->end] + 1);
        if (some && width > g->width)
            return;
        some = true;
    }
}

static tz_status put_sentence(grid *g, uint32_t first, uint32_t end) {
    memset(g->document.linked, 0, g->document.words * sizeof *g->document.linked);
    for (size_t l = find_row(&g->best, first); l < g->best.count && g->best.link[l].document < end;
         l++)
        g->document.linked[g->best.link[l].abstract] = true;
    if (tz_drawn_text_show(&g->document) > TZ_DRAW_CELLS / (end - first + 1))
        return TZ_TOO_LARGE;
    g->margin = 0;
    for (uint32_t w = first; w < end; w++) {
        size_t width = tz_text_width(g->utf8, g->abstract.word[w]);
        g->margin = width > g->margin ? width : g->margin;
    }
    for (g->first = 0; g->first < g->document.sentences; g->first = g->end) {
        tz_text_put(g->out, g->first > 0 ? "\n" : "");
        find_end(g);
        put_panel(g, first, end);
    }
    return TZ_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

static tz_status change_sides(tz_arena *arena, const tz_links *from, tz_links *ret) {
    *ret = (tz_links){from ? from->count : 0, NULL};
    ret->link = tz_arena_array(arena, ret->count, sizeof *ret->link);
    if (!ret->link)
        return TZ_NO_MEMORY;
    for (size_t l = 0; l < ret->count; l++)
        ret->link[l] = (tz_link){from->link[l].abstract, from->link[l].document};
    tz_links_sort(ret);
    return TZ_OK;
}

static tz_status draw(grid *g) {
    tz_drawn_text *abstract = &g->abstract;
    bool some = false, left_out = false;
    for (size_t l = 0; l < g->best.count; l++)
        abstract->linked[g->best.link[l].document] = true;
    tz_drawn_text_show(abstract);
    for (size_t s = 0; s < abstract->sentences; s++) {
        if (!abstract->shown[s]) {
            left_out = left_out || abstract->begin[s] < abstract->begin[s + 1];
            continue;
        }
        tz_text_put(g->out, left_out ? "...\n" : some ? "\n" : "");
        tz_status status = put_sentence(g, abstract->begin[s], abstract->begin[s + 1]);
        if (status != TZ_OK)
            return status;
        some = true;
        left_out = false;
    }
    tz_text_put(g->out, left_out ? "...\n" : "");
    return TZ_OK;
}

void tz_draw_grid_legend(bool likely, tz_text *out) {
    tz_text_put(out, "# linked   ");
    tz_text_put(out, likely ? "+ likely   " : "");
    tz_text_put(out, ". not linked   | next sentence   ... sentences without links\n\n");
}

tz_status tz_draw_grid(const tz_drawn_alignment *drawn, locale_t utf8, size_t width, tz_text *out) {
    tz_arena *arena = tz_arena_new();
    if (!arena)
        return TZ_NO_MEMORY;
    grid g = {.utf8 = utf8,
              .out = out,
              .width = width,
              .column = tz_arena_array(arena, drawn->document->words, sizeof *g.column)};
    const char *caption = tz_draw_clean(arena, drawn->caption);
    tz_status status = g.column && caption ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_drawn_text_new(arena, drawn->document, &g.document);
    if (status == TZ_OK)
        status = tz_drawn_text_new(arena, drawn->abstract, &g.abstract);
    if (status == TZ_OK)
        status = change_sides(arena, drawn->links, &g.best);
    if (status == TZ_OK)
        status = change_sides(arena, drawn->opt_likely, &g.likely);
    if (status == TZ_OK && caption[0]) {
        tz_text_put(out, caption);
        tz_text_put(out, "\n");
    }
    if (status == TZ_OK)
        status = draw(&g);
    tz_arena_free(arena);
    return status == TZ_OK && out->failed ? TZ_NO_MEMORY : status;
}
