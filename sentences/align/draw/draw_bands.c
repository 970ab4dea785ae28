/* draw_bands.c - an alignment as two texts with bands between them, as SVG.
 *
 * SPDX-License-Identifier: MIT */
#include "sentences/align/draw/bands.h"

enum { CAPTION_FONT = 12, NAME_FONT = 13, CAPTION = 2400 /* 1/100 px */ };

/* The colours of bands, told apart by people who see few colours too (Okabe & Ito 2008); words on
 * their light shades stay easy to read. */
static const char *const colour[TZ_BANDS_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#8a6d00", "#56b4e9", "#7a4fa3", "#e69f00"};

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
static void draw_box(tz_bands *p, size_t side, uint32_t from, uint32_t end) {
    while (from < end) {
        tz_bands_stretch s = tz_bands_stretch_of(p, side, from, end);
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
static void draw_edge(tz_bands *p, const tz_band *band, const tz_bands_passage *passage,
                      bool down) {
    size_t steps = band->to.line - band->from.line; /* between lines */
    int64_t half = down ? -TZ_BANDS_THREAD / 2 : TZ_BANDS_THREAD / 2;
    int64_t x = down ? band->from.left : band->to.right;
    int64_t y = down ? p->line[band->from.line].y + TZ_BANDS_BOX : p->line[band->to.line].y;
    pair(p->out, down ? "M" : "L", x, y);
    for (size_t s = 0; s < steps; s++) {
        bool last = s + 1 == steps;
        size_t at = down ? s : steps - 2 - s;
        size_t line = down ? band->from.line + 1 + s : band->to.line - 1 - s;
        int64_t x1 = last ? (down ? band->to.left : band->from.right) : passage[at].x + half;
        int64_t y1 = p->line[line].y + (down ? 0 : TZ_BANDS_BOX);
        curve(p->out, x, y, x1, y1);
        x = x1;
        y = y1;
        if (!last) {
            y += down ? TZ_BANDS_BOX : -TZ_BANDS_BOX;
            tz_text_put(p->out, "V");
            tz_draw_px(p->out, y);
        }
    }
}

static void draw_bands(tz_bands *p) {
    const tz_bands_passage *passage = p->passage;
    for (size_t b = 0; b < p->bands; b++) {
        const tz_band *band = &p->band[b];
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

static void draw_words(tz_bands *p) {
    for (size_t l = 0; l < p->lines; l++)
        for (size_t t = p->line[l].first; t < p->line[l].end; t++)
            tz_svg_text(p->out, p->token[t].x + p->token[t].width / 2,
                        p->line[l].y + TZ_BANDS_ABOVE, "middle",
                        p->token[t].grey ? " fill=\"#999\"" : "", p->token[t].width,
                        p->token[t].text);
    static const char *const name[] = {"document", "abstract"};
    for (size_t side = 0; side < 2; side++) {
        size_t line = side == 0 ? 0 : p->upper;
        if (line < (side == 0 ? p->upper : p->lines))
            tz_svg_text(p->out, 0, p->line[line].y + TZ_BANDS_ABOVE, "start",
                        " font-size=\"13\" font-style=\"italic\" fill=\"#666\"",
                        tz_svg_width(p->utf8, name[side], NAME_FONT), name[side]);
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

static tz_status draw(tz_bands *p, const tz_drawn_alignment *drawn, tz_page *page) {
    const char *caption = tz_draw_clean(p->arena, drawn->caption);
    tz_status status = caption ? tz_bands_lay_out(p, drawn) : TZ_NO_MEMORY;
    if (status != TZ_OK)
        return status;
    int64_t top = caption[0] ? CAPTION : 0;
    pair(p->out, "<g transform=\"translate(", 0, page->height);
    tz_text_put(p->out, ")\">\n");
    int64_t width = tz_svg_width(p->utf8, caption, CAPTION_FONT);
    if (caption[0])
        tz_svg_text(p->out, 0, 1000, "start", " font-size=\"12\" fill=\"#666\"", width, caption);
    pair(p->out, "<g transform=\"translate(", 0, top);
    tz_text_put(p->out, ")\">\n");
    draw_bands(p);
    draw_words(p);
    tz_text_put(p->out, "</g>\n</g>\n");
    tz_page_add(page, width > p->width ? width : p->width, top + p->height);
    return p->out->failed ? TZ_NO_MEMORY : TZ_OK;
}

tz_status tz_draw_bands(const tz_drawn_alignment *drawn, locale_t utf8, tz_page *page) {
    tz_bands p = {.utf8 = utf8, .arena = tz_arena_new(), .out = &page->text};
    tz_status status = p.arena ? draw(&p, drawn, page) : TZ_NO_MEMORY;
    tz_arena_free(p.arena);
    return status;
}
