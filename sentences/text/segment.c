/* segment.c - see segment.h. SPDX-License-Identifier: MIT */
#include "sentences/text/segment.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include "base/lines.h"
#include "base/utf8.h"

struct tz_segmenter {
    UBreakIterator *breaks;
    UText *text; /* opened anew on every line */
};

static tz_status failure(UErrorCode code, tz_error *opt_error) {
    if (code == U_MEMORY_ALLOCATION_ERROR)
        return TZ_NO_MEMORY;
    return tz_bad_input(opt_error, "ICU", 0, "no rules for boundaries of text (%s)",
                        u_errorName(code));
}

tz_status tz_segmenter_new(tz_segments segments, tz_segmenter **ret_segmenter,
                           tz_error *opt_error) {
    *ret_segmenter = NULL;
    tz_segmenter *segmenter = calloc(1, sizeof *segmenter);
    if (!segmenter)
        return TZ_NO_MEMORY;
    UErrorCode code = U_ZERO_ERROR;
    UBreakIteratorType type = segments == TZ_SEGMENTS_WORDS ? UBRK_WORD : UBRK_SENTENCE;
    segmenter->breaks = ubrk_open(type, "", NULL, 0, &code); /* "": the root, not the user's */
    if (U_FAILURE(code)) {
        tz_segmenter_free(segmenter);
        return failure(code, opt_error);
    }
    *ret_segmenter = segmenter;
    return TZ_OK;
}

void tz_segmenter_free(tz_segmenter *segmenter) {
    if (segmenter) {
        if (segmenter->breaks)
            ubrk_close(segmenter->breaks);
        utext_close(segmenter->text);
        free(segmenter);
    }
}

static uint8_t kind_of(uint32_t code) {
    if (code < 0x80) {
        bool capital = code >= 'A' && code <= 'Z', small = code >= 'a' && code <= 'z';
        return capital                                         ? TZ_LETTER | TZ_CAPITAL
               : small                                         ? TZ_LETTER
               : code >= '0' && code <= '9'                    ? TZ_DIGIT
               : code == ' ' || (code >= '\t' && code <= '\r') ? TZ_SPACE
                                                               : 0;
    }
    UChar32 c = (UChar32)code;
    return u_isUAlphabetic(c)   ? (u_isUUppercase(c) ? TZ_LETTER | TZ_CAPITAL : TZ_LETTER)
           : u_isUWhiteSpace(c) ? TZ_SPACE
                                : 0;
}

tz_status tz_segment(tz_segmenter *segmenter, const char *text, size_t size, uint8_t *ret_kind) {
    if (size > INT32_MAX)
        return TZ_TOO_LARGE;
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        unsigned used = tz_utf8_decode(text + at, size - at, &code);
        used = used > 0 ? used : 1;
        memset(ret_kind + at, kind_of(code), used);
        at += used;
    }
    UErrorCode code = U_ZERO_ERROR;
    segmenter->text = utext_openUTF8(segmenter->text, text, (int64_t)size, &code);
    ubrk_setUText(segmenter->breaks, segmenter->text, &code);
    if (U_FAILURE(code))
        return TZ_NO_MEMORY;
    for (int32_t at = ubrk_first(segmenter->breaks); at != UBRK_DONE && (size_t)at < size;
         at = ubrk_next(segmenter->breaks))
        ret_kind[at] |= TZ_CUT;
    return TZ_OK;
}

bool tz_code_word(uint32_t code) {
    return u_isalnum((UChar32)code);
}

bool tz_code_capital(uint32_t code) {
    return u_isUUppercase((UChar32)code);
}

uint32_t tz_code_upper(uint32_t code) {
    return (uint32_t)u_toupper((UChar32)code);
}
