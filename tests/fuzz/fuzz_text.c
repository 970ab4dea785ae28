/* fuzz_text.c - lines of text to tokens, and some of them back to text.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sentences/text/tokens.h"

/* Tokens stand one after the other; where all are shown, the line stands as it was. */
static void check(const char *line, size_t size, const tz_token *token, size_t count) {
    tz_text text = {0};
    bool *shown = malloc(count + 1);
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
    tz_text_free(&text);
    free(shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static tz_tokeniser *tokeniser;
    const tz_token *token;
    size_t count, length;
    char *line;
    tz_error error;
    tz_status status;
    if (size > FUZZ_SIZE)
        return 0;
    if (tokeniser == NULL)
        FUZZ_CHECK(tz_tokeniser_new(&tokeniser, NULL) == TZ_OK);
    fuzz_text in = fuzz_lines(data, size, FUZZ_SIZE);
    while ((status = tz_lines_next(in.lines, &line, &length, &error)) != TZ_NONE) {
        if (status != TZ_OK)
            continue;
        FUZZ_CHECK(tz_tokenise(tokeniser, line, length, &token, &count) == TZ_OK);
        check(line, length, token, count);
    }
    fuzz_lines_free(&in);
    return 0;
}
