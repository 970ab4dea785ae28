/* write_drawing.c - a sentence as a drawing: the parse, or the tree of the compression over the
 * kept words, the dropped ones grey. SPDX-License-Identifier: MIT */
#include <string.h>

#include "sentences/cli/analyse/write.h"

tz_status tz_write_drawing(tz_arena *arena, tz_asked asked, const tz_input_sentence *item,
                           tz_drawing *ret_drawing) {
    const tz_analysed *a = &item->analysed;
    const tz_sentence *s = &a->sentence;
    const char **word, *caption = "";
    bool *skipped;
    tz_diagram *diagram = tz_diagram_new(arena, s->words, &word, &skipped);
    tz_arc *arc = tz_arena_array(arena, (size_t)s->words, sizeof *arc);
    if (!diagram || !arc)
        return TZ_NO_MEMORY;
    bool compressed = asked == TZ_ASKED_COMPRESSIONS;
    const int32_t *head = compressed ? s->compression : s->head;
    for (int32_t w = 1; w <= s->words; w++) {
        word[w] = tz_draw_clean(arena, s->form[w]);
        skipped[w] = compressed && head[w] < 0;
        if (!word[w])
            return TZ_NO_MEMORY;
        if (head[w] >= 0 && asked != TZ_ASKED_TAGS) {
            /* An arc of the compression that is none of the sentence has no label. */
            const char *label = head[w] == s->head[w] ? a->name[TZ_DEPREL][w] : "_";
            label = tz_draw_clean(arena, strcmp(label, "_") == 0 ? "" : label);
            if (!label)
                return TZ_NO_MEMORY;
            arc[diagram->arcs++] = (tz_arc){head[w], w, label, false};
        }
    }
    if (asked == TZ_ASKED_TAGS) { /* below their words */
        tz_cover *cover = tz_arena_array(arena, (size_t)s->words, sizeof *cover);
        for (int32_t w = 1; cover && w <= s->words; w++) {
            const char *tag = tz_draw_clean(arena, a->name[TZ_UPOS][w]);
            if (!tag)
                return TZ_NO_MEMORY;
            cover[diagram->covers++] = (tz_cover){.first = w, .last = w, .text = tag};
        }
        if (!cover)
            return TZ_NO_MEMORY;
        diagram->cover = cover;
    }
    if (compressed) {
        tz_text text = {0};
        tz_status status = tz_write_compression(item, &text);
        char *copy = status == TZ_OK ? tz_arena_text(arena, text.data, text.size) : NULL;
        caption = copy ? tz_draw_clean(arena, copy) : NULL;
        tz_text_free(&text);
        if (!caption)
            return TZ_NO_MEMORY;
    }
    diagram->arc = arc;
    *ret_drawing = (tz_drawing){.caption = caption, .diagram = diagram};
    return TZ_OK;
}
