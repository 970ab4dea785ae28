/* sketch.h - numbers by hash, such as log probabilities: a table that knows neither words nor keys.
 *
 * Holds for each of many 64-bit keys a number from 0 to 254, or a log probability as -10 times it,
 * in 4 bytes a key or fewer: a byte for the number and 15 bits of the key, at the first free place
 * from the one that the rest of the key names (linear probing, Knuth, The Art of Computer
 * Programming 3, section 6.4). A key that was never put in is taken for one that was with a
 * probability of a few in 10,000. No text can be read off it.
 *
 * A file of it is made of (all numbers little-endian):
 *   8 bytes   "TZSKETCH"
 *   u32       version, 1
 *   u32       kind: what is in it
 *   u64       places
 *   places times u16   marks: 15 bits of the key and a 1; 0: free
 *   places times u8    numbers
 *   u32       CRC-32 of all before
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TABLES_SKETCH_H
#define TZ_SENTENCES_FEATURES_TABLES_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include <trapeze/trapeze.h>

typedef enum tz_sketch_kind {
    TZ_SKETCH_BIGRAMS = 1,
    TZ_SKETCH_GRAMMAR = 2,
    TZ_SKETCH_DICTIONARY = 3
} tz_sketch_kind;

enum { TZ_SKETCH_MOST = 254 }; /* the greatest number */

typedef struct tz_sketch {
    tz_sketch_kind kind;
    uint64_t places;
    uint16_t *mark;
    uint8_t *number;
} tz_sketch;

/* Room for `keys` keys at most. TZ_NO_MEMORY, TZ_TOO_LARGE (more than 2^28). */
tz_status tz_sketch_new(tz_sketch_kind kind, size_t keys, tz_sketch **ret_sketch);
void tz_sketch_free(tz_sketch *sketch);
/* Puts a key in, at most as often as there is room. A key that is there, or seems to be, keeps its
 * number. number: 0..TZ_SKETCH_MOST. */
void tz_sketch_put_number(tz_sketch *sketch, uint64_t key, uint8_t number);
/* The same with a natural log, clamped to -25.4..0. */
void tz_sketch_put(tz_sketch *sketch, uint64_t key, double value);
/* Finds a key; false: it is not there. Constant time. */
bool tz_sketch_get_number(const tz_sketch *sketch, uint64_t key, uint8_t *ret_number);
bool tz_sketch_get(const tz_sketch *sketch, uint64_t key, double *ret_value);

/* Appends the file's bytes to the text. */
void tz_sketch_write(const tz_sketch *sketch, tz_text *text);
/* Reads a sketch from these bytes, called `name` in messages; it must be of this kind. TZ_IO,
 * TZ_NO_MEMORY. */
tz_status tz_sketch_read(const char *name, const void *bytes, size_t size, tz_sketch_kind kind,
                         tz_sketch **ret_sketch, tz_error *opt_error);
/* The name of the section of a pack (pack.h) with these bytes: "grammar", "bigrams", "dictionary";
 * NULL: they are not a sketch of a known kind. */
const char *tz_sketch_section(const void *bytes, size_t size);
/* Save replaces the file atomically (replace.h). TZ_IO, TZ_NO_MEMORY. */
tz_status tz_sketch_save(const tz_sketch *sketch, const char *path, tz_error *opt_error);
tz_status tz_sketch_load(const char *path, tz_sketch_kind kind, tz_sketch **ret_sketch,
                         tz_error *opt_error);

#endif
