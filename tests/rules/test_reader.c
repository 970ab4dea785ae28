/* test_reader.c - is every text, however broken, read or refused without harm?
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/message.h"
#include "tests/support/random.h"
#include "tests/support/rules_text.h"

static void assert_refused_sized(const char *text, size_t size, const char *message) {
    tz_rules rules;
    tz_error error;
    assert_int_equal(read_sized(text, size, &rules, &error), TZ_BAD_RULES);
    assert_int_equal(error.status, TZ_BAD_RULES);
    assert_string_equal(error.message, message);
    tz_arena_free(rules.arena);
}

static void assert_refused(const char *text, const char *message) {
    assert_refused_sized(text, strlen(text), message);
}

/* ---- Bytes and sizes ------------------------------------------------------------------------- */

TEST(bytes) {
    static const struct {
        const char *text;
        size_t size;
        const char *message;
    } cases[] = {
        {"# a\nrules\0x", 11, "2:6: zero byte: this is not a text file; save it as UTF-8"},
        {"# \xff", 3, "1:3: byte 0xff is not UTF-8: save the file as UTF-8"},
        {"# \xc3\xa9\xc3", 5, "1:4: byte 0xc3 is not UTF-8: save the file as UTF-8"},
        {"# \xc3\n\xa9", 5, "1:3: byte 0xc3 is not UTF-8: save the file as UTF-8"},
        {"# \xc0\x80", 4, "1:3: byte 0xc0 is not UTF-8: save the file as UTF-8"},
        {"# \xe0\x80\xaf", 5, "1:3: byte 0xe0 is not UTF-8: save the file as UTF-8"},
        {"# \xed\xa0\x80", 5, "1:3: byte 0xed is not UTF-8: save the file as UTF-8"},
        {"# \xf4\x90\x80\x80", 6, "1:3: byte 0xf4 is not UTF-8: save the file as UTF-8"},
        {"# \xf0\x9f\x8c", 5, "1:3: byte 0xf0 is not UTF-8: save the file as UTF-8"},
        {"rules a\rlength", 14,
         "1:8: control character 0x0d: remove it, lines end with LF or CR LF"},
        {"rules a\n# \x1b[0m", 15, "2:3: control character 0x1b: remove it"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char message[256];
        snprintf(message, sizeof message, "test.rules:%s", cases[c].message);
        assert_refused_sized(cases[c].text, cases[c].size, message);
    }
    assert_refused(
        "\xef\xbb\xbfrules \xe2\x82\xac\nlength n\ngoal a\naxiom\n--- b\na",
        "test.rules:1:7: expected the name of the rule set but found \"\xe2\x82\xac\" in "
        "the `rules` line: names have letters a to z, digits and _");
}

TEST(sizes) {
    enum { LINE = 4096, HUGE_LINE = 10 << 20, FILE_MOST = 1 << 20 };
    FREED(char, text) = need(malloc(HUGE_LINE));
    memset(text, 'x', HUGE_LINE);
    assert_refused_sized(text, HUGE_LINE,
                         "test.rules:1:1: this file has more than 1048576 bytes: split it");
    assert_refused_sized(text, FILE_MOST,
                         "test.rules:1:1: this line has more than 4096 bytes: break it up");
    memcpy(text, "#\n#", 3);
    text[2 + LINE + 1] = '\n';
    assert_refused_sized(text, 2 + LINE + 2,
                         "test.rules:2:1: this line has more than 4096 bytes: break it up");
    text[2 + LINE] = '\r'; /* of the line's end */
    assert_refused_sized(
        text, 2 + LINE + 2,
        "test.rules:1:1: no `rules` line: name the rule set, as in `rules eisner`");
    assert_refused_sized(
        text, 2 + LINE, "test.rules:1:1: no `rules` line: name the rule set, as in `rules eisner`");
}

/* More lines of one kind than there may be. */
TEST(lines) {
    enum { LINES = 1025 };
    char *text = malloc(16 * LINES), *to = text;
    assert_non_null(text);
    for (int l = 0; l < LINES; l++)
        to += sprintf(to, "item x%d\n", l);
    assert_refused(text, "test.rules:1025:1: more than 1024 lines like this one (rules, items, "
                         "weights, ...): leave some out");
    free(text);
}

/* A message that does not fit ends with a whole code point. */
TEST(long_message) {
    tz_error error;
    char file[1200];
    for (size_t begin = 1; begin < 5; begin++) {
        memset(file, 'f', begin);
        for (size_t i = begin; i + 3 < sizeof file; i += 3)
            memcpy(file + i, "\xe2\x82\xac", 4);
        assert_int_equal(tz_bad_rules(&error, file, 1, 2, "%s", "message"), TZ_BAD_RULES);
        size_t size = strlen(error.message);
        assert_true(size < sizeof error.message && size + 4 > sizeof error.message);
        assert_int_equal((size - begin) % 3, 0);
    }
    assert_int_equal(tz_bad_rules(NULL, file, 1, 2, "%s", "message"), TZ_BAD_RULES);
}

/* ---- Chance ---------------------------------------------------------------------------------- */

enum { ROOM = 1 << 13 }; /* of a file, and more */

/* Changes the text in one way; returns its new size, which is not larger. */
static size_t mutate(random_state *random, char *text, size_t size) {
    static const char *const tokens[] = {"[",  "]",  ",",     "+",      "-", "*", "<",   "=",
                                         "!=", "if", "axiom", "sparse", "n", "i", "999", "\n"};
    size_t at = random_below(random, size), from = random_below(random, size);
    switch (random_below(random, 6)) {
    case 0: /* a bit */
        text[at] = (char)(text[at] ^ (1 << random_below(random, 8)));
        return size;
    case 1: /* a byte */
        text[at] = (char)random_below(random, 256);
        return size;
    case 2: /* the end */
        return at + 1;
    case 3: { /* a token over what is there */
        const char *token = tokens[random_below(random, sizeof tokens / sizeof tokens[0])];
        size_t length = strlen(token);
        if (at + length <= size)
            memcpy(text + at, token, length);
        return size;
    }
    case 4: { /* a piece moved */
        size_t length = random_below(random, 40);
        if (at + length <= size && from + length <= size)
            memmove(text + at, text + from, length);
        return size;
    }
    default: { /* a line removed */
        char *begin = memchr(text + at, '\n', size - at);
        char *end =
            begin == NULL ? NULL : memchr(begin + 1, '\n', size - (size_t)(begin + 1 - text));
        if (end == NULL)
            return size;
        memmove(begin, end, size - (size_t)(end - text));
        return size - (size_t)(end - begin);
    }
    }
}

/* Whatever a file says, it is read or refused with one line of text that says where. */
TEST(mutations) {
    enum { TRIALS = 20000 };
    static const char *const files[] = {"eisner", "compress-sibling", "cky", "semimarkov"};
    char *file[4];
    size_t file_size[4];
    for (int f = 0; f < 4; f++) {
        file[f] = rule_file(files[f], &file_size[f]);
        assert_in_range(file_size[f], 1, ROOM - 1);
    }
    random_state random = random_start("test_mutations");
    size_t refused = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        char text[ROOM];
        size_t size = file_size[trial % 4];
        memcpy(text, file[trial % 4], size);
        for (uint64_t changes = 1 + random_below(&random, 3); changes > 0; changes--)
            size = mutate(&random, text, size);
        tz_rules rules;
        tz_error error;
        tz_status status = read_sized(text, size, &rules, &error);
        assert_true(status == TZ_OK || status == TZ_BAD_RULES);
        assert_int_equal(status, error.status);
        unsigned line = 0, column = 0;
        if (status == TZ_BAD_RULES) {
            refused++;
            assert_int_equal(sscanf(error.message, "test.rules:%u:%u: ", &line, &column), 2);
            assert_true(line >= 1 && column >= 1 && line <= ROOM && column <= ROOM);
            for (const char *p = error.message; *p != '\0'; p++)
                assert_true((unsigned char)*p >= 0x20);
        }
        tz_arena_free(rules.arena);
    }
    for (int f = 0; f < 4; f++)
        free(file[f]);
    /* Most changes do harm, and some, as in comments, do not. */
    assert_in_range(refused, TRIALS / 4, TRIALS - TRIALS / 50);
}
