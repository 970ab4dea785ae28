/* test_cli_inference.c - does `trapeze run` print lists, samples, limits, entropies and what facts
 * leave as its manual says?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/shell.h"
#include "tests/support/two_words.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define NONE          "\"n\":2,\"arc\":[[null,1,null],[null,null,null],[null,null,null]]"
#define BEST_OF_TWO   "{\"score\":6,\"weights\":[[\"arc\",0,2,2],[\"arc\",2,1,4]]}"
#define SECOND_OF_TWO "{\"score\":4,\"weights\":[[\"arc\",0,1,1],[\"arc\",1,2,3]]}"
#define THIRD_OF_TWO  "{\"score\":3,\"weights\":[[\"arc\",0,1,1],[\"arc\",0,2,2]]}"

/* Of SHORT. */
#define FIRST_KEPT                                                                                 \
    "{\"score\":1.5,\"weights\":[[\"arc\",0,1,1],[\"bigram\",0,1,0.5],[\"bigram\",1,3,0]]}"
#define SECOND_KEPT                                                                                \
    "{\"score\":2.75,\"weights\":[[\"arc\",0,2,2],[\"bigram\",0,2,0.25],[\"bigram\",2,3,0.5]]}"
#define BOTH_KEPT                                                                                  \
    "{\"score\":6,\"weights\":[[\"arc\",0,2,2],[\"arc\",2,1,4],[\"bigram\",0,1,0.5],"              \
    "[\"bigram\",1,2,-1],[\"bigram\",2,3,0.5]]}"
#define NONE_KEPT "{\"score\":0.125,\"weights\":[[\"bigram\",0,3,0.125]]}"

/* What `run` prints of one line of JSON. */
static void run(const char *options, const char *line) {
    char text[4096];
    snprintf(text, sizeof text, "%s\n", line);
    write_file("x.jsonl", text);
    shell("trapeze run %s x.jsonl", options);
}

/* ---- Lists --------------------------------------------------------------------------------- */

TEST(kbest) {
    run("-r eisner -s max --kbest 2", "{" TWO "}");
    assert_result("{\"n\":2,\"value\":6,\"kbest\":[" BEST_OF_TWO "," SECOND_OF_TWO "]}\n");
    run("-r eisner -s max --kbest=1000000000 --best", "{" TWO "}");
    assert_result("{\"n\":2,\"value\":6,\"best\":" BEST_OF_TWO ",\"kbest\":[" BEST_OF_TWO
                  "," SECOND_OF_TWO "," THIRD_OF_TWO "]}\n");
    run("-r eisner -s max --kbest 9 --within 2", "{" TWO "}");
    assert_result("{\"n\":2,\"value\":6,\"kbest\":[" BEST_OF_TWO "," SECOND_OF_TWO "]}\n");
    run("-r eisner -s max --kbest 9 --within 1.5", "{" TWO "}");
    assert_result("{\"n\":2,\"value\":6,\"kbest\":[" BEST_OF_TWO "]}\n");
    run("-r eisner -s max --within 1", "{" TWO "}");
    assert_usage("--within is for the list of --kbest K");
    run("-r eisner -s max --kbest 9 --within -1", "{" TWO "}");
    assert_usage("--within is a number of 0 or more, not '-1'");
    run("-r eisner -s ties", "{" TWO "}");
    assert_result("{\"n\":2,\"value\":6,\"count\":1}\n");
    run("-r eisner -s ties", "{" NONE "}");
    assert_result("{\"n\":2,\"value\":null,\"count\":0}\n");
    run("-r eisner -s ties --best", "{" TWO "}");
    assert_usage("--best needs a semiring whose sum picks one derivation (max); ties does not");
    run("-r eisner -s max --kbest 2 --best", "{" NONE "}");
    assert_result("{\"n\":2,\"value\":null,\"best\":null,\"kbest\":[]}\n");
    run("-r eisner -s 'kbest(2)'", "{" TWO "}");
    assert_result("{\"n\":2,\"values\":[6,4]}\n");
    run("-r eisner -s 'kbest( 9 )' --precision f32", "{" TWO "}");
    assert_result("{\"n\":2,\"values\":[6,4,3]}\n");
    run("-r eisner -s 'kbest(2)'", "{" NONE "}");
    assert_result("{\"n\":2,\"values\":[]}\n");
}

