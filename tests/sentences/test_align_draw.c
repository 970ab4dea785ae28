/* test_align_draw.c - are alignments drawn as they are? Grids to the letter; of bands, that the SVG
 * is XML, and that neither words nor bands lie on words; through the command, too.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/width.h"
#include "sentences/align/draw/draw.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/shell.h"

/* ---- Grids ----------------------------------------------------------------------------------- */

TEST(grid) {
    write_file("pairs.jsonl",
               "{\"id\":\"one\",\"document\":[\"The dog barks .\",\"Rain falls .\",\"A cat sees it "
               "!\",\"Yes ?\"],\"abstract\":[\"Well , well\",\"a cat and the dog\",\"Oh\",\"barks "
               "!\"]}\n"
               "{\"document\":\"x\",\"abstract\":\"\"}\n"
               "{\"id\":[7],\"document\":[\"a b\",\"b c\"],\"abstract\":\"b\"}\n");
    prints("# linked   . not linked   | next sentence   ... sentences without links\n\n"
           "one\n"
           "...\n"
           "        b\n"
           "        a           s\n"
           "    T d r         c e\n"
           "    h o k         a e i\n"
           "    e g s . ... A t s t ! ...\n"
           "  a . . . .     # . . . .\n"
           "cat . . . .     . # . . .\n"
           "and . . . .     . . . . .\n"
           "the # . . .     . . . . .\n"
           "dog . # . .     . . . . .\n"
           "...\n"
           "          b\n"
           "          a           s\n"
           "      T d r         c e\n"
           "      h o k         a e i\n"
           "      e g s . ... A t s t ! ...\n"
           "barks . . # .     . . . . .\n"
           "    ! . . . .     . . . . #\n"
           "\n\n[7]\n"
           "  a b   b c\n"
           "b . # | # .\n",
           "trapeze align -b identity -f text pairs.jsonl");
    /* East Asian letters are two columns wide; accents stand on theirs; no control characters. */
    write_file("wide.jsonl", "{\"document\":[\"\xe6\x9d\xb1\xe4\xba\xac x e\xcc\x81\xcc\xa0 "
                             "o\\u0007k\"],\"abstract\":[\"x \xe6\x9d\xb1\xe4\xba\xac\"]}\n");
    prints("# linked   . not linked   | next sentence   ... sentences without links\n\n"
           "           o\n"
           "    \xe6\x9d\xb1     \xef\xbf\xbd\n"
           "    \xe4\xba\xac x e\xcc\x81\xcc\xa0 k\n"
           "   x . # . .\n"
           "\xe6\x9d\xb1\xe4\xba\xac # . . .\n",
           "trapeze align -b identity -f text wide.jsonl");
}

/* Sentences that do not fit beside each other stand below each other. */
TEST(wide_grid) {
    prints(
        "# linked   . not linked   | next sentence   ... sentences without links\n\n"
        "  ... a c ...\nd     .\nc     . #\n\n  b d ...\nd . #\nc .\n",
        "awk 'BEGIN { for (i = 0; i < 50; i++) { a = a \" a\"; b = b \" b\" } print "
        "\"{\\\"document\\\":[\\\"x\\\",\\\"\" a \" c\\\",\\\"x\\\",\\\"\" b \" d\\\",\\\"x\\\"],"
        "\\\"abstract\\\":\\\"d c\\\"}\" }' > wide.jsonl; "
        "trapeze align -b identity -f text wide.jsonl | sed 's/\\( [ab.]\\)\\1*/\\1/g'");
}

/* Links that are likely, and phrases. */
TEST(likely) {
    static const char *const words[] = {"a", "b", "c"};
    const tz_side document = {.word = words, .words = 3}, abstract = {.word = words, .words = 2};
    const tz_phrase_pair phrase = {.document = {1, 3}, .abstract = {0, 1}};
    const tz_links links = {2, (tz_link[]){{1, 0}, {2, 0}}};
    const tz_links likely = {3, (tz_link[]){{0, 0}, {1, 0}, {2, 1}}};
    const tz_drawn_alignment drawn = {.caption = "c <",
                                      .document = &document,
                                      .abstract = &abstract,
                                      .phrase = &phrase,
                                      .phrases = 1,
                                      .links = &links,
                                      .opt_likely = &likely};
    locale_t utf8 = tz_utf8_locale();
    OWNED(tz_text, text) = {0};
    assert_ok(tz_draw_grid(&drawn, utf8, 120, &text));
    tz_text_add(&text, "", 1);
    assert_string_equal(text.data, "c <\n  a b c\na + # #\nb . . +\n");
    freelocale(utf8);
}

