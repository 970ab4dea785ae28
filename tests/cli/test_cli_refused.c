/* test_cli_refused.c - does `trapeze run` refuse lists, samples, limits, entropies and facts that
 * do not go together or are wrong, and say why?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/lines.h"
#include "tests/support/amount.h"
#include "tests/support/shell.h"
#include "tests/support/two_words.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What does not go together, whatever the lines say. */
TEST(pairings) {
    static const struct {
        const char *options, *message;
    } bad[] = {
        {"-r eisner -s log --kbest 2", "--kbest needs a semiring whose sum picks one derivation "
                                       "(max); log does not"},
        {"-r eisner -s entropy --kbest 2", "(max); entropy does not"},
        {"-r eisner -s 'kbest(3)' --best", "(max); kbest(3) does not"},
        {"-r eisner -s 'required(max)' --kbest 2", "--kbest does not go with required(max); give "
                                                   "-s max"},
        {"-r eisner -s max --sample 2", "--sample needs a semiring whose sum is a total that every "
                                        "derivation has a share of (log, count); that of max is"},
        {"-r eisner -s bool --sample 2", "that of bool is not"},
        {"-r eisner -s 'kbest(2)' --sample 2", "that of kbest(2) is not"},
        {"-r eisner -s max --min-risk", "--min-risk needs a semiring whose sum is a log total"},
        {"-r eisner -s count --min-risk", "(log); that of count is not"},
        {"-r eisner -s max --distinct", "--distinct is for the list of --kbest K"},
        {"-r eisner -s log --without-replacement", "--without-replacement is for --sample K"},
        {"-r eisner -s max --kbest 0", "--kbest takes a whole number from 1 to 1000000000"},
        {"-r eisner -s log --sample -1", "--sample takes a whole number from 1 to 1000000000"},
        {"-r eisner -s log --seed 18446744073709551616", "--seed is a whole number below 2^64"},
        {"-r eisner -s log --seed -1", "--seed is a whole number below 2^64, not '-1'"},
        {"-r eisner -s 'kbest(0)'", "whole number from 1 on, such as kbest(5), not '0'\n"},
        {"-r eisner -s kbest", "kbest takes 1 parameter, not 0: write kbest(K)\n"},
        {"-r eisner -s 'kbst(2)'", "no semiring is called 'kbst'; there are bool, costs(K), count, "
                                   "entropy, kbest(K), "},
        {"-r eisner -s 'kbst(2)'", "; did you mean 'kbest(K)'?"},
        {"-r eisner -s max --keep 1", "has no resource \"kept\""},
        {"-r eisner -s 'resource(kept,2)'", "eisner: no resource \"kept\""},
        {"-r compress -s 'resource(droped,2)'", "no resource \"droped\": the rule set has kept, "
                                                "dropped"},
        {"-r compress -s 'resource(kept)'", "expected resource(NAME,D) or resource(NAME,D,SEMI"},
        {"-r compress -s 'resource(kept,1,max,2)'", "expected resource(NAME,D) or resource(NAME,D"},
        {"-r compress -s 'resource(kept,m)'",
         "is a whole number from 0 to 1048576 or the name of a "
         "length, not 'm'"},
        {"-r compress -s 'resource(kept,-1)'", "or the name of a length, not '-1'"},
        {"-r compress -s resource", "expected resource(NAME,D) or resource(NAME,D,SEMIRING), such"},
        {"-r compress -s 'resource(kept,2'", "'resource(kept,2' lacks its closing parenthesis"},
        {"-r compress -s 'resource(kept,2,mx)'", "no semiring is called 'mx'; there are"},
        {"-r compress -s 'resource(kept,2,entropy)'", "(max, log, count, kbest(K)), not entropy"},
        {"-r compress -s 'resource(kept,2,resource(kept,2))'", "one resource at a time"},
        {"-r compress -s 'resource(kept,2)' --amount 3", "--amount 3 is more than the limit 2 of "
                                                         "resource(kept,2)"},
        {"-r compress -s max --amount 3", "--amount goes with -s resource(NAME,D,SEMIRING)"},
        {"-r compress -s max --keep 2 --amount 3", "--amount goes with -s resource(NAME,D,SEMI"},
        {"-r compress -s 'resource(kept,2)' --keep 1", "count words themselves; leave resource(..) "
                                                       "out, or use --amount"},
        {"-r compress -s 'resource(kept,2)' --kbest 2",
         "--kbest under resource(..) needs --amount"},
        {"-r compress -s 'resource(kept,2)' --derivation", "--derivation under resource(..) needs"},
        {"-r compress -s 'resource(kept,2)' --max-marginals", "--max-marginals under resource(.."},
        {"-r compress -s 'resource(kept,2,log)' --marginals",
         "--marginals under resource(..) need"},
        {"-r compress -s 'resource(kept,2,log)' --sample 2",
         "--sample under resource(..) needs --"},
        {"-r compress -s 'resource(kept,2,log)' --min-risk", "--min-risk under resource(..) needs"},
        {"-r compress -s max --keep 1 --drop 1", "one of --keep, --drop and --rate at a time"},
        {"-r compress -s max --keep x", "--keep takes a whole number from 0 to 1048576, not 'x'"},
        {"-r compress -s max --rate 0.5", "--rate is LOW:HIGH, shares of the words"},
        {"-r compress -s max --rate 0.6:0.5", "such as 0.4:0.6, not '0.6:0.5'"},
        {"-r compress -s max --rate 0:1.1", "not '0:1.1'"},
        {"-r compress -s max --rate -0.1:1", "not '-0.1:1'"},
        {"-r compress -s log --rate 0:1", "--rate gives the value and --best under max; for more, "
                                          "give --keep or --drop an exact number"},
        {"-r compress -s max --rate 0:1 --kbest 2", "--rate gives the value and --best under max"},
    };
    write_file("x.jsonl", "{" SHORT "}\n");
    for (size_t i = 0; i < COUNT(bad); i++) {
        usage(bad[i].message, "trapeze run %s x.jsonl", bad[i].options);
        assert_contains(err, "Try 'trapeze run --help'.");
    }
}

