/* fuzz_compression.c - compressions of sentences as JSON Lines and as text: a gold file, and behind
 * a form feed a system's, which is text where the first byte is odd. SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "fuzz.h"
#include "sentences/eval/gold.h"

void fuzz_target(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    unsigned how = fuzz_byte(&input);
    OWNED(tz_gold, gold) = {0};
    tz_compression *output;
    tz_error error;
    if (input.left == 0)
        return;
    const uint8_t *end = memchr(input.at, '\f', input.left);
    size_t first = end != NULL ? (size_t)(end - input.at) : input.left;
    fuzz_text in = fuzz_lines(input.at, first, TZ_GOLD_LINE);
    tz_status status = tz_gold_read(in.lines, &gold, &error);
    if (status == TZ_OK && end != NULL) {
        fuzz_text other = fuzz_lines(end + 1, input.left - first - 1, TZ_GOLD_LINE);
        status = how & 2 ? tz_gold_references(&gold, other.lines, &error)
                         : tz_gold_outputs(&gold, other.lines, how & 1, &output, &error);
        fuzz_lines_free(&other);
    }
    if (status != TZ_OK)
        fuzz_check_error(status, &error);
    fuzz_lines_free(&in);
}
