/* test_json.c - are problems read as the format says, wrong ones refused with a message that tells
 * where and why, and numbers printed so that they read back? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trapeze/trapeze.h>

#include "base/number.h"
#include "base/text.h"
#include "io/json/json.h"
#include "io/json/json_problem.h"
#include "tests/support/bad_lines.h"
#include "tests/support/comma.h"
#include "tests/support/random.h"
#include "tests/support/rules_text.h"

static tz_arena *arena; /* of the value that parse() has returned */
static tz_error error;

/* ---- Numbers ------------------------------------------------------------------------------- */

static void assert_prints(double number, const char *expected) {
    char text[TZ_NUMBER_SIZE];
    size_t size = tz_number_print(text, number);
    assert_string_equal(text, expected);
    assert_int_equal(size, strlen(expected));
}

TEST(print) {
    assert_prints(0, "0");
    assert_prints(-0.0, "-0.0");
    assert_prints(1, "1");
    assert_prints(-17, "-17");
    assert_prints(0.1, "0.1");
    assert_prints(-2.5, "-2.5");
    assert_prints(1.0 / 3, "0.3333333333333333");
    assert_prints(0.1 + 0.2, "0.30000000000000004");
    assert_prints(1e15, "1000000000000000");
    assert_prints(9007199254740992.0, "9007199254740992");
    assert_prints(-9223372036854774784.0, "-9223372036854774784");
    assert_prints(9223372036854775808.0, "9.223372036854776e+18");
    assert_prints(1e22, "1e+22");
    assert_prints(1e-7, "1e-07");
    assert_prints(1.7976931348623157e308, "1.7976931348623157e+308");
    assert_prints(5e-324, "4.94065645841247e-324");
    assert_prints(-INFINITY, "null");
    assert_prints(INFINITY, "\"inf\"");
    assert_prints(NAN, "\"nan\"");
}

/* Any bits, decimals of few digits, and whole numbers. */
static double random_number(random_state *random) {
    uint64_t bits = random_bits(random);
    double number;
    switch (random_below(random, 3)) {
    case 0:
        memcpy(&number, &bits, sizeof number);
        return isfinite(number) ? number : 0.5;
    case 1:
        return (double)(int64_t)(bits % 2000000) / 1000 - 1000;
    default:
        return (double)(int64_t)bits;
    }
}

/* NULL where the text is no value. It lives until the next call. */
static const json_t *parse(const char *text, size_t size) {
    const json_t *value;
    tz_arena_free(arena);
    arena = need(tz_arena_new());
    tz_status status = tz_json_parse(arena, text, size, &value, &error);
    assert_true(status == TZ_OK ? value != NULL : status == TZ_BAD_ARGUMENT && value == NULL);
    return value;
}

static void check_round_trips(void) {
    random_state random = random_start("round trips");
    for (int i = 0; i < 200000; i++) {
        char text[TZ_NUMBER_SIZE];
        double number = random_number(&random);
        size_t size = tz_number_print(text, number);
        double back = json_number_value(parse(text, size));
        if (memcmp(&back, &number, sizeof back) != 0)
            fail_msg("%a is printed as %s, which reads as %a", number, text, back);
    }
}

TEST(round_trips) {
    check_round_trips();
}

TEST(locale) {
    use_comma();
    assert_prints(0.5, "0.5");
    assert_prints(1.0 / 3, "0.3333333333333333");
    check_round_trips();
    setlocale(LC_ALL, "C");
}

/* ---- Values -------------------------------------------------------------------------------- */

/* What is read, and how it is written. */
TEST(values) {
    static const char *const values[][2] = {
        {"null", "null"},
        {" true ", "true"},
        {"-15", "-15"},
        {"9007199254740993", "9007199254740993"},
        {"0.1", "0.1"},
        {"-2.50e0", "-2.5"},
        {"1e-400", "0.0"},
        {"\"\"", "\"\""},
        {"[]", "[]"},
        {"{ }", "{}"},
        {"[ [], {},\r[1,\t2.5, {\"b\":[], \"a\": null}]]", "[[],{},[1,2.5,{\"b\":[],\"a\":null}]]"},
        {"\"\\u00e9\\ud83d\\ude00 \xf0\x9f\x98\x80\\u0007\\/\\\"\"",
         "\"\xc3\xa9\xf0\x9f\x98\x80 \xf0\x9f\x98\x80\\u0007/\\\"\""},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        OWNED(tz_text, text) = {0};
        const json_t *value = parse(values[i][0], strlen(values[i][0]));
        if (value == NULL)
            fail_msg("%s: %s", values[i][0], error.message);
        assert_ok(tz_json_print(arena, value, &text));
        tz_text_add(&text, "", 1);
        assert_string_equal(text.data, values[i][1]);
    }
}

