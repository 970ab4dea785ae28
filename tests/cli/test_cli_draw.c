/* test_cli_draw.c - does `trapeze draw` do what its manual says, as a user types it?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/shell.h"

/* `trapeze draw ARGUMENTS`, and what the shell makes of them. */
static void draw(const char *arguments) {
    shell("trapeze draw %s", arguments);
}

static int set_up(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("two.conllu", "# sent_id = a\n"
                             "1\tgo\t_\t_\t_\t_\t0\troot\t_\t_\n"
                             "\n"
                             "# sent_id = b\n"
                             "1\tit\t_\t_\t_\t_\t2\tnsubj\t_\t_\n"
                             "2\tis\t_\t_\t_\t_\t0\troot\t_\t_\n"
                             "\n");
    write_file("two.jsonl",
               "\n{\"id\":\"a\",\"n\":2,\"best\":{\"score\":1,\"weights\":[[\"arc\",0,2,1]]},"
               "\"derivation\":{\"item\":\"p\",\"index\":[0,2],\"rule\":\"r\",\"premises\":[{"
               "\"item\":\"q\",\"index\":[],\"rule\":\"s\",\"premises\":[]}]}}\n"
               "{\"id\":2,\"n\":1,\"best\":null,\"derivation\":null}\n");
    return 0;
}

static const char conllu_a[] = "a\n"
                               " ┌─root─┐\n"
                               " │      ▼\n"
                               "ROOT    go\n";
static const char conllu_b[] = "b\n"
                               " ┌────root────┐\n"
                               " │   ┌─nsubj─┐│\n"
                               " │   ▼       │▼\n"
                               "ROOT it      is\n";
static const char result_a[] = "a: score 1\n"
                               " ┌───────┐\n"
                               " │       ▼\n"
                               "ROOT (1) 2\n";
static const char proof_a[] = "a\n"
                              "  ─ s\n"
                              "  q\n"
                              "────── r\n"
                              "p[0,2]\n";

static void check_output(const char *arguments, const char *first, const char *second) {
    char both[4096];
    snprintf(both, sizeof both, "%s%s%s", first, first[0] && second[0] ? "\n" : "", second);
    draw(arguments);
    assert_result(both);
}

TEST(text) {
    check_output("two.conllu", conllu_a, conllu_b);
    check_output("<two.conllu", conllu_a, conllu_b);
    check_output("- <two.conllu", conllu_a, conllu_b);
    check_output("--sentence 2 two.conllu", "", conllu_b);
    check_output("--sentence=1:2 two.conllu", conllu_a, conllu_b);
    check_output("--sentence 2:9 two.conllu", "", conllu_b);
    check_output("two.conllu --id a", conllu_a, "");
    check_output("two.jsonl", result_a, "2: no derivation\n");
    check_output("two.jsonl --sentence 1", result_a, "");
    check_output("two.jsonl --sentence 2", "", "2: no derivation\n");
    check_output("two.jsonl --id 2", "", "2: no derivation\n");
    check_output("two.jsonl --no-captions --id a", strchr(result_a, '\n') + 1, "");
    check_output("two.jsonl --derivation", proof_a, "2: no derivation\n");
    check_output("two.jsonl --derivation --format outline --id a", "a\np[0,2]  r\n└─ q  s\n", "");
    check_output("two.jsonl --derivation --format tree --width 1 --id a", proof_a, "");
    check_output("two.jsonl --arcs none --id a", "a: score 1\n(1) (2)\n", "");
    check_output("two.jsonl --color=always --id a",
                 "a: score 1\n ┌─────┐\n │     ▼\nROOT \033[2m1\033[0m 2\n", "");
    check_output("/dev/null", "", "");
    check_output("-o text.txt two.jsonl && cat text.txt", result_a, "2: no derivation\n");
    check_output("two.conllu --width 15 --id b", "", conllu_b);
    check_output("two.conllu --width 14 --id b",
                 "b\n ┌─root──┐\n │   ┌──┐│\n │   ▼  │▼\nROOT it is\n", "");
}

