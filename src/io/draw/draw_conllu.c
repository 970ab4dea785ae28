/* draw_conllu.c - drawings of CoNLL-U sentences. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/utf8.h"
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

tz_status tz_drawing_conllu(tz_arena *arena, const tz_conllu_sentence *from,
                            tz_drawing *ret_drawing) {
    const char **word;
    bool *skipped;
    tz_diagram *diagram = tz_diagram_new(arena, from->words, &word, &skipped);
    tz_arc *arc = tz_arena_array(arena, (size_t)from->words, sizeof *arc);
    tz_cover *cover = tz_arena_array(arena, from->rows, sizeof *cover);
    const char *caption = tz_draw_clean(arena, from->id ? from->id : "");
    if (!diagram || !arc || !cover || !caption)
        return TZ_NO_MEMORY;
    for (int32_t w = 1; w <= from->words; w++) {
        const tz_conllu_row *row = from->word[w];
        const char *label = row->column[TZ_DEPREL];
        word[w] = tz_draw_clean(arena, row->column[TZ_FORM]);
        label = tz_draw_clean(arena, strcmp(label, "_") == 0 ? "" : label);
        if (!word[w] || !label)
            return TZ_NO_MEMORY;
        if (row->head >= 0)
            arc[diagram->arcs++] = (tz_arc){row->head, w, label};
    }
    for (size_t r = 0; r < from->rows; r++) {
        const tz_conllu_row *row = &from->row[r];
        if (row->kind == TZ_MULTIWORD) {
            const char *form = tz_draw_clean(arena, row->column[TZ_FORM]);
            if (!form)
                return TZ_NO_MEMORY;
            cover[diagram->covers++] = (tz_cover){row->first, row->last, form};
        }
    }
    diagram->arc = arc;
    diagram->cover = cover;
    *ret_drawing = (tz_drawing){.caption = caption, .diagram = diagram};
    return TZ_OK;
}
