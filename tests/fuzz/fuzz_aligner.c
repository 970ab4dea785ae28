/* fuzz_aligner.c - aligners whose checksum is right: read, and asked about a pair of texts.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "sentences/align/decode/decode.h"

enum { WORDS = 3, MOST = 2 };

static void ask(const tz_aligner *aligner) {
    tz_form document[WORDS], abstract[WORDS];
    for (size_t w = 0; w < WORDS; w++) {
        document[w].word = w < aligner->document.count ? aligner->document.value[w] : w;
        abstract[w].word = w < aligner->abstract.count ? aligner->abstract.value[w] : w;
        document[w].stem = abstract[w].stem = w % 2;
    }
    const tz_passage from = {.form = document, .words = WORDS};
    const tz_passage to = {.form = abstract, .words = WORDS - 1};
    OWN(tz_align_decoder, decoder) = NULL;
    tz_status status = tz_align_decoder_new(aligner, NULL, &decoder);
    for (int posterior = 0; posterior < 2 && status == TZ_OK; posterior++) {
        const tz_decode_settings settings = {.posterior = posterior,
                                             .posteriors = true,
                                             .likely = true,
                                             .most = posterior ? 1 : MOST};
        tz_decoded decoded[MOST];
        size_t count;
        tz_error error = {TZ_OK, ""};
        OWN(tz_arena, arena) = tz_arena_new();
        FUZZ_CHECK(arena != NULL);
        status = tz_decode_phrases(decoder, arena, &from, &to, &settings, decoded, &count, &error);
        if (status == TZ_OK)
            FUZZ_CHECK(count >= 1 && count <= settings.most && !isnan(decoded[0].score));
        else /* among others, where jumps are scored by trees that the texts do not have */
            FUZZ_CHECK(status == TZ_BAD_ARGUMENT || status == TZ_BAD_SCORE);
    }
}

void fuzz_target(const uint8_t *data, size_t size) {
    OWNED(tz_aligner, aligner) = {0};
    tz_error error;
    unsigned char *bytes = fuzz_sealed(data, size, &size);
    tz_status status = tz_aligner_load(fuzz_file(bytes, size), &aligner, &error);
    free(bytes);
    if (status == TZ_OK)
        ask(&aligner);
    else
        fuzz_check_error(status, &error);
}