/* skip-note derives "keep the first, drop the second" twice. */
TEST(distinct) {
    const char *line = "{\"n\":2,\"arc\":[[0,1,2],[0,0,3],[0,4,0]],\"skip\":[0,10,20]}";
    run("-r skip-note -s 'kbest(9)' --force", line);
    assert_result("{\"n\":2,\"values\":[30,21,21,12,6,4,3]}\n");
    run("-r skip-note -s max --kbest 3", line);
    assert_result("{\"n\":2,\"value\":30,\"kbest\":["
                  "{\"score\":30,\"weights\":[[\"skip\",1,10],[\"skip\",2,20]]},"
                  "{\"score\":21,\"weights\":[[\"arc\",0,1,1],[\"skip\",2,20]]},"
                  "{\"score\":21,\"weights\":[[\"arc\",0,1,1],[\"skip\",2,20]]}]}\n");
    run("-r skip-note -s max --kbest 3 --distinct", line);
    assert_result("{\"n\":2,\"value\":30,\"kbest\":["
                  "{\"score\":30,\"weights\":[[\"skip\",1,10],[\"skip\",2,20]]},"
                  "{\"score\":21,\"weights\":[[\"arc\",0,1,1],[\"skip\",2,20]]},"
                  "{\"score\":12,\"weights\":[[\"arc\",0,2,2],[\"skip\",1,10]]}]}\n");
    run("-r skip-note -s log --sample 2", line);
    assert_usage("(--force runs it nevertheless)");
    run("-r skip-note -s count --sample 9 --without-replacement --force", line);
    assert_int_equal(code, 0);
    size_t samples = 0;
    for (const char *at = out; (at = strstr(at, "{\"score\":")) != NULL; at++)
        samples++;
    assert_int_equal(samples, 7);
}

TEST(samples) {
    run("-r eisner -s log --sample 9 --without-replacement", "{" TWO "}");
    assert_int_equal(code, 0);
    assert_contains(out, BEST_OF_TWO);
    assert_contains(out, SECOND_OF_TWO);
    assert_contains(out, THIRD_OF_TWO);
    /* One tree is left: every sample is that one. */
    run("-r eisner -s log --sample 2", "{" TWO ",\"require\":[[\"arc\",1,2]]}");
    assert_result("{\"n\":2,\"value\":4,\"samples\":[" SECOND_OF_TWO "," SECOND_OF_TWO "]}\n");
    run("-r eisner -s log --sample 2", "{" NONE "}");
    assert_result("{\"n\":2,\"value\":null,\"samples\":[]}\n");
    run("-r eisner -s count --sample 2", "{" NONE "}");
    assert_result("{\"n\":2,\"value\":0,\"samples\":[]}\n");

    /* The seed decides, and the line: 40 samples of three trees are hardly alike by chance. */
    static char first[SHELL_OUT];
    write_file("lines.jsonl", "{" TWO "}\n{" TWO "}\n");
    shell("trapeze run -r eisner -s count --sample 40 lines.jsonl");
    char *second_line = strchr(out, '\n') + 1;
    assert_true(strncmp(out, second_line, strlen(second_line)) != 0);
    memcpy(first, out, sizeof first);
    prints(first, "trapeze run -r eisner -s count --sample 40 --seed 1 lines.jsonl");
    works("trapeze run -r eisner -s count --sample 40 --seed 18446744073709551615 lines.jsonl");
    assert_string_not_equal(out, first);
    /* All lists are prefixes of one sequence. */
    shell("trapeze run -r eisner -s count --sample 3 lines.jsonl");
    size_t same = strcspn(out, "]") + 1;
    for (size_t i = 0; i < 6; i++)
        same += strcspn(out + same, "]") + 1;
    assert_memory_equal(out, first, same);
}

