/* stem.c - see stem.h. SPDX-License-Identifier: MIT */
#include "sentences/text/stem.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A word with one byte for each letter, also for those beyond ASCII, which are consonants: OTHER. A
 * `y` that is a consonant is a `Y`. */
typedef struct letters {
    char *at;
    size_t size;
    size_t first, second; /* where the regions R1 and R2 begin */
} letters;

typedef struct ending {
    const char *text, *instead;
} ending;

#define OTHER '\x7f'

static bool in(char letter, const char *list) {
    return letter != '\0' && strchr(list, letter);
}

static bool vowel(char letter) {
    return in(letter, "aeiouy");
}

static bool ends(const letters *w, const char *text) {
    size_t size = strlen(text);
    return size <= w->size && memcmp(w->at + w->size - size, text, size) == 0;
}

static bool is(const letters *w, const char *text) {
    return strlen(text) == w->size && ends(w, text);
}

/* Which of these, the longest first, it ends with, or NULL. */
static const ending *longest(const letters *w, const ending *list) {
    while (list->text && !ends(w, list->text))
        list++;
    return list->text ? list : NULL;
}

static void replace(letters *w, size_t from, const char *text) {
    size_t size = strlen(text);
    memcpy(w->at + from, text, size);
    w->size = from + size;
}

static void cut(letters *w, size_t count) {
    w->size -= count;
}

static bool vowel_before(const letters *w, size_t end) {
    for (size_t i = 0; i < end; i++)
        if (vowel(w->at[i]))
            return true;
    return false;
}

/* Do the first `end` letters end with a short syllable? */
static bool is_short(const letters *w, size_t end) {
    const char *last = w->at + end - 1;
    if (end == 2)
        return vowel(last[-1]) && !vowel(last[0]);
    return end > 2 && !vowel(last[-2]) && vowel(last[-1]) && !vowel(last[0]) && !in(*last, "wxY");
}

/* ---- Before ---------------------------------------------------------------------------------- */

