/* segment.c - sentences/text/segment.h by what the host knows of Unicode: src/segment.ts.
 *
 * Instead of sentences/text/segment.c, which asks ICU. SPDX-License-Identifier: MIT */
#include "sentences/text/segment.h"

#include <stdlib.h>

#define HOST(name) __attribute__((import_module("host"), import_name(name)))

HOST("segment")
extern void tz_host_segment(const char *text, size_t size, int sentences, uint8_t *ret_kind);

HOST("word") extern int tz_host_word(uint32_t code);
HOST("capital") extern int tz_host_capital(uint32_t code);
HOST("upper") extern uint32_t tz_host_upper(uint32_t code);

struct tz_segmenter {
    tz_segments segments; /* the host has all else */
};

tz_status tz_segmenter_new(tz_segments segments, tz_segmenter **ret_segmenter,
                           tz_error *opt_error) {
    (void)opt_error;
    *ret_segmenter = calloc(1, sizeof **ret_segmenter);
    if (!*ret_segmenter)
        return TZ_NO_MEMORY;
    (*ret_segmenter)->segments = segments;
    return TZ_OK;
}

void tz_segmenter_free(tz_segmenter *segmenter) {
    free(segmenter);
}

tz_status tz_segment(tz_segmenter *segmenter, const char *text, size_t size, uint8_t *ret_kind) {
    if (size > INT32_MAX)
        return TZ_TOO_LARGE;
    tz_host_segment(text, size, segmenter->segments == TZ_SEGMENTS_SENTENCES, ret_kind);
    return TZ_OK;
}

bool tz_code_word(uint32_t code) {
    return tz_host_word(code);
}

bool tz_code_capital(uint32_t code) {
    return tz_host_capital(code);
}

uint32_t tz_code_upper(uint32_t code) {
    return tz_host_upper(code);
}