TEST(min_risk) {
    double total = exp(3) + exp(4) + exp(6), to_2 = (exp(3) + exp(6)) / total,
           to_1 = exp(6) / total;
    char expected[512];
    run("-r eisner -s log --min-risk", "{" TWO "}");
    snprintf(expected, sizeof expected,
             "{\"n\":2,\"value\":%.17g,\"min_risk\":{\"score\":%.17g,\"weights\":"
             "[[\"arc\",0,2,%.17g],[\"arc\",2,1,%.17g]]}}\n",
             log(total), to_2 + to_1, to_2, to_1);
    assert_result_near(expected, 1e-12);
    run("-r eisner -s log --min-risk", "{" TWO ",\"forbid\":[[\"arc\",0,2]]}");
    assert_result("{\"n\":2,\"value\":4,\"min_risk\":{\"score\":2,\"weights\":"
                  "[[\"arc\",0,1,1],[\"arc\",1,2,1]]}}\n");
    run("-r eisner -s log --min-risk", "{" NONE "}");
    assert_result("{\"n\":2,\"value\":null,\"min_risk\":null}\n");
}

/* ---- Resources and limits ------------------------------------------------------------------- */

TEST(resources) {
    run("-r compress -s 'resource(kept,2)'", "{" SHORT "}");
    assert_result("{\"n\":2,\"values\":[0.125,2.75,6]}\n");
    run("-r compress -s 'resource(kept,1)'", "{" SHORT "}");
    assert_result("{\"n\":2,\"values\":[0.125,2.75]}\n");
    run("-r compress -s 'resource(kept,4,max)'", "{" SHORT "}");
    assert_result("{\"n\":2,\"values\":[0.125,2.75,6,null,null]}\n");
    run("-r compress -s ' resource ( dropped , n , kbest(2) ) '", "{" SHORT "}");
    assert_result("{\"n\":2,\"values\":[[6,4],[2.75,1.5],[0.125]]}\n");
    run("-r compress -s 'resource(kept,n,count)'", "{" SHORT "}");
    assert_result("{\"n\":2,\"values\":[1,2,3]}\n");
    run("-r compress -s 'resource(kept,0,bool)'", "{" SHORT "}");
    assert_result("{\"n\":2,\"values\":[true]}\n");
    run("-r compress -s 'resource(kept,n)' --best", "{" SHORT "}");
    assert_result("{\"n\":2,\"values\":[0.125,2.75,6],\"best\":[" NONE_KEPT "," SECOND_KEPT
                  "," BOTH_KEPT "]}\n");
    run("-r compress -s 'resource(kept,3)' --best",
        "{\"n\":1,\"arc\":[[0,null],[0,0]],\"bigram\":[[0,0,2],[0,0,0]]}");
    assert_result("{\"n\":1,\"values\":[2,null,null,null],\"best\":[{\"score\":2,\"weights\":"
                  "[[\"bigram\",0,2,2]]},null,null,null]}\n");
    run("-r compress -s 'resource(kept,n)' --best --kbest 9 --amount 1", "{" SHORT "}");
    assert_result("{\"n\":2,\"values\":[0.125,2.75,6],\"best\":" SECOND_KEPT
                  ",\"kbest\":[" SECOND_KEPT "," FIRST_KEPT "]}\n");
    double first = 1 / (1 + exp(1.25));
    char expected[512];
    run("-r compress -s 'resource(kept,1,log)' --marginals --amount 1", "{" SHORT "}");
    snprintf(expected, sizeof expected,
             "{\"n\":2,\"values\":[0.125,%.17g],\"marginals\":{\"arc\":[[0,%.17g,%.17g],[0,0,0],"
             "[0,0,0]],\"bigram\":[[0,%.17g,%.17g,0],[0,0,0,%.17g],[0,0,0,%.17g]]}}\n",
             log(exp(1.5) + exp(2.75)), first, 1 - first, first, 1 - first, first, 1 - first);
    assert_result_near(expected, 1e-12);
}

