/* parses.c - see parses.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/parses.h"

#include <string.h>

#include "sentences/learn/score.h"

enum { ARC_RANK = 2 }; /* of arc[h,m]; that of sib[h,s,m] is 3 */

static void copy(const tz_scored *scored, size_t width, double *root, double *sib) {
    const double *from = scored->data[0];
    size_t square = width * width;
    memcpy(root, from, width * sizeof *root); /* h = s = 0, the root of all */
    if (scored->shape[0].rank != ARC_RANK) {
        memcpy(sib, from, width * square * sizeof *sib);
        return;
    }
    for (size_t h = 0; h < width; h++)
        for (size_t s = 0; s < width; s++)
            memcpy(sib + h * square + s * width, from + h * width, width * sizeof *sib);
}

tz_status tz_parses_of(const tz_model *parser, const tz_sentence *sentence, tz_arena *arena,
                       tz_parses *ret) {
    size_t width = (size_t)sentence->words + 1;
    tz_scored scored = {0};
    tz_status status = sentence->words > TZ_ALL_TREES_WORDS
                           ? TZ_TOO_LARGE
                           : tz_score_sentence(parser, parser->weight, sentence, &scored);
    if (status == TZ_OK) {
        double *root = tz_arena_array(arena, width, sizeof *root);
        double *sib = tz_arena_array(arena, width * width * width, sizeof *sib);
        status = root && sib ? TZ_OK : TZ_NO_MEMORY;
        if (status == TZ_OK)
            copy(&scored, width, root, sib);
        *ret = (tz_parses){root, sib};
    }
    tz_scored_free(&scored);
    return status;
}
