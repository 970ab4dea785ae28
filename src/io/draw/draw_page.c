/* draw_page.c - what drawings and pages are made of: words, text, numbers, SVG.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "base/width.h"
#include "io/draw/draw.h"

const char *tz_draw_clean(tz_arena *arena, const char *text) {
    static const char instead[] = "\xef\xbf\xbd"; /* U+FFFD */
    size_t size = strlen(text), length = 0;
    /* Each byte replaced grows to three at most. */
    char *clean = size > SIZE_MAX / 3 - 1 ? NULL : tz_arena_array(arena, 3 * size + 1, 1);
    uint32_t code;
    for (unsigned used; clean && (used = tz_utf8_decode(text, size, &code)) > 0; text += used) {
        bool printable = tz_utf8_printable(code);
        size_t bytes = printable ? used : sizeof instead - 1;
        memcpy(clean + length, printable ? text : instead, bytes);
        length += bytes;
        size -= used;
    }
    return clean;
}

tz_diagram *tz_diagram_new(tz_arena *arena, int32_t words, const char ***ret_word,
                           bool **ret_skipped) {
    size_t positions = (size_t)words + 2;
    tz_diagram *diagram = tz_arena_array(arena, 1, sizeof *diagram);
    const char **word = tz_arena_array(arena, positions, sizeof *word);
    bool *skipped = tz_arena_array(arena, positions, sizeof *skipped);
    if (!diagram || !word || !skipped)
        return NULL;
    word[0] = "ROOT";
    word[words + 1] = "END";
    *diagram = (tz_diagram){.words = words, .word = word, .skipped = skipped};
    *ret_word = word;
    *ret_skipped = skipped;
    return diagram;
}

void tz_draw_repeat(tz_text *out, const char *text, size_t times) {
    for (size_t size = strlen(text); times > 0 && !out->failed; times--)
        tz_text_add(out, text, size);
}

void tz_draw_px(tz_text *out, int64_t px) {
    char digits[32];
    uint64_t size = px < 0 ? -(uint64_t)px : (uint64_t)px;
    int part = (int)(size % 100);
    int length = snprintf(digits, sizeof digits, "%s%llu", px < 0 ? "-" : "",
                          (unsigned long long)(size / 100));
    if (part) {
        digits[length++] = '.';
        digits[length++] = (char)('0' + part / 10);
        if (part % 10)
            digits[length++] = (char)('0' + part % 10);
    }
    tz_text_add(out, digits, (size_t)length);
}

void tz_draw_xml(tz_text *out, const char *text) {
    for (;;) {
        size_t plain = strcspn(text, "&<>\"'");
        tz_text_add(out, text, plain);
        text += plain;
        switch (*text++) {
        case '&':
            tz_text_put(out, "&amp;");
            break;
        case '<':
            tz_text_put(out, "&lt;");
            break;
        case '>':
            tz_text_put(out, "&gt;");
            break;
        case '"':
            tz_text_put(out, "&quot;");
            break;
        case '\'':
            tz_text_put(out, "&#39;");
            break;
        default:
            return;
        }
    }
}

/* ---- SVG ----------------------------------------------------------------------------------- */

enum { MARGIN = 800, BETWEEN = 2800 }; /* 1/100 px */

void tz_page_add(tz_page *page, int64_t width, int64_t height) {
    page->width = page->width > width ? page->width : width;
    page->height += height + BETWEEN;
}

void tz_svg_head(tz_text *out, const tz_page *page) {
    int64_t width = page->width + 2 * MARGIN;
    int64_t height = (page->height > 0 ? page->height - BETWEEN : 0) + 2 * MARGIN;
    tz_text_put(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    tz_draw_px(out, width);
    tz_text_put(out, "\" height=\"");
    tz_draw_px(out, height);
    tz_text_put(out, "\" viewBox=\"");
    tz_draw_px(out, -MARGIN);
    tz_text_put(out, " ");
    tz_draw_px(out, -MARGIN);
    tz_text_put(out, " ");
    tz_draw_px(out, width);
    tz_text_put(out, " ");
    tz_draw_px(out, height);
    tz_text_put(out, "\" font-family=\"'Times New Roman', Times, 'Liberation Serif', serif\" "
                     "font-size=\"16\">\n");
}

void tz_svg_text(tz_text *out, int64_t x, int64_t y, const char *anchor, const char *attributes,
                 int64_t width, const char *text) {
    tz_text_put(out, "<text x=\"");
    tz_draw_px(out, x);
    tz_text_put(out, "\" y=\"");
    tz_draw_px(out, y);
    tz_text_put(out, "\"");
    if (strcmp(anchor, "start") != 0) {
        tz_text_put(out, " text-anchor=\"");
        tz_text_put(out, anchor);
        tz_text_put(out, "\"");
    }
    tz_text_put(out, attributes);
    if (width > 0) {
        tz_text_put(out, " textLength=\"");
        tz_draw_px(out, width);
        tz_text_put(out, "\" lengthAdjust=\"spacingAndGlyphs\"");
    }
    tz_text_put(out, ">");
    tz_draw_xml(out, text);
    tz_text_put(out, "</text>\n");
}

/* In 1/100 of the font size, of the face that drawings ask for (Times): of ASCII from the blank on,
 * and of other letters about. */
static int letter_width(uint32_t code, unsigned columns) {
    static const unsigned char ascii[] = {
        25, 33, 41, 50, 50, 83, 78, 18, 33, 33, 50, 56, 25, 33, 25, 28, /* blank to slash */
        50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 28, 28, 56, 56, 56, 44, /* 0 to ? */
        92, 72, 67, 67, 72, 61, 56, 72, 72, 33, 39, 72, 61, 89, 72, 72, /* @ to O */
        56, 72, 67, 56, 61, 72, 72, 94, 72, 72, 61, 33, 28, 33, 47, 50, /* P to _ */
        33, 44, 50, 44, 50, 44, 33, 50, 50, 28, 28, 50, 28, 78, 50, 50, /* ` to o */
        50, 50, 33, 39, 28, 50, 50, 72, 50, 50, 44, 48, 20, 48, 54,     /* p to ~ */
    };
    if (code >= ' ' && code - ' ' < sizeof ascii)
        return ascii[code - ' '];
    return columns == 1 ? 54 : columns == 0 ? 0 : 100;
}

int64_t tz_svg_width(locale_t utf8, const char *text, int font) {
    int64_t width = 0;
    size_t size = strlen(text);
    uint32_t code;
    for (unsigned used; (used = tz_utf8_decode(text, size, &code)) > 0; text += used) {
        size -= used;
        width += letter_width(code, tz_code_width(utf8, code)) * font;
    }
    return width;
}
