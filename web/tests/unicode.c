/* unicode.c - what sentences/text/segment.h says on this machine, by ICU, to compare with what a
 * host of WebAssembly says: a line for each code point of this ICU (beyond U+3400 for some), then
 * random texts.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "sentences/text/segment.h"
#include "tests/support/random.h"

enum { TEXTS = 10000, MOST = 8 };

static size_t encode(UChar32 code, char *to) {
    size_t size = 0;
    U8_APPEND_UNSAFE(to, size, code);
    return size;
}

static void print_kinds(tz_segmenter *segmenter, const char *text, size_t size) {
    uint8_t kind[4 * MOST];
    if (tz_segment(segmenter, text, size, kind) != TZ_OK)
        exit(1);
    for (size_t i = 0; i < size; i++)
        printf("%02x", kind[i]);
}

/* Scripts that are cut by a dictionary, which may be another one; and signs of Arabic and other
 * numbers, which are of another class since Unicode 16. */
static bool varies(UChar32 code) {
    int32_t breaks = u_getIntPropertyValue(code, UCHAR_LINE_BREAK);
    return breaks == U_LB_COMPLEX_CONTEXT || breaks == U_LB_IDEOGRAPHIC ||
           u_getIntPropertyValue(code, UCHAR_WORD_BREAK) == U_WB_KATAKANA ||
           u_hasBinaryProperty(code, UCHAR_IDEOGRAPHIC) ||
           u_hasBinaryProperty(code, UCHAR_PREPENDED_CONCATENATION_MARK);
}

/* Of each class of word boundaries as often, and often ASCII. */
static UChar32 random_code(random_state *random, UChar32 (*of)[64], const size_t *count) {
    if (random_below(random, 3) == 0)
        return (UChar32)(' ' + random_below(random, 0x7f - ' '));
    size_t class = random_below(random, U_WB_COUNT);
    return count[class] > 0 ? of[class][random_below(random, count[class])] : 'a';
}

static void print_code(tz_segmenter *segmenter, UChar32 code) {
    char text[U8_MAX_LENGTH];
    printf("%x ", (unsigned)code);
    print_kinds(segmenter, text, encode(code, text));
    printf(" %d %d %x\n", tz_code_word((uint32_t)code), tz_code_capital((uint32_t)code),
           (unsigned)tz_code_upper((uint32_t)code));
}

int main(void) {
    static UChar32 of[U_WB_COUNT][64];
    size_t count[U_WB_COUNT] = {0};
    random_state random = {1};
    tz_segmenter *segmenter;
    char text[4 * MOST];
    if (tz_segmenter_new(TZ_SEGMENTS_WORDS, &segmenter, NULL) != TZ_OK)
        return 1;
    for (UChar32 code = 1; code <= UCHAR_MAX_VALUE; code++) {
        if (!u_isdefined(code) || U_IS_SURROGATE(code))
            continue;
        if (code < 0x3400 || code % 29 == 0)
            print_code(segmenter, code);
        int32_t class = u_getIntPropertyValue(code, UCHAR_WORD_BREAK);
        if (code >= ' ' && !varies(code)) {
            size_t place = count[class] < 64 ? count[class]++ : random_below(&random, 4096);
            if (place < 64)
                of[class][place] = code;
        }
    }
    for (int t = 0; t < TEXTS; t++) {
        size_t size = 0, codes = 1 + random_below(&random, MOST);
        for (size_t c = 0; c < codes; c++)
            size += encode(random_code(&random, of, count), text + size);
        print_kinds(segmenter, text, size);
        printf(" %.*s\n", (int)size, text);
    }
    tz_segmenter_free(segmenter);
    return 0;
}
