/* draw_conllu.c - drawings of CoNLL-U sentences. SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/draw/draw.h"

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
            arc[diagram->arcs++] = (tz_arc){row->head, w, label, false};
    }
    for (size_t r = 0; r < from->rows; r++) {
        const tz_conllu_row *row = &from->row[r];
        if (row->kind == TZ_MULTIWORD) {
            const char *form = tz_draw_clean(arena, row->column[TZ_FORM]);
            if (!form)
                return TZ_NO_MEMORY;
            cover[diagram->covers++] =
                (tz_cover){.first = row->first, .last = row->last, .text = form};
        }
    }
    diagram->arc = arc;
    diagram->cover = cover;
    *ret_drawing = (tz_drawing){.caption = caption, .diagram = diagram};
    return TZ_OK;
}
