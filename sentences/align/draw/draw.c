/* draw.c - the texts of a drawn alignment. SPDX-License-Identifier: MIT */
#include "sentences/align/draw/draw.h"

tz_status tz_drawn_text_new(tz_arena *arena, const tz_side *side, tz_drawn_text *ret) {
    *ret = (tz_drawn_text){.word = tz_arena_array(arena, side->words, sizeof *ret->word),
                           .words = side->words,
                           .linked = tz_arena_array(arena, side->words, sizeof *ret->linked)};
    tz_status status = tz_side_sentences(arena, side, &ret->begin, &ret->sentences);
    if (status != TZ_OK || !ret->word || !ret->linked)
        return TZ_NO_MEMORY;
    for (size_t w = 0; w < side->words; w++)
        if (!(ret->word[w] = tz_draw_clean(arena, side->word[w])))
            return TZ_NO_MEMORY;
    ret->shown = tz_arena_array(arena, ret->sentences, sizeof *ret->shown);
    return ret->shown ? TZ_OK : TZ_NO_MEMORY;
}

size_t tz_drawn_text_show(tz_drawn_text *text) {
    size_t words = 0;
    for (size_t s = 0; s < text->sentences; s++) {
        text->shown[s] = false;
        for (uint32_t w = text->begin[s]; w < text->begin[s + 1]; w++)
            text->shown[s] = text->shown[s] || text->linked[w];
        words += text->shown[s] ? text->begin[s + 1] - text->begin[s] : 0;
    }
    return words;
}
