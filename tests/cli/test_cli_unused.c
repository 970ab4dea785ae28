/* test_cli_unused.c - does `trapeze run` read problems without what no rule uses, from JSON and
 * from arrays, and answer as if it were not declared? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/npz_make.h"
#include "tests/support/shell.h"

#define CUTS(before, behind)                                                                       \
    "rules cuts\nlength n\n" before "weight piece[i,j] 0 <= i < j <= n\nitem at[i] 0 <= i <= n\n"  \
    "goal at[n]\naxiom\n--- start\nat[0]\n\nat[i]\n--- next * piece[i,j]\nat[j]\n" behind
#define UNUSED                                                                                     \
    "weight bonus[i] 0 <= i <= n\nweight few[i] sparse 0 <= i <= n\ninput x[i] < 3 1 <= i <= n\n"  \
    "input y[i,j] < 3 1 <= i <= n, 1 <= j <= n\nitem never\n"
#define PIECE "\"n\":2,\"piece\":[[0,1,2],[0,0,3],[0,0,0]]"

static const char *const options[] = {"-s max --best --kbest 2 --max-marginals",
                                      "-s log --sample 2 --min-risk",
                                      "-s count",
                                      "-s entropy",
                                      "-s 'kbest(2)'",
                                      "-s max --derivation --items at"};
enum { OPTIONS = sizeof options / sizeof *options };

TEST(json) {
    write_file("plain.rules", CUTS("", ""));
    write_file("more.rules", CUTS(UNUSED, "\nat[i] never\n--- jump * piece[i,j]\nat[j]\n"));
    write_file("few.json", "{" PIECE "}\n");
    write_file("all.json", "{" PIECE ",\"bonus\":[1,2,3],\"few\":[[1,5]],\"x\":[0,2],"
                           "\"y\":[[0,1],[2,0]]}\n");
    for (size_t o = 0; o < OPTIONS; o++) {
        static char expected[SHELL_OUT];
        works("trapeze run -r plain.rules %s few.json", options[o]);
        strcpy(expected, out);
        prints(expected, "trapeze run -r more.rules --quiet %s few.json", options[o]);
        prints(expected,
               "trapeze run -r more.rules --quiet %s all.json | "
               "sed 's/\"bonus\":\\[null,null,null\\],\"few\":\\[\\[1,null\\]\\],//'",
               options[o]);
    }
    shell("trapeze run -r more.rules --quiet -s log --marginals all.json");
    assert_contains(out, "\"marginals\":{\"bonus\":[0,0,0],\"few\":[[1,0]],\"piece\":[[");
    refused("piece: missing; give \"piece\" as an array of 2 x 3 numbers",
            "echo '{\"n\":2,\"bonus\":[0,0,0]}' | trapeze run -r more.rules -s max");
    refused("bonus: 1 entry for i, but n = 2 needs 3 (i from 0 to 2)",
            "echo '{" PIECE ",\"bonus\":[1]}' | trapeze run -r more.rules -s max");
    refused("x[2] is 3: it must be from 0 to 2",
            "echo '{" PIECE ",\"x\":[0,3]}' | trapeze run -r more.rules -s max");
    /* All that is weighed has gone; nothing is left to give. */
    write_file("none.rules", "rules none\nlength n\nweight w[i] 0 <= i <= n\nitem top\ngoal top\n"
                             "axiom\n--- all\ntop\n");
    prints("{\"n\":2,\"value\":0,\"marginals\":{}}\n",
           "echo '{\"n\":2}' | trapeze run -r none.rules --quiet -s log --marginals");
}

TEST(arrays) {
    static const double n[] = {2, 2}, bonus[6], x[] = {0, 1, 2, 0}, index[] = {1, 1},
                        piece[] = {0, 1, 2, 0, 0, 3, 0, 0, 0, 0, 4, 2, 0, 0, -3, 0, 0, 0};
    const npy_array all[] = {
        {.name = "n", .descr = "<i4", .rank = 1, .extent = {2}, .number = n},
        {.name = "piece", .descr = "<f8", .rank = 3, .extent = {2, 3, 3}, .number = piece},
        {.name = "bonus", .descr = "<f8", .rank = 2, .extent = {2, 3}, .number = bonus},
        {.name = "few", .descr = "<f8", .rank = 1, .extent = {1}, .number = bonus},
        {.name = "few.index", .descr = "<i4", .rank = 2, .extent = {1, 2}, .number = index},
        {.name = "x", .descr = "<i4", .rank = 2, .extent = {2, 2}, .number = x},
    };
    npz_make("few.npz", STORED, all, 2);
    npz_make("all.npz", STORED, all, 6);
    write_file("plain.rules", CUTS("", ""));
    write_file("more.rules", CUTS(UNUSED, ""));
    for (size_t o = 0; o < OPTIONS; o++) {
        static char expected[SHELL_OUT];
        if (strstr(options[o], "marginals") != NULL)
            continue;
        works("trapeze run -r plain.rules %s few.npz", options[o]);
        strcpy(expected, out);
        prints(expected, "trapeze run -r more.rules --quiet %s few.npz", options[o]);
        prints(expected, "trapeze run -r more.rules --quiet %s all.npz", options[o]);
    }
    static const char *const asked[] = {"-s log --marginals --sample 2",
                                        "-s max --best --max-marginals"};
    static const char *const name[] = {"value", "marginals.piece", "value", "best.piece"};
    for (size_t a = 0; a < 4; a++) {
        tz_npy npy[3];
        double *number[3];
        static const char *const from[] = {"plain.rules %s few", "more.rules %s few",
                                           "more.rules %s all"};
        for (size_t f = 0; f < 3; f++) {
            char command[256];
            snprintf(command, sizeof command, "trapeze run --quiet -o out%zu.npz -r %s.npz", f,
                     from[f]);
            works(command, asked[a / 2]);
            snprintf(command, sizeof command, "out%zu.npz", f);
            number[f] = npz_load(command, name[a], &npy[f]);
            assert_int_equal(npy[f].count, npy[0].count);
            assert_memory_equal(number[f], number[0], npy[0].count * sizeof *number[0]);
        }
        for (size_t f = 0; f < 3; f++)
            free(number[f]);
    }
}

TESTS_BETWEEN(shell_setup, shell_teardown)