TEST(svg) {
    static const char *const all[] = {"two.conllu", "two.jsonl", "--derivation two.jsonl",
                                      "/dev/null"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "-o x.svg %s", all[i]);
        draw(arguments);
        assert_int_equal(code, 0);
        assert_string_equal(err, "");
        assert_string_equal(out, "");
        shell("cat x.svg");
        assert_int_equal(strncmp(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39), 0);
        assert_string_equal(out + strlen(out) - 7, "</svg>\n");
        size_t titles = 0;
        for (const char *at = out; (at = strstr(at, "<title>")); at++)
            titles++;
        assert_int_equal(titles, i < 3 ? 2 : 0);
    }
    /* The same bytes whatever the locale says about numbers. */
    draw("-o x.svg two.conllu; LC_ALL=de_DE.UTF-8 trapeze draw -o y.svg two.conllu; cmp x.svg "
         "y.svg");
    assert_int_equal(code, 0);
}

static void check_failure(const char *arguments, int expected, const char *message) {
    draw(arguments);
    assert_int_equal(code, expected);
    if (strncmp(err, message, strlen(message)) != 0)
        fail_msg("'%s' does not begin with '%s'", err, message);
}

TEST(errors) {
    write_file("bad.conllu", "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n1\tb\n");
    check_failure("bad.conllu", 1, "trapeze draw: bad.conllu:3: 2 columns where CoNLL-U has 10");
    assert_string_equal(out, " ┌───┐\n │   ▼\nROOT a\n");
    check_failure("--sentence 1 bad.conllu", 0, "");
    check_failure("<bad.conllu -o z.svg", 1, "trapeze draw: standard input:3: 2 columns");
    assert_int_equal(access("z.svg", F_OK), -1);
    write_file("bad.jsonl", "{\"id\":1,\n");
    check_failure("bad.jsonl", 1,
                  "trapeze draw: bad.jsonl:1: column 8: the line ends inside a value: write the "
                  "whole of it on one line");
    check_failure("none.jsonl", 1, "trapeze draw: none.jsonl: No such file");
    check_failure(".", 1, "trapeze draw: .: cannot read: Is a directory");
    check_failure("two.conllu -o none/x.svg", 1,
                  "trapeze draw: none/x.svg: cannot write: No such file");
    check_failure("two.conllu -o none/x.txt", 1,
                  "trapeze draw: none/x.txt: cannot write: No such file");
    check_failure("two.conllu --derivation", 1,
                  "trapeze draw: two.conllu:1: --derivation draws results");
    check_failure("two.conllu --sentence 3", 1, "trapeze draw: two.conllu: there is no such");
    check_failure("two.jsonl --id x", 1, "trapeze draw: two.jsonl: there is no such sentence");
    if (access("/dev/full", W_OK) == 0) {
        check_failure("two.jsonl -o /dev/full", 1,
                      "trapeze draw: /dev/full: cannot write: No space");
        check_failure("two.jsonl >/dev/full", 1, "trapeze draw: cannot write ");
    }
}

