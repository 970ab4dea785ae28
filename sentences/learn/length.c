/* length.c - how many words a compression is to have: see analyse.h. SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "sentences/learn/analyse.h"
#include "sentences/text/manner.h"

static int64_t between(double words, int32_t n) {
    return words < 1 ? 1 : words > n ? n : (int64_t)words;
}

tz_length tz_length_wary(tz_length length) {
    length.kind = length.kind == TZ_LENGTH_FREE ? TZ_LENGTH_WARY : length.kind;
    return length;
}

tz_words tz_length_of(const tz_length *length, tz_line_kind kind, const char *const *word,
                      int32_t n) {
    if (n == 0 || length->kind == TZ_LENGTH_FREE)
        return (tz_words){0};
    if (length->kind == TZ_LENGTH_WARY) {
        const bool whole =
            kind != TZ_PROSE || tz_like_law(word, (size_t)n) || tz_like_note(word, (size_t)n);
        const int32_t words = whole ? n : 0;
        return (tz_words){words, words, true};
    }
    if (length->kind == TZ_LENGTH_RATE && length->rate_most > 0) {
        double low = ceil(length->rate * n - 1e-9), high = floor(length->rate_most * n + 1e-9);
        if (low > high) /* the rates lie between two neighbouring lengths */
            low = high = floor((length->rate + length->rate_most) / 2 * n + 0.5);
        return (tz_words){between(low, n), between(high, n), false};
    }
    double words = length->kind == TZ_LENGTH_RATE   ? floor(length->rate * n + 0.5)
                   : length->kind == TZ_LENGTH_KEEP ? (double)length->words
                                                    : (double)n - (double)length->words;
    return (tz_words){between(words, n), between(words, n), false};
}
