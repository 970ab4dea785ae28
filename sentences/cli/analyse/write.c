/* write.c - see write.h: which format it is. SPDX-License-Identifier: MIT */
#include "sentences/cli/analyse/write.h"

#include <string.h>

static tz_status write_drawing(tz_writer *writer, const tz_input_sentence *item, bool svg) {
    tz_arena *arena = tz_arena_new();
    tz_drawing drawing;
    tz_status status =
        arena ? tz_write_drawing(arena, writer->asked, item, &drawing) : TZ_NO_MEMORY;
    if (status == TZ_OK) {
        status = svg ? tz_draw_svg(&drawing, &writer->style, &writer->page)
                     : tz_draw_text(&drawing, &writer->style, &writer->text);
    }
    tz_arena_free(arena);
    return status;
}

static tz_status write_text(tz_writer *writer, const tz_input_sentence *item) {
    tz_status status = TZ_OK;
    bool any = item->analysed.sentence.words > 0;
    if (writer->asked != TZ_ASKED_TREES) {
        const size_t before = writer->text.size;
        tz_text_put(&writer->text, writer->begun ? " " : "");
        const size_t begin = writer->text.size;
        if (writer->asked == TZ_ASKED_TAGS)
            tz_write_tags(item, &writer->text);
        else
            status = any ? tz_write_compression(item, &writer->text) : TZ_OK;
        if (writer->text.size == begin) /* no blank beside nothing */
            writer->text.size = before;
        writer->begun = item->followed && (writer->begun || writer->text.size > before);
        tz_text_put(&writer->text, item->followed ? "" : "\n");
        return status;
    }
    tz_text_put(&writer->text, writer->written > 0 ? "\n" : ""); /* between trees */
    return any ? write_drawing(writer, item, false) : TZ_OK;
}

tz_status tz_write_sentence(tz_writer *writer, const tz_input_sentence *item) {
    tz_status status = TZ_OK;
    bool any = item->analysed.sentence.words > 0;
    switch (writer->format) {
    case TZ_FORMAT_TEXT:
        status = write_text(writer, item);
        break;
    case TZ_FORMAT_CONLLU:
        if (any)
            tz_write_conllu(&writer->text, writer->asked, item);
        break;
    case TZ_FORMAT_JSON:
        tz_write_json(&writer->text, writer->asked, item);
        break;
    case TZ_FORMAT_SVG:
        status = any ? write_drawing(writer, item, true) : TZ_OK;
        break;
    case TZ_FORMAT_PTB:
        status =
            any ? tz_write_brackets(&writer->text, writer->asked, item, writer->levels) : TZ_OK;
        tz_text_put(&writer->text, "\n");
        break;
    }
    writer->written++;
    return status == TZ_OK && writer->text.failed ? TZ_NO_MEMORY : status;
}

void tz_write_refusal(tz_writer *writer, const tz_input_sentence *item, const char *message) {
    if (writer->format == TZ_FORMAT_JSON) {
        tz_text_put(&writer->text, "{\"error\":");
        tz_text_quote(&writer->text, message, strlen(message));
        tz_text_put(&writer->text, "}\n");
    } else if (writer->format == TZ_FORMAT_TEXT || writer->format == TZ_FORMAT_PTB) {
        bool lines = writer->format == TZ_FORMAT_TEXT && writer->asked != TZ_ASKED_TREES;
        tz_text_put(&writer->text, lines && item->followed ? "" : "\n");
        writer->begun = writer->begun && item->followed;
    }
    writer->written++;
}

void tz_write_end(tz_writer *writer) {
    if (writer->format == TZ_FORMAT_SVG) {
        tz_svg_head(&writer->text, &writer->page);
        tz_text_add(&writer->text, writer->page.text.data, writer->page.text.size);
        tz_text_put(&writer->text, "</svg>\n");
        writer->text.failed = writer->text.failed || writer->page.text.failed;
    }
}

void tz_writer_free(tz_writer *writer) {
    tz_text_free(&writer->text);
    tz_text_free(&writer->page.text);
}
