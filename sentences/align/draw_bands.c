/* draw_bands.c - an alignment as two texts with bands between them, as SVG.
 *
 * A band leaves its words as wide as they are. Through lines that lie between it passes as a
 * thread, in the gap between two words nearest to its way; gaps are widened for their threads, so
 * that no band lies on a word. Coordinates are whole 1/100 px: no rounding differs between
 * machines.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "sentences/align/draw.h"

enum {
    FONT = 16,
    CAPTION_FONT = 12,
    LEFT = 7600,    /* of the texts; their names stand before it; all in 1/100 px */
    WIDTH = 76000,  /* of a line, if no word is longer */
    INDENT = 1600,  /* of lines that go on with a sentence */
    BLANK = 500,    /* between words */
    ABOVE = 1350,   /* from the top of a box to its word's base line */
    BOX = 1850,     /* height of a box */
    BETWEEN = 1500, /* from the boxes of a line to those of the next in the same text */
    RIVER = 9000,   /* from one text to the other */
    THREAD = 160,   /* width */
    STEP = 320,     /* from thread to thread */
    CAPTION = 2400
};

/* The colours of bands, told apart by people who see few colours too (Okabe & Ito 2008); words on
 * their light shades stay easy to read. */
static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#8a6d00", "#56b4e9", "#7a4fa3", "#e69f00"};
enum { COLOURS = sizeof colour / sizeof *colour };

/* A word, or the dots where sentences are left out. */
typedef struct token {
    const char *text;
    int64_t x, width;
    bool grey;
} token;

/* A line of words. Gap g is before its token g; behind the last there is room enough. */
typedef struct line {
    size_t first, end; /* tokens */
    int64_t y;         /* top of the boxes */
    int64_t indent;
} line;

/* Where a word stands. */
typedef struct spot {
    size_t token, line;
} spot;

/* The part of a phrase that stands on its first line, by x. */
typedef struct stretch {
    size_t line;
    int64_t left, right;
} stretch;

typedef struct band {
    const tz_phrase_pair *phrase;
    size_t colour;
    stretch from, to;
} band;

/* A band passes through a line. */
typedef struct passage {
    size_t band, line, gap;
    int64_t wish, x;
} passage;

typedef struct picture {
    locale_t utf8;
    tz_arena *arena;
    tz_text *out;
    tz_drawn_text text[2]; /* document, abstract */
    spot *spot[2];         /* [words] of those that are drawn */
    token *token;
    line *line;
    size_t tokens, lines, upper; /* lines of the document: the first `upper` */
    band *band;                  /* by place in the abstract */
    size_t bands;
    passage *passage; /* by band, then line */
    size_t passages;
    int64_t width, height;
} picture;

/* ---- Lines ----------------------------------------------------------------------------------- */

static void add_token(picture *p, const char *text, bool grey, int64_t *x) {
    int64_t width = tz_svg_width(p->utf8, text, FONT);
    line *l = &p->line[p->lines - 1];
    if (l->end > l->first && *x + width > WIDTH) {
        p->line[p->lines++] = (line){.first = p->tokens, .end = p->tokens, .indent = INDENT};
        l = &p->line[p->lines - 1];
        *x = INDENT;
    }
    p->token[p->tokens++] = (token){.text = text, .width = width, .grey = grey};
    l->end = p->tokens;
    *x += width + BLANK;
}

static void begin_line(picture *p, int64_t *x) {
    p->line[p->lines++] = (line){.first = p->tokens, .end = p->tokens};
    *x = 0;
}

/* Sentences with a link begin a line; dots stand for the others. */
static void set_lines(picture *p, size_t side) {
    const tz_drawn_text *text = &p->text[side];
    bool left_out = false;
    int64_t x;
    for (size_t s = 0; s <= text->sentences; s++) {
        if (s < text->sentences && !text->shown[s]) {
            left_out = left_out || text->begin[s] < text->begin[s + 1];
            continue;
        }
        if (left_out) {
            begin_line(p, &x);
            add_token(p, "\xe2\x80\xa6", true, &x);
            left_out = false;
        }
        if (s == text->sentences)
            break;
        begin_line(p, &x);
        for (uint32_t w = text->begin[s]; w < text->begin[s + 1]; w++) {
            add_token(p, text->word[w], !text->linked[w], &x);
            p->spot[side][w] = (spot){p->tokens - 1, p->lines - 1};
        }
    }
}

/* Places a line's words, with room for threads[g] threads in gap g. */
static void spread(picture *p, const line *l, const size_t *threads) {
    int64_t x = LEFT + l->indent;
    for (size_t t = l->first; t < l->end; t++) {
        int64_t room = threads ? (int64_t)(threads[t - l->first] + 1) * STEP : 0;
        if (threads && threads[t - l->first] > 0)
            x += t == l->first ? room : room > BLANK ? room - BLANK : 0;
        p->token[t].x = x;
        x += p->token[t].width + BLANK;
    }
    p->width = x - BLANK > p->width ? x - BLANK : p->width;
}

