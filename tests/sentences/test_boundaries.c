/* test_boundaries.c - are lines cut into sentences as readers do, and is it told what is no
 * English, or is law? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "sentences/text/boundaries.h"
#include "sentences/text/manner.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

static tz_splitter *splitter;

static int set_up(void **state) {
    (void)state;
    return tz_splitter_new(&splitter, NULL) == TZ_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    tz_splitter_free(splitter);
    return 0;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* '|' where a sentence ends and another one begins; the blank behind it is not part of either. */
static const char *const lines[] = {
    "",
    "No end",
    "One ends here.| Two ends there!| Three?| Four",
    "It rained...| We left.",
    /* a small letter, a comma */
    "\"We won!\" she said.| He left.",
    "Yahoo!, the firm, grew. it fell.",
    /* what a sentence begins with */
    "1. The first point.| 2. The second.| B. The third.",
    "It cost 12.5. 12 men bought it.| No more.", /* Unicode sees no end before a number */
    /* brackets */
    "The firm (it began in May. It ended in June.) is gone.| It was small.",
    "(It began in May.| It ended in June.)| It is gone.",
    "Open ( for ever.| No end.",
    /* titles and initials */
    "Mr. Smith met Dr. J. R. Jones and Gen. Lee.| They ate.",
    "So do I.| The rest of us does not.",
    /* abbreviations: before a name, a number, an opening word, a quotation */
    "It moved to Acme Inc. of Dover.| Acme Inc. Dover Ltd. won.",
    "He works for Acme Inc.| The firm is old.",
    "Cllr. Smith met Sqn. Ldr. Jones.| She works for the Blvd.| They met Mr Ng.| Smith left.",
    "He lives in the U.S.| He likes it.| The U.S. Senate met on Jan. 5 at 5 p.m.| \"It is late,\" "
    "he "
    "said.",
    "See No. 5 and fig. 3.| No.| Then see p. 12.",
    "Plums, figs etc.| We ate them.",
    /* quotation marks close a sentence, or open one */
    "“It is late.”| “So it is.”| 'Good.'| Good.",
    /* other scripts */
    "東京に行きます。|雨です。",
    "Привет, мир!| Как дела?",
};

TEST(lines) {
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        char line[512] = "", found[512] = "";
        for (const char *from = lines[l]; *from; from++)
            if (*from != '|')
                strncat(line, from, 1);
        const tz_token *sentence;
        size_t count, at = 0;
        assert_ok(tz_split_line(splitter, line, strlen(line), &sentence, &count));
        for (size_t s = 0; s < count; s++) {
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%.*s",
                     s > 0 ? "|" : "", (int)(sentence[s].end - at), line + at);
            at = sentence[s].end;
        }
        assert_string_equal(found, lines[l]);
    }
}

/* Of any text, the sentences are all of it but white space, in order, and none is empty. */
TEST(random) {
    static const char *const piece[] = {"A",  "a",  ".",      "!",      "(",    ")", " ",
                                        "\t", "1",  "\"",     "Mr",     "U.S.", ",", "\u00a0",
                                        "é",  "\n", "\u2028", "\u3002", "The ", "?", "\u201d"};
    random_state random = random_start("boundaries");
    size_t all = 0;
    for (int round = 0; round < 2000; round++) {
        char line[256] = "";
        for (size_t p = random_below(&random, 40); p > 0; p--)
            strcat(line, piece[random_below(&random, sizeof piece / sizeof *piece)]);
        const tz_token *sentence;
        size_t count, size = strlen(line), at = 0;
        assert_ok(tz_split_line(splitter, line, size, &sentence, &count));
        for (size_t s = 0; s <= count; s++) {
            size_t begin = s < count ? sentence[s].begin : size;
            assert_true(begin >= at && begin <= size);
            for (; at < begin; at++)
                assert_true((unsigned char)line[at] <= ' ' || (unsigned char)line[at] >= 0x80);
            assert_true(s == count || sentence[s].end > begin);
            at = s < count ? sentence[s].end : size;
        }
        all += count;
    }
    assert_true(all > 3000);
}