/* A limit on what another resource leaves is a limit on the other, under any semiring. */
TEST(limit_on_a_rest) {
    static const char *const semirings[] = {"log --marginals", "count", "max --best",
                                            "max --kbest 3", "'kbest(2)'"};
    static const char pieces[] = "\"n\":3,\"piece\":[[null,0.5,0.25,0],[null,null,0.125,0.5],"
                                 "[null,null,null,1]]";
    write_file("seg.rules", "rules   seg\nlength  n\nweight  piece[i,j]  0 <= i < j <= n\n"
                            "item    at[i]  0 <= i <= n\nresource kept piece[i,j] 1\n"
                            "resource dropped = n - kept\ngoal    at[n]\n\n  axiom\n  ----- start\n"
                            "  at[0]\n\n  at[i]\n  ----- next * piece[i,j]\n  at[j]\n");
    for (size_t s = 0; s < COUNT(semirings); s++)
        for (int dropped = 0; dropped <= 4; dropped++)
            for (int facts = 0; facts <= (s < 2); facts++) {
                char options[128], line[256], *kept;
                snprintf(line, sizeof line, "{%s%s}", pieces,
                         facts ? ",\"require\":[[\"piece\",0,1]]" : "");
                /* What is more than there are words is as impossible as what is fewer than none. */
                snprintf(options, sizeof options, "-r ./seg.rules -s %s --keep %d", semirings[s],
                         dropped <= 3 ? 3 - dropped : 4);
                run(options, line);
                assert_int_equal(code, 0);
                assert_true((kept = strdup(out)) != NULL);
                snprintf(options, sizeof options, "-r ./seg.rules -s %s --drop %d", semirings[s],
                         dropped);
                run(options, line);
                assert_int_equal(code, 0);
                char *limit = strstr(kept, ",\"limit\":{"), *other = strstr(out, ",\"limit\":{");
                if (limit != NULL && other != NULL)
                    *limit = *other = '\0'; /* which names the resource */
                assert_string_equal(out, kept);
                free(kept);
            }
}

