/* test_stem.c - are stems libstemmer's, of words made from the parts that its rules look for?
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <libstemmer.h>
#include <string.h>

#include "sentences/text/stem.h"
#include "tests/support/amount.h"
#include "tests/support/random.h"

static struct sb_stemmer *stemmer;

static int set_up(void **state) {
    (void)state;
    stemmer = sb_stemmer_new("english", NULL);
    return stemmer ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    sb_stemmer_delete(stemmer);
    return 0;
}

static void check(const char *word) {
    char stem[128];
    size_t size = tz_stem(word, strlen(word), stem);
    const char *expected =
        (const char *)sb_stemmer_stem(stemmer, (const sb_symbol *)word, (int)strlen(word));
    size_t expected_size = (size_t)sb_stemmer_length(stemmer);
    if (size != expected_size || memcmp(stem, expected, size) != 0)
        fail_msg("%s: the stem is %.*s, not %.*s", word, (int)size, stem, (int)expected_size,
                 expected);
}

/* Beginnings and endings that rules name, letters that make syllables long and short, and what is
 * not ASCII. */
static const char *const part[] = {
    "",        "'",       "'s",        "'s'",     "a",       "ab",      "abli",    "able",
    "al",      "alism",   "aliti",     "alize",   "alli",    "ance",    "anci",    "andes",
    "ant",     "arsen",   "at",        "ate",     "ation",   "ational", "ative",   "ator",
    "b",       "bb",      "bl",        "bli",     "biliti",  "c",       "canning", "commun",
    "d",       "dd",      "dy",        "e",       "earring", "ed",      "edly",    "eed",
    "eedly",   "ement",   "ence",      "enci",    "ent",     "entli",   "er",      "exceed",
    "f",       "ful",     "fulli",     "fulness", "gener",   "gg",      "h",       "herring",
    "i",       "ible",    "ic",        "ical",    "icate",   "iciti",   "ied",     "ies",
    "ing",     "ingly",   "inning",    "ion",     "ism",     "iti",     "ive",     "iveness",
    "iviti",   "iz",      "ization",   "ize",     "izer",    "k",       "l",       "less",
    "lessli",  "li",      "ly",        "ment",    "mm",      "n",       "ness",    "news",
    "o",       "ogi",     "ou",        "ous",     "ousli",   "ousness", "outing",  "pp",
    "proceed", "r",       "rr",        "s",       "sion",    "sky",     "ss",      "sses",
    "succeed", "t",       "tion",      "tional",  "tt",      "u",       "us",      "w",
    "x",       "y",       "yed",       "yi",      "ying",    "z",       "\u00e9",  "\u00e9r",
    "n\u00ef", "\u2019s", "\U0001f600"};

TEST(made_words) {
    random_state random = random_start("made_words");
    for (int w = 0; w < AMOUNT(1000000, 50000); w++) {
        char word[64] = "";
        size_t count = 1 + random_below(&random, 5);
        for (size_t p = 0; p < count; p++)
            strcat(word, part[random_below(&random, sizeof part / sizeof *part)]);
        check(word);
    }
}

TEST(pairs_of_parts) {
    for (size_t a = 0; a < sizeof part / sizeof *part; a++) {
        for (size_t b = 0; b < sizeof part / sizeof *part; b++) {
            char word[64] = "";
            strcat(strcat(word, part[a]), part[b]);
            check(word);
        }
    }
}

/* Those that the rules name as a whole, and some more of English. */
TEST(words) {
    static const char *const word[] = {
        "skis",       "skies",    "dying",       "lying",        "tying",     "idly",   "gently",
        "ugly",       "early",    "only",        "singly",       "howe",      "atlas",  "cosmos",
        "bias",       "exceeds",  "outings",     "closes",       "closing",   "said",   "says",
        "hopping",    "hoping",   "falling",     "agreed",       "bled",      "monday", "yellowed",
        "generously", "national", "communities", "na\u00efvely", "caf\u00e9s"};
    for (size_t w = 0; w < sizeof word / sizeof *word; w++)
        check(word[w]);
}

TESTS_BETWEEN(set_up, tear_down)
