/* fuzz_alignment.c - alignments of texts as JSON Lines, arrays and links: a gold file, and behind a
 * form feed a system's. An odd first byte turns the sides round. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sentences/eval/alignment.h"

static void measure(tz_alignments *gold, fuzz_text *in) {
    tz_links *system;
    tz_error error;
    tz_status status = tz_alignments_system(gold, in->lines, &system, &error);
    if (status != TZ_OK) {
        fuzz_check_error(status, &error);
        return;
    }
    FREED(tz_ratio, ratio) =
        calloc(gold->numbering.count * TZ_ALIGNMENT_FIGURES + 1, sizeof *ratio);
    FUZZ_CHECK(ratio != NULL && tz_alignments_measure(gold, system, ratio) == TZ_OK);
}

void fuzz_target(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    bool flip = fuzz_byte(&input) & 1;
    static const tz_ignore ignore; /* the usual words */
    OWNED(tz_alignments, gold) = {0};
    tz_error error;
    if (input.left == 0)
        return;
    const uint8_t *end = memchr(input.at, '\f', input.left);
    size_t first = end != NULL ? (size_t)(end - input.at) : input.left;
    fuzz_text in = fuzz_lines(input.at, first, TZ_ALIGNMENT_LINE);
    tz_status status = tz_alignments_read(in.lines, &ignore, flip, flip, &gold, &error);
    if (status != TZ_OK)
        fuzz_check_error(status, &error);
    else if (end != NULL) {
        fuzz_text other = fuzz_lines(end + 1, input.left - first - 1, TZ_ALIGNMENT_LINE);
        measure(&gold, &other);
        fuzz_lines_free(&other);
    }
    fuzz_lines_free(&in);
}
