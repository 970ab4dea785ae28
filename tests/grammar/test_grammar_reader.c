/* test_grammar_reader.c - are grammars read as they are written: rules, weights, lists, messages?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <trapeze/grammar.h>

#include "tests/support/oom.h"

static const char tiny[] = "# a grammar\n"
                           "S -> NP VP [1.0]\n"
                           "NP -> 'they' [0.5] | NP 'and' NP [0.25] | [0.25]\n"
                           "VP -> V [0.5] | V NP [0.5]\n"
                           "V -> \"run\" [1]\n";

static tz_grammar *parse(const char *text, tz_notation notation, tz_rule_weights weights) {
    tz_grammar *grammar;
    tz_error error;
    if (tz_grammar_parse("text", text, strlen(text), notation, weights, NULL, 0, &grammar,
                         &error) != TZ_OK)
        fail_msg("%s", error.message);
    return grammar;
}

static char *shown(const tz_grammar *grammar, bool binarised) {
    const size_t size = tz_grammar_show(grammar, binarised, NULL, 0);
    char *text = need(malloc(size + 1));
    assert_true(size > 0);
    assert_int_equal(tz_grammar_show(grammar, binarised, text, size + 1), size);
    return text;
}

static void expect_shown(tz_grammar *grammar, bool binarised, const char *expected) {
    FREED(char, text) = shown(grammar, binarised);
    assert_string_equal(text, expected);
}

TEST(rules) {
    OWN(tz_grammar, grammar) = parse(tiny, TZ_ARROWS, TZ_RULE_PROBABILITIES);
    const tz_grammar_parts *parts = tz_grammar_parts_of(grammar);
    assert_int_equal(parts->rules, 7);
    assert_int_equal(parts->words, 3);
    assert_string_equal(parts->symbol[parts->root], "S");
    assert_string_equal(parts->word[1], "and");
    assert_int_equal(tz_grammar_word(grammar, "and", 3), 1);
    assert_int_equal(tz_grammar_word(grammar, "an", 2), -1);
    assert_int_equal(tz_grammar_symbol(grammar, "VP", 2), 2);
    assert_int_equal(parts->rule[2].line, 3);
    assert_true(parts->rule[2].score == log(0.25));
    expect_shown(grammar, false,
                 "%start S\nS -> NP VP [1]\nNP -> 'they' [0.5]\nNP -> NP 'and' NP [0.25]\n"
                 "NP -> [0.25]\nVP -> V [0.5]\nVP -> V NP [0.5]\nV -> 'run' [1]\n");
    expect_shown(grammar, true,
                 "%start S\nNP -> 'they' [0.5]\n~1 -> 'and' [1]\nV -> 'run' [1]\nNP -> [0.25]\n"
                 "VP -> V [0.5]\nS -> NP VP [1]\nNP~2.1 -> ~1 NP [1]\nNP -> NP NP~2.1 [0.25]\n"
                 "VP -> V NP [0.5]\n");
    /* NP may be nothing, by one rule; so S may lack its NP, `and NP` and V NP the one behind. */
    assert_int_equal(parts->height, 0);
    assert_int_equal(parts->list[4].entries, 2);
    assert_int_equal(parts->list[5].entries, 2);
}

/* Rests that rules share are one symbol; a name that is taken is left alone. */
TEST(rests) {
    OWN(tz_grammar, grammar) =
        parse("S -> A B C | B A B C | S~0.1\nS~0.1 -> 'x'\nA -> 'a'\nB -> 'b'\n"
              "C -> A B C | 'c'\n",
              TZ_ARROWS, TZ_RULE_WEIGHTS);
    expect_shown(grammar, true,
                 "%start S\nS~0.1 -> 'x' [1]\nA -> 'a' [1]\nB -> 'b' [1]\nC -> 'c' [1]\n"
                 "S -> S~0.1 [1]\nS~0.1~ -> B C [1]\nS -> A S~0.1~ [1]\nS~1.1 -> A S~0.1~ [1]\n"
                 "S -> B S~1.1 [1]\nC -> A S~0.1~ [1]\n");
}

