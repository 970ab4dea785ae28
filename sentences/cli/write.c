/* write.c - see write.h: text, and which format it is. SPDX-License-Identifier: MIT */
#include "sentences/cli/write.h"

#include <stdlib.h>
#include <string.h>

tz_status tz_write_compression(const tz_item *item, tz_text *text) {
    const tz_sentence *sentence = &item->analysed.sentence;
    size_t words = (size_t)sentence->words;
    bool *shown = calloc(words > 0 ? words : 1, sizeof *shown);
    if (!shown) {
        text->failed = true;
        return TZ_NO_MEMORY;
    }
    for (size_t w = 0; w < words; w++)
        shown[w] = sentence->compression[w + 1] >= 0;
    tz_detokenise(item->line, item->token, words, shown, text);
    free(shown);
    return text->failed ? TZ_NO_MEMORY : TZ_OK;
}

/* word/TAG word/TAG */
static void write_tags(const tz_item *item, tz_text *text) {
    const tz_analysed *a = &item->analysed;
    for (int32_t w = 1; w <= a->sentence.words; w++) {
        tz_text_put(text, w > 1 ? " " : "");
        tz_text_put(text, a->sentence.form[w]);
        tz_text_put(text, "/");
        tz_text_put(text, a->name[strcmp(a->name[TZ_UPOS][w], "_") != 0 ? TZ_UPOS : TZ_XPOS][w]);
    }
    tz_text_put(text, "\n");
}

static tz_status write_figure(tz_writer *writer, const tz_item *item, bool svg) {
    tz_arena *arena = tz_arena_new();
    tz_figure figure;
    tz_status status = arena ? tz_write_figure(arena, writer->asked, item, &figure) : TZ_NO_MEMORY;
    if (status == TZ_OK) {
        status = svg ? tz_draw_svg(&figure, &writer->style, &writer->page)
                     : tz_draw_text(&figure, &writer->style, &writer->text);
    }
    tz_arena_free(arena);
    return status;
}

static tz_status write_text(tz_writer *writer, const tz_item *item) {
    tz_status status = TZ_OK;
    if (writer->asked == TZ_ASKED_TAGS) {
        write_tags(item, &writer->text);
        return TZ_OK;
    }
    bool any = item->analysed.sentence.words > 0;
    if (writer->asked == TZ_ASKED_COMPRESSIONS) {
        status = any ? tz_write_compression(item, &writer->text) : TZ_OK;
        tz_text_put(&writer->text, "\n");
        return status;
    }
    tz_text_put(&writer->text, writer->written > 0 ? "\n" : ""); /* between trees */
    return any ? write_figure(writer, item, false) : TZ_OK;
}

tz_status tz_write_item(tz_writer *writer, const tz_item *item) {
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
        status = any ? write_figure(writer, item, true) : TZ_OK;
        break;
    }
    writer->written++;
    return status == TZ_OK && writer->text.failed ? TZ_NO_MEMORY : status;
}

void tz_write_refusal(tz_writer *writer, const char *message) {
    if (writer->format == TZ_FORMAT_JSON) {
        tz_text_put(&writer->text, "{\"error\":");
        tz_text_quote(&writer->text, message, strlen(message));
        tz_text_put(&writer->text, "}\n");
    } else if (writer->format == TZ_FORMAT_TEXT) {
        tz_text_put(&writer->text, "\n");
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