/* What is wrong with a line: the message says where, and the lines around it are answered. */
TEST(bad_lines) {
    static const struct {
        const char *options, *more, *message;
    } bad[] = {
        {"-s log", "\"forbid\":3", "forbid: expected an array, not a number"},
        {"-s log", "\"forbid\":[3]",
         "forbid[0]: expected a cell [\"WEIGHT or ITEM\", index, ...], not a "
         "number"},
        {"-s log", "\"forbid\":[[0,1]]", "not an array that does not begin with a name"},
        {"-s log", "\"forbid\":[[\"arcs\",0,1]]",
         "forbid[0]: compress has no weight or item 'arcs'"},
        {"-s log", "\"forbid\":[[\"rtrap\",0]]", "forbid[0]: 1 index values; 'rtrap' has 2"},
        {"-s log", "\"forbid\":[[\"rtrap\",1,1]]", "forbid[0]: rtrap has no item [1,1] for these"},
        {"-s log", "\"forbid\":[[\"rtrap\",null,0]]",
         "rtrap[*,0] lies outside the declared domain"},
        {"-s log", "\"require\":[[[\"hook\",0,0],[\"rtri\",0,2]]]",
         "a derivation can use its cells 2 times"},
        {"-s log", "\"structure\":[[\"rtrap\",0,1]]", "compress has no weight 'rtrap'"},
        {"-s log", "\"forbid\":[[\"arc\",0,1],[\"arc\",0]]",
         "forbid[1]: 1 index values; 'arc' has "
         "2"},
        {"-s log", "\"forbid\":[[\"arc\",0,1.5]]",
         "forbid[0][2]: expected an index, an integer or "
         "null for every one, not this number"},
        {"-s log", "\"forbid\":[[\"arc\",\"x\",1]]", "forbid[0][1]: expected an index"},
        {"-s log", "\"forbid\":[[\"arc\",0,3]]", "forbid[0]: arc has no cell [0,3] for these"},
        {"-s log", "\"forbid\":[[\"arc\",null,3]]", "arc[*,3] lies outside the declared domain"},
        {"-s log", "\"require\":{}", "require: expected an array, not an object"},
        {"-s log", "\"require\":[[[\"arc\",0,1],[\"arc\",1,1]]]",
         "require[0][1]: arc has no cell "
         "[1,1] for these lengths"},
        {"-s log", "\"require\":[[[\"arc\",0,1],[\"arc\",0,2]]]",
         "a derivation can use its cells 2 "
         "times"},
        {"-s log", "\"structure\":[[\"arc\",null,1]]",
         "structure[0][1]: expected an index, an "
         "integer, not null"},
        {"-s log", "\"structure\":[[\"arc\",0,0]]",
         "structure[0]: arc has no cell [0,0] for these"},
        {"-s max", "\"structure\":[]", "\"structure\" asks for a probability, which takes log"},
        {"-s 'resource(kept,n,log)'", "\"structure\":[]",
         "takes log and, under resource(..), "
         "--amount"},
        {"-s entropy", "\"arc.q\":[[0,1,2],[0,0,3],[0,4,0]]",
         "\"bigram.q\" is missing; give \"q\" "
         "for every weight or for none"},
        {"-s entropy", "\"arc.cost\":[[0,1,2],[0,0,3]]",
         "arc.cost: 2 entries for h, but n = 2 needs "
         "3 (h from 0 to 2)"},
        {"-s entropy", "\"arc.cost\":[[0,1,2],[0,0,3],[0,null,0]]", "cost of arc[2,1] is -inf"},
        {"-s entropy", "\"arc.cost\":1", "arc.cost: expected an array, not a number"},
        {"-s 'resource(kept,n)' --amount 3 --best", "\"x\":0",
         "--amount 3 is more than the limit of "
         "resource(kept,n), which is 2 here"},
        {"-s max --rate 0.6:0.7", "\"x\":0",
         "no number of 2 words is from 0.6 to 0.7 of them; the "
         "nearest rates are 0.5 (1) and 1 (2)"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        /* A line of three words, all impossible, has a result under every option. */
        const char *other = "{\"id\":7,\"n\":3,\"arc\":[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]],"
                            "\"bigram\":[[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]}";
        char lines[2048], message[512];
        snprintf(lines, sizeof lines, "%s\n{\"id\":\"b\"," SHORT ",%s}\n%s\n", other, bad[i].more,
                 other);
        write_file("x.jsonl", lines);
        refused("trapeze run: x.jsonl:2: ", "trapeze run -r compress %s x.jsonl", bad[i].options);
        assert_refused(bad[i].message);
        assert_contains(out, "{\"id\":7,\"n\":3,\"value");
        assert_lacks(out, "\"b\"");
        refused("x.jsonl: 1 line could not be answered; see \"error\" in the results",
                "trapeze run -r compress %s --keep-going x.jsonl", bad[i].options);
        assert_contains(out, "\n{\"id\":\"b\",\"error\":\"x.jsonl:2: ");
        snprintf(message, sizeof message, "%.40s",
                 bad[i].message); /* quotes stand otherwise there */
        if (strchr(message, '"') == NULL)
            assert_contains(out, message);
        assert_contains(strchr(out, '\n') + 1, "\n{\"id\":7,");
    }
}

/* A line without an end. */
TEST(endless_line) {
    FILE *file = need(popen("yes | tr -d '\\n'", "r"));
    OWN(tz_lines, lines) = tz_lines_new(file, "in", 1000);
    char *line;
    size_t size;
    tz_error error;
    assert_int_equal(tz_lines_next(lines, &line, &size, &error), TZ_IO);
    assert_non_null(strstr(error.message, "in:1: the line is too long, and does not end in the"));
    assert_int_equal(tz_lines_next(lines, &line, &size, &error), TZ_NONE);
    pclose(file);
}

/* What never ends is given up: /dev/zero as JSON and as an archive. */
TEST(endless) {
    static const char *const command[][2] = {
        {"trapeze run -r eisner -s max /dev/zero", "/dev/zero:1: the line has a zero byte, and "},
        {"{ printf P; cat /dev/zero; } | trapeze run -r eisner -s max", "this is no .npz"},
        {"{ printf PK; cat /dev/zero; } | (ulimit -f 100000; trap '' XFSZ; trapeze run -r eisner "
         "-s max)",
         "File too large"},
    };
    for (size_t c = 0; c < sizeof command / sizeof *command; c++) {
        shell("timeout 60 bash -c \"%s\"", command[c][0]);
        assert_int_equal(code, 1);
        if (strstr(err, command[c][1]) == NULL)
            fail_msg("'%s' says %s", command[c][0], err);
    }
    /* A zero byte costs its line, no more. */
    shell("printf '{\"n\": 0}\\n\\0\\n{\"n\": 0}\\n' | trapeze run -r eisner -s max --keep-going");
    assert_non_null(strstr(out, "byte 1 of the line is zero"));
}

/* How much a chart would take, and which items take most of it. */
TEST(too_large_for_memory) {
    if (AMOUNT(false, true)) /* which need more room than is left here */
        skip();
    write_file("big.rules",
               "rules big\nstructures derivations\nlength n\nitem at[i,j] 0 <= i <= j <= n\n"
               "goal at[0,n]\n\naxiom\n--- s\nat[i,i]\n\n"
               "at[i,k] at[k,j]\n--- t if i < k, k < j\nat[i,j]\n");
    write_file("big.json", "{\"n\": 100000}\n");
    static const char *const commands[] = {"trapeze run -r big.rules -s max big.json",
                                           "trapeze bench -r big.rules -s max -n 100000"};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        shell("ulimit -v 4000000; %s", commands[c]);
        assert_int_equal(code, 1);
        assert_contains(err, "out of memory: the chart's items take ");
        assert_contains(err, " GB, of which item at takes ");
    }
}

