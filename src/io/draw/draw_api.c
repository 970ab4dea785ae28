/* draw_api.c - tz_draw. SPDX-License-Identifier: MIT */
#include "base/modes.h"
#include "base/width.h"
#include "io/draw/draw.h"

static tz_status draw(const tz_drawing *drawing, const tz_style *style, bool svg, tz_text *out) {
    if (!svg)
        return tz_draw_text(drawing, style, out);
    tz_page page = {0};
    tz_status status = tz_draw_svg(drawing, style, &page);
    if (status == TZ_OK) {
        tz_svg_head(out, &page);
        tz_text_add(out, page.text.data, page.text.size);
        tz_text_put(out, "</svg>\n");
        status = out->failed ? TZ_NO_MEMORY : TZ_OK;
    }
    tz_text_free(&page.text);
    return status;
}

tz_status tz_draw(const tz_rules *rules, const int32_t *lengths, const tz_derivation *derivation,
                  const char *const *opt_words, tz_draw_format format, char *ret_text, size_t size,
                  size_t *ret_size) {
    TZ_DEFAULT_MODES;
    tz_arena *arena = tz_arena_new();
    tz_text out = {0};
    tz_drawing drawing;
    tz_style style = {.width = 120};
    tz_status status =
        arena == NULL ? TZ_NO_MEMORY
                      : tz_drawing_uses(arena, rules, lengths, derivation, opt_words, &drawing);
    if (status == TZ_OK) {
        style.utf8 = tz_utf8_locale();
        status = draw(&drawing, &style, format == TZ_DRAW_SVG, &out);
        if (style.utf8)
            freelocale(style.utf8);
    }
    if (status == TZ_OK)
        *ret_size = tz_text_hand_out(&out, ret_text, size);
    tz_text_free(&out);
    tz_arena_free(arena);
    return status;
}