/* The best derivation within limits; everything else at an exact amount. */
TEST(limits) {
    run("-r compress -s max --keep 2 --best", "{" SHORT "}");
    assert_result("{\"n\":2,\"value\":6,\"best\":" BOTH_KEPT
                  ",\"limit\":{\"kept\":2,\"bound\":6,\"steps\":1,\"path\":\"bisection\"}}\n");
    run("-r compress -s max --drop 1", "{" SHORT "}");
    assert_int_equal(code, 0);
    assert_contains(out, "{\"n\":2,\"value\":2.75,\"limit\":{\"dropped\":1,\"bound\":2.75,");
    run("-r compress -s max --rate 0.4:0.6 --best", "{" SHORT "}");
    assert_int_equal(code, 0);
    assert_contains(out, "\"value\":2.75,\"best\":" SECOND_KEPT ",\"limit\":{\"kept\":1,");
    run("-r compress -s max --rate=0:1 --precision f32", "{" SHORT "}");
    assert_int_equal(code, 0);
    assert_contains(out, "\"value\":6,\"limit\":{\"kept\":2,");
    run("-r compress -s max --keep 3 --best", "{" SHORT "}");
    assert_result("{\"n\":2,\"value\":null,\"best\":null,\"limit\":null}\n");
    run("-r compress -s max --keep 1 --kbest 9", "{" SHORT "}");
    assert_result("{\"n\":2,\"value\":2.75,\"kbest\":[" SECOND_KEPT "," FIRST_KEPT "]}\n");
    run("-r compress -s count --drop 1", "{" SHORT "}");
    assert_result("{\"n\":2,\"value\":2}\n");
    run("-r compress -s 'kbest(3)' --keep 1", "{" SHORT "}");
    assert_result("{\"n\":2,\"values\":[2.75,1.5]}\n");

    /* 0.3 of 10 words are 3: shares are decimal fractions, not the doubles next to them. */
    char line[4096] = "{\"n\":10,\"arc\":[";
    for (int h = 0; h <= 10; h++)
        strcat(line, h == 0 ? "[0,0,0,0,0,0,0,0,0,0,0]" : ",[0,0,0,0,0,0,0,0,0,0,0]");
    strcat(line, "],\"bigram\":[");
    for (int i = 0; i <= 10; i++)
        strcat(line, i == 0 ? "[0,0,0,0,0,0,0,0,0,0,0,0]" : ",[0,0,0,0,0,0,0,0,0,0,0,0]");
    strcat(line, "]}");
    run("-r compress -s max --rate 0.3:0.3", line);
    assert_int_equal(code, 0);
    assert_contains(out, "\"limit\":{\"kept\":3,");
    run("-r compress -s max --rate 0.31:0.39", line);
    assert_refused("x.jsonl:1: no number of 10 words is from 0.31 to 0.39 of them; the nearest "
                   "rates are 0.3 (3) and 0.4 (4)");
}

/* ---- Entropy -------------------------------------------------------------------------------- */

TEST(entropy) {
    double z = exp(3) + exp(4) + exp(6), p[] = {exp(3) / z, exp(4) / z, exp(6) / z};
    double entropy = -p[0] * log(p[0]) - p[1] * log(p[1]) - p[2] * log(p[2]);
    /* q doubles the score of the arc 2 > 1: 10 for the third tree. */
    double zq = exp(3) + exp(4) + exp(10);
    double kl = p[0] * (3 - log(z) - 3 + log(zq)) + p[1] * (log(zq) - log(z)) +
                p[2] * (6 - log(z) - 10 + log(zq));
    char expected[512];
    run("-r eisner -s entropy", "{" TWO "}");
    snprintf(expected, sizeof expected, "{\"n\":2,\"value\":%.17g,\"entropy\":%.17g}\n", log(z),
             entropy);
    assert_result_near(expected, 1e-12);
    run("-r eisner -s entropy --precision f32", "{" TWO "}");
    assert_result_near(expected, 2e-5);
    run("-r eisner -s entropy", "{" TWO ",\"arc.cost\":[[0,10,0],[0,0,1],[0,5,0]],"
                                "\"arc.q\":[[0,1,2],[0,0,3],[0,8,0]]}");
    snprintf(expected, sizeof expected,
             "{\"n\":2,\"value\":%.17g,\"entropy\":%.17g,\"cost\":%.17g,\"kl\":%.17g}\n", log(z),
             entropy, 10 * p[0] + 11 * p[1] + 5 * p[2], kl);
    assert_result_near(expected, 1e-12);
    /* q excludes the third tree. */
    run("-r eisner -s entropy", "{" TWO ",\"arc.q\":[[0,1,2],[0,0,3],[0,null,0]]}");
    assert_contains(out, ",\"kl\":\"inf\"}");
    run("-r eisner -s entropy", "{" NONE ",\"arc.cost\":[[0,0,0],[0,0,0],[0,0,0]],"
                                "\"arc.q\":[[0,0,0],[0,0,0],[0,0,0]]}");
    assert_result("{\"n\":2,\"value\":null,\"entropy\":0,\"cost\":0,\"kl\":0}\n");
    run("-r eisner -s log", "{" TWO ",\"arc.cost\":4}"); /* a key that log does not know */
    assert_int_equal(code, 0);

    /* Both distributions under the same limit, and the same facts: q is p there. */
    const char *other = ",\"bigram.q\":[[0,0.5,0.25,0.125],[0,0,-1,0],[0,0,0,0.5]],"
                        "\"arc.q\":[[0,1,2],[0,0,9],[0,4,0]]";
    char line[1024];
    snprintf(line, sizeof line, "{" SHORT "%s}", other);
    run("-r compress -s entropy --keep 1", line);
    double share = 1 / (1 + exp(1.25));
    snprintf(expected, sizeof expected, "{\"n\":2,\"value\":%.17g,\"entropy\":%.17g,\"kl\":0}\n",
             log(exp(1.5) + exp(2.75)), -share * log(share) - (1 - share) * log(1 - share));
    assert_result_near(expected, 1e-12);
    static const char *const facts[] = {"\"forbid\":[[\"arc\",1,2]]",
                                        "\"require\":[[[\"arc\",2,1],[\"bigram\",0,2]]]"};
    for (size_t f = 0; f < COUNT(facts); f++)
        for (int named = 0; named < 2; named++) {
            snprintf(line, sizeof line, "{" SHORT "%s,%s}", other, facts[f]);
            run(named ? "-r compress -s 'required(entropy)'" : "-r compress -s entropy", line);
            assert_int_equal(code, 0);
            assert_true(fabs(strtod(strstr(out, "\"kl\":") + 5, NULL)) < 1e-12);
        }
}