/* ---- Bands ----------------------------------------------------------------------------------- */

static int compare_bands(const void *a, const void *b) {
    const tz_phrase_pair *x = ((const band *)a)->phrase, *y = ((const band *)b)->phrase;
    if (x->abstract[0] != y->abstract[0])
        return x->abstract[0] < y->abstract[0] ? -1 : 1;
    if (x->document[0] != y->document[0])
        return x->document[0] < y->document[0] ? -1 : 1;
    return (x->document[1] > y->document[1]) - (x->document[1] < y->document[1]);
}

static void set_bands(picture *p, const tz_drawn_alignment *drawn) {
    for (size_t f = 0; f < drawn->phrases; f++)
        p->band[p->bands++].phrase = &drawn->phrase[f];
    if (p->bands > 0)
        qsort(p->band, p->bands, sizeof *p->band, compare_bands);
    for (size_t b = 1; b < p->bands; b++) {
        const tz_phrase_pair *x = p->band[b - 1].phrase, *y = p->band[b].phrase;
        bool follows = x->abstract[1] == y->abstract[0] && x->document[1] == y->document[0];
        p->band[b].colour = (p->band[b - 1].colour + !follows) % COLOURS;
    }
}

/* Words `from` to `end` - 1, as far as they stand on the line of word `from`. */
static stretch stretch_of(const picture *p, size_t side, uint32_t from, uint32_t end) {
    const spot *spot = p->spot[side];
    uint32_t last = from;
    while (last + 1 < end && spot[last + 1].line == spot[from].line)
        last++;
    const token *left = &p->token[spot[from].token], *right = &p->token[spot[last].token];
    return (stretch){spot[from].line, left->x, right->x + right->width};
}

static void set_stretches(picture *p) {
    for (size_t b = 0; b < p->bands; b++) {
        const tz_phrase_pair *f = p->band[b].phrase;
        p->band[b].from = stretch_of(p, 0, f->document[0], f->document[1]);
        p->band[b].to = stretch_of(p, 1, f->abstract[0], f->abstract[1]);
    }
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* The gap whose middle is nearest to x: before one of the words, or behind the last. */
static size_t nearest_gap(const picture *p, const line *l, int64_t x) {
    size_t best = 0;
    int64_t least = INT64_MAX;
    for (size_t g = 0; g < l->end - l->first; g++) {
        int64_t away = llabs(p->token[l->first + g].x - BLANK / 2 - x);
        if (away < least) {
            least = away;
            best = g;
        }
    }
    const token *last = &p->token[l->end - 1];
    return x > last->x + last->width || llabs(last->x + last->width + BLANK - x) < least
               ? l->end - l->first
               : best;
}

static tz_status set_passages(picture *p) {
    size_t room = 0;
    for (size_t b = 0; b < p->bands; b++)
        room += p->band[b].to.line - p->band[b].from.line - 1;
    p->passage = tz_arena_array(p->arena, room, sizeof *p->passage);
    if (!p->passage)
        return TZ_NO_MEMORY;
    for (size_t b = 0; b < p->bands; b++) {
        const band *band = &p->band[b];
        int64_t from = (band->from.left + band->from.right) / 2;
        int64_t to = (band->to.left + band->to.right) / 2;
        int64_t top = p->line[band->from.line].y, drop = p->line[band->to.line].y - top;
        for (size_t l = band->from.line + 1; l < band->to.line; l++) {
            int64_t wish = from + (to - from) * (p->line[l].y - top) / drop;
            p->passage[p->passages++] =
                (passage){b, l, nearest_gap(p, &p->line[l], wish), wish, wish};
        }
    }
    return TZ_OK;
}

static int compare_passages(const void *a, const void *b) {
    const passage *x = *(const passage *const *)a, *y = *(const passage *const *)b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->gap != y->gap)
        return x->gap < y->gap ? -1 : 1;
    if (x->wish != y->wish)
        return x->wish < y->wish ? -1 : 1;
    return (x->band > y->band) - (x->band < y->band);
}

/* The threads of a gap, passage[0] .. [count - 1], side by side. */
static void set_threads(const picture *p, passage *const *passage, size_t count) {
    const line *l = &p->line[passage[0]->line];
    size_t gap = passage[0]->gap;
    if (gap < l->end - l->first) {
        const token *next = &p->token[l->first + gap];
        int64_t left = gap > 0 ? next[-1].x + next[-1].width : LEFT + l->indent;
        for (size_t t = 0; t < count; t++)
            passage[t]->x = left + (next->x - left) * (int64_t)(t + 1) / (int64_t)(count + 1);
        return;
    }
    int64_t least = p->token[l->end - 1].x + p->token[l->end - 1].width + STEP + STEP / 2;
    for (size_t t = 0; t < count; t++) {
        passage[t]->x = passage[t]->wish > least ? passage[t]->wish : least;
        least = passage[t]->x + STEP;
    }
}

