/* words.c - see words.h. SPDX-License-Identifier: MIT */
#include "sentences/features/sentence/words.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "sentences/features/tables/hash.h"

uint32_t tz_code_lower(uint32_t code) {
    if ((code >= 'A' && code <= 'Z') || (code >= 0xc0 && code <= 0xde && code != 0xd7) ||
        (code >= 0x391 && code <= 0x3a9) || (code >= 0x410 && code <= 0x42f))
        return code + 32;
    if (code >= 0x400 && code <= 0x40f)
        return code + 80;
    /* Latin Extended-A and -B in part: pairs of capital and small letter. */
    bool even = (code >= 0x100 && code <= 0x137) || (code >= 0x14a && code <= 0x177);
    bool odd = (code >= 0x139 && code <= 0x148) || (code >= 0x179 && code <= 0x17e);
    if (code == 0x130 || code == 0x131) /* Turkish dotted and dotless i are no pair */
        return code;
    return (even && code % 2 == 0) || (odd && code % 2 == 1) ? code + 1 : code;
}

void tz_text_add_lower(tz_text *text, const char *word, size_t size) {
    uint32_t code;
    char bytes[4];
    for (unsigned used; size > 0; word += used, size -= used) {
        used = tz_utf8_decode(word, size, &code);
        if (used == 0)
            tz_text_add(text, word, used = 1);
        else
            tz_text_add(text, bytes, tz_utf8_encode(tz_code_lower(code), bytes));
    }
}

/* X capital, x small, d digit, o another letter; other signs stand for themselves. */
static uint32_t letter_class(uint32_t code) {
    if (code >= '0' && code <= '9')
        return 'd';
    if (tz_code_lower(code) != code)
        return 'X';
    if ((code >= 'a' && code <= 'z') || (code >= 0xdf && code < 0x250 && code != 0xf7) ||
        (code >= 0x370 && code < 0x530))
        return 'x';
    return code < 0x80 || (code >= 0x2000 && code < 0x2e80) ? code : 'o';
}

void tz_word_read(const char *form, tz_word *ret_word) {
    tz_word word = {.form = tz_hash_text(form, strlen(form))};
    uint32_t last[TZ_AFFIX] = {0}; /* the last code points, the very last first */
    uint32_t previous = 0;
    uint64_t prefix = 0;
    size_t codes = 0, run = 0, size = strlen(form);
    for (size_t at = 0; at < size; codes++) {
        uint32_t code = (unsigned char)form[at];
        unsigned bytes = tz_utf8_decode(form + at, size - at, &code);
        at += bytes > 0 ? bytes : 1;
        uint32_t lower = tz_code_lower(code), class = letter_class(code);
        word.lower = tz_hash(word.lower, lower);
        if (codes < TZ_AFFIX)
            word.prefix[codes] = prefix = tz_hash(prefix, lower);
        memmove(last + 1, last, (TZ_AFFIX - 1) * sizeof *last);
        last[0] = lower;
        run = class == previous ? run + 1 : 1;
        if (run <= 2)
            word.shape = tz_hash(word.shape, class);
        previous = class;
    }
    uint64_t suffix = 0;
    for (size_t a = 0; a < TZ_AFFIX; a++) {
        suffix = a < codes ? tz_hash(suffix, last[a]) : suffix;
        word.suffix[a] = suffix;
        if (a >= codes)
            word.prefix[a] = prefix;
    }
    *ret_word = word;
}

/* Words with a digit are one word: dates, amounts. '#' counts as one: it stands for digits in
 * normalised data. */
enum { NUMBER = 1 };

uint64_t tz_word_value(const tz_word *word, const char *form) {
    return strpbrk(form, "0123456789#") ? NUMBER : word->lower;
}

uint64_t tz_form_value(const char *form) {
    tz_word word;
    tz_word_read(form, &word);
    return tz_word_value(&word, form);
}

tz_word tz_word_outside(int which) {
    uint64_t value = tz_hash(0x6f757473696465u, (uint64_t)which); /* no word's by accident only */
    tz_word word = {.form = value,
                    .lower = value,
                    .shape = value,
                    .upos = value,
                    .xpos = value,
                    .deprel = value};
    for (size_t a = 0; a < TZ_AFFIX; a++)
        word.prefix[a] = word.suffix[a] = value;
    return word;
}
