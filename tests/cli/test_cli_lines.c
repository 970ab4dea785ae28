/* test_cli_lines.c - does `trapeze run` read any input, answer every line in its place, and say
 * what is wrong, where it is wrong? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/support/bad_lines.h"
#include "tests/support/shell.h"

static int setup(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("kinds.rules", kinds_rules);
    write_file("two.jsonl", "{\"id\":\"a\",\"n\":2,\"arc\":[[0,1,2],[0,0,3],[0,4,0]]}\n");
    return 0;
}

/* ---- Input and output ---------------------------------------------------------------------- */

/* Lines of different lengths, whose values are their numbers. */
static void write_numbered(const char *name, int lines) {
    FILE *file = need(fopen(name, "wb"));
    for (int i = 0; i < lines; i++) {
        int n = 1 + i * 7 % 5;
        fprintf(file, "{\"id\":%d,\"n\":%d,\"arc\":[", i, n);
        for (int h = 0; h <= n; h++) {
            fprintf(file, "%s[", h > 0 ? "," : "");
            for (int m = 0; m <= n; m++)
                fprintf(file, "%s%d", m > 0 ? "," : "", h == 0 && m == 1 ? i : 0);
            fprintf(file, "]");
        }
        fprintf(file, "]}\n");
    }
    fclose(file);
}

TEST(batches) {
    static char expected[sizeof out];
    write_numbered("many.jsonl", 200);
    works("trapeze run -r eisner -s max --best --batch 1 many.jsonl");
    memcpy(expected, out, sizeof out);
    for (int i = 0; i < 200; i++) {
        char result[64];
        snprintf(result, sizeof result, "{\"id\":%d,\"n\":%d,\"value\":%d,", i, 1 + i * 7 % 5, i);
        assert_contains(out, result);
    }
    prints(expected, "trapeze run -r eisner -s max --best many.jsonl");
    prints(expected, "trapeze run -r eisner -s max --best --batch 7 --threads 4 many.jsonl");
    prints(expected, "trapeze run -r eisner -s max --best --batch 1000000 --threads 2 many.jsonl");
}

TEST(input) {
    const char *value = "{\"id\":\"a\",\"n\":2,\"value\":6}\n";
    prints(value, "trapeze run -r eisner -s max < two.jsonl");
    prints(value, "cat two.jsonl | trapeze run -r eisner -s max -");
    prints(value, "gzip -c two.jsonl | trapeze run -r eisner -s max");
    prints("", "printf '\\n \\t\\r\\n' | trapeze run -r eisner -s max");
    prints("", "trapeze run -r eisner -s max /dev/null");
    /* A byte order mark, blank lines, CR LF, no LF at the end. */
    shell("{ printf '\\357\\273\\277\\n'; sed 's/$/\\r/' two.jsonl; printf '\\n\\n'; "
          "tr -d '\\n' < two.jsonl; } | trapeze run -r eisner -s max");
    char twice[256];
    snprintf(twice, sizeof twice, "%s%s", value, value);
    assert_result(twice);
    /* A file in the working folder goes before a built-in rule set. */
    shell("cp kinds.rules chain && trapeze run -r chain -s max two.jsonl; rm chain");
    assert_contains(err, "T: missing");
}

TEST(input_errors) {
    shell("trapeze run -r eisner -s max missing.jsonl");
    assert_int_equal(code, 1);
    assert_string_equal(err, "trapeze run: missing.jsonl: No such file or directory\n");
    refused("trapeze run: .: cannot read: Is a directory\n", "trapeze run -r eisner -s max .");
    refused("trapeze run: .: cannot read: Is a directory\n",
            "trapeze run -r eisner -s max --keep-going .");
    refused("trapeze run: ./missing.rules: No such file or directory",
            "trapeze run -r ./missing.rules -s max two.jsonl");
    write_file("bad.rules", "rules bad\nlength n\nitem x[i] 0 <= i <= n\ngoal y[n]\n"
                            "    axiom\n    --- a\n    x[i]\n");
    refused("trapeze run: bad.rules:4:", "trapeze run -r bad.rules -s max two.jsonl");
    write_file("taken.rules", "rules taken\nlength value\nitem x[i] 0 <= i <= value\ngoal x[0]\n"
                              "    axiom\n    --- a\n    x[i]\n");
    refused("the length 'value' has the name of another key",
            "trapeze run -r taken.rules -s max two.jsonl");
}

TEST(output_errors) {
    write_numbered("many.jsonl", 2000);
    if (access("/dev/full", W_OK) == 0) {
        refused("trapeze run: cannot write the results: No space left on device",
                "trapeze run -r eisner -s max two.jsonl > /dev/full");
        refused("No space left on device", "trapeze run --help > /dev/full");
    } else {
        print_message("/dev/full is not there\n");
    }
    refused("trapeze run: cannot write the results: Bad file descriptor",
            "trapeze run -r eisner -s max two.jsonl >&-");
    shell(
        "{ trapeze run -r eisner -s max --best many.jsonl; echo $? >code; } | head -c 1; cat code");
    assert_string_equal(out, "{141\n"); /* 128 + SIGPIPE, as of any command */
    assert_string_equal(err, "");
}

