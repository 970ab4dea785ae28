/* align_write.c - see align_write.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/align/align_write.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_id(tz_text *out, tz_arena *arena, const json_t *id) {
    tz_text_put(out, "{");
    if (id && !json_is_null(id)) {
        tz_text_put(out, "\"id\":");
        if (tz_json_print(arena, id, out) != TZ_OK)
            out->failed = true;
        tz_text_put(out, ",");
    }
}

static void put_key(tz_text *out, const char *key, double number) {
    tz_text_put(out, key);
    tz_text_number(out, number);
}

static void put_range(tz_text *out, const char *key, const uint32_t range[2]) {
    char text[64];
    snprintf(text, sizeof text, "\"%s\":[%u,%u]", key, (unsigned)range[0], (unsigned)range[1]);
    tz_text_put(out, text);
}

static void put_phrase(tz_text *out, const tz_decoded_phrase *phrase, size_t parts) {
    tz_text_put(out, "{");
    put_range(out, "abstract", phrase->pair.abstract);
    tz_text_put(out, ",");
    put_range(out, "document", phrase->pair.document);
    if (parts > 0) {
        put_key(out, ",\"p\":", phrase->posterior);
        tz_text_put(out, ",\"shares\":{");
        for (size_t k = 0; k < parts; k++) {
            tz_text_put(out, k > 0 ? ",\"" : "\"");
            tz_text_put(out, tz_part_name(k));
            put_key(out, "\":", phrase->share[k]);
        }
        tz_text_put(out, "}");
    }
    tz_text_put(out, "}");
}

/* The abstract's words that come from nowhere. */
static void put_null(tz_text *out, tz_arena *arena, const tz_decoded *answer, size_t words) {
    uint8_t *aligned = tz_arena_array(arena, words, 1);
    const char *comma = "";
    out->failed |= !aligned;
    for (size_t f = 0; f < answer->phrases && aligned; f++) {
        const uint32_t *range = answer->phrase[f].pair.abstract;
        memset(aligned + range[0], 1, range[1] - range[0]);
    }
    for (size_t t = 0; t < words && aligned; t++) {
        char number[32];
        snprintf(number, sizeof number, "%s%zu", comma, t);
        if (!aligned[t]) {
            tz_text_put(out, number);
            comma = ",";
        }
    }
}

static void put_json(const tz_align_writer *writer, tz_text *out, tz_arena *arena, size_t words,
                     const json_t *id, const tz_decoded *answer, size_t rank) {
    put_id(out, arena, id);
    if (writer->ranked) {
        char text[32];
        snprintf(text, sizeof text, "\"rank\":%zu,", rank);
        tz_text_put(out, text);
    }
    if (writer->model) {
        if (!writer->posterior) {
            put_key(out, "\"score\":", answer->score);
            tz_text_put(out, ",");
        }
        put_key(out, "\"log_likelihood\":", answer->log_likelihood);
        tz_text_put(out, ",");
    }
    tz_text_put(out, "\"phrases\":[");
    for (size_t f = 0; f < answer->phrases; f++) {
        tz_text_put(out, f > 0 ? "," : "");
        put_phrase(out, &answer->phrase[f], writer->parts);
    }
    tz_text_put(out, "],\"null\":[");
    put_null(out, arena, answer, words);
    tz_text_put(out, "],\"links\":\"");
    tz_links_print(&answer->links, out);
    tz_text_put(out, "\"}\n");
}

/* ---- Drawings -------------------------------------------------------------------------------- */

/* The id: a string without quotes, other JSON as it is. NULL when memory is out. */
static const char *caption_of(tz_arena *arena, const json_t *id) {
    if (!id || json_is_null(id))
        return "";
    if (json_is_string(id))
        return json_string_value(id);
    tz_text text = {0};
    tz_status status = tz_json_print(arena, id, &text);
    const char *caption =
        status == TZ_OK && !text.failed ? tz_arena_text(arena, text.data, text.size) : NULL;
    tz_text_free(&text);
    return caption;
}

static tz_status draw(tz_align_writer *writer, tz_arena *arena, const tz_pair *pair,
                      const json_t *id, const tz_decoded *answer, tz_error *error) {
    tz_phrase_pair *phrase = tz_arena_array(arena, answer->phrases, sizeof *phrase);
    tz_drawn_alignment drawn = {.caption = caption_of(arena, id),
                                .document = &pair->document,
                                .abstract = &pair->abstract,
                                .phrase = phrase,
                                .phrases = answer->phrases,
                                .links = &answer->links,
                                .opt_likely = &answer->likely};
    if (!phrase || !drawn.caption)
        return TZ_NO_MEMORY;
    for (size_t f = 0; f < answer->phrases; f++)
        phrase[f] = answer->phrase[f].pair;
    if (writer->format == TZ_ALIGN_TEXT && writer->written > 0)
        tz_text_put(&writer->text, "\n");
    else if (writer->format == TZ_ALIGN_TEXT)
        tz_draw_grid_legend(writer->model, &writer->text);
    tz_status status = writer->format == TZ_ALIGN_SVG
                           ? tz_draw_bands(&drawn, writer->utf8, &writer->page)
                           : tz_draw_grid(&drawn, writer->utf8, writer->width, &writer->text);
    return status == TZ_TOO_LARGE
               ? tz_fail(
                     error, TZ_BAD_ARGUMENT,
                     "the texts are too long to be drawn; --format=json or pharaoh is for these")
               : status;
}

/* ---- All ------------------------------------------------------------------------------------- */

tz_status tz_align_write(tz_align_writer *writer, tz_arena *arena, const tz_pair *pair,
                         const json_t *id, const tz_decoded *answer, size_t rank, tz_error *error) {
    tz_status status = TZ_OK;
    size_t before = writer->text.size;
    if (writer->format == TZ_ALIGN_JSON) {
        put_json(writer, &writer->text, arena, pair->abstract.words, id, answer, rank);
    } else if (writer->format == TZ_ALIGN_PHARAOH) {
        tz_links_print(&answer->links, &writer->text);
        tz_text_put(&writer->text, "\n");
    } else {
        status = draw(writer, arena, pair, id, answer, error);
        writer->text.size = status == TZ_OK ? writer->text.size : before;
    }
    writer->written++;
    return status == TZ_OK && writer->text.failed ? TZ_NO_MEMORY : status;
}

void tz_align_write_failure(tz_align_writer *writer, tz_arena *arena, const json_t *id,
                            const char *message) {
    if (writer->format == TZ_ALIGN_JSON) {
        put_id(&writer->text, arena, id);
        tz_text_put(&writer->text, "\"error\":");
        tz_text_quote(&writer->text, message, strlen(message));
        tz_text_put(&writer->text, "}");
    }
    tz_text_put(&writer->text, writer->format == TZ_ALIGN_SVG ? "" : "\n");
}

void tz_align_write_end(tz_align_writer *writer) {
    if (writer->format != TZ_ALIGN_SVG)
        return;
    tz_svg_head(&writer->text, &writer->page);
    tz_text_add(&writer->text, writer->page.text.data, writer->page.text.size);
    tz_text_put(&writer->text, "</svg>\n");
    writer->text.failed = writer->text.failed || writer->page.text.failed;
}

void tz_align_writer_free(tz_align_writer *writer) {
    tz_text_free(&writer->text);
    tz_text_free(&writer->page.text);
}
