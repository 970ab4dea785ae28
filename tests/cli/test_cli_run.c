/* test_cli_run.c - does `trapeze run` print what its manual says, and refuse what it should?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/bad_lines.h"
#include "tests/support/shell.h"

static int setup(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("kinds.rules", kinds_rules);
    /* Its trees: 0>1 0>2, score 3; 0>1>2, 4; 0>2>1, 6. */
    write_file("two.jsonl", "{\"id\":\"a\",\"n\":2,\"arc\":[[0,1,2],[0,0,3],[0,4,0]]}\n");
    /* Nothing can be attached to the second word. */
    write_file("none.jsonl",
               "{\"n\":2,\"arc\":[[null,1,null],[null,null,null],[null,null,null]]}\n");
    return 0;
}

/* ---- The command --------------------------------------------------------------------------- */

TEST(help) {
    works("trapeze --help");
    assert_contains(out, "run  ");
    assert_contains(out, "rules  ");
    assert_contains(out, "draw  ");
    prints("trapeze " TZ_VERSION "\n", "trapeze --version");
    prints("trapeze " TZ_VERSION "\n", "trapeze run --version");
    shell("trapeze");
    assert_int_equal(code, 2);
    assert_contains(err, "Usage: trapeze SUBCOMMAND");
    usage("trapeze: unknown subcommand 'rnu'; did you mean 'run'?", "trapeze rnu");
    usage("trapeze: unknown subcommand 'zzzzzzzz': run, rules, ", "trapeze zzzzzzzz");
    usage("trapeze: unknown subcommand 'check'; did you mean 'trapeze rules check'?",
          "trapeze check my.rules");
    prints("trapeze " TZ_VERSION "\n", "trapeze version");
    usage("trapeze: unknown option '--halp'", "trapeze --halp");
}

TEST(run_help) {
    static const char *const options[] = {
        "-r, --rules=",
        "-s, --semiring=",
        "--best",
        "--marginals",
        "--max-marginals",
        "--derivation",
        "--force",
        "--keep-going",
        "--batch=N",
        "--threads=N",
        "--precision=f32|f64",
        "-o, --output=FILE.npz",
        "--quiet",
        "-h, --help",
        "--version",
        "--kbest=K",
        "--distinct",
        "--sample=K",
        "--seed=S",
        "--without-replacement",
        "--amount=A",
        "--keep=M",
        "--drop=M",
        "--rate=LOW:HIGH",
        "kbest(K)",
        "resource(NAME,D,SEMIRING)",
    };
    works("trapeze run --help");
    assert_int_equal(strncmp(out, "Usage: trapeze run -r", 21), 0);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_contains(out, options[i]);
    works("trapeze run -h");
}

/* A long sum leaves room for what a rule set derives. */
TEST(list) {
    works("trapeze rules list");
    assert_contains(out, "\neisner                        n^3                       Arc-factored ");
    assert_contains(out, "\ndelete-tree                   N + |word| + ...          Compression ");
    assert_contains(out, "\ntree-edit                     (n+m) |source| + ...      Alignment ");
    assert_contains(out, "\ngallery/affine-gaps           n m                       Global ");
}

/* What there is of semirings, and a text that is wrong. */
/* A sum without end leaves a best path, but no shares. */
TEST(circles) {
    works("printf '0 0 a\\n0\\n' > round.txt; trapeze automaton paths -w costs --best round.txt");
    assert_string_equal(out, "{\"best\":{\"score\":0,\"input\":[],\"arcs\":[]}}\n");
    assert_contains(err, "going round gains without end");
    assert_contains(err, "so there is no total");
    refused("trapeze automaton paths: round.txt: going round gains without end",
            "trapeze automaton paths -w costs --counts round.txt");
    shell("trapeze automaton --help; trapeze grammar --help");
    assert_null(strstr(out, "(null)"));
}