/* ---- Bands: what is read from the SVG -------------------------------------------------------- */

enum { WORDS = 48, MOST_SHOWN = 4 * WORDS, MOST_THREADS = 1 << 14 };

typedef struct shown_word {
    double left, right, y;
} shown_word;

/* A band goes straight down from (x, top) to (x, bottom). */
typedef struct shown_thread {
    double x, top, bottom;
} shown_thread;

static shown_word word[MOST_SHOWN];
static shown_thread through[MOST_THREADS];
static size_t shown_words, shown_threads;

/* Is it XML? Tags are closed in order; nothing but five entities; no control characters. */
static void check_xml(const char *svg) {
    char open[64][16];
    size_t depth = 0;
    for (const char *at = svg; *at; at++) {
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
        if (*at == '&')
            assert_true(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                        strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&quot;", 6) == 0 ||
                        strncmp(at, "&#39;", 5) == 0);
        if (*at != '<')
            continue;
        const char *end = need(strchr(at, '>'));
        if (at[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_memory_equal(at + 2, open[depth], strlen(open[depth]));
            assert_true(at[2 + strlen(open[depth])] == '>');
        } else if (end[-1] != '/') {
            size_t size = strcspn(at + 1, " >");
            assert_true(depth < 64 && size < 16);
            snprintf(open[depth++], sizeof *open, "%.*s", (int)size, at + 1);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static double number_after(const char *text, const char *key) {
    const char *at = need(strstr(text, key));
    return strtod(at + strlen(key), NULL);
}

static void read_words(const char *svg) {
    shown_words = 0;
    for (const char *at = svg; (at = strstr(at, "<text x=")); at++) {
        const char *end = strchr(at, '>'), *width = strstr(at, "textLength=\"");
        if (!strstr(at, "middle") || strstr(at, "middle") > end)
            continue; /* no word */
        double x = number_after(at, "x=\""),
               half = width != NULL && width < end ? number_after(width, "\"") / 2 : 0;
        assert_true(shown_words < MOST_SHOWN);
        word[shown_words++] = (shown_word){x - half, x + half, number_after(at, "y=\"")};
    }
}

/* Of a path only C, with six numbers, moves to the left or right; V is what passes a line. */
static void read_threads(const char *svg) {
    shown_threads = 0;
    for (const char *at = svg; (at = strstr(at, " d=\"M")); at++) {
        double x = 0, y = 0;
        const char *c = at + 4;
        while (*c != '"') {
            char command = *c++;
            double value[6];
            int numbers = command == 'C' ? 6 : command == 'V' ? 1 : command == 'z' ? 0 : 2;
            for (int n = 0; n < numbers; n++) {
                char *end;
                value[n] = strtod(c, &end);
                assert_true(end > c);
                c = end;
            }
            if (command == 'V') {
                assert_true(shown_threads < MOST_THREADS);
                through[shown_threads++] =
                    (shown_thread){x, y < value[0] ? y : value[0], y < value[0] ? value[0] : y};
                y = value[0];
            } else if (numbers > 0) {
                x = value[numbers - 2];
                y = value[numbers - 1];
            }
        }
    }
}

/* Words of a line do not meet, and no thread is on a word. */
static void check_places(void) {
    for (size_t w = 1; w < shown_words; w++)
        assert_true(word[w].y > word[w - 1].y || word[w].left > word[w - 1].right + 1);
    for (size_t t = 0; t < shown_threads; t++)
        for (size_t w = 0; w < shown_words; w++)
            assert_false(word[w].y > through[t].top && word[w].y < through[t].bottom &&
                         through[t].x > word[w].left && through[t].x < word[w].right);
}

/* ---- Bands: made at random ------------------------------------------------------------------- */

static const char *const lexicon[] = {"a",  "of",   "&", "<b>",          "\"",       "it's",
                                      "\1", "owls", ".", "\xe6\x9d\xb1", "\xcc\x81", "transformer"};

typedef struct sample {
    const char *word[2][WORDS];
    size_t end[2][WORDS];
    tz_side side[2];
    tz_phrase_pair phrase[WORDS];
    size_t phrases;
} sample;

static void make_sample(random_state *random, sample *s) {
    for (size_t k = 0; k < 2; k++) {
        size_t words = random_below(random, WORDS + 1), sentences = 0;
        for (size_t w = 0; w < words; w++) {
            s->word[k][w] = lexicon[random_below(random, sizeof lexicon / sizeof *lexicon)];
            if (w + 1 == words || random_below(random, 8) == 0)
                s->end[k][sentences++] = w + 1;
        }
        s->side[k] = (tz_side){s->word[k], words, s->end[k], sentences};
    }
    s->phrases = 0;
    size_t n = s->side[0].words, m = s->side[1].words;
    for (size_t t = 0; t < m && n > 0;) {
        size_t p = 1 + random_below(random, 3), q = 1 + random_below(random, 3);
        uint32_t j = (uint32_t)random_below(random, n);
        if (t + p <= m && j + q <= n && random_below(random, 3) > 0) {
            s->phrase[s->phrases++] =
                (tz_phrase_pair){{j, j + (uint32_t)q}, {(uint32_t)t, (uint32_t)(t + p)}, false};
        }
        t += p;
    }
}

static tz_drawn_alignment drawn_of(const sample *s) {
    static const tz_links none = {0, NULL};
    return (tz_drawn_alignment){.caption = "",
                                .document = &s->side[0],
                                .abstract = &s->side[1],
                                .phrase = s->phrase,
                                .phrases = s->phrases,
                                .links = &none};
}

TEST(bands) {
    random_state random = random_start("bands");
    locale_t utf8 = tz_utf8_locale();
    size_t threads = 0;
    for (int round = 0; round < 300; round++) {
        sample s;
        make_sample(&random, &s);
        tz_drawn_alignment drawn = drawn_of(&s);
        tz_page page = {0};
        assert_ok(tz_draw_bands(&drawn, utf8, &page));
        tz_text_add(&page.text, "", 1);
        check_xml(page.text.data);
        read_words(page.text.data);
        read_threads(page.text.data);
        check_places();
        threads += shown_threads;
        tz_text_free(&page.text);
    }
    assert_true(threads > 1000);
    freelocale(utf8);
}

/* ---- The command ----------------------------------------------------------------------------- */

TEST(svg) {
    write_file("pairs.jsonl", "{\"id\":\"<1>\",\"document\":\"a & b\",\"abstract\":\"b & c\"}\n"
                              "{\"document\":\"a\",\"abstract\":\"b\"}\n");
    prints("<svg xmlns=\"http://www.w3.org/2000/svg\"",
           "trapeze align -b identity -f svg pairs.jsonl | tee a.svg | head -c 39");
    prints("2\n2\n</svg>\n1\n",
           "grep -c '<path' a.svg; grep -c 'fill=\"#999\" [^>]*>[ac]<' a.svg; tail -n 1 a.svg; "
           "grep -c '&lt;1&gt;' a.svg");
    shell("cat a.svg");
    check_xml(out);
    shell("trapeze align -b identity -f svg < /dev/null");
    check_xml(out);
    /* Bands of 600 lines with 600 others, the other way round. */
    refused(
        "large.jsonl:1: the texts are too long to be drawn; --format=json or pharaoh",
        "awk 'BEGIN { for (i = 1; i < 12000; i++) { s = s (i %% 20 ? \" \" : \"\\\",\\\"\") i; "
        "t = i (i %% 20 ? \" \" : \"\\\",\\\"\") t } print \"{\\\"document\\\":[\\\"\" s \"\\\"],"
        "\\\"abstract\\\":[\\\"\" t \"\\\"]}\" }' > large.jsonl; trapeze align -b identity -f svg "
        "large.jsonl > a.svg");
    usage("--format is pharaoh, json, text or svg, not 'png'",
          "trapeze align -b identity -f png pairs.jsonl");
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt_bands(void *user) {
    tz_page page = {0};
    tz_drawn_alignment drawn = drawn_of(user);
    tz_status status = tz_draw_bands(&drawn, (locale_t)0, &page);
    tz_text_free(&page.text);
    return (int)status;
}

static int attempt_grid(void *user) {
    OWNED(tz_text, text) = {0};
    tz_drawn_alignment drawn = drawn_of(user);
    drawn.links = &(const tz_links){1, (tz_link[]){{0, 0}}};
    return tz_draw_grid(&drawn, (locale_t)0, 120, &text);
}

TEST(out_of_memory) {
    random_state random = {5};
    sample s;
    do
        make_sample(&random, &s);
    while (s.phrases < 4);
    oom_sweep("bands", attempt_bands, &s, TZ_NO_MEMORY, false);
    oom_sweep("grids", attempt_grid, &s, TZ_NO_MEMORY, false);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
