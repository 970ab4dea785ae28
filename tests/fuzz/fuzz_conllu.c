/* fuzz_conllu.c - sentences of a treebank: read, written again, drawn.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/width.h"
#include "fuzz.h"
#include "io/conllu/conllu_write.h"
#include "io/draw/draw.h"

enum { DRAWN_WORDS = 12, DRAWN_BYTES = 400 };

static void check(const tz_conllu_sentence *sentence) {
    for (int32_t w = 1; w <= sentence->words; w++) {
        const tz_conllu_row *row = sentence->word[w];
        FUZZ_CHECK(row->kind == TZ_WORD && row->first == w && row->last == w);
        FUZZ_CHECK(row->head >= -1 && row->head <= sentence->words && row->head != w);
    }
}

/* What is written of a sentence is read as the same one. */
static void write_back(const tz_conllu_sentence *sentence) {
    static const char *const as_it_is[TZ_COLUMNS];
    const tz_conllu_sentence *again;
    OWNED(tz_text, text) = {0};
    tz_error error;
    for (size_t r = 0; r < sentence->rows; r++)
        tz_conllu_write(&text, &sentence->row[r], as_it_is);
    tz_text_put(&text, "\n");
    FUZZ_CHECK(!text.failed);
    fuzz_text in = fuzz_lines(text.data, text.size, TZ_CONLLU_LINE);
    OWN(tz_conllu, conllu) = tz_conllu_new(in.lines);
    FUZZ_CHECK(conllu != NULL && tz_conllu_next(conllu, &again, &error) == TZ_OK);
    FUZZ_CHECK(again->rows == sentence->rows && again->words == sentence->words);
    for (size_t r = 0; r < sentence->rows; r++) {
        FUZZ_CHECK(again->row[r].kind == sentence->row[r].kind);
        FUZZ_CHECK(again->row[r].head == sentence->row[r].head);
        for (int c = 0; c < TZ_COLUMNS; c++)
            FUZZ_CHECK(strcmp(again->row[r].column[c], sentence->row[r].column[c]) == 0);
    }
    FUZZ_CHECK(tz_conllu_next(conllu, &again, &error) == TZ_NONE);
    fuzz_lines_free(&in);
}

static void draw(const tz_conllu_sentence *sentence) {
    static tz_style style = {.captions = true, .width = 80};
    if (!style.utf8)
        style.utf8 = tz_utf8_locale();
    tz_drawing drawing;
    tz_text text = {0};
    tz_page page = {0};
    OWN(tz_arena, arena) = tz_arena_new();
    FUZZ_CHECK(arena && tz_drawing_conllu(arena, sentence, &drawing) == TZ_OK);
    FUZZ_CHECK(tz_draw_text(&drawing, &style, &text) == TZ_OK);
    FUZZ_CHECK(tz_draw_svg(&drawing, &style, &page) == TZ_OK);
    tz_text_free(&text);
    tz_text_free(&page.text);
}

void fuzz_target(const uint8_t *data, size_t size) {
    const tz_conllu_sentence *sentence;
    tz_error error;
    tz_status status;
    fuzz_text in = fuzz_lines(data, size, TZ_CONLLU_LINE);
    OWN(tz_conllu, conllu) = tz_conllu_new(in.lines);
    FUZZ_CHECK(conllu != NULL);
    while ((status = tz_conllu_next(conllu, &sentence, &error)) != TZ_NONE) {
        if (status != TZ_OK) {
            fuzz_check_error(status, &error);
            continue;
        }
        check(sentence);
        write_back(sentence);
        if (sentence->words <= DRAWN_WORDS && size <= DRAWN_BYTES)
            draw(sentence);
    }
    fuzz_lines_free(&in);
}
