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
                 const char *text) {
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
    tz_text_put(out, ">");
    tz_draw_xml(out, text);
    tz_text_put(out, "</text>\n");
}

/* In 1/100 of the font size, for a serif face, rather wide than narrow. */
static int letter_width(uint32_t code, unsigned columns) {
    if (columns != 1)
        return columns == 0 ? 0 : 100;
    if (code < 0x80) {
        if (strchr("ijlt.,;:!|'`()[]/\\ ", (int)code))
            return 33;
        if (strchr("frsI\"-{}", (int)code))
            return 43;
        if (strchr("mwMW@%", (int)code))
            return 88;
        if (code >= 'A' && code <= 'Z')
            return 73;
    }
    return 54;
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