/* Counts in front and behind; a symbol without rules is a word; what is seen twice adds up. */
TEST(counts) {
    static const char text[] =
        "3 S --> NP VP\n1 S -> VP\n2 NP -> they\n 2 NP -> we\r\n4 NP -> they\n"
        "VP -> run [5]\n\xef\xbb\xbf";
    OWN(tz_grammar, grammar) = parse("\xef\xbb\xbf"
                                     "3 S --> NP VP\n1 S \xe2\x86\x92 VP\n2 NP -> they\n"
                                     " 2 NP -> we\r\n4 NP -> they\nVP -> run [5]\n",
                                     TZ_ARROWS, TZ_RULE_COUNTS);
    (void)text;
    expect_shown(grammar, false,
                 "%start S\nS -> NP VP [0.75]\nS -> VP [0.25]\nNP -> 'they' [0.75]\n"
                 "NP -> 'we' [0.25]\nVP -> 'run' [1]\n");
}

TEST(weights) {
    tz_grammar *grammar =
        parse("A -> A B [-1.5] | B\n%start B\nB -> 'b' [2]", TZ_ARROWS, TZ_RULE_LOGS);
    expect_shown(grammar, false, "%start B\nA -> A B [-1.5]\nA -> B [0]\nB -> 'b' [2]\n");
    tz_grammar_free(grammar);
    grammar = parse("A -> 'a' \\\n 'b' | 'c'\n# what\n  \nA' -> A\nB -> A' B", TZ_ARROWS,
                    TZ_RULE_UNIFORM);
    expect_shown(grammar, false,
                 "%start A\nA -> 'a' 'b' [0.5]\nA -> 'c' [0.5]\nA' -> A [1]\nB -> A' B [1]\n");
    tz_grammar_free(grammar);
    const double score[] = {-1, -2, -INFINITY, -3};
    tz_error error;
    static const char text[] = "A -> 'a' 'b' | 'c'\nB -> A\nC -> B";
    assert_ok(tz_grammar_parse("t", text, strlen(text), TZ_ARROWS, TZ_RULE_UNIFORM, score, 4,
                               &grammar, &error));
    assert_true(tz_grammar_parts_of(grammar)->rule[2].score == -INFINITY);
    assert_true(tz_grammar_parts_of(grammar)->list[0].score[0] == 0); /* a word in a rule */
    tz_grammar_free(grammar);
    assert_int_equal(tz_grammar_parse("t", text, strlen(text), TZ_ARROWS, TZ_RULE_UNIFORM, score, 3,
                                      &grammar, &error),
                     TZ_BAD_ARGUMENT);
    assert_string_equal(error.message, "t: 3 log weights for 4 rules");
}

TEST(gbnf) {
    OWN(tz_grammar, grammar) = parse(
        "# a comment\nroot ::= sum # another\n"
        "sum ::= [0-2a] (\"+\" sum)? |\n  \"\\x41\\\"\"\nmore-of ::= \"x\"{2,3} ( \"y\"\n | . )",
        TZ_GBNF, TZ_RULE_UNIFORM);
    char *text = shown(grammar, false);
    assert_non_null(strstr(text, "%start root\nroot -> sum [1]\n"));
    assert_non_null(strstr(text, "~part0 -> '0' [0.25]\n~part0 -> '1' [0.25]\n"));
    assert_non_null(strstr(text, " -> '+' sum [1]\n"));
    assert_non_null(strstr(text, "sum -> 'A' '\"' [0.5]\n"));
    assert_non_null(strstr(text, "more-of -> 'x' 'x' ~part"));
    free(text);
    assert_int_equal(tz_grammar_parts_of(grammar)->words, 95 + 2); /* `.`: of ASCII, tab, line */
}

typedef struct bad {
    tz_notation notation;
    tz_rule_weights weights;
    const char *text, *message;
} bad;

