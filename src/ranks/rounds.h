/* rounds.h - an input of many lines, cut in blocks that ranks take in turn, and one output in the
 * order of the input.
 *
 * A round is a block for each rank. What the ranks write in it goes to rank 0, which prints it: so
 * memory is bounded by the blocks of a round. Alone, there is one round of all lines, and what is
 * written goes out at once. SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_ROUNDS_H
#define TZ_RANKS_ROUNDS_H

#include <stdio.h>

#include "base/lines.h"
#include "ranks/ranks.h"

typedef struct tz_rounds {
    FILE *out; /* write here */
    bool alone;
    char *data; /* what was written in this round */
    size_t size;
    tz_gathered all;
} tz_rounds;

/* The lines of several files that go together (NULL ends the list) are cut in blocks of so many
 * records (tz_lines_share). whole: rank 0 has all of them. TZ_NO_MEMORY. */
tz_status tz_rounds_begin(tz_rounds *rounds, tz_lines *const *lines, size_t block, bool paragraphs,
                          bool whole);
/* The lines of this rank's block have been read to their end, TZ_NONE, and what they gave is
 * written; or an error ends the run here. TZ_OK: there is a next round, from which on lines can be
 * read again; TZ_NONE: no more. TZ_IO and others: the first error in the order of the input, with
 * what was written before it printed. */
tz_status tz_rounds_end(tz_rounds *rounds, tz_lines *const *lines, tz_status status,
                        tz_error *error);
void tz_rounds_free(tz_rounds *rounds);

#endif