TEST(no_value) {
    static const char *const bad[] = {
        "",          "nul",          "tru",         "[",        "[1",         "[1,",   "[1,]",
        "[,1]",      "[1 2]",        "{\"a\"}",     "{\"a\":}", "{\"a\":1,}", "{1:2}", "[1}",
        "{\"a\":1]", "\"\\ud83dx\"", "\"\\udc00\"", "- 1",      "1 2",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (parse(bad[i], strlen(bad[i])) != NULL)
            fail_msg("%s is taken for JSON", bad[i]);
        assert_int_equal(strncmp(error.message, "column ", 7), 0);
    }
}

TEST(depth) {
    char text[2 * (JSON_PARSER_MAX_DEPTH + 1)];
    for (size_t extra = 0; extra < 2; extra++) {
        size_t depth = JSON_PARSER_MAX_DEPTH + extra;
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        assert_true((parse(text, 2 * depth) != NULL) == (extra == 0));
    }
    /* A megabyte of brackets is refused, not followed. */
    size_t size = 1 << 20;
    FREED(char, deep) = need(malloc(size));
    memset(deep, '[', size);
    assert_null(parse(deep, size));
    assert_non_null(strstr(error.message, "nested more than "));
}

TEST(quote) {
    OWNED(tz_text, text) = {0};
    static const char bytes[] = "a\"b\\\n\x7f\xc3\xa9\xff.";
    tz_text_quote(&text, bytes, sizeof bytes - 1);
    tz_text_add(&text, "", 1);
    assert_string_equal(text.data, "\"a\\\"b\\\\\\u000a\\u007f\xc3\xa9\xef\xbf\xbd.\"");
}

/* ---- Problems ------------------------------------------------------------------------------ */

static int setup(void **state) {
    *state = parse_rules(kinds_rules);
    return 0;
}

static int teardown(void **state) {
    tz_rules_free(*state);
    return 0;
}

/* Reads from memory that ends where the line ends, so that a sanitizer sees what reads further. */
static tz_status read_line(tz_json_problem *p, const char *line) {
    size_t size = strlen(line);
    FREED(char, copy) = need(malloc(size > 0 ? size : 1));
    memcpy(copy, line, size);
    return tz_json_problem_read(p, copy, size, &error);
}

static void read_good(tz_json_problem *p, const char *line) {
    if (read_line(p, line) != TZ_OK)
        fail_msg("%s\n%s", line, error.message);
}

static double score(const tz_json_problem *p, size_t weight, ptrdiff_t a, ptrdiff_t b,
                    ptrdiff_t c) {
    const tz_scores *s = &p->problem.scores[weight];
    return ((const double *)s->data)[a * s->stride[0] + b * s->stride[1] + c * s->stride[2]];
}

static bool text_is(const tz_text *text, const char *expected) {
    return text->size == strlen(expected) && memcmp(text->data, expected, text->size) == 0;
}

TEST_BETWEEN(setup, teardown, problem) {
    OWNED(tz_json_problem, p) = {0};
    assert_ok(tz_json_problem_init(&p, *state, NULL));
    read_good(&p, GOOD_LINE);
    assert_int_equal(p.problem.lengths[0], 2);
    assert_int_equal(p.problem.lengths[1], 2);
    assert_true(score(&p, 0, 0, 0, 0) == -INFINITY);
    assert_true(score(&p, 0, 0, 2, 0) == 2);
    assert_true(score(&p, 0, 2, 1, 0) == 4);
    assert_int_equal(p.problem.scores[0].extent[1], 3);
    assert_true(score(&p, 1, 1, 0, 0) == 0.5);
    assert_true(score(&p, 2, 0, 0, 0) == 0.25);
    assert_true(score(&p, 4, 1, 0, 2) == 9);
    const tz_scores *binary = &p.problem.scores[3];
    assert_int_equal(binary->entries, 2);
    assert_int_equal(binary->index[1], 2);
    assert_int_equal(binary->index[2], 2);
    assert_true(((const double *)binary->data)[0] == -0.5);
    assert_true(((const double *)binary->data)[binary->stride[0]] == -INFINITY);
    assert_int_equal(p.id.size, 0);
    assert_int_equal(p.words.size, 0);
}

