/* lengths.h - reads sentence lengths from a file: a list or a histogram. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_MEASURE_LENGTHS_H
#define TZ_MEASURE_LENGTHS_H

#include <stdint.h>

#include <trapeze/trapeze.h>

/* Reads a file of lines "LENGTH" or "LENGTH COUNT"; blank lines and what follows a # are ignored.
 * *ret_lengths: every length COUNT times, ascending; to be freed with free(). TZ_IO (cannot be
 * read, or a line is something else; the message says which), TZ_TOO_LARGE (more than 2^24
 * lengths), TZ_NO_MEMORY. */
tz_status tz_read_lengths(const char *path, int32_t **ret_lengths, size_t *ret_count,
                          tz_error *ret_error);

/* Sorts ascending. */
void tz_sort_lengths(int32_t *lengths, size_t count);

/* Picks wanted > 0 of count > 0 ascending lengths, spread evenly, so that they have the same
 * distribution; in random order. */
void tz_pick_lengths(const int32_t *lengths, size_t count, size_t wanted, uint64_t seed,
                     int32_t *ret_lengths);

#endif
