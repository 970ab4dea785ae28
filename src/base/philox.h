/* philox.h - random numbers by position: a stream has no state but its position.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror & Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3",
 * SC): ten rounds of multiplications that turn a counter of four words into four random ones. The
 * seed is the key; the counter is the stream's number and the number of its blocks before.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_PHILOX_H
#define TZ_BASE_PHILOX_H

#include <stdbool.h>
#include <stdint.h>

static inline void tz_philox(uint32_t word[4], uint32_t key0, uint32_t key1) {
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)word[0] * 0xd2511f53, b = (uint64_t)word[2] * 0xcd9e8d57;
        word[0] = (uint32_t)(b >> 32) ^ word[1] ^ key0;
        word[1] = (uint32_t)b;
        word[2] = (uint32_t)(a >> 32) ^ word[3] ^ key1;
        word[3] = (uint32_t)a;
        key0 += 0x9e3779b9;
        key1 += 0xbb67ae85;
    }
}

typedef struct tz_stream {
    uint64_t seed, number, block;
    double kept; /* the second number of the last block; */
    bool keeps;  /* it has not been taken yet */
} tz_stream;

/* A number in (0, 1) from 64 random bits: an odd multiple of 2^-53. */
static inline double tz_uniform_of(uint32_t high, uint32_t low) {
    uint64_t bits = (uint64_t)high << 32 | low;
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

/* The next number of the stream. */
static inline double tz_uniform(tz_stream *stream) {
    stream->keeps = !stream->keeps;
    if (!stream->keeps)
        return stream->kept;
    uint32_t word[4] = {(uint32_t)stream->block, (uint32_t)(stream->block >> 32),
                        (uint32_t)stream->number, (uint32_t)(stream->number >> 32)};
    stream->block++;
    tz_philox(word, (uint32_t)stream->seed, (uint32_t)(stream->seed >> 32));
    stream->kept = tz_uniform_of(word[2], word[3]);
    return tz_uniform_of(word[0], word[1]);
}

#endif