TEST_BETWEEN(setup, teardown, format) {
    OWNED(tz_json_problem, p) = {0};
    assert_ok(tz_json_problem_init(&p, *state, NULL));

    /* Keys in any order, escaped ones, unknown ones, blanks and a carriage return. */
    read_good(&p, " { " WEIGHTS " , \"x\" : [{\"n\":9}], \"\\u0054\" : 2 , \"n\":2 , \"y\":0 } \r");
    assert_int_equal(p.problem.lengths[1], 2);

    /* Keys of the caller's own, also such as are a little like known ones; and keys of results. */
    read_good(&p, "{\"text\":1,\"arc.q\":[],\"ix\":2,\"k\":3,\"N\":4,\"world\":5,\"value\":6,"
                  "\"cost\":7,\"kl\":8," LENGTHS "," WEIGHTS "}");

    /* Longer arrays, and anything that is a number outside the domain. */
    read_good(&p, "{" NOT_ARC ",\"arc\":[[1e300,1,2,9],[0,null,3,9],[0,4,0,9],[9,9,9,9]]}");
    assert_int_equal(p.problem.scores[0].extent[0], 4);
    assert_true(score(&p, 0, 2, 1, 0) == 4);

    /* Scores of any size and length; a rank-0 weight that is impossible. */
    read_good(&p, "{" NOT_BIAS ",\"bias\":null}");
    assert_true(score(&p, 2, 0, 0, 0) == -INFINITY);
    read_good(&p, "{" NOT_BIAS ",\"bias\":1000000000000000000}");
    assert_true(score(&p, 2, 0, 0, 0) == 1e18);
    read_good(&p, "{" NOT_BIAS ",\"bias\":-0.1000000000000000055511151231257827021181583404541}");
    assert_true(score(&p, 2, 0, 0, 0) == -0.1);

    /* Lengths that are whole however they are written; an empty domain takes empty arrays. */
    read_good(&p, "{\"n\":2.0,\"T\":2e0," WEIGHTS "}");
    assert_int_equal(p.problem.lengths[0], 2);
    read_good(&p, "{\"n\":0,\"T\":0,\"arc\":[]," SHIFT "," BIAS ",\"binary\":[]," CUBE "}");
    read_good(&p, "{\"n\":0,\"T\":0,\"arc\":[[]]," SHIFT "," BIAS ",\"binary\":[]," CUBE "}");
    read_good(&p, "{\"n\":0,\"T\":0,\"arc\":[[7]]," SHIFT "," BIAS ",\"binary\":[]," CUBE "}");
    assert_int_equal(p.problem.scores[3].entries, 0);

    /* What is echoed. */
    read_good(&p, "{" LENGTHS "," WEIGHTS ",\"words\":[\"caf\xc3\xa9\", \"\\u0041\"],"
                  "\"id\":{\"a\":[1.50, 1234567890123456789]}}");
    assert_true(text_is(&p.id, "{\"a\":[1.5,1234567890123456789]}"));
    assert_true(text_is(&p.words, "[\"caf\xc3\xa9\",\"A\"]"));
    read_good(&p, "{\"id\":[1,\r2]," LENGTHS "," WEIGHTS "}");
    assert_true(text_is(&p.id, "[1,2]"));
    static const struct {
        const char *given, *echoed;
    } ids[] = {
        {"1.0", "1.0"},
        {"-0.0", "-0.0"},
        {"0.1", "0.1"},
        {"1e15", "1000000000000000.0"},
        {"1e25", "1e+25"},
        {"1e-7", "1e-07"},
        {"[1.0]", "[1.0]"},
        {"7", "7"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"\"\"", "\"\""},
        {"null", "null"},
        {"{\"b\":true,\"a\":[]}", "{\"b\":true,\"a\":[]}"},
    };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char line[1024];
        snprintf(line, sizeof line, "{\"id\":%s," LENGTHS "," WEIGHTS "}", ids[i].given);
        read_good(&p, line);
        if (!text_is(&p.id, ids[i].echoed))
            fail_msg("%s became %.*s", ids[i].given, (int)p.id.size, p.id.data);
    }
    assert_int_equal(p.words.size, 0);
}

