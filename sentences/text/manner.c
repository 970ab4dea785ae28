/* manner.c - see manner.h. SPDX-License-Identifier: MIT */
#include "sentences/text/manner.h"

#include <string.h>

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
