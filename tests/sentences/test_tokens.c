/* test_tokens.c - are lines cut as treebanks cut them, and do kept tokens read as text?
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "sentences/text/tokens.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

static tz_tokeniser *tokeniser;

static int set_up(void **state) {
    (void)state;
    return tz_tokeniser_new(&tokeniser, NULL) == TZ_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    tz_tokeniser_free(tokeniser);
    return 0;
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

/* The tokens of each line with '|' between them. */
static const char *const cut[][2] = {
    {"", ""},
    {" \t\u00a0", ""},
    {"word", "word"},
    {" Mr. Smith's dog didn't bark. ", "Mr.|Smith|'s|dog|did|n't|bark|."},
    {"Cllr. Jones met Ng.", "Cllr.|Jones|met|Ng|."},
    {"They’ll say it’s ours", "They|’ll|say|it|’s|ours"},
    {"I can't, I cannot; DON'T!", "I|ca|n't|,|I|can|not|;|DO|N'T|!"},
    {"the boys' toys", "the|boys|'|toys"},
    {"the 1960's and the '90s", "the|1960|'s|and|the|'90s"},
    {"gonna gotta wanna", "gon|na|got|ta|wan|na"},
    {"O'Brien's rock'n'roll", "O'Brien|'s|rock'n'roll"},
    /* hyphens */
    {"a well-known non-profit", "a|well|-|known|non-profit"},
    {"anti-American post-war e-mail", "anti-American|post-war|e-mail"},
    {"E-flat state-of-the-art", "E|-|flat|state|-|of|-|the|-|art"},
    {"either--or", "either|--|or"},
    /* full stops */
    {"He lives in the U.S. today.", "He|lives|in|the|U.S.|today|."},
    {"He lives in the U.S.", "He|lives|in|the|U.S|."},
    {"J. R. Hartley, Ph.D., et al. agree", "J.|R.|Hartley|,|Ph.D.|,|et|al.|agree"},
    {"No. 4, but no. Sat. we sat.", "No.|4|,|but|no|.|Sat.|we|sat|."},
    {"Wait... what?! No!!!", "Wait|...|what|?!|No|!!!"},
    {"The end.So it goes", "The|end|.|So|it|goes"},
    {"(ACM.N), 0700.HK; BRK.B's .NET.", "(|ACM.N|)|,|0700.HK|;|BRK.B|'s|.NET|."},
    {"a Ph.D in EI.London.AND so", "a|Ph.D|in|EI.London.AND|so"},
    {"i.e. a.m. (e.g. this)", "i.e.|a.m.|(|e.g.|this|)"},
    /* numbers */
    {"$1,000.50 is 50% of 1,4,7", "$|1,000.50|is|50|%|of|1|,|4|,|7"},
    {"at 10:30pm on 7/20/1969", "at|10:30|pm|on|7/20/1969"},
    {"20km in 3h, the 4th, 5C", "20|km|in|3|h|,|the|4th|,|5C"},
    {"1969-1970 call 555-123-4567 or 555-1234", "1969|-|1970|call|555-123-4567|or|555-1234"},
    {"5'9 and 9/11 and 1/2 of .5", "5|'|9|and|9/11|and|1|/|2|of|.5"},
    /* addresses and signs */
    {"See http://example.com/a-b_(c)?d=e. Now", "See|http://example.com/a-b_(c)?d=e|.|Now"},
    {"(www.example.org)", "(|www.example.org|)"},
    {"write to a.b-c@mail.example.com!", "write|to|a.b-c@mail.example.com|!"},
    {"my-site.com, notes-2.doc @user #topic", "my-site.com|,|notes-2.doc|@user|#topic"},
    {"AT&T and/or R&D, w/o C++", "AT&T|and|/|or|R&D|,|w/o|C++"},
    /* quotes and brackets */
    {"\"Yes,\" 'no' “maybe” ``so''", "\"|Yes|,|\"|'|no|'|“|maybe|”|``|so|''"},
    {"[x] {y} <z>", "[|x|]|{|y|}|<|z|>"},
    /* smileys and emoji: with a modifier, joined by U+200D, a flag, a keycap */
    {"good :-) bad:( ok ;)", "good|:-)|bad|:(|ok|;)"},
    {"\U0001f44d\U0001f3fd\U0001f468\u200d\U0001f469\u200d\U0001f467 "
     "\U0001f1e9\U0001f1ea1\ufe0f\u20e3",
     "\U0001f44d\U0001f3fd|\U0001f468\u200d\U0001f469\u200d\U0001f467|\U0001f1e9\U0001f1ea|"
     "1\ufe0f\u20e3"},
    /* other scripts */
    {"東京に行きます。", "東京|に|行き|ます|。"},
    {"Привет, мир!", "Привет|,|мир|!"},
    {"naïve Überfälle café’s", "naïve|Überfälle|café|’s"},
    {"ภาษาไทย", "ภาษา|ไทย"},
};