/* Gives every thread its place, and moves words apart for it. */
static tz_status thread(picture *p) {
    passage **by_gap = tz_arena_array(p->arena, p->passages, sizeof *by_gap);
    size_t *threads = tz_arena_array(p->arena, p->tokens + 1, sizeof *threads);
    if (!by_gap || !threads)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < p->passages; i++)
        by_gap[i] = &p->passage[i];
    if (p->passages > 0)
        qsort(by_gap, p->passages, sizeof *by_gap, compare_passages);
    for (size_t l = 0, i = 0; l < p->lines; l++) {
        size_t words = p->line[l].end - p->line[l].first, begin = i;
        memset(threads, 0, (words + 1) * sizeof *threads);
        for (; i < p->passages && by_gap[i]->line == l; i++)
            threads[by_gap[i]->gap]++;
        spread(p, &p->line[l], threads);
        for (size_t g = 0; g <= words; begin += threads[g++])
            if (threads[g] > 0)
                set_threads(p, &by_gap[begin], threads[g]);
    }
    for (size_t i = 0; i < p->passages; i++)
        p->width = p->passage[i].x > p->width ? p->passage[i].x : p->width;
    return TZ_OK;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static void pair(tz_text *out, const char *before, int64_t x, int64_t y) {
    tz_text_put(out, before);
    tz_draw_px(out, x);
    tz_text_put(out, " ");
    tz_draw_px(out, y);
}

/* From where the path is to (x, y), upright at both ends. */
static void curve(tz_text *out, int64_t x0, int64_t y0, int64_t x, int64_t y) {
    pair(out, "C", x0, (y0 + y) / 2);
    pair(out, " ", x, (y0 + y) / 2);
    pair(out, " ", x, y);
}

/* A box behind words that stand on one line; corners are rounded. */
static void draw_box(picture *p, size_t side, uint32_t from, uint32_t end) {
    while (from < end) {
        stretch s = stretch_of(p, side, from, end);
        tz_text_put(p->out, "<rect x=\"");
        tz_draw_px(p->out, s.left - 150);
        tz_text_put(p->out, "\" y=\"");
        tz_draw_px(p->out, p->line[s.line].y);
        tz_text_put(p->out, "\" width=\"");
        tz_draw_px(p->out, s.right - s.left + 300);
        tz_text_put(p->out, "\" height=\"18.5\" rx=\"3\"/>\n");
        for (size_t line = p->spot[side][from].line;
             from < end && p->spot[side][from].line == line;)
            from++;
    }
}

/* One edge of a band, down (from the left edge) or up (from the right one). */
static void draw_edge(picture *p, const band *band, const passage *passage, bool down) {
    size_t steps = band->to.line - band->from.line; /* between lines */
    int64_t half = down ? -THREAD / 2 : THREAD / 2;
    int64_t x = down ? band->from.left : band->to.right;
    int64_t y = down ? p->line[band->from.line].y + BOX : p->line[band->to.line].y;
    pair(p->out, down ? "M" : "L", x, y);
    for (size_t s = 0; s < steps; s++) {
        bool last = s + 1 == steps;
        size_t at = down ? s : steps - 2 - s;
        size_t line = down ? band->from.line + 1 + s : band->to.line - 1 - s;
        int64_t x1 = last ? (down ? band->to.left : band->from.right) : passage[at].x + half;
        int64_t y1 = p->line[line].y + (down ? 0 : BOX);
        curve(p->out, x, y, x1, y1);
        x = x1;
        y = y1;
        if (!last) {
            y += down ? BOX : -BOX;
            tz_text_put(p->out, "V");
            tz_draw_px(p->out, y);
        }
    }
}

static void draw_bands(picture *p) {
    const passage *passage = p->passage;
    for (size_t b = 0; b < p->bands; b++) {
        const band *band = &p->band[b];
        tz_text_put(p->out, "<g fill=\"");
        tz_text_put(p->out, colour[band->colour]);
        tz_text_put(p->out, "\" stroke=\"");
        tz_text_put(p->out, colour[band->colour]);
        tz_text_put(p->out, "\" stroke-width=\"0\" fill-opacity=\"0.22\">\n");
        draw_box(p, 0, band->phrase->document[0], band->phrase->document[1]);
        draw_box(p, 1, band->phrase->abstract[0], band->phrase->abstract[1]);
        tz_text_put(p->out,
                    "<path fill-opacity=\"0.4\" stroke-width=\"0.8\" stroke-opacity=\"0.5\" d=\"");
        draw_edge(p, band, passage, true);
        draw_edge(p, band, passage, false);
        tz_text_put(p->out, "z\"/>\n</g>\n");
        passage += band->to.line - band->from.line - 1;
    }
}

