/* little.h - numbers in files, their low bytes first, on any machine. SPDX-License-Identifier: MIT
 */
#ifndef TZ_SENTENCES_FEATURES_TABLES_LITTLE_H
#define TZ_SENTENCES_FEATURES_TABLES_LITTLE_H

#include <stdint.h>

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

#endif