static void check_cut(const char *line, const char *expected) {
    const tz_token *token;
    size_t count;
    assert_ok(tz_tokenise(tokeniser, line, strlen(line), &token, &count));
    char text[512] = "";
    for (size_t t = 0; t < count; t++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s%.*s", t > 0 ? "|" : "",
                 (int)(token[t].end - token[t].begin), line + token[t].begin);
    }
    assert_string_equal(text, expected);
}

TEST(cut) {
    for (size_t c = 0; c < sizeof cut / sizeof *cut; c++)
        check_cut(cut[c][0], cut[c][1]);
}

/* The same under every locale that is there; Turkish has another lower case of I. */
TEST(locales) {
    static const char *const locales[] = {"C", "C.UTF-8", "tr_TR", "tr_TR.UTF-8", "ja_JP.UTF-8"};
    unsigned found = 0;
    for (size_t l = 0; l < sizeof locales / sizeof *locales; l++) {
        setenv("LC_ALL", locales[l], 1);
        setenv("LANG", locales[l], 1);
        found += setlocale(LC_ALL, "") != NULL;
        tear_down(state);
        assert_int_equal(set_up(state), 0);
        test_cut(state);
    }
    setlocale(LC_ALL, "C");
    assert_true(found > 0);
}

/* Random lines of pieces that mean something to the rules: tokens are in order, hold no white
 * space, cover all else, and cut no code point; all of them detokenised are the line, trimmed. */
TEST(random) {
    static const char *const piece[] = {
        " ",   "  ",   "\t",     "\u00a0", "n't", "'s",         "’",          "'",
        "\"",  "U.S.", "Mr.",    ".",      "...", "-",          "--",         "non-",
        "e-",  "5",    "12,000", ":",      "/",   "&",          "@",          "http://",
        "a",   "Bob",  "é",      "東",     "京",  "\U0001f44d", "\U0001f3fd", "\u200d",
        "(",   ")",    "“",      "”",      "!",   "?",          "$",          "pm",
        "can", "not",  ",",      ";",      "…",   "#",          "x.y",        "°C",
    };
    random_state random = random_start("lines");
    for (int trial = 0; trial < 20000; trial++) {
        char line[256] = "";
        for (uint64_t pieces = random_below(&random, 12); pieces > 0; pieces--)
            strcat(line, piece[random_below(&random, sizeof piece / sizeof *piece)]);
        const tz_token *token;
        size_t count, at = 0, size = strlen(line);
        assert_ok(tz_tokenise(tokeniser, line, size, &token, &count));
        bool shown[256];
        for (size_t t = 0; t < count; t++) {
            shown[t] = true;
            assert_true(token[t].begin >= at && token[t].begin < token[t].end);
            for (; at < token[t].begin; at++)
                assert_true(strchr(" \t\xc2\xa0", line[at]) != NULL);
            uint32_t code;
            for (unsigned used; at < token[t].end; at += used) {
                used = tz_utf8_decode(line + at, token[t].end - at, &code);
                assert_true(used > 0 && code != ' ' && code != '\t' && code != 0xa0);
            }
        }
        for (; at < size; at++)
            assert_true(strchr(" \t\xc2\xa0", line[at]) != NULL);
        OWNED(tz_text, text) = {0};
        tz_detokenise(line, token, count, NULL, shown, &text);
        size_t begin = count > 0 ? token[0].begin : 0, end = count > 0 ? token[count - 1].end : 0;
        assert_int_equal(text.size, end - begin);
        assert_true(text.size == 0 || memcmp(text.data, line + begin, text.size) == 0);
    }
}