TEST(semirings) {
    works("trapeze semirings list");
    assert_contains(out, "\nkbest(K)                   scores of the K best derivations\n");
    assert_contains(out, "\nmax                        score of the best derivation\n");
    works("trapeze semirings show entropy");
    assert_contains(out, "\nlaws              commutative\nelement           64 bytes\n");
    assert_contains(out, "\nnumbers           log_z, entropy, cost, q\n");
    assert_contains(out, "\ninputs            cost, q\nbest, k best      no\n");
    shell("trapeze semirings show max");
    assert_contains(out, "\nlaws              commutative, idempotent, path, exact\n");
    assert_contains(out, "\nbest, k best      yes\n");
    works("trapeze semirings check " TZ_SOURCE_ROOT "/semirings/gallery/bottleneck.semiring");
    assert_contains(out, "neutral; commutative, idempotent, path, exact\n");
    refused("trapeze semirings check: mean.semiring: plus is not associative: with a = ",
            "printf 'element x\nzero 0\none 1\nplus (a + b) / 2\ntimes a * b\n' > mean.semiring; "
            "trapeze semirings check mean.semiring");
    refused("trapeze semirings check: mean.semiring:4:6: ",
            "printf 'element x\nzero 0\none 1\nplus c\ntimes a * b\n' > mean.semiring; "
            "trapeze semirings check mean.semiring");
    usage("max is built in; what can be checked is a file, NAME.semiring",
          "trapeze semirings check max");
    usage("which semiring? Name a built-in one or a file", "trapeze semirings show");
    usage("one SEMIRING", "trapeze semirings show max log");
    usage("unexpected argument 'max'", "trapeze semirings list max");
}

TEST(usage) {
    usage("trapeze run: which rule set? give -r RULES", "trapeze run");
    assert_contains(err, "Try 'trapeze run --help'.");
    usage("trapeze run: which semiring? give -s bool, costs(K), count, ", "trapeze run -r eisner");
    usage("no rule set is called 'eisnr'; did you mean 'eisner'? ('trapeze rules list'",
          "trapeze run -r eisnr -s max");
    usage("no rule set is called 'qqqqqqqqqq' ('trapeze rules list'",
          "trapeze run -r qqqqqqqqqq -s max");
    usage("eisner.rules: No such file or directory; the built-in rule set is called 'eisner'",
          "trapeze run -r eisner.rules -s max");
    refused("trapeze draw: The dog barks.: No such file or directory; a sentence goes to "
            "standard input: echo 'Words.' | trapeze draw\n",
            "trapeze draw 'The dog barks.'");
    usage("no semiring is called 'maxx'; there are bool, costs(K), count, ",
          "trapeze run -r eisner -s maxx");
    assert_contains(err, "; did you mean 'max'?\n");
    usage("unknown option '--marginal'; did you mean '--marginals'?",
          "trapeze run -r eisner -s max --marginal");
    usage("unknown option '-x'", "trapeze run -r eisner -s max -x");
    usage("option '-r' needs a value: -r RULES", "trapeze run -r");
    usage("option '--batch' needs a value: --batch=N", "trapeze run --batch");
    usage("option '--best' takes no value", "trapeze run --best=1");
    usage("one FILE at most, not 'two.jsonl' and 'none.jsonl'",
          "trapeze run -r eisner -s max two.jsonl none.jsonl");
    usage("--precision is f32 or f64, not 'f16'", "trapeze run --precision f16");
    static const char *const bad[] = {"0", "-1", "x", "", "1.5", "99999999999999999999", " 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        usage("--batch takes a whole number from 1 to ", "trapeze run --batch '%s'", bad[i]);
        usage("--threads takes a whole number from 1 to ", "trapeze run --threads='%s'", bad[i]);
    }
}

TEST(pairings) {
    static const char *const path[] = {"--best", "--derivation", "--max-marginals"};
    static const char *const other[] = {"log", "count", "bool"};
    char message[256];
    for (size_t s = 0; s < 3; s++) {
        for (size_t p = 0; p < 3; p++) {
            shell("trapeze run -r eisner -s %s %s two.jsonl", other[s], path[p]);
            snprintf(message, sizeof message,
                     "trapeze run: %s needs a semiring whose sum picks one derivation (max); %s "
                     "does not\n",
                     path[p], other[s]);
            assert_usage(message);
        }
    }
    static const char *const no_shares[] = {"max", "count", "bool"};
    for (size_t s = 0; s < 3; s++) {
        usage("trapeze run: --marginals needs a semiring whose sum is a log total",
              "trapeze run -r eisner -s %s --marginals two.jsonl", no_shares[s]);
    }
    usage("(--force runs it nevertheless)", "trapeze run -r skip-note -s log two.jsonl");
    usage("(--force runs it nevertheless)", "trapeze run -r skip-note -s count two.jsonl");
}

