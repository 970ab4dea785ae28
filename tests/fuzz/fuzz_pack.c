/* fuzz_pack.c - packs of models whose checksums are right, the sections' too: read, and asked about
 * a sentence. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <trapeze/text.h>

#include "fuzz.h"
#include "sentences/features/tables/little.h"
#include "sentences/learn/pack.h"

enum { HEAD = 16, ENTRY = TZ_PACK_NAME + 8, SUM = 4 };

/* Puts the CRC-32 of what is before it at the end of each section. */
static void seal_sections(unsigned char *bytes, size_t size) {
    if (size < HEAD || memcmp(bytes, "TZPACKED", 8) != 0)
        return;
    uint32_t count = tz_get32(bytes + 12);
    size_t at = HEAD + (size_t)count * ENTRY;
    for (uint32_t s = 0; s < count && count <= TZ_PACK_SECTIONS && at <= size; s++) {
        uint64_t section = tz_get64(bytes + HEAD + s * ENTRY + TZ_PACK_NAME);
        if (section > size - at || section < SUM)
            return;
        tz_put32(bytes + at + section - SUM, (uint32_t)crc32_z(0, bytes + at, section - SUM));
        at += (size_t)section;
    }
}

static void ask(const char *path, unsigned asked) {
    static const char *const line[] = {"Dogs bark loudly.", "a b"};
    static const int64_t keep[] = {1, 0};
    OWN(tz_text_model, model) = NULL;
    tz_text_result *result;
    tz_error error;
    tz_status status = tz_text_model_load(path, asked, 1, &model, &error);
    if (status == TZ_OK)
        status = tz_text_analyse(model, line, 2, asked, keep, &result, &error);
    if (status == TZ_OK) {
        FUZZ_CHECK(tz_text_result_sentence(result, 0)->words == 4);
        tz_text_result_free(result);
    } else {
        fuzz_check_error(status, &error);
    }
}

void fuzz_target(const uint8_t *data, size_t size) {
    tz_pack pack;
    tz_error error;
    unsigned char *copy = fuzz_copy(data, size);
    seal_sections(copy, size);
    unsigned char *bytes = fuzz_sealed(copy, size, &size);
    free(copy);
    const char *path = fuzz_file(bytes, size);
    tz_status status = tz_pack_read("input", bytes, size, &pack, &error);
    if (status == TZ_OK) {
        bool deletions = tz_pack_find(&pack, "deletions") && !tz_pack_find(&pack, "compressor");
        unsigned asked = deletions ? TZ_TEXT_DELETIONS : TZ_TEXT_COMPRESSIONS;
        tz_pack_free(&pack);
        ask(path, asked);
        ask(path, TZ_TEXT_TAGS);
    } else {
        fuzz_check_error(status, &error);
        free(bytes);
    }
}