/* ---- Text ------------------------------------------------------------------------------------ */

#define PLANT                                                                                      \
    "However, the state-of-the-art plant (built in \"old\" Trier, Germany), the company's pride, " \
    "didn't pay $44m, she said."

/* A line, the tokens that are dropped (each also where it stands more than once), what is left. */
static const char *const kept[][3] = {
    {PLANT, "", PLANT},
    /* commas at the beginning, before the full stop, two together; the first letter */
    {PLANT, "However|the|company|'s|pride",
     "State-of art plant (built in \"old\" Trier, Germany), didn't pay $44m, she said."},
    {PLANT, "she|said",
     "However, the state-of-the-art plant (built in \"old\" Trier, Germany), the company's pride, "
     "didn't pay $44m."},
    {PLANT, "However|the|company|pride|'s|built|in|old|Trier|Germany",
     "State-of art plant, didn't pay $44m, she said."},
    /* hyphens go with what they joined */
    {PLANT, "of|art",
     "However, the state the plant (built in \"old\" Trier, Germany), the company's pride, didn't "
     "pay $44m, she said."},
    {"a well-known and long-term plan", "well|term", "a known and long plan"},
    {"a 63-year-old man", "-|man", "a 63-year-old"},
    {"a 63-year-old man", "-|year", "a 63 old man"},
    /* brackets and quotes go in pairs, and around nothing */
    {"The plant (in Trier) shut", "(", "The plant (in Trier) shut"},
    {"The plant (in Trier) shut", "(|in", "The plant Trier shut"},
    {"The plant (in Trier) shut", "in|Trier", "The plant shut"},
    {"He said \"no way\" twice", "no|way", "He said twice"},
    {"He said “no way” twice", "”", "He said “no way” twice"},
    {"He said “no way” twice", "”|no", "He said way twice"},
    {"The old 'red' lion's cub", "red", "The old lion's cub"},
    {"The firm's “old” unit was shut", "“|”|was", "The firm's “old” unit shut"},
    {"A \"huge win,\" he said.", "\"|,|he|said", "A \"huge win.\""},
    {"A \"huge win,\" he said.", "\"|,|he|said|A", "Huge win."},
    {"The boys asked \"are we in Rome?\"", "\"|in|Rome|boys", "The asked \"are we?\""},
    {"Half (a pair", "Half", "A pair"},
    {"Acme (acme.Oslo) reported a loss!", "(|acme|.|Oslo|)", "Acme reported a loss!"},
    {"the old boys' club, \"new", "old|\"", "the boys' club, new"},
    {"Land was lost.[1][2] The line, however, held.", ",|however", "Land was lost. The line held."},
    {"Land was lost.[1][2] The line, however, held.", "The|,|however", "Land was lost. Line held."},
    {"They met on Monday to close it.[1]", "on|Monday", "They met to close it."},
    {"It met in Trier,[1][b] a city, to see us.[12]", "to|see|us", "It met in Trier, a city."},
    /* commas where marks alone are left out, or an odd number of them */
    {"The reds, the greens, and \"old\" blues won.", ",|\"|old",
     "The reds, the greens, and blues won."},
    {"In May, after a year, the old firm, a bank, shut.", "after|a|year|,",
     "In May the old firm, bank, shut."},
    {"The firm shut when it rained, leaving ten men (and, well, women) there.",
     "when|it|rained|,|(|and|well|women|)", "The firm shut, leaving ten men there."},
    {"He said it stopped; she, that it ran.", ";|,", "He said it stopped; she, that it ran."},
    {"The boys asked on Monday: \"Are we proud of this?\"", "on|Monday|:|\"|of|this",
     "The boys asked: \"Are we proud?\""},
    {"It met in May: in Trier, it said no.", "in|May|:|Trier|,", "It met, it said no."},
    /* the end: its own mark, the sentence's within a quotation, no second stop */
    {"They said: \"We will not sell the plant.\"", "They|said|:|\"|the|plant|.",
     "\"We will not sell.\""},
    {"\"I won,\" he said.", "he|said", "\"I won.\""},
    {"\"I won\", he said.", "he|said", "\"I won\"."},
    {"“I won,” he said!", "he|said", "“I won!”"},
    {"\"I won,\" he said.", "", "\"I won,\" he said."},
    {"\"They won,\" he said.", "\"|he|said", "They won."},
    {"1. Whisk the eggs.", "1|.|the", "1. Whisk eggs."},
    {"(a) Whisk the eggs.", "(|a|)|Whisk", "(a) The eggs."},
    {"- Whisk the eggs.", "-|the", "- Whisk eggs."},
    {"> Whisk the eggs.", ">|the", "> Whisk eggs."},
    {"J. Smith left.", "J.", "Smith left."},
    {"He came on Monday; she left.", "on|Monday|;", "He came; she left."},
    {"They said: \"We will not sell the plant.\"", "They|.",
     "Said: \"We will not sell the plant.\""},
    {"\"Will they sell?\" he said, and left.", "\"|?|he|said|,|and|left", "Will they sell?"},
    {"He works for Acme Inc. in Dover.", "in|Dover", "He works for Acme Inc."},
    {"He works for Acme Inc. in Dover?", "in|Dover", "He works for Acme Inc.?"},
    {"These are new and old:", "new|and", "These are old."},
    {"\"It rained. It is over,\" she said.", "\"|It|is|over|,", "Rained, she said."},
    {"Then the iPad came", "Then|the", "iPad came"},
    /* what stands close stays close over a gap */
    {"It costs ($ 5 or) $5, I think.", "5", "It costs ($ or) $, I think."},
    {"A man, 30, and 50%, or so", "30|or|so", "A man, and 50%"},
    {"The king of France's hat", "of|France", "The king's hat"},
    {"\"Stop it now,\" he said: \"Never!\"", "it|now", "\"Stop,\" he said: \"Never!\""},
    /* odd but as it stood: nothing was left out here */
    {"Yes , , no ( ) .", "", "Yes , , no ( ) ."},
    {"éclair is a word", "is", "éclair a word"},
    {"Ein élan is a word", "Ein", "Élan is a word"},
    {"One two", "One|two", ""},
    {"\U0001f44d Fine, I guess", "Fine", "\U0001f44d, I guess"},
};

