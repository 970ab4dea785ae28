/* draw.c - drawings on pages. SPDX-License-Identifier: MIT */
#include "io/draw/draw.h"

enum { CAPTION = 1800 }; /* 1/100 px */

tz_status tz_draw_text(const tz_drawing *drawing, const tz_style *style, tz_text *out) {
    tz_arena *arena = tz_arena_new();
    if (!arena)
        return TZ_NO_MEMORY;
    tz_status status = TZ_OK;
    bool alone = !drawing->diagram && !drawing->proof && !drawing->grid;
    if ((style->captions || alone) && drawing->caption[0]) {
        tz_text_put(out, drawing->caption);
        tz_text_put(out, "\n");
    }
    if (drawing->diagram)
        status = tz_arcs_text(drawing->diagram, style, arena, out);
    else if (drawing->grid)
        status = tz_grid_text(drawing->grid, style, out);
    else if (drawing->proof)
        status = tz_proof_text(drawing->proof, style, arena, out);
    tz_arena_free(arena);
    return status == TZ_OK && out->failed ? TZ_NO_MEMORY : status;
}

tz_status tz_draw_svg(const tz_drawing *drawing, const tz_style *style, tz_page *page) {
    tz_text *out = &page->text;
    tz_arena *arena = tz_arena_new();
    if (!arena)
        return TZ_NO_MEMORY;
    tz_status status = TZ_OK;
    bool alone = !drawing->diagram && !drawing->proof && !drawing->grid;
    int64_t width = 0, height = 0, top = 0;
    tz_text_put(out, "<g transform=\"translate(0 ");
    tz_draw_px(out, page->height);
    tz_text_put(out, ")\">\n");
    if (drawing->caption[0]) {
        tz_text_put(out, "<title>");
        tz_draw_xml(out, drawing->caption);
        tz_text_put(out, "</title>\n");
        if (style->captions || alone) {
            top = CAPTION;
            width = tz_svg_width(style->utf8, drawing->caption, 12);
            tz_svg_text(out, 0, 1000, "start", " font-size=\"12\" fill=\"#666\"", width,
                        drawing->caption);
        }
    }
    int64_t inner = 0;
    if (!alone) {
        tz_text_put(out, "<g transform=\"translate(0 ");
        tz_draw_px(out, top);
        tz_text_put(out, ")\">\n");
        if (drawing->diagram)
            status = tz_arcs_svg(drawing->diagram, style, arena, out, &inner, &height);
        else if (drawing->grid)
            tz_grid_svg(drawing->grid, style, out, &inner, &height);
        else
            status = tz_proof_svg(drawing->proof, style, arena, out, &inner, &height);
        tz_text_put(out, "</g>\n");
    }
    tz_text_put(out, "</g>\n");
    tz_arena_free(arena);
    if (status != TZ_OK)
        return status;
    tz_page_add(page, width > inner ? width : inner, top + height);
    return out->failed ? TZ_NO_MEMORY : TZ_OK;
}