/* ---- Paths ---------------------------------------------------------------------------------- */

#define FRAMES                                                                                     \
    "\"n\":4,\"U\":2,\"V\":3,\"y\":[1,2],\"emit\":[[0,0,0],[-1,-0.5,-3],[-1,-0.25,-2],"            \
    "[-0.5,-3,-1],[-1,-3,-0.5]],\"differ\":[[0,0,0],[0,null,0],[0,0,null]]"

/* Uses in the order of the derivation, with the positions that inputs are looked up at. */
TEST(paths) {
    run("-r gallery/ctc -s max --best --path", "{" FRAMES "}");
    assert_result("{\"n\":4,\"U\":2,\"V\":3,\"value\":-1.75,\"best\":{\"score\":-1.75,\"weights\":"
                  "[[\"emit\",1,1,-0.5],[\"emit\",2,1,-0.25],[\"emit\",3,0,-0.5],"
                  "[\"emit\",4,2,-0.5]],\"path\":[[\"emit\",1,1,-0.5,[1]],"
                  "[\"emit\",2,1,-0.25,[1]],[\"emit\",3,0,-0.5],[\"emit\",4,2,-0.5,[2]]]}}\n");
    /* Arc 2 -> 1 is inside of what arc 0 -> 2 is added to. */
    run("-r eisner -s max --kbest 1 --path", "{" TWO "}");
    assert_result("{\"n\":2,\"value\":6,\"kbest\":[{\"score\":6,\"weights\":[[\"arc\",0,2,2],"
                  "[\"arc\",2,1,4]],\"path\":[[\"arc\",2,1,4],[\"arc\",0,2,2]]}]}\n");
    run("-r eisner -s log --min-risk --path", "{" TWO "}");
    assert_contains(out, "\"path\":[[\"arc\",2,1,");
    run("-r compress -s max --keep 1 --best --path", "{" SHORT "}");
    assert_contains(out, "\"path\":[[\"");
    run("-r compress -s 'resource(kept,n)' --amount 1 --kbest 1 --path", "{" SHORT "}");
    assert_contains(out, "\"path\":[[\"");
    run("-r eisner -s max --path", "{" TWO "}");
    assert_usage("--path is for the derivations of --best, --kbest, --sample or --min-risk");
}

/* ---- Facts ---------------------------------------------------------------------------------- */