/* ---- Wrong lines --------------------------------------------------------------------------- */

/* What tz_problem_check finds: right in form, wrong in the scores. */
static const bad_line bad_scores[] = {
    {"{" NOT_BIAS ",\"bias\":1e300}", "beyond +-1e+290"},
    {"{" NOT_ARC ",\"arc\":[[0,1,2],[0,0,-2e290],[0,4,0]]}", "beyond +-1e+290"},
    {"{" NOT_BINARY ",\"binary\":[[1,2,0],[3,1,0]]}",
     "entry 1: binary[3,1] lies outside the declared domain"},
    {"{" NOT_BINARY ",\"binary\":[[1,2,0],[2,1,0],[1,2,1]]}",
     "entry 2 repeats binary[1,2] of entry 0"},
};
enum { BAD_SCORES = sizeof bad_scores / sizeof *bad_scores };

static const char first_line[] = "{\"id\":1," LENGTHS "," WEIGHTS "}\n";
static const char first_result[] = "{\"id\":1,\"n\":2,\"T\":2,\"value\":10.25}\n";
static const char last_line[] = "{\"id\":3," LENGTHS "," WEIGHTS "}\n";
static const char last_result[] = "{\"id\":3,\"n\":2,\"T\":2,\"value\":10.25}\n";

static void write_around(const char *line) {
    FILE *file = need(fopen("around.jsonl", "wb"));
    fprintf(file, "%s%s\n%s", first_line, line, last_line);
    fclose(file);
}

/* The message as it stands in JSON, without the quotes. */
static const char *quoted(const char *message, char text[1024]) {
    tz_text quote = {0};
    tz_text_quote(&quote, message, strlen(message));
    snprintf(text, 1024, "%.*s", (int)quote.size - 2, quote.data + 1);
    tz_text_free(&quote);
    return text;
}

static void check_bad_line(const bad_line *bad) {
    char message[1024];
    write_around(bad->line);
    shell("trapeze run -r kinds.rules -s max around.jsonl");
    assert_int_equal(code, 1);
    assert_string_equal(out, first_result);
    assert_int_equal(strncmp(err, "trapeze run: around.jsonl:2: ", 29), 0);
    assert_contains(err, bad->message);

    shell("trapeze run -r kinds.rules -s max --keep-going - < around.jsonl");
    assert_int_equal(code, 1);
    assert_int_equal(strncmp(out, first_result, strlen(first_result)), 0);
    assert_contains(out, "\"error\":\"-:2: ");
    assert_contains(out, quoted(bad->message, message));
    size_t size = strlen(out), tail = strlen(last_result);
    assert_true(size > tail && strcmp(out + size - tail, last_result) == 0);
    assert_string_equal(err, "trapeze run: -: 1 line could not be answered; see \"error\" in the "
                             "results\n");
}

TEST(bad_lines) {
    for (int i = 0; i < BAD_LINES; i++)
        check_bad_line(&bad_lines[i]);
    for (int i = 0; i < BAD_SCORES; i++)
        check_bad_line(&bad_scores[i]);
}

/* Good and bad ones in turn, in batches that end anywhere. */
TEST(keep_going) {
    static char expected[sizeof out];
    FILE *file = need(fopen("mixed.jsonl", "wb"));
    for (int i = 0; i < BAD_LINES; i++)
        fprintf(file, "%s\n{\"id\":%d," LENGTHS "," WEIGHTS "}\n", bad_lines[i].line, i);
    fclose(file);
    shell("trapeze run -r kinds.rules -s max --keep-going mixed.jsonl");
    assert_int_equal(code, 1);
    const char *at = out;
    for (int i = 0; i < BAD_LINES; i++) {
        char text[128];
        snprintf(text, sizeof text, "\"error\":\"mixed.jsonl:%d: ", 2 * i + 1);
        at = need(strstr(at, text));
        snprintf(text, sizeof text, "\n{\"id\":%d,\"n\":2,\"T\":2,\"value\":10.25}\n", i);
        at = need(strstr(at, text));
    }
    snprintf(expected, sizeof expected, "%s", out);
    shell("trapeze run -r kinds.rules -s max --keep-going --batch 3 mixed.jsonl");
    assert_int_equal(code, 1);
    assert_string_equal(out, expected);
    write_file("id.jsonl", "{\"n\":true,\"id\":[\"x\", 1]}\n{\n");
    shell("trapeze run -r kinds.rules -s max --keep-going id.jsonl");
    assert_int_equal(code, 1);
    assert_contains(out, "{\"id\":[\"x\",1],\"error\":\"id.jsonl:1: n: expected an integer");
    assert_contains(out, "{\"error\":\"id.jsonl:2: column 1: the line ends");
}

TESTS_BETWEEN(setup, shell_teardown)
