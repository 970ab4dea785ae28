/* little.h - numbers in files, their low bytes first, on any machine, and the checksum at their
 * end.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TABLES_LITTLE_H
#define TZ_SENTENCES_FEATURES_TABLES_LITTLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/text.h"

static inline void tz_put32(unsigned char *to, uint32_t value) {
    for (int b = 0; b < 4; b++)
        to[b] = (unsigned char)(value >> 8 * b);
}

static inline uint32_t tz_get32(const unsigned char *from) {
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static inline void tz_put64(unsigned char *to, uint64_t value) {
    tz_put32(to, (uint32_t)value);
    tz_put32(to + 4, (uint32_t)(value >> 32));
}

static inline uint64_t tz_get64(const unsigned char *from) {
    return tz_get32(from) | (uint64_t)tz_get32(from + 4) << 32;
}

static inline float tz_get_float(const unsigned char *from) {
    uint32_t bits = tz_get32(from);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline void tz_put_float(unsigned char *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    tz_put32(to, bits);
}

static inline void tz_text_add32(tz_text *text, uint32_t value) {
    unsigned char bytes[4];
    tz_put32(bytes, value);
    tz_text_add(text, (const char *)bytes, sizeof bytes);
}
static inline void tz_text_add64(tz_text *text, uint64_t value) {
    unsigned char bytes[8];
    tz_put64(bytes, value);
    tz_text_add(text, (const char *)bytes, sizeof bytes);
}

/* Appends the CRC-32 of all from `begin` on. */
static inline void tz_seal(tz_text *text, size_t begin) {
    if (!text->failed)
        tz_text_add32(text,
                      (uint32_t)crc32_z(0, (const Bytef *)text->data + begin, text->size - begin));
}
/* Do the bytes end with their CRC-32? size: 4 or more. */
static inline bool tz_is_sealed(const unsigned char *bytes, size_t size) {
    return tz_get32(bytes + size - 4) == (uint32_t)crc32_z(0, bytes, size - 4);
}

#endif