static int attempt(void *user) {
    (void)user;
    static const char line[] = "One. Two. Three.";
    OWN(tz_splitter, own) = NULL;
    const tz_token *sentence;
    size_t count;
    tz_status status = tz_splitter_new(&own, NULL);
    if (status == TZ_OK)
        status = tz_split_line(own, line, strlen(line), &sentence, &count);
    return (int)status;
}

TEST(memory) {
    oom_sweep("boundaries", attempt, NULL, TZ_NO_MEMORY, false);
}

/* ---- Manner ---------------------------------------------------------------------------------- */

static size_t words_of(const char *text, char *room, const char **word) {
    size_t count = 0;
    strcpy(room, text);
    for (char *at = strtok(room, " "); at; at = strtok(NULL, " "))
        word[count++] = at;
    return count;
}

TEST(english) {
    static const struct {
        const char *text;
        bool lacks;
    } set[] = {
        {"The bridge over the river was closed on Monday after a lorry had hit one of its piers , "
         "and "
         "it will not open before May",
         false},
        {"Die Brücke über den Fluss wurde am Montag gesperrt , nachdem ein Lastwagen einen ihrer "
         "Pfeiler gerammt hatte , und sie öffnet nicht vor Mai",
         true},
        {"Die Brücke wurde gesperrt", false}, /* too short to tell */
        {"мост через реку был закрыт в понедельник после того как грузовик ударил одну из его опор "
         "и не откроется до мая",
         true},
    };
    for (size_t s = 0; s < sizeof set / sizeof *set; s++) {
        char room[512];
        const char *word[64];
        size_t count = words_of(set[s].text, room, word);
        tz_english english = {0};
        tz_english_add(&english, word, count);
        assert_int_equal(tz_english_lacks(&english), set[s].lacks);
    }
}

TEST(law) {
    static const struct {
        const char *text;
        bool law;
    } set[] = {
        {"A person is guilty of an offence under this section if he fails to give such notice , or "
         "gives notice that is false",
         true},
        {"The order is void if ( a ) it was not signed ; ( b ) it was not sealed", true},
        {"Any dog may bark", false}, /* two signs */
        {"The company may close any of its plants next year , the union said", false},
        {"ANY DOG SHALL BARK OR RUN", true},
        {"", false},
        {"( a )", false},
    };
    for (size_t s = 0; s < sizeof set / sizeof *set; s++) {
        char room[512];
        const char *word[64];
        size_t count = words_of(set[s].text, room, word);
        assert_int_equal(tz_like_law(word, count), set[s].law);
    }
}

TEST(notes) {
    static const struct {
        const char *text;
        size_t marker;
        bool note;
    } set[] = {
        {"- Fill it halfway with equal parts of white vinegar and water .", 1, true},
        {"1 . Fill it halfway with equal parts of white vinegar and water .", 2, true},
        {"( a ) Fill it halfway with equal parts of white vinegar and water .", 3, true},
        {"a ) Fill it halfway with equal parts of white vinegar and water .", 2, true},
        {"> Fill it halfway with equal parts of white vinegar and water .", 1, true},
        {"J. Smith filled it halfway with equal parts of vinegar and water .", 0, false},
        {"- a b c d e f g h i j k l m n o p q r s t u v w x y .", 1, false},
        {"ACTION : Sarah to contact the council about the light and report back .", 0, true},
        {"Present : Ann Bell ( chair ) , Tom Reed , Yusuf Khan", 0, true},
        {"Police : the man was held on Monday and has now been released .", 0, false},
        {"Before you leave the flat , please :", 0, true},
        {"The bridge was closed to lorries on Monday .", 0, false},
        {"It was over .", 0, true},
        {"", 0, true},
    };
    for (size_t s = 0; s < sizeof set / sizeof *set; s++) {
        char room[512];
        const char *word[64];
        size_t count = words_of(set[s].text, room, word);
        assert_int_equal(tz_marker(word, count), set[s].marker);
        assert_int_equal(tz_like_note(word, count), set[s].note);
    }
}

TESTS_BETWEEN(set_up, tear_down)