/* ---- Results ------------------------------------------------------------------------------- */

TEST(values) {
    prints("{\"id\":\"a\",\"n\":2,\"value\":6}\n", "trapeze run -r eisner -s max two.jsonl");
    prints("{\"id\":\"a\",\"n\":2,\"value\":3}\n", "trapeze run -r eisner -s count two.jsonl");
    prints("{\"id\":\"a\",\"n\":2,\"value\":true}\n", "trapeze run -r eisner -s bool two.jsonl");
    char expected[128];
    snprintf(expected, sizeof expected, "{\"id\":\"a\",\"n\":2,\"value\":%.17g}\n",
             6 + log1p(exp(-2) + exp(-3)));
    shell("trapeze run -r eisner -s log two.jsonl");
    assert_result_near(expected, 1e-13);
    shell("trapeze run -r eisner -s log --precision f32 two.jsonl");
    assert_result_near(expected, 1e-5);
    prints("{\"id\":\"a\",\"n\":2,\"value\":6}\n",
           "trapeze run -r eisner -s max --precision=f64 two.jsonl");
}

TEST(best) {
    const char *best = "{\"id\":\"a\",\"n\":2,\"value\":6,\"best\":{\"score\":6,\"weights\":"
                       "[[\"arc\",0,2,2],[\"arc\",2,1,4]]}}\n";
    prints(best, "trapeze run -r eisner -s max --best two.jsonl");
    prints(best, "trapeze run --semiring=max --best --rules eisner -- two.jsonl");
    prints(best, "trapeze run two.jsonl -reisner -smax --best --quiet --threads 3 --batch=2");
    prints("{\"id\":\"a\",\"n\":2,\"value\":6,\"derivation\":"
           "{\"item\":\"rtri\",\"index\":[0,2],\"rule\":\"complete-right\",\"premises\":["
           "{\"item\":\"rtrap\",\"index\":[0,2],\"rule\":\"attach-right\",\"premises\":["
           "{\"item\":\"rtri\",\"index\":[0,0],\"rule\":\"right-seed\",\"premises\":[]},"
           "{\"item\":\"ltri\",\"index\":[1,2],\"rule\":\"complete-left\",\"premises\":["
           "{\"item\":\"ltri\",\"index\":[1,1],\"rule\":\"left-seed\",\"premises\":[]},"
           "{\"item\":\"ltrap\",\"index\":[1,2],\"rule\":\"attach-left\",\"premises\":["
           "{\"item\":\"rtri\",\"index\":[1,1],\"rule\":\"right-seed\",\"premises\":[]},"
           "{\"item\":\"ltri\",\"index\":[2,2],\"rule\":\"left-seed\",\"premises\":[]}]}]}]},"
           "{\"item\":\"rtri\",\"index\":[2,2],\"rule\":\"right-seed\",\"premises\":[]}]}}\n",
           "trapeze run -r eisner -s max --derivation two.jsonl");
    prints("{\"id\":\"a\",\"n\":2,\"value\":6,\"max_marginals\":{\"arc\":"
           "[[null,4,6],[null,null,4],[null,6,null]]}}\n",
           "trapeze run -r eisner -s max --max-marginals two.jsonl");
}

TEST(all_at_once) {
    works("trapeze run -r eisner -s max --derivation --max-marginals --best two.jsonl");
    const char *best = strstr(out, ",\"best\":{"), *max = strstr(out, ",\"max_marginals\":{"),
               *derivation = strstr(out, ",\"derivation\":{");
    assert_true(best != NULL && max != NULL && derivation != NULL);
    assert_true(best < max && max < derivation);
}

TEST(marginals) {
    double total = exp(3) + exp(4) + exp(6);
    char expected[512];
    shell("trapeze run -r eisner -s log --marginals two.jsonl");
    snprintf(expected, sizeof expected,
             "{\"id\":\"a\",\"n\":2,\"value\":%.17g,\"marginals\":{\"arc\":"
             "[[0,%.17g,%.17g],[0,0,%.17g],[0,%.17g,0]]}}\n",
             log(total), (exp(3) + exp(4)) / total, (exp(3) + exp(6)) / total, exp(4) / total,
             exp(6) / total);
    assert_result_near(expected, 1e-12);
}