TEST_BETWEEN(setup, teardown, bad_lines) {
    OWNED(tz_json_problem, p) = {0};
    assert_true(BAD_LINES >= 45);
    assert_ok(tz_json_problem_init(&p, *state, NULL));
    for (int i = 0; i < BAD_LINES; i++) {
        tz_status status = read_line(&p, bad_lines[i].line);
        if (status != TZ_BAD_ARGUMENT || strstr(error.message, bad_lines[i].message) == NULL)
            fail_msg("%s\nsays     %s\nexpected %s", bad_lines[i].line,
                     status == TZ_OK ? "nothing" : error.message, bad_lines[i].message);
        read_good(&p, GOOD_LINE);
    }
}

/* Every beginning of a good line is refused, and so is the line with any byte taken out or
 * changed, unless it is still a problem; nothing reads out of bounds. */
TEST_BETWEEN(setup, teardown, mutations) {
    OWNED(tz_json_problem, p) = {0};
    char line[] = "{\"id\":\"\\u00e9\xc3\xa9\"," LENGTHS "," WEIGHTS ",\"words\":[\"a\",\"b\"]}";
    size_t size = strlen(line);
    assert_ok(tz_json_problem_init(&p, *state, NULL));
    for (size_t cut = 0; cut < size; cut++) {
        char kept = line[cut];
        line[cut] = '\0';
        assert_int_equal(read_line(&p, line), TZ_BAD_ARGUMENT);
        line[cut] = kept;
    }
    for (size_t at = 0; at < size; at++) {
        char kept = line[at];
        for (int byte = 0; byte < 256; byte++) {
            line[at] = (char)byte;
            tz_status status = tz_json_problem_read(&p, line, size, &error);
            assert_true(status == TZ_OK || (status == TZ_BAD_ARGUMENT && error.message[0] != '\0'));
        }
        line[at] = kept;
    }
    read_good(&p, line);
}

TEST_BETWEEN(setup, teardown, id_after_error) {
    OWNED(tz_json_problem, p) = {0};
    assert_ok(tz_json_problem_init(&p, *state, NULL));
    assert_int_equal(read_line(&p, "{\"n\":-1,\"id\":\"late\"}"), TZ_BAD_ARGUMENT);
    assert_true(text_is(&p.id, "\"late\""));
    assert_int_equal(read_line(&p, "{\"id\":7,\"n\":-1}"), TZ_BAD_ARGUMENT);
    assert_true(text_is(&p.id, "7"));
    assert_int_equal(read_line(&p, "{\"id\":7,\"n\":x}"), TZ_BAD_ARGUMENT);
    assert_int_equal(p.id.size, 0);
}

TEST(taken_names) {
    static const char *const bad[] = {
        "rules r\nlength value\nitem x[i] 0 <= i <= value\ngoal x[0]\n    axiom\n    --- a\n"
        "    x[i]\n",
        "rules r\nlength n\nweight id[i] 0 <= i <= n\nitem x[i] 0 <= i <= n\ngoal x[0]\n"
        "    axiom\n    --- a * id[i]\n    x[i]\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OWN(tz_rules, rules) = parse_rules(bad[i]);
        assert_int_equal(tz_json_problem_rules(rules, &error), TZ_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, i == 0 ? "the length 'value'" : "the weight 'id'"));
    }
    OWN(tz_rules, rules) = parse_rules(kinds_rules);
    assert_ok(tz_json_problem_rules(rules, NULL));
}

static int free_arena(void **state) {
    (void)state;
    tz_arena_free(arena);
    return 0;
}

TESTS_BETWEEN(NULL, free_arena)