/* Each cause has its message. */
TEST(causes) {
    write_file("coin.rules",
               "rules coin\nstructures derivations\nlength n\nweight side[z] 0 <= z <= 1\n"
               "item at[i] 0 <= i <= n\ngoal at[n]\n\n  axiom\n  --- s\n  at[0]\n\n"
               "  at[i-1]\n  --- t * side[_]\n  at[i]\n");
    write_file("seen.rules", "rules seen\nlength n\nweight w\nitem a\nitem b\ngoal b\n\n  axiom\n"
                             "  --- s\n  a\n\n  [a]\n  --- t * w\n  b\n");
    write_file("least.semiring", "element x\nzero inf\none 0\nplus min(a,b)\ntimes a+b\n"
                                 "laws commutative idempotent path exact\ngives score\n");
    write_file("number.semiring", "element x\nzero inf\none 0\nplus min(a,b)\ntimes a+b\n"
                                  "laws commutative idempotent path exact\ngives number\n");
    write_file("coin.jsonl", "{\"n\":2,\"side\":[1,2],\"structure\":[[\"side\",0],[\"side\",1]]}\n"
                             "{\"n\":1,\"side\":[1,2],\"structure\":[[\"side\",0]]}\n");
    write_file("plain.jsonl", "{\"n\":2,\"side\":[1,2]}\n");
    write_file("seen.jsonl", "{\"n\":0,\"w\":1,\"structure\":[[\"w\"]]}\n");
    write_file("both.jsonl", "{\"n\":2,\"side\":[1,2],\"forbid\":[[\"side\",0]],\"require\":"
                             "[[\"side\",1]]}\n");
    refused("coin.jsonl:1: probability of a structure: a derivation of its cells alone can use one "
            "of them more often",
            "trapeze run -r coin.rules -s log coin.jsonl");
    shell("trapeze run -r coin.rules -s log --keep-going coin.jsonl");
    assert_non_null(
        strstr(out, "{\"n\":1,\"value\":2.3132616875182226,\"structure\":{\"score\":1"));
    refused("seen.jsonl:1: probability of a structure: the rules have side conditions",
            "trapeze run -r seen.rules -s log seen.jsonl");
    refused("plain.jsonl:1: k best under semiring least: its sum takes the smaller of two scores",
            "trapeze run -r coin.rules -s least.semiring --kbest 2 plain.jsonl");
    usage("--best needs a semiring that gives scores; number gives a number",
          "trapeze run -r coin.rules -s number.semiring --best plain.jsonl");
    refused("both.jsonl:1: require[0]: a derivation can use its cells 2 times",
            "trapeze run -r coin.rules -s log both.jsonl");
}

/* A count that is rounded says so, under every semiring that counts. */
TEST(rounded_counts) {
    static const char *const semirings[] = {"count", "ties"};
    write_file("two.rules",
               "rules two\nstructures derivations\nlength n\nweight side[z] 0 <= z <= 1\n"
               "item at[i] 0 <= i <= n\ngoal at[n]\n\n  axiom\n  --- s\n  at[0]\n\n"
               "  at[i-1]\n  --- t * side[_]\n  at[i]\n");
    for (size_t s = 0; s < COUNT(semirings); s++)
        for (int n = 52; n <= 55; n++) {
            shell("printf '{\"n\":%d,\"side\":[0,0]}\n' | trapeze run -r two.rules -s %s", n,
                  semirings[s]);
            assert_int_equal(code, 0);
            assert_true((strstr(out, ",\"rounded\":true}") != NULL) == (n > 53));
        }
}

TESTS_BETWEEN(shell_setup, shell_teardown)