/* Forms that the rules would get wrong. */
static bool exception(letters *w) {
    static const ending list[] = {{"skis", "ski"},      {"skies", "sky"},    {"dying", "die"},
                                  {"lying", "lie"},     {"tying", "tie"},    {"idly", "idl"},
                                  {"gently", "gentl"},  {"ugly", "ugli"},    {"early", "earli"},
                                  {"only", "onli"},     {"singly", "singl"}, {"sky", "sky"},
                                  {"news", "news"},     {"howe", "howe"},    {"atlas", "atlas"},
                                  {"cosmos", "cosmos"}, {"bias", "bias"},    {"andes", "andes"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (is(w, list[i].text)) {
            replace(w, 0, list[i].instead);
            return true;
        }
    }
    return false;
}

static void mark_consonants(letters *w) {
    if (w->size > 0 && w->at[0] == 'y')
        w->at[0] = 'Y';
    for (size_t i = 1; i < w->size; i++)
        if (w->at[i] == 'y' && vowel(w->at[i - 1]))
            w->at[i] = 'Y';
}

/* Behind the first consonant that follows a vowel, from `at` on. */
static size_t region(const letters *w, size_t at) {
    while (at < w->size && !vowel(w->at[at]))
        at++;
    while (at < w->size && vowel(w->at[at]))
        at++;
    return at < w->size ? at + 1 : w->size;
}

static void find_regions(letters *w) {
    static const char *const prefix[] = {"gener", "commun", "arsen"};
    w->first = 0;
    for (size_t p = 0; p < sizeof prefix / sizeof *prefix; p++) {
        size_t size = strlen(prefix[p]);
        if (w->size >= size && memcmp(w->at, prefix[p], size) == 0)
            w->first = size;
    }
    if (w->first == 0)
        w->first = region(w, 0);
    w->second = region(w, w->first);
}

/* ---- The steps ------------------------------------------------------------------------------- */

static void step_1a(letters *w) {
    if (ends(w, "'s'"))
        cut(w, 3);
    else if (ends(w, "'s"))
        cut(w, 2);
    else if (ends(w, "'"))
        cut(w, 1);
    if (ends(w, "sses"))
        cut(w, 2);
    else if (ends(w, "ied") || ends(w, "ies"))
        cut(w, w->size > 4 ? 2 : 1);
    else if (ends(w, "s") && !ends(w, "us") && !ends(w, "ss") && w->size >= 2 &&
             vowel_before(w, w->size - 2))
        cut(w, 1);
}

/* After an ending has gone that stood behind a vowel. */
static void mend(letters *w) {
    char last = w->size > 0 ? w->at[w->size - 1] : '\0';
    if (ends(w, "at") || ends(w, "bl") || ends(w, "iz"))
        replace(w, w->size, "e");
    else if (w->size > 1 && in(last, "bdfgmnprt") && w->at[w->size - 2] == last)
        cut(w, 1);
    else if (w->size == w->first && is_short(w, w->size))
        replace(w, w->size, "e");
}

static void step_1b(letters *w) {
    static const ending list[] = {{"ingly", ""}, {"eedly", "ee"}, {"edly", ""}, {"eed", "ee"},
                                  {"ing", ""},   {"ed", ""},      {NULL, NULL}};
    const ending *e = longest(w, list);
    if (!e)
        return;
    size_t from = w->size - strlen(e->text);
    if (*e->instead) {
        if (from >= w->first)
            replace(w, from, e->instead);
    } else if (vowel_before(w, from)) {
        w->size = from;
        mend(w);
    }
}

static void step_1c(letters *w) {
    if (w->size > 2 && in(w->at[w->size - 1], "yY") && !vowel(w->at[w->size - 2]))
        w->at[w->size - 1] = 'i';
}

static void step_2(letters *w) {
    static const ending list[] = {
        {"ational", "ate"}, {"fulness", "ful"}, {"iveness", "ive"}, {"ization", "ize"},
        {"ousness", "ous"}, {"biliti", "ble"},  {"lessli", "less"}, {"tional", "tion"},
        {"alism", "al"},    {"aliti", "al"},    {"ation", "ate"},   {"entli", "ent"},
        {"fulli", "ful"},   {"iviti", "ive"},   {"ousli", "ous"},   {"abli", "able"},
        {"alli", "al"},     {"anci", "ance"},   {"ator", "ate"},    {"enci", "ence"},
        {"izer", "ize"},    {"bli", "ble"},     {"ogi", "og"},      {"li", ""},
        {NULL, NULL}};
    const ending *e = longest(w, list);
    size_t from = e ? w->size - strlen(e->text) : 0;
    if (!e || from < w->first ||
        (strcmp(e->text, "ogi") == 0 && (from == 0 || w->at[from - 1] != 'l')) ||
        (strcmp(e->text, "li") == 0 && (from == 0 || !in(w->at[from - 1], "cdeghkmnrt"))))
        return;
    replace(w, from, e->instead);
}

static void step_3(letters *w) {
    static const ending list[] = {
        {"ational", "ate"}, {"tional", "tion"}, {"alize", "al"}, {"ative", ""}, {"icate", "ic"},
        {"iciti", "ic"},    {"ical", "ic"},     {"ness", ""},    {"ful", ""},   {NULL, NULL}};
    const ending *e = longest(w, list);
    size_t from = e ? w->size - strlen(e->text) : 0;
    if (e && from >= (strcmp(e->text, "ative") == 0 ? w->second : w->first))
        replace(w, from, e->instead);
}

static void step_4(letters *w) {
    static const ending list[] = {{"ement", ""}, {"able", ""}, {"ance", ""}, {"ence", ""},
                                  {"ible", ""},  {"ment", ""}, {"ant", ""},  {"ate", ""},
                                  {"ent", ""},   {"ion", ""},  {"ism", ""},  {"iti", ""},
                                  {"ive", ""},   {"ize", ""},  {"ous", ""},  {"al", ""},
                                  {"er", ""},    {"ic", ""},   {NULL, NULL}};
    const ending *e = longest(w, list);
    size_t from = e ? w->size - strlen(e->text) : 0;
    if (!e || from < w->second)
        return;
    if (strcmp(e->text, "ion") != 0 || (from > 0 && in(w->at[from - 1], "st")))
        w->size = from;
}

static void step_5(letters *w) {
    size_t from = w->size - 1;
    if (ends(w, "e") && (from >= w->second || (from >= w->first && !is_short(w, from))))
        cut(w, 1);
    else if (ends(w, "ll") && from >= w->second)
        cut(w, 1);
}

static bool finished(const letters *w) {
    static const char *const list[] = {"inning",  "outing",  "canning", "herring",
                                       "earring", "proceed", "exceed",  "succeed"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (is(w, list[i]))
            return true;
    return false;
}

static void stem(letters *w) {
    mark_consonants(w);
    find_regions(w);
    step_1a(w);
    if (!finished(w)) {
        step_1b(w);
        step_1c(w);
        step_2(w);
        step_3(w);
        step_4(w);
        if (w->size > 0)
            step_5(w);
    }
}

/* ---- Letters and bytes ----------------------------------------------------------------------- */

static bool begins_letter(char byte) {
    return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t to_letters(const char *word, size_t size, char *ret) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        if (begins_letter(word[i]))
            ret[count++] = (unsigned char)word[i] < 0x80 ? word[i] : OTHER;
    return count;
}

/* Instead of the stem's letters its bytes. What the steps put in is ASCII, so that the others are
 * still where they are in the word, which begins with the same letter. */
static size_t to_bytes(const char *word, size_t size, size_t letters, char *ret) {
    size_t end = 0, bytes = 0; /* of the word, of the stem */
    for (size_t l = 0; l < letters; l++) {
        size_t begin = end++;
        while (end < size && !begins_letter(word[end]))
            end++;
        bytes += ret[l] == OTHER ? end - begin : 1;
    }
    size_t to = bytes;
    for (size_t l = letters; l-- > 0;) { /* backwards: no letter is overwritten before its turn */
        size_t begin = end - 1;
        while (begin > 0 && !begins_letter(word[begin]))
            begin--;
        if (ret[l] == OTHER) {
            to -= end - begin;
            memcpy(ret + to, word + begin, end - begin);
        } else {
            ret[--to] = ret[l];
        }
        end = begin;
    }
    return bytes;
}

size_t tz_stem(const char *word, size_t size, char *ret_stem) {
    letters w = {.at = ret_stem, .size = to_letters(word, size, ret_stem)};
    if (!exception(&w) && w.size > 2) {
        if (*word == '\'') {
            word++;
            size--;
            memmove(w.at, w.at + 1, --w.size);
        }
        stem(&w);
        for (size_t l = 0; l < w.size; l++)
            w.at[l] = w.at[l] == 'Y' ? 'y' : w.at[l];
    }
    return to_bytes(word, size, w.size, ret_stem);
}
