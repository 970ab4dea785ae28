/* manner.c - see manner.h. SPDX-License-Identifier: MIT */
#include "sentences/text/manner.h"

#include <string.h>

#include "sentences/text/layout.h"
#include "sentences/text/lexicon.h"

/* Each list is in the order of strcmp. */
static const char *const common[] = {
    "a",     "about", "after", "all",    "also", "an",    "and",  "any",   "are",  "as",
    "at",    "be",    "been",  "before", "but",  "by",    "can",  "could", "did",  "do",
    "even",  "first", "for",   "from",   "had",  "has",   "have", "he",    "her",  "him",
    "his",   "i",     "if",    "in",     "into", "is",    "it",   "its",   "like", "made",
    "man",   "many",  "may",   "me",     "more", "most",  "must", "my",    "no",   "not",
    "now",   "of",    "on",    "only",   "or",   "other", "our",  "out",   "over", "said",
    "she",   "so",    "some",  "such",   "than", "that",  "the",  "their", "them", "then",
    "there", "these", "they",  "this",   "time", "to",    "two",  "up",    "was",  "we",
    "were",  "what",  "when",  "which",  "who",  "will",  "with", "would", "you",  "your",
};
static const char *const of_law[] = {
    "act",           "acts",        "any",       "applies",      "apply",      "appropriate",
    "circumstances", "herein",      "may",       "must",         "or",         "paragraph",
    "paragraphs",    "person",      "persons",   "provision",    "provisions", "purposes",
    "pursuant",      "regulations", "relation",  "relevant",     "respect",    "section",
    "sections",      "shall",       "specified", "subparagraph", "subsection", "subsections",
    "such",          "thereof",     "whether",
};

#define LISTED(form, list) tz_lexicon_listed(form, strlen(form), list, sizeof list / sizeof *list)

static bool has_letter(const char *form) {
    for (; *form; form++)
        if ((unsigned char)*form >= 0x80 || (*form >= 'a' && *form <= 'z') ||
            (*form >= 'A' && *form <= 'Z'))
            return true;
    return false;
}

void tz_english_add(tz_english *english, const char *const *word, size_t words) {
    for (size_t w = 0; w < words; w++) {
        english->words += has_letter(word[w]);
        english->common += LISTED(word[w], common);
    }
}

bool tz_english_lacks(const tz_english *english) {
    enum { LEAST = 20, SHARE = 12 };
    return english->words >= LEAST && english->common * 100 < english->words * SHARE;
}

bool tz_like_law(const char *const *word, size_t words) {
    enum { SIGNS = 3, COUNTER = 3 };
    int signs = 0;
    for (size_t w = 0; w < words; w++) {
        signs += LISTED(word[w], of_law) || strcmp(word[w], ";") == 0;
        signs += w + 2 < words && strcmp(word[w], "(") == 0 && strcmp(word[w + 2], ")") == 0 &&
                 strlen(word[w + 1]) <= COUNTER;
    }
    return signs >= SIGNS;
}

size_t tz_marker(const char *const *word, size_t words) {
    enum { MOST = 3, SIZE = 16 };
    char text[SIZE];
    size_t size = 0;
    for (size_t w = 0; w < words && w < MOST; w++) {
        size_t more = strlen(word[w]);
        if (size + more + 2 > SIZE)
            return 0;
        memcpy(text + size, word[w], more);
        size += more;
        text[size] = text[size + 1] = ' '; /* something stands behind it */
        text[size + 1] = '.';
        if (tz_line_marker(text, size + 2) == size)
            return w + 1;
    }
    return 0;
}

/* "ACTION:", "TO DO:"; or "Present:", in small letters too */
static bool has_label(const char *const *word, size_t words, bool small) {
    for (size_t w = 0; w < words && w <= 2; w++) {
        if (w > 0 && strcmp(word[w], ":") == 0)
            return true;
        for (const char *at = word[w]; *at; at++)
            if (!((*at >= 'A' && *at <= 'Z') || (small && *at >= 'a' && *at <= 'z')))
                return false;
    }
    return false;
}

/* Does it end with a stop, but for quotation marks and brackets? */
static bool has_stop(const char *const *word, size_t words) {
    while (words > 0 && !has_letter(word[words - 1]) && !strpbrk(word[words - 1], ".!?"))
        words--;
    size_t size = words > 0 ? strlen(word[words - 1]) : 0;
    return size > 0 && strchr(".!?", word[words - 1][size - 1]);
}

bool tz_like_note(const char *const *word, size_t words) {
    enum { SHORT = 4, HEADING = 12, NOTE = 24 };
    bool open = !has_stop(word, words);
    return words <= SHORT || (words <= HEADING && open) ||
           (words <= NOTE && (tz_marker(word, words) > 0 || has_label(word, words, open)));
}