/* Trees of two words: rtri[0,2] is the goal, ltrap[1,2] the arc 2 > 1. */
TEST(items) {
    prints("{\"id\":\"a\",\"n\":2,\"value\":6,\"items\":{\"rtri\":"
           "[[0,1,6],[null,0,3],[null,null,0]],\"ltrap\":[[null,null,null],[null,null,4]]}}"
           "\n",
           "trapeze run -r eisner -s max --items rtri,ltrap two.jsonl");
    works("trapeze run -r eisner -s log --items ltrap --marginals two.jsonl");
    assert_contains(out, "\"item_marginals\":{\"ltrap\":[[0,0,0],[0,0,0.8437947344813");
    prints("{\"id\":\"a\",\"n\":2,\"value\":true,\"items\":{\"ltrap\":"
           "[[false,false,false],[false,false,true]]}}\n",
           "trapeze run -r eisner -s bool --items ltrap two.jsonl");
    prints("{\"n\":2,\"value\":null,\"items\":{\"ltrap\":[[null,null,null],[null,null,"
           "null]]},\"max_marginals\":null,\"item_max_marginals\":null}\n",
           "trapeze run -r eisner -s max --items ltrap --max-marginals none.jsonl");
    usage("trapeze run: eisner has no item 'rtrop'; did you mean 'rtrap'?",
          "trapeze run -r eisner -s max --items rtri,rtrop two.jsonl");
    usage("trapeze run: eisner has no item ''; 'trapeze rules show' tells its items",
          "trapeze run -r eisner -s max --items , two.jsonl");
    usage("trapeze run: --items names 'rtri' twice",
          "trapeze run -r eisner -s max --items rtri,rtri two.jsonl");
    usage("trapeze run: --items shows the items of the rules themselves",
          "trapeze run -r compress -s 'resource(kept,2)' --items rtri two.jsonl");
    usage("trapeze run: --items shows the items of the rules themselves",
          "trapeze run -r compress -s max --keep 1 --items rtri two.jsonl");
}

/* Every kind of weight; x[2] = bias + cube[0,1,2] + arc[0,1] + arc[1,2] + 2 (shift[0] + binary). */
TEST(kinds) {
    write_file("kinds.jsonl", "{\"id\":null,\"words\":[\"a\", \"b\"]," LENGTHS "," WEIGHTS "}\n");
    prints("{\"id\":null,\"n\":2,\"T\":2,\"words\":[\"a\",\"b\"],\"value\":10.25,\"best\":"
           "{\"score\":10.25,\"weights\":[[\"arc\",0,1,1],[\"arc\",1,2,3],"
           "[\"shift\",0,0.5],[\"shift\",0,0.5],[\"bias\",0.25],[\"binary\",1,2,-0.5],"
           "[\"binary\",1,2,-0.5],[\"cube\",0,1,2,6]]}}\n",
           "trapeze run -r kinds.rules -s max --best kinds.jsonl");
    prints("{\"id\":null,\"n\":2,\"T\":2,\"words\":[\"a\",\"b\"],\"value\":10.25,"
           "\"max_marginals\":{\"arc\":[[null,10.25,null],[null,null,10.25],"
           "[null,null,null]],\"shift\":[null,10.25,null],\"bias\":10.25,"
           "\"binary\":[[1,2,10.25],[2,1,null]],\"cube\":[[[null,null,null],"
           "[null,null,10.25]],[[null,null,null],[null,null,null]]]}}\n",
           "trapeze run -r ./kinds.rules -s max --max-marginals kinds.jsonl");
    shell("trapeze run -r kinds.rules -s log --marginals kinds.jsonl");
    assert_result_near(
        "{\"id\":null,\"n\":2,\"T\":2,\"words\":[\"a\",\"b\"],\"value\":10.25,"
        "\"marginals\":{\"arc\":[[0,1,0],[0,0,1],[0,0,0]],\"shift\":[0,2,0],\"bias\":1,"
        "\"binary\":[[1,2,2],[2,1,0]],\"cube\":[[[0,0,0],[0,0,1]],"
        "[[0,0,0],[0,0,0]]]}}\n",
        1e-12);
}

