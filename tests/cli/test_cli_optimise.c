/* test_cli_optimise.c - `trapeze rules optimise` as a user types it. What the search finds is asked
 * by test_optimise. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/files.h"
#include "tests/support/shell.h"

#define CHAIN TZ_SOURCE_ROOT "/tests/rules/optimise/matrix-chain.rules"

/* The result says what was gained, can be read back, and gives the same value. */
TEST(found) {
    works("trapeze rules optimise " CHAIN " >found.rules");
    assert_string_equal(err, "");
    size_t size;
    char *text = read_file("found.rules", &size);
    assert_contains(text, "#   degree    n^3, was n^5, of the rules as they are written\n");
    assert_contains(text,
                    "structure by structure (125 derivations); at n = 16 and at unequal lengths, "
                    "count, max and log");
    assert_contains(text, "rules   matrix-chain-optimised\n");
    assert_contains(text, "# fold: ");
    free(text);
    works("trapeze rules check found.rules");
    assert_contains(out, "\n          5              125              125              125 ");

    write_file("two.json", "{\"n\": 2, "
                           "\"a\": [[0,0,0],[0,1,2],[0,3,4]], \"b\": [[0,0,0],[0,-1,0.5],[0,2,0]], "
                           "\"c\": [[0,0,0],[0,0.25,1],[0,null,2]], "
                           "\"d\": [[0,0,0],[0,1,-2],[0,0,0.75]]}\n");
    static char wanted[SHELL_OUT];
    works("trapeze run -r " CHAIN " -s log two.json");
    strcpy(wanted, out);
    shell("trapeze run -r found.rules -s log two.json");
    assert_result_near(wanted, 1e-14);
    shell("trapeze run -r " CHAIN " -s count two.json");
    strcpy(wanted, out);
    prints(wanted, "trapeze run -r found.rules -s count two.json");
}

/* Names of values stay with their length. */
TEST(names) {
    shell("sed 's/^length  n/length  n, T\\nnames   T  B I  # begin, inside/; "
          "s/^weight  a\\[i,j\\]/weight  a[i,j,t] 0 <= t < T,/; s/\\* a\\[i,j\\]/* a[i,j,t]/; "
          "/^count/d' " CHAIN " >named.rules");
    works("trapeze rules optimise named.rules");
    assert_contains(out, "\nlength  n, T\nnames   T B I  # begin, inside\n");
}

TEST(output) {
    works("trapeze rules optimise " CHAIN);
    static char printed[SHELL_OUT];
    strcpy(printed, out);
    prints("", "trapeze rules optimise -o here.rules " CHAIN);
    prints(printed, "cat here.rules");
    works("trapeze rules optimise - <here.rules");
    assert_contains(out, "nothing of lower degree found among ");
}

/* No file is written where there is nothing to write. */
TEST(none) {
    write_file("kept.rules", "what was here\n");
    works("trapeze rules optimise --rules 8 -o kept.rules eisner");
    assert_string_equal(err, "");
    assert_contains(out, "nothing of lower degree found among ");
    prints("what was here\n", "cat kept.rules");
}

/* Of lower degree as it is written, with more products than the rules need: no result. */
TEST(products) {
    works("trapeze rules optimise " TZ_SOURCE_ROOT "/rules/gallery/arc-standard.rules");
    assert_string_equal(err, "");
    assert_contains(out, "nothing of lower degree found among ");
}

TEST(refused) {
    write_file("side.rules", "rules side\nlength n\nitem at[i] 0 <= i <= n\ngoal at[n]\n\n"
                             "axiom\n--- start\nat[0]\n\nat[i] [at[0]]\n--- next\nat[i+1]\n");
    refused("side: rules with side conditions are not rewritten",
            "trapeze rules optimise -o kept.rules side.rules");
    write_file("input.rules", "rules input\nlength n, V\ninput x[i] < V 1 <= i <= n\n"
                              "weight w[v] 0 <= v < V\nitem at[i] 0 <= i <= n\ngoal at[n]\n\n"
                              "axiom\n--- start\nat[0]\n\nat[i]\n--- next * w[x[i+1]]\nat[i+1]\n");
    refused("input: rules with inputs are not rewritten",
            "trapeze rules optimise -o kept.rules input.rules");
    write_file("round.rules",
               "rules round\nlength n\nweight w\nitem at[i] 0 <= i <= n\nclosure at\n"
               "goal at[n]\n\naxiom\n--- start\nat[0]\n\n"
               "at[i]\n--- next * w if -1 <= j-i <= 1\nat[j]\n");
    refused("round: rules with closures are not rewritten",
            "trapeze rules optimise -o kept.rules round.rules");
    refused("no-such-file.rules", "trapeze rules optimise no-such-file.rules");
    usage("which rule set? Name a built-in one or a file", "trapeze rules optimise");
    usage("one rule set", "trapeze rules optimise eisner skip");
    usage("--rules", "trapeze rules optimise --rules=0 eisner");
    usage("--time", "trapeze rules optimise --time=soon eisner");
}

TESTS_BETWEEN(shell_setup, shell_teardown)
