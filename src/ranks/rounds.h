/* rounds.h - cuts an input of many lines into blocks that ranks take in turn, with one output in
 * the order of the input.
 *
 * A round is a block for each rank. The ranks' output of a round goes to rank 0, which prints it:
 * so memory is bounded by the blocks of a round. For a single rank there is one round of all lines,
 * and output is printed at once. SPDX-License-Identifier: MIT */
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

/* Cuts the lines of files that go together (NULL ends the list) into blocks of so many records
 * (tz_lines_share). whole: rank 0 has all of them. TZ_NO_MEMORY. */
tz_status tz_rounds_begin(tz_rounds *rounds, tz_lines *const *lines, size_t block, bool paragraphs,
                          bool whole);
/* Ends a round. status: TZ_NONE, this rank's block has been read to its end and its output written;
 * or an error that ends the run. Returns TZ_OK: the next round begins, and lines can be read again;
 * TZ_NONE: there is none. TZ_IO and others: the first error in the order of the input; the output
 * before it has been printed. */
tz_status tz_rounds_end(tz_rounds *rounds, tz_lines *const *lines, tz_status status,
                        tz_error *error);
void tz_rounds_free(tz_rounds *rounds);

#endif