static const bad bads[] = {
    {TZ_ARROWS, TZ_RULE_PROBABILITIES, "S -> 'a' [0.5]\n",
     "t:1:1: S has rules whose probabilities sum to 0.5: make it 1, or read them as weights or "
     "counts"},
    {TZ_ARROWS, TZ_RULE_PROBABILITIES, "S -> 'a'\n",
     "t:1:9: this rule has no probability: write one behind it, as [0.5], or read the grammar as "
     "uniform or weights"},
    {TZ_ARROWS, TZ_RULE_PROBABILITIES, "S -> 'a' [1.5]\n",
     "t:1:11: a probability above 1: read such numbers as weights, or counts, or logs"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> NP\n\nNP -> N",
     "t:3:7: N has no rules: write one, or put it in quotes if it is a word"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> 'a\n",
     "t:1:6: this quotation has no end: put ' behind the word"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "\xc3\xa9 -> 'a' [x]", "t:1:11: 'x' is no number, such as 0.25"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> 'a' [1",
     "t:1:10: this bracket has no end: write ] behind the number"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> 'a' [1] 'b'",
     "t:1:14: a weight ends its rule: put | before the next one, or a new line"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> 'a' [-1]",
     "t:1:11: a weight below 0: if these are logs, read them as logs"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S 'a'", "t:1:3: an arrow, ->, stands behind S, between blanks"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> S -> 'a'",
     "t:1:8: a second arrow: each rule has a line of its own"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "'a' -> S",
     "t:1:1: a word has no rules: write a symbol, without quotes, on the left side"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "-> S", "t:1:1: a rule begins with a symbol: NP -> DT N"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "# nothing\n",
     "t:2:1: a grammar without rules: write one, S -> 'word'"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "%begin S\n", "t:1:1: only %start NAME begins so"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> 'a' | 'a'\n",
     "t:1:12: S has this rule in line 1 already: leave one of them out, or give their weights as "
     "one"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> S ] 'a'\n", "t:1:8: a bracket that nothing opened"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> '' 'a'\n",
     "t:1:6: a word without letters: leave it out, and the rule is of nothing"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> 'a\xff'\n", "t:1:8: this is not UTF-8: convert the text"},
    {TZ_ARROWS, TZ_RULE_UNIFORM, "S -> 'a' [1]",
     "t:1:10: a weight in a grammar that is read as uniform: say what it is, probabilities, "
     "weights, logs or counts"},
    {TZ_ARROWS, TZ_RULE_COUNTS, "S -> a",
     "t:1:7: this rule has no count: write one in front of it"},
    {TZ_ARROWS, TZ_RULE_COUNTS, "1 S -> a | b",
     "t:1:10: a count is of one rule: write the others in lines of their own"},
    {TZ_ARROWS, TZ_RULE_COUNTS, "1 S -> a [2]",
     "t:1:10: this rule has a count in front: leave one of both out"},
    {TZ_ARROWS, TZ_RULE_COUNTS, "0 S -> a", "t:1:3: S was never seen: its counts are all 0"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= \"a", "t:1:10: this literal has no end: put \" behind it"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= [a", "t:1:10: this class has no end: put ] behind it"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= [z-a]",
     "t:1:11: this range runs backwards: write its lesser character first"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= (\"a\"",
     "t:1:10: this group has no end: write ) behind it"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= *", "t:1:10: nothing stands here to be repeated"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= \"a\"{3,2}", "t:1:13: a repetition is {3}, {3,} or {3,5}"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= \"\\q\"",
     "t:1:11: an escape is one of \\n \\r \\t \\\\ \\\" \\[ \\] \\- \\^ \\xHH \\uHHHH \\UHHHHHHHH"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "roof ::= \"a\"",
     "t:1:13: there is no rule `root`, which sentences start from"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= other",
     "t:1:10: other has no rules: write one, or put it in quotes if it is a word"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= \"a\"\nroot ::= \"b\"",
     "t:2:1: root has a rule already: write both as one, with | between"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root = \"a\"", "t:1:6: ::= stands behind root"},
    {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= \"a\" )", "t:1:14: a bracket that nothing opened"},
    {TZ_GBNF, TZ_RULE_WEIGHTS, "root ::= \"a\"", "t: GBNF has no weights: read it as uniform"},
    {TZ_ARROWS, TZ_RULE_WEIGHTS, "S -> S S [0.5] | [0.5] | 'a'",
     "t:1:1: S is nothing in ways without end, whose weights do not sum within 500 rules above one "
     "another: give its rules smaller weights, or leave out one by which it contains itself"},
};

TEST(messages) {
    for (size_t b = 0; b < sizeof bads / sizeof *bads; b++) {
        tz_grammar *grammar;
        tz_error error = {.message = "read"};
        tz_status status =
            tz_grammar_parse("t", bads[b].text, strlen(bads[b].text), bads[b].notation,
                             bads[b].weights, NULL, 0, &grammar, &error);
        assert_string_equal(error.message, bads[b].message);
        assert_int_equal(error.status, status);
        assert_null(grammar);
    }
}

static tz_status totals(const char *text, tz_rule_weights weights, double *total, tz_error *error) {
    OWN(tz_grammar, grammar) = parse(text, TZ_ARROWS, weights);
    return tz_grammar_totals(grammar, total, error);
}

TEST(totals) {
    double total[8];
    tz_error error;
    /* t = 0.4 t t + 0.6: 1 is a solution, and the least where 0.4 is at most 1/2. */
    assert_ok(totals("S -> S S [0.4] | 'a' [0.6]", TZ_RULE_PROBABILITIES, total, &error));
    assert_true(fabs(total[0]) < 1e-14);
    assert_ok(totals("S -> S S [0.6] | 'a' [0.4] ", TZ_RULE_PROBABILITIES, total, &error));
    assert_true(fabs(exp(total[0]) - 0.4 / 0.6) < 1e-14);
    /* At the edge: trees just end, of two symbols that need each other, too, one above the other.
     */
    assert_ok(totals("S -> T T [0.5] | 'a' [0.5]\nT -> S [1]\nR -> S R R [0.5] | 'b' [0.5]",
                     TZ_RULE_PROBABILITIES, total, &error));
    for (size_t a = 0; a < 3; a++)
        assert_true(total[a] == 0);
    /* Not where a symbol has no tree, nor where weights do not sum to 1. */
    static const struct {
        const char *text;
        tz_rule_weights weights;
    } diverging[] = {{"S -> S S [0.5] | 'a' [0.5]\nT -> T [1]", TZ_RULE_PROBABILITIES},
                     {"S -> S S [0.25] | 'a' [1]", TZ_RULE_WEIGHTS}, /* 2 */
                     {"S -> S S [3] | 'a' [1e5]\nT -> 'b'", TZ_RULE_WEIGHTS}};
    for (size_t d = 0; d < 3; d++)
        assert_int_equal(totals(diverging[d].text, diverging[d].weights, total, &error),
                         TZ_DIVERGES);
    assert_non_null(strstr(error.message, "all trees of S"));
    OWN(tz_grammar, grammar) = parse("S -> S S", TZ_ARROWS, TZ_RULE_WEIGHTS);
    assert_ok(tz_grammar_totals(grammar, total, &error));
    assert_true(total[0] == -INFINITY);
    tz_grammar_sampler *sampler;
    assert_int_equal(tz_grammar_sampler_new(grammar, total, 1, &sampler), TZ_NONE);
}

TEST(brackets) {
    OWN(tz_grammar, grammar) = parse("S -> A '(' A | 'b'\nA -> 'a' | ", TZ_ARROWS, TZ_RULE_UNIFORM);
    const uint32_t rule[] = {0, 2, 3};
    char text[64];
    assert_int_equal(tz_grammar_brackets(grammar, rule, 3, text, sizeof text), 17);
    assert_string_equal(text, "(S (A a) \"(\" (A))");
    assert_int_equal(tz_grammar_brackets(grammar, rule, 2, text, sizeof text), 0);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    const bad *b = user;
    OWN(tz_grammar, grammar) = NULL;
    OWN(tz_grammar_sampler, sampler) = NULL;
    double total[64];
    size_t rules;
    const uint32_t *rule;
    tz_status status = tz_grammar_parse("t", b->text, strlen(b->text), b->notation, b->weights,
                                        NULL, 0, &grammar, NULL);
    if (status == TZ_OK)
        status = tz_grammar_totals(grammar, total, NULL);
    if (status == TZ_OK)
        status = tz_grammar_sampler_new(grammar, total, 1, &sampler);
    if (status == TZ_OK)
        status = tz_grammar_sampler_next(sampler, &rule, &rules);
    if (status == TZ_OK && tz_grammar_show(grammar, true, NULL, 0) == 0)
        status = TZ_NO_MEMORY;
    if (status == TZ_OK && tz_grammar_brackets(grammar, rule, rules, NULL, 0) == 0)
        status = TZ_NO_MEMORY;
    return status;
}

TEST(memory) {
    bad texts[] = {
        {TZ_ARROWS, TZ_RULE_PROBABILITIES, tiny, NULL},
        {TZ_ARROWS, TZ_RULE_COUNTS, "1 S -> NP VP\n2 NP -> we\n1 VP -> go\n", NULL},
        {TZ_GBNF, TZ_RULE_UNIFORM, "root ::= (\"a\" [b-d]* [^x])? \"b\"{2,3} \"cd\"+", NULL}};
    for (size_t t = 0; t < 3; t++)
        assert_true(oom_sweep("grammar", attempt, &texts[t], TZ_NO_MEMORY, false) > 20);
}