TEST(facts) {
    run("-r eisner -s max --best", "{" TWO ",\"forbid\":[[\"arc\",2,1]]}");
    assert_result("{\"n\":2,\"value\":4,\"best\":" SECOND_OF_TWO "}\n");
    run("-r eisner -s max --best", "{" TWO ",\"forbid\":[[\"arc\",0,1],[\"arc\",2,null]]}");
    assert_result("{\"n\":2,\"value\":null,\"best\":null}\n");
    run("-r eisner -s max --kbest 9", "{" TWO ",\"require\":[[\"arc\",0,2]]}");
    assert_result("{\"n\":2,\"value\":6,\"kbest\":[" BEST_OF_TWO "," THIRD_OF_TWO "]}\n");
    run("-r eisner -s count", "{" TWO ",\"require\":[[[\"arc\",0,2],[\"arc\",1,2]],"
                              "[\"arc\",0,1]],\"forbid\":[]}");
    assert_result("{\"n\":2,\"value\":2}\n");
    run("-r eisner -s max --kbest 9", "{" TWO ",\"require\":[[\"arc\",1,2],[\"arc\",2,1]]}");
    assert_result("{\"n\":2,\"value\":null,\"kbest\":[]}\n");

    /* The same by what arcs conclude. */
    run("-r eisner -s max --best", "{" TWO ",\"forbid\":[[\"ltrap\",1,2]]}");
    assert_result("{\"n\":2,\"value\":4,\"best\":" SECOND_OF_TWO "}\n");
    run("-r eisner -s max --best", "{" TWO ",\"forbid\":[[\"rtrap\",0,1],[\"ltrap\",null,2]]}");
    assert_result("{\"n\":2,\"value\":null,\"best\":null}\n");
    run("-r eisner -s max --kbest 9", "{" TWO ",\"require\":[[\"rtrap\",0,2]]}");
    assert_result("{\"n\":2,\"value\":6,\"kbest\":[" BEST_OF_TWO "," THIRD_OF_TWO "]}\n");
    run("-r eisner -s count", "{" TWO ",\"require\":[[[\"rtrap\",0,2],[\"arc\",1,2]],"
                              "[\"rtrap\",0,1]]}");
    assert_result("{\"n\":2,\"value\":2}\n");
    run("-r compress -s 'resource(kept,n)' --best", "{" SHORT ",\"forbid\":[[\"rtrap\",null,2]]}");
    assert_result("{\"n\":2,\"values\":[0.125,1.5,null],\"best\":[" NONE_KEPT "," FIRST_KEPT
                  ",null]}\n");
    run("-r compress -s max --keep 1 --best", "{" SHORT ",\"forbid\":[[\"rtrap\",0,2]]}");
    assert_contains(out, "\"value\":1.5,\"best\":" FIRST_KEPT);

    /* One of two arcs, which no set of forbidden ones says. */
    const char *either = "{" TWO ",\"require\":[[[\"arc\",1,2],[\"arc\",2,1]]]}";
    run("-r eisner -s count", either);
    assert_result("{\"n\":2,\"value\":2}\n");
    run("-r eisner -s 'kbest(9)'", either);
    assert_result("{\"n\":2,\"values\":[6,4]}\n");
    run("-r eisner -s 'required(max)' --best", either);
    assert_result("{\"n\":2,\"value\":6,\"best\":" BEST_OF_TWO "}\n");
    run("-r eisner -s 'required(log)' --min-risk", either);
    double share = 1 / (1 + exp(-2));
    char expected[512];
    snprintf(expected, sizeof expected,
             "{\"n\":2,\"value\":%.17g,\"min_risk\":{\"score\":%.17g,\"weights\":"
             "[[\"arc\",0,2,%.17g],[\"arc\",2,1,%.17g]]}}\n",
             log(exp(4) + exp(6)), 2 * share, share, share);
    assert_result_near(expected, 1e-12);
    run("-r eisner -s max --kbest 2", either);
    assert_refused("x.jsonl:1: --kbest cannot keep to these required facts, since forbidding other "
                   "cells would not say the same; give -s 'kbest(K)'");
    run("-r eisner -s log --min-risk", either);
    assert_refused("x.jsonl:1: --min-risk cannot keep to these required facts");

    /* At an amount. */
    run("-r compress -s max --keep 1 --best", "{" SHORT ",\"require\":[[\"arc\",null,1]]}");
    assert_int_equal(code, 0);
    assert_contains(out, "\"value\":1.5,\"best\":" FIRST_KEPT);
    run("-r compress -s 'resource(kept,n)' --best", "{" SHORT ",\"require\":[[\"arc\",null,1]]}");
    assert_result("{\"n\":2,\"values\":[null,1.5,6],\"best\":[null," FIRST_KEPT "," BOTH_KEPT
                  "]}\n");
    run("-r compress -s 'resource(kept,n)' --amount 1 --kbest 2",
        "{" SHORT ",\"require\":[[\"arc\",null,1]]}");
    assert_result("{\"n\":2,\"values\":[null,1.5,6],\"kbest\":[" FIRST_KEPT "]}\n");
    const char *one = "{" SHORT ",\"require\":[[[\"arc\",1,2],[\"arc\",2,1]]]}";
    run("-r compress -s max --keep 2", one);
    assert_refused("x.jsonl:1: --keep, --drop or --rate with max cannot keep to these required "
                   "facts");
    run("-r compress -s 'required(max)' --keep 2 --best", one);
    assert_result("{\"n\":2,\"value\":6,\"best\":" BOTH_KEPT "}\n");
}