static void draw_words(picture *p) {
    for (size_t l = 0; l < p->lines; l++)
        for (size_t t = p->line[l].first; t < p->line[l].end; t++)
            tz_svg_text(p->out, p->token[t].x + p->token[t].width / 2, p->line[l].y + ABOVE,
                        "middle", p->token[t].grey ? " fill=\"#999\"" : "", p->token[t].text);
    static const char *const name[] = {"document", "abstract"};
    for (size_t side = 0; side < 2; side++) {
        size_t line = side == 0 ? 0 : p->upper;
        if (line < (side == 0 ? p->upper : p->lines))
            tz_svg_text(p->out, 0, p->line[line].y + ABOVE, "start",
                        " font-size=\"13\" font-style=\"italic\" fill=\"#666\"", name[side]);
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

static tz_status prepare(picture *p, const tz_drawn_alignment *drawn) {
    const tz_side *side[] = {drawn->document, drawn->abstract};
    size_t words = 0, sentences = 0;
    for (size_t s = 0; s < 2; s++) {
        tz_status status = tz_drawn_text_new(p->arena, side[s], &p->text[s]);
        if (status != TZ_OK)
            return status;
        for (size_t f = 0; f < drawn->phrases; f++) {
            const uint32_t *range = s == 0 ? drawn->phrase[f].document : drawn->phrase[f].abstract;
            for (uint32_t w = range[0]; w < range[1]; w++)
                p->text[s].linked[w] = true;
        }
        words += tz_drawn_text_show(&p->text[s]);
        sentences += p->text[s].sentences;
        p->spot[s] = tz_arena_array(p->arena, side[s]->words, sizeof **p->spot);
    }
    /* Dots stand before, between and behind sentences. */
    p->token = tz_arena_array(p->arena, words + sentences + 2, sizeof *p->token);
    p->line = tz_arena_array(p->arena, words + sentences + 2, sizeof *p->line);
    p->band = tz_arena_array(p->arena, drawn->phrases, sizeof *p->band);
    if (!p->spot[0] || !p->spot[1] || !p->token || !p->line || !p->band)
        return TZ_NO_MEMORY;
    return words <= TZ_DRAWN_WORDS ? TZ_OK : TZ_TOO_LARGE;
}

static tz_status lay_out(picture *p, const tz_drawn_alignment *drawn) {
    set_lines(p, 0);
    p->upper = p->lines;
    set_lines(p, 1);
    int64_t y = 0;
    for (size_t l = 0; l < p->lines; l++) {
        spread(p, &p->line[l], NULL);
        p->line[l].y = y;
        y += BOX + (l + 1 == p->upper ? RIVER : BETWEEN);
    }
    p->height = p->lines > 0 ? p->line[p->lines - 1].y + BOX : 0;
    set_bands(p, drawn);
    set_stretches(p);
    tz_status status = set_passages(p);
    if (status == TZ_OK)
        status = thread(p);
    if (status == TZ_OK)
        set_stretches(p);
    return status;
}

static tz_status draw(picture *p, const tz_drawn_alignment *drawn, tz_page *page) {
    const char *caption = tz_draw_clean(p->arena, drawn->caption);
    tz_status status = caption ? prepare(p, drawn) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = lay_out(p, drawn);
    if (status != TZ_OK)
        return status;
    int64_t top = caption[0] ? CAPTION : 0;
    pair(p->out, "<g transform=\"translate(", 0, page->height);
    tz_text_put(p->out, ")\">\n");
    if (caption[0])
        tz_svg_text(p->out, 0, 1000, "start", " font-size=\"12\" fill=\"#666\"", caption);
    pair(p->out, "<g transform=\"translate(", 0, top);
    tz_text_put(p->out, ")\">\n");
    draw_bands(p);
    draw_words(p);
    tz_text_put(p->out, "</g>\n</g>\n");
    int64_t width = tz_svg_width(p->utf8, caption, CAPTION_FONT);
    tz_page_add(page, width > p->width ? width : p->width, top + p->height);
    return p->out->failed ? TZ_NO_MEMORY : TZ_OK;
}

tz_status tz_draw_bands(const tz_drawn_alignment *drawn, locale_t utf8, tz_page *page) {
    picture p = {.utf8 = utf8, .arena = tz_arena_new(), .out = &page->text};
    tz_status status = p.arena ? draw(&p, drawn, page) : TZ_NO_MEMORY;
    tz_arena_free(p.arena);
    return status;
}