/* The results have the shape of the input, not only of the domain. */
TEST(input_shape) {
    write_file("wide.jsonl", "{\"n\":1,\"arc\":[[5,1,7],[null,1e300,9],[1,1,1]]}\n");
    prints("{\"n\":1,\"value\":1,\"marginals\":{\"arc\":[[0,1,0],[0,0,0],[0,0,0]]}}\n",
           "trapeze run -r eisner -s log --marginals wide.jsonl");
    prints("{\"n\":1,\"value\":1,\"max_marginals\":{\"arc\":"
           "[[null,1,null],[null,null,null],[null,null,null]]}}\n",
           "trapeze run -r eisner -s max --max-marginals wide.jsonl");
    write_file("zero.jsonl", "{\"n\":0,\"arc\":[]}\n{\"n\":0,\"arc\":[[3]]}\n");
    prints("{\"n\":0,\"value\":0,\"marginals\":{\"arc\":[]}}\n"
           "{\"n\":0,\"value\":0,\"marginals\":{\"arc\":[[0]]}}\n",
           "trapeze run -r eisner -s log --marginals zero.jsonl");
    prints("{\"n\":0,\"value\":0,\"best\":{\"score\":0,\"weights\":[]}}\n"
           "{\"n\":0,\"value\":0,\"best\":{\"score\":0,\"weights\":[]}}\n",
           "trapeze run -r eisner -s max --best zero.jsonl");
}

TEST(no_derivation) {
    prints("{\"n\":2,\"value\":null,\"best\":null,\"max_marginals\":null,"
           "\"derivation\":null}\n",
           "trapeze run -r eisner -s max --best --max-marginals --derivation none.jsonl");
    prints("{\"n\":2,\"value\":null,\"marginals\":null}\n",
           "trapeze run -r eisner -s log --marginals none.jsonl");
    prints("{\"n\":2,\"value\":0}\n", "trapeze run -r eisner -s count none.jsonl");
    prints("{\"n\":2,\"value\":false}\n", "trapeze run -r eisner -s bool none.jsonl");
}

/* C(3n,n)/(2n+1) trees: below 2^53 for n = 20, above for n = 25. */
TEST(rounded) {
    FILE *file = need(fopen("long.jsonl", "wb"));
    for (int n = 20; n <= 25; n += 5) {
        fprintf(file, "{\"n\":%d,\"arc\":[", n);
        for (int h = 0; h <= n; h++) {
            fprintf(file, "%s[", h > 0 ? "," : "");
            for (int m = 0; m <= n; m++)
                fprintf(file, "%s0", m > 0 ? "," : "");
            fprintf(file, "]");
        }
        fprintf(file, "]}\n");
    }
    fclose(file);
    works("trapeze run -r eisner -s count long.jsonl");
    assert_contains(out, "{\"n\":20,\"value\":102240109897695}\n");
    assert_contains(out, "{\"n\":25,\"value\":103114798315978");
    assert_contains(out, ",\"rounded\":true}\n");
}

/* By the definition alone: the same, but for the last bits where sums round. */
TEST(plain) {
    static const struct {
        const char *options;
        double tolerance;
    } runs[] = {
        {"-s max --best --derivation --max-marginals --kbest 3", 0},
        {"-s max --precision f32 --best", 0},
        {"-s count", 0},
        {"-s bool", 0},
        {"-s 'kbest(2)'", 0},
        {"-s log --marginals --items rtri,ltri,rtrap,ltrap", 1e-14},
        {"-s max --max-marginals --items rtri,ltri,rtrap,ltrap", 0},
        {"-s entropy", 1e-14},
    };
    shell("cat two.jsonl none.jsonl > both.jsonl");
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        static char fast[sizeof out];
        works("trapeze run -r eisner %s both.jsonl", runs[r].options);
        memcpy(fast, out, sizeof fast);
        shell("trapeze run -r eisner --plain --threads 2 %s both.jsonl", runs[r].options);
        assert_result_near(fast, runs[r].tolerance);
    }
    usage("--plain", "trapeze run -r eisner -s max --plain=1 two.jsonl");
}

TEST(ambiguous) {
    write_file("skip.jsonl", "{\"n\":2,\"arc\":[[0,0,0],[0,0,0],[0,0,0]],\"skip\":[0,0,0]}\n");
    prints("{\"n\":2,\"value\":7}\n", "trapeze run -r skip-note -s count --force skip.jsonl");
    prints("{\"n\":2,\"value\":6}\n", "trapeze run -r skip -s count skip.jsonl");
    prints("{\"n\":2,\"value\":0}\n", "trapeze run -r skip-note -s max skip.jsonl");
}

TESTS_BETWEEN(setup, shell_teardown)