static bool listed(const char *list, const char *text, size_t size) {
    for (const char *at = list; *at; at += strcspn(at, "|"), at += *at == '|')
        if (strcspn(at, "|") == size && memcmp(at, text, size) == 0)
            return true;
    return false;
}

TEST(kept) {
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        const char *line = kept[k][0];
        const tz_token *token;
        size_t count;
        bool shown[256];
        assert_ok(tz_tokenise(tokeniser, line, strlen(line), &token, &count));
        for (size_t t = 0; t < count; t++)
            shown[t] = !listed(kept[k][1], line + token[t].begin, token[t].end - token[t].begin);
        OWNED(tz_text, text) = {0};
        tz_detokenise(line, token, count, NULL, shown, &text);
        tz_text_add(&text, "", 1);
        assert_false(text.failed);
        assert_string_equal(text.data, kept[k][2]);
    }
}

/* A line, the tokens that are dropped, each token's head and relation, what is left. */
static const char *const with_tree[][4] = {
    {"He signed a big, $ 5 deal.", "big|,",
     "2 nsubj 0 root 4 det 2 obj 6 punct 4 appos 6 nummod 6 appos 2 punct",
     "He signed a $ 5 deal."},
    {"He signed a new, long deal.", "long|,",
     "2 nsubj 0 root 7 det 7 amod 6 punct 7 amod 2 obj 2 punct", "He signed a new deal."},
    {"He vowed on Sunday, May 6, here, to go.", "on|Sunday|May|6|here|,",
     "2 nsubj 0 root 4 case 2 obl 6 punct 4 appos 6 nummod 9 punct 2 advmod 12 punct 12 mark "
     "2 advcl 2 punct",
     "He vowed to go."},
    {"He said on Monday, it rained.", "on|Monday|,",
     "2 nsubj 0 root 4 case 2 obl 2 punct 7 nsubj 2 ccomp 2 punct", "He said it rained."},
    {"He left on Monday, as it rained.", "on|Monday|,",
     "2 nsubj 0 root 4 case 2 obl 8 punct 8 mark 8 nsubj 2 advcl 2 punct",
     "He left, as it rained."},
    {"He said on Monday, \"it rained.\"", "on|Monday|,",
     "2 nsubj 0 root 4 case 2 obl 2 punct 8 punct 8 nsubj 2 ccomp 2 punct 8 punct",
     "He said, \"it rained.\""},
    {"Ann, who was ill, was late.", "ill|,",
     "8 nsubj 5 punct 5 nsubj 5 cop 1 acl:relcl 1 punct 8 cop 0 root 8 punct",
     "Ann, who was, was late."},
};

