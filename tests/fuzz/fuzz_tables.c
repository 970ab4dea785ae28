/* fuzz_tables.c - log probabilities by hash, whose checksum is right: read, and looked into.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "fuzz.h"
#include "sentences/features/tables/hash.h"
#include "sentences/features/tables/sketch.h"

void fuzz_target(const uint8_t *data, size_t size) {
    FREED(unsigned char, bytes) = fuzz_sealed(data, size, &size);
    for (tz_sketch_kind kind = TZ_SKETCH_BIGRAMS; kind <= TZ_SKETCH_DICTIONARY; kind++) {
        OWN(tz_sketch, sketch) = NULL;
        tz_error error;
        tz_status status = tz_sketch_read("input", bytes, size, kind, &sketch, &error);
        if (status != TZ_OK) {
            fuzz_check_error(status, &error);
            continue;
        }
        FUZZ_CHECK(tz_sketch_section(bytes, size) != NULL);
        for (uint64_t key = 0; key < 16; key++) {
            double value = 0;
            tz_sketch_get(sketch, key < 8 ? key : tz_hash(key, key), &value);
            FUZZ_CHECK(value <= 0 && value >= -25.5);
        }
    }
}
