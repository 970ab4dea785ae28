/* defects.c - see defects.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/defects.h"

#include <string.h>

#include "sentences/text/article.h"
#include "sentences/text/lexicon.h"

static bool is_one_of(const char *word, const char *const *list) {
    size_t size = strlen(word);
    for (; *list; list++)
        if (strlen(*list) == size && tz_lexicon_alike(*list, word, size))
            return true;
    return false;
}

static bool is_opener(const char *word) {
    static const char *const list[] = {
        "a",      "an",    "the",     "this",    "these",   "those",  "my",      "your",  "his",
        "its",    "our",   "their",   "every",   "each",    "of",     "to",      "in",    "on",
        "at",     "for",   "from",    "with",    "by",      "into",   "about",   "after", "before",
        "during", "under", "against", "between", "through", "over",   "without", "as",    "than",
        "until",  "since", "among",   "near",    "despite", "within", "onto",    "upon",  NULL};
    return is_one_of(word, list);
}

static bool is_auxiliary(const char *word) {
    static const char *const list[] = {"is",    "are",  "was",   "were",   "be",   "been",  "has",
                                       "have",  "had",  "will",  "would",  "can",  "could", "may",
                                       "might", "must", "shall", "should", "does", "did",   NULL};
    return is_one_of(word, list);
}

static bool is_function_word(const char *word) {
    static const char *const list[] = {"and",      "or",    "but",  "nor",  "that",    "which",
                                       "who",      "whose", "whom", "if",   "because", "while",
                                       "although", "not",   "n't",  "very", "no",      NULL};
    return is_opener(word) || is_auxiliary(word) || is_one_of(word, list);
}

static bool is_negation(const char *word) {
    static const char *const list[] = {"not", "n't", "n\u2019t", "never", "no", "neither", NULL};
    return is_one_of(word, list);
}

/* Without letter and digit. */
static bool is_mark(const char *word) {
    for (; *word; word++)
        if ((unsigned char)*word >= 0x80 || (*word >= '0' && *word <= '9') ||
            (*word >= 'a' && *word <= 'z') || (*word >= 'A' && *word <= 'Z'))
            return false;
    return true;
}

static bool is_verb(const tz_source *s, size_t w) {
    return s->opt_tag ? strncmp(s->opt_tag[w], "VB", 2) == 0 || strcmp(s->opt_tag[w], "MD") == 0
                      : is_auxiliary(s->word[w]);
}

static bool is_finite(const tz_source *s, size_t w) {
    static const char *const finite[] = {"VBD", "VBZ", "VBP", "MD", NULL};
    return s->opt_tag ? is_one_of(s->opt_tag[w], finite) : is_auxiliary(s->word[w]);
}

static bool is_name(const tz_source *s, size_t w) {
    return s->opt_tag ? strncmp(s->opt_tag[w], "NNP", 3) == 0
                      : w > 0 && *s->word[w] >= 'A' && *s->word[w] <= 'Z';
}

/* ---- One by one ------------------------------------------------------------------------------ */

/* The next kept word; words: none. */
static size_t next_kept(const tz_source *s, const tz_compression *c, size_t w) {
    do
        w++;
    while (w < s->words && !c->keep[w]);
    return w;
}

static bool loose_end(const tz_source *s, const tz_compression *c) {
    size_t last = s->words;
    while (last > 0 && (!c->keep[last - 1] || is_mark(s->word[last - 1])))
        last--;
    return last > 0 && last < s->words && is_function_word(s->word[last - 1]) && !c->keep[last] &&
           !is_mark(s->word[last]);
}

static bool stranded(const tz_source *s, const tz_compression *c) {
    for (size_t w = 0; w + 1 < s->words; w++) {
        size_t next = next_kept(s, c, w);
        if (c->keep[w] && next > w + 1 && is_opener(s->word[w]) && !is_mark(s->word[w + 1]) &&
            (next == s->words || is_mark(s->word[next]) || is_finite(s, next)))
            return true;
    }
    return false;
}

static bool name_cut(const tz_source *s, const tz_compression *c) {
    for (size_t w = 0; w + 1 < s->words; w++)
        if (is_name(s, w) && is_name(s, w + 1) && !c->keep[w] != !c->keep[w + 1])
            return true;
    return false;
}

/* How many more open than close; quotation marks that look the same: 1 if their number is odd. */
static long balance(const tz_source *s, const tz_compression *opt_c, const char *open,
                    const char *close) {
    long more = 0;
    bool same = strcmp(open, close) == 0;
    for (size_t w = 0; w < s->words; w++)
        if (!opt_c || opt_c->keep[w])
            more += strcmp(s->word[w], open) == 0 ? 1 : strcmp(s->word[w], close) == 0 ? -1 : 0;
    return same ? more % 2 : more;
}

static bool unbalanced(const tz_source *s, const tz_compression *c) {
    static const char *const pair[][2] = {{"(", ")"},   {"[", "]"},   {"-LRB-", "-RRB-"},
                                          {"``", "''"}, {"\"", "\""}, {"\u201c", "\u201d"}};
    for (size_t p = 0; p < sizeof pair / sizeof *pair; p++)
        if (balance(s, NULL, pair[p][0], pair[p][1]) == 0 &&
            balance(s, c, pair[p][0], pair[p][1]) != 0)
            return true;
    return false;
}

static bool negation_lost(const tz_source *s, const tz_compression *c) {
    for (size_t w = 0; w < s->words; w++) {
        bool behind = w > 0 && c->keep[w - 1] && is_verb(s, w - 1);
        bool before = w + 1 < s->words && c->keep[w + 1] && !is_mark(s->word[w + 1]);
        if (is_negation(s->word[w]) && !c->keep[w] && (behind || before))
            return true;
    }
    return false;
}

static bool wrong_article(const tz_source *s, const tz_compression *c) {
    for (size_t w = 0; w + 1 < s->words; w++) {
        size_t size = strlen(s->word[w]), next = next_kept(s, c, w);
        if (c->keep[w] && next > w + 1 && next < s->words && tz_article_is(s->word[w], size) &&
            !is_mark(s->word[next]) &&
            tz_article_an(s->word[next], strlen(s->word[next])) != (size == 2))
            return true;
    }
    return false;
}

void tz_defects_find(const tz_source *source, const tz_compression *compression,
                     bool ret_defect[TZ_DEFECTS]) {
    ret_defect[TZ_DEFECT_END] = loose_end(source, compression);
    ret_defect[TZ_DEFECT_STRANDED] = stranded(source, compression);
    ret_defect[TZ_DEFECT_NAME] = name_cut(source, compression);
    ret_defect[TZ_DEFECT_MARKS] = unbalanced(source, compression);
    ret_defect[TZ_DEFECT_NEGATION] = negation_lost(source, compression);
    ret_defect[TZ_DEFECT_ARTICLE] = wrong_article(source, compression);
}