TEST(trees) {
    for (size_t k = 0; k < sizeof with_tree / sizeof *with_tree; k++) {
        const char *line = with_tree[k][0], *at = with_tree[k][2];
        const tz_token *token;
        size_t count;
        bool shown[32];
        int32_t head[33] = {0};
        char name[33][16];
        const char *deprel[33] = {NULL};
        assert_ok(tz_tokenise(tokeniser, line, strlen(line), &token, &count));
        for (size_t t = 0; t < count; t++) {
            int used = 0;
            assert_int_equal(sscanf(at, "%d %15s%n", &head[t + 1], name[t + 1], &used), 2);
            deprel[t + 1] = name[t + 1];
            at += used;
            shown[t] =
                !listed(with_tree[k][1], line + token[t].begin, token[t].end - token[t].begin);
        }
        assert_string_equal(at, "");
        const tz_kept_tree tree = {head, deprel};
        OWNED(tz_text, text) = {0};
        tz_detokenise(line, token, count, &tree, shown, &text);
        tz_text_add(&text, "", 1);
        assert_false(text.failed);
        assert_string_equal(text.data, with_tree[k][3]);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    (void)user;
    static const char line[] = "One \"two\" three don't.";
    OWN(tz_tokeniser, t) = NULL;
    const tz_token *token;
    size_t count;
    OWNED(tz_text, text) = {0};
    tz_status status = tz_tokeniser_new(&t, NULL);
    if (status == TZ_OK)
        status = tz_tokenise(t, line, strlen(line), &token, &count);
    if (status == TZ_OK) {
        bool shown[16] = {true, false, true};
        assert_int_equal(count, 8);
        tz_detokenise(line, token, count, NULL, shown, &text);
        status = text.failed ? TZ_NO_MEMORY : TZ_OK;
    }
    return (int)status;
}

TEST(memory) {
    oom_sweep("tokens", attempt, NULL, TZ_NO_MEMORY, false);
}

TESTS_BETWEEN(set_up, tear_down)
