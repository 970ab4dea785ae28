/* fuzz_text.c - lines of text to tokens, by rules, and some of them back to text; and to words by
 * a model of weights that say nothing.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fuzz.h"
#include "sentences/learn/find_words.h"

/* Tokens stand one after the other; where all are shown, the line stands as it was. */
static void check(const char *line, size_t size, const tz_token *token, size_t count) {
    OWNED(tz_text, text) = {0};
    FREED(bool, shown) = malloc(count + 1);
    FUZZ_CHECK(shown != NULL);
    for (size_t t = 0; t < count; t++) {
        FUZZ_CHECK(token[t].begin < token[t].end && token[t].end <= size);
        FUZZ_CHECK(t == 0 || token[t].begin >= token[t - 1].end);
        shown[t] = true;
    }
    tz_detokenise(line, token, count, NULL, shown, &text);
    if (count > 0) {
        size_t begin = token[0].begin, all = token[count - 1].end - begin;
        FUZZ_CHECK(text.size == all && memcmp(text.data, line + begin, all) == 0);
    }
    for (unsigned way = 1; way < 4; way++) {
        for (size_t t = 0; t < count; t++)
            shown[t] = (t * 7 + way) % 4 != 0;
        tz_text_clear(&text);
        tz_detokenise(line, token, count, NULL, shown, &text);
        FUZZ_CHECK(!text.failed);
    }
}

/* Words stand one after the other; those that are empty belong to the token before. */
static void check_found(tz_word_finder *finder, const char *line, size_t size) {
    size_t words, at = 0;
    const tz_token *token;
    tz_analysed found;
    OWN(tz_arena, arena) = tz_arena_new();
    FUZZ_CHECK(arena != NULL && tz_find_words(finder, line, size, &words) == TZ_OK);
    FUZZ_CHECK(tz_found_words(finder, arena, line, &token, &found) == TZ_OK);
    for (size_t w = 0; w < words; w++) {
        FUZZ_CHECK(token[w].begin >= at && token[w].end >= token[w].begin && token[w].end <= size);
        FUZZ_CHECK(token[w].begin < token[w].end || found.within[w + 1]);
        at = token[w].end;
    }
    FREED(bool, shown) = calloc(words + 1, sizeof *shown);
    OWNED(tz_text, text) = {0};
    FUZZ_CHECK(shown != NULL);
    for (size_t w = 0; w < words; w++)
        shown[w] = w % 3 != 0;
    tz_detokenise(line, token, words, NULL, shown, &text);
    FUZZ_CHECK(!text.failed);
}

static tz_word_finder *new_finder(void) {
    static const char *const name[] = {"in", "part", "end", "a b c", "im in dem", "x", "\xc3 \xff"};
    tz_labels labels = {0};
    tz_model *model;
    tz_word_finder *finder;
    int32_t number;
    for (size_t l = 0; l < sizeof name / sizeof *name; l++)
        FUZZ_CHECK(tz_labels_add(&labels, name[l], &number) == TZ_OK);
    FUZZ_CHECK(tz_model_new(&tz_word_tokeniser, "chain", 10, &labels, &model) == TZ_OK);
    for (size_t w = 0; w < tz_model_size(model); w++)
        model->weight[w] = (float)(w * 2654435761u % 1000) / 100;
    FUZZ_CHECK(tz_word_finder_new(model, &finder, NULL) == TZ_OK);
    return finder;
}

void fuzz_target(const uint8_t *data, size_t size) {
    static tz_tokeniser *tokeniser;
    static tz_word_finder *finder;
    const tz_token *token;
    size_t count, length;
    char *line;
    tz_error error;
    tz_status status;
    if (tokeniser == NULL)
        FUZZ_CHECK(tz_tokeniser_new(&tokeniser, NULL) == TZ_OK);
    if (finder == NULL)
        finder = new_finder();
    fuzz_text in = fuzz_lines(data, size, FUZZ_SIZE);
    while ((status = tz_lines_next(in.lines, &line, &length, &error)) != TZ_NONE) {
        if (status != TZ_OK)
            continue;
        FUZZ_CHECK(tz_tokenise(tokeniser, line, length, &token, &count) == TZ_OK);
        check(line, length, token, count);
        check_found(finder, line, length);
    }
    fuzz_lines_free(&in);
}
