/* fuzz_arpa.c - n-gram models: read, asked, written, and read again.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sentences/lm/lm.h"

static void ask(const tz_lm *lm) {
    const uint32_t words = (uint32_t)tz_lm_count(lm, 1), few = words < 6 ? words : 6;
    uint32_t before[TZ_LM_ORDER];
    for (uint32_t w = 0; w <= few; w++) {
        for (unsigned c = 0; c < TZ_LM_ORDER; c++)
            before[c] = (w + c) % (few + 1);
        FUZZ_CHECK(!isnan(tz_lm_log_prob(lm, before, w % TZ_LM_ORDER, w)));
    }
    FUZZ_CHECK(!isnan(tz_lm_sentence(lm, before, TZ_LM_ORDER)));
    for (uint32_t w = 0; w < words; w++) {
        const char *text = tz_lm_text(lm, w);
        FUZZ_CHECK(tz_lm_word(lm, text, strlen(text)) == w);
    }
}

static tz_lm *read(const void *data, size_t size, tz_error *error) {
    tz_lm *lm;
    FILE *file = fmemopen((void *)data, size, "rb");
    FUZZ_CHECK(file != NULL);
    tz_status status = tz_lm_read(file, "input", &lm, error);
    fclose(file);
    if (status != TZ_OK)
        fuzz_check_error(status, error);
    return lm;
}

static char *written(const tz_lm *lm, size_t *ret_size) {
    char *text = NULL;
    FILE *file = open_memstream(&text, ret_size);
    FUZZ_CHECK(file != NULL && tz_lm_write(lm, file) == TZ_OK);
    fclose(file);
    return text;
}

void fuzz_target(const uint8_t *data, size_t size) {
    tz_error error;
    OWN(tz_lm, lm) = read(data, size, &error);
    if (lm == NULL)
        return;
    ask(lm);
    size_t first, second;
    char *text = written(lm, &first), *twice;
    OWN(tz_lm, again) = read(text, first, &error);
    if (again == NULL)
        fuzz_fail("%s\n%s", text, error.message);
    twice = written(again, &second);
    FUZZ_CHECK(tz_lm_order(again) == tz_lm_order(lm));
    FUZZ_CHECK(first == second && memcmp(text, twice, first) == 0);
    free(text);
    free(twice);
}
