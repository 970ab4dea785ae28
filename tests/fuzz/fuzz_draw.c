/* fuzz_draw.c - results of `trapeze run` as drawings. The first byte chooses how; the others are
 * lines. SPDX-License-Identifier: MIT */
#include "base/width.h"
#include "fuzz.h"
#include "io/draw/draw.h"

/* Bits of the first byte. */
enum { DERIVATION = 1, OUTLINE = 2, TREE = 4, COLOR = 8, NARROW = 16, ID = 32, ARCS = 64 };
enum { WORDS = 300 };

static bool small(const tz_drawing *drawing) {
    return drawing->diagram == NULL || drawing->diagram->words <= WORDS;
}

static void draw(const tz_drawing *drawing, const tz_style *style) {
    tz_text text = {0};
    tz_page page = {0};
    tz_status status = tz_draw_text(drawing, style, &text);
    FUZZ_CHECK(status == TZ_OK || status == TZ_TOO_LARGE);
    FUZZ_CHECK(tz_draw_svg(drawing, style, &page) == TZ_OK);
    tz_text_free(&text);
    tz_text_free(&page.text);
}

void fuzz_target(const uint8_t *data, size_t size) {
    static locale_t utf8;
    fuzz_input input = {data, size};
    unsigned how = fuzz_byte(&input);
    if (!utf8)
        utf8 = tz_utf8_locale();
    const tz_style style = {.utf8 = utf8,
                            .color = how & COLOR,
                            .captions = true,
                            .width = how & NARROW ? 7 : 80,
                            .proof = how & OUTLINE ? TZ_PROOF_OUTLINE
                                     : how & TREE  ? TZ_PROOF_TREE
                                                   : TZ_PROOF_FIT};
    const tz_result_choice choice = {.arcs = how & ARCS ? "sib" : NULL,
                                     .derivation = how & DERIVATION,
                                     .id = how & ID ? "a" : NULL};
    fuzz_text in = fuzz_lines(input.at, input.left, FUZZ_SIZE);
    char *line;
    size_t length;
    tz_error error;
    tz_status status;
    while ((status = tz_lines_next(in.lines, &line, &length, &error)) != TZ_NONE) {
        if (status != TZ_OK)
            continue;
        tz_drawing *drawings;
        size_t count = 0;
        OWN(tz_arena, arena) = tz_arena_new();
        FUZZ_CHECK(arena != NULL);
        status = tz_drawings_result(arena, "input", tz_lines_number(in.lines), line, length,
                                    &choice, &drawings, &count, &error);
        if (status != TZ_OK && status != TZ_NONE)
            fuzz_check_error(status, &error);
        for (size_t d = 0; status == TZ_OK && d < count; d++)
            if (small(&drawings[d]))
                draw(&drawings[d], &style);
    }
    fuzz_lines_free(&in);
}