TEST(structure) {
    char expected[512];
    double total = log(exp(3) + exp(4) + exp(6));
    run("-r eisner -s log", "{" TWO ",\"structure\":[[\"arc\",2,1],[\"arc\",0,2]]}");
    snprintf(expected, sizeof expected,
             "{\"n\":2,\"value\":%.17g,\"structure\":{\"score\":6,\"log_probability\":%.17g}}\n",
             total, 6 - total);
    assert_result_near(expected, 1e-12);
    run("-r eisner -s log", "{" TWO ",\"structure\":[[\"arc\",2,1],[\"arc\",1,2]]}");
    snprintf(expected, sizeof expected, "{\"n\":2,\"value\":%.17g,\"structure\":null}\n", total);
    assert_result_near(expected, 1e-12);
    run("-r eisner -s log",
        "{" TWO ",\"structure\":[[\"arc\",2,1],[\"arc\",0,2]],\"require\":[[\"arc\",0,2]]}");
    snprintf(expected, sizeof expected,
             "{\"n\":2,\"value\":%.17g,\"structure\":{\"score\":6,\"log_probability\":%.17g}}\n",
             log(exp(3) + exp(6)), -log(1 + exp(-3)));
    assert_result_near(expected, 1e-12);
}

/* ---- Drawn ---------------------------------------------------------------------------------- */

TEST(drawn) {
    write_file("x.jsonl", "{\"words\":[\"a\",\"b\"]," SHORT "}\n");
    works("trapeze run -r compress -s max --kbest 3 x.jsonl | trapeze draw");
    assert_contains(out, "kbest 1, score 6\n");
    assert_contains(out, "kbest 3, score 3\n");
    works("trapeze run -r compress -s log --sample 2 x.jsonl | trapeze draw");
    assert_contains(out, "sample 2, score ");
    works("trapeze run -r compress -s 'resource(kept,n)' --best x.jsonl | trapeze draw");
    assert_contains(out, "amount 0, score 0.125\n(a) (b)\n");
    assert_contains(out, "amount 1, score 2.75\n");
    works("trapeze run -r compress -s max --keep 1 --best x.jsonl | trapeze draw");
    assert_contains(out, "ROOT (a) b\n");
}

TESTS_BETWEEN(shell_setup, shell_teardown)
