/* test_layout.c - which lines are prose, and which go on in the next one?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "sentences/text/layout.h"

/* ---- Kinds ----------------------------------------------------------------------------------- */

static const struct {
    const char *line;
    tz_line_kind kind;
} lines[] = {
    {"", TZ_PROSE},
    {"The old bridge, which was built in 1911, was closed (again) on Monday.", TZ_PROSE},
    {"Write to <anna@example.org>; see <http://example.org/a_b?c=d>.", TZ_PROSE},
    {"See http://example.org/a/b?c=d&e=f#g for the plan; it is 5 < 7.", TZ_PROSE},
    {"1. Eggs, flour and milk (two cups); 2) butter, $5 & more.", TZ_PROSE},
    {"At 12:30 Anna said: come in!", TZ_PROSE},
    {"Smith: We will not sell.", TZ_PROSE},
    {"The law (section 4(1)(a)) applies; see sections 5, 6 and 7.", TZ_PROSE},
    {"He paid $1,000 - or was it \"1,500\"? - for a/the car.", TZ_PROSE},
    {"<p>The old bridge is <b>closed</b>.", TZ_MARKUP},
    {"<!-- nothing -->", TZ_MARKUP},
    {"The bridge{{citation needed}} is closed.", TZ_MARKUP},
    {"\\section{The bridge}", TZ_MARKUP},
    {"```", TZ_MARKUP},
    {"| name | age | town |", TZ_TABLE},
    {"Anna\t34\tDover", TZ_TABLE},
    {"Anna      34      Dover", TZ_TABLE},
    {"+------+-----+", TZ_TABLE},
    {"for (int i = 0; i < n; i++) {", TZ_CODE},
    {"#include <stdio.h>", TZ_CODE},
    {"    return f(x) == y;", TZ_CODE},
    {">>> print(1)", TZ_CODE},
    {"x = a[i] + b[j]", TZ_CODE},
    {"<anna> are you there?", TZ_CHAT},
    {"[12:31] <anna> are you there?", TZ_CHAT},
    {"12:31:05 anna: are you there?", TZ_CHAT},
};

TEST(kinds) {
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
        if (tz_line_kind_of(lines[l].line, strlen(lines[l].line)) != lines[l].kind)
            fail_msg("%s: %d", lines[l].line,
                     (int)tz_line_kind_of(lines[l].line, strlen(lines[l].line)));
}

/* ---- Lines in a row -------------------------------------------------------------------------- */

static bool wrapped(const char *text) {
    tz_layout_look look = {0};
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        tz_layout_look_at(&look, text, strcspn(text, "\n"));
    return tz_layout_wrapped(&look);
}

TEST(wrapped) {
    assert_true(wrapped("The council met on Monday to talk about the plan for\n"
                        "a new school on the site of the old brewery. It put\n"
                        "off its decision until the cost is known.\n"));
    assert_true(
        wrapped("Dear all,\n\n> quoted lines of another mail do not count, nor does\n> this\n\n"
                "the council met on Monday to talk about the plan for\n"
                "https://example.org/a-very-long-address-that-stands-alone-on-its-line-and-more\n\n"
                "a new school on the site of the old brewery. They put\n"
                "off their decision until the cost is known.\n\nBest,\nAnna\n"));
    /* Sentences, one a line: no line goes on. */
    assert_false(wrapped("The council met on Monday to talk about the plan.\n"
                         "It put off its decision until the cost is known.\n"
                         "The old brewery has been empty for eleven years.\n"));
    /* Without capitals and stops, of all lengths. */
    assert_false(wrapped("the dog barks at the old grey cat of the neighbours\n"
                         "the cat sleeps\nthe council met on monday to talk\n"));
    assert_false(wrapped("the cat sleeps\nthe dog barks\n"));
    assert_false(wrapped("the old dog or the red cat shall bark or see any tree\n"
                         "the wet dog sees a cat\n"));
    assert_false(wrapped("- eggs and flour and butter for the cake of the guests\n"
                         "- milk and bread and cheese for all the other people\n"));
    assert_false(wrapped(""));
}

static bool goes_on(const char *line, const char *next) {
    return tz_line_goes_on(50, line, strlen(line), next, strlen(next));
}

TEST(goes_on) {
    static const char full[] = "The council met on Monday to talk about the plan";
    assert_true(goes_on(full, "for a new school."));
    assert_true(goes_on(full, "Smith had made."));
    assert_true(goes_on("It met. And then", "it went home."));
    assert_true(goes_on("- eggs, flour and", "butter"));
    assert_false(goes_on(full, ""));
    assert_false(goes_on("", full));
    assert_false(goes_on("Minutes of the meeting", "The council met."));
    assert_false(goes_on("It met.", "then it went."));
    assert_false(
        goes_on("> The council met on Monday to talk about the plan", "for a new school."));
    assert_false(goes_on(full, "> for a new school."));
    assert_false(goes_on(full, "- for a new school."));
    assert_false(goes_on(full, "1. for a new school."));
    assert_false(goes_on(full, "(a) for a new school."));
    assert_false(goes_on("| a | b | c | d | e | f | g | h | i | j | k | l |", "m"));
}