TEST(usage) {
    check_failure("a b", 2, "trapeze draw: one FILE at most, not 'a' and 'b'");
    check_failure("--sentence 0", 2, "trapeze draw: --sentence is a number from 1, ");
    check_failure("--sentence 3:2", 2, "trapeze draw: --sentence is ");
    check_failure("--sentence 3:", 2, "trapeze draw: --sentence is ");
    check_failure("--sentence 3x", 2, "trapeze draw: --sentence is ");
    check_failure("--sentence 99999999999999999999", 2, "trapeze draw: --sentence is ");
    check_failure("--color red", 2, "trapeze draw: --color is auto, always or never, not 'red'");
    check_failure("--width 0", 2, "trapeze draw: --width takes a whole number from 1 to ");
    check_failure("--format dot", 2, "trapeze draw: --format is tree or outline, not 'dot'");
    check_failure("--format tree", 2, "trapeze draw: --format says how to draw a --derivation");
    check_failure("--derivation --format outline -o x.svg", 2,
                  "trapeze draw: --format outline is for text, not for SVG");
    check_failure("--derivation --arcs x", 2, "trapeze draw: --arcs does not go with");
    draw("--help");
    assert_int_equal(code, 0);
    static const char *const options[] = {"--output", "--derivation", "--format",
                                          "--arcs",   "--sentence",   "--id",
                                          "--color",  "--width",      "--no-captions"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_non_null(strstr(out, options[i]));
}

/* By the shapes of a rule set's weights; what the result says must be of that rule set. */
TEST(shapes) {
    draw("-r eisner --id a two.jsonl");
    assert_result(result_a);
    write_file("tags.jsonl",
               "{\"n\":2,\"T\":3,\"words\":[\"go\",\"on\"],\"best\":{\"score\":1,\"weights\":"
               "[[\"start\",2,0],[\"emit\",1,2,1],[\"emit\",2,0,1]]}}\n");
    draw("-r chain tags.jsonl");
    assert_result("score 1\n"
                  "go  on\n"
                  " 2   0\n");
    draw("-r chain -o tags.svg tags.jsonl && grep -c '<text' tags.svg");
    assert_result("5\n");
    write_file("edits.jsonl", "{\"n\":2,\"m\":2,\"best\":{\"score\":0,\"weights\":"
                              "[[\"sub\",1,1,0],[\"del\",2,1,0],[\"ins\",2,2,0]]}}\n");
    draw("-r edit edits.jsonl");
    assert_result("score 0\n"
                  "  1 2\n"
                  "1 ■ ·\n"
                  "2 │ ─\n");
    draw("-r edit -o edits.svg edits.jsonl && grep -c '<g transform=' edits.svg");
    assert_result("4\n");
    draw("-r edit tags.jsonl");
    assert_refused("tags.jsonl:1: \"m\", a length of edit, is not a number from 0 to 1048576");
    draw("-r semimarkov tags.jsonl");
    assert_refused("tags.jsonl:1: entry 1 of \"weights\" is of no weight of semimarkov");
    write_file("wide.jsonl", "{\"n\":2,\"T\":1,\"best\":{\"score\":1,\"weights\":"
                             "[[\"emit\",1,2,1]]}}\n");
    draw("-r chain wide.jsonl");
    assert_refused("wide.jsonl:1: entry 1 of \"weights\" is no cell of emit for these lengths");
    write_file("plain.rules", "rules plain\nlength T\nweight one[a] 0 <= a < T\nitem x\ngoal x\n\n"
                              "axiom\n--- some * one[a]\nx\n");
    write_file("plain.jsonl", "{\"T\":1,\"best\":{\"score\":1,\"weights\":[[\"one\",0,1]]}}\n");
    draw("-r plain.rules plain.jsonl");
    assert_refused("plain.jsonl:1: no weight of plain has a shape that is drawn");
    draw("-r eisnr two.jsonl");
    assert_usage("eisner");
    draw("-r eisner --arcs arc two.jsonl");
    assert_usage("--arcs says which weight is drawn; with -r their shapes do");
}

/* Where inputs are looked up stands in the proof tree, which the best derivation alone has: with a
 * list beside it, it is drawn alone; a list alone is refused, and says so. */
TEST(lists_with_inputs) {
    write_file("tags.rules",
               "rules tags\nlength n, T, V\ninput x[i] < V  1 <= i <= n\n"
               "weight emit[a,v] 0 <= a < T, 0 <= v < V\nweight trans[a,b] 0 <= a < T, 0 <= b < T\n"
               "item state[i,a] 1 <= i <= n, 0 <= a < T\nitem done\ngoal done\n\n"
               "  axiom\n  --- first * emit[a,x[1]]\n  state[1,a]\n\n"
               "  state[i-1,a]\n  --- then * trans[a,b] * emit[b,x[i]]\n  state[i,b]\n\n"
               "  state[n,_]\n  --- finish\n  done\n");
    write_file(
        "x.jsonl",
        "{\"n\":3,\"T\":2,\"V\":2,\"x\":[0,1,1],\"emit\":[[1,0],[0,2]],\"trans\":[[0,0],[0,0]]}\n");
    static const char drawn[] = "score 5\n 1   2   3\n 0   1   1\n";
    prints(drawn, "trapeze run -r tags.rules -s max --best --derivation x.jsonl | trapeze draw -r "
                  "tags.rules");
    prints(drawn, "trapeze run -r tags.rules -s max --best --derivation --kbest 2 x.jsonl | "
                  "trapeze draw -r tags.rules");
    refused("stands in the proof tree, which only the best derivation has: draw the result of "
            "`trapeze run` --best --derivation",
            "trapeze run -r tags.rules -s max --kbest 2 x.jsonl | trapeze draw -r tags.rules");
}

TESTS_BETWEEN(set_up, shell_teardown)
