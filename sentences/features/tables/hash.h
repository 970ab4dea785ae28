/* hash.h - 64-bit hashes of features and of the text that they are made of.
 *
 * A feature is its template's number and some values; its hash says where its weights stand in a
 * table (Shi et al. 2009, "Hash kernels for structured data", JMLR 10). The numbers are part of
 * the model format: a change of these functions makes old models useless. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_SENTENCES_FEATURES_TABLES_HASH_H
#define TZ_SENTENCES_FEATURES_TABLES_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of a sequence from the hash of all but its last value. Multiplying carries low bits up,
 * the shift brings them back down. */
static inline uint64_t tz_hash(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static inline uint64_t tz_hash_text(const char *text, size_t size) {
    uint64_t hash = size;
    for (size_t i = 0; i < size; i++)
        hash = tz_hash(hash, (unsigned char)text[i]);
    return hash;
}

#endif
